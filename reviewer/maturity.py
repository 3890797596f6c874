"""How mature tool definitions are: 100 less what the 46 rules find, for each tool, and the mean of a server's tools.

Always with the severities of the rules' own page, whatever profile a review runs under, and without looking at suppressions.
Levels and weights: tool definition rules, maturity score.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

from reviewer.config import Flags, configured, settle
from reviewer.engine import Chosen
from reviewer.facts import Project, Server, Tool
from reviewer.report import Cost, Maturity, ToolScore
from reviewer.rules import Flaw, Rule, Severity
from reviewer.source import Text

PROFILE = "validator-46"
WEIGHTS = {Severity.ERROR: 5, Severity.WARNING: 2, Severity.SUGGESTION: 1}
LEVELS = ((91, "exemplary"), (71, "mature"), (41, "moderate"), (0, "immature"))


def maturity(project: Project) -> Maturity:
    """Score every tool of a project; the score of the whole is withheld if a part of the catalog cannot be read."""
    chosen = _chosen()
    scores = tuple(each for server in project.servers for each in _scores(server, chosen))
    withheld = _withheld(project, scores)
    if withheld is not None:
        return Maturity(None, None, withheld, scores)
    total = _rounded(sum(each.score or 0 for each in scores), len(scores))
    return Maturity(total, next(name for least, name in LEVELS if total >= least), None, scores)


def _chosen() -> list[Chosen]:
    return [each for each in settle(configured(), Flags(profile=PROFILE), PROFILE).chosen if each.rule.codes]


def _withheld(project: Project, scores: tuple[ToolScore, ...]) -> str | None:
    """Say why there is no score for the whole; None if there is one."""
    hidden = [opaque for server in project.servers for opaque in server.unreadable]
    partly = [each for each in scores if each.withheld is not None]
    if hidden:
        return f"tools that cannot be read: {hidden[0].reason}"
    if partly:
        others = f" (and parts of {len(partly) - 1} more)" if len(partly) > 1 else ""
        return f"a part of `{partly[0].name}` cannot be read: {partly[0].withheld}{others}"
    return None if scores else "no tool definitions"


def _scores(server: Server, chosen: list[Chosen]) -> Iterator[ToolScore]:
    """Score each tool of a server."""
    costs: defaultdict[int, Counter[Rule]] = defaultdict(Counter)
    severities = {each.rule: each.severity for each in chosen}
    for each in chosen:
        for index, _ in _flaws(server, each):
            costs[index][each.rule] += 1
    for index, tool in enumerate(server.tools):
        parts = (
            Cost(rule, severities[rule], count, WEIGHTS[severities[rule]] * count * len(rule.codes))
            for rule, count in costs[index].items()
        )
        lost = tuple(sorted(parts, key=lambda cost: (-cost.points, cost.rule.slug)))
        hidden = next((part for part in tool.unreadable(certain=True)), None)
        score = max(0, 100 - sum(cost.points for cost in lost)) if hidden is None else None
        yield ToolScore(str(tool.name) if isinstance(tool.name, Text) else "", tool.span, score, hidden, lost)


def _flaws(server: Server, chosen: Chosen) -> Iterator[tuple[int, Flaw]]:
    """Give each flaw of a rule with the index of the tool that it speaks of."""
    if Tool in chosen.rule.subjects:
        for index, tool in enumerate(server.tools):
            if chosen.examines(tool):
                yield from ((index, flaw) for flaw in chosen.check(tool))
    if Server in chosen.rule.subjects and chosen.examines(server):
        for flaw in chosen.check(server):
            owner = next((index for index, tool in enumerate(server.tools) if _owns(tool, flaw)), None)
            if owner is not None:
                yield owner, flaw


def _owns(tool: Tool, flaw: Flaw) -> bool:
    return flaw.tool is tool if flaw.tool is not None else tool.name is flaw.at or tool.span.holds(flaw.span)


def _rounded(points: int, count: int) -> int:
    """Round the mean as the page does, halves up."""
    return (2 * points + count) // (2 * count)
