"""Of what shape the answers are that actions hand to a guard."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.answer_size.envelopes import collect_entries
from reviewer.behaviour.fields.asked_fields import collect_call_path, find_codes_at, iter_calls
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Called, Occurrence, Returned, Trace
from reviewer.code.library_types import find_types
from reviewer.code.program import Program
from reviewer.code.values import ABSENT, ELEMENT, Function, Instance, Library, Value
from reviewer.facts import AnswerPage, Dispatch, Guard, Handler
from reviewer.source import Span


def iter_answer_pages(
    functions: EntryPoints, guards: Iterable[Guard], dispatches: Iterable[Dispatch]
) -> Iterator[AnswerPage]:
    """Yield the values that arms of dispatches pass to a guard, where their shape is known."""
    bounding = find_codes_at(functions, guards)
    found: dict[tuple[str, Span], AnswerPage] = {}
    for dispatch in dispatches if bounding else ():
        for arm in dispatch.arms:
            trace, is_guarded = functions.trace(arm.span), False
            for here, event in iter_calls(trace) if trace is not None else ():
                is_guard = any(isinstance(each, Function) and each.code in bounding for each in event.callee.things)
                if is_guard and any(_find_arm_at(dispatch, each.text.span) is arm for each in collect_call_path(here)):
                    is_guarded = True
                    for value in _iter_answers(here, event):
                        page = _find_page(str(arm.name), here, value, functions.program)
                        if page is not None:
                            found.setdefault((page.action, page.text.span), page)
            for here, value in _iter_given_back(arm, trace) if trace is not None and not is_guarded else ():
                page = _find_page(str(arm.name), here, value, functions.program)
                if page is not None:
                    found.setdefault((page.action, page.text.span), page)
    yield from found.values()


def _iter_given_back(arm: Handler, trace: Trace) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the values that an arm returns to its dispatcher, which passes them to the guard for all arms."""
    for each in trace.events:
        if isinstance(each, Returned) and arm.span.holds(each.text.span):
            here = Occurrence(each)
            _, value = here.trace_source(each.value)
            yield from ((here, way) for way in (value.ways or (value,)) if way.failure is None)


def _find_arm_at(dispatch: Dispatch, place: Span) -> Handler | None:
    """Return the arm that a place lies in: the innermost, since one may hold those that are asked for where it is not chosen."""
    holding = [each for each in dispatch.arms if each.span.holds(place)]
    return max(holding, key=lambda each: (each.span.line, each.span.column), default=None)


def _iter_answers(here: Occurrence, event: Called) -> Iterator[Value]:
    """Yield the values that a guard may receive as the answer: its second argument."""
    if len(event.arguments) > 1:
        _, value = here.trace_source(event.arguments[1])
        yield from value.ways or (value,)


def _find_page(action: str, here: Occurrence, value: Value, program: Program) -> AnswerPage | None:
    entries = collect_entries(value, program)
    held = value.contents or {}
    text = here.event.text
    if any(_is_sequence(each) for each in value.things) or (held and all(isinstance(key, int) for key in held)):
        return AnswerPage(action, text)
    is_object = any(isinstance(each, Instance) for each in value.things)
    if not is_object or not entries or ELEMENT in held:
        return None
    empty = frozenset(key for key, each in entries.items() if each.constants == ABSENT)
    return AnswerPage(action, text, frozenset(entries), empty)


def _is_sequence(thing: object) -> bool:
    return isinstance(thing, Instance) and isinstance(thing.of, Library) and thing.of.path in find_types("array")
