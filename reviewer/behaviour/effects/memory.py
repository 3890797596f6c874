"""What a call changes in memory that other calls see: what a lock guards, a field of the server. Counters are left out."""

from collections.abc import Iterator

from reviewer.behaviour.effects.changes import ASIDE
from reviewer.behaviour.effects.possible_changes import DEEPEST, LOCKING, MUTATING, is_of_before
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Event, Occurrence, Stored, Trace
from reviewer.code.program import Program
from reviewer.code.values import Value
from reviewer.source import Text

SHARED = frozenset({"parameter", "global", "captured", "made with"})
"""How the terms begin of what other calls have as well. What a client sends is each call's own."""

HOUSEKEEPING = ASIDE | frozenset(
    "count counter counters hits calls sequence seq tracker tracking progress last recent usage pending inflight buffer buffers "
    "pool sessions session index indexed client clients connection connections".split()
)
"""Words of fields by which a server keeps house: no client asks for them, and reading may change them."""


def iter_memory_changes(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where what is there after the call for all others is changed."""
    for each in trace.iter_matching(_changes, program, kinds=(Called, Stored)):
        owner = _find_changed_value(each.event, program)
        if owner is not None and not _keeps_house(each, owner):
            heads = SHARED | {"argument"} if _is_locked(each, owner, trace, program) else SHARED
            if is_of_before(each, owner, program, heads):
                name, text = _find_name(each, owner), each.event.text
                yield RunFinding("changes memory", each, about=Text(name, text.span) if name is not None else None)


def _is_locked(here: Occurrence, owner: Value, trace: Trace, program: Program) -> bool:
    """Return whether a lock guards what is changed: others have it as well, also where it is handed over with a call."""
    calls = (each for each in here.find_own_trace(trace).events if isinstance(each, Called))
    locks = (each for each in calls if not LOCKING.isdisjoint(collect_acts(each, program.models)))
    guarded = {term for each in locks for term in (each.result.term, *(one.term for one in each.values))}
    return any(term in guarded for term in (owner.term, *_iter_around(here, owner)))


def _changes(event: Event, program: Program) -> bool:
    return _find_changed_value(event, program) is not None


def _find_changed_value(event: Event, program: Program) -> Value | None:
    """Return the value that an event changes; None if it changes none."""
    match event:
        case Stored(owner=owner):
            return owner
        case Called(receiver=Value() as receiver) if not event.followed and event.path:
            model = program.models.get_model(event.path)
            return receiver if "fills" in model.traits or model.returns in MUTATING else None
    return None


def _keeps_house(here: Occurrence, owner: Value) -> bool:
    """Return whether what is changed is called like something that no client asks for."""
    names = _collect_fields(here, owner)
    label = [each.name for each in here.resolve_labels(owner) if each.name]
    return any(split_words(each) & HOUSEKEEPING for each in (*names, *label, *_iter_written(here)))


def _collect_fields(here: Occurrence, owner: Value) -> list[str]:
    """Return the fields that an object was taken out of, the nearest first: what other calls change is known by these."""
    names: list[str] = []
    value: Value | None = here.trace_source(owner)[1]
    while value is not None and len(names) < 4:
        match value.term:
            case ("field", _, str() as name):
                names.append(name)
        value = next(iter(value.sources), None)
    return names


def _find_name(here: Occurrence, owner: Value) -> str | None:
    """Return by what memory is known in the runs of all tools: the field that it lies in, or which object of a module it is."""
    for term in _iter_around(here, owner):
        match term:
            case ("field", _, str() as name):
                return name
            case ("global", name):
                return f"object {name}"
    return None


def _iter_around(here: Occurrence, owner: Value) -> Iterator[object]:
    """Yield the term of an object, and those of what it was taken out of, the nearest first."""
    value: Value | None = here.trace_source(owner)[1]
    for _ in range(DEEPEST):
        if value is None:
            return
        term: object = value.term
        while isinstance(term, tuple) and term:
            yield term
            term = term[1] if len(term) > 1 else None
        value = next(iter(value.sources), None)


def _iter_written(here: Occurrence) -> Iterator[str]:
    """Yield the functions that a change is made by: `touch_cache` changes a cache whatever that is called."""
    yield from (each.event.code.name for each in here.iter_outwards() if each.caller is not None)
