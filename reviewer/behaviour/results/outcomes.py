"""Of what kinds the values are that a function gives: a text, a list, a mapping, nothing, an object of a class."""

from collections.abc import Iterator
from math import isnan

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.results.answers import collect_entered_calls, is_error
from reviewer.behaviour.values.texts import DEEPEST, is_text, iter_beginnings, iter_parts
from reviewer.code.events import Context, Event, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Site, Variable
from reviewer.code.program import Program
from reviewer.code.state import (
    Facts,
    KnownFact,
    State,
    infer_failure,
    infer_presence,
    infer_truth,
    refine,
    settle_value,
)
from reviewer.code.values import (
    Class,
    ConditionalValue,
    Instance,
    Library,
    Made,
    Relation,
    Term,
    Value,
    get_term_head,
    strip_negations,
)
from reviewer.facts import FunctionOutcome, OutcomeKind
from reviewer.source import Text
from reviewer.text.patterns import pattern

KINDS: dict[str, OutcomeKind] = {
    "str": "text", "int": "number", "float": "number", "bool": "truth", "list": "list", "tuple": "list", "dict": "mapping",
    "typing.TypedDict": "mapping", "typing_extensions.TypedDict": "mapping",
}  # fmt: skip
"""The kinds of objects of the language's own types, and of the classes of a project that only say what is in one."""


def iter_outcomes(trace: Trace, program: Program, within: Site | None = None) -> Iterator[FunctionOutcome]:
    """Yield the kinds that are sure of what a function gives, each once for each expression; `within` a part of it only."""
    seen: set[FunctionOutcome] = set()
    for event in trace.events:
        is_its = isinstance(event, Returned) and event.code is trace.code
        if is_its and (within is None or (within.holds(event.at) and not _is_for_some(event))):
            assert isinstance(event, Returned)
            for each in _Outcomes(trace, program, event.text).iter_value_outcomes(
                Occurrence(event), event.value, DEEPEST
            ):
                if each not in seen:
                    seen.add(each)
                    yield each


def iter_given_kinds(trace: Trace, program: Program, here: Occurrence, value: Value) -> Iterator[FunctionOutcome]:
    """Yield the kinds that are sure of a value, by all ways that it comes about."""
    yield from _Outcomes(trace, program, here.event.text).iter_value_outcomes(here, value, DEEPEST)


def _is_for_some(event: Event) -> bool:
    """Return whether a wrapper comes there by what was found out when it was made: it may be of which function it is."""
    return any(get_term_head(each) == "around" for each in event.facts)


class _Outcomes:
    """What one expression gives by all ways."""

    def __init__(self, trace: Trace, program: Program, text: Text) -> None:
        self._trace, self._program, self._text = trace, program, text

    def iter_value_outcomes(
        self,
        here: Occurrence,
        value: Value,
        deep: int,
        *,
        present: bool = False,
        known: Facts | None = None,
        others: frozenset[str] = frozenset(),
    ) -> Iterator[FunctionOutcome]:
        """Yield the outcomes of a value, that of a helper by what it returns; `present` tells that it is not None.

        `known` is what holds where tests have chosen it of several; `others` the types that they rule out.

        Those that tests of its kind rule out where it is given are none: `if isinstance(found, dict): return found`.
        """
        facts = known if known is not None else here.event.facts
        told = facts.get(value.term)
        if told is not None:
            others |= frozenset(map(_get_path, told.others)) - {""}
        for each in self._iter_outcomes(here, value, deep, present, facts, others):
            if told is None or not _rules_out(told, each.kind):
                yield each

    def _iter_outcomes(
        self, here: Occurrence, value: Value, deep: int, present: bool, facts: Facts, others: frozenset[str]
    ) -> Iterator[FunctionOutcome]:
        present = present or infer_presence(value, facts) is True or infer_truth(value, facts) is True
        if not deep or is_error(value, self._program.models) or infer_failure(value, facts):
            return
        calls = list(self._iter_results(here, value))
        if any(map(_is_for_a_type, calls)):
            return  # it may give each caller what that is declared to give
        for end in calls:
            if isinstance(end.event, Returned) and end.is_possible() and not self._is_given_for_none(end):
                yield from self.iter_value_outcomes(end, end.event.value, deep - 1, present=present, others=others)
        if not calls and not value.ways:
            is_other = any(isinstance(each, Instance) and _get_path(each.of) in others for each in value.things)
            found = self._find_one(here, value) if not is_other else None
            if found is not None and not (present and found.kind == "nothing"):
                yield found
        for each, known in _iter_ways(here, value, facts) if not calls else ():
            # a variable that is None before a test may be set by it: only a value as a whole is surely nothing
            yield from self.iter_value_outcomes(here, each, deep - 1, present=True, known=known, others=others)

    def _iter_results(self, here: Occurrence, value: Value) -> Iterator[Occurrence]:
        """Yield where helpers return what a value is as a whole, and not one of several that it is a part of."""
        for call, inner in collect_entered_calls(self._trace, here, value):
            for event in inner.events:
                if not isinstance(event, Returned) or event.code is not inner.code or _is_for_a_kind(event):
                    continue
                if _is_whole(value, event):
                    yield call.place_inside(event)

    def _is_given_for_none(self, end: Occurrence) -> bool:
        """Return whether a helper comes there only where it is handed None, and is handed a text that was made."""
        for term, fact in end.event.facts.items():
            if fact.present is False and get_term_head(term) == "parameter":
                _, handed = end.trace_source(Value(term))
                if isinstance(handed.meaning, Made) and (
                    handed.meaning.by == "text" or is_text(handed.meaning.by, self._program.models)
                ):
                    return True
        return False

    def _find_one(self, here: Occurrence, value: Value) -> FunctionOutcome | None:
        kind = _find_kind(value)
        inner = here.event.text if here.caller is not None else None
        made = _find_made_class(value, self._program) if kind is None else None
        if made is not None:
            kind = self._find_kind_of_objects(made)
            if kind == "model":
                return FunctionOutcome(kind, self._text, inner, made.name)
        if kind == "list":
            return FunctionOutcome(kind, self._text, inner, element=self._find_element(value))
        if kind is None:
            return None
        begins = list(iter_beginnings(here, value, self._program.models)) if kind == "text" else []
        parses = kind == "text" and (not begins or any(not each or _is_number(each) for each in begins))
        return FunctionOutcome(kind, self._text, inner, parses=parses)

    def _find_kind_of_objects(self, made: Class) -> OutcomeKind:
        bases = (KINDS.get(_get_path(each)) for each in self._program.find_parents(made))
        return next((each for each in bases if each is not None), "model")

    def _find_element(self, value: Value) -> str:
        """Return the name of the one class whose objects all elements of a list surely are; empty if there is none."""
        made = {_find_made_class(each, self._program) for each in (value.contents or {}).values()}
        found = made.pop() if len(made) == 1 else None
        is_sure = found is not None and self._find_kind_of_objects(found) == "model" and not self._replaces_elements()
        return found.name if found is not None and is_sure else ""

    def _replaces_elements(self) -> bool:
        """Return whether anything is put into a sequence at a place that only a run tells: an element may be another then."""
        for each in self._trace.iter_occurrences(kinds=(Stored,)):
            event = each.event
            if isinstance(event, Stored) and event.key is not None and event.key.constants is None:
                if "dict" not in (kind.removeprefix("builtins.") for kind in event.owner.library_types):
                    return True
        return False


def _iter_ways(here: Occurrence, value: Value, facts: Facts) -> Iterator[tuple[Value, Facts]]:
    """Yield the possible values of a value with the facts that hold for each, without those that earlier tests exclude.

    The parts of a function's result belong together: `rows, told = count(); if rows is None: return told`.
    """
    tests = [each for each in here.event.iter_outwards() if each.condition == "test" and each.value is not None]
    if isinstance(value.meaning, ConditionalValue):
        for each, holds in ((value.meaning.then, True), (value.meaning.otherwise, False)):
            state = State(facts=facts)
            if refine(state, value.meaning.test, holds) and not any(_fails(one, state.facts) for one in tests):
                yield each, state.facts
        return
    for number, each in enumerate(value.ways):
        if not any(_fails(one, facts, value.term, number) for one in tests):
            yield each, facts


def _fails(context: Context, facts: Facts, term: Term = None, number: int = 0) -> bool:
    """Return whether a test would have turned out otherwise with what is known by now.

    With a term, that of a part of one of several, the number of which is told: what is asked may be another part of it.
    """
    assert context.value is not None
    test, holds = strip_negations(context.value, context.holds)
    if not isinstance(test.meaning, Relation):
        return False
    left = settle_value(test.meaning.left, facts)
    match term, left.term:
        case ("item", owner, _), ("item", same, _) if owner == same and left.meaning is not None:
            left = left.ways[number] if number < len(left.ways) else left
    if left is test.meaning.left:
        return False
    asked = Value(("settled", test.term), meaning=test.meaning._replace(left=left))
    return infer_truth(asked, facts) is (not holds)


def _rules_out(told: KnownFact, kind: OutcomeKind) -> bool:
    """Return whether tests of the kind of a value told that it is of none that gives an outcome."""
    of = {KINDS.get(_get_path(each), "model") for each in told.kinds}
    own = {path for path, each in KINDS.items() if each == kind}
    return bool(of and kind not in of) or bool(own and own <= set(map(_get_path, told.others)))


def _get_path(kind: Class | Library) -> str:
    return kind.path.removeprefix("builtins.") if isinstance(kind, Library) else ""


def _is_for_a_kind(event: Returned) -> bool:
    """Return whether a helper comes there only for objects of some kind: the callers seen may hand over others alone."""
    tests = (
        strip_negations(each.value)[0].meaning
        for each in event.iter_outwards()
        if each.condition == "test" and each.value
    )
    return any(isinstance(each, Relation) and each.operator == "kind" for each in tests)


ANNOTATION = pattern(r"(?:\S*\.)?(?:signature|return_annotation|get_type_hints|get_annotations|__annotations__)")
"""What gives the types that a function is declared with."""


def _is_for_a_type(end: Occurrence) -> bool:
    """Return whether a helper comes there only for functions that are declared to give some type: a decorator may ask which."""
    for each in end.event.iter_outwards():
        if each.condition == "test" and each.value is not None:
            here, test = end.trace_source(strip_negations(each.value)[0])
            sides = [side for one in iter_relations(test) for side in (one.left, one.right) if side is not None]
            for _, part in (part for side in (test, *sides) for part in iter_parts(here, side)):
                if isinstance(part.meaning, Made) and ANNOTATION.fullmatch(part.meaning.by) is not None:
                    return True
    return False


def _is_whole(value: Value, event: Returned) -> bool:
    match value.term:
        case ("via", _, given):
            return given == event.value.term or _is_join_of_returns(given)
        case ("awaits", _, _):
            return True
    return False


def _is_join_of_returns(term: Term) -> bool:
    """Return whether a value is whatever a function returns by several statements, and not what an object holds after them."""
    match term:
        case ("join", (("returns", *_), *_), Variable()):
            return True
    return False


def _find_kind(value: Value) -> OutcomeKind | None:
    if value.constants is not None:
        kinds = {type(None): "nothing", str: "text", bool: "truth", int: "number", float: "number"}
        found = {kinds.get(kind) for kind, _ in value.constants}
        return found.pop() if len(found) == 1 else None  # type: ignore[return-value]  # the dict's values are kinds
    match value.meaning:
        case Made("text"):
            return "text"
        case Made("+", of) if any(each.text is not None or _find_kind(each) == "text" for each in of[:2]):
            return "text"  # whatever is joined to a text is one
        case Made("length"):
            return "number"
    things = value.things
    if len(things) == 1 and isinstance(things[0], Instance) and isinstance(things[0].of, Library):
        return KINDS.get(things[0].of.path.removeprefix("builtins."))
    return None


def _find_made_class(value: Value, program: Program) -> Class | None:
    """Return the class of an object that the code itself makes: one with fields, of the project or of the protocol."""
    things = value.things
    if len(things) != 1 or not isinstance(things[0], Instance) or not value.certain:
        return None
    made = things[0].of
    return made if isinstance(made, Class) and program.list_fields(made) else None


def _is_number(begins: str) -> bool:
    """Return whether a text may be that of a number, by how it begins."""
    try:
        return not isnan(float(begins.strip().partition(" ")[0]))
    except ValueError:
        return False
