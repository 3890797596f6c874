"""How a number that an event is about changes from one round of a loop around it to the next."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import NamedTuple

from reviewer.code import ir
from reviewer.code.events import Called, Carried, Context, Event, Looped, Occurrence, Stored, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.state import infer_constants, infer_interval
from reviewer.code.values import ANY, ConditionalValue, Interval, Made, Term, Value, find_original_term
from reviewer.source import Text


class LoopSite(NamedTuple):
    """A loop around an event: the function that it is in, and where it stands there."""

    code: Code
    at: Site

    def holds(self, code: Code, at: Site) -> bool:
        """Return whether something stands inside of the loop, in the same function."""
        return code is self.code and self.at.holds(at)


class Around(NamedTuple):
    """A loop that an event runs in, with the call in it that leads to the event, or the event itself."""

    loop: LoopSite
    context: Context
    inner: Occurrence


def iter_loops_around(occurrence: Occurrence) -> Iterator[Around]:
    """Yield the loops that an event runs in, from the innermost outwards, over all calls."""
    for here in occurrence.iter_outwards():
        for each in here.event.iter_outwards():
            if each.condition == "loop":
                yield Around(LoopSite(here.event.code, each.at), each, here)


class LoopChange(NamedTuple):
    """By how much a number is more in a round than in the one before; `comes_back` where it begins anew after some rounds."""

    by: Interval
    comes_back: bool = False


NONE = LoopChange(Interval(0, 0))
DEEPEST = 10
"""How many values inside values are looked through. The number of a step is made of three or four; no more was seen."""


class LoopVariables:
    """What the loops of a trace hand on from round to round, and count."""

    def __init__(self, trace: Trace, models: Models) -> None:
        self._models = models
        self._carried: dict[Term, Carried] = {}
        self._counted: defaultdict[Term, set[LoopSite]] = defaultdict(set)
        self._trace = trace
        for each in trace.iter_occurrences():
            match each.event:
                case Carried() as event:
                    self._carried[event.value.term] = event
                case Looped() as event:
                    for term in _iter_counters(event.element):
                        self._counted[term].add(LoopSite(event.code, event.at))

    @cached_property
    def _touched(self) -> dict[Term, list[Occurrence]]:
        """What is done with values, by the terms that they have where they are made."""
        found: defaultdict[Term, list[Occurrence]] = defaultdict(list)
        for each in self._trace.iter_occurrences(kinds=(Called, Stored)):
            match each.event:
                case Called(followed=False) as event:
                    values = event.values
                case Stored(owner=owner):
                    values = (owner,)
                case _:
                    continue
            for value in values:
                found[find_original_term(each.trace_source(value)[1].term)].append(each)
        return found

    def change(self, here: Occurrence, value: Value, loop: LoopSite, inside: tuple[LoopSite, ...]) -> LoopChange | None:
        """Return how a value of an event changes with each round of a loop, None if it cannot be told.

        `inside` are the loops around the event that run in that loop; the same round of each is compared.
        """
        return self._change(here, value, loop, inside, DEEPEST)

    def counts(self, term: Term) -> bool:
        """Return whether a loop hands a value on from round to round, or counts it."""
        return term in self._carried or term in self._counted

    def _change(
        self, here: Occurrence, value: Value, loop: LoopSite, inside: tuple[LoopSite, ...], deep: int
    ) -> LoopChange | None:
        here, value = here.trace_source(value)
        constants = infer_constants(value, here.event.facts)
        if constants is not None:
            return NONE if len(constants) == 1 else None
        if not deep:
            return None
        if value.term in self._carried:
            return self._find_for_carried(here, self._carried[value.term], loop, inside, deep)
        match value.meaning:
            case Made("counted", (start, step, *_)):
                return self._find_for_counted(here, value.term, (start, step), loop, inside, deep)
            case Made(by, of) if by in ARITHMETIC or by in BOUNDING:
                parts = [self._change(here, each, loop, inside, deep - 1) for each in of]
                return _combine(by, [(here, each) for each in of], parts)
        return self._find_for_fixed(here, value, loop)

    def _find_for_carried(
        self, here: Occurrence, carried: Carried, loop: LoopSite, inside: tuple[LoopSite, ...], deep: int
    ) -> LoopChange | None:
        at, own = replace(here, event=carried), LoopSite(carried.code, carried.at)
        if own == loop:
            by = self._find_difference(at, carried.after, carried.value.term, deep)
            return LoopChange(by) if by is not None else None
        if own in inside:
            return self._change(at, carried.first, loop, inside, deep - 1)
        return NONE if own.holds(loop.code, loop.at) else None

    def _find_for_counted(
        self,
        here: Occurrence,
        term: Term,
        of: tuple[Value, Value],
        loop: LoopSite,
        inside: tuple[LoopSite, ...],
        deep: int,
    ) -> LoopChange | None:
        start, step = of
        owners = self._counted.get(term, set())
        if loop in owners:
            return LoopChange(infer_interval(step, here.event.facts))
        if not owners.isdisjoint(inside):
            return self._change(here, start, loop, inside, deep - 1)
        return NONE if any(each.holds(loop.code, loop.at) for each in owners) else None

    def _find_for_fixed(self, here: Occurrence, value: Value, loop: LoopSite) -> LoopChange | None:
        """Return how a value changes that no round gives another number, or only by what it is the length of."""
        match value.meaning:
            case Made("length", (owner,)) if not is_made_in(here, here.trace_source(owner)[1].term, loop):
                owner = here.trace_source(owner)[1]
                return self._find_for_length(owner.term, loop) if _is_settled(owner) else None
        if is_made_in(here, value.term, loop) or not _is_settled(value):
            return None
        if isinstance(value.term, tuple) and value.term[:1] == ("length",):
            return self._find_for_length(value.term[1], loop)
        return NONE

    def _find_for_length(self, owner: Term, loop: LoopSite) -> LoopChange | None:
        touched = self._touched.get(find_original_term(owner), ())
        found = [each for each in touched if any(loop.holds(on.event.code, on.event.at) for on in each.iter_outwards())]
        gives = {self._find_modelled_return(each.event) for each in found}
        if gives - CHANGING == gives:
            return NONE if None not in gives else None
        return LoopChange(Interval(-inf, -1)) if gives & CHANGING <= TAKING and None not in gives else None

    def _find_modelled_return(self, event: Event) -> str | None:
        model = self._models.find_model(event.path) if isinstance(event, Called) else None
        return model.returns if model is not None else None

    def _find_difference(self, here: Occurrence, value: Value, base: Term, deep: int) -> Interval | None:
        """Return by how much a value is more than the one that has a term, None if it is not made of that."""
        if value.term == base:
            return Interval(0, 0)
        if not deep:
            return None
        facts = here.event.facts
        carried = self._carried.get(value.term)
        if carried is not None:
            first = self._find_difference(here, carried.first, base, deep - 1)
            step = self._find_difference(replace(here, event=carried), carried.after, carried.value.term, deep - 1)
            return _build_plus(first, _build_repeated(step)) if first is not None and step is not None else None
        match value.meaning:
            case Made("+", (left, right)):
                for one, other in ((left, right), (right, left)):
                    found = self._find_difference(here, one, base, deep - 1)
                    if found is not None:
                        return _build_plus(found, infer_interval(other, facts))
            case Made("-", (left, right)):
                found = self._find_difference(here, left, base, deep - 1)
                by = infer_interval(right, facts)
                return _build_plus(found, Interval(-by.high, -by.low, by.unsure)) if found is not None else None
            case Made("joined", (one, other)) | ConditionalValue(then=one, otherwise=other):
                sides = [self._find_difference(here, each, base, deep - 1) for each in (one, other)]
                known = [each for each in sides if each is not None]
                return known[0].join(known[1]) if len(known) == 2 else None
        return None


# A number that is calculated of the last one grows or falls by a step that can be told.
ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%"})
# These keep a number between its bounds, so it may stay the same for two rounds.
BOUNDING = frozenset({"least", "greatest", "clamped"})
# What takes elements out of a list makes its length fall.
TAKING = frozenset({"removed", "emptied"})
CHANGING = TAKING | {"appended", "extended", "written", "kept entry", "shortened"}
"""What models call functions that change how many elements their operand has."""


def _combine(by: str, of: list[tuple[Occurrence, Value]], changes: list[LoopChange | None]) -> LoopChange | None:
    """Return how a value changes that is made of others, by how these do."""
    known = [each for each in changes if each is not None]
    if len(known) < len(changes):
        return None
    if all(each == NONE for each in known):
        return NONE
    if any(each.comes_back for each in known):
        return LoopChange(ANY, True) if by in ARITHMETIC and known[1:] == [NONE] else None
    one, two = known[0].by, known[1].by if len(known) > 1 else Interval(0, 0)
    sizes = [infer_interval(value, here.event.facts) for here, value in of]
    match by:
        case "+":
            return LoopChange(_build_plus(one, two))
        case "-":
            return LoopChange(_build_plus(one, Interval(-two.high, -two.low, two.unsure)))
        case "%":
            return LoopChange(ANY, True) if two == NONE.by else None
        case "*":
            for change, other, size in ((one, two, sizes[1]), (two, one, sizes[0])):
                if other == NONE.by and size.low > 0:
                    return LoopChange(_sign(change))
            return None
        case "/" | "//":
            return LoopChange(_sign(one, is_whole=by == "//")) if two == NONE.by and sizes[1].low >= 0 else None
    return LoopChange(one.join(Interval(0, 0)))


def _build_plus(one: Interval, two: Interval) -> Interval:
    return Interval(one.low + two.low, one.high + two.high, one.unsure or two.unsure)


def _sign(interval: Interval, *, is_whole: bool = False) -> Interval:
    """Return the bounds of a number of which only the sign is known; a whole part may stay as it is."""
    low = 0 if interval.low >= 0 else -inf
    high = 0 if interval.high <= 0 else inf
    if is_whole:
        return Interval(low, high)
    tiny = 1e-9
    return Interval(tiny if interval.low > 0 else low, -tiny if interval.high < 0 else high)


def _build_repeated(step: Interval) -> Interval:
    """Return by how much a number is more after any number of rounds."""
    return Interval(0 if step.low >= 0 else -inf, 0 if step.high <= 0 else inf, step.unsure)


def _iter_counters(value: Value, deep: int = 3) -> Iterator[Term]:
    """Yield the counts in an element that is gone through."""
    if isinstance(value.meaning, Made) and value.meaning.by == "counted":
        yield value.term
    for each in (value.contents or {}).values() if deep else ():
        yield from _iter_counters(each, deep - 1)


def is_made_in(here: Occurrence, term: Term, loop: LoopSite) -> bool:
    """Return whether a value, or one that it is made of, is another one in each round of a loop."""
    if here.event.code is loop.code:
        return _has_part_in(term, loop)
    caller = here.caller
    while caller is not None and caller.event.code is not loop.code:
        caller = caller.caller
    return caller is not None and not _is_shared(term)


def _is_shared(term: Term) -> bool:
    return isinstance(term, tuple) and term[:1] in (("constant",), ("argument",), ("library",), ("global",))


def _has_part_in(term: object, loop: LoopSite) -> bool:
    if isinstance(term, Site):
        return loop.holds(loop.code, term)
    if not isinstance(term, tuple) or term[:1] == ("constant",):
        return False
    if term[:1] == ("via",):
        return _has_part_in(term[1], loop)
    return any(_has_part_in(each, loop) for each in term)


UNSETTLED = frozenset({"field", "item", "global", "unknown", "reason", "caught", "sent", "unassigned"})
"""The first parts of terms of what other code may change at any time, or of which nothing is known."""


def _is_settled(value: Value) -> bool:
    """Return whether a number stays what it is while the function runs."""
    term = value.term
    while isinstance(term, tuple) and term[:1] == ("length",):
        term = term[1]
    return not _speaks_of(term)


def _speaks_of(term: object) -> bool:
    return isinstance(term, tuple) and ((term[:1] and term[0] in UNSETTLED) or any(_speaks_of(each) for each in term))


PACING = frozenset({"sleeps", "limits time"})
"""What is done by code that waits between two messages."""


MOMENT = 0.1
"""Seconds. Code that sleeps for less only lets others run: ten messages a second are more than anybody reads."""


def paces(event: Called, models: Models) -> bool:
    """Return whether a call asks for the time, or lets some pass."""
    model = models.get_model(event.path)
    return "time" in model.labels or (not PACING.isdisjoint(model.acts) and not is_momentary(event, models))


def is_momentary(event: Called, models: Models) -> bool:
    """Return whether a call certainly sleeps too briefly to slow a loop down."""
    time = event.find_argument(0, "seconds", "secs", "delay") if "sleeps" in models.get_model(event.path).acts else None
    return time is not None and infer_interval(time, event.facts).high < MOMENT


def extract_first_line(code: ir.Code, at: ir.Site) -> Text:
    """Return the first line of a loop or a function."""
    line = code.extract_text(at).split("\n", 1)[0]
    return code.extract_text(ir.Site(at.start, at.start + len(line.encode())))
