"""What was not followed is in the report, in every format, with its reason, and leaves verdict and exit code as they are."""

import json

import pytest
from asking import asker

from reviewer.failures import MOST_KEPT

PATTERN = "^(?=.*[A-Z]).+$"
REASON = "was not checked against its schema: the pattern `^(?=.*[A-Z]).+$` is one with lookaround"
FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit", "rdjson", "markdown", "html")


@pytest.fixture
def ask(capsys):
    return asker(capsys)


def definitions(folder, **properties) -> str:
    """Write a file of one tool with these parameters, and return its path."""
    schema = {"type": "object", "properties": properties}
    tool = {"name": "count_words", "description": "Counts words.", "inputSchema": schema}
    (folder / "tools.json").write_text(json.dumps({"tools": [tool]}))
    return str(folder / "tools.json")


def not_read(ask, path):
    """Return the exit code, the reasons and the findings of the rule over examples."""
    code, out, _ = ask(path, "--format", "json")
    report = json.loads(out)
    found = [each for section in report["sections"] for each in section["findings"]]
    return code, report.get("not_read", []), [each for each in found if each["rule"] == "example-not-valid"]


@pytest.mark.parametrize("name", FORMATS)
def test_a_value_that_cannot_be_checked_is_named(name, tmp_path, ask):
    path = definitions(tmp_path, word={"type": "string", "pattern": PATTERN, "default": "a"})
    _, out, told = ask(path, "--format", name)
    assert "was not checked against its schema" in out
    assert REASON in told


def test_it_is_no_finding_and_no_failure(tmp_path, ask):
    path = definitions(tmp_path, word={"type": "string", "pattern": PATTERN, "default": "a"})
    code, notes, found = not_read(ask, path)
    assert (code, found) == (0, [])
    (note,) = notes
    assert (note["path"], note["line"]) == ("tools.json", 1)
    assert note["reason"].startswith("the default of `word` of tool `count_words` was not checked")


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"pattern": "(?:(?:a{1,50}){1,50}){1,50}", "default": "a" * 200}, "would take too long"),
        ({"pattern": "a", "default": "b" * 20_001}, "more than 20,000 characters"),
    ],
)
def test_each_bound_has_its_reason(schema, why, tmp_path, ask):
    code, notes, found = not_read(ask, definitions(tmp_path, word={"type": "string", **schema}))
    assert (code, found) == (0, [])
    assert [why in each["reason"] for each in notes] == [True]


@pytest.mark.parametrize("schema", [{"pattern": PATTERN}, {"pattern": "^a$", "default": "a"}])
def test_nothing_is_said_where_there_is_nothing_to_check_or_all_was_checked(schema, tmp_path, ask):
    assert not_read(ask, definitions(tmp_path, word={"type": "string", **schema}))[1:] == ([], [])


def test_very_many_are_counted(tmp_path, ask):
    schema = {"type": "string", "pattern": PATTERN, "default": "a"}
    _, notes, _ = not_read(ask, definitions(tmp_path, **{f"word{n}": schema for n in range(MOST_KEPT + 20)}))
    assert len(notes) == MOST_KEPT + 1
    assert notes[-1]["reason"] == "20 more values were not checked"


def test_code_that_does_not_parse_is_in_the_report_too(tmp_path, ask):
    (tmp_path / "server.py").write_text(
        "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n\n@mcp.tool()\ndef add(a: int) -> int:\n"
        '    """Adds one to a number, and returns the sum."""\n    return a + 1\n\ndef broken(:\n'
    )
    assert [each["reason"][:29] for each in not_read(ask, tmp_path)[1]] == ["code that could not be parsed"]


LOADED = """\
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")


@mcp.tool(description=texts()["list"])
def list_kilns() -> list[str]:
    return KILNS
"""


@pytest.mark.parametrize("name", FORMATS)
def test_a_description_that_cannot_be_read_is_named(name, tmp_path, ask):
    (tmp_path / "server.py").write_text(LOADED)
    code, out, _ = ask(tmp_path, "--format", name)
    assert "the description of `list_kilns` cannot be read" in out
    assert code == 0
