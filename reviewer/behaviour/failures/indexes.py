"""Parts of lists and entries of tables that are taken at a place which may lie outside."""

from collections.abc import Iterator

from reviewer.behaviour.arguments.inputs import CLIENTS, find_measured, find_origin, is_given, locate_input
from reviewer.behaviour.failures.panicking import collect_panicking_steps
from reviewer.behaviour.failures.slices import cut_of
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.checks import CheckedStep, asks_presence, iter_parts
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Indexed, Occurrence, Trace
from reviewer.code.library_types import find_type_names, find_types
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import (
    COUNT,
    ConditionalValue,
    Instance,
    Label,
    Library,
    Made,
    Relation,
    Value,
    strip_negations,
)

ARRAYS = frozenset({"list"})
"""What is as long as its type or its literal says. The compiler knows that, but not which place of it a call names."""

FEW = frozenset({"u8", "i8", "bool"})
"""The types whose values are so few that a table has a place for each."""

TABLE = "table of JSON"


def iter_indexes(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the places that nothing checked; `about` is the input that decides, None if that is not seen."""
    for step in collect_panicking_steps(trace, program):
        taken = _find_taken(step, program)
        if taken is None:
            continue
        owner, places = taken
        kinds = _collect_kinds(step, owner)
        may_panic = bool(kinds) and any(
            kinds <= each for each in (find_type_names("panics outside"), _get_maps(), ARRAYS)
        )
        if not may_panic or _is_checked(step, owner, places, program.models):
            continue
        here = step.occurrence
        label = next(filter(None, (_find_decider(here, each, program) for each in places)), None) or find_origin(
            here, owner, program
        )
        if kinds <= _get_maps():
            # what a client sends has the entries that it likes, and a table of the server's own those that it put there
            is_sent = label is not None and label.origin in CLIENTS
            is_open = is_sent or all(each.constants is None for each in places)
        elif kinds <= ARRAYS:
            is_open = label is not None and any(_is_one_of_many(here, each, program) for each in places)
        elif isinstance(step.event, Called) and find_modelled_return(step.event, program.models) == "appended":
            # something can be put before the first of any list
            is_open = any(_find_decider(here, each, program) for each in places)
        else:
            is_open = all(_is_number(here, each) for each in places) or any(
                _find_decider(here, each, program) for each in places
            )
        if is_open:
            yield RunFinding("indexes", here, about=locate_input(trace, step.event, label))


def _find_taken(step: CheckedStep, program: Program) -> tuple[Value, tuple[Value, ...]] | None:
    """Return the sequence that an event indexes or slices, and the positions, except the beginning; None for other
    events.
    """
    event = step.event
    if isinstance(event, Indexed):
        return event.owner, (event.key,)
    if isinstance(event, Called) and event.path.rpartition(".")[2] == "truncate":
        return None  # a list that is shorter stays as it is
    found = cut_of(step, program)
    if found is None:
        return None
    owner, places = found
    asked = tuple(each for each in places if step.occurrence.trace_source(each)[1].constant != (int, 0))
    return (owner, asked or places[:1]) if isinstance(event, Called) or asked else None


def _collect_kinds(step: CheckedStep, owner: Value) -> frozenset[str]:
    _, value = step.occurrence.trace_source(owner)
    things = [each.of for each in value.things if isinstance(each, Instance)]
    return frozenset(_get_kind(each.path) if isinstance(each, Library) else "" for each in things)


def _get_maps() -> frozenset[str]:
    """Return the last names of the types of maps whose index operator panics if a key is missing."""
    return find_type_names("panics without") | {TABLE}


def _get_kind(path: str) -> str:
    return TABLE if path in find_types("object of JSON") else path.rpartition(".")[2]


def _is_number(here: Occurrence, value: Value) -> bool:
    _, value = here.trace_source(value)
    return value.constants is not None and all(kind is int for kind, _ in value.constants)


def _is_one_of_many(here: Occurrence, place: Value, program: Program) -> bool:
    """Return whether a call names a place by a number: neither one of a few words, nor one of a type that has few values."""
    label = _find_decider(here, place, program)
    _, place = here.trace_source(place)
    kinds = [each.of for each in place.things if isinstance(each, Instance)]
    is_number = bool(kinds) and all(isinstance(each, Library) and _get_kind(each.path) not in FEW for each in kinds)
    return label is not None and label.origin in CLIENTS and is_number


def _find_decider(here: Occurrence, value: Value, program: Program, deep: int = 8) -> Label | None:
    """Return the argument that a place is computed of, with constants alone; None if it has to do with anything else."""
    here, value = here.trace_source(value)
    if is_given(here, value):
        return find_origin(here, value, program)
    match value.meaning if deep else None:
        case Made(by, of) if by in ("+", "-", "*", "/", "//"):
            inner = of
        case ConditionalValue(_, then, otherwise):
            inner = tuple(each for each in (then, otherwise) if each.constant != (type(None), None))
        case _:
            return find_origin(here, value, program) if value.constants is None else None
    asked = [each for each in inner if not _is_number(here, each)]
    found = [_find_decider(here, each, program, deep - 1) for each in asked]
    return found[0] if found and all(each is not None for each in found) else None


def _is_checked(step: CheckedStep, owner: Value, places: tuple[Value, ...], models: Models) -> bool:
    """Return whether a position is certainly within range, or was checked in a way that is not followed.

    A test that it is not greater than the length does not count: that allows the position after the last.
    """
    facts = step.event.facts
    fact = facts.get(("length", owner.term))
    known = fact.interval if fact is not None else COUNT
    if known.low > max(infer_interval(each, facts).high for each in places):
        return True
    _, first = step.occurrence.trace_source(places[0])
    is_fixed = any("fixed length" in models.get_maker_model(each).traits for each in iter_parts(owner))
    if is_fixed or (first.constant == (int, 0) and _has_piece(step, owner, models)):
        return True
    spoken_of = (owner,) if _collect_kinds(step, owner) <= _get_maps() else (owner, *places)
    lenient = ("<", ("length", owner.term), places[0].term) if isinstance(step.event, Indexed) else None

    def tells(test: Value) -> bool:
        return _tells_bounds(test) and strip_negations(test)[0].term != lenient

    return any(step.was_asked(each, tells) for each in spoken_of if each.constants is None)


def _has_piece(step: CheckedStep, value: Value, models: Models) -> bool:
    """Return whether a list holds the pieces of a text that was divided, of which there is one at least."""
    for _ in range(DEEPEST):
        maker = step.find_maker(value)
        if maker is None:
            handed = step.find_handover(value)
            return handed is not None and _has_piece(*handed, models)
        traits = models.get_model(maker.path).traits
        if "one or more" in traits:
            return True
        if "same length" not in traits or maker.receiver is None:
            return False
        value = maker.receiver
    return False


DEEPEST = 6
"""How many methods lie between a text and a list of its pieces. Nobody wrote more."""


def _tells_bounds(test: Value) -> bool:
    """Return whether a condition may tell that a place lies within: it asks more than whether it is there, or the first."""
    if asks_presence(test):
        return False
    asked, _ = strip_negations(test)
    match asked.meaning:
        case Relation("<" | "<=" | "==", left, Value() as right):
            return not any(
                _is_first(one) and find_measured(other) is None for one, other in ((left, right), (right, left))
            )
    return True


def _is_first(value: Value) -> bool:
    """Return whether a value is the number of the first place, counted from 0 or from 1."""
    return value.constant in ((int, 0), (int, 1))
