"""Selections and findings → the counts that are kept → the page's tables: does what we find predict what is chosen wrongly?

The unit is the tool: its tasks are not independent of one another. A tool counts as wrong if one of its tasks is. A rule is
tested if it found something on `LEAST` tools and nothing on as many; where a judge has not answered its question, the tool is in
neither group. Two tests: all tools in one table (Fisher's exact test, one-sided: more wrong with the finding than without), and
the same within each server, for servers differ in how hard they are and in how they are written. As many tests as there are rules
find something by chance; so the smallest is also given as Holm corrects it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import comb
from statistics import median
from typing import Any, NamedTuple

from reviewer.config import Flags
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import ProjectReading, run_rules
from reviewer.render.markdown import render_code
from reviewer.render.selection import render_share
from reviewer.report.groups import list_one_by_one
from reviewer.selection.choosing import ToolChoice
from reviewer.selection.running import AS_IT_IS, REWRITTEN, WITHOUT, SelectionResults
from reviewer.selection.scores import ChoiceOutcome
from reviewer.selection.shares import Share, compute_p_value
from reviewer.text.excerpts import format_count

Json = dict[str, Any]

SECTIONS = ("9", "10", "11", "13")
"""Sections of rules about what a model sees of a tool: descriptions, schemas, names. Others cannot be the reason of a choice."""

PROFILES = ("core", "validator-46")
"""Profiles whose rules are tried: what holds for any server, and all rules over definitions."""

LEAST = 5
"""Tools with a finding, and tools without, below which a rule is not tested: no split of four is improbable enough."""

MOST_PAIRS = 15
ERROR, MORE = "an error", "more findings than the middle tool of its server"
"""Rows of the table that are no rule's. Nearly every tool has some finding, so that any of them tells nothing."""


def scored(runs: Iterable[tuple[str, ProjectReading, SelectionResults, Mapping[str, str]]]) -> Json:
    """Keep what was chosen and found, server by server."""
    return {"version": 1, "servers": [_server(*each) for each in runs]}


def _server(name: str, reading: ProjectReading, selection: SelectionResults, texts: Mapping[str, str]) -> Json:
    reports = [list_one_by_one(run_rules(reading, _flags(profile))[0]) for profile in PROFILES]
    found = [each for report in reports for section in report.sections for each in section.findings]
    open_ = [each for report in reports for each in report.unanswered]
    return {
        "server": name,
        "tools": [each.name for each in selection.tools],
        "described": [each.name for each in selection.tools if each.description],
        "rewritten": sorted(texts),
        "writers": sorted({each.by for each in selection.tasks}),
        "choosers": sorted({name for each in selection.results for name in each.models}),
        "tasks": [{"id": each.id, "tool": each.tool, "task": each.text} for each in selection.tasks],
        "choices": {each.variant: [_choice(one) for one in each.outcomes] for each in selection.results},
        "findings": sorted({(each.rule.slug, str(each.severity), each.tool) for each in found if each.tool}),
        "open": sorted({(each.rule.slug, each.tool) for each in open_ if each.tool}),
    }


def _flags(profile: str) -> Flags:
    return Flags(profile=profile, isolated=True, select=SECTIONS, judge=JudgeSettings("host"))


def _choice(outcome: ChoiceOutcome) -> Json:
    said = outcome.validity
    return {
        "task": outcome.task.id,
        "for": outcome.task.tool,
        "chosen": outcome.tool if isinstance(outcome.choice, ToolChoice) else None,
        "right": outcome.is_right if outcome.is_answered else None,
        "valid": said.said == "valid" if said is not None and said.said != "unknown" else None,
        "exact": not outcome.different if outcome.different is not None else None,
    }


def page(result: Json) -> str:
    """Write the tables."""
    servers = result["servers"]
    parts = [_lead(servers), _by_server(servers), _measures(servers), _changes(servers), _pairs(servers)]
    parts += [_predicted(servers, *each) for each in OUTCOMES]
    return "\n".join(chain.from_iterable([*each, ""] for each in parts if each))


def _lead(servers: Sequence[Json]) -> list[str]:
    tools, tasks = (sum(len(each[name]) for each in servers) for name in ("tools", "tasks"))
    writers, choosers = (
        ", ".join(sorted({who for each in servers for who in each[name]})) for name in ("writers", "choosers")
    )
    left = sum(each["right"] is None for server in servers for each in chain.from_iterable(server["choices"].values()))
    whole = f"{format_count(len(servers), 'server')}, {format_count(tools, 'tool')}, {format_count(tasks, 'task')}"
    open_ = f"{format_count(left, 'choice')} {'was' if left == 1 else 'were'} not answered"
    return [
        f"{whole}; {open_}. Who wrote tasks: {writers or 'nobody'}. Who chose: {choosers or 'nobody'}; no agent",
        "that chose saw the same tools both with a description and without.",
    ]


def _variants(servers: Sequence[Json]) -> list[str]:
    return [name for name in (AS_IT_IS, WITHOUT, REWRITTEN) if any(name in each["choices"] for each in servers)]


def _by_server(servers: Sequence[Json]) -> list[str]:
    names = _variants(servers)
    lines = ["| server | tools | tasks | " + " | ".join(names) + " |", "| --- | --- | --- |" + " --- |" * len(names)]
    for server in servers:
        shares = [render_share(share(server["choices"].get(name, ()), "right")) for name in names]
        lines.append(f"| {server['server']} | {len(server['tools'])} | {len(server['tasks'])} | {' | '.join(shares)} |")
    return ["Right tool, with the descriptions as they are, each without its own, and with others:", "", *lines]


def _measures(servers: Sequence[Json]) -> list[str]:
    lines = [
        "| descriptions | right tool | the very one | valid call | right arguments |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in _variants(servers):
        every = [{**each, "very": _very(each)} for server in servers for each in server["choices"].get(name, ())]
        lines.append(
            f"| {name} | "
            + " | ".join(render_share(share(every, what)) for what in ("right", "very", "valid", "exact"))
            + " |"
        )
    said = "All servers. The very tool is the one that a task was made for, where another that its writer named is right, too:"
    return [said, "", *lines]


def _changes(servers: Sequence[Json]) -> list[str]:
    """Compare each variant with the descriptions as they are, on the same tasks: of the tools whose description is another."""
    lines = []
    for name, about in ((WITHOUT, "described"), (REWRITTEN, "rewritten")):
        before, now, lost, won = [], [], 0, 0
        for server in servers:
            then = {each["task"]: each["right"] for each in server["choices"].get(AS_IT_IS, ())}
            for each in server["choices"].get(name, ()):
                was = then.get(each["task"])
                if each["for"] in server[about] and was is not None and each["right"] is not None:
                    before.append(was)
                    now.append(each["right"])
                    lost, won = lost + (was and not each["right"]), won + (each["right"] and not was)
        if before:
            chance = compute_p_value(lost, won) if name == WITHOUT else compute_p_value(won, lost)
            lines.append(f"| {name} | {sum(before)} → {sum(now)} of {len(now)} | {lost} | {won} | {_chance(chance)} |")
    if not lines:
        return []
    head = ["| descriptions | right tool | lost | won | by chance |", "| --- | --- | --- | --- | --- |"]
    said = "The same tasks, of the tools whose description is taken away or another. By chance: how probable it is that as many"
    return [said, "are lost, or won with other descriptions (sign test).", "", *head, *lines]


def _pairs(servers: Sequence[Json]) -> list[str]:
    counts = Counter(
        (server["server"], each["for"], each["chosen"])
        for server in servers
        for each in server["choices"].get(AS_IT_IS, ())
        if each["right"] is False
    )
    if not counts:
        return []
    lines = ["| server | tool | taken for | times |", "| --- | --- | --- | --- |"]
    for (server, tool, other), times in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_PAIRS]:
        lines.append(f"| {server} | {render_code(tool)} | {render_code(other) if other else 'none'} | {times} |")
    more = f" (the first {MOST_PAIRS} of {len(counts)} pairs)" if len(counts) > MOST_PAIRS else ""
    return [f"Wrong tools, with the descriptions as they are{more}:", "", *lines]


def share(choices: Iterable[Json], what: str) -> Share:
    """Count what is true of choices, of those of which it is known."""
    known = [each[what] for each in choices if each[what] is not None]
    return Share(sum(known), len(known))


class Table(NamedTuple):
    """The tools of one server: with a finding and wrong, with and right, without and wrong, without and right."""

    hit: int
    false: int
    missed: int
    fine: int


def more_by_chance(tables: Sequence[Table]) -> float:
    """Return how probable it is that at least as many tools with a finding are wrong, if findings and wrong tools are
    independent.

    Within each table, all splits with its sums are equally probable (the hypergeometric distribution); of one table, this is
    Fisher's exact test, one-sided.
    """
    spread = {0: 1.0}
    for hit, false, missed, fine in tables:
        found, wrong, of = hit + false, hit + missed, hit + false + missed + fine
        ways = {
            count: comb(found, count) * comb(of - found, wrong - count) / comb(of, wrong)
            for count in range(min(found, wrong) + 1)
        }
        summed: defaultdict[int, float] = defaultdict(float)
        for one, chance in spread.items():
            for other, way in ways.items():
                summed[one + other] += chance * way
        spread = summed
    observed = sum(each.hit for each in tables)
    return min(1.0, sum(chance for count, chance in spread.items() if count >= observed))


def holm(chances: Sequence[float]) -> list[float]:
    """Correct chances for how many were looked at, in their order (Holm's step-down)."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    corrected, least = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, chances[place] * (len(chances) - rank)))
        corrected[place] = least
    return corrected


Wrong = Callable[[Json], bool | None]
"""Tells of a choice whether it is wrong, None if that is not known."""


def _very(choice: Json) -> bool | None:
    """Return whether the tool is the one that the task was made for, and no other that is as right."""
    return None if choice["right"] is None else choice["chosen"] == choice["for"]


def _wrong_tool(choice: Json) -> bool | None:
    return None if choice["right"] is None else not choice["right"]


def _wrong_call(choice: Json) -> bool | None:
    """Return whether the arguments are wrong where the expected tool was chosen."""
    if choice["exact"] is None:
        return None
    return not choice["exact"] or choice["valid"] is False


OUTCOMES = (("a wrong tool", _wrong_tool), ("a wrong call", _wrong_call))
"""What findings may predict."""


def tables(servers: Sequence[Json], rule: str, wrong: Wrong) -> list[Table]:
    """Count the tools of each server by whether a rule found something on them, and whether they are chosen wrongly."""
    made = []
    for server in servers:
        outcomes: defaultdict[str, bool] = defaultdict(bool)
        for each in server["choices"].get(AS_IT_IS, ()):
            said = wrong(each)
            if said is not None:
                outcomes[each["for"]] |= said
        found = _found(server, rule)
        unknown = {tool for slug, tool in server["open"] if slug == rule}
        counts = Counter((tool in found, is_wrong) for tool, is_wrong in outcomes.items() if tool not in unknown)
        made.append(Table(counts[True, True], counts[True, False], counts[False, True], counts[False, False]))
    return made


def _found(server: Json, rule: str) -> set[str]:
    """Name the tools that a row of the table is about."""
    if rule != MORE:
        return {
            tool
            for slug, severity, tool in server["findings"]
            if (severity == "error" if rule == ERROR else slug == rule)
        }
    counts = Counter(dict.fromkeys(server["tools"], 0))
    counts.update(tool for _, _, tool in server["findings"] if tool in counts)
    middle = median(counts.values()) if counts else 0
    return {tool for tool, count in counts.items() if count > middle}


class Row(NamedTuple):
    """What is said of one rule."""

    rule: str
    with_it: Share
    without: Share
    all_tools: float
    within: float


def _row(rule: str, made: Sequence[Table]) -> Row:
    whole = Table(*(sum(each[place] for each in made) for place in range(4)))
    with_it = Share(whole.hit, whole.hit + whole.false)
    without = Share(whole.missed, whole.missed + whole.fine)
    return Row(rule, with_it, without, more_by_chance([whole]), more_by_chance(made))


def rows(servers: Sequence[Json], wrong: Wrong) -> Iterator[Row]:
    """Test all findings together, then each rule that found something on enough tools, the least by chance first."""
    rules = sorted({slug for server in servers for slug, _, _ in server["findings"]})
    yield from (_row(name, tables(servers, name, wrong)) for name in (ERROR, MORE))
    made = [_row(rule, tables(servers, rule, wrong)) for rule in rules]
    tested = [each for each in made if min(each.with_it.of, each.without.of) >= LEAST]
    yield from sorted(tested, key=lambda each: (each.within, each.all_tools, each.rule))


def _predicted(servers: Sequence[Json], what: str, wrong: Wrong) -> list[str]:
    found = list(rows(servers, wrong))
    if found and not (found[0].with_it.count or found[0].without.count):
        tested = found[0].with_it.of + found[0].without.of
        high = Share(0, tested).interval[1]
        left = f"at most {high:.1%} of such tools may"
        return [f"No tool of {tested} gets {what}: there is nothing to predict (by Wilson's interval, {left})."]
    rules = [each for each in found if each.rule not in (ERROR, MORE)]
    lines = [
        f"| finding | tools with it that get {what} | tools without | all tools | within servers |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {each.rule if each.rule in (ERROR, MORE) else render_code(each.rule)} | {render_share(each.with_it)} "
            f"| {render_share(each.without)} | {_chance(each.all_tools)} | {_chance(each.within)} |"
            for each in found
        ),
    ]
    corrected = min(holm([each.within for each in rules]), default=1.0)
    of = "they were chosen rightly" if wrong is _wrong_call else "there was a choice for them"
    said = [
        f"What we find, and {what}, with the descriptions as they are; tools count if {of}. The last columns",
        "say how probable such a difference is by chance, among all tools and within each server. "
        f"Rules tested: {len(rules)};",
        f"the least probable of them, corrected for that: {_chance(corrected)}.",
    ]
    return [*said, "", *lines]


def _chance(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
