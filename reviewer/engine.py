"""Facts × rules → signed findings and questions. Knows neither how facts are read nor how findings are shown."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

from reviewer.budget import get_budget
from reviewer.caching import cache
from reviewer.facts import Action, Ignore, Lazy, Project, Server, Tool
from reviewer.failures import ROOT, contained, note
from reviewer.judge import Answer, AskedQuestion, Judge, Judged, Unanswered
from reviewer.judge.quotes import locate_in_text
from reviewer.judge.rubrics import load_rubric
from reviewer.judge.slices import locate_quote
from reviewer.progress import Progress, Stage, ignore_progress, iter_with_progress
from reviewer.records import dataclass
from reviewer.report.model import Decision, Finding, Open, SectionReport, add_fingerprints, decide_status
from reviewer.rules import SECTIONS, Flaw, Question, Rule, Section, Severity, find_slugs
from reviewer.rules.shared.words.identifiers import format_sharing
from reviewer.source import Opaque, Span, Text


@dataclass(frozen=True, slots=True)
class ActiveRule:
    """A rule that is on, with the severity and options that the settings give it."""

    rule: Rule
    severity: Severity
    options: Any = None
    within: str | None = None
    """The profile that says so, where the servers of a project have several and these differ about the rule."""

    def examines(self, fact: Any) -> bool:
        """Return whether the fact gives the rule something to check."""
        return self.rule.when(fact, self.options) if self.options is not None else self.rule.when(fact)

    def check(self, fact: Any) -> Iterator[Flaw | Question | Opaque]:
        """Run the rule over one fact."""
        return self.rule.check(fact, self.options) if self.options is not None else self.rule.check(fact)


class Checked:
    """The findings of rules on facts, cached: the report and the score ask for much the same."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Any, int], tuple[Flaw | Question, ...] | None] = {}
        self.failed: set[str] = set()
        """The rules that could not check every fact."""

    def find_flaws(self, chosen: ActiveRule, fact: Any) -> tuple[Flaw, ...] | None:
        """Return the findings of a rule about a fact; None if there is nothing for it to check."""
        seen = self.check_fact(chosen, fact)
        return tuple(each for each in seen if isinstance(each, Flaw)) if seen is not None else None

    def check_fact(self, chosen: ActiveRule, fact: Any) -> tuple[Flaw | Question, ...] | None:
        """Return a rule's findings and questions about a fact, which must live as long as this; None if it checks nothing."""
        key = (chosen.rule.slug, chosen.options, id(fact))
        if key not in self._kept:
            self._kept[key] = self._run_rule(chosen, fact)
        return self._kept[key]

    def _run_rule(self, chosen: ActiveRule, fact: Any) -> tuple[Flaw | Question, ...] | None:
        """Run a rule over a fact; where it fails, what it saw before stands."""
        seen: list[Flaw | Question] = []
        with contained(f"not reviewed by `{chosen.rule.slug}`", getattr(fact, "span", ROOT)) as check:
            if not chosen.examines(fact):
                return None
            for each in chosen.check(fact):
                if isinstance(each, Opaque):
                    note(each)
                else:
                    get_budget().spend("findings")
                    seen.append(each)  # a list made at once would be lost
        if check.failed:
            self.failed.add(chosen.rule.slug)
        return tuple(seen)


@dataclass(slots=True)
class _Examined:
    """The result of one rule: how many facts it looked at, its findings, and its questions that were not answered."""

    chosen: ActiveRule
    facts: int
    findings: list[Finding]
    questions: list[Question]
    open: list[Open]
    sharing: defaultdict[Span, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By place, the tools that something was found of."""
    failed: bool = False
    """Whether there are facts that it could not check."""


FACTS = Project.__module__.rpartition(".")[0]
"""The package whose dataclasses are facts."""


def walk(fact: Any, wanted: frozenset[type] | None = None, unread: set[type] | None = None) -> Iterator[Any]:
    """Yield a fact and every fact below it; of what is read when asked for, only what holds a wanted kind of fact.

    The kinds of facts that could not be read are added to `unread`.
    """
    yield fact
    for part in fields(fact):
        value = getattr(fact, part.name)
        if isinstance(value, Lazy):
            kinds = _collect_kinds(fact.__class__, part.name)
            value = _collect_facts(value, part.name, kinds, unread) if wanted is None or wanted & kinds else ()
        for each in value if isinstance(value, tuple) else (value,):
            if hasattr(each, "__dataclass_fields__") and type(each).__module__.startswith(FACTS):
                yield from walk(each, wanted, unread)


def _collect_facts(facts: Lazy[Any], name: str, kinds: frozenset[type], unread: set[type] | None) -> tuple[Any, ...]:
    with contained(f"not reviewed: the {name.replace('_', ' ')} of the code"):
        return tuple(facts)
    if unread is not None:
        unread |= kinds
    return ()


@cache
def _collect_kinds(holder: type, name: str) -> frozenset[type]:
    """Return the kinds of facts that may lie in a field of a fact."""
    found: set[type] = set()
    waiting: list[Any] = [_resolve_hints(holder)[name]]
    while waiting:
        hint = waiting.pop()
        waiting += get_args(hint)
        if isinstance(hint, type) and is_dataclass(hint) and hint not in found:
            found.add(hint)
            waiting += _resolve_hints(hint).values()
    return frozenset(found)


@cache
def _resolve_hints(kind: type) -> dict[str, Any]:
    """Return the types of the fields of facts, which are read of their texts: some forty kinds lie within each other."""
    return get_type_hints(kind)


ReadLines = Callable[[str], list[str]]
"""Gives the lines of a reviewed file; none if it cannot be read."""

NOTHING: Mapping[Section, str] = {}

ScopeOf = Callable[[Any, Span], str]
"""Gives the profile that holds for a fact, at a place of it."""


def examine(
    project: Project,
    chosen: list[ActiveRule],
    checked: Checked | None = None,
    judge: Judge | None = None,
    lines: ReadLines = lambda _path: [],
    progress: Progress = ignore_progress,
    left_out: Mapping[Section, str] = NOTHING,
    reign: ScopeOf | None = None,
) -> tuple[SectionReport, ...]:
    """Run the chosen rules over a project and give one report for each of the seventeen sections.

    What the rules ask is answered by `judge`; without one it stays open. `left_out` has the reason of each section of which the
    caller wants no rule. `reign` tells where the rules of which profile hold; without it, all hold everywhere.
    """
    checked = checked or Checked()
    by_subject: defaultdict[type, list[_Examined]] = defaultdict(list)
    results = [_Examined(each, 0, [], [], []) for each in chosen]
    for result in results:
        for subject in result.chosen.rule.subjects:
            by_subject[subject].append(result)
    suppressions = by_subject.pop(Ignore, [])
    owners: list[Tool | Action] = []
    whole: list[Server] = []
    unread: set[type] = set()
    count = sum(len(server.tools) for server in project.servers)
    for fact in walk(project, frozenset(by_subject) | {Tool, Action}, unread):
        if isinstance(fact, Project):
            continue
        if isinstance(fact, Server):
            whole.append(fact)  # a rule over all tools reads most of each: tool by tool, before it, that is counted
            continue
        if isinstance(fact, Tool | Action):
            progress(Stage.CHECKING_TOOLS, len(owners), max(count, len(owners)))
            owners.append(fact)
        _look(by_subject[type(fact)], fact, checked, reign)
    for each in iter_with_progress(whole, Stage.CHECKING_SERVERS, progress):
        _look(by_subject[Server], each, checked, reign)
    _look(by_subject[Project], project, checked, reign)
    _judge(results, judge, lines, _map_tools_to_servers(project))
    for result in results:
        rule = result.chosen.rule
        result.failed = rule.slug in checked.failed or not unread.isdisjoint(rule.subjects)
    suppressed = Checked()
    for ignore in _suppress(project.ignores, results, reign):
        _look(suppressions, ignore, suppressed, reign)
    for result in suppressions:
        result.failed = result.chosen.rule.slug in suppressed.failed
    owned = _Owners(owners)
    return tuple(
        _build_section(
            section,
            [each for each in results if each.chosen.rule.section is section],
            owned,
            left_out.get(section, "the profile has no rules for this section"),
        )
        for section in SECTIONS
    )


def list_named_owners(project: Project) -> frozenset[tuple[str, str]]:
    """Return the file and the name of every tool and action whose name can be read."""
    owners = (each for each in walk(project, frozenset({Tool, Action})) if isinstance(each, Tool | Action))
    return frozenset((each.span.path, str(each.name)) for each in owners if isinstance(each.name, Text))


class _Owners:
    """The tools and actions with a name by file, to tell in which one a flaw stands."""

    def __init__(self, owners: list[Tool | Action]) -> None:
        self._by_path: defaultdict[str, list[Tool | Action]] = defaultdict(list)
        for owner in sorted(owners, key=lambda owner: owner.span[:3]):
            if isinstance(owner.name, Text):
                self._by_path[owner.span.path].append(owner)
        self._beyond = {path: _find_enclosing_owners(listed) for path, listed in self._by_path.items()}

    def name(self, span: Span) -> str | None:
        """Name the innermost one around a place."""
        listed = self._by_path.get(span.path, [])
        index = bisect_right(listed, span[:3], key=lambda owner: owner.span[:3]) - 1
        while index >= 0 and not listed[index].span.holds(span):
            index = self._beyond[span.path][index]
        return str(listed[index].name) if index >= 0 else None


def _find_enclosing_owners(listed: list[Tool | Action]) -> list[int]:
    """Return for each owner, in the order of their starts, the last one before it that ends after it; -1 if none does.

    None between the two holds what reaches beyond the first: a search climbs as deep as owners nest, however many there are.
    """
    found: list[int] = []
    for index, owner in enumerate(listed):
        before = index - 1
        while before >= 0 and listed[before].span[3:] <= owner.span[3:]:
            before = found[before]
        found.append(before)
    return found


def _look(results: list[_Examined], fact: Any, checked: Checked, reign: ScopeOf | None) -> None:
    where = getattr(fact, "span", None)
    here = reign(fact, where) if reign is not None and isinstance(where, Span) else None
    for result in results:
        within = result.chosen.within
        if within is not None and here is not None and here != within:
            continue
        seen = checked.check_fact(result.chosen, fact)
        if seen is not None:
            if within is not None and reign is not None:
                seen = tuple(each for each in seen if reign(each.tool or fact, each.span) == within)
            result.facts += 1
            flaws = [each for each in seen if isinstance(each, Flaw)]
            result.findings += (_sign(result.chosen, each) for each in flaws)
            if isinstance(fact, Tool):
                for each in flaws:
                    result.sharing[each.span].add(str(fact.name))
            result.questions += (each for each in seen if isinstance(each, Question))


def _sign(chosen: ActiveRule, flaw: Flaw) -> Finding:
    tool = _get_tool_name(flaw.tool) if flaw.tool is not None else None
    return Finding(
        chosen.rule,
        Severity.SUGGESTION if flaw.minor else chosen.severity,
        flaw.span,
        flaw.message,
        flaw.help,
        tool,
        fix_plan=flaw.fix_plan,
        related=flaw.related,
        cause=flaw.cause,
        key=flaw.key,
    )


def _map_tools_to_servers(project: Project) -> dict[int, int]:
    """Return the place of each tool's server, by the tool's identity."""
    return {id(tool): place for place, server in enumerate(project.servers) for tool in server.tools}


def _judge(results: list[_Examined], judge: Judge | None, lines: ReadLines, homes: Mapping[int, int]) -> None:
    """Have the questions of all rules answered at once, and sign what came of it.

    What an analysis could not tell is asked only if there is somebody to answer: without a judge nothing is said of it.
    """
    questions = ((result, each) for result in results for each in result.questions)
    asking = [(result, each) for result, each in questions if judge is not None or not each.rubric]
    asked = [AskedQuestion(result.chosen.rule, each, server=homes.get(id(each.tool), 0)) for result, each in asking]
    answers: list[Answer | None] = [None] * len(asked)
    if judge is not None and asked:
        with contained("not judged") as judging:
            answers = list(judge(asked))
        if judging.failed:
            answers = [Unanswered("the judge failed")] * len(asked)
    for (result, question), answer in zip(asking, answers, strict=True):
        if not isinstance(answer, Judged):
            why = answer.why if isinstance(answer, Unanswered) else None
            result.open.append(Open(result.chosen.rule, question.span, _get_tool_name(question.tool), why))
        elif answer.verdict == "not_met":
            result.findings.append(_build_judged_finding(result.chosen, question, answer, lines))


def _build_judged_finding(chosen: ActiveRule, question: Question, answer: Judged, lines: ReadLines) -> Finding:
    span = locate_in_text(question.at, answer.quote, lines(question.span.path))
    decision = Decision(
        answer,
        load_rubric(question.rubric or chosen.rule.slug).describe_failing(answer.failing),
        _find_evidence(question.tool, answer, lines),
    )
    severity = chosen.severity
    if question.rubric and severity is Severity.ERROR:
        severity = Severity.WARNING  # no program saw it: a maintainer has to look first
    return Finding(
        chosen.rule, severity, span, question.message, question.help, _get_tool_name(question.tool), decided=decision
    )


def _find_evidence(tool: Tool, answer: Judged, lines: ReadLines) -> Span | None:
    """Return the line of what bears a verdict out, in the code of a tool or in its definition; None if it is in neither."""
    if not answer.evidence:
        return None
    coded = locate_quote(tool.reached, answer.evidence, lines)
    defined = locate_in_text(tool.span, answer.evidence, lines(tool.span.path))
    return coded or (defined if defined != tool.span else None)


def _get_tool_name(tool: Tool) -> str | None:
    return str(tool.name) if isinstance(tool.name, Text) else None


def _suppress(ignores: tuple[Ignore, ...], results: list[_Examined], reign: ScopeOf | None) -> list[Ignore]:
    """Mark what a reasoned suppression covers; say of each suppression whether it was of use, if its rules ran to the end there.

    A rule that runs for another server of the project alone says nothing of a suppression in the code of this one.
    """
    running: defaultdict[str | None, set[str]] = defaultdict(set)
    for result in results:
        if not result.failed:
            running[result.chosen.within].add(result.chosen.rule.slug)
    found = [(result, _ByLine(result.findings)) for result in results if result.findings] if ignores else []
    marked = []
    for ignore in ignores:
        slugs = {slug for name in ignore.slugs for slug in find_slugs(name)}
        here = running[reign(ignore, ignore.span)] if reign is not None else set[str]()
        used = None if slugs and slugs.isdisjoint(running[None] | here) else False
        for result, lines in found:
            reached = lines.find_suppressed(ignore) if result.chosen.rule.slug in slugs else ()
            if not reached:
                continue
            used = True
            for index in reached if ignore.reason is not None else ():
                if result.findings[index].status != "suppressed":
                    result.findings[index] = replace(result.findings[index], status="suppressed")
        marked.append(replace(ignore, used=used))
    return marked


class _ByLine:
    """The findings of a rule in the order of their lines, to tell which of them a suppression reaches."""

    def __init__(self, findings: list[Finding]) -> None:
        self._order = sorted(range(len(findings)), key=lambda index: findings[index].span[:2])
        self._starts = [findings[index].span[:2] for index in self._order]

    def find_suppressed(self, ignore: Ignore) -> list[int]:
        """Return the places in the list of those under a suppression."""
        path, line, _, end_line, _ = ignore.covers
        return self._order[bisect_left(self._starts, (path, line)) : bisect_right(self._starts, (path, end_line))]


def _build_section(section: Section, results: list[_Examined], owners: _Owners, without_rules: str) -> SectionReport:
    # What several tools share, a parameter's type or a text, is one violation where it stands; so is what a line does twice.
    once = {(each.rule.slug, each.span): each for result in reversed(results) for each in reversed(result.findings)}
    said = {
        (each.rule.slug, each.span[:2], each.message): each
        for each in sorted(once.values(), key=_get_position, reverse=True)
    }
    found = sorted(said.values(), key=lambda each: (each.span, each.rule.slug))
    signed = add_fingerprints(replace(each, tool=each.tool or owners.name(each.span)) for each in found)
    sharing = {(result.chosen.rule.slug, span): names for result in results for span, names in result.sharing.items()}
    findings = tuple(_mention_sharing(each, len(sharing.get((each.rule.slug, each.span), ()))) for each in signed)
    waiting = tuple(each for result in results for each in result.open)
    stands = decide_status(findings, waiting)
    if stands is not None:
        return SectionReport(section, stands[0], findings, stands[1], waiting)
    failed = [f"`{result.chosen.rule.slug}`" for result in results if result.failed]
    if failed:
        return SectionReport(section, "not-judged", findings, f"{', '.join(failed)} could not check everything")
    if any(result.facts for result in results):
        return SectionReport(section, "ok", findings)
    reason = results[0].chosen.rule.absent if results else without_rules
    return SectionReport(section, "not-applicable", findings, reason)


def _mention_sharing(finding: Finding, tools: int) -> Finding:
    """Say of what several tools share how many they are; its signature does not tell."""
    return replace(finding, message=finding.message + format_sharing(tools - 1)) if tools > 1 else finding


def _get_position(finding: Finding) -> Span:
    return finding.span
