"""What a rule finds does not depend on which other rules are selected: they share what the functions of a project do."""

from pathlib import Path

import pytest

from reviewer import Flags, review
from reviewer.config import load_profile

SERVER = '''"""The shelves of a seed bank."""

from mcp.server.lowlevel import Server
from mcp.types import TextContent, Tool

from bank import Bank

MOST = 100
app, bank = Server("seeds"), Bank()
LIMIT = {"limit": {"type": "integer", "description": f"Rows wanted, at most {MOST}"}}


def cut(rows: list[str], limit: int | None, cap: int = MOST) -> list[str]:
    """Return one page."""
    size = 20 if limit is None else max(1, min(limit, cap))
    return sorted(rows)[:size]


@app.list_tools()
async def tools() -> list[Tool]:
    return [
        Tool(name="list_" + of, description=f"List the {of}.", inputSchema={"type": "object", "properties": LIMIT})
        for of in ("shelves", "seeds", "drawers", "labels")
    ]


@app.call_tool()
async def answer(name: str, arguments: dict) -> list[TextContent]:
    limit = arguments.get("limit")
    match name:
        case "list_shelves":
            rows = cut(bank.shelves(), limit)
        case "list_seeds":
            rows = cut(bank.seeds(), limit, cap=1000)
        case "list_drawers":
            rows = cut(bank.drawers(), limit=limit)
        case "list_labels":
            rows = cut(list(bank.labels()), limit)
        case _:
            raise ValueError(f"unknown tool {name}")
    return [TextContent(type="text", text="\\n".join(rows))]
'''


def write_server(folder: Path) -> Path:
    (folder / "server.py").write_text(SERVER)
    return folder


def find(folder: Path, *rules: str) -> set[tuple[str, int, str]]:
    """Return the findings of some rules, or of all of the profile, by rule, line and message."""
    report = review(folder, Flags(select=rules) if rules else Flags())
    return {(each.rule.slug, each.span.line, each.message) for section in report.sections for each in section.findings}


def test_what_a_helper_does_for_a_tool_does_not_depend_on_what_was_asked_before(tmp_path):
    found = find(write_server(tmp_path))
    assert any("capped at 1000" in message for _, _, message in found)


@pytest.mark.slow
def test_each_rule_finds_alone_what_it_finds_among_all_others(tmp_path):
    together = find(write_server(tmp_path))
    assert len({slug for slug, _, _ in together}) > 2
    assert {each for slug in load_profile("core").rules for each in find(tmp_path, slug)} == together
