"""The maturity score as a table: a line for each tool, worst first, with what costs it most."""

from collections.abc import Iterator

from reviewer.render.as_json import as_json
from reviewer.render.plain import escape_hidden
from reviewer.render.text import render_maturity
from reviewer.report.model import Cost, Maturity, ToolScore

SHOWN = 3
"""How many costs stand in a line."""


def render_text(scored: Maturity) -> str:
    """Render the table, and the score of all tools in the last line."""
    width = max((len(escape_hidden(each.name)) for each in scored.tools), default=0)
    lines = [_render_line(each, width) for each in sort_worst_first(scored)]
    return "\n".join([*lines, render_maturity(scored)]) + "\n"


def sort_worst_first(scored: Maturity) -> list[ToolScore]:
    """Return the tools by their scores, those whose score is withheld last."""
    return sorted(scored.tools, key=lambda each: (each.score is None, each.score or 0, each.name, each.span))


def _render_line(tool: ToolScore, width: int) -> str:
    score = "  -" if tool.score is None else f"{tool.score:3}"
    return f"{score}  {escape_hidden(tool.name):{width}}  {'; '.join(_iter_cost_notes(tool))}".rstrip()


def _iter_cost_notes(tool: ToolScore) -> Iterator[str]:
    if tool.withheld is not None:
        yield f"withheld, {escape_hidden(tool.withheld)}"
        return
    for cost in tool.costs[:SHOWN]:
        times = f" {cost.count} times" if cost.count > 1 else ""
        yield f"-{cost.points} {cost.rule.slug}{times}"
    if len(tool.costs) > SHOWN:
        yield f"-{sum(cost.points for cost in tool.costs[SHOWN:])} by {len(tool.costs) - SHOWN} more"


def render_json(scored: Maturity) -> str:
    """Render all scores with all that costs, version 1."""
    document = {
        "version": 1,
        "score": scored.score,
        "level": scored.level,
        "withheld": scored.withheld,
        "tools": [
            {
                "name": each.name,
                "path": each.span.path,
                "line": each.span.line,
                "score": each.score,
                "withheld": each.withheld,
                "costs": [_build_cost(cost) for cost in each.costs],
            }
            for each in sort_worst_first(scored)
        ],
    }
    return as_json(document)


def _build_cost(cost: Cost) -> dict[str, object]:
    return {
        "rule": cost.rule.slug,
        "codes": list(cost.rule.codes),
        "severity": cost.severity.value,
        "count": cost.count,
        "points": cost.points,
    }


RENDERERS = {"text": render_text, "json": render_json}
