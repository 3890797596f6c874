"""Payloads that a tool gives as they came: what another host answered, an object of the inner side in full."""

from collections.abc import Callable, Iterator

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
    search = _Search(trace, program.models, is_inner)
    found: dict[object, Text] = {}
    for event in (each for each in trace.events if isinstance(each, Returned)):
        for site in search.within(event.value, DEEPEST):
            is_part = site is not None and event.given.holds(site)
            at = site if site is not None and is_part else event.given
            found[at] = event.code.text(at)
    yield from found.values()


class _Search:
    """A search for payloads in what one function returns."""

    def __init__(self, trace: Trace, models: Models, is_inner: Callable[[Class], bool]) -> None:
        self._code, self._models, self._is_inner = trace.code, models, is_inner
        calls = (each for each in trace.events if isinstance(each, Called))
        self._calls: dict[Term, Called] = {each.result.term: each for each in calls}

    def within(self, value: Value, deep: int) -> Iterator[Site | None]:
        """Yield where a value, or what it holds, is a payload: the place of the call that gave it, None if it is another's."""
        if self._is_payload(value):
            yield self._site(value)
            return
        inner = [*(value.contents or {}).values()]
        match value.meaning:
            case Choice(then=then, otherwise=otherwise):
                inner += (then, otherwise)
            case Made(by, (only,)) if by.rpartition(".")[2] in FORMS:
                inner.append(only)
        for each in inner if deep else ():
            yield from self.within(each, deep - 1)

    def _site(self, value: Value) -> Site | None:
        match made_as(value.term):
            case ("call", code, Site() as at) if code is self._code:
                return at
        return None

    def _is_payload(self, value: Value) -> bool:
        match value.meaning:
            case Made(by, (on, *_)):
                name, call = by.rpartition(".")[2], self._calls.get(value.term)
                keywords = call.named.keys() if call is not None else frozenset()
                if name in DUMPS and SHAPED.isdisjoint(keywords) and _is_of(on, self._is_inner):
                    return True
                if name == "json" and call is not None and not call.arguments:
                    return call.receiver is not None
                return self._parses(by) and isinstance(on.meaning, Made) and on.meaning.by.rpartition(".")[2] in BODIES
        return False

    def _parses(self, by: str) -> bool:
        model = self._models.of(by)
        return model is not None and "parses" in model.acts


def _is_of(value: Value, is_inner: Callable[[Class], bool]) -> bool:
    return any(isinstance(each, Instance) and isinstance(each.of, Class) and is_inner(each.of) for each in value.things)
