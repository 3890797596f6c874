"""Several paths in one command, and a file that comes from standard input."""

import io
import json
import sys

import pytest
from asking import asker
from jsonschema import Draft202012Validator
from test_cli import SERVER

from reviewer.files import storage
from reviewer.handbook.json_schemas import build_report_schema
from reviewer.render import RENDERERS

UNDESCRIBED = SERVER.replace('    """Read the path."""', "    ...")
TWICE = UNDESCRIBED + "\n\n@mcp.tool(name='read')\ndef again(path: str) -> str: ...\n"
TOOLS = '{"tools": [{"name": "read", "inputSchema": {"type": "object", "properties": {}, "required": ["x"]}}]}'


@pytest.fixture
def ask(capsys):
    return asker(capsys)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Two servers and a file of tools, from the folder that holds them."""
    (tmp_path / ".git").mkdir()
    for name, text in (("one", UNDESCRIBED), ("two/inner", TWICE)):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "server.py").write_text(text)
    (tmp_path / "tools.json").write_text(TOOLS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(report):
    return [each for section in json.loads(report)["sections"] for each in section["findings"]]


class TestSeveralPaths:
    @pytest.mark.slow
    def test_one_report_says_what_those_of_each_path_say(self, here, ask):
        code, out, told = ask("one", "two", "tools.json", "--format", "json")
        assert (code, told) == (1, "")
        found = findings(out)
        assert {each["path"] for each in found} == {"one/server.py", "two/inner/server.py", "tools.json"}
        alone = [each for path in ("one", "two", "tools.json") for each in findings(ask(path, "--format", "json")[1])]
        assert sorted((each["rule"], each["line"], each["tool"]) for each in found) == sorted(
            (each["rule"], each["line"], each["tool"]) for each in alone
        )
        summary = json.loads(out)["summary"]
        assert (summary["tools"], summary["errors"], summary["verdict"]) == (4, 2, "FAIL")
        Draft202012Validator(build_report_schema()).validate(json.loads(out))

    def test_places_start_from_the_current_folder_in_text_and_messages(self, here, ask):
        told = ask("one", "two")[1]
        assert "two/inner/server.py:9:16 error duplicate-tool-name" in told
        assert "is registered twice; first at two/inner/server.py:4" in told

    def test_places_start_from_the_common_folder_where_one_lies_elsewhere(self, here, ask, monkeypatch):
        monkeypatch.chdir(here / "one")
        found = findings(ask(".", "../two", "--format", "json")[1])
        assert {each["path"] for each in found} == {"one/server.py", "two/inner/server.py"}

    def test_equal_findings_are_told_apart(self, here, ask):
        (here / "two/inner/server.py").write_text(UNDESCRIBED)
        prints = [each["fingerprint"] for each in findings(ask("one", "two", "--format", "json")[1])]
        assert len(set(prints)) == len(prints) > 1

    def test_a_file_is_read_once(self, here, ask, monkeypatch):
        read, names = storage.Disk.read, []
        monkeypatch.setattr(
            storage.Disk, "read", lambda self, name, most: (names.append(name), read(self, name, most))[1]
        )
        once = ask(".", "two", "two/inner/server.py", ".", "--format", "json")
        assert once == ask(".", "--format", "json")
        assert names == ["one/server.py", "two/inner/server.py"] * 2

    def test_a_path_that_another_leaves_out_is_reviewed(self, here, ask):
        (here / "tests").mkdir()
        (here / "tests" / "fake.py").write_text(UNDESCRIBED.replace("read", "fake"))
        assert json.loads(ask(".", "tests", "--format", "json")[1])["summary"]["tools"] == 4

    @pytest.mark.slow
    def test_the_exit_code_is_the_worst(self, here, ask):
        (here / "empty").mkdir()
        assert ask("one", "one")[0] == 0
        assert ask("one", "two")[0] == 1
        code, out, told = ask("one", "empty", "two")
        assert code == 2
        assert "two/inner/server.py" in out
        assert told.startswith("mcp-review: empty: no MCP server found")
        assert told.count("\n") == 1
        assert ask("one", "empty")[1].endswith("Verdict: INCOMPLETE\n")

    def test_nothing_is_reviewed_if_a_path_does_not_exist(self, here, ask):
        code, out, told = ask("one", "three", "two")
        assert (code, out) == (2, "")
        assert told.startswith("mcp-review: three: no such file or directory")

    @pytest.mark.slow
    def test_each_path_has_its_own_configuration(self, here, ask):
        (here / "one" / "mcp-review.toml").write_text('fail-on = "suggestion"\nignore = ["SCH"]\n')
        (here / "two" / "mcp-review.toml").write_text('profile = "validator-46"\nignore = ["duplicate-tool-name"]\n')
        code, out, _ = ask("one", "two", "--format", "json")
        report = json.loads(out)
        assert report["profile"] == "core, validator-46"
        rules = {(each["path"][:3], each["rule"]) for each in findings(out)}
        assert ("one", "tool-without-description") not in rules
        assert ("two", "tool-without-description") in rules
        assert code == 1
        (here / "one" / "mcp-review.toml").write_text('ignore = ["SCH"]\n')
        (here / "two" / "mcp-review.toml").write_text('select = ["tool-without-description"]\n')
        assert ask("one", "two")[0] == 0  # a warning fails neither
        assert ask("one", "two", "--fail-on", "warning")[0] == 1

    @pytest.mark.slow
    def test_a_baseline_holds_for_all(self, here, ask):
        assert ask("one", "two", "--baseline", "all.json", "--write-baseline", "--fail-on", "suggestion")[0] == 0
        assert ask("one", "two", "--baseline", "all.json", "--fail-on", "suggestion")[0] == 0
        assert {each["path"] for each in json.loads((here / "all.json").read_text())["findings"]} == {
            "one/server.py", "two/inner/server.py",
        }  # fmt: skip

    @pytest.mark.slow
    def test_a_baseline_of_a_configuration_holds_for_its_path(self, here, ask, monkeypatch):
        (here / "two" / "mcp-review.toml").write_text('baseline = "accepted.json"\n')
        assert ask("two", "--write-baseline")[0] == 0
        assert ask("two", "one")[0] == 0

    @pytest.mark.parametrize(
        "options",
        [["--diff", "HEAD"], ["--live", "true"], ["--fix"], ["--judge", "claude-cli"]],
        ids=lambda each: each[0],
    )
    def test_what_goes_with_one_path_is_refused_in_a_line(self, here, ask, options):
        assert ask("one", "two", *options) == (
            2,
            "",
            f"mcp-review: {options[0]}: requires a single path, not 2 paths\n",
        )

    @pytest.mark.parametrize("name", sorted(RENDERERS))
    def test_every_format_shows_all(self, here, ask, name):
        (here / "one/server.py").write_text(TWICE)
        code, out, _ = ask("one", "two", "--format", name)
        assert code == 1
        assert "one/server.py" in out
        assert "two/inner/server.py" in out


class TestStandardInput:
    @pytest.fixture
    def typed(self, monkeypatch, ask):
        def asked(text, *arguments):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
            return ask("-", *arguments)

        return asked

    @pytest.mark.parametrize(("name", "text"), [("one/server.py", TWICE), ("tools.json", TOOLS)])
    def test_is_taken_for_the_file(self, here, ask, typed, name, text):
        (here / name).write_text("nothing")
        written = typed(text.encode(), "--stdin-filename", name, "--format", "json")
        (here / name).write_text(text)
        assert written == ask(name, "--format", "json")
        assert written[0] == 1

    @pytest.mark.slow
    def test_the_file_need_not_be_there_and_its_configuration_holds(self, here, typed):
        (here / "mcp-review.toml").write_text('profile = "validator-46"\n')
        _, out, _ = typed(SERVER.encode(), "--stdin-filename", "new/server.py")
        assert out.startswith("profile: validator-46")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ([], "-: give a file name to assume for standard input: --stdin-filename server.py"),
            (["one", "--stdin-filename", "x.py"], "-: standard input is reviewed alone; remove the other paths"),
            (
                ["--stdin-filename", "x.go"],
                "x.go: not the name of a source or tool definition file; expected one that ends in .py, .rs, .ts, .mts, .cts, .tsx, .js, .mjs, .cjs, .jsx, .json, .yaml, .yml",
            ),
            (["--stdin-filename", "x.py", "--fix"], "--fix: requires a single path, not standard input"),
        ],
    )
    def test_what_it_cannot_be_is_refused(self, here, typed, arguments, told):
        assert typed(b"", *arguments) == (2, "", f"mcp-review: {told}\n")

    @pytest.mark.slow
    def test_a_name_without_standard_input(self, here, ask):
        assert ask("one", "--stdin-filename", "x.py")[2] == (
            "mcp-review: --stdin-filename: requires `-`, standard input: mcp-review - --stdin-filename NAME\n"
        )

    def test_no_server_and_no_text(self, here, typed):
        code, _, told = typed(b"", "--stdin-filename", "x.py")
        assert (code, told.partition(" (")[0]) == (2, "mcp-review: x.py: no MCP server found")
        code, _, told = typed(b"\xff mcp", "--stdin-filename", "x.py")
        assert code == 2
        assert "not UTF-8" in told


class TestTools:
    """`catalog` and `score` take what `review` takes."""

    @pytest.mark.slow
    def test_the_catalog_joins_those_of_each_path(self, here, ask):
        code, out, told = ask("catalog", "one", "two", "tools.json")
        assert (code, told) == (0, "")
        found = json.loads(out)
        assert [(each["name"], each["path"]) for each in found["tools"]] == [
            ("read", "one/server.py"),
            ("read", "two/inner/server.py"),
            ("read", "two/inner/server.py"),
            ("read", "tools.json"),
        ]
        assert found["version"] == 1

    @pytest.mark.slow
    def test_its_lines_start_from_the_current_folder(self, here, ask):
        _, out, _ = ask("catalog", "one", "two", "--format", "text")
        assert [line.split(":")[0] for line in out.splitlines()] == ["one/server.py", *["two/inner/server.py"] * 2]

    def test_one_path_keeps_its_own_places(self, here, ask):
        assert json.loads(ask("catalog", "one")[1])["tools"][0]["path"] == "server.py"

    @pytest.mark.slow
    def test_the_score_is_of_all_tools_together(self, here, ask):
        tools = json.loads(ask("score", "one", "two", "--format", "json")[1])["tools"]
        alone = [
            one for path in ("one", "two") for one in json.loads(ask("score", path, "--format", "json")[1])["tools"]
        ]
        assert sorted(each["score"] for each in tools) == sorted(each["score"] for each in alone)
        assert {each["path"] for each in tools} == {"one/server.py", "two/inner/server.py"}

    @pytest.mark.parametrize("command", ["catalog", "score"])
    def test_a_path_without_a_server_leaves_a_gap(self, here, ask, command):
        (here / "empty").mkdir()
        code, out, told = ask(command, "one", "empty")
        assert code == 2
        assert "read" in out
        assert "empty: no MCP server found" in told

    @pytest.mark.parametrize("command", ["catalog", "score"])
    def test_standard_input_is_read_as_the_file_that_is_named(self, here, ask, command, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNDESCRIBED.encode())))
        code, out, told = ask(command, "-", "--stdin-filename", "server.py", "--format", "text")
        assert (code, told) == (0, "")
        assert "read" in out
