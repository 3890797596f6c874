"""What can itself fail in code that answers for exceptions, if one is as it need not be but may be."""

from collections.abc import Iterator

from reviewer.behaviour.failures.error_boundaries import CLASSES
from reviewer.behaviour.failures.mappings import CaughtType, FailureMapping, is_caught_in, name_of
from reviewer.behaviour.values.decorators import ExceptionClause
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Event, Indexed, Occurrence, Raised, Tested
from reviewer.code.kinds import collect_kinds
from reviewer.code.state import is_settled
from reviewer.code.values import ABSENT, Class, Library, Made, Relation, Value, strip_negations
from reviewer.facts import FaultKind, MapperFault
from reviewer.source import Span

OF_ANY = frozenset({"args", "with_traceback", "add_note"})
"""What every exception has, beside names in double underscores."""

OPERATORS = frozenset({"+", "-", "*", "/", "//", "%", "**"})
"""By what a run says that a value was calculated: of an exception, or of None, it cannot be."""

DIGITS = ("isdigit", "isdecimal", "isnumeric", "match", "search", "fullmatch")
"""What tells that a text is a number."""


def iter_mapper_faults(mapping: FailureMapping) -> Iterator[MapperFault]:
    """Yield the operations in clauses that can fail, each once: if it certainly fails for some exception, with that."""
    found: dict[Span, MapperFault] = {}
    for clause in mapping.clauses:
        kinds: list[CaughtType | None] = [each for each in mapping.kinds if mapping.find_clause(each) == clause]
        kinds += [None] if clause.takes_any(mapping.program) else []
        for kind in kinds:
            for each in _World(mapping, clause, kind).iter_faults():
                if each.text.span not in found or each.certain:
                    found[each.text.span] = each
    yield from found.values()


class _World:
    """What a clause does with an exception of one class that has no more than it must."""

    def __init__(self, mapping: FailureMapping, clause: ExceptionClause, kind: CaughtType | None) -> None:
        self._mapping, self._clause, self._kind = mapping, clause, kind
        self._trace = mapping.trace_supposing(clause, kind, lacking=True)
        self._events = list(mapping.iter_handled(clause, self._trace))
        tested = (each.event for each in self._events if isinstance(each.event, Tested))
        self._tests = {(each.code, test.term): test for each in tested for test in (strip_negations(each.value)[0],)}

    def iter_faults(self) -> Iterator[MapperFault]:
        """Yield the operations that can fail."""
        for here in self._events:
            for kind, at, certain in (*self._iter_done(here, here.event), *self._iter_value_faults(here)):
                if not self._is_tried(here, at):
                    yield MapperFault(kind, here.event.code.extract_text(at), certain)

    def _iter_done(self, here: Occurrence, event: Event) -> Iterator[tuple[FaultKind, ir.Site, bool]]:
        match event:
            case Raised(value=Value() as value) if any(
                name_of(each) == "AssertionError" for each in collect_kinds(value)
            ):
                yield from self._iter_assertions(event)
            case Indexed(owner=owner, key=key) if not event.is_known:
                kind = self._find_element(here, owner, key)
                yield from ((kind, event.at, True),) if kind is not None else ()
            case Called():
                kind = self._find_call_fault(here, event)
                yield from ((kind, event.at, kind != "member"),) if kind is not None else ()

    def _iter_assertions(self, event: Event) -> Iterator[tuple[FaultKind, ir.Site, bool]]:
        """Yield an assertion that need not hold; one of the class only tells the type checker what is so."""
        test = next((each.value for each in event.iter_outwards() if each.condition == "test"), None)
        if test is not None and (test.meaning is not None or test.constants == ABSENT):
            inner, _ = strip_negations(test)
            if not (isinstance(inner.meaning, Relation) and inner.meaning.operator == "kind"):
                yield "assert", event.at, is_settled(test, event.facts)

    def _find_element(self, here: Occurrence, owner: Value, key: Value) -> FaultKind | None:
        """Return the fault of an access to an element by position or key; None if it cannot fail."""
        if owner.text == "":
            return "index"
        fact = here.event.facts.get(key.term)
        if (fact is not None and owner.term in fact.within) or "collections.defaultdict" in owner.library_types:
            return None
        if _is_field(owner, "headers"):
            return "key"
        by_class = any(
            isinstance(each.meaning, Made) and each.meaning.by in CLASSES and is_caught_in(at, each.meaning.of[0])
            for at, each in iter_parts(here, key)
        )
        return "key" if by_class and self._kind is None else None

    def _find_call_fault(self, here: Occurrence, event: Called) -> FaultKind | None:
        """Return the fault of a call; None if it cannot fail."""
        given = event.find_argument(0)
        if event.path in ("builtins.int", "builtins.float") and given is not None:
            if given.constants == ABSENT:
                return "none"
            is_header = any(_is_field(each, "headers") for _, each in iter_parts(here, given))
            return "number" if is_header and not self._is_digits(event) else None
        is_of_caught = any(is_caught_in(at, each) for value in event.values for at, each in iter_parts(here, value))
        if not is_of_caught:
            return None
        is_parser = "parses" in collect_acts(event, self._mapping.program.models) and "json" in event.path
        if is_parser or event.path.endswith(".json"):
            return "parse"
        made = [each for each in event.callee.things if isinstance(each, Class)]
        return "member" if any(each.variant or self._mapping.program.list_fields(each) == () for each in made) else None

    def _is_digits(self, event: Event) -> bool:
        """Return whether a test told that a text is a number."""
        true = [each for each in event.facts if event.facts[each].truth and (event.code, each) in self._tests]
        asked = (
            part.meaning for each in true for _, part in iter_parts(Occurrence(event), self._tests[event.code, each])
        )
        return any(isinstance(each, Made) and each.by.endswith(DIGITS) for each in asked)

    def _iter_value_faults(self, here: Occurrence) -> Iterator[tuple[FaultKind, ir.Site, bool]]:
        """Yield reads of attributes that the exception may lack, and uses of values that may be None."""
        for value in here.event.values:
            for at, part in iter_parts(here, value):
                made = part.meaning if isinstance(part.meaning, Made) and at.event.code is here.event.code else None
                kind = self._find_wrong(at, made) if made is not None and made.of else None
                site = _lower_site(here.event, made.by) if made is not None and kind is not None else None
                if kind is not None and site is not None:
                    yield kind, site, True

    def _find_wrong(self, here: Occurrence, made: Made) -> FaultKind | None:
        if not made.by.startswith(".") and made.by not in OPERATORS:
            return None
        if any(each.constants == ABSENT for each in made.of[:2]):
            return "none"
        is_own = self._kind is None and is_caught_in(here, made.of[0]) and made.by[1:] not in OF_ANY
        return "missing" if is_own and not made.by.startswith((".__", *OPERATORS)) else None

    def _is_tried(self, here: Occurrence, at: ir.Site) -> bool:
        """Return whether something that fails is caught within the clause."""
        for each in here.iter_outwards():
            for tried in ir.iter_statements(each.event.code.body):
                if isinstance(tried, ir.Try) and tried.catches and any(part.at.holds(at) for part in tried.body):
                    if each.event.code is not self._clause.trace.code or self._clause.at.holds(tried.at):
                        return True
            at = each.caller.event.at if each.caller is not None else at
        return False


def _is_field(value: Value, name: str) -> bool:
    """Return whether a value is a field of a name, or a part of one."""
    paths = [each.path for each in value.things if isinstance(each, Library)]
    paths += [value.meaning.by] if isinstance(value.meaning, Made) else []
    return any(name in each.split(".") for each in paths)


def _lower_site(event: Event, by: str) -> ir.Site | None:
    """Return where a function reads a field, or does an operation, if it can be in an event; None if it does not."""
    sites = [
        each.at
        for statement in ir.iter_statements(event.code.body)
        for each in ir.iter_expressions(statement)
        if (isinstance(each, ir.Field) and by == f".{each.name}")
        or (isinstance(each, ir.Arithmetic) and by == each.operator)
    ]
    return next((each for each in sites if event.at.holds(each)), sites[0] if sites else None)
