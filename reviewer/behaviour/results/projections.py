"""Where code chooses the entries of an object by the `fields` that a client asks for."""

from collections.abc import Iterable, Iterator

from reviewer.behaviour.fields.asked_fields import AskedFields, collect_call_path, find_codes_at, lies_in
from reviewer.behaviour.values.entry_points import CallHandler, EntryPoints
from reviewer.code.events import (
    Called,
    Captured,
    Context,
    Entered,
    Indexed,
    Looped,
    Obscured,
    Occurrence,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.values import (
    ConditionalValue,
    Relation,
    Term,
    Value,
    find_original_term,
    is_empty_tuple,
    strip_negations,
)
from reviewer.facts import Dispatch, FieldSelection, Guard, Handler, Projection
from reviewer.source import Span, Text

SELECTING = frozenset({"filtered", "retained", "mapped", "found"})
"""What models call functions that keep the elements of which their argument says so."""

PUTTING = frozenset({"written", "extended", "appended", "removed", "emptied"})
"""What models call functions that put something into an object, or take it out."""

# Taking entries out chooses among them as well as copying those that are wanted.
REMOVING = frozenset({"removed", "emptied"})

KEEPING = frozenset({"filtered", "retained"})
"""What models call functions that keep the elements of which their argument is true."""

TAKING = frozenset({"entry", "field", "removed", "kept entry", "pointed"})
"""What models call functions that take an entry out of an object by its key."""


def iter_projections(
    functions: EntryPoints,
    takers: Iterable[CallHandler],
    guards: Iterable[Guard],
    handlers: Iterable[Dispatch | Handler],
) -> Iterator[Projection]:
    """Yield where the functions that calls of tools come to choose entries by the fields asked for, each place once."""
    bounding = find_codes_at(functions, guards)
    working = find_codes_at(functions, handlers)
    found: dict[Span, Projection] = {}
    for taker in takers:
        own = working | {taker.trace.code}
        if (working | bounding).isdisjoint(taker.trace.collect_codes()):
            continue  # nothing leads there
        for here, text, keeps in Choosing(taker.trace, functions.program.models).iter_choices():
            guarded = not bounding.isdisjoint(each.code for each in collect_call_path(here))
            found.setdefault(text.span, Projection(text, guarded, not lies_in(here.event.code, own), keeps))
    yield from found.values()


def iter_idle_filters(functions: EntryPoints, guards: Iterable[Guard]) -> Iterator[FieldSelection]:
    """Yield the guards that receive the fields and omit nothing by them, and the calls of theirs whose result is
    ignored.
    """
    models = functions.program.models
    for guard in guards:
        code = functions.find_code(guard.span)
        taker = next((each for each in functions.iter_takers(()) if each.trace.code is code), None)
        if taker is None or taker.declared is None or any(each.reason for each in taker.trace.iter_omissions()):
            continue
        choosing = {
            each.event.code
            for here, *_ in Choosing(taker.trace, models).iter_choices()
            for each in here.iter_outwards()
        }
        if not choosing and not _hands_on(taker.trace, models):
            yield FieldSelection(guard.name, used=False)
        yield from (FieldSelection(text, used=False) for text in _iter_unused_choices(taker.trace, choosing))


def _hands_on(trace: Trace, models: Models) -> bool:
    """Return whether the fields are iterated, kept, or passed to code that was not found, which may select by them."""
    asked, entered = AskedFields(trace, models), trace.collect_codes()
    for here in trace.iter_occurrences():
        event = here.event
        match event:
            case Called(followed=False) if models.find_model(event.path) is None or event.is_open:
                pass
            case Called() if not event.followed and models.get_model(event.path).returns in CHOOSING:
                pass
            case Looped() | Stored() | Obscured() | Indexed():
                pass
            case Captured(inner=inner) if inner not in entered:
                pass
            case _:
                continue
        if any(asked.is_list(here, each) or asked.is_key(here, each) for each in event.values):
            return True
    return False


CHOOSING = frozenset(
    {"unknown", "nothing", "called", "mapped", "flat mapped", "folded", "filtered", "found", "elements", "collected"}
)
"""What models call functions that may be handed the fields to choose by them."""


def _iter_unused_choices(trace: Trace, choosing: set[Code]) -> Iterator[Text]:
    """Yield the calls of functions that choose by the fields and give what is left, where nothing is done with that."""
    for inner in trace.list_traces():
        if inner.code not in choosing:
            continue
        given = {site for event in inner.events for value in event.values for site in _iter_givers(value)}
        for event in inner.events:
            if isinstance(event, Entered) and event.trace.code in choosing and event.trace.code is not inner.code:
                result = event.trace.result
                declared = event.trace.code.returns
                is_given = (declared is None or declared.text != NOTHING) and any(
                    isinstance(each, Returned) and not is_empty_tuple(each.value) and not _is_handed(each.value)
                    for each in event.trace.events
                )
                if result is not None and result.constants is None and is_given and event.at not in given:
                    yield event.text


NOTHING = "()"
"""The type of what functions give that only change what they are handed."""


def _is_handed(value: Value) -> bool:
    """Return whether a value is just what a function was handed, which one that changes that may give as well."""
    kind = find_original_term(value.term)
    return isinstance(kind, tuple) and kind[0] in ("parameter", "argument")


def _iter_givers(value: Value) -> Iterator[Site]:
    """Yield the calls that gave a value, what it holds, or what it is made of."""
    waiting, seen = [value], set[Term]()
    while waiting:
        found = waiting.pop()
        if found.term in seen:
            continue
        seen.add(found.term)
        match found.giver, found.term:
            case (Site() as site, _) | (_, ("via" | "awaits", Site() as site, *_)) | (_, ("awaits", _, Site() as site)):
                yield site
        waiting += (*found.operands, *found.sources, *(found.contents or {}).values())


class Choosing:
    """Finds where one trace chooses entries by the fields."""

    def __init__(self, trace: Trace, models: Models) -> None:
        self._trace, self._models, self._asked = trace, models, AskedFields(trace, models)
        self._membership: dict[tuple[Code, Site], bool] = {}
        """The tests that ask for a key among the fields, each with whether it holds for one that is."""
        self._taking: set[tuple[Code, Site]] = set()
        """The loops over the fields in which an entry is taken by one."""

    def iter_choices(self) -> Iterator[tuple[Occurrence, Text, bool]]:
        """Yield the places, each with the event that chooses and whether what is asked for stays."""
        for here in self._trace.iter_occurrences():
            yield from ((here, text, keeps) for text, keeps in self._iter_event_fields(here))

    def _iter_event_fields(self, here: Occurrence) -> Iterator[tuple[Text, bool]]:
        match here.event:
            case Tested():
                self._note_test(here, here.event)
            case Indexed(owner=owner, key=key):
                yield from self._iter_taken(here, owner, key)
            case Stored(owner=owner):
                yield from self._put(here, owner, is_taken=False)
            case Called():
                yield from self._iter_call_choices(here, here.event)

    def _note_test(self, here: Occurrence, event: Tested) -> None:
        if self._asks(here, event.value):
            test, holds = strip_negations(event.value)
            match find_original_term(test.term):
                case ("call", Code() as code, Site() as at) if not self._membership.get((code, at), True):
                    holds = not holds
            self._membership[event.code, event.at] = holds

    def _asks(self, here: Occurrence, test: Value) -> bool:
        """Return whether a test asks for a key among the fields; the star that means all of them is no key."""
        if not test.labels:
            return False
        test, _ = strip_negations(test)
        match test.meaning:
            case Relation("in", left, Value() as right):
                return left.text != "*" and self._asked.is_list(here, right) and not self._asked.is_key(here, left)
            case Relation("==", left, Value() as right):
                return any(
                    other.text != "*" and self._asked.is_key(here, one) and not self._asked.is_key(here, other)
                    for one, other in ((left, right), (right, left))
                )
            case ConditionalValue(inner, then, otherwise):
                return any(self._asks(here, each) for each in (inner, then, otherwise))
        match find_original_term(test.term):
            case ("call", code, Site() as at):  # of `fields.iter().any(|field| field == key)`, whose closure was tested
                return (code, at) in self._membership
        return False

    def _iter_call_choices(self, here: Occurrence, event: Called) -> Iterator[tuple[Text, bool]]:
        model = self._models.find_model(event.path)
        if model is None:
            return
        if model.returns in SELECTING and (event.code, event.at) in self._membership:
            yield event.text, model.returns not in KEEPING or self._membership[event.code, event.at]
        if model.returns == "fields" and model.keyword in event.named:
            if self._asked.is_list(here, event.named[model.keyword]):
                yield event.text, True
        owner, *rest = event.values or (None,)
        if owner is not None and model.returns in PUTTING:
            yield from self._put(here, owner, is_taken=model.returns in REMOVING)
        if owner is not None and rest and model.returns in TAKING:
            yield from self._iter_taken(here, owner, rest[0])

    def _iter_taken(self, here: Occurrence, owner: Value, key: Value) -> Iterator[tuple[Text, bool]]:
        """Take down that an entry is taken by one of the fields; yield the place if that is done for each of them."""
        if not self._asked.is_key(here, key) or self._asked.is_list(here, owner):
            return
        loops = [each for each in here.event.iter_outwards() if each.condition == "loop"]
        self._taking.update((here.event.code, each.at) for each in loops if self._is_over(here, each))
        if not loops and here.event.code.kind == "closure":
            yield here.event.text, True

    def _put(self, here: Occurrence, owner: Value, *, is_taken: bool) -> Iterator[tuple[Text, bool]]:
        """Yield the test, or the loop, by which something is put into an object or taken out; the fields themselves are none."""
        if self._asked.is_list(here, owner):
            return
        for each in here.event.iter_outwards():
            place, text = (here.event.code, each.at), here.event.code.extract_text(each.at)
            if each.condition == "test" and place in self._membership and each.value is not None:
                is_asked = each.holds is self._membership[place]
                yield text, is_asked is not is_taken
            elif each.condition == "loop" and place in self._taking:
                yield text, True

    def _is_over(self, here: Occurrence, loop: Context) -> bool:
        return loop.value is not None and self._asked.is_list(here, loop.value)
