"""Functions that choose by an action's name, and the functions that bound an answer."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.effects.handler_effects import KINDS, iter_effects
from reviewer.behaviour.values import tables
from reviewer.code import ir
from reviewer.code.events import Called, Tested, Trace
from reviewer.code.values import Made, Term, Value
from reviewer.facts import Acts, Catalog, Dispatch, Guard, Handler
from reviewer.languages.catalogs import infer_domain
from reviewer.languages.lowering import to_site
from reviewer.languages.nodes import find_nearest_of_kinds
from reviewer.languages.typescript.behaviour.tracing import FunctionPlace, Handlers
from reviewer.languages.typescript.project.modules import ScriptModule
from reviewer.source import Text

GUARD = "respond"
"""The name of the function that bounds an answer, as the guideline has it."""

ACTION = "action"
"""The argument that an action's name is given in, as the guideline has it."""


def iter_guards(handlers: Handlers) -> Iterator[Guard]:
    """Yield the functions of the shape `respond(action, value)`."""
    for module, code in _iter_functions_in(handlers, GUARD.encode()):
        taken = [each for each in code.parameters if each.kind == "normal"]
        if code.name == GUARD and len(taken) > 1 and _returns_value(code):
            yield Guard(_locate_name(module, code), code.locate(code.at))


def iter_dispatches(handlers: Handlers, catalogs: Iterable[Catalog]) -> Iterator[Dispatch]:
    """Yield the functions that choose what they do by the names of actions, two of a catalog at least."""
    names = frozenset(str(action.name) for catalog in catalogs for action in catalog.actions)
    for module, code in _iter_functions_in(handlers, ACTION.encode()) if len(names) > 1 else ():
        if code.kind == "module" or ACTION.encode() not in module.source.data[code.at.start : code.at.end]:
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
                _locate_name(module, code),
                code.locate(code.at),
                tuple(arms),
                infer_domain(module.path),
                found.is_open(arms),
            )


class _Branch(NamedTuple):
    """What is done for some actions, and the test that chooses it."""

    names: tuple[str, ...]
    test: ir.Site


class _Choices:
    """The tests of a function that compare one value with the names of actions."""

    def __init__(self, trace: Trace, names: frozenset[str]) -> None:
        self.trace = trace
        self.subjects: set[Term] = set()
        self._tests: dict[ir.Site, tuple[str, ...]] = {}
        asked: dict[ir.Site, list[tuple[Term, str]]] = {}
        for event in trace.events:
            if isinstance(event, Tested) and event.code is trace.code:
                asked.setdefault(event.at, []).extend(_iter_compared(event.value))
        self.subjects = {term for each in asked.values() for term, text in each if text in names}
        for at, each in asked.items():
            told = tuple(dict.fromkeys(text for term, text in each if term in self.subjects))
            if told:
                self._tests[at] = told

    def iter_branches(self) -> Iterator[_Branch]:
        """Yield the branches that such tests decide."""
        for each in ir.iter_statements(self.trace.code.body):
            told = self._tests.get(each.at) if isinstance(each, ir.If) else None
            if told is not None:
                yield _Branch(told, each.at)

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
    if value.term == ("argument", ACTION):
        return True
    match value.meaning:
        case Made("item", (_, key)):
            return key.text == ACTION
        case Made(by):
            return by == f".{ACTION}"
    return False


def _iter_branches(handlers: Handlers, place: FunctionPlace, found: _Choices) -> Iterator[Handler]:
    source = found.trace.code.source
    for each in found.iter_branches():
        within = _find_branch(place.module, each.test)
        if within is None:
            continue
        test = source.stretch(each.test.start, each.test.end)
        span, acts = source.stretch(within.start, within.end), _collect_acts(handlers, place, within)
        for name in each.names:
            yield Handler(Text(name, test), span, acts=acts)


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


def _iter_functions_in(handlers: Handlers, word: bytes) -> Iterator[tuple[ScriptModule, ir.Code]]:
    """Yield the functions of the modules in which a word stands."""
    for module in handlers.modules.iter_own():
        if word in module.source.data:
            yield from ((module, code) for code in ir.iter_codes(module.code))


def _returns_value(code: ir.Code) -> bool:
    return any(isinstance(each, ir.Return) and each.value is not None for each in ir.iter_statements(code.body))


def _locate_name(module: ScriptModule, code: ir.Code) -> Text:
    """Return the name of a function where it is written: in it, or before it, as that of the variable it goes to."""
    start = code.at.start
    inside = module.source.data.find(code.name.encode(), start, start + len("async function* ") + len(code.name))
    line = module.source.data.rfind(b"\n", 0, start) + 1
    at = inside if inside >= 0 else module.source.data.rfind(code.name.encode(), line, start)
    if not code.name or at < 0:
        return Text(code.name, code.locate(code.at))
    return Text(code.name, module.source.stretch(at, at + len(code.name.encode())))
