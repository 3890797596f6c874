"""Servers of very many tools: the work grows as their number does. Counted in what it takes from the budget, not in time."""

import json

import pytest
from effort import calls

from reviewer import review
from reviewer.budget import BOUNDS, REASONS, Budget, ResourceBound
from reviewer.config import Flags
from reviewer.files.discovery import discover_files
from reviewer.languages.python.evaluation.names import resolve_name
from reviewer.languages.python.evaluation.project_evaluator import ProjectEvaluator
from reviewer.languages.python.evaluation.values import Const
from reviewer.languages.python.project.modules import Modules
from reviewer.pipeline import read, run_rules
from reviewer.source import Source, Span

TOOL = '''
@mcp.tool()
def find_{n}(
    query: Annotated[str, Field(description="Words to look for in the title.", max_length=200)],
    limit: Annotated[int, Field(ge=1, le=100, description="How many records to return.")] = 20,
) -> dict[str, object]:
    """List the records of collection {n}. Returns each record with its id, title and date."""
    answer = client.get("https://example.org/items/{n}", params={{"q": query, "limit": limit}})
    answer.raise_for_status()
    records = answer.json()
    return {{"records": records[:limit], "total": len(records)}}
'''
HEAD = """from typing import Annotated
import httpx
from pydantic import Field
from mcp.server.fastmcp import FastMCP
mcp = FastMCP('records')
client = httpx.Client(timeout=10)
"""


def visits(folder, tools: int) -> float:
    """Return how many visits a review of a server with so many tools takes."""
    folder.mkdir()
    (folder / "server.py").write_text(HEAD + "".join(TOOL.format(n=n) for n in range(tools)))
    flags = Flags(isolated=True)
    reading = read(folder, flags)
    report, _ = run_rules(reading, flags)
    assert (report.tools, report.unreviewed) == (tools, ())
    return Budget.from_size(reading.tree.size).count_remaining("visits") - reading.budget.count_remaining("visits")


@pytest.mark.slow
def test_visits_grow_as_the_tools_of_a_module_do(tmp_path):
    """Of four times as many tools it is four times the work, and not sixteen."""
    few, many = visits(tmp_path / "few", 20), visits(tmp_path / "many", 80)
    assert many < 5 * few


def test_a_name_that_is_nowhere_is_not_sought_among_all(tmp_path):
    (tmp_path / "server.py").write_text("x = nowhere\n")
    tree = discover_files(tmp_path)
    run = ProjectEvaluator(Modules(tree.select_suffix(".py"), is_project=False, root=tmp_path), tree)
    module = run.modules.by_path["server.py"]
    scope = run.evaluate_module(module)
    scope.names.update({f"name{n}": Const(n, module.locate(module.root)) for n in range(1000)})
    assert calls(lambda: resolve_name(run, "nowhere", scope, module.root)) < 50


def test_a_place_is_found_without_going_through_the_lines_before_it():
    """Each tool asks where it stands, so what is gone through for one is gone through as often as there are tools."""
    source = Source("server.py", b"x = 1\n" * 10_000 + "é = 2\r\nlast".encode())
    source.stretch(0, 0)
    place = Span("server.py", 10_001, 1, 10_001, 6)
    assert calls(lambda: source.reach(place)) < 40
    assert source.reach(place) == (60_000, 60_006)
    assert source.stretch(60_000, 60_006) == place
    assert source.find_line_span(10_001) == place
    assert source.reach(Span("server.py", 10_002, 3, 10_009, 1)) == (60_010, 60_012)
    assert source.find_line_span(20_000) == Span("server.py", 20_000, 1, 20_000, 1)


def test_findings_without_end_are_cut_and_said(tmp_path, monkeypatch):
    """The report has as many findings as it may, and says that there are more; it is no PASS."""
    monkeypatch.setitem(BOUNDS, "findings", ResourceBound(50, 0, 50, 50))
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [{"name": f"a{n}"} for n in range(200)]}))
    report = review(tmp_path / "tools.json", Flags(isolated=True))
    assert 0 < len(report.findings) <= 50
    assert any(REASONS["findings"] in each.reason for each in report.unreviewed)
