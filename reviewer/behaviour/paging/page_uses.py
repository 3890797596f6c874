"""Of which of the arguments that ask for a page something comes in what an action answers with.

A list may heed the cursor and not the limit, or tell where the next page begins and give the first one each time: each argument
is looked for by itself. What only says something of the page beside its things, such as the next cursor, is no use of it.
"""

from collections.abc import Iterable, Iterator, Mapping

from reviewer.behaviour.arguments.argument_values import CUTS, TELLING
from reviewer.behaviour.arguments.inputs import WHOLE
from reviewer.behaviour.paging.pages import PAGING, is_next_cursor, is_page_size
from reviewer.behaviour.results.answers import collect_entered_calls
from reviewer.behaviour.security.checks import is_field
from reviewer.code.acts import SAYING, collect_acts
from reviewer.code.events import (
    Called,
    Captured,
    Context,
    Cut,
    Entered,
    Event,
    Indexed,
    Looped,
    Obscured,
    Occurrence,
    Returned,
    Sliced,
    Stored,
    Tested,
    Trace,
    translate_labels,
)
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.state import infer_failure
from reviewer.code.values import Class, ClientArguments, Key, Label, Made, Term, Value, find_original_term, name_of

ANSWERING = frozenset({"items", "results", "next_cursor", "nextCursor", "total", "data"})
"""Keys of an answer, by which it is told from what is sent to another server."""

BESIDE = frozenset({"total", "cursor", "offset", "has_more", "hasMore"})
"""Keys of an answer beside the page's size and the next cursor that tell of the page and hold none of it."""

FORMING = frozenset({"parses", "deserialises", "serialises", "validates", "fails", "encodes", "decodes", "quotes"})
"""What functions do that give on what they are handed in another form: only what becomes of that counts."""

WRAPPING = frozenset({"std.option.Option.Some", "std.result.Result.Ok"})
"""What a method is handed to wrap what it has: `.map(Some)`. Written out, they are passed through where code is lowered."""

CUTTING = CUTS | {"skipped", "split off", "drained", "split", "chunks", "numbers", "places", "counting"}
"""What models call functions that cut a sequence, or count, by what they are handed."""

TELLING_ON = frozenset(
    {"receiver", "with field", "with element", "written", "appended", "extended", "lengthened", "kept entry"}
)
"""What models call functions whose operand has from then on what else they are handed, such as the methods of builders."""

HIDING = CUTTING | {"unknown", "nothing", "called", "task"}
"""What models call functions of which the result does not tell what became of what they were handed."""

MOST = 200
"""Values that what an event is about is looked through for. More is data."""


def find_unused_names(trace: Trace, models: Models, guards: frozenset[Code], names: Iterable[str]) -> frozenset[str]:
    """Return the arguments on which the answer of a whole trace certainly does not depend."""
    wanted = frozenset(names)
    left = set(wanted)
    for found in PageArgumentUses(trace, models, guards).iter_used_names():
        if found - wanted:
            return frozenset()  # all that is sent, or an argument that may hold others
        left -= found
        if not left:
            break
    return frozenset(left)


class PageArgumentUses:
    """What one trace does with the arguments that ask for a page."""

    def __init__(self, trace: Trace, models: Models, guards: frozenset[Code]) -> None:
        self._trace, self._models, self._guards = trace, models, guards
        self._occurrences = list(trace.iter_occurrences(lambda event, _: event.trace.code not in guards))
        self._omitted = {(each.place.code, each.place.at) for each in trace.iter_omissions()}

    def iter_used_names(self) -> Iterator[frozenset[str]]:
        """Yield the names of the arguments of which something comes, use by use."""
        entered = self._trace.collect_codes()
        is_guarded = not self._guards.isdisjoint(entered)
        for here in self._occurrences:
            event = here.event
            for value in self._iter_used_values(here, entered):
                yield self._collect_names(here, value)
            handed = answer_of(here, self._trace, self._guards, is_guarded=is_guarded)
            if handed is not None:
                yield self._collect_answered_names(*handed)
            if self._does_something(event):
                for context in here.event.iter_outwards():
                    yield from self._iter_deciding_names(here, context)

    def _iter_used_values(self, here: Occurrence, entered: frozenset[Code]) -> Iterator[Value]:
        """Yield the values that an event makes use of, beside those that only its result is made of."""
        event = here.event
        match event:
            case Cut(size=size):
                yield size
            case Sliced(low=low, high=high):
                yield from (each for each in (low, high) if each is not None)
            case Indexed(key=key):
                yield key
            case Looped() | Obscured():
                yield from event.values
            case Captured(inner=inner) if inner not in entered:
                yield from event.values
            case Stored(key=key) if not _is_beside(key):
                yield from event.values
            case Tested(value=value) if here.is_under("loop"):
                yield value
            case Called():
                yield from self._collect_passed_values(event)

    def _collect_passed_values(self, event: Called) -> tuple[Value, ...]:
        if event.followed and (event.code, event.at) not in self._omitted:
            return ()
        if any(isinstance(each, Class) for each in event.callee.things) or self._is_harmless(event):
            return ()
        model = self._models.find_model(event.path)
        is_cut = model is not None and model.returns in CUTTING | TELLING_ON and event.receiver is not None
        return (*event.arguments, *event.named.values()) if is_cut else event.values

    def _is_harmless(self, event: Called) -> bool:
        """Return whether only the result of a call counts, or nothing of it."""
        acts = frozenset[str](collect_acts(event, self._models))
        if not SAYING.isdisjoint(acts):
            return True
        if event.path in WRAPPING:
            return True
        model = self._models.find_model(event.path)
        if model is None:
            return False
        if model.returns in HIDING:
            return (
                model.returns == "unknown" and "parses" in acts and acts <= FORMING
            )  # what a text says, has its labels
        if model.returns in TELLING_ON and len(event.arguments) > (event.receiver is None):
            return False  # a method that another one is handed has its receiver as its first argument: `Value::as_str`
        return model.returns in TELLING or acts <= FORMING

    def _does_something(self, event: Event) -> bool:
        """Return whether anything depends on an event being reached: another value than elsewhere, an end, an effect."""
        match event:
            case Returned(value=value):
                return event.code is self._trace.code and infer_failure(value, event.facts) is not True
            case Stored(key=key):
                return not _is_beside(key)
            case Cut() | Sliced():
                return True
            case Called():
                return bool(self._collect_passed_values(event))
        return False

    def _iter_deciding_names(self, here: Occurrence, context: Context) -> Iterator[frozenset[str]]:
        if context.condition == "test" and context.value is not None:
            yield self._collect_names(here, context.value)

    def _collect_answered_names(self, here: Occurrence, value: Value) -> frozenset[str]:
        """Return the arguments that an answer is made of, without what it says of the page beside what is on it."""
        here, value = here.trace_source(value)
        if value.contents and not isinstance(value.contents, ClientArguments):
            inner = [self._collect_answered_names(here, each) for each in collect_page_contents(value.contents)]
            return frozenset[str]().union(*inner)
        return self._collect_names(here, value)

    def _collect_names(self, here: Occurrence, value: Value) -> frozenset[str]:
        """Return the arguments that a value is made of, or chosen by; an empty name for all that is sent."""
        found: set[str] = set()
        waiting, seen = [(here, value)], set[tuple[int, Term]]()
        for number in range(MOST):
            if number >= len(waiting):
                return frozenset(found)
            at, each = waiting[number]
            at, each = at.trace_source(each)
            if (id(at.caller), each.term) not in seen:
                seen.add((id(at.caller), each.term))
                waiting += self._collect_inner(at, each, found)
        return frozenset(("",))

    def _collect_inner(self, here: Occurrence, value: Value, found: set[str]) -> list[tuple[Occurrence, Value]]:
        """Return the values that a value is made from, after recording the arguments that it contains itself."""
        if _is_whole(value):
            found.add("")
            return []
        told = self._collect_entry(here, value) or self._collect_given_back(here, value)
        if told:
            return told
        inner = (*(value.contents or {}).values(), *value.operands, *value.sources)
        owners = [here.trace_source(each) for each in value.meaning.of] if isinstance(value.meaning, Made) else []
        is_of_whole = any(_is_whole(each) for _, each in owners)
        if is_of_whole or any(_is_argument(*each) for each in owners):  # an argument may hold others
            texts = [text for _, each in owners if (text := each.text) is not None]
            texts += [value.meaning.by[1:]] if isinstance(value.meaning, Made) and is_field(value) else []
            found |= {each for each in texts if PAGING.asks(each)}
            inner = () if texts and is_of_whole else inner
        if not is_of_whole:
            known = frozenset[Label]().union(*(each.labels for each in inner))
            for each in here.resolve_labels(value._replace(labels=value.labels - known)):
                if each == WHOLE and not inner:
                    found.add("")
                elif each.origin == "argument" and PAGING.asks(each.name):
                    found.add(each.name)
        return [(here, each) for each in inner]

    def _collect_entry(self, here: Occurrence, value: Value) -> list[tuple[Occurrence, Value]]:
        """Return the entry of an object or tuple of which a value is a part, if the code that created it was found."""
        made = value.meaning
        if not isinstance(made, Made) or not made.of:
            return []
        at, owner = here.trace_source(made.of[0])
        place = made.of[1].constant if made.by == "item" and len(made.of) == 2 else None
        key: Key = (made.by[1:],) if is_field(value) else place[1] if place is not None else None
        if key is None:
            return []
        if owner.contents and key in owner.contents:
            return [(at, owner.contents[key])]
        back = self._collect_given_back(at, owner)
        return [(one, each.contents[key] if each.contents and key in each.contents else each) for one, each in back]

    def _collect_given_back(self, here: Occurrence, value: Value) -> list[tuple[Occurrence, Value]]:
        """Return the results of the functions of the project that returned a value or a part of it, and the tests
        before them.
        """
        whole: list[tuple[Occurrence, Value]] = []
        part: list[tuple[Occurrence, Value]] = []
        made = find_original_term(value.term)
        for call, trace in collect_entered_calls(self._trace, here, value):
            event = call.event
            if not isinstance(event, Entered) or (event.code, event.at) in self._omitted:
                return []
            origins = event.labels
            if call.origins is not None:
                origins = {label: translate_labels(labels, call.origins) for label, labels in origins.items()}
            for each in trace.events:
                if isinstance(each, Returned) and infer_failure(each.value, each.facts) is not True:
                    inner = Occurrence(each, call, origins)
                    tests = (
                        one.value for one in each.iter_outwards() if one.condition == "test" and one.value is not None
                    )
                    whole += [(inner, each.value), *((inner, one) for one in tests)]
                    held = each.value.contents or {}
                    part += [(inner, one) for one in held.values() if find_original_term(one.term) == made]
        return part or whole


def _is_whole(value: Value) -> bool:
    """Return whether a value is all that is sent, or what stands in for it where nothing is."""
    return isinstance(value.contents, ClientArguments) or (not value.contents and any(map(_is_whole, value.ways)))


def _is_argument(here: Occurrence, value: Value) -> bool:
    """Return whether a value is an argument of which nothing is known."""
    is_plain = value.meaning is None and not value.contents and value.constants is None
    return is_plain and any(each.origin == "argument" for each in here.resolve_labels(value))


def answer_of(
    here: Occurrence, trace: Trace, guards: frozenset[Code], *, is_guarded: bool
) -> tuple[Occurrence, Value] | None:
    """Return the answer: the value passed to a guard, or the function's result if there is no guard; None without one."""
    event = here.event
    match event:
        case Entered(trace=inner) if inner.code in guards:
            handed = event.given.get(("parameter", inner.code, _place_of_answer(inner.code)))
            return (here, handed) if handed is not None else None
        case Returned(value=value) if here.caller is None and event.code is trace.code:
            return (here, value) if not is_guarded and not infer_failure(value, event.facts) else None
    return None


def _place_of_answer(guard: Code) -> int:
    """Return the number of the parameter in which a guard is handed an answer: it comes after the action's name."""
    own = guard.parameters[:1]
    return 2 if any(each.kind == "receiver" or each.name in ("self", "cls") for each in own) else 1


def collect_page_contents(contents: Mapping[Key, Value]) -> list[Value]:
    """Return the contents of an object, without the information about the page."""
    names = {key: name_of(key) for key in contents}
    if ANSWERING.isdisjoint(names.values()):
        return list(contents.values())
    return [each for key, each in contents.items() if not tells_of_page(names[key])]


def tells_of_page(name: object) -> bool:
    """Return whether a key of an answer tells of the page, and holds none of it."""
    return isinstance(name, str) and (name in BESIDE or is_next_cursor(name) or is_page_size(name))


def _is_beside(key: Value | None) -> bool:
    return key is not None and key.text is not None and tells_of_page(key.text)
