"""Servers in languages that are not read yet are named, with what to do; nothing of them is parsed."""

import json

import pytest
from asking import asker
from test_cli import SERVER

from reviewer.files import storage
from reviewer.files.discovery import INSTEAD
from reviewer.languages import unread

GO = 'package main\n\nimport "github.com/modelcontextprotocol/go-sdk/mcp"\n'
OTHER = 'package main\n\nimport "github.com/mark3labs/mcp-go/server"\n'
CLIENT = 'package main\n\nimport "github.com/mark3labs/mcp-go/client"\n'


@pytest.fixture
def ask(capsys):
    return asker(capsys)


def put(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"main.go": GO}, "Go is not read yet, and main.go looks like an MCP server"),
        (
            {"a.go": OTHER, "b/main.go": GO, "c.go": CLIENT},
            "Go is not read yet, and a.go and 1 more file look like an MCP server",
        ),
    ],
)
def test_a_folder_without_a_server_that_is_read(tmp_path, ask, files, told):
    put(tmp_path, files)
    assert ask(tmp_path) == (2, "", f"mcp-review: {tmp_path}: no MCP server found: {told}; {INSTEAD}\n")
    assert "--live" in INSTEAD
    assert "tools.json" in INSTEAD


def test_files_that_are_no_server(tmp_path, ask):
    put(tmp_path, {"client.go": CLIENT, "server_test.go": GO, "node_modules/x/main.go": GO})
    code, _, told = ask(tmp_path)
    assert code == 2
    assert "(no Python, Rust or TypeScript file there, and Go is not read yet; looked for" in told


def test_a_file_that_cannot_be_read_is_there(tmp_path, ask):
    (tmp_path / "server.py").write_bytes("mcp = FastMCP('words')".encode("utf-16"))
    code, _, told = ask(tmp_path)
    assert code == 2
    assert "(no Python, Rust or TypeScript file that can be read; looked for" in told
    assert "server.py: not UTF-8" in told


def test_a_file_is_named_as_well(tmp_path, ask):
    put(tmp_path, {"main.go": GO})
    file = tmp_path / "main.go"
    assert ask(file) == (2, "", f"mcp-review: {file}: Go is not read yet; {INSTEAD}\n")


@pytest.mark.slow
def test_a_mixed_folder_is_reviewed_as_far_as_it_is_read(tmp_path, ask):
    put(tmp_path, {"server.py": SERVER, "web/a.go": GO, "web/b.go": OTHER, "web/client.go": CLIENT})
    told = f"Go is not read yet, and this file and 1 more file look like an MCP server; {INSTEAD}"
    code, out, err = ask(tmp_path)
    assert (code, err) == (0, f"mcp-review: {tmp_path}/web/a.go:1: {told}\n")
    assert out.endswith("Verdict: PASS\n")
    assert [each["reason"] for each in json.loads(ask("catalog", tmp_path)[1])["unreadable"]] == [told]
    assert "Go is not read yet" in ask(tmp_path, "--format", "markdown")[1]
    assert ask(tmp_path, "--exclude", "web/")[2] == ""


def test_a_bounded_number_of_files_is_looked_into(tmp_path, ask, monkeypatch):
    put(tmp_path, {f"{number}.go": GO for number in range(20)})
    read, names = storage.Disk.read, []
    monkeypatch.setattr(storage.Disk, "read", lambda self, name, most: (names.append(name), read(self, name, most))[1])
    monkeypatch.setattr(unread, "MOST_READ", 5)
    assert "and 4 more files look" in ask(tmp_path)[2]
    assert len(names) == 5


def test_the_name_of_somebody_elses_server_is_no_server(tmp_path, ask):
    put(
        tmp_path,
        {"server.py": SERVER, "web/mock.go": "// as github.com/modelcontextprotocol/go-sdk/mcp does\n"},
    )
    assert ask(tmp_path)[2] == ""


def test_a_large_file_is_no_source(tmp_path, ask):
    put(tmp_path, {"all.go": GO + " " * unread.LARGEST})
    assert "looks like" not in ask(tmp_path)[2]
