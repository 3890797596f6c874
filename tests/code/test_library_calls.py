"""Calls of library functions with fewer or more arguments than their rows name end no analysis."""

import pytest

import reviewer
from reviewer.code.models import load_models

NAMES = ("name", "limit", "items", "cursor", "name")
TOOL = '''
@mcp.tool()
def read_{number}(name: str, limit: int = 10, cursor: str = "", items: list[str] = []) -> dict:
    """Read notes, at most 50."""
    found = {call}
    return {{"items": [each for each in found], "first": found}}
'''


def _calls():
    """Yield a call of each Python function whose row names an operand, with none to one more than all that it names."""
    for path, row in load_models("python").rows.items():
        most = max(row.of, row.on)
        if most and path.replace(".", "").replace("_", "").isalnum():
            for count in range(most + 2):
                owner = "items" if path.startswith(".") else ""
                yield f"{owner}{path}({', '.join(NAMES[:count])})"


@pytest.mark.slow
def test_arguments_that_are_left_out_end_no_analysis(tmp_path):
    calls = list(_calls())
    assert len(calls) > 100
    modules = sorted({each.partition(".")[0] for each in calls if not each.startswith("items.")})
    head = [f"import {each}" for each in modules if each.isidentifier()]
    tools = [TOOL.format(number=number, call=call) for number, call in enumerate(calls)]
    server = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('calls')\n"
    (tmp_path / "server.py").write_text("\n".join([*head, server, *tools]))
    report = reviewer.review(tmp_path)
    assert report.unreviewed == ()
