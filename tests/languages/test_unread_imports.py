"""A file that a server imports and that cannot be read is a part of it that nobody reviewed; others are only named."""

import json

import pytest

from reviewer.cli.app import run

PYTHON = """from mcp.server import MCPServer

{imports}

mcp = MCPServer("x")


@mcp.tool()
def read(path: str) -> str:
    return path
"""
RUST = """{imports}
use rmcp::{{tool, tool_router, ServerHandler}};

struct Notes;

#[tool_router]
impl Notes {{
    #[tool(description = "Reads a note.")]
    async fn read(&self) -> String {{ String::new() }}
}}
"""
LATIN = "\u00e9".encode("latin-1")
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


@pytest.fixture
def verdict(tmp_path, capsys):
    def review(files):
        for name, data in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        code = run([str(tmp_path), "--format", "json"])
        report = json.loads(capsys.readouterr().out)
        unreviewed = [each["path"] for each in report.get("not_reviewed", ())]
        return code, unreviewed, [each["path"] for each in report.get("not_read", ())]

    return review


@pytest.mark.parametrize("data", [b"# caf" + LATIN, POINTER], ids=["not UTF-8", "a pointer"])
@pytest.mark.parametrize(
    ("imports", "lost"),
    [
        ("import helper", "helper.py"),
        ("from helper import shorten", "helper.py"),
        ("from package.helper import shorten", "package/helper.py"),
        ("import between", "helper.py"),
    ],
)
def test_python(verdict, imports, lost, data):
    files = {"server.py": PYTHON.format(imports=imports), "between.py": "import helper\n", "package/__init__.py": ""}
    assert verdict({**files, lost: data}) == (2, [lost], [])


@pytest.mark.parametrize("imports", ["", "import helpers", "import sys  # not helper"])
def test_python_that_is_not_imported(verdict, imports):
    files = {"server.py": PYTHON.format(imports=imports), "helpers.py": "", "helper.py": b"# caf" + LATIN}
    assert verdict(files) == (0, [], ["helper.py"])


@pytest.mark.parametrize("lost", ["src/helper.rs", "src/helper/mod.rs"])
def test_rust(verdict, lost):
    code, unreviewed, _ = verdict({"src/main.rs": RUST.format(imports="mod helper;"), lost: b"// caf" + LATIN})
    assert (code, unreviewed) == (2, [lost])


def test_rust_that_is_no_module(verdict):
    _, unreviewed, not_read = verdict({"src/main.rs": RUST.format(imports=""), "src/helper.rs": b"// caf" + LATIN})
    assert (unreviewed, not_read) == ([], ["src/helper.rs"])
