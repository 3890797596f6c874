"""Loops that wait in each round and go on when the call is cancelled, though its token is handed in."""

import re
from collections.abc import Iterator

from reviewer.behaviour.findings import Finding
from reviewer.behaviour.lifetimes import STOPPING
from reviewer.behaviour.names import parts_of
from reviewer.behaviour.rounds import Round, loops_around
from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.ir import Code, Parameter
from reviewer.code.program import Program
from reviewer.code.values import Class, Library, Thing, Value

TOKENS = frozenset({"RequestContext", "CancellationToken", "CancelToken"})
"""The types that tell whether a call is cancelled: rmcp's context, tokio's token, and what servers call one of their own."""

CANCELLING = frozenset({"ct", "token", "cancel", "cancelled", "canceled", "cancellation"})
"""Words of the fields that hold a token."""


def unheeded_rounds(trace: Trace, program: Program) -> Iterator[Finding]:
    """Yield the outermost loops that wait for time to pass and look at no token, in functions that are handed one.

    `about` is the type of the parameter by which it is. Where an exception ends what waits, no loop needs to look.
    """
    if program.raises or "sleeps" not in trace.acts or not trace.reaches(_takes_token, program):
        return
    waiting: dict[Round, Occurrence] = {}
    heeding: set[Round] = set()
    for each in trace.occurrences():
        acts = frozenset(acts_of(each.event, program.models)) if isinstance(each.event, Called) else frozenset()
        if _heeds(each, acts, program):
            if "waits" in acts:
                return  # whatever is done at the same time ends with it
            heeding.update(loop.round for loop in loops_around(each))
        elif acts >= {"sleeps", "waits"} and each.is_possible() and not each.is_under("task"):
            for outermost in list(loops_around(each))[-1:]:
                waiting.setdefault(outermost.round, outermost.inner)
    for loop, each in waiting.items():
        token = _token(_around(each).event.code, program)
        if token is not None and token.type is not None and loop not in heeding:
            about = _around(each).event.code.text(token.type.at)
            yield Finding("ignores cancellation", each, loop.code.text(loop.at), about)


def _takes_token(trace: Trace, program: Program) -> bool:
    return _token(trace.code, program) is not None


def _around(occurrence: Occurrence) -> Occurrence:
    """Return the event of the function, and no closure, that an event is done in."""
    while occurrence.event.code.kind in ("closure", "async block") and occurrence.caller is not None:
        occurrence = occurrence.caller
    return occurrence


def _token(code: Code, program: Program) -> Parameter | None:
    """Return the parameter by which a function is handed a token."""
    return next((each for each in code.parameters if _holds_token(each, code, program)), None)


def _holds_token(parameter: Parameter, code: Code, program: Program) -> bool:
    """Return whether a parameter is a token, or an object of the project's that has one."""
    if parameter.type is None:
        return False
    made = program.typed(parameter.type, code)
    if made is None:
        return not TOKENS.isdisjoint(re.findall(r"\w+", parameter.type.text))
    names = program.fields(made.of) if isinstance(made.of, Class) else ()
    held = (program.field_type(made, each) for each in names)
    return _is_token_type(made.of) or any(each is not None and _is_token_type(each.of) for each in held)


def _is_token_type(kind: Thing) -> bool:
    name = kind.path.rpartition(".")[2] if isinstance(kind, Library) else kind.name if isinstance(kind, Class) else ""
    return name in TOKENS


def _heeds(occurrence: Occurrence, acts: frozenset[str], program: Program) -> bool:
    """Return whether a call looks at the token, or is handed it by code that nobody can read."""
    event = occurrence.event
    if not isinstance(event, Called):
        return False
    if "heeds cancellation" in acts:
        return event.receiver is None or not _is_made_here(occurrence, event.receiver, program)
    if event.followed:
        return False
    is_unread = program.models.of(event.path) is None
    return STOPPING.search(str(event.text)) is not None or (
        is_unread and any(_is_token(occurrence, each, program) for each in event.values)
    )


def _is_made_here(occurrence: Occurrence, value: Value, program: Program) -> bool:
    """Return whether a token was made for this call, so that no client's cancellation comes to it."""
    _, value = occurrence.source(value)
    return program.models.made(value).returns == "new"


def _is_token(occurrence: Occurrence, value: Value, program: Program) -> bool:
    """Return whether a value is a token that a client cancels, or the object that holds it."""
    here, value = occurrence.source(value)
    term = value.term
    if isinstance(term, tuple) and term[0] == "field" and not CANCELLING.isdisjoint(parts_of(str(term[2]))):
        term = term[1]
    token = _token(here.event.code, program)
    return token is not None and term == ("argument", token.name)
