"""What guards do about answers that are too large: what they measure, what they mark, and which entries they leave.

A guard is run by itself, on whatever it may be handed. What is too large is told by a test that compares a length with a
number; what is kept, by the lists of names that keys are looked for in.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from reviewer.behaviour.answer_size.envelopes import NO_MARKS, collect_entries
from reviewer.behaviour.answer_size.kept_keys import KeptKeys
from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.progress.written import place_of
from reviewer.behaviour.results.unread_results import iter_unread
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code import ir
from reviewer.code.acts import find_modelled_return
from reviewer.code.calls import RECURSION
from reviewer.code.events import Called, Cut, Entered, Occurrence, Returned, Sliced, Stored, Tested, Trace
from reviewer.code.ir import Code
from reviewer.code.program import Program
from reviewer.code.values import (
    ConditionalValue,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import AnswerBudget, Guard, Keeping, Measure, TruncationMark
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

OVERFLOW = "_overflow"
STEP = "_overflow_action"

WRITING = pattern(
    r"(?:^|\.)(?:to_string(?:_pretty)?|to_vec(?:_pretty)?|dumps|dump_json|model_dump_json|str|format|text)$"
)
"""What writes an object as a text, or as bytes, beside what the rows of libraries say so of."""


def iter_budgets(functions: EntryPoints, guards: Iterable[Guard]) -> Iterator[AnswerBudget]:
    """Yield the effect of each response guard on answers that are too large."""
    for guard in guards:
        trace = functions.trace(guard.span)
        if trace is not None:
            yield _Sizing(trace, functions.program).build_budget(guard)


class _EntryWrite(NamedTuple):
    """An entry that is written into an object, and the object, as the function of the event has them."""

    here: Occurrence
    owner: Value
    value: Value
    text: Text


class _Length(NamedTuple):
    """A test of a size."""

    here: Occurrence
    value: Value
    """What is compared."""
    most: int
    """How long a text may be by it, in characters or bytes."""
    is_written: bool
    """Whether it is the size of the serialised answer."""
    bound: int
    """The number as the test has it, in whichever unit."""


class _Sizing:
    """What one guard does."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program, self._models = trace, program, program.models
        self._all = list(trace.iter_occurrences())
        self._is_unsure = False  # whether something was reckoned of a length that was not understood
        self._lengths: list[_Length] = []

    def build_budget(self, guard: Guard) -> AnswerBudget:
        """Return the guard's effects."""
        measures = tuple(self._iter_measures())
        marks = [each for each in self._iter_written_entries(OVERFLOW) if not self._is_left_out(each)]
        steps = [each for each in self._iter_written_entries(STEP) if not self._is_left_out(each)]
        is_whole = all(each.reason == RECURSION for each in self._trace.iter_omissions()) and not self._hands_on()
        if any(self._mentions(key) and not found for key, found in ((OVERFLOW, marks), (STEP, steps))):
            is_whole = False  # it is written somewhere that was not understood
        is_whole = is_whole and not self._is_unsure
        return AnswerBudget(
            guard,
            is_whole,
            measures,
            tuple(map(self._get_flag, marks)),
            tuple(map(self._mark, steps)),
            tuple(self._iter_keepings()),
            self._find_lost([*marks, *steps]),
            self._find_inverted_test([*marks, *steps]),
            self._find_unstripped_mark(marks) if is_whole else None,
            self._find_unused_copy([*marks, *steps]),
        )

    def _hands_on(self) -> bool:
        """Return whether the guard calls a function that was not found and that may receive the answer."""
        named = _collect_first(self._trace.code)
        for here in self._all:
            event = here.event
            if isinstance(event, Called) and not event.followed and event.path[:1] != "." and event.arguments:
                row = self._models.find_model(event.path)
                is_known = row is not None or bool(event.receiver is not None and event.receiver.library_types)
                given = (here.trace_source(each)[1] for each in event.arguments)
                if not is_known and not all(_is_no_answer(each, named) for each in given):
                    return True
        return False

    # sizes

    def _iter_measures(self) -> Iterator[Measure]:
        seen: set[Span] = set()
        for here in self._all:
            for relation in _iter_orders(here.event.value) if isinstance(here.event, Tested) else ():
                for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
                    bound = _number(other)
                    found = self._find_measured(here, one, bound) if one is not None else None
                    if one is None or found is None or bound is None:
                        continue
                    measured, most = found
                    counts = not self._is_written(here, measured)
                    self._lengths.append(_Length(here, one, most, not counts, bound))
                    if here.event.text.span not in seen:
                        seen.add(here.event.text.span)
                        yield Measure(here.event.text, most, counts)

    def _find_measured(
        self, here: Occurrence, value: Value, most: int | None, deep: int = 6
    ) -> tuple[Value, int] | None:
        """Return the value whose length a number is, and the length that a bound of the number allows; None if it is no
        length.
        """
        here, value = here.trace_source(value)
        if most is None or not deep:
            return None
        match value.meaning:
            case Made("length", (owner, *_)):
                return owner, most
            case Made("/" | "//", (whole, part)) if (by := _number(part)) is not None:
                return self._find_measured(here, whole, most * by, deep - 1)
            case Made(">>", (whole, part)) if part.constant is not None and isinstance(part.constant[1], int):
                return self._find_measured(here, whole, most << min(part.constant[1], 64), deep - 1)
            case Made(by, _) if by != "joined":
                self._is_unsure |= any(
                    isinstance(each.meaning, Made) and each.meaning.by == "length"
                    for _, each in iter_parts(here, value)
                )
                return None
        ways = (self._find_measured(here, each, most, deep - 1) for each in value.ways)
        return next((each for each in ways if each is not None), None)

    def _is_written(self, here: Occurrence, value: Value) -> bool:
        """Return whether a text or bytes are an object that was written out."""
        for _, each in iter_parts(here, value):
            if isinstance(each.meaning, Made):
                by = each.meaning.by
                if WRITING.search(by) or "serialises" in self._models.get_model(by).acts:
                    return True
        return False

    # marks

    def _iter_written_entries(self, key: str) -> Iterator[_EntryWrite]:
        """Yield where an entry is written under a key, into an object or with it."""
        written = [each for here in self._all for each in self._put(here, key)]
        owners = {term for each in written for term in _collect_terms(each.here, each.owner)}
        made = [each for here in self._all for each in self._iter_made(here, key)]
        found = [*written, *(each for each in made if owners.isdisjoint(_collect_terms(each.here, each.owner)))]
        yield from {each.text.span: each for each in reversed(found)}.values()

    def _put(self, here: Occurrence, key: str) -> Iterator[_EntryWrite]:
        """Yield the entry that an event writes into an object that was made before."""
        event = here.event
        match event:
            case Stored(owner=owner, key=Value() as name, value=value) if name.text == key:
                yield _EntryWrite(here, owner, value, event.text)
            case Called(receiver=Value() as owner, arguments=(name, value, *_)) if name.text == key:
                if find_modelled_return(event, self._models) in ("written", "kept entry"):
                    yield _EntryWrite(here, owner, value, event.text)
            case Called(receiver=Value() as owner, named=named) if key in named:
                yield _EntryWrite(here, owner, named[key], event.text)

    def _iter_made(self, here: Occurrence, key: str) -> Iterator[_EntryWrite]:
        """Yield the entry with which an object was made that an event is about."""
        event = here.event
        for each in event.values if not isinstance(event, Tested) else ():
            for at, held in iter_parts(here, each):
                entries = self._collect_entries(held)
                place = place_of(held)
                if key in entries and place is not None:
                    yield _EntryWrite(at, held, entries[key], place)

    def _mentions(self, key: str) -> bool:
        """Return whether a function that the guard comes to has a key written in it, and not after its answer was given."""
        return any(
            isinstance(part, ir.Constant) and part.value == key
            for code in self._trace.collect_codes()
            for each in ir.iter_codes(code)
            for statement in ir.iter_reachable(each.body)
            for part in ir.iter_expressions(statement)
        )

    def _collect_entries(self, value: Value) -> dict[str, Value]:
        return collect_entries(value, self._program) if value.contents else {}

    def _get_flag(self, entry: _EntryWrite) -> TruncationMark:
        """Return the mark by which an answer says that it was stripped.

        A number or a text is never true, whatever a run yields.
        """
        _, value = entry.here.trace_source(entry.value)
        made = value.meaning.by if isinstance(value.meaning, Made) and value.constant is None else ""
        return TruncationMark(entry.text, made, known=True) if made in NO_MARKS else self._mark(entry)

    def _mark(self, entry: _EntryWrite) -> TruncationMark:
        _, value = entry.here.trace_source(entry.value)
        found = value.constant
        names = _collect_first(self._trace.code)
        return TruncationMark(
            entry.text, found[1] if found is not None else None, found is not None, _is_named(value, names)
        )

    def _find_lost(self, marks: list[_EntryWrite]) -> Text | None:
        """Return where an answer is marked that is another than those that the guard gives."""
        given = {
            term
            for each in self._trace.events
            if isinstance(each, Returned)
            for term in _collect_terms(Occurrence(each), each.value, within=True)
        }
        if not given or not marks:
            return None
        for each in marks:
            made = _collect_terms(each.here, each.owner)
            if made & given or any(_is_open(term) for term in made) or any(map(_is_of_several, given)):
                return None
        return marks[0].text

    def _find_unused_copy(self, marks: list[_EntryWrite]) -> Text | None:
        """Return the call that marks a copy of every answer that is too large, if its result is not used; else None."""
        inner = self._trace.list_traces()
        calls = [each for trace in inner for each in trace.events if isinstance(each, Entered)]
        dropped = [each for trace in inner for each in iter_unread(trace, self._models)]
        for call in dropped if marks else ():
            is_all = all(any(here.event is call for here in each.here.iter_outwards()) for each in marks)
            is_only = all(each in dropped for each in calls if each.trace.code is call.trace.code)
            copied = (any(not _is_open(term) for term in _collect_terms(each.here, each.owner)) for each in marks)
            if is_all and is_only and all(copied):
                return call.text
        return None

    def _find_inverted_test(self, marks: list[_EntryWrite]) -> Text | None:
        """Return the test by which answers are marked that are no larger than the number."""
        return next((test for mark in marks if (test := self._find_fitting_test(mark)) is not None), None)

    def _find_fitting_test(self, mark: _EntryWrite) -> Text | None:
        """Return the test by which an answer is no larger than the number where it is marked, None if it may be."""
        tests = [(each.here.event, each.value, each.most) for each in self._lengths if each.is_written]
        for event in mark.here.iter_outwards():
            for test, value, most in tests:
                fact = event.event.facts.get(value.term) if test.code is event.event.code else None
                if fact is not None and fact.interval.high <= most + 1:
                    return test.text
        return None

    def _is_left_out(self, mark: _EntryWrite) -> bool:
        """Return whether it says that nothing is left out, of an answer that is not too large."""
        _, value = mark.here.trace_source(mark.value)
        found = value.constant
        if found is None or found[1]:
            return False
        sizes = {each.value.term for each in self._lengths if each.is_written}
        ways = (
            way for each in mark.here.event.values for way in _iter_ways_to(each, _collect_terms(mark.here, mark.owner))
        )
        return self._find_fitting_test(mark) is not None or any(_fits(test, holds, sizes) for test, holds in ways)

    def _find_unstripped_mark(self, marks: list[_EntryWrite]) -> Text | None:
        """Return where an answer is marked that is just what was measured: nothing is taken out in between."""
        places = {id(each.event): number for number, each in enumerate(self._all)}
        measured = [(each.here, _measure(each.here, each.value)) for each in self._lengths if each.is_written]
        for mark in marks:
            before = [(here, each) for here, each in measured if each is not None and self._is_copy(mark, here, each)]
            end = places.get(id(mark.here.event))
            starts = [places[id(here.event)] for here, _ in before if id(here.event) in places]
            marked = _collect_terms(mark.here, mark.owner)
            same = marked if all(marked <= _collect_terms(here, each) for here, each in before) else None
            if not starts or end is None or any(self._reduces(each, same) for each in self._all[max(starts) : end]):
                return None
        return marks[0].text if marks else None

    def _reduces(self, here: Occurrence, marked: set[Term] | None) -> bool:
        """Return whether entries are removed from a value, or written into one under another key than those of marks.

        If only the values in `marked` are returned, other values made from them do not count: `stripped(value)`, whose
        result is not used.
        """
        event = here.event
        match event:
            case Cut() | Sliced():
                return True
            case Stored(owner=owner, key=key):
                is_entry = key is None or key.text is None or not key.text.startswith("_")
                return is_entry and _may_be_of(here, owner, marked)
            case Called(receiver=receiver):
                lessens = find_modelled_return(event, self._models) in LESSENING
                return lessens and (receiver is None or _may_be_of(here, receiver, marked))
        return False

    def _is_copy(self, mark: _EntryWrite, there: Occurrence, measured: Value) -> bool:
        """Return whether a marked answer is what was measured, or has all of it."""
        known = _collect_terms(there, measured)
        here, value = mark.here.trace_source(mark.owner)
        for _ in range(6):
            if not _collect_terms(here, value).isdisjoint(known):
                return True
            made = value.meaning
            if not isinstance(made, Made) or not made.of:
                return False
            if self._models.get_model(made.by).returns not in COPYING and made.by not in ("dict", "builtins.dict"):
                return False
            here, value = here.trace_source(made.of[0])
        return False

    # entries

    def _iter_keepings(self) -> Iterator[Keeping]:
        """Yield by what names entries are chosen of answers that are too large.

        A guard may also choose the fields that were asked for, of every answer: that takes out nothing for its size.
        """
        found = list(KeptKeys(self._all, self._models).iter_keepings(self._is_too_large))
        sure = [each for each, is_sure in found if is_sure]
        yield from sure or (each for each, _ in found if self._lengths)

    def _is_too_large(self, here: Occurrence) -> bool:
        """Return whether an answer was found to be larger than a number where an event happens."""
        for outer in here.iter_outwards():
            for test in self._lengths:
                fact = outer.event.facts.get(test.value.term) if test.here.event.code is outer.event.code else None
                if fact is not None and fact.interval.low >= test.bound:
                    return True
        return False


LESSENING = frozenset(
    "removed retained emptied shortened filtered mapped cut skipped between drained taken fields flattened folded".split()
) | {"flat mapped", "mapped or then"}
"""What models call functions by which there is less of an answer, or which may give less."""

COPYING = frozenset({"copied", "cloned", "receiver", "argument", "new", "sure"})
"""What models call functions that give all of what they are given."""


def _measure(here: Occurrence, number: Value) -> Value | None:
    """Return the object whose text a number is the length of, None if that is not seen."""
    _, number = here.trace_source(number)
    for _, each in iter_parts(here, number):
        if isinstance(each.meaning, Made) and WRITING.search(each.meaning.by) and each.meaning.of:
            inner = [one for one in each.meaning.of if one.constants is None]
            return inner[0] if inner else None
    return None


def _iter_orders(test: Value) -> Iterator[Relation]:
    """Yield the comparisons of a test that tell which of two values is larger."""
    return (each for each in iter_relations(test) if each.operator in ("<", "<=") and each.right is not None)


def _number(value: Value | None) -> int | None:
    found = value.constant if value is not None else None
    if found is not None and isinstance(found[1], int | float) and not isinstance(found[1], bool) and found[1] > 1:
        return int(found[1])
    return None


def _collect_first(code: Code) -> set[Hashable]:
    """Return the names of a guard's action: its first parameter, after the object if it is a method."""
    taken = [each for each in code.parameters if each.name not in ("self", "cls")]
    return {part for each in taken[:1] for part in (each.name, each.variable)}


def _is_no_answer(value: Value, named: set[Hashable]) -> bool:
    """Return whether a value is certainly no answer: a constant, the action's name, or a global name."""
    is_global = get_term_head(value.term) == "global"
    return value.constants is not None or is_global or _is_named(value, named)


def _is_named(value: Value, names: set[Hashable]) -> bool:
    """Return whether a value is just what a parameter is."""
    kind, *rest = value.term if isinstance(value.term, tuple) else (None,)
    return kind in ("parameter", "argument") and not names.isdisjoint(rest)


def _collect_terms(here: Occurrence, value: Value, deep: int = 8, *, within: bool = False) -> set[Term]:
    """Return which values one may be, in the guard; also what it holds or is made of, and what that holds."""
    here, value = here.trace_source(value)
    if value.ways and deep > 0:
        return {term for each in value.ways for term in _collect_terms(here, each, deep - 1, within=within)}
    found: set[Term] = {find_original_term(value.term)}
    held = (*(value.contents or {}).values(), *value.sources) if within and deep > 0 else ()
    for each in held:
        found |= _collect_terms(here, each, deep - 3, within=True)
    return found


def _may_be_of(here: Occurrence, value: Value, marked: set[Term] | None) -> bool:
    """Return whether a value is one of some, or may be a part of one; of None, whether it is any."""
    terms = _collect_terms(here, value)
    return marked is None or not terms.isdisjoint(marked) or any(map(_is_open, terms))


def _is_open(term: Term) -> bool:
    """Return whether a term is of something that was not made in the guard: what it was handed, or a part of it."""
    return not (isinstance(term, tuple) and term[:1] in (("new",), ("call",)))


def _is_of_several(term: Term) -> bool:
    """Return whether a term is an entry of one of several objects and it is unknown of which: any of them may be
    marked.
    """
    match term:
        case None:
            return True
        case ("field" | "item" | "entry", owner, _):
            of = find_original_term(owner)
            return get_term_head(of) == "join"
    return False


def _iter_ways_to(value: Value, terms: set[Term], deep: int = 6) -> Iterator[tuple[Value, bool]]:
    """Yield the tests by which a value is one of some, and whether they hold there."""
    found = value.meaning
    if isinstance(found, ConditionalValue):
        for side, holds in ((found.then, True), (found.otherwise, False)):
            if any(find_original_term(each.term) in terms for each in (side, *side.ways)):
                yield strip_negations(found.test, holds)
    for each in value.operands if deep else ():
        yield from _iter_ways_to(each, terms, deep - 1)


def _fits(test: Value, holds: bool, sizes: set[Term]) -> bool:
    """Return whether a test tells that one of some sizes is no larger than something."""
    found = test.meaning
    if not isinstance(found, Relation) or found.operator not in ("<", "<=") or found.right is None:
        return False
    return (found.left if holds else found.right).term in sizes
