"""The work grows as the number of findings does: none is held against each of the others, or against each suppression."""

import json

import pytest
from effort import calls

from reviewer import Flags, Report, review

pytestmark = pytest.mark.slow

PRINTS = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("greetings")


{ignores}@mcp.tool()
def greet(name: str) -> str:
    """Greet somebody by name."""
{prints}    return name


mcp.run()
'''


def words(folder, count: int) -> str:
    """Write a list of so many entries that are no tools, one a line; return the name of its file."""
    (folder / "tools.json").write_text(json.dumps({"tools": ["word"] * count}, indent=0))
    return "tools.json"


def anchors(folder, count: int) -> str:
    """Write the same as YAML, each entry with a name of its own."""
    (folder / "tools.yaml").write_text("".join(f"- &a{n} word\n" for n in range(count)))
    return "tools.yaml"


def prints(folder, count: int, ignores: int) -> str:
    """Write a tool that prints so often, under so many suppressions of that."""
    above = "# mcp-review: ignore[prints-to-stdout] a log reads it\n" * ignores
    (folder / "server.py").write_text(PRINTS.format(ignores=above, prints="    print(name)\n" * count))
    return "server.py"


def findings(report: Report) -> int:
    """Return how many there are; those of one cause are joined and counted each."""
    return sum(len(each.parts) or 1 for section in report.sections for each in section.findings)


@pytest.mark.parametrize("written", [words, anchors])
def test_work_grows_as_findings_do(tmp_path, written):
    def work(count: int) -> int:
        path, flags = tmp_path / written(tmp_path, count), Flags(isolated=True, select=["definition-malformed"])
        return calls(lambda: found.append(findings(review(path, flags))))

    found: list[int] = []
    work(10)  # what is loaded and compiled once does not count
    few, many = work(200), work(800)
    assert found == [10, 200, 800]
    assert many < 5 * few


def test_suppressions_are_not_held_against_each_finding(tmp_path):
    def work(ignores: int) -> int:
        path, flags = tmp_path / prints(tmp_path, 300, ignores), Flags(isolated=True, select=["prints-to-stdout"])
        return calls(lambda: found.append(findings(review(path, flags))))

    found: list[int] = []
    work(1)
    one, many = work(1), work(50)
    assert found == [300, 300, 300]
    assert many < 2 * one
