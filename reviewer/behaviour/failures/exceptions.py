"""The exceptions that leave a handler, and those of them that are errors of the protocol."""

from collections.abc import Iterator, Sequence

from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.serializing import is_of_serializing
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Entered, Event, Occurrence, Raised, Returned, Trace
from reviewer.code.kinds import collect_kinds, is_caught, iter_ancestors
from reviewer.code.program import Program, find_once
from reviewer.code.values import Class, ConditionalValue, Library, Made, Plain, Term, Value, find_original_term
from reviewer.source import Text


def iter_raised(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the exceptions that leave a handler, each with its class, where they are raised first."""
    for each, value in _iter_exceptions(trace):
        for kind in collect_kinds(value):
            if leaves(program, each, kind):
                name = kind.name if isinstance(kind, Class) else kind.path.rpartition(".")[2]
                yield RunFinding("raises", each, about=Text(name, each.event.text.span))


def _iter_exceptions(trace: Trace) -> Iterator[tuple[Occurrence, Value]]:
    for each in trace.iter_occurrences(kinds=(Raised,)):
        if isinstance(each.event, Raised) and each.event.value is not None:
            yield each, each.event.value


def leaves(program: Program, occurrence: Occurrence, kind: Class | Library) -> bool:
    """Return whether an exception of a class that is raised somewhere leaves the handler: nothing on the way takes it."""
    return not any(
        each.condition == "task" or is_caught(program, each, kind) for each in occurrence.iter_circumstances()
    )


def iter_protocol_errors(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the errors of the protocol that leave a handler: those that tell of a failure, and of a call that cannot be made."""
    for each, value in _iter_exceptions(trace):
        for kind in collect_kinds(value):
            if _is_protocol_error(program, kind) and leaves(program, each, kind):
                is_failure = _tells_failure(_get_code_of(trace, program, value), each.is_under("handles"))
                yield RunFinding("fails protocol" if is_failure else "is protocol's", each)
    failed = collect_made_failures(trace, WRAPPED) if "protocol error" in trace.acts else set()
    for each in trace.iter_occurrences(_may_fail, kinds=(Called,)) if failed else ():
        if isinstance(each.event, Called) and each.event.result.term in failed:
            if any(is_of_serializing(each, value, trace, program) for value in each.event.values):
                continue
            if _is_failure(each, program):
                yield RunFinding("fails protocol", each)
            elif "protocol error" in collect_acts(each.event, program.models):
                yield RunFinding("is protocol's", each)


def _may_fail(event: Entered, _: object) -> bool:
    return "protocol error" in event.trace.acts


WRAPPED = 3
"""How many errors are put around one another, as in `Err(anyhow!(McpError::new(..)).context(..))`."""


def collect_made_failures(trace: Trace, deep: int = 0) -> set[Term]:
    """Return why a handler may fail, each as the function has it that makes it, also within `deep` others around it."""
    returned = (event.value for event in trace.events if isinstance(event, Returned))
    return {
        find_original_term(each.term)
        for value in returned
        for failed in iter_failures(value)
        for each in _iter_within(failed, deep)
    }


def _iter_within(value: Value, deep: int) -> Iterator[Value]:
    """Yield an error, and those that it was made of: `error.into()`, `anyhow!(error)`, `Failed(error)`."""
    yield value
    made = value.meaning.of if isinstance(value.meaning, Made) else ()
    for each in (*made, *(value.contents or {}).values()) if deep else ():
        yield from _iter_within(each, deep - 1)


def iter_failures(value: Value) -> Iterator[Value]:
    """Yield why a function fails that may return a value."""
    if value.failure is not None:
        yield value.failure
    if isinstance(value.meaning, ConditionalValue):
        yield from iter_failures(value.meaning.then)
        yield from iter_failures(value.meaning.otherwise)


def _is_failure(occurrence: Occurrence, program: Program) -> bool:
    """Return whether a call makes an error of the protocol that tells of a failure."""
    event = occurrence.event
    assert isinstance(event, Called)
    acts = collect_acts(event, program.models)
    if "internal error" in acts:
        return True
    code = _get_code_in(event.arguments[0]) if "protocol error" in acts and event.arguments else None
    return _tells_failure(code, any(each.origin == "exception" for value in event.values for each in value.labels))


def _is_protocol_error(program: Program, kind: Class | Library) -> bool:
    models = (
        program.models.find_model(each.path) for each in iter_ancestors(program, kind) if isinstance(each, Library)
    )
    return any(model is not None and "protocol error" in model.acts for model in models)


CODES = {"INTERNAL_ERROR": -32603, "PARSE_ERROR": -32700}
"""The codes of JSON-RPC by which a server says that it failed itself, by the names that SDKs have for them."""

FREE = range(-32099, -31999)
"""The codes that each server gives a meaning of its own."""

TAKEN = (-32002, -32003, -32042)
"""Those of them that the protocol gives a meaning: no such resource, what a client cannot do, an address to be opened first."""


def _tells_failure(code: Plain, caught: bool) -> bool:
    """Return whether a code says that the server failed; one of its own does where an exception was caught."""
    return code in CODES.values() or (caught and code in FREE and code not in TAKEN)


def _get_code_of(trace: Trace, program: Program, error: Value) -> Plain:
    """Return the code that an error is made with: itself, or what describes it; None if it is not known."""
    if error.contents is not None:
        return _get_code_in(error)
    begun = [each.event for each in find_initial_calls(trace, program, error) if isinstance(each.event, Called)]
    begun = [each for each in begun if each.arguments or each.named]
    given = [value for each in begun for value in (each.find_argument(0, "error", "code"),) if value is not None]
    return _get_code_in(given[0]) if len(given) == 1 else None


def _get_code_in(value: Value) -> Plain:
    held = value.contents or {}
    inner = held.get(("code",)) or held.get(("error",)) or held.get(("0",))
    if inner is not None:
        return _get_code_in(inner)
    if value.constant is not None:
        return value.constant[1]
    if isinstance(value.meaning, Made) and len(value.meaning.of) == 1:
        return _get_code_in(value.meaning.of[0])  # a type of its own around the number: `ErrorCode(-32603)`
    names = [each.path.rpartition(".")[2] for each in value.things if isinstance(each, Library)]
    return CODES.get(names[0]) if len(names) == 1 else None


def find_initial_calls(trace: Trace, program: Program, error: Value) -> Sequence[Occurrence]:
    """Return where an object of a project's class has its library's base made: `super().__init__(..)`."""
    return find_once(program, trace, "initial calls", lambda: _collect_initial_calls(trace, program)).get(
        find_original_term(error.term), ()
    )


def _collect_initial_calls(trace: Trace, program: Program) -> dict[Term, list[Occurrence]]:
    """Return all such calls, by what is made."""
    found: dict[Term, list[Occurrence]] = {}
    for each in trace.iter_matching(_is_initial, program, kinds=(Called,)):
        caller = each.caller
        if caller is not None:
            found.setdefault(("new", caller.event.code, caller.event.at), []).append(each)
    return found


def _is_initial(event: Event, _program: Program) -> bool:
    return isinstance(event, Called) and event.path.endswith(".__init__")
