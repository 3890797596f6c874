"""Loops that wait in each round and go on when the call is cancelled, though its token is handed in."""

import re
from collections.abc import Iterator
from math import inf

from reviewer.behaviour.concurrency.lifetimes import STOPPING
from reviewer.behaviour.concurrency.stop_signals import StopChecks, find_stop_checks, holds_check
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.loops import Around, LoopSite, extract_first_line, iter_loops_around
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import collect_acts
from reviewer.code.events import Awaited, Called, Event, Looped, Occurrence, Tested, Trace
from reviewer.code.ir import (
    Code,
    CodeParameter,
    Evaluate,
    Field,
    Loop,
    Read,
    Site,
    iter_calls,
    iter_codes,
    iter_expressions,
    iter_statements,
)
from reviewer.code.models import ActName
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import Class, Label, Library, Relation, Thing, Value, strip_negations
from reviewer.text.patterns import pattern

TOKENS = frozenset({"RequestContext", "CancellationToken", "CancelToken"})
"""The types that tell whether a call is cancelled: rmcp's context, tokio's token, and what servers call one of their own."""

CANCELLING = frozenset({"ct", "token", "cancel", "cancelled", "canceled", "cancellation"})
"""Words of the fields that hold a token."""


VARIANT = pattern(r"(?:^|::)[A-Z]\w*$")
"""The form of an enum's variant: `Stopped::Failed` is a constant and checks no token."""


def iter_loops_ignoring_cancellation(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the outermost loops that wait for time to pass, or for commands, and look at no token, in functions handed one.

    `about` is the type of the parameter by which it is. Where an exception ends what waits, no loop needs to look.
    """
    if trace.acts.isdisjoint(LASTING):
        return
    if program.hands_signal(trace.code):
        yield from _iter_loops_ignoring_signal(trace, program)
    if program.raises or not trace.reaches(_takes_token, program):
        return
    waiting: dict[LoopSite, Occurrence] = {}
    checking: set[LoopSite] = set()
    ended: set[Code] = set()
    """The functions that wait for the token beside what they do: all of that ends with it."""
    checks = find_stop_checks(trace, program)
    for each in trace.iter_occurrences():
        acts = frozenset(collect_acts(each.event, program.models)) if isinstance(each.event, Called) else frozenset()
        if _observes_token(each, acts, program, checks):
            if "waits" in acts:
                ended.add(_get_around(each).event.code)
            checking.update(around.loop for around in iter_loops_around(each))
        elif _waits_long(each.event, acts, program) and each.is_possible() and not each.is_under("task"):
            for outermost in list(iter_loops_around(each))[-1:]:
                waiting.setdefault(outermost.loop, outermost.inner)
    for loop, each in waiting.items():
        token = _find_token(_get_around(each).event.code, program)
        is_ended = any(here.event.code in ended for here in each.iter_outwards())
        if token is not None and token.type is not None and loop not in checking and not is_ended:
            about = _get_around(each).event.code.extract_text(token.type.at)
            yield RunFinding("ignores cancellation", each, loop.code.extract_text(loop.at), about)


SIGNAL = Label("request", "signal")
"""What tells a handler that its call is cancelled, where it is handed that in every call."""

BRIEF = 10_000
"""Milliseconds for which some rounds wait together at most, if they need not look: retries after two and four seconds do."""

FEW = 5
"""Rounds that are a retry, where it is not known how long each waits."""


def _iter_loops_ignoring_signal(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the outermost loops that wait for time to pass, round after round, and look at no signal."""
    waiting: dict[LoopSite, tuple[Around, float]] = {}
    looking: set[LoopSite] = set()
    iterations: dict[LoopSite, float] = {}
    for each in trace.list_occurrences(kinds=(Called, Tested, Looped)):
        loops = list(iter_loops_around(each))
        event = each.event
        acts = collect_acts(event, program.models)
        if _shows_signal(each, acts, program):
            looking.update(around.loop for around in loops)
        elif isinstance(event, Looped):
            iterations[LoopSite(event.code, event.at)] = 0  # as many as there are elements, of which each is work
        elif isinstance(event, Called) and _waits_long(event, acts, program) and loops and each.is_possible():
            waiting.setdefault(loops[-1].loop, (loops[-1], _measure_sleep(event, program)))
        elif isinstance(event, Tested) and loops:
            bound = _find_bound(each, event)
            iterations[loops[0].loop] = min(iterations.get(loops[0].loop, inf), bound)
    for loop, (around, time) in waiting.items():
        known = iterations.get(loop, inf)
        if loop not in looking and not (known <= FEW or known * time <= BRIEF):
            yield RunFinding("ignores cancellation", around.inner, extract_first_line(*loop))


def _shows_signal(occurrence: Occurrence, acts: frozenset[ActName], program: Program) -> bool:
    """Return whether code looks at the signal, hands it on, or hands all that it is handed beside the arguments to others."""
    event = occurrence.event
    if "checks cancellation" in acts or STOPPING.search(str(event.text).partition("(")[0]) is not None:
        return True
    if isinstance(event, Called) and event.followed:
        return False
    parts = (part for value in event.values for part in (value, *(value.contents or {}).values()))
    if any(SIGNAL in occurrence.resolve_labels(part) for part in parts):
        return True
    is_unread = isinstance(event, Called) and program.models.find_model(event.path) is None
    handed = event.arguments if isinstance(event, Called) and is_unread else ()
    return any((part.contents or {}).get("signal") is not None for part in handed)


def _measure_sleep(event: Called, program: Program) -> float:
    """Return how many milliseconds a call sleeps at most; an hour if that is not known."""
    times = [infer_interval(each, event.facts).high for each in event.arguments if not each.things]
    return min([each for each in times if each > 0], default=HOUR)


HOUR = 3_600_000
"""Milliseconds for which a call may wait of which nothing is known: longer than any bound here."""


def _find_bound(here: Occurrence, test: Tested) -> float:
    """Return the number with which a loop compares what it counts; infinity if a client says it, or if it counts nothing.

    Of what the server sets none is known, so it stands for few.
    """
    asked, _ = strip_negations(test.value, True)
    match asked.meaning:
        case Relation("<" | "<=", left, Value() as right) if left.constant is None:
            source, most = here.trace_source(right)
            if any(each.origin == "argument" for each in here.resolve_labels(right)):
                return inf
            high = infer_interval(most, source.event.facts).high
            return high if high < inf else FEW
    return inf


def iter_forgotten_tokens(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the waits in functions that receive a token and ignore it, or that use a token of their own."""
    if program.raises or "waits" not in trace.acts or not trace.reaches(_takes_token, program):
        return
    occurrences = list(trace.iter_occurrences())
    cancelled = any("cancels" in collect_acts(each.event, program.models) for each in occurrences)
    told: set[Code | Site] = {
        here.event.code
        for each in iter_loops_ignoring_cancellation(trace, program)
        for here in each.occurrence.iter_outwards()
    }
    for each in occurrences:
        event = each.event
        if not isinstance(event, Called) or not each.is_possible():
            continue
        acts = collect_acts(event, program.models)
        if "checks cancellation" in acts:
            own = event.receiver is not None and _is_made_here(each, event.receiver, program)
            token = _find_token(trace.code, program)
            if own and not cancelled and token is not None and token.type is not None and event.at not in told:
                told.add(event.at)
                yield RunFinding("ignores cancellation", each, about=trace.code.extract_text(token.type.at))
        elif acts & WAITING and "waits" in acts:
            codes_around = (here.event.code for here in each.iter_outwards())
            found = next(((code, token) for code in codes_around if (token := _find_bare_token(code, program))), None)
            is_lasting = not acts.isdisjoint(LASTING)
            if (
                found is not None
                and found[0] not in told
                and (
                    not _is_used(found[1], found[0])
                    or (is_lasting and _is_only_used_before(found[1], found[0], occurrences))
                )
            ):
                told.add(found[0])
                about = found[0].extract_text(found[1].type.at) if found[1].type is not None else None
                yield RunFinding("ignores cancellation", each, about=about)


# Only a round that takes time makes a client wait after it cancelled; a loop that calculates is soon over.
LASTING = frozenset({"sleeps", "runs command"})


def _waits_long(event: Event, acts: frozenset[str], program: Program) -> bool:
    """Return whether something waits for time to pass, or for a command to end."""
    if "waits" not in acts or not isinstance(event, Called):
        return False
    return not acts.isdisjoint(LASTING) or "command" in program.models.get_model(event.path).labels


CONTEXT = "Context"
WAITING = frozenset({"network", "sleeps", "runs command", "waits endlessly"})
"""What takes its time."""


def _find_bare_token(code: Code, program: Program) -> CodeParameter | None:
    """Return the parameter that is a token and nothing else, None if there is none: a context object has other uses."""
    for each in code.parameters:
        made = program.resolve_type(each.type, code) if each.type is not None else None
        if each.type is not None and made is not None and _is_token_type(made.of) and CONTEXT not in each.type.text:
            return each
    return None


def _is_used(parameter: CodeParameter, code: Code) -> bool:
    """Return whether anything is done with a parameter but to name it: `let _ = token`."""
    return any(
        isinstance(each, Read) and each.variable is parameter.variable
        for part in iter_codes(code)
        for statement in iter_statements(part.body)
        if not (isinstance(statement, Evaluate) and isinstance(statement.value, Read))
        for each in iter_expressions(statement)
    )


def _is_only_used_before(parameter: CodeParameter, code: Code, occurrences: list[Occurrence]) -> bool:
    """Return whether a token is only asked for what it says now, before anything is waited for: what is begun then goes on."""
    waits = [each.event.at.start for each in occurrences if isinstance(each.event, Awaited) and each.event.code is code]
    looks = {
        each.callee.owner.at
        for each in iter_calls(code.body)
        if isinstance(each.callee, Field)
        and each.callee.name == "is_cancelled"
        and isinstance(each.callee.owner, Read)
        and each.callee.owner.variable is parameter.variable
        and each.at.end <= min(waits, default=0)
    }
    loops = [each.at for each in iter_statements(code.body) if isinstance(each, Loop)]
    uses = [
        each.at
        for part in iter_codes(code)
        for statement in iter_statements(part.body)
        for each in iter_expressions(statement)
        if isinstance(each, Read) and each.variable is parameter.variable
    ]
    return bool(looks) and all(at in looks and not any(loop.holds(at) for loop in loops) for at in uses)


def _takes_token(trace: Trace, program: Program) -> bool:
    return _find_token(trace.code, program) is not None


def _get_around(occurrence: Occurrence) -> Occurrence:
    """Return the event of the function, and no closure, that an event is done in."""
    while occurrence.event.code.kind in ("closure", "async block") and occurrence.caller is not None:
        occurrence = occurrence.caller
    return occurrence


def _find_token(code: Code, program: Program) -> CodeParameter | None:
    """Return the parameter by which a function is handed a token."""
    return next((each for each in code.parameters if _holds_token(each, code, program)), None)


def _holds_token(parameter: CodeParameter, code: Code, program: Program) -> bool:
    """Return whether a parameter is a token, or an object of the project's that has one."""
    if parameter.type is None:
        return False
    made = program.resolve_type(parameter.type, code)
    if made is None:
        return not TOKENS.isdisjoint(re.findall(r"\w+", parameter.type.text))
    names = program.list_fields(made.of) if isinstance(made.of, Class) else ()
    held = (program.resolve_field_type(made, each) for each in names)
    return _is_token_type(made.of) or any(each is not None and _is_token_type(each.of) for each in held)


def _is_token_type(kind: Thing) -> bool:
    name = kind.path.rpartition(".")[2] if isinstance(kind, Library) else kind.name if isinstance(kind, Class) else ""
    return name in TOKENS


def _observes_token(occurrence: Occurrence, acts: frozenset[str], program: Program, checks: StopChecks) -> bool:
    """Return whether a call checks the token, or a signal that somebody may give, or passes it to code that was not found."""
    event = occurrence.event
    if holds_check(event.code, event.at, checks.effective):
        return True
    if not isinstance(event, Called) or holds_check(event.code, event.at, checks.ineffective):
        return False
    if "checks cancellation" in acts:
        return event.receiver is None or not _is_made_here(occurrence, event.receiver, program)
    if event.followed:
        return False
    is_unread = program.models.find_model(event.path) is None
    called = str(event.text).partition("(")[0]
    return (STOPPING.search(called) is not None and VARIANT.search(called) is None) or (
        is_unread and any(_is_token(occurrence, each, program) for each in event.values)
    )


def _is_made_here(occurrence: Occurrence, value: Value, program: Program) -> bool:
    """Return whether a token was made for this call, so that no client's cancellation comes to it."""
    _, value = occurrence.trace_source(value)
    return program.models.get_maker_model(value).returns == "new"


def _is_token(occurrence: Occurrence, value: Value, program: Program) -> bool:
    """Return whether a value is a token that a client cancels, or the object that holds it."""
    here, value = occurrence.trace_source(value)
    term = value.term
    if isinstance(term, tuple) and term[0] == "field" and not CANCELLING.isdisjoint(split_words(str(term[2]))):
        term = term[1]
    token = _find_token(here.event.code, program)
    return token is not None and term == ("argument", token.name)
