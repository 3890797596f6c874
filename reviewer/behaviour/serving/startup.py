"""What goes to the standard output on the way to a place that serves there."""

import re

from reviewer.behaviour.effects.handler_effects import prints
from reviewer.behaviour.values.nests import find_nest, iter_skipping_tests
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Called,
    Context,
    ContextKind,
    Entered,
    Event,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Trace,
)
from reviewer.code.ir import Block, Body, Break, Constant, If, Import, Site, Try, iter_expressions, iter_statements
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import Facts, State, infer_truth, refine, substitute_term
from reviewer.code.values import Library, Term, Value
from reviewer.facts import Act
from reviewer.source import Text
from reviewer.text.patterns import pattern

ELSEWHERE = frozenset[ContextKind]({"thread", "task"})
"""Circumstances in which something may be done later."""

OTHERWISE = pattern(
    r"http|sse|transport|port\b|host|version|help|list|dry|debug|verbose|check|test|stdio|tty|interactive|__name__|demo|quiet",
    re.IGNORECASE,
)
"""What a condition speaks of that may hold just where nothing is served on stdio, by settings that no test compares."""


def collect_printed_before(trace: Trace, program: Program, path: str, at: Site) -> list[Act] | None:
    """Return the acts that may print before control reaches a part of a file; None if it was not seen to get there."""
    found, goal = _print(trace, program, path, at)
    return [_build_act(each) for each in found if _may_reach(each, goal, trace)] if goal is not None else None


def collect_printed_around(trace: Trace, program: Program, path: str, at: Site) -> list[Act] | None:
    """Return the acts that may print before control reaches what serves, and after it if that goes on when its call is over."""
    found, goal = _print(trace, program, path, at)
    if goal is None:
        return None
    before = [each for each in found if _may_reach(each, goal, trace)]
    later = _print_after(trace, program, goal) if "serves on" in collect_acts(goal.event, program.models) else []
    after = (each for each in later if _may_come_after(each, goal, trace))
    return [_build_act(each) for each in (*before, *after) if not _is_called_elsewhere(each, trace, program)]


def _is_called_elsewhere(occurrence: Occurrence, trace: Trace, program: Program) -> bool:
    """Return whether something is done in a function that code calls which is not there, and of which nothing is known.

    What a command line's library is handed runs for one of its commands, which need not be the one that serves.
    """
    for here in occurrence.iter_outwards():
        if isinstance(here.event, Entered) and here.event.trace.code.kind == "closure":
            beside = (each for each in here.find_own_trace(trace).events if each.at == here.event.at)
            calls = [each for each in beside if isinstance(each, Called) and not each.followed]
            if any(program.models.find_model(each.path) is None for each in calls):
                return True
    return False


def _print_after(trace: Trace, program: Program, goal: Occurrence) -> list[Occurrence]:
    """Return the occurrences that print to the standard output after another."""
    others = iter(trace.iter_occurrences())
    for each in others:
        if each.event is goal.event:
            break
    return [each for each in others if isinstance(each.event, Called) and _prints(each, each.event, program.models)]


def collect_printed(trace: Trace, program: Program, *, by_known: bool = False) -> list[Act]:
    """Return the acts that may print in code that runs to its end; with `by_known` those that known functions lead to."""
    found, _ = _print(trace, program)
    told = [each for each in found if _may_reach(each, None, trace)]
    return [_build_act(each) for each in told if not (by_known and _is_called_elsewhere(each, trace, program))]


def collect_printed_anywhere(trace: Trace, program: Program) -> list[Act]:
    """Return the acts that may print in code that a client calls, wherever it ends."""
    return [_build_act(each) for each in _print(trace, program)[0]]


def _print(
    trace: Trace, program: Program, path: str = "", at: Site | None = None
) -> tuple[list[Occurrence], Occurrence | None]:
    """Return the occurrences that print to the original standard output before a part of a file, and the one that
    reaches it.
    """
    found: list[Occurrence] = []
    is_moved = False
    for each in trace.iter_occurrences():
        event = each.event
        if at is not None and event.code.source.path == path and at.start <= event.at.start < event.at.end <= at.end:
            return found, each
        is_moved = is_moved or _moves_output(event, program.models)
        if not is_moved and isinstance(event, Called) and _prints(each, event, program.models):
            found.append(each)
    return found, None


def _prints(occurrence: Occurrence, event: Called, models: Models) -> bool:
    is_printing = prints(occurrence, frozenset(collect_acts(event, models)), models) and occurrence.is_possible()
    return is_printing and not _is_without_sdk(event)


SDKS = frozenset({"mcp", "fastmcp"})
"""The packages without which no server speaks."""


def _is_without_sdk(event: Event) -> bool:
    """Return whether something is done where the SDK could not be imported, so that nothing is served: `except ImportError:`."""
    for owner, body in find_nest(event):
        if isinstance(owner, Try) and any(body is each.body for each in owner.catches):
            tried = (part for each in iter_statements(owner.body) for part in iter_expressions(each))
            modules = (part.module for part in tried if isinstance(part, Import))
            if any(each.partition(".")[0] in SDKS for each in modules):
                return True
    return False


def _moves_output(event: Event, models: Models) -> bool:
    """Return whether what is printed goes elsewhere from now on."""
    if isinstance(event, Stored):
        owners = (each.path for each in event.owner.things if isinstance(each, Library))
        return event.key is not None and event.key.text == "stdout" and "sys" in owners
    return isinstance(event, Called) and event.context is None and "redirects output" in collect_acts(event, models)


def _build_act(occurrence: Occurrence) -> Act:
    return Act("prints", _place(occurrence.event), tuple(place.text for place in occurrence.build_call_path()))


STREAM = "ext://sys.stdout"
"""What names the standard output in the settings of `logging`."""


def _place(event: Event) -> Text:
    """Return where a function writes the setting that sends a log to the standard output, or what prints there itself."""
    is_set = isinstance(event, Called) and event.path == "logging.config.dictConfig"
    parts = (part for each in iter_statements(event.code.body) for part in iter_expressions(each)) if is_set else ()
    named = (each.at for each in parts if isinstance(each, Constant) and each.value == STREAM)
    return event.code.extract_text(next(named, event.at))


def _may_reach(occurrence: Occurrence, goal: Occurrence | None, trace: Trace) -> bool:
    """Return whether control may get from an occurrence to a goal, or to the end of the run without one."""
    way = list(occurrence.iter_outwards())[::-1]
    way = way[: next((place for place, each in enumerate(way) if _is_on_signal(each)), len(way) - 1) + 1]
    to = list(goal.iter_outwards())[::-1] if goal is not None else []
    shared = 0
    while shared < min(len(way), len(to)) and way[shared] is to[shared]:
        trace = _enter(way[shared])
        shared += 1
    goals = to[shared:] if goal is not None else []
    around = set(goals[0].event.iter_outwards()) if goals else set[Context]()
    if goals and (not _agree(way[shared:], goals, around) or _is_in_other_branch(way[shared].event, goals[0].event)):
        return False
    if goals and len(way) > shared + 1 and _is_refused(trace, way[shared].event, way[shared + 1].event, goals[0].event):
        return False
    passed = [body for _, body in find_nest(goals[0].event)] or [goals[0].event.code.body] if goals else []
    for number, each in enumerate(way[shared:]):
        trace = _enter(way[shared + number - 1]) if number else trace
        nest = [inner for inner in find_nest(each.event) if inner[1] not in passed]
        contexts = [context for context in each.event.iter_outwards() if context not in around]
        tests = [context.at for context in contexts if context.condition == "test"]
        tests += [test for owner, body in nest for test in iter_skipping_tests(owner, body, each.event.at)]
        if any(context.condition in ELSEWHERE for context in contexts):
            return False
        if any(OTHERWISE.search(each.event.code.extract_text(test)) for test in tests):
            return False
        if _is_on_signal(each):
            return True  # how it ends is no matter of who hands it over
        if _is_left(trace, each.event, [body for _, body in nest], is_returned=not number):
            return False
    return True


def _may_come_after(occurrence: Occurrence, goal: Occurrence, trace: Trace) -> bool:
    """Return whether control may get from what serves to an occurrence while it is served: not to a clause for its failure."""
    way, to = list(occurrence.iter_outwards())[::-1], list(goal.iter_outwards())[::-1]
    shared = 0
    while shared < min(len(way), len(to)) and way[shared] is to[shared]:
        shared += 1
    if shared == min(len(way), len(to)):
        return False
    around = set(to[shared].event.iter_outwards())
    if any(
        each.condition == "handles" and each not in around for one in way[shared:] for each in one.event.iter_outwards()
    ):
        return False
    if not _agree(way[shared:], to[shared:], around) or _is_in_other_branch(way[shared].event, to[shared].event):
        return False
    return _may_reach(occurrence, None, trace)


def _is_in_other_branch(one: Event, other: Event) -> bool:
    """Return whether two things of a function are done in different branches of a test, or in two arms of a `match`."""
    ways = find_nest(other)
    shared = [body for _, body in ways]
    tests = {id(owner) for owner, _ in ways if isinstance(owner, If)}
    blocks = {owner.label for owner, _ in ways if isinstance(owner, Block)}
    for owner, body in find_nest(one):
        if body not in shared:
            leaves = isinstance(body[-1], Break) and body[-1].label in blocks
            if leaves or id(owner) in tests:
                return True
    return False


def _is_on_signal(occurrence: Occurrence) -> bool:
    """Return whether something runs when the process is told something, or ends: beside what is served."""
    return any(each.condition == "signal" for each in occurrence.event.iter_outwards())


def _enter(call: Occurrence) -> Trace:
    assert isinstance(call.event, Entered)
    return call.event.trace


def _is_left(trace: Trace, event: Event, around: list[Body], *, is_returned: bool) -> bool:
    """Return whether control leaves a function after an event, in one of some bodies; with `is_returned` also to go on."""
    if isinstance(event, Entered) and event.trace.result is None:
        return True
    later = trace.events[trace.events.index(event) + 1 :]
    leaving = (find_nest(each) for each in later if _leaves(each, is_returned=is_returned))
    return any(nest[-1][1] in around for nest in leaving if nest)


def _is_refused(trace: Trace, call: Event, event: Event, goal: Event) -> bool:
    """Return whether what a function gives after something in it makes its caller leave before a goal: an exit code of 1."""
    assert isinstance(call, Entered)
    given = _collect_given_after(call.trace, event)
    if call.trace.result is None:
        return False
    term, around = ("via", call.at, call.trace.result.term), set(call.iter_outwards())
    left = [
        [context for context in each.iter_outwards() if context not in around]
        for each in trace.events[trace.events.index(call) + 1 : trace.events.index(goal)]
        if _leaves(each, is_returned=True)
    ]
    return bool(given) and all(any(_is_sure(tests, term, value) for tests in left) for value in given)


def _collect_given_after(trace: Trace, event: Event) -> list[Value]:
    """Return the values of which a function certainly returns one after an event; none if it may return something else."""
    around, found = [body for _, body in find_nest(event)], list[Value]()
    for each in trace.events[trace.events.index(event) + 1 :]:
        if isinstance(each, Returned):
            found.append(each.value)
            nest = find_nest(each)
            if nest and nest[-1][1] in around:
                return found
    return []


def _is_sure(tests: list[Context], term: Term, value: Value) -> bool:
    """Return whether control certainly gets past some tests if a term has a value."""
    return all(
        each.condition == "test"
        and each.value is not None
        and infer_truth(substitute_term(each.value, term, value), {}) is each.holds
        for each in tests
    )


def _leaves(event: Event, *, is_returned: bool) -> bool:
    match event:
        case Returned():
            return is_returned
        case Raised():
            return not any(each.condition == "catches" for each in event.iter_outwards())
        case Entered():
            return event.trace.result is None
        case Called(followed=False):
            return event.result.term == ("never", event.at)
    return False


def _agree(way: list[Occurrence], to: list[Occurrence], around: set[Context]) -> bool:
    """Return whether the tests on the way to something leave open the way to another, both from one function."""
    facts, others = _find_told_outside(way), _find_told_outside(to)
    if facts is None or others is None:
        return others is None
    if any(term in others and fact.opposes(others[term]) for term, fact in facts.items()):
        return False
    handled = (each for each in way[0].event.iter_outwards() if each.condition == "handles" and each not in around)
    taken = (others.get(("taken", way[0].event.code, each.at)) for each in handled)
    return not any(each is not None and each.truth is False for each in taken)


def _find_told_outside(way: list[Occurrence]) -> Facts | None:
    """Return the facts from tests on the way to an occurrence, about values of the function where the way begins.

    Facts about its arguments count: of a flag, about what it was made from. None if no path leads there.
    """
    facts = way[-1].event.facts
    for call in (each.event for each in reversed(way[:-1])):
        assert isinstance(call, Entered)
        state = State(facts=call.facts)
        for term, value in call.given.items():
            fact = facts.get(term)
            if fact is not None and fact.truth is not None and not refine(state, value, fact.truth):
                return None
            if fact is not None:
                known = state.read_fact(value.term)
                state.learn(
                    value.term, present=fact.present, equal=fact.equal, unequal=known.unequal | fact.unequal,
                    kinds=known.kinds | fact.kinds, others=known.others | fact.others,
                )  # fmt: skip
        facts = state.facts
    return facts
