"""Functions that choose by an action's name, and the functions that bound an answer."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.effects.handler_effects import KINDS, iter_effects
from reviewer.behaviour.serving.conversations import iter_holders
from reviewer.behaviour.values import tables
from reviewer.code import ir
from reviewer.code.events import Called, Tested, Trace
from reviewer.code.values import Term, Value
from reviewer.facts import Acts, Catalog, Dispatch, Guard, Handler
from reviewer.languages.catalogs import infer_domain
from reviewer.languages.lowering import to_site
from reviewer.languages.nodes import find_nearest_of_kinds
from reviewer.languages.typescript.behaviour.tracing import FunctionPlace, Handlers
from reviewer.languages.typescript.lowering.functions import find_name_node
from reviewer.languages.typescript.project.modules import ScriptModule
from reviewer.source import Text

GUARD = "respond"
"""The name of the function that bounds an answer, as the guideline has it."""

ACTION = "action"
"""The argument that an action's name is given in, as the guideline has it."""


def iter_guards(handlers: Handlers) -> Iterator[Guard]:
    """Yield the functions of the shape `respond(action, value)`."""
    for code in _iter_functions_in(handlers, GUARD.encode()):
        taken = [each for each in code.parameters if each.kind == "normal"]
        if code.name == GUARD and len(taken) > 1 and _returns_value(code):
            yield Guard(_locate_name(handlers, code), code.locate(code.at))


def iter_dispatches(handlers: Handlers, catalogs: Iterable[Catalog]) -> Iterator[Dispatch]:
    """Yield the functions that choose what they do by the names of actions, two of a catalog at least."""
    names = frozenset(str(action.name) for catalog in catalogs for action in catalog.actions)
    for code in _iter_functions_in(handlers, ACTION.encode()) if len(names) > 1 else ():
        if code.kind == "module" or ACTION.encode() not in code.source.data[code.at.start : code.at.end]:
            continue
        if _count_tests(code) < 2 and not tables.calls_values(code):
            continue
        place = handlers.place_at(code.locate(code.at))
        if place is None or handlers.find_code(place) is not code:
            continue
        trace = handlers.trace_of(place)
        found = _Choices(trace, names)
        arms = [*_iter_branches(handlers, place, found), *_iter_rows(handlers, trace, names)]
        if len(names & {str(arm.name) for arm in arms}) > 1:
            yield Dispatch(
                _locate_name(handlers, code),
                code.locate(code.at),
                tuple(arms),
                infer_domain(code.source.path),
                found.is_open(arms),
            )


class _Choices:
    """The tests of a function that compare one value with the names of actions."""

    def __init__(self, trace: Trace, names: frozenset[str]) -> None:
        self.trace = trace
        asked: dict[ir.Site, list[tuple[Term, str]]] = {}
        for event in trace.events:
            if isinstance(event, Tested) and event.code is trace.code:
                asked.setdefault(event.at, []).extend(_iter_compared(event.value))
        self.subjects = {term for each in asked.values() for term, text in each if text in names}
        self._asked = asked

    def iter_branches(self) -> Iterator[tuple[str, ir.Site]]:
        """Yield the names for which a branch is run, each with the test that chooses it."""
        for each in ir.iter_statements(self.trace.code.body):
            told = self._asked.get(each.at, ()) if isinstance(each, ir.If) else ()
            for name in dict.fromkeys(text for term, text in told if term in self.subjects):
                yield name, each.at

    def is_open(self, arms: list[Handler]) -> bool:
        """Return whether other code is handed the action, which may answer names that no arm has."""
        return any(
            isinstance(each, Called)
            and each.code is self.trace.code
            and not any(arm.span.holds(each.text.span) for arm in arms)
            and any(value.term in self.subjects for value in each.values)
            for each in self.trace.events
        )


def _iter_compared(value: Value) -> Iterator[tuple[Term, str]]:
    """Yield the action that a test is about, with each text that it is compared with."""
    for each in iter_relations(value):
        if each.right is None or not _is_action(each.left):
            continue
        if each.operator == "==" and each.right.text is not None:
            yield each.left.term, each.right.text
        elif each.operator == "in":
            for text in sorted(_list_texts(each.right)):
                yield each.left.term, text


def _list_texts(several: Value) -> list[str]:
    held = several.contents or {}
    return [each.text for each in held.values() if each.text is not None]


def _is_action(value: Value) -> bool:
    """Return whether a value is an argument, or a part of an object, that is called `action`."""
    return value.term == ("argument", ACTION) or any(True for _ in iter_holders(value, ACTION))


def _iter_branches(handlers: Handlers, place: FunctionPlace, found: _Choices) -> Iterator[Handler]:
    source = found.trace.code.source
    for name, test in found.iter_branches():
        within = _find_branch(place.module, test)
        if within is not None:
            span, acts = source.stretch(within.start, within.end), _collect_acts(handlers, place, within)
            yield Handler(Text(name, source.stretch(test.start, test.end)), span, acts=acts)


def _find_branch(module: ScriptModule, test: ir.Site) -> ir.Site | None:
    """Return the part that is run where a test holds: a case of a `switch`, or the first side of an `if` or of `?:`."""
    last = module.root.descendant_for_byte_range(max(test.start, test.end - 1), test.end)
    chosen = find_nearest_of_kinds(last, "switch_case", "if_statement", "ternary_expression")
    side = chosen.child_by_field_name("consequence") if chosen is not None else None
    return to_site(side or chosen) if chosen is not None else None


def _collect_acts(handlers: Handlers, place: FunctionPlace, within: ir.Site) -> Acts:
    return Acts(lambda kinds: iter_effects(handlers.trace_of(place), handlers.program, kinds & KINDS, within))


def _iter_rows(handlers: Handlers, trace: Trace, names: frozenset[str]) -> Iterator[Handler]:
    """Yield the functions that are looked up by the name of an action in a table."""
    rows = tables.collect_rows(trace)
    for name, row in rows.items() if len(names & rows.keys()) > 1 else ():
        span = row.code.locate(row.code.at)
        place = handlers.place_at(span)
        written = tables.locate_row(trace.code.source, name, row) or tables.locate_row(row.code.source, name, row)
        if place is not None:
            yield Handler(Text(name, written or span), span, acts=_collect_acts(handlers, place, row.code.at))


def _count_tests(code: ir.Code) -> int:
    return sum(1 for each in ir.iter_statements(code.body) if isinstance(each, ir.If))


def _iter_functions_in(handlers: Handlers, word: bytes) -> Iterator[ir.Code]:
    """Yield the functions of the modules in which a word stands."""
    for module in handlers.modules.iter_own():
        if word in module.source.data:
            yield from ir.iter_codes(module.code)


def _returns_value(code: ir.Code) -> bool:
    return any(isinstance(each, ir.Return) and each.value is not None for each in ir.iter_statements(code.body))


def _locate_name(handlers: Handlers, code: ir.Code) -> Text:
    """Return the name of a function where it is written."""
    span = code.locate(code.at)
    place = handlers.place_at(span)
    name = find_name_node(place.node) if place is not None else None
    return Text(code.name, place.module.locate(name) if place is not None and name is not None else span)
