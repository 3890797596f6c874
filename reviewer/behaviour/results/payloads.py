"""Payloads that a tool gives as they came: what another host answered, an object of the inner side in full."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from reviewer.behaviour.progress.written import find_entry
from reviewer.code.events import Called, Returned, Trace
from reviewer.code.ir import Site
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import ELEMENT, Class, ConditionalValue, Key, Made, Term, Value, find_original_term
from reviewer.source import Text

DUMPS = frozenset({"model_dump", "model_dump_json", "dict", "to_dict", "as_dict", "asdict", "vars", "__dict__"})
"""What gives all fields of an object."""
FORMS = frozenset({"dumps", "str", "dict", "list", "deepcopy", "copy"})
"""What gives on what it is given, in another form."""
# The parameters by which pydantic's `model_dump` leaves fields out: with one, the object is not given in full.
SHAPED = frozenset({"include", "exclude"})
# Members of a response that hold its body as it came.
BODIES = frozenset({"text", "content", "body", "read"})
DEEPEST = 6
"""How many values inside values are looked through: a row of a list of an envelope has three."""


class Echo(NamedTuple):
    """An expression that hands a payload on. `fills_model` tells that a model takes it whole and keeps what it has fields for."""

    at: Text
    fills_model: bool


def iter_payloads(trace: Trace, program: Program, is_inner: Callable[[Class], bool]) -> Iterator[Echo]:
    """Yield the expressions that hand a payload on; `is_inner` tells the classes that are not made to be answers."""
    found: dict[Site, Echo] = {}
    returned = (each for each in trace.events if isinstance(each, Returned))
    for event in (each for each in returned if infer_failure(each.value, each.facts) is not True):
        search = _PayloadSearch(trace, program, is_inner)
        for at, fills_model in search.iter_payloads_within(event.value, event.given, DEEPEST):
            found[at] = Echo(event.code.extract_text(at), fills_model)
    yield from found.values()


class _PayloadSearch:
    """A search for payloads in what one function returns."""

    def __init__(self, trace: Trace, program: Program, is_inner: Callable[[Class], bool]) -> None:
        self._code, self._program, self._models, self._is_inner = trace.code, program, program.models, is_inner
        models = program.models
        calls = (each for each in trace.events if isinstance(each, Called))
        self._calls: dict[Term, Called] = {}
        self._validated: set[Term] = set()
        for each in calls:
            if "validates" in models.get_model(each.path).acts:
                self._validated.add(each.result.term)
            else:
                self._calls.setdefault(each.result.term, each)  # those after it gave it back
        self._seen: set[Term] = set()

    def iter_payloads_within(
        self, value: Value, at: Site, deep: int, into: Class | None = None
    ) -> Iterator[tuple[Site, bool]]:
        """Yield where a value, or what it holds, is a payload, and whether a model takes it; `at` is what is written of it.

        `into` is the class that is declared for it, if derived code reads the fields of its objects and drops all else.
        """
        into = into or next((each for each in value.classes if self._program.find_entry_names(each) is not None), None)
        term = find_original_term(value.term)
        is_own = isinstance(term, tuple) and len(term) > 2 and term[1] is self._code
        is_payload = self._is_payload(value)
        if is_payload and into is not None and self._renames(into):
            return
        if is_payload or self._fills_model(value):
            call = term[2] if is_own and isinstance(term, tuple) else None
            yield (
                call if isinstance(call, Site) and at.holds(call) else at,
                not is_payload or value.term in self._validated or into is not None,
            )
        elif value.term not in self._seen and deep:
            self._seen.add(value.term)
            open_fields = self._collect_open_fields(value)
            for key, each in value.contents.items() if value.contents is not None else ():
                written = find_entry(value, str(key)) if is_own else None
                place = written.at if written is not None else at
                if key in open_fields and _is_part_of_answer(each):
                    yield place, True
                else:
                    yield from self.iter_payloads_within(each, place, deep - 1)
            match value.meaning:
                case ConditionalValue(then=then, otherwise=otherwise):
                    yield from (
                        *self.iter_payloads_within(then, at, deep - 1, into),
                        *self.iter_payloads_within(otherwise, at, deep - 1, into),
                    )
                case Made(by, (only,)) if by.rpartition(".")[2] in FORMS:
                    yield from self.iter_payloads_within(only, at, deep - 1)

    def _renames(self, made: Class) -> bool:
        """Return whether a field of a class is read from an entry of another name: that maps it explicitly."""
        entries = self._program.find_entry_names(made) or {}
        return any(called and [*map(str, called)] != [name] for name, called in entries.items())

    def _collect_open_fields(self, value: Value) -> frozenset[Key]:
        """Return the fields of an object whose entries stand beside its other fields, whatever they are called."""
        found = (self._program.find_entry_names(each) or {} for each in value.classes)
        return frozenset((name,) for entries in found for name, called in entries.items() if not called)

    def _fills_model(self, value: Value) -> bool:
        """Return whether a value is an object that is made of a payload as a whole: `Row(**payload)`."""
        match value.meaning:
            case Made("filled", (whole,)):
                return self._is_whole(whole)
            case Made(by, (_, whole, *_)) if "validates" in self._models.get_model(by).acts:
                return self._is_whole(whole)
        return False

    def _is_whole(self, value: Value) -> bool:
        """Return whether a value is a payload, the text of one, or a payload that some entries are laid over."""
        rest = value.contents.get(ELEMENT) if isinstance(value.contents, dict) else None
        match value.meaning if rest is None else rest.meaning:
            case Made("element", (under,)) if rest is not None:
                return self._is_whole(under)
            case ConditionalValue(then=then, otherwise=otherwise):
                return self._is_whole(then) or self._is_whole(otherwise)
            case Made(by, (on, *_)) if by.rpartition(".")[2] in FORMS:
                return self._is_whole(on)
            case Made(by, (_, *_)) if by.rpartition(".")[2] in BODIES:
                return True
        return self._is_payload(value)

    def _is_payload(self, value: Value) -> bool:
        match value.meaning:
            case Made(by, (on, *_)):
                name, call = by.rpartition(".")[2], self._calls.get(value.term)
                keywords = call.named.keys() if call is not None else frozenset()
                if name in DUMPS and SHAPED.isdisjoint(keywords) and _has_class(on, self._is_inner):
                    return True
                is_parsed = "parses" in self._models.get_model(by).acts
                if name == "json" and len(value.operands) == 1:
                    return is_parsed if call is None else call.receiver is not None and not call.arguments
                return is_parsed and isinstance(on.meaning, Made) and on.meaning.by.rpartition(".")[2] in BODIES
        return value.certain and _has_class(value, self._is_inner)


def _is_part_of_answer(value: Value) -> bool:
    """Return whether a value is an object of a library that lies as it came in what another host answered."""
    match value.meaning:
        case Made(by, (_, *rest)) if (by.startswith(".") and not rest) or by == "item":
            return bool(value.library_types) and any(each.origin == "network" for each in value.labels)
    return False


def _has_class(value: Value, is_inner: Callable[[Class], bool]) -> bool:
    return any(map(is_inner, value.classes))
