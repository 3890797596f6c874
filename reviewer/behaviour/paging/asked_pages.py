"""Whether a handler's answer depends on the page that a client asks for, its limit or its cursor."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import cached_property
from itertools import starmap

from reviewer.behaviour.arguments.argument_values import CUTS, PASSING_ON
from reviewer.behaviour.arguments.inputs import CLIENTS, WHOLE
from reviewer.behaviour.fields import asked_fields
from reviewer.behaviour.paging.gathered_pages import iter_page_loops
from reviewer.behaviour.paging.page_beginnings import iter_overlaps
from reviewer.behaviour.paging.page_uses import answer_of, collect_page_contents, find_unused_names
from reviewer.behaviour.paging.pages import PAGING, is_next_cursor
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import SAYING, collect_acts
from reviewer.code.events import (
    Called,
    Captured,
    Cut,
    Indexed,
    Looped,
    Occurrence,
    Returned,
    Sliced,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Code
from reviewer.code.models import Models
from reviewer.code.run import is_whole
from reviewer.code.values import (
    Class,
    ClientArguments,
    ConditionalValue,
    Key,
    Label,
    Made,
    Term,
    Value,
    build_argument,
    build_constant,
    name_of,
)
from reviewer.facts import Dispatch, Flag, Guard, Handler, Lazy, PageOverlap
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

DEEPEST = 12
"""How many steps an answer is followed to what it is made of. A query that is built in steps has up to ten."""

# A number, or any of the placeholders of the drivers; the keyword alone also stands in prose.
LIMIT_IN_SQL = pattern(r"\bLIMIT\s+[\d?:$%{]")
ONWARD = frozenset("next cursor encode decode has more token after total is last of for".split())
"""The words of functions that tell where the next page begins, and cut nothing."""

ARGUMENTS = ("limit", "cursor")
"""The arguments of which it is told by itself whether anything comes of them."""

ENVELOPES = frozenset(
    "params parameters arguments args kwargs input request query body payload inner options opts filter".split()
)
"""What the part of a request is called that holds the arguments."""

VARIANTS = frozenset({"Ok", "Err", "Some"})
"""What holds the request where reading it may fail, and is no part of it."""

ENDLESS = 2**31 - 1
"""A size by which nothing is cut, as `i32::MAX` is."""


class PageRequest(ClientArguments):
    """What a client sends for one action: whatever else is asked of it is the argument of that name."""

    __slots__ = ("_action",)

    def __init__(self, action: str) -> None:
        self._action = action

    def __getitem__(self, key: Key) -> Value:
        name = asked_fields.read_argument_name(key)
        if name in VARIANTS:
            raise KeyError(key)
        return build_constant(self._action) if names_action(name) else self.build_field(name)

    def build_field(self, name: str) -> Value:
        """Return the value sent under a name."""
        return self.build_whole(name) if name in ENVELOPES else build_argument(name)

    def build_whole(self, name: str) -> Value:
        """Return an object that holds all that is sent, under a name."""
        return Value(("input", name), frozenset((WHOLE,)), contents=self)


def names_action(name: str) -> bool:
    """Return whether a name is that of the action that a call asks for."""
    return "action" in split_words(name)


class PagesOf:
    """Tells of handlers whether what they answer depends on the page that is asked for; what guards do to it is no page."""

    def __init__(self, functions: EntryPoints, guards: Sequence[Guard]) -> None:
        self._functions, self._guards = functions, guards

    def attach_to_arm(self, arm: Handler, _: Dispatch) -> Handler:
        """Return an arm of a dispatch with what is told of it."""
        return self._with_page(arm, self._functions.trace_of_action)

    def attach_to_branch(self, branch: Handler) -> Handler:
        """Return the branch for a tool of a function that handles all tools, with what was found about it."""
        return self._with_page(branch, self._functions.trace_of_tool)

    def attach_to_tool(self, function: Handler) -> Handler:
        """Return the function of a tool with what is told of it."""
        return self._with_page(function, lambda span, _: self._functions.trace(span))

    def _with_page(self, handler: Handler, trace: Callable[[Span, str], Trace | None]) -> Handler:
        def trace_handler() -> Trace | None:
            return trace(handler.span, str(handler.name))

        return replace(
            handler,
            paged=Flag(lambda: self._may_page(trace_handler())),
            passed_over=Lazy(lambda: self._iter_passed_over(trace_handler())),
            gathered=Lazy(lambda: self._iter_page_loops(trace_handler())),
            overlaps=Lazy(lambda: self._iter_overlaps(trace_handler())),
        )

    @cached_property
    def _codes(self) -> frozenset[Code]:
        return asked_fields.find_codes_at(self._functions, self._guards)

    def _may_page(self, trace: Trace | None) -> bool:
        """Return whether what a trace answers depends on the page, or may: it takes too long to follow it."""
        if trace is None or not is_whole(trace):
            return True
        if any(each.kind == "named rest" for each in trace.code.parameters):
            return True  # nobody says what it is called with
        return Pages(trace, self._functions.program.models, self._codes).are_asked_for()

    def _iter_passed_over(self, trace: Trace | None) -> Iterator[str]:
        """Yield those of `limit` and `cursor` on which the answer of a trace certainly does not depend."""
        if (
            trace is not None
            and is_whole(trace)
            and not any(each.kind == "named rest" for each in trace.code.parameters)
        ):
            yield from sorted(find_unused_names(trace, self._functions.program.models, self._codes, ARGUMENTS))

    def _iter_overlaps(self, trace: Trace | None) -> Iterator[PageOverlap]:
        """Yield the cuts of a trace that end a page behind a place before which nothing is left out."""
        if trace is not None and is_whole(trace):
            yield from dict.fromkeys(iter_overlaps(trace, self._functions.program.models, self._codes))

    def _iter_page_loops(self, trace: Trace | None) -> Iterator[Text]:
        """Yield the loops by which a trace answers with all pages of a list."""
        if trace is not None and is_whole(trace):
            yield from dict.fromkeys(iter_page_loops(trace, self._functions.program.models, self._codes))


class _Part(IntEnum):
    """What a value may have of a request: nothing of the page, all of the request, or the page."""

    OTHER = 0
    WHOLE = 1
    PAGE = 2


class Pages:
    """Tells whether what one trace answers depends on the page that a client asks for."""

    def __init__(self, trace: Trace, models: Models, guards: frozenset[Code] = frozenset()) -> None:
        self._trace, self._models, self._guards = trace, models, guards
        self._occurrences = list(trace.iter_occurrences(lambda event, _: event.trace.code not in guards))
        self._omitted = {(each.place.code, each.place.at) for each in trace.iter_omissions()}
        self._known: dict[tuple[Occurrence, Value], _Part] = {}
        """What values were found to have: one that is chosen twice stands in as many values as there are ways to it."""

    def are_asked_for(self) -> bool:
        """Return whether the page decides what is answered; what answers nothing is not written yet."""
        is_guarded = not self._guards.isdisjoint(self._entered)
        found = (answer_of(each, self._trace, self._guards, is_guarded=is_guarded) for each in self._occurrences)
        answers = [each for each in found if each is not None]
        is_written = any(value.constant != (type(None), None) for _, value in answers)
        return not is_written or any(map(self._reads, self._occurrences)) or any(starmap(self._depends, answers))

    def _reads(self, here: Occurrence) -> bool:
        event = here.event
        match event:
            case Cut(owner=owner, size=size):
                return self._is_page(here, size) or not _is_text(owner, self._models)
            case Sliced(owner=owner, high=high):
                return high is not None and (self._is_page(here, high) or not _is_text(owner, self._models))
            case Called():
                return self._calls(here, event)
            case Captured(inner=inner):
                return inner not in self._entered and any(self._is_page(here, each) for each in event.values)
            case Tested(value=value) | Looped(value=value):
                return here.is_under("loop") and self._is_page(here, value)
        return False

    def _depends(self, here: Occurrence, value: Value) -> bool:
        """Return whether what is answered depends on the page."""
        return self._classify_part(here, value, DEEPEST) is not _Part.OTHER or _gives_next(value, set())

    def _calls(self, here: Occurrence, event: Called) -> bool:
        """Return whether a function that is not followed is told the page, or bounds a list itself."""
        model = self._models.find_model(event.path)
        is_followed = event.followed and (event.code, event.at) not in self._omitted
        if is_followed or not SAYING.isdisjoint(collect_acts(event, self._models)):
            return False
        is_of_row = event.receiver is not None and _is_text(event.receiver, self._models)
        if is_of_row and not any(self._is_page(here, each) for each in event.arguments):
            return False
        if model is not None and model.returns in CUTS | PASSING_ON:
            is_method = model.returns == "receiver" and event.receiver is not None
            is_built = is_method and any(self._is_page(here, each) for each in event.arguments)
            return model.returns in CUTS or is_built  # a request that is sent with it: `.query(&wanted)`
        name = event.path.rpartition(".")[2]
        if event.receiver is not None and name in PAGING.cuts and event.arguments:
            return not any(map(_is_endless, event.arguments))
        if self._models.has_trait(event.path, "all arguments"):
            return True
        is_made = any(isinstance(each, Class) for each in event.callee.things)
        if not is_made and any(PAGING.asks(key) and not _is_idle(each) for key, each in event.named.items()):
            return True
        if any(each.text is not None and LIMIT_IN_SQL.search(each.text) for each in event.values):
            return True
        if not any(self._is_page(here, each) for each in event.values):
            return False
        is_kept = model is not None and model.returns == "partial"  # whoever calls that hands it on
        return is_kept or event.result.term not in self._used  # `statement.bind(1, limit)`; else what it gives counts

    @cached_property
    def _entered(self) -> frozenset[Code]:
        return self._trace.collect_codes()

    @cached_property
    def _used(self) -> frozenset[Term]:
        """The values that anything is done with beside testing them."""
        used = (Called, Indexed, Looped, Returned, Sliced, Stored)
        values = [value for each in self._occurrences if isinstance(each.event, used) for value in each.event.values]
        return frozenset(part.term for value in values for part in _iter_parts(value))

    def _is_page(self, here: Occurrence, value: Value) -> bool:
        return _classify_labels(here.resolve_labels(value)) is _Part.PAGE

    def _classify_part(self, here: Occurrence, value: Value, deep: int) -> _Part:
        """Return the part of the request that a value is made from."""
        here, value = here.trace_source(value)
        if (here, value) not in self._known:
            self._known[here, value] = self._get_found_part(here, value, deep)
        return self._known[here, value]

    def _get_found_part(self, here: Occurrence, value: Value, deep: int) -> _Part:
        labels = here.resolve_labels(value)
        if not any(each.origin in CLIENTS for each in labels):
            return _Part.OTHER
        if isinstance(value.contents, ClientArguments) or not deep:
            return _Part.WHOLE
        held = self._get_most(here, collect_page_contents(value.contents), deep) if value.contents else _Part.OTHER
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                return max(held, self._get_most(here, (then, otherwise), deep))
            case Made(by, of):
                return max(held, self._classify_operation(here, value, by, of, deep))
        return held if value.contents else _classify_labels(labels)

    def _get_most(self, here: Occurrence, values: Iterable[Value], deep: int) -> _Part:
        return max((self._classify_part(here, each, deep - 1) for each in values), default=_Part.OTHER)

    def _classify_operation(self, here: Occurrence, value: Value, by: str, of: tuple[Value, ...], deep: int) -> _Part:
        """Return the part of a request in the result of an operation: the part that it names, else that of its
        operands.
        """
        name = by.rpartition(".")[2]
        if (is_field(value) and PAGING.asks(name)) or (PAGING.names(name) and not _tells_next(name)):
            return _Part.PAGE
        parts = [self._classify_part(here, each, deep - 1) for each in of]
        at = next((at for at, each in enumerate(parts) if each is _Part.WHOLE), len(of))
        keys = [text for each in of[at:] if (text := here.trace_source(each)[1].text) is not None]
        if any(map(PAGING.asks, keys)):
            return _Part.PAGE
        if keys or (is_field(value) and name not in ENVELOPES and not name.isdigit()):
            parts = [each for each in parts if each is not _Part.WHOLE]  # what is read of it is no page
        elif (seen := _classify_labels(here.resolve_labels(value))) > max(
            (_classify_labels(here.resolve_labels(each)) for each in of), default=_Part.OTHER
        ):
            return seen  # it was handed over in a way that is not seen here: `things(**options)`
        return max(parts, default=_Part.OTHER)


def _classify_labels(labels: frozenset[Label]) -> _Part:
    """Return the part of a request that a value has by its labels."""
    if any(each.origin == "argument" and PAGING.asks(each.name) for each in labels):
        return _Part.PAGE
    return _Part.WHOLE if WHOLE in labels else _Part.OTHER


def _gives_next(value: Value, seen: set[Value]) -> bool:
    """Return whether an answer holds a next cursor that comes with the list in it, of what gives both: that is a page."""
    if value in seen:
        return False
    seen.add(value)
    held = value.contents if isinstance(value.contents, dict) else {}
    names = {key: name_of(key) for key in held}
    becoming = [held[key] for key, name in names.items() if isinstance(name, str) and is_next_cursor(name)]
    others = {_get_root(each).term for key, each in held.items() if each not in becoming}
    if any(each.constants is None and _get_root(each).term in others for each in becoming):
        return True
    made = value.meaning.of if isinstance(value.meaning, Made) else ()
    return any(_gives_next(each, seen) for each in (*held.values(), *made))


def _get_root(value: Value) -> Value:
    """Return the object that a value is a part of; the value itself if that is unknown."""
    while isinstance(value.meaning, Made) and (value.meaning.by in ("item", "element") or is_field(value)):
        value = value.meaning.of[0]
    return value


def _iter_parts(value: Value) -> Iterator[Value]:
    """Yield a value, what it holds, and what it is one of."""
    yield value
    if isinstance(value.contents, dict):
        for each in value.contents.values():
            yield from _iter_parts(each)
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            yield from _iter_parts(then)
            yield from _iter_parts(otherwise)
        case Made(_, of):
            yield from of


def _is_text(value: Value, models: Models) -> bool:
    """Return whether something is a text, or its characters: what shortens each row of a list leaves all rows in it."""
    is_part = isinstance(value.meaning, Made) and models.has_trait(value.meaning.by, "letters", "raw bytes")
    return is_part or (value.certain and value.library_types == ["str"])


def _is_endless(size: Value) -> bool:
    found = size.constant
    return found is not None and isinstance(found[1], int) and found[1] >= ENDLESS


def _tells_next(name: str) -> bool:
    """Return whether a function's name says that it tells where the next page begins, or reads that."""
    return bool(split_words(name)) and (
        split_words(name) <= ONWARD or bool(split_words(name) & {"encode", "decode", "next"})
    )


def _is_idle(value: Value) -> bool:
    """Return whether a value says nothing of a page: none, zero, or an empty text."""
    return value.constant is not None and not value.constant[1]
