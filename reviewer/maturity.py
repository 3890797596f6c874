"""How mature tool definitions are: 100 less what the 46 rules find, for each tool, and the mean of a server's tools.

Always with the severities of the rules' own page, whatever profile a review runs under, and without looking at suppressions.
Levels and weights: tool definition rules, maturity score.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewer.caching import cache
from reviewer.config import Flags, build_configuration, settle
from reviewer.engine import ActiveRule, Checked
from reviewer.facts import Project, Server, Tool
from reviewer.progress import Progress, Stage, ignore_progress, iter_with_progress
from reviewer.report.model import Cost, Finding, Maturity, ToolScore
from reviewer.rules import Rule, Severity
from reviewer.source import Text

if TYPE_CHECKING:
    from reviewer.judge.grades import Grades

PROFILE = "validator-46"
WEIGHTS = {Severity.ERROR: 5, Severity.WARNING: 2, Severity.SUGGESTION: 1}

LEVELS = ((91, "exemplary"), (71, "mature"), (41, "moderate"), (0, "immature"))
"""The levels of the original validator, from which score on: `Maturity Scoring` in the page of its rules."""


def score_project(project: Project, checked: Checked | None = None, progress: Progress = ignore_progress) -> Maturity:
    """Score every tool of a project; the score of the whole is withheld if a part of the catalog cannot be read."""
    chosen, checked = _choose_rules(), checked or Checked()
    costs = _count_costs(project, chosen, checked, progress)
    scores = tuple(_score(tool, costs[id(tool)]) for server in project.servers for tool in server.tools)
    return _build_maturity(scores, _find_withheld_reason(project, scores) or _find_unchecked_rule(chosen, checked))


def score_together(parts: Sequence[Maturity]) -> Maturity:
    """Score the tools of several projects together; withheld if that of one is which has tools."""
    withheld = [each.withheld for each in parts if each.tools] or [each.withheld for each in parts]
    whole = _build_maturity(tuple(tool for each in parts for tool in each.tools), next(filter(None, withheld), None))
    return replace(whole, judged=sum(each.judged for each in parts))


def count_judged(scored: Maturity, findings: Iterable[Finding], grades: Sequence[tuple[Tool, "Grades"]]) -> Maturity:
    """Return a score that counts what a judge found of the tools too, with the grades that it gave them.

    The page of the rules knows no judge, so its findings weigh as in the report.
    """
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(scored.tools):
        by_name[each.name].append(place)
    counts: defaultdict[int, Counter[tuple[Rule, Severity]]] = defaultdict(Counter)
    for finding in (each for each in findings if each.decided is not None and by_name[str(each.tool)]):
        places = by_name[str(finding.tool)]
        here = [place for place in places if scored.tools[place].span.path == finding.span.path]
        counts[(here or places)[0]][finding.rule, finding.severity] += 1
    graded = {tool.span: given for tool, given in grades}
    tools = tuple(_score_judged(each, counts[place], graded.get(each.span)) for place, each in enumerate(scored.tools))
    return replace(_build_maturity(tools, scored.withheld), judged=sum(each.total() for each in counts.values()))


def _score_judged(tool: ToolScore, found: Counter[tuple[Rule, Severity]], grades: "Grades | None") -> ToolScore:
    costs = [Cost(rule, severity, count, WEIGHTS[severity] * count) for (rule, severity), count in found.items()]
    lost = tuple(sorted((*tool.costs, *costs), key=lambda cost: (-cost.points, cost.rule.slug)))
    score = max(0, 100 - sum(cost.points for cost in lost)) if tool.score is not None else None
    return replace(tool, score=score, costs=lost, grades=grades)


def move_places(part: Maturity, base: str) -> Maturity:
    """Return a score whose places start from another folder, from which `base` leads here."""
    tools = (replace(each, span=each.span._replace(path=base + each.span.path)) for each in part.tools)
    return replace(part, tools=tuple(tools))


def _build_maturity(scores: tuple[ToolScore, ...], withheld: str | None) -> Maturity:
    if withheld is not None:
        return Maturity(None, None, withheld, scores)
    total = _round_mean(sum(each.score or 0 for each in scores), len(scores))
    return Maturity(total, next(name for least, name in LEVELS if total >= least), None, scores)


@cache
def _choose_rules() -> tuple[ActiveRule, ...]:
    """Return the rules that count, which no configuration alters."""
    settled = settle(build_configuration(), Flags(profile=PROFILE), PROFILE)
    return tuple(each for each in settled.chosen if each.rule.codes)


def _find_withheld_reason(project: Project, scores: tuple[ToolScore, ...]) -> str | None:
    """Say why there is no score for the whole; None if there is one."""
    hidden = [opaque for server in project.servers for opaque in server.unreadable]
    partly = [each for each in scores if each.withheld is not None]
    if hidden:
        return f"not every tool can be read ({hidden[0].reason})"
    if partly:
        others = f" (and parts of {len(partly) - 1} more)" if len(partly) > 1 else ""
        return f"a part of `{partly[0].name}` cannot be read: {partly[0].withheld}{others}"
    return None if scores else "no tool definitions"


def _find_unchecked_rule(chosen: tuple[ActiveRule, ...], checked: Checked) -> str | None:
    """Say which rule could not check everything; None if all could."""
    failed = next((each.rule.slug for each in chosen if each.rule.slug in checked.failed), None)
    return f"`{failed}` could not check everything" if failed is not None else None


def _count_costs(
    project: Project, chosen: tuple[ActiveRule, ...], checked: Checked, progress: Progress
) -> dict[int, Counter[ActiveRule]]:
    """Count how often each rule finds something of each tool, by the tool's identity: two may be equal."""
    costs: defaultdict[int, Counter[ActiveRule]] = defaultdict(Counter)
    owners = {id(part): tool for server in project.servers for tool in server.tools for part in (tool, tool.name)}
    for each in iter_with_progress(chosen, Stage.SCORING, progress):
        for fact in _iter_facts(project, each):
            for flaw in checked.find_flaws(each, fact) or ():
                about = flaw.tool or (fact if isinstance(fact, Tool) else owners.get(id(flaw.at)))
                if about is not None:
                    costs[id(about)][each] += 1
    return costs


def _iter_facts(project: Project, chosen: ActiveRule) -> Iterator[Project | Server | Tool]:
    """Yield the facts that a rule over definitions checks."""
    subjects = chosen.rule.subjects
    if Project in subjects:
        yield project
    for server in project.servers:
        if Server in subjects:
            yield server
        if Tool in subjects:
            yield from server.tools


def _score(tool: Tool, found: Counter[ActiveRule]) -> ToolScore:
    costs = (
        Cost(each.rule, each.severity, count, WEIGHTS[each.severity] * count * len(each.rule.codes))
        for each, count in found.items()
    )
    lost = tuple(sorted(costs, key=lambda cost: (-cost.points, cost.rule.slug)))
    hidden = next((part for part in tool.iter_unreadable(certain=True)), None)
    score = max(0, 100 - sum(cost.points for cost in lost)) if hidden is None else None
    return ToolScore(str(tool.name) if isinstance(tool.name, Text) else "", tool.span, score, hidden, lost)


def _round_mean(points: int, count: int) -> int:
    """Round the mean as the page does, halves up."""
    return (2 * points + count) // (2 * count)
