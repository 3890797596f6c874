"""Of four times as much it is four times the work, and not sixteen, or it is taken from the budget."""

import re

import pytest
from effort import calls

from reviewer import Flags, Report, review
from reviewer.behaviour.answer_size import omissions
from reviewer.behaviour.values import tables
from reviewer.budget import REASONS, Budget, ExhaustedError, spending
from reviewer.rules.shared.values import validating
from reviewer.source import Source, Span

HEAD = "from mcp.server.fastmcp import FastMCP\nfrom pydantic import BaseModel\n\nmcp = FastMCP('words')\n\n\n"


@pytest.mark.parametrize(
    ("head", "reference"),
    [
        ({"$defs": {"name": {"$anchor": "name"}}}, "#name"),
        ({}, "#nowhere"),
        ({}, "other.json"),
        ({"$id": "http://[no"}, "#/$defs/name"),
        ({"$id": "http://[no"}, "#name"),
    ],
)
def test_a_reference_is_not_sought_in_the_whole_document_each_time(head, reference):
    def work(count: int) -> int:
        schema = {"$ref": reference}
        document = {"properties": {f"p{n}": dict(schema) for n in range(count)}} | head
        within = validating.DocumentSchemas(document)
        return calls(lambda: [_errors(within, schema) for _ in range(count)])

    work(10)
    assert work(400) < 5 * work(100)


def _errors(within, schema):
    try:
        return within.collect_errors(1, schema)
    except Exception:  # one that leads nowhere
        return None


def test_references_lead_where_they_say():
    document = {
        "$id": "https://example.org/a",
        "$defs": {
            "name": {"$anchor": "name", "type": "string"},
            "other": {"$id": "b", "$defs": {"size": {"$anchor": "size", "type": "integer"}}},
        },
    }
    within = validating.DocumentSchemas(document)
    for reference in ("#name", "#/$defs/name", "a#name", "https://example.org/a#/$defs/name"):
        assert within.collect_errors("x", {"$ref": reference}) == []
        assert len(within.collect_errors(1, {"$ref": reference})) == 1
    assert len(within.collect_errors("x", {"$ref": "b#size"})) == 1


def test_what_takes_too_long_is_a_schema_and_no_code():
    within = validating.DocumentSchemas({"properties": {"a": {"$ref": "#"}}})
    with spending(Budget({"visits": 5})), pytest.raises(ExhaustedError, match="checking the schema takes too long"):
        within.collect_errors({"a": {}}, {"$ref": "#"})


@pytest.mark.slow
def test_a_model_of_very_many_bases_is_too_long_to_make(tmp_path):
    names = [f"B{n}" for n in range(900)]
    bases = "".join(f"class {name}(BaseModel):\n    a{name}: int\n\n\n" for name in names)
    tool = '@mcp.tool()\ndef count(given: Given) -> int:\n    """Count the words."""\n    return 1\n'
    (tmp_path / "server.py").write_text(f"{HEAD}{bases}class Given({', '.join(names)}):\n    pass\n\n\n{tool}")
    report = review(tmp_path, Flags(isolated=True))
    assert report.tools == 1
    assert report.maturity is not None
    assert REASONS["visits"] in str(report.maturity)


def test_each_field_is_sought_in_each_base():
    from reviewer.languages.python.types.classes import spend_field_search

    with spending(Budget({"visits": 100})), pytest.raises(ExhaustedError):
        spend_field_search(bases=6, inherited=6)
    with spending(Budget({"visits": 100})):
        spend_field_search(bases=1, inherited=1000)


@pytest.mark.slow
def test_where_a_function_is_left_is_sought_once(tmp_path):
    def work(count: int) -> int:
        cases = "".join(f'        case "{n}" | ["{n}", *_]:\n            return "x"\n' for n in range(count))
        body = f'    """Count the words."""\n    match text:\n{cases}    return "1"\n\n\nmcp.run()\n'
        (tmp_path / "server.py").write_text(f"{HEAD}@mcp.tool()\ndef count(text: str) -> str:\n{body}")
        flags = Flags(isolated=True, select=["error-given-as-success"])
        return calls(lambda: reports.append(review(tmp_path, flags)))

    reports: list[Report] = []
    work(10)
    assert work(400) < 10 * work(50)


@pytest.mark.slow
def test_a_list_that_many_branches_fill_has_no_element_for_each_way_through_them(tmp_path):
    """A public server with eight such branches was not reviewed in ten minutes."""

    def work(count: int) -> int:
        filling = "".join(
            f"    if marks:\n        try:\n            rows = collect({n})\n            for mark in marks:\n"
            f"                if mark in rows:\n                    found.append({{'kind': {n}, 'sure': True}})\n"
            "        except RuntimeError as error:\n            logger.error(error)\n"
            for n in range(count)
        )
        body = f"    found = []\n{filling}    return [each for each in found if each['sure']]\n\n\nmcp.run()\n"
        (tmp_path / "server.py").write_text(f"{HEAD}@mcp.tool()\ndef find(marks: list[str]) -> list:\n{body}")
        return calls(lambda: review(tmp_path, Flags(isolated=True, select=["argument-never-read"])))

    work(2)
    assert work(16) < 4 * work(8)


def test_what_answers_give_is_collected_once_for_all_cuts(tmp_path, monkeypatch):
    """A generated dispatcher with 400 branches, each of which cuts a list, had 160,000 collections, one for each pair."""
    collected = []
    monkeypatch.setattr(
        omissions, "_collect_given_labels", lambda answer, program: collected.append(answer) or frozenset()
    )
    count = 8
    actions = "".join(
        f"async def find_{n}(given: dict) -> list[dict]:\n    found = await load({n})\n"
        f"    return [each for each in found[: min(int(given.get('limit', 20)), 100)]]\n\n\n"
        for n in range(count)
    )
    branches = "".join(f'    if action == "find_{n}":\n        return await find_{n}(given)\n' for n in range(count))
    tool = f'@mcp.tool()\nasync def notes(action: str, given: dict) -> list[dict]:\n    """Find notes."""\n{branches}'
    (tmp_path / "server.py").write_text(
        f"{HEAD}from store import load\n\n\n{actions}{tool}    return []\n\n\nmcp.run()\n"
    )
    review(tmp_path, Flags(isolated=True))
    assert 0 < len(collected) <= 4 * count


def test_no_function_is_lowered_for_a_table_of_actions_where_nothing_lists_actions(tmp_path, monkeypatch):
    """A public server with an engine of formulas had each of its 1,100 functions lowered, a twentieth of its review."""
    asked = []
    monkeypatch.setattr(tables, "calls_values", lambda code: asked.append(code) is not None)
    others = "".join(f"def action_{n}(call):\n    return ROWS[call.action](call)\n\n\n" for n in range(30))
    tool = '@mcp.tool()\ndef count(text: str) -> int:\n    """Count the words."""\n    return 1\n'
    (tmp_path / "server.py").write_text(f"{HEAD}{others}{tool}")
    review(tmp_path, Flags(isolated=True))
    assert not asked


def test_no_pattern_is_compiled_for_each_parameter(tmp_path, monkeypatch):
    """On a public server of 130 tools these took a thirtieth of the time."""
    compiled: list[object] = []
    compiling = re._compiler.compile  # type: ignore[attr-defined]

    def note(text, flags=0):
        compiled.append(text)
        return compiling(text, flags)

    names = [f"part_{n}" for n in range(40)]
    told = "".join(f"        {name}: one of red, green. At most 10\n" for name in names)
    taken = ", ".join(f"{name}: str" for name in names)
    text = f'    """Count the words.\n\n    Args:\n{told}    """\n    return 1\n'
    (tmp_path / "server.py").write_text(f"{HEAD}@mcp.tool()\ndef count({taken}) -> int:\n{text}")
    monkeypatch.setattr(re._compiler, "compile", note)  # type: ignore[attr-defined]
    review(tmp_path, Flags(isolated=True))
    assert not [each for each in compiled if "part_" in str(each)]


def test_places_are_found_without_going_through_the_lines_before():
    def work(count: int) -> int:
        source = Source("a.py", "a = 'é'\n".encode() * count)
        return calls(lambda: [source.reach(Span("a.py", line, 6, line, 7)) for line in range(1, count + 1)])

    assert work(400) < 5 * work(100)


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\nb", "é\n\nb\r\n", "\n", "é€\r\né"])
def test_a_place_is_where_its_line_is(text):
    source = Source("a.py", text.encode())
    lines = text.split("\n")
    for line in range(1, len(lines) + 2):
        for column in range(1, 5):
            before = "".join(f"{each}\n" for each in lines[: line - 1])
            own = lines[line - 1][: column - 1] if line <= len(lines) else ""
            wanted = min(len(f"{before}{own}".encode()), len(text.encode()))
            assert source.reach(Span("a.py", line, column, line, column)) == (wanted, wanted)
