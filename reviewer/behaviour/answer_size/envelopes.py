"""What stands for a text or an answer that is too large: objects with `_truncated` or `_overflow_action`, as they leave the code
that makes them."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from reviewer.behaviour.answer_size.cuts import compute_max_characters, iter_cuts
from reviewer.behaviour.arguments.inputs import find_measured
from reviewer.behaviour.findings import Analysis
from reviewer.behaviour.progress.written import find_entry_text, locate_constant, place_of
from reviewer.behaviour.results.answers import index_by_name
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import collect_compositions, is_put_together
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Assigned, Called, Entered, Occurrence, Returned, Stored, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_constants
from reviewer.code.values import (
    ELEMENT,
    Class,
    ConditionalValue,
    Instance,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    strip_negations,
)
from reviewer.facts import Envelope
from reviewer.source import Span, Text

MARK = "_truncated"
OVERFLOW = "_overflow_action"
PREVIEW = "preview"
# The entries of the envelope that name the call which gives the rest; both are needed to make it.
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
    """Whether it may have further entries."""


def iter_envelopes(functions: EntryPoints, splits: Analysis | None = None) -> Iterator[Envelope]:
    """Yield the envelopes that functions give to those outside; `splits` finds the texts that are cut within a character."""
    found, program = dict[Term, Leaving](), functions.program
    actions = dict[Term, dict[Span, Text]]()
    for trace in functions.iter_key_traces(MARK):
        for term, each in _Leaving(trace, program, MARK).iter_completed():
            if term not in found or len(found[term].entries) <= len(each.entries):
                found[term] = each
            for name in _iter_actions(each, functions.program.models):  # one function makes those of several actions
                actions.setdefault(term, {}).setdefault(name.span, name)
    for term, each in found.items():
        if not _is_described(each):
            named = tuple(actions.get(term, {}).values())
            yield replace(_build_envelope(each, program, splits), actions=named, **_tell(each))


def collect_shortened_fields(functions: EntryPoints) -> frozenset[str]:
    """Return the names of the fields and entries whose texts are handed to a function that makes envelopes of large ones."""
    found = [
        each
        for trace in functions.iter_traces_around(MARK)
        for _, each in _Leaving(trace, functions.program, MARK).iter_objects()
    ]
    makers = {code for each in found if (code := _find_maker(each)) is not None}
    names = {code.name for code in makers if code.name}
    return frozenset(
        name
        for trace in (functions.iter_traces_around(*names) if names else ())
        for here in trace.iter_occurrences(kinds=(Entered,))
        if isinstance(here.event, Entered) and here.event.trace.code in makers
        for value in here.event.given.values()
        if (name := _get_field_of(here.trace_source(value)[1]))
    )


def _find_maker(found: Leaving) -> Code | None:
    """Return the function that makes an envelope, None if that is not seen."""
    term = find_original_term(found.value.term)
    return term[1] if isinstance(term, tuple) and len(term) > 1 and isinstance(term[1], Code) else None


def _get_field_of(value: Value) -> str:
    """Return of which field, or of which entry, a value is; empty if it is of none."""
    match value.meaning:
        case Made(by, (_,)) if by.startswith("."):
            return by[1:]
        case Made("item", (_, key)):
            return key.text or ""
    term = find_original_term(value.term)
    return str(term[-1]) if isinstance(term, tuple) and term[:1] == ("field",) else ""


def iter_overflow_actions(functions: EntryPoints) -> Iterator[Text]:
    """Yield the names of actions that answers name as the next step, each where it is written."""
    found, program = dict[Span, Text](), functions.program
    for trace in functions.iter_key_traces(OVERFLOW):
        leaving = (
            (each.occurrence, each.entries[OVERFLOW]) for _, each in _Leaving(trace, program, OVERFLOW).iter_objects()
        )
        written = (
            (each, value)
            for each in trace.iter_occurrences()
            for value in _iter_written(each, program.models, OVERFLOW)
        )
        for here, value in (*leaving, *written):
            for name in _iter_names(here, value, program.models):
                text = locate_constant(here, trace, name)
                found.setdefault(text.span, text)
    yield from found.values()


def _iter_written(occurrence: Occurrence, models: Models, key: str) -> Iterator[Value]:
    """Yield the values written under a key of an object that was created before, for each of several possible objects."""
    match occurrence.event:
        case Stored(key=Value() as name, value=value) if name.text == key:
            yield value
        case Called(arguments=(name, value, *_)) as event if name.text == key:
            if find_modelled_return(event, models) == "written":
                yield value


def _iter_names(occurrence: Occurrence, value: Value, models: Models) -> Iterator[str]:
    """Yield the texts that a value may be, as far as the code writes them, also those that it puts together."""
    here, value = occurrence.trace_source(value)
    for _, each in infer_constants(value, here.event.facts) or ():
        if isinstance(each, str):
            yield each
    if isinstance(value.meaning, ConditionalValue):
        for side in (value.meaning.then, value.meaning.otherwise):
            yield from _iter_names(here, side, models)
    elif value.constants is None and is_put_together(value, models):
        for pieces in collect_compositions(here, value, models):
            texts = [each.text for each in pieces]
            if len(texts) > 1 and None not in texts:
                yield "".join(map(str, texts))


def _is_described(found: Leaving) -> bool:
    """Return whether an object only speaks of the key, as a schema does, or says that nothing was cut."""
    mark = found.entries[MARK]
    return (mark.constant == (bool, False) and not {PREVIEW, *WAY} <= found.entries.keys()) or bool(mark.contents)


def _tell(found: Leaving) -> dict[str, Any]:
    """Return the fields of an envelope: its contents, and the size above which it replaces a text."""
    mark, given = found.entries.get(MARK), found.entries.get("full_params")
    here = found.occurrence
    surely = mark.constant if mark is not None else None
    held = here.trace_source(given)[1] if given is not None else None
    is_seen = held is not None and ELEMENT not in (held.contents or {}) and (bool(held.contents) or _is_empty(held))
    return {
        "mark": repr(surely[1]) if surely not in (None, (bool, True)) else _count(found, mark),
        "params": frozenset(map(str, index_by_name(held))) if held is not None and is_seen else None,
        "threshold": _find_threshold(found),
    }


def _is_empty(value: Value) -> bool:
    """Return whether an object is written without entries; what one holds that is handed on far is not told."""
    place = place_of(value)
    return bool(value.things) and place is not None and not any(map(str.isalnum, place))


NO_MARKS = frozenset({"length", "counted", "text"})
"""By what numbers and texts are made, which no test gives."""


def _count(found: Leaving, mark: Value | None) -> str:
    """Return the mark as it is written in code, if it is a number or a text; empty if that is unknown."""
    is_counted = mark is not None and isinstance(mark.meaning, Made) and mark.meaning.by in NO_MARKS
    return str(find_entry_text(found.value, MARK) or "a number") if is_counted else ""


def _iter_actions(found: Leaving, models: Models) -> Iterator[Text]:
    """Yield the actions that an envelope names for the whole text, each where it is written."""
    action = found.entries.get("full_action")
    names = _iter_names(found.occurrence, action, models) if action is not None else ()
    yield from (locate_constant(found.occurrence, found.trace, each) for each in dict.fromkeys(names) if each)


def _find_threshold(found: Leaving) -> tuple[int, Text] | None:
    """Return the size from which on a text is replaced, if what makes the envelope, or else calls that, asks for one only."""
    maker = _find_maker(found)
    calls = (each.event for each in found.trace.iter_occurrences(kinds=(Entered,)))
    callers = dict.fromkeys(each.code for each in calls if isinstance(each, Entered) and each.trace.code is maker)
    for codes in ([maker], callers) if maker is not None else ():
        tests = dict(test for code in codes for test in _iter_sizes_asked(found.trace, code))
        if tests:
            return next(iter(tests.values())) if len(tests) == 1 else None
    return None


def _iter_sizes_asked(trace: Trace, code: Code) -> Iterator[tuple[Site, tuple[int, Text]]]:
    """Yield the tests of a function that compare how long something is with a constant."""
    for each in trace.iter_occurrences(kinds=(Tested,), code=code):
        test, _ = strip_negations(each.event.values[0])
        if (
            isinstance(test.meaning, Relation)
            and test.meaning.operator in ("<", "<=")
            and test.meaning.right is not None
        ):
            for one, other in ((test.meaning.left, test.meaning.right), (test.meaning.right, test.meaning.left)):
                is_size = isinstance(one.meaning, Made) and one.meaning.by in ("length", "counted")
                if is_size and other.constant is not None and isinstance(other.constant[1], int):
                    yield each.event.at, (other.constant[1], each.event.text)


class _Leaving:
    """The objects with a key that a function returns, puts into what it was handed, or hands to code that is not there."""

    def __init__(self, trace: Trace, program: Program, key: str) -> None:
        self._trace, self._program, self._key = trace, program, key
        self._marked_at: dict[Term, Text] = {}
        """Where the key is written into an object that was made before."""

    def iter_completed(self) -> Iterator[tuple[Term, Leaving]]:
        """Yield them with the way to the whole that is written into what may be one of them: `if isinstance(notes, dict)`."""
        added: dict[Term, dict[str, Value]] = {}
        for here in self._trace.iter_occurrences(kinds=(Stored,)):
            event = here.event
            if isinstance(event, Stored) and event.key is not None and event.key.text in WAY:
                for way in event.owner.ways:
                    added.setdefault(_get_term(here, way), {})[event.key.text] = event.value
        for term, each in self.iter_objects():
            yield term, each._replace(entries={**added.get(term, {}), **each.entries})

    def iter_objects(self) -> Iterator[tuple[Term, Leaving]]:
        """Yield them, each with its term, as often as it is seen."""
        for each in self._trace.iter_occurrences():
            owner = _mark(each, self._program.models, self._key)
            if owner is not None:
                self._marked_at.setdefault(_get_term(each, owner), each.event.text)
            for value in _leave(each, self._program.models):
                yield from self._iter_within(each, value, DEEPEST)
            if isinstance(each.event, Assigned | Stored):  # in what is walked through, it takes the place of a text
                yield from self._iter_within(each, each.event.value, 0)
            if isinstance(each.event, Returned) and each.caller is not None:
                # a caller may take it for one of two things
                yield from (found for found in self._iter_within(each, each.event.value, 0) if self._is_done(found[1]))

    def _is_done(self, found: Leaving) -> bool:
        """Return whether no caller adds the way to the whole to what a function returns."""
        codes = (each for each in self._trace.collect_codes() if each is not found.occurrence.event.code)
        return found.entries.keys() >= set(WAY) or not any(
            key in each.extract_text(each.at) for each in codes for key in WAY
        )

    def _iter_within(self, here: Occurrence, value: Value, deep: int) -> Iterator[tuple[Term, Leaving]]:
        """Yield a value, and what it is made of or holds, where that has the key."""
        entries = self._collect_entries(value)
        if self._key in entries:
            term = _get_term(here, value)
            text = self._place(here, value) or here.event.text
            is_open = ELEMENT in (value.contents or {})
            yield term, Leaving(self._trace, here, value, text, entries, is_open)
        for each in (*entries.values(), *(() if self._key in entries else _collect_parts(value))) if deep else ():
            yield from self._iter_within(here, each, deep - 1)

    def _place(self, here: Occurrence, value: Value) -> Text | None:
        """Return where the key is written, or the object that has it; None if only what it is made of tells."""
        found = self._marked_at.get(_get_term(here, value)) or place_of(value)
        if found is None and isinstance(value.meaning, Made) and value.meaning.by == "|":
            having = (each for each in value.meaning.of if self._key in self._collect_entries(each))
            return next((self._place(here, each) for each in having), None)
        return found

    def _collect_entries(self, value: Value) -> dict[str, Value]:
        return collect_entries(value, self._program)


def collect_entries(value: Value, program: Program) -> dict[str, Value]:
    """Return the entries of an object by the names that a client sees."""
    held = {key: each for key, each in index_by_name(value).items() if isinstance(key, str)}
    for thing in value.things:
        if isinstance(thing, Instance) and isinstance(thing.of, Class):
            names = program.find_entry_names(thing.of) or {}
            held = {str(names[key][0]) if names.get(key) else key: each for key, each in held.items()}
    return held


def _collect_parts(value: Value) -> tuple[Value, ...]:
    if isinstance(value.meaning, ConditionalValue | Made):
        return value.sources
    return tuple(each for key, each in (value.contents or {}).items() if not isinstance(key, str | tuple))


def _get_term(here: Occurrence, value: Value) -> Term:
    return find_original_term(here.trace_source(value)[1].term)


def _mark(occurrence: Occurrence, models: Models, key: str) -> Value | None:
    """Return the object into which a key is written, None if it is into none."""
    match occurrence.event:
        case Stored(owner=owner, key=Value() as name) if name.text == key:
            return owner
        case Called(receiver=Value() as owner, arguments=(first, *_)) as event if first.text == key:
            return owner if find_modelled_return(event, models) == "written" else None
    return None


def _leave(occurrence: Occurrence, models: Models) -> tuple[Value, ...]:
    """Return the values that leave the visible code by an event: returned, written into objects, or passed on."""
    match occurrence.event:
        case Returned(value=value) if occurrence.caller is None:
            return (value,)
        case Stored(owner=owner):
            return (owner,)
        case Called(followed=False) as event if not event.path or models.find_model(event.path) is None:
            return event.values
        case Called(receiver=Value() as owner) as event if find_modelled_return(event, models) in (
            "written",
            "extended",
        ):
            return (owner,)
    return ()


EMPTY = (None, "", False)


def _build_envelope(found: Leaving, program: Program, splits: Analysis | None) -> Envelope:
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
    labels = frozenset(each for each in found.occurrence.resolve_labels(preview) if each.origin == "cut")
    kept = list(iter_cuts(found.trace, labels, program.models))
    if not kept:
        return Envelope(found.text, keys, whole=_find_whole(found, preview))
    maker = _find_maker(found)  # a list that the text comes from may have been cut before
    kept = [each for each in kept if any(at.event.code is maker for at in each.occurrence.iter_outwards())] or kept
    length = min(map(compute_max_characters, kept))
    places = {(each.event.code, each.event.at) for each in kept}
    within = (each.occurrence.event for each in (splits(found.trace, program) if splits is not None else ()))
    split = next((each.text for each in within if (each.code, each.at) in places), None)
    return Envelope(found.text, keys, int(length) if length < inf else None, split)


def _find_whole(found: Leaving, preview: Value) -> Text | None:
    """Return the preview if it is certainly the whole text, the one whose length the code tests; else None."""
    source = found.occurrence.trace_source(preview)[1]
    for each in found.trace.iter_occurrences():
        test = strip_negations(each.event.values[0])[0] if isinstance(each.event, Tested) else None
        if test is not None and isinstance(test.meaning, Relation) and test.meaning.right is not None:
            for side in (test.meaning.left, test.meaning.right):
                measured = find_measured(side)
                if measured is not None and _get_term(each, measured) == find_original_term(source.term):
                    return find_entry_text(found.value, PREVIEW) or found.text
    return None
