"""Long work without progress reports: slow commands, waits for work that is done elsewhere."""

import re
from collections.abc import Iterator
from math import inf

from reviewer.behaviour.effects.commands import collect_commands, collect_known_words
from reviewer.behaviour.effects.programs import LONG, asks_about_itself
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.loops import LoopSite, iter_loops_around
from reviewer.code.acts import collect_acts
from reviewer.code.calls import RECURSION
from reviewer.code.events import Called, Context, Entered, Event, Occurrence, Returned, Tested, Trace, exclude
from reviewer.code.ir import Break, Code, Loop, Return, iter_statements
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import Made
from reviewer.source import Text
from reviewer.text.patterns import pattern

TELLING = pattern(r"progress|notify_|notification\(|report_status|\.info\(|send_log", re.IGNORECASE)
"""What shows that code tells a client how far it is."""

AGAIN = pattern(rb"retr(?:y|ies)|attempt|tries\b|back_?off|rate_?limit|throttl|429|jitter", re.IGNORECASE)
"""What shows that a loop waits only before it tries once more."""

WAITING = pattern(
    r"^_*(?:\w+_)?(?:wait|poll)_(?:for|until|on)_(?:\w+_)?(?:complet\w+|done|finish\w*|terminat\w+|jobs?|tasks?|runs?|builds?"
    r"|deploy\w*|operations?)$|^_*wait_(?:until|till)_done$"
)
"""The name of what waits for work that somebody else does."""

SLEEPING = frozenset({"sleep", "sleep_until"})
"""The last names of functions that wait for time to pass, for calls whose function is unknown."""

LONG_PAUSE = 10
"""Seconds of one sleep from which on a call takes its time, whatever it waits for. Pauses between requests are of one to five."""

PATIENCE = 60
"""Seconds after which clients of the SDKs give up a request that reports no progress.

Code with a longer timeout expects longer work. Exactly this bound is a usual one of short commands (32 of a server for
Kubernetes).
"""

SHORT = 1
"""Seconds between two polls. Work that is polled more often is too short for progress reports."""


def iter_long_waits(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the long waits of the call itself: slow commands, polling loops, functions whose names say so."""
    asking: set[LoopSite] = set()
    pauses: list[tuple[Occurrence, LoopSite]] = []
    if not trace.reaches(_may_last, program):
        return
    for each in trace.iter_occurrences(lambda event, _: event.trace.reaches(_may_last, program), kinds=(Called,)):
        event = each.event
        if not isinstance(event, Called):
            continue
        acts = collect_acts(event, program.models)
        name = event.path.rpartition(".")[2]
        if "sleeps" in acts or (
            name in SLEEPING and not event.followed and program.models.find_model(event.path) is None
        ):
            loop = _find_polling_loop(each, event)
            pauses += [(each, loop)] if loop is not None and _is_waited_for(each, trace) else []
            if _is_long_pause(event) and _is_waited_for(each, trace):
                yield RunFinding("waits", each)
        elif _is_allowed_long(event, acts, program):
            if _is_waited_for(each, trace):
                yield RunFinding("waits", each)
        elif not _looks_at_clock(event, program):
            asking.update(around.loop for around in iter_loops_around(each))
            is_long = WAITING.match(name) is not None or ("runs command" in acts and _takes_time(each, acts, program))
            if is_long and _is_waited_for(each, trace):
                yield RunFinding("waits", each)
    yield from (RunFinding("waits", each) for each, loop in pauses if loop in asking)


def iter_silent_calls(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the acts and answers on paths on which a call certainly reports no progress.

    `about` is the place where the call reads the client's progress token.
    """
    if _may_tell_unseen(trace, program):
        return
    telling: list[Event] = []
    taken: list[tuple[Event, Text]] = []
    is_handed = False
    for each in trace.list_occurrences(kinds=(Called, Tested, Entered)):
        event = each.event
        if _is_telling(event, program) or (isinstance(event, Called) and _hands_session_on(event, program)):
            telling.append(_get_outermost(each).event)
        asked = str(event.value.term) if isinstance(event, Tested) else str(event.text)
        if not isinstance(event, Entered) and TOKEN.search(asked) is not None:
            taken.append((_get_outermost(each).event, event.text))
        elif isinstance(event, Called) and not event.followed and program.models.find_model(event.path) is None:
            is_handed |= HANDED.search(str(event.text)) is not None
    for each in trace.list_occurrences(kinds=(Called, Returned)):
        event = each.event
        if each.caller is None and all(_are_for_different(one, event) for one in telling):
            tokens = (text for at, text in taken if not is_handed and not _are_for_different(at, event))
            yield RunFinding("tells no progress", each, about=next(tokens, None))


def _are_for_different(one: Event, other: Event) -> bool:
    """Return whether two events of a function are for different tools: a test of a name tells them apart."""
    for term, fact in one.facts.items():
        known = other.facts.get(term)
        if known is not None and fact.truth is not None and known.truth is (not fact.truth):
            if isinstance(term, tuple) and term[0] == "==" and any(_is_name(each) for each in term[1:]):
                return True
    return False


def _is_name(term: object) -> bool:
    return isinstance(term, tuple) and term[:2] == ("constant", str)


TOKEN = pattern(r"\bprogress_?token\b|\bget_progress_token\b", re.IGNORECASE)
"""How code takes the token with which progress is told."""

HANDED = pattern(r"progress|token", re.IGNORECASE)
"""What a call is handed, or called, that may tell progress by the token."""

SENDING = (
    "report_progress",
    "send_progress_notification",
    "notify_progress",
    "ProgressNotification",
    "ProgressNotificationParam",
)
"""The names by which the SDKs send progress."""


def _may_tell_unseen(trace: Trace, program: Program) -> bool:
    """Return whether what is not followed may tell: some function of the project sends progress that is not seen to run here.

    A function that calls itself is seen all the same.
    """
    if all(each.reason == RECURSION for each in trace.iter_omissions()):
        return False
    seen = {(code.source.path, code.at) for each in trace.collect_codes() for code in (each, *_iter_around(each))}
    senders = (code for name in SENDING for code in program.find_codes_naming(name))
    return any((code.source.path, code.at) not in seen for code in senders)


def _iter_around(code: Code) -> Iterator[Code]:
    while code.around is not None:
        code = code.around
        yield code


def _get_outermost(here: Occurrence) -> Occurrence:
    while here.caller is not None:
        here = here.caller
    return here


def _is_telling(event: Event, program: Program) -> bool:
    """Return whether a call tells a client something, or may: by what is known of it, or by its name if nothing is."""
    if not isinstance(event, Called) or event.followed:
        return False
    model = program.models.find_model(event.path)
    if model is not None:
        acts = frozenset[str](collect_acts(event, program.models))
        return not acts.isdisjoint({"reports progress", "notifies", "logs to client"}) and "announces tools" not in acts
    library, _, name = event.path.rpartition(".")
    if library and library.partition(".")[0] not in SDKS:
        return False  # it has nothing to tell by, unless it is handed that
    return TELLING.search(f"{name}(") is not None and not _is_query(event)


SDKS = frozenset({"", "rmcp", "mcp", "fastmcp"})
"""The first parts of the paths of functions of SDKs, and of methods of values of unknown type."""


def _is_query(event: Called) -> bool:
    """Return whether a method only gives or tells something, by its name: `context.meta.get_progress_token()`."""
    return event.path.rpartition(".")[2].startswith(("get_", "is_", "has_")) and not event.arguments


SESSIONS = frozenset({"ctx", "context", "session", "peer", "server", "progress", "meta"})
"""Names of what a client can be told something by."""


def _hands_session_on(event: Called, program: Program) -> bool:
    """Return whether the client's session is passed to code that was not found."""
    if event.followed or program.models.find_model(event.path) is not None or _is_query(event):
        return False
    return any(label.name in SESSIONS for each in event.values for label in each.labels)


def _may_last(trace: Trace, _program: Program) -> bool:
    """Return whether a function sleeps, runs commands or calls what waits by its name."""
    names = (each.path.rpartition(".")[2] for each in trace.events if isinstance(each, Called))
    is_named = any(each in SLEEPING or WAITING.match(each) for each in names)
    return is_named or not trace.acts.isdisjoint({"sleeps", "runs command", "limits time"})


def _is_allowed_long(event: Called, acts: frozenset[str], program: Program) -> bool:
    """Return whether the time of what is waited for is limited, to what is longer than clients wait."""
    timeout = program.models.get_model(event.path).timeout
    if "limits time" in acts:
        bounds = event.values
    elif timeout and "runs command" in acts:
        given = event.find_argument(-1, *timeout)
        bounds = (given,) if given is not None else ()
    else:
        return False
    return any(PATIENCE < infer_interval(each, event.facts).low < inf for each in bounds)


def _takes_time(occurrence: Occurrence, acts: frozenset[str], program: Program) -> bool:
    """Return whether a command is waited for and takes its time, whatever it is given."""
    found = collect_commands(occurrence, program.models) if not acts.isdisjoint({"blocks", "waits"}) else ()
    asked = (collect_known_words(words) for words in found)
    return any(LONG.match(" ".join(each)) and not asks_about_itself(tuple(each)) for each in asked)


def _is_waited_for(occurrence: Occurrence, trace: Trace) -> bool:
    """Return whether the call itself waits for something, and no function on the way tells the client how far it is."""
    if (
        any(each.condition in ("task", "thread") for each in occurrence.iter_circumstances())
        or not occurrence.is_possible()
    ):
        return False
    return not any(_reports_progress(each.find_own_trace(trace), each.event) for each in occurrence.iter_outwards())


def _reports_progress(trace: Trace, waiting: Event) -> bool:
    """Return whether a function tells the client how far it is, or may: by what it calls, whatever its description says.

    What another branch tells, as of a dispatcher for another tool, tells nothing of what is waited for.
    """
    told = (each for each in trace.events if isinstance(each, Called | Entered) and _may_tell(each))
    return any(not exclude(each, waiting) for each in told) or (
        "reports progress" in trace.acts and not any(map(_may_tell, trace.events))
    )


def _may_tell(event: Event) -> bool:
    if isinstance(event, Entered):
        return "reports progress" in event.trace.acts
    return isinstance(event, Called) and TELLING.search(str(event.text)) is not None


def _find_polling_loop(occurrence: Occurrence, sleep: Called) -> LoopSite | None:
    """Return the loop between whose rounds a sleep lies, if it ends when something is done; None if that is no such loop."""
    around = next(iter_loops_around(occurrence), None)
    if around is None or is_brief(sleep):
        return None
    for each in occurrence.iter_circumstances():
        if each is around.context:
            break
        if each.condition == "handles":
            return None
    loop, code = around.loop, around.loop.code
    named = f"{code.owner}.{code.name}".encode()
    is_again = AGAIN.search(named) or AGAIN.search(code.source.data, loop.at.start, loop.at.end)
    return loop if is_again is None and _ends_when_done(loop, around.context) else None


def is_brief(sleep: Event) -> bool:
    """Return whether a sleep is certainly short, as between two attempts to reach a port that opens soon."""
    time = sleep.find_argument(0, "seconds", "secs", "delay") if isinstance(sleep, Called) else None
    return time is not None and infer_interval(time, sleep.facts).high < SHORT


def _is_long_pause(sleep: Called) -> bool:
    """Return whether a sleep is certainly long, and not a pause before a retry."""
    time = sleep.find_argument(0, "seconds", "secs", "delay")
    code = sleep.code
    is_again = AGAIN.search(code.source.data, code.at.start, code.at.end) is not None
    is_error_boundary = any(each.condition in ("handles", "task", "thread") for each in sleep.iter_outwards())
    return (
        time is not None and infer_interval(time, sleep.facts).low >= LONG_PAUSE and not (is_again or is_error_boundary)
    )


def _ends_when_done(loop: LoopSite, context: Context) -> bool:
    """Return whether a loop may be left before its end, and goes through no elements of a sequence."""
    over = context.value
    if over is not None and not (isinstance(over.meaning, Made) and over.meaning.by == "counted"):
        return False
    bodies = (each for each in iter_statements(loop.code.body) if isinstance(each, Loop) and each.at == loop.at)
    return any(
        isinstance(inner, Return) or (isinstance(inner, Break) and inner.label is each.label)
        for each in bodies
        for inner in iter_statements(each.body)
    )


def _looks_at_clock(event: Called, program: Program) -> bool:
    """Return whether a call only measures time, or counts."""
    model = program.models.get_model(event.path)
    return "time" in model.labels or model.returns in ("number", "numbers", "counting")
