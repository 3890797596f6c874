"""Payloads that a tool gives as they came: what another host answered, an object of the inner side in full."""

from collections.abc import Callable, Iterator

from reviewer.behaviour.written import entry_of
from reviewer.code.events import Called, Returned, Trace
from reviewer.code.ir import Site
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import Choice, Class, Instance, Made, Term, Value, made_as
from reviewer.source import Text

DUMPS = frozenset({"model_dump", "model_dump_json", "dict", "to_dict", "as_dict", "asdict", "vars", "__dict__"})
"""What gives all fields of an object."""
FORMS = frozenset({"dumps", "str", "dict", "list", "deepcopy", "copy"})
"""What gives on what it is given, in another form."""
SHAPED = frozenset({"include", "exclude"})
BODIES = frozenset({"text", "content", "body", "read"})
DEEPEST = 6
"""How many values inside values are looked through: a row of a list of an envelope has three."""


def payloads(trace: Trace, program: Program, is_inner: Callable[[Class], bool]) -> Iterator[Text]:
    """Yield the expressions that hand a payload on as it came; `is_inner` tells the classes that are not made to be answers."""
    found: dict[Site, Text] = {}
    for event in (each for each in trace.events if isinstance(each, Returned)):
        search = _Search(trace, program.models, is_inner)
        found |= {at: event.code.text(at) for at in search.within(event.value, event.given, DEEPEST)}
    yield from found.values()


class _Search:
    """A search for payloads in what one function returns."""

    def __init__(self, trace: Trace, models: Models, is_inner: Callable[[Class], bool]) -> None:
        self._code, self._models, self._is_inner = trace.code, models, is_inner
        calls = (each for each in trace.events if isinstance(each, Called))
        self._calls: dict[Term, Called] = {each.result.term: each for each in calls}
        self._seen: set[Term] = set()

    def within(self, value: Value, at: Site, deep: int) -> Iterator[Site]:
        """Yield where a value, or what it holds that is made here, is a payload; `at` is what is written of it."""
        term = made_as(value.term)
        is_own = isinstance(term, tuple) and len(term) > 2 and term[1] is self._code
        if self._is_payload(value):
            call = term[2] if is_own and isinstance(term, tuple) else None
            yield call if isinstance(call, Site) and at.holds(call) else at
        elif value.term not in self._seen and deep:
            self._seen.add(value.term)
            for key, each in value.contents.items() if value.contents is not None and is_own else ():
                written = entry_of(value, str(key))
                yield from self.within(each, written.at if written is not None else at, deep - 1)
            match value.meaning:
                case Choice(then=then, otherwise=otherwise):
                    yield from (*self.within(then, at, deep - 1), *self.within(otherwise, at, deep - 1))
                case Made(by, (only,)) if by.rpartition(".")[2] in FORMS:
                    yield from self.within(only, at, deep - 1)

    def _is_payload(self, value: Value) -> bool:
        match value.meaning:
            case Made(by, (on, *_)):
                name, call = by.rpartition(".")[2], self._calls.get(value.term)
                keywords = call.named.keys() if call is not None else frozenset()
                if name in DUMPS and SHAPED.isdisjoint(keywords) and _is_of(on, self._is_inner):
                    return True
                is_parsed = "parses" in self._models.row(by).acts
                if name == "json" and len(value.operands) == 1:
                    return is_parsed if call is None else call.receiver is not None and not call.arguments
                return is_parsed and isinstance(on.meaning, Made) and on.meaning.by.rpartition(".")[2] in BODIES
        return False


def _is_of(value: Value, is_inner: Callable[[Class], bool]) -> bool:
    return any(isinstance(each, Instance) and isinstance(each.of, Class) and is_inner(each.of) for each in value.things)
