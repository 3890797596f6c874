"""Functions that are handed over to be called at each change: whether the project keeps them, or lets them go."""

from collections.abc import Iterator
from typing import Literal

from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Called, Entered, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.values import Function, Value

ListenerFate = Literal["kept", "lost"]

PUTTING = frozenset({"appended", "extended", "written", "kept entry", "inserted"})
"""What models call functions that put something into a container."""


def classify_keeping(code: Code, functions: EntryPoints) -> ListenerFate | None:
    """Return how a function is kept that is only passed on by its name or as a lambda.

    It is `kept` if the project only stores it, `lost` if it is passed to functions that ignore it, and None if it is
    called, or unseen code has it, which may call it at any time.
    """
    found: set[ListenerFate] = set()
    for trace in _iter_handing_traces(code, functions):
        for here in trace.iter_occurrences():
            became = _classify_use(here, code, functions.program.models)
            if became == "open":
                return None
            if became is not None:
                found.add(became)
    return "kept" if "kept" in found else "lost" if found else None


def _iter_handing_traces(code: Code, functions: EntryPoints) -> Iterator[Trace]:
    """Yield the traces of functions that may pass a function on."""
    if code.kind != "closure":
        yield from functions.iter_traces_around(code.name)
        return
    trace = functions.trace_nearby(code.extract_text(code.at).span)
    if trace is not None:
        yield trace


def _classify_use(here: Occurrence, code: Code, models: Models) -> ListenerFate | Literal["open"] | None:
    """Return how an event keeps a function; None if it does nothing with it, or passes it to code that is
    followed.
    """
    match here.event:
        case Entered(trace=trace) if _is_same(trace.code, code):
            return "open"
        case Stored(value=value) if _is_function_of(value, code):
            return "kept"
        case Returned(value=value) if here.caller is None and _is_function_of(value, code):
            return "open"
        case Called(followed=False, callee=callee) as event:
            if _is_function_of(callee, code):
                return "open"
            if not any(_is_function_of(each, code) for each in event.values) or _is_function_of(event.result, code):
                return None  # what gives it goes on with it: `Box::new`
            if callee.things and all(isinstance(each, Function) for each in callee.things):
                return "lost"  # the project's own does nothing with it
            return "kept" if find_modelled_return(event, models) in PUTTING else "open"
        case Called(followed=True) as event if any(_is_function_of(each, code) for each in event.values):
            return "lost"  # unless what it is handed to keeps it
    return None


def _is_function_of(value: Value, code: Code) -> bool:
    return any(isinstance(each, Function) and _is_same(each.code, code) for each in value.things)


def _is_same(one: Code, other: Code) -> bool:
    return one is other or (one.source.path, one.at) == (other.source.path, other.at)
