"""Where code chooses the entries of an object by the `fields` that a client asks for."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.asked_fields import AskedFields, codes_at, lies_in, path
from reviewer.behaviour.entrances import Entrances, Taker
from reviewer.code.events import Called, Context, Indexed, Occurrence, Stored, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.values import Choice, Relation, Value, made_as, unnegated
from reviewer.facts import Dispatch, Guard, Handler, Projection
from reviewer.source import Span, Text

SELECTING = frozenset({"filtered", "retained", "mapped", "found"})
"""What models call functions that keep the elements of which their argument says so."""

PUTTING = frozenset({"written", "extended", "appended", "removed", "emptied"})
"""What models call functions that put something into an object, or take it out."""

TAKING = frozenset({"entry", "field", "removed", "kept entry", "pointed"})
"""What models call functions that take an entry out of an object by its key."""


def projections(
    functions: Entrances, takers: Iterable[Taker], guards: Iterable[Guard], handlers: Iterable[Dispatch | Handler]
) -> Iterator[Projection]:
    """Yield where the functions that calls of tools come to choose entries by the fields asked for, each place once."""
    bounding = codes_at(functions, guards)
    working = codes_at(functions, handlers)
    found: dict[Span, Projection] = {}
    for taker in takers:
        own = working | {taker.trace.code}
        if (working | bounding).isdisjoint(taker.trace.codes()):
            continue  # nothing leads there
        for here, text in Choosing(taker.trace, functions.program.models).found():
            guarded = not bounding.isdisjoint(each.code for each in path(here))
            found.setdefault(text.span, Projection(text, guarded, not lies_in(here.event.code, own)))
    yield from found.values()


class Choosing:
    """Finds where one trace chooses entries by the fields."""

    def __init__(self, trace: Trace, models: Models) -> None:
        self._trace, self._models, self._asked = trace, models, AskedFields(trace, models)
        self._membership: set[tuple[Code, Site]] = set()
        """The tests that ask for a key among the fields."""
        self._taking: set[tuple[Code, Site]] = set()
        """The loops over the fields in which an entry is taken by one."""

    def found(self) -> Iterator[tuple[Occurrence, Text]]:
        """Yield the places, each with the event that chooses."""
        for here in self._trace.occurrences():
            yield from ((here, text) for text in self._read(here))

    def _read(self, here: Occurrence) -> Iterator[Text]:
        match here.event:
            case Tested():
                self._tested(here, here.event)
            case Indexed(owner=owner, key=key):
                yield from self._taken(here, owner, key)
            case Stored(owner=owner):
                yield from self._put(here, owner)
            case Called():
                yield from self._called(here, here.event)

    def _tested(self, here: Occurrence, event: Tested) -> None:
        if self._asks(here, event.value):
            self._membership.add((event.code, event.at))

    def _asks(self, here: Occurrence, test: Value) -> bool:
        """Return whether a test asks for a key among the fields; the star that means all of them is no key."""
        if not test.labels:
            return False
        test, _ = unnegated(test)
        match test.meaning:
            case Relation("in", left, Value() as right):
                return left.text != "*" and self._asked.is_list(here, right) and not self._asked.is_key(here, left)
            case Relation("==", left, Value() as right):
                return any(
                    other.text != "*" and self._asked.is_key(here, one) and not self._asked.is_key(here, other)
                    for one, other in ((left, right), (right, left))
                )
            case Choice(inner, then, otherwise):
                return any(self._asks(here, each) for each in (inner, then, otherwise))
        match made_as(test.term):
            case ("call", code, Site() as at):  # of `fields.iter().any(|field| field == key)`, whose closure was tested
                return (code, at) in self._membership
        return False

    def _called(self, here: Occurrence, event: Called) -> Iterator[Text]:
        model = self._models.of(event.path)
        if model is None:
            return
        if model.returns in SELECTING and (event.code, event.at) in self._membership:
            yield event.text
        if model.returns == "fields" and model.keyword in event.named:
            if self._asked.is_list(here, event.named[model.keyword]):
                yield event.text
        owner, *rest = event.values or (None,)
        if owner is not None and model.returns in PUTTING:
            yield from self._put(here, owner)
        if owner is not None and rest and model.returns in TAKING:
            yield from self._taken(here, owner, rest[0])

    def _taken(self, here: Occurrence, owner: Value, key: Value) -> Iterator[Text]:
        """Take down that an entry is taken by one of the fields; yield the place if that is done for each of them."""
        if not self._asked.is_key(here, key) or self._asked.is_list(here, owner):
            return
        loops = [each for each in here.event.outwards() if each.condition == "loop"]
        self._taking.update((here.event.code, each.at) for each in loops if self._is_over(here, each))
        if not loops and here.event.code.kind == "closure":
            yield here.event.text

    def _put(self, here: Occurrence, owner: Value) -> Iterator[Text]:
        """Yield the test, or the loop, by which something is put into an object or taken out; the fields themselves are none."""
        if self._asked.is_list(here, owner):
            return
        for each in here.event.outwards():
            place = here.event.code, each.at
            if (each.condition == "test" and place in self._membership) or (
                each.condition == "loop" and place in self._taking
            ):
                yield here.event.code.text(each.at)

    def _is_over(self, here: Occurrence, loop: Context) -> bool:
        return loop.value is not None and self._asked.is_list(here, loop.value)
