"""Maturity as bars with their figures beside them: tools, worst first, and what each rule costs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element

from reviewer.maturity import LEVELS
from reviewer.render.html.findings import References
from reviewer.render.html.markup import Part, format_count, tag
from reviewer.render.score import sort_worst_first
from reviewer.render.text import render_maturity
from reviewer.report.model import Cost, Report, ToolScore
from reviewer.rules import Rule, Severity

SHOWN = 25
"""Tools that are shown at once; the others unfold."""

COSTS = 3
"""Costs that are shown at once of a tool."""


def render_chart(report: Report, refer: References) -> Element | None:
    """Show the score of each tool and the costs of each rule, beside what is reported of it; None if there is no tool."""
    scored = report.maturity
    if not scored.tools:
        return None
    return tag(
        "section",
        tag("h2", "Maturity of the tool definitions", id="tmaturity"),
        tag("p", render_maturity(scored).removeprefix("maturity: ") + ".", class_="standing"),
        tag("p", _describe_levels(), class_="standing"),
        list(_render_tools(sort_worst_first(scored), refer)),
        _render_rules(scored.tools, report),
        id="maturity",
        aria_labelledby="tmaturity",
        class_="section",
    )


def _describe_levels() -> str:
    levels = ", ".join(f"{name} from {least}" for least, name in LEVELS)
    return (
        f"Levels: {levels}. A bar is the score, then what errors, warnings and suggestions take from 100. The score has the"
        " severities of the definition rules themselves, whatever the profile, and counts what is suppressed; the second"
        " table shows next to each rule what this report lists."
    )


def _render_tools(tools: list[ToolScore], refer: References) -> Iterator[Part]:
    yield _render_scores("Score of each tool, worst first", tools[:SHOWN], refer)
    rest = tools[SHOWN:]
    if rest:
        caption = format_count(len(rest), "more tool")
        yield tag("details", tag("summary", caption), _render_scores(caption, rest, refer))


def _render_scores(caption: str, tools: list[ToolScore], refer: References) -> Element:
    return _render_table(
        caption, ("Tool", "Score", "", "What costs most"), (_render_tool(each, refer) for each in tools)
    )


def _render_table(caption: str, heads: tuple[str, ...], rows: Iterable[Element]) -> Element:
    cells = [tag("th", head, scope="col") if head else tag("td") for head in heads]
    return tag("table", tag("caption", caption), tag("thead", tag("tr", cells)), tag("tbody", list(rows)))


def _render_tool(tool: ToolScore, refer: References) -> Element:
    name = tag("code", tool.name) if tool.name else "(unreadable name)"
    place = refer.place(tool.span)
    lost = [(each, sum(cost.points for cost in tool.costs if cost.severity is each)) for each in Severity]
    return tag(
        "tr",
        tag("th", name, " ", place, scope="row"),
        tag("td", "–" if tool.score is None else str(tool.score), class_="figure"),
        tag("td", None if tool.score is None else _render_bar(tool.score, lost), class_="bar"),
        tag("td", list(_render_costs(tool)), class_="costs"),
    )


def _render_costs(tool: ToolScore) -> Iterator[Part]:
    if tool.withheld is not None:
        yield f"withheld, {tool.withheld}"
        return
    yield [_render_cost(each) for each in tool.costs[:COSTS]]
    rest = tool.costs[COSTS:]
    if rest:
        said = f"−{_sum_points(rest):,} by {len(rest)} more"
        yield tag("details", tag("summary", said), [_render_cost(each) for each in rest])


def _render_cost(cost: Cost) -> Element:
    times = f" ×{cost.count}" if cost.count > 1 else ""
    return tag("span", f"−{cost.points} ", tag("code", cost.rule.slug), times)


def _render_bar(score: int, lost: list[tuple[Severity, int]]) -> Element:
    """Draw a score out of 100, and in what is missing the shares of the severities. The figure beside it says the same."""
    parts = [_render_stretch(0, score, "score")]
    total = sum(points for _, points in lost)
    at = float(score)
    for severity, points in lost:
        width = (100 - score) * points / total if total else 0
        if width:
            parts.append(_render_stretch(at, width, severity.value))
            at += width
    return tag("svg", parts, viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true", focusable="false")


def _render_stretch(at: float, width: float, kind: str) -> Element:
    return tag("rect", x=f"{at:.4g}", y=0, width=f"{width:.4g}", height=10, class_=kind)


def _render_rules(tools: tuple[ToolScore, ...], report: Report) -> Element | None:
    """List what each rule costs over all tools, dearest first, and what the report says by the same rule."""
    costs: defaultdict[str, list[Cost]] = defaultdict(list)
    for cost in (cost for tool in tools if tool.withheld is None for cost in tool.costs):
        costs[cost.rule.slug].append(cost)
    if not costs:
        return None
    ranked = sorted(costs.values(), key=lambda each: (-_sum_points(each), each[0].rule.slug))
    most = _sum_points(ranked[0])
    heads = ("Rule", "Points", "", "Scored as", "In this report")
    rows = (_render_rule(each, most, _render_reported(each[0].rule, report)) for each in ranked)
    return _render_table("What each rule costs, over all tools", heads, rows)


def _render_reported(rule: Rule, report: Report) -> Part:
    """Say how many findings of a rule the report has, by severity, with the way to their section."""
    found = Counter(each.severity for each in report.findings if each.rule.slug == rule.slug)
    if not found:
        return "no finding"
    said = ", ".join(format_count(found[each], each.value) for each in Severity if found[each])
    return tag("a", said, href=f"#s{rule.section.number}")


def _render_rule(costs: list[Cost], most: int, reported: Part) -> Element:
    cost, points = costs[0], _sum_points(costs)
    bar = _render_stretch(0, 100 * points / most, cost.severity.value)
    times = format_count(sum(each.count for each in costs), "time")
    return tag(
        "tr",
        tag(
            "th",
            tag("code", cost.rule.slug),
            [(" ", tag("span", code, class_="whole")) for code in cost.rule.codes],
            scope="row",
        ),
        tag("td", f"−{points:,}", class_="figure"),
        tag(
            "td",
            tag("svg", bar, viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true", focusable="false"),
            class_="bar",
        ),
        tag("td", f"{cost.severity.value}, {times} in {format_count(len(costs), 'tool')}"),
        tag("td", reported),
    )


def _sum_points(costs: Sequence[Cost]) -> int:
    return sum(each.points for each in costs)
