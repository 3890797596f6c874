"""The clients that a notification goes to: those in a field of an object, and whether any code puts one there."""

from collections.abc import Iterator

from reviewer.behaviour.progress.loops import iter_loops_around
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code import ir
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Occurrence, Returned, Stored, Trace
from reviewer.code.models import Models
from reviewer.code.values import ELEMENT, ConditionalValue, Made, Value, find_original_term

DEEPEST = 12
"""How many steps a list is followed to the field that it is read from: `self.peers.lock().unwrap().clone()` has four."""

READING = frozenset({
    "receiver", "cloned", "copied", "guarded", "elements", "collected", "values", "keys", "entries", "entry", "element", "nth",
    "found", "length", "empty", "contains", "numbered", "sorted", "turned", "filtered", "truth", "taken", "cut", "skipped",
    "between", "mapped", "flat mapped", "flattened", "tested", "text", "place",
    "sure", "present", "absent", "succeeded", "failed", "or else", "or call", "or failure", "failing by", "without reason",
    "reason", "reason told", "then", "then or",
})  # fmt: skip
"""What models call functions that put nothing into what they are called on: a closure that they call is looked into."""

EMPTYING = frozenset({"removed", "emptied", "retained", "drained", "split off", "shortened"})
"""What models call functions by which less is in it afterwards."""


def find_audience(sending: Occurrence) -> str:
    """Return the name of the field over whose elements the innermost loop around a notification goes; empty if it is none."""
    for around in iter_loops_around(sending):
        looped = around.context.value
        return _find_field(around.inner, looped) if looped is not None else ""
    return ""


def _find_field(here: Occurrence, value: Value) -> str:
    """Return the name of the field of an object that a list is read from; empty if it is from none that is seen."""
    return next((name for each in _iter_sources(here, value) if (name := _get_field_name(each))), "")


def _get_field_name(value: Value) -> str:
    """Return the name of the field that a value is, or that a constructor puts it into; empty if it is none."""
    match value.meaning:
        case Made(by, (_,)) if is_field(value):
            return by[1:]
    match find_original_term(value.term):
        case ("new", ir.Code() as code, ir.Site() as at):
            for each in ir.iter_statements(code.body):
                match each:
                    case ir.Store(place=ir.Field(name=name), value=made) if made.at == at:
                        return name
    return ""


def _iter_sources(here: Occurrence, value: Value) -> Iterator[Value]:
    """Yield a value and what it was read from, step by step."""
    for _ in range(DEEPEST):
        here, value = here.trace_source(value)
        yield value
        match value.meaning:
            case Made("element" | "item" | "length", _):
                return  # no container any more
            case Made(_, (first, *_)):
                value = first
            case ConditionalValue(then=then):
                value = then  # what a lock guards, whose holder panicked or not
            case _:
                return


def is_never_filled(name: str, functions: EntryPoints) -> bool:
    """Return whether nothing calls the functions that put something into the fields of a name, or hand them on."""
    models, is_put = functions.program.models, False
    for each in functions.iter_leading(frozenset({name}), None):
        if _may_fill(each.trace, name, models):
            if each.is_called:
                return False
            is_put = True
    return is_put


def _may_fill(trace: Trace, name: str, models: Models) -> bool:
    """Return whether a function, or what it calls, may put something into a field of a name."""
    for here in trace.iter_occurrences(kinds=(Called, Stored, Returned)):
        event = here.event
        match event:
            case Stored(owner=owner, key=key, value=value):
                is_written = key is not None and key.text == name and not _is_empty(value, DEEPEST)
                if is_written or _is_of_field(here, owner, name):
                    return True
            case Returned(value=value):
                held = (value.contents or {}).get((name,))
                if (held is not None and not _is_empty(held, DEEPEST)) or _get_field_name(value) == name:
                    return True
            case Called(followed=False):
                returns = find_modelled_return(event, models)
                is_known = models.find_model(event.path) is not None and returns in READING | EMPTYING
                if not is_known and any(_is_of_field(here, each, name) for each in event.values):
                    return True
    return False


def _is_of_field(here: Occurrence, value: Value, name: str) -> bool:
    return any(_get_field_name(each) == name for each in _iter_sources(here, value))


def _is_empty(value: Value, deep: int) -> bool:
    """Return whether a value is a container in which nothing is, or what guards one."""
    held = value.contents
    if held is None:
        return not value.labels and value.meaning is None and bool(value.things)
    return deep > 0 and ELEMENT not in held and all(_is_empty(each, deep - 1) for each in held.values())
