"""What stands for a text or an answer that is too large: objects with `_truncated` or `_overflow_action`, as they leave the code
that makes them."""

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from reviewer.behaviour.answers import names_of
from reviewer.behaviour.cuts import cuts, most_letters
from reviewer.behaviour.findings import Analysis
from reviewer.behaviour.written import constant_at, entry_text, place_of
from reviewer.code.acts import returns_of
from reviewer.code.events import Called, Occurrence, Returned, Stored, Tested, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import constants_of
from reviewer.code.values import ELEMENT, Choice, Class, Instance, Made, Relation, Term, Value, made_as, unnegated
from reviewer.facts import Envelope
from reviewer.source import Span, Text

MARK = "_truncated"
OVERFLOW = "_overflow_action"
PREVIEW = "preview"
WAY = ("full_action", "full_params")

DEEPEST = 6
"""How deep answers are looked through: a result holds its content, that a page, that rows, and these the texts."""


class Leaving(NamedTuple):
    """An object that leaves the function of a trace, with its entries by the names that a client sees."""

    trace: Trace
    occurrence: Occurrence
    value: Value
    text: Text
    entries: dict[str, Value]
    is_open: bool
    """Whether it may have other entries."""


def envelopes(traces: Iterable[Trace], program: Program, splits: Analysis | None = None) -> Iterator[Envelope]:
    """Yield the envelopes that functions give to those outside; `splits` finds the texts that are cut within a character."""
    found: dict[Term, Leaving] = {}
    for trace in traces:
        for term, each in _Leaving(trace, program, MARK).objects():
            if term not in found or len(found[term].entries) <= len(each.entries):
                found[term] = each
    for each in found.values():
        if not _is_described(each.entries[MARK]):
            yield _envelope(each, program, splits)


def overflow_actions(traces: Iterable[Trace], program: Program) -> Iterator[Text]:
    """Yield the names of actions that answers name as the next step, each where it is written."""
    found: dict[Span, Text] = {}
    for trace in traces:
        for _, each in _Leaving(trace, program, OVERFLOW).objects():
            for name in _names(each.occurrence, each.entries[OVERFLOW]):
                text = constant_at(each.occurrence, trace, name)
                found.setdefault(text.span, text)
    yield from found.values()


def _names(occurrence: Occurrence, value: Value) -> Iterator[str]:
    """Yield the texts that a value may be, as far as the code writes them."""
    here, value = occurrence.source(value)
    for _, each in constants_of(value, here.event.facts) or ():
        if isinstance(each, str):
            yield each
    if isinstance(value.meaning, Choice):
        for side in (value.meaning.then, value.meaning.otherwise):
            yield from _names(here, side)


def _is_described(mark: Value) -> bool:
    """Return whether an object only speaks of the key, as a schema does, or says that nothing was cut."""
    return mark.constant == (bool, False) or bool(mark.contents)


class _Leaving:
    """The objects with a key that a function returns, puts into what it was handed, or hands to code that is not there."""

    def __init__(self, trace: Trace, program: Program, key: str) -> None:
        self._trace, self._program, self._key = trace, program, key
        self._marked_at: dict[Term, Text] = {}
        """Where the key is written into an object that was made before."""

    def objects(self) -> Iterator[tuple[Term, Leaving]]:
        """Yield them, each with its term, as often as it is seen."""
        for each in self._trace.occurrences():
            owner = _marked(each, self._program.models, self._key)
            if owner is not None:
                self._marked_at.setdefault(_term(each, owner), each.event.text)
            for value in _leave(each, self._program.models):
                yield from self._within(each, value, DEEPEST)

    def _within(self, here: Occurrence, value: Value, deep: int) -> Iterator[tuple[Term, Leaving]]:
        """Yield a value, and what it is made of or holds, where that has the key."""
        entries = self._entries(value)
        if self._key in entries:
            term = _term(here, value)
            text = self._place(here, value) or here.event.text
            is_open = ELEMENT in (value.contents or {})
            yield term, Leaving(self._trace, here, value, text, entries, is_open)
        for each in (*entries.values(), *(() if self._key in entries else _parts(value))) if deep else ():
            yield from self._within(here, each, deep - 1)

    def _place(self, here: Occurrence, value: Value) -> Text | None:
        """Return where the key is written, or the object that has it; None if only what it is made of tells."""
        found = self._marked_at.get(_term(here, value)) or place_of(value)
        if found is None and isinstance(value.meaning, Made) and value.meaning.by == "|":
            having = (each for each in value.meaning.of if self._key in self._entries(each))
            return next((self._place(here, each) for each in having), None)
        return found

    def _entries(self, value: Value) -> dict[str, Value]:
        held = {key: each for key, each in names_of(value).items() if isinstance(key, str)}
        for thing in value.things:
            if isinstance(thing, Instance) and isinstance(thing.of, Class):
                names = self._program.entries(thing.of) or {}
                held = {str(names[key][0]) if names.get(key) else key: each for key, each in held.items()}
        return held


def _parts(value: Value) -> tuple[Value, ...]:
    if isinstance(value.meaning, Choice | Made):
        return value.sources
    return tuple(each for key, each in (value.contents or {}).items() if not isinstance(key, str | tuple))


def _term(here: Occurrence, value: Value) -> Term:
    return made_as(here.source(value)[1].term)


def _marked(occurrence: Occurrence, models: Models, key: str) -> Value | None:
    """Return the object into which a key is written, None if it is into none."""
    match occurrence.event:
        case Stored(owner=owner, key=Value() as name) if name.text == key:
            return owner
        case Called(receiver=Value() as owner, arguments=(first, *_)) as event if first.text == key:
            return owner if returns_of(event, models) == "written" else None
    return None


def _leave(occurrence: Occurrence, models: Models) -> tuple[Value, ...]:
    """Return what leaves the code that is seen by an event: an answer, what is written into, what is handed on."""
    match occurrence.event:
        case Returned(value=value) if occurrence.caller is None:
            return (value,)
        case Stored(owner=owner):
            return (owner,)
        case Called(followed=False) as event if not event.path or models.of(event.path) is None:
            return event.values
        case Called(receiver=Value() as owner) as event if returns_of(event, models) in ("written", "extended"):
            return (owner,)
    return ()


EMPTY = (None, "", False)


def _envelope(found: Leaving, program: Program, splits: Analysis | None) -> Envelope:
    keys = frozenset(
        key for key, value in found.entries.items() if value.constant is None or value.constant[1] not in EMPTY
    )
    keys |= {*WAY, PREVIEW} if found.is_open else frozenset()
    preview = found.entries.get(PREVIEW)
    if preview is None:
        return Envelope(found.text, keys)
    keys |= {PREVIEW}
    if preview.text is not None:
        return Envelope(found.text, keys, len(preview.text))
    labels = frozenset(each for each in found.occurrence.labels(preview) if each.origin == "cut")
    kept = list(cuts(found.trace, labels, program.models))
    if not kept:
        return Envelope(found.text, keys, whole=_whole(found, preview))
    length = min(map(most_letters, kept))
    places = {(each.event.code, each.event.at) for each in kept}
    within = (each.occurrence.event for each in (splits(found.trace, program) if splits is not None else ()))
    split = next((each.text for each in within if (each.code, each.at) in places), None)
    return Envelope(found.text, keys, int(length) if length < inf else None, split)


def _whole(found: Leaving, preview: Value) -> Text | None:
    """Return the preview if it surely is the whole text: the one whose length the code asks for."""
    source = found.occurrence.source(preview)[1]
    for each in found.trace.occurrences():
        test = unnegated(each.event.values[0])[0] if isinstance(each.event, Tested) else None
        if test is not None and isinstance(test.meaning, Relation) and test.meaning.right is not None:
            for side in (test.meaning.left, test.meaning.right):
                measured = (
                    side.meaning.of[0] if isinstance(side.meaning, Made) and side.meaning.by == "length" else None
                )
                if measured is not None and _term(each, measured) == made_as(source.term):
                    return entry_text(found.value, PREVIEW) or found.text
    return None
