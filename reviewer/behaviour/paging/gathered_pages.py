"""Loops that go over all pages of a list and answer with everything that they find.

Such code takes a page, and the next one from where that ended, until none is left: by a loop, by a generator that gives page
after page, or by a function that calls itself. What counts is that the rows of more than one round stand in the answer, and that
neither the loop nor what follows it asks whether they are as many as the client wants.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from reviewer.behaviour.arguments.argument_values import BETWEEN
from reviewer.behaviour.paging.page_uses import answer_of, collect_page_contents
from reviewer.behaviour.paging.pages import PAGING, is_page_size
from reviewer.behaviour.progress.loops import LoopSite, extract_first_line, is_made_in
from reviewer.behaviour.results.answers import collect_entered_calls
from reviewer.behaviour.security.checks import iter_parts
from reviewer.behaviour.values.reachable import collect_held_sources, iter_reachable
from reviewer.code.events import (
    Called,
    Carried,
    Cut,
    Entered,
    Event,
    Looped,
    Occurrence,
    Returned,
    Sliced,
    Stored,
    Tested,
    Trace,
    translate_labels,
)
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.state import infer_failure
from reviewer.code.values import (
    ELEMENT,
    Class,
    ClientArguments,
    Function,
    Label,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.source import Text

GROWING = frozenset({"appended", "extended"})
"""What models call functions by which a sequence has more elements, whatever they give."""

MOST = 400
"""Values that an answer is looked through for. More is data."""

DEEPEST = 40
"""Nested terms that are searched for a part, far from Python's limit of recursion.

40 servers had up to 7, the tests of the rules 8.
"""


def iter_page_loops(trace: Trace, models: Models, guards: frozenset[Code]) -> Iterator[Text]:
    """Yield the loops, and the functions that call themselves, by which a whole trace answers with all pages of a list."""
    yield from _Gathering(trace, models, guards).iter_loops()


class _Growth(NamedTuple):
    """More elements for a sequence: `values` are what they are taken of."""

    here: Occurrence
    owner: Value
    values: tuple[Value, ...]


class _Gathering:
    """What one trace gathers in loops."""

    def __init__(self, trace: Trace, models: Models, guards: frozenset[Code]) -> None:
        self._trace, self._models, self._guards = trace, models, guards
        self._occurrences = list(trace.iter_occurrences(lambda event, _: event.trace.code not in guards))

    def iter_loops(self) -> Iterator[Text]:
        is_guarded = not self._guards.isdisjoint(self._trace.collect_codes())
        for here in self._occurrences:
            answer = answer_of(here, self._trace, self._guards, is_guarded=is_guarded)
            if answer is not None:
                own = [each for each in self._occurrences if each.caller is None]
                yield from (each.event.text for each in own if self._adds_its_own(each, own))
                yield from self._iter_for_answer(*answer)

    def _iter_for_answer(self, here: Occurrence, value: Value) -> Iterator[Text]:
        """Yield the loops by which a value has the rows of several rounds."""
        waiting, seen = [(here, value)], set[tuple[int, Term]]()
        for number in range(MOST):
            if number >= len(waiting):
                return
            at, each = waiting[number]
            at, each = at.trace_source(each)
            if (id(at.caller), each.term) in seen or _is_part(each.term):
                continue  # what is cut before it is answered has no more than that
            seen.add((id(at.caller), each.term))
            for growth in self._growths.get(find_original_term(each.term), ()):
                loops = [(loop, self._get_page_loop(growth, loop)) for loop in _iter_loops(growth.here.event)]
                if any(page_loop.is_bounded() for _, page_loop in loops):
                    continue
                for loop, page_loop in loops:
                    if self._goes_over_pages(growth, loop, page_loop):
                        yield extract_first_line(loop.code, loop.at)
                        return
                waiting += [(growth.here, one) for one in growth.values]
            found = self._find_for_call(at, each)
            if found is not None:
                yield found
                return
            waiting += self._collect_inner(at, each)

    def _find_for_call(self, here: Occurrence, value: Value) -> Text | None:
        """Return where a function goes over all pages that gave a value: one that gives page after page, or calls itself."""
        for call, trace in collect_entered_calls(self._trace, here, value):
            inside = self._collect_inside(call, trace)
            for each in inside:
                if self._adds_its_own(each, inside):
                    return each.event.text
            if _is_given_in_parts(value):
                element = (value.contents or {}).get(ELEMENT)
                found = self._find_given_by_loop(inside, element) if element is not None else None
                if found is not None:
                    return found
        return None

    def _find_given_by_loop(self, inside: list[Occurrence], element: Value) -> Text | None:
        """Return the loop of a function that gives parts one after another, where each is another page."""
        for loop in dict.fromkeys(loop for each in inside for loop in _iter_loops(each.event)):
            page_loop = _PageLoop([each for each in inside if each.event.code is loop.code], loop, None)
            if (
                any(self._is_taken(page_loop, (element,), take) for take in page_loop.iter_advancing_events())
                and not page_loop.is_bounded()
            ):
                return extract_first_line(loop.code, loop.at)
        return None

    def _adds_its_own(self, here: Occurrence, inside: list[Occurrence]) -> bool:
        """Return whether a function calls itself for the next page, and gives its own rows together with those of that call."""
        event = here.event
        if not isinstance(event, Called) or not event.followed or here.is_under("loop"):
            return False
        codes = {each.code for each in event.callee.things if isinstance(each, Function)}
        if codes.isdisjoint(one.event.code for one in here.iter_outwards()) and event.code.around not in codes:
            return False
        values = (*event.arguments, *event.named.values())
        if not any(self._is_next_place(here, each) for each in values) or _asks_for_more(here):
            return False
        return any(_is_together(each, event) for each in inside)

    def _is_next_place(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value, or an entry of one, is made of the place that a client asks for."""
        for each in _iter_nested_values(value):
            is_made = each.meaning is not None or find_original_term(each.term) != each.term
            if is_made and any(_asks_for_place(label) for label in here.resolve_labels(each)):
                return True
        return False

    def _collect_inner(self, here: Occurrence, value: Value) -> list[tuple[Occurrence, Value]]:
        """Return the contents, possible values and sources of a value, and the results of functions of the project that
        returned it.
        """
        if isinstance(value.contents, ClientArguments):
            return []
        found = [(here, each) for each in (*collect_page_contents(value.contents or {}), *value.sources)]
        for call, trace in collect_entered_calls(self._trace, here, value):
            for each in self._collect_inside(call, trace):
                if isinstance(each.event, Returned) and infer_failure(each.event.value, each.event.facts) is not True:
                    found.append((each, each.event.value))
        return found

    @staticmethod
    def _collect_inside(call: Occurrence, trace: Trace) -> list[Occurrence]:
        """Return the events of one call of a function, without those of the functions it calls."""
        origins = call.event.labels if isinstance(call.event, Entered) else {}
        if call.origins is not None:
            origins = {label: translate_labels(labels, call.origins) for label, labels in origins.items()}
        return [Occurrence(each, call, origins) for each in trace.events]

    @cached_property
    def _growths(self) -> dict[Term, list[_Growth]]:
        """What sequences are given more elements, by their terms."""
        found: defaultdict[Term, list[_Growth]] = defaultdict(list)
        for here in self._occurrences:
            for each in self._iter_growth(here):
                found[find_original_term(here.trace_source(each.owner)[1].term)].append(each)
        return found

    def _iter_growth(self, here: Occurrence) -> Iterator[_Growth]:
        event = here.event
        match event:
            case Stored(owner=owner, key=None, value=value):
                yield _Growth(here, owner, (value, *self._iter_gone_through(here, owner)))
            case Called(receiver=Value() as owner, arguments=arguments) if (
                self._models.get_model(event.path).returns in GROWING
            ):
                yield _Growth(here, owner, (*arguments, *self._iter_gone_through(here, owner)))
            case Carried(value=value):
                for each in self._iter_carried_values(here, event):
                    added = _add(each, value)
                    if added is not None:
                        yield _Growth(here, value, (added,))

    def _iter_carried_values(self, here: Occurrence, event: Carried) -> Iterator[Value]:
        """Yield the values that an iteration leaves for the next, and those written into them."""
        yield event.after
        for each in self._collect_events(here, event.code):
            if isinstance(each.event, Stored) and find_original_term(each.event.owner.term) == find_original_term(
                event.after.term
            ):
                yield each.event.value

    def _iter_gone_through(self, here: Occurrence, owner: Value) -> Iterator[Value]:
        """Yield the sequences of the loops in which a sequence grows that was created outside of them."""
        loops = {each.at for each in _iter_loops(here.event) if not is_made_in(here, owner.term, each)}
        for each in self._looped.get((id(here.caller), here.event.code), ()):
            if each.at in loops:
                yield each.value

    @cached_property
    def _looped(self) -> dict[tuple[int, Code], list[Looped]]:
        found: defaultdict[tuple[int, Code], list[Looped]] = defaultdict(list)
        for here in self._occurrences:
            if isinstance(here.event, Looped):
                found[id(here.caller), here.event.code].append(here.event)
        return found

    def _get_page_loop(self, growth: _Growth, loop: LoopSite) -> "_PageLoop":
        return _PageLoop(self._collect_events(growth.here, loop.code), loop, growth.owner)

    def _goes_over_pages(self, growth: _Growth, loop: LoopSite, page_loop: "_PageLoop") -> bool:
        """Return whether each round of a loop takes another page of which a sequence has the rows, until none is left."""
        is_sum = isinstance(growth.here.event, Carried)
        if growth.here.event.at != loop.at if is_sum else is_made_in(growth.here, growth.owner.term, loop):
            return False  # it begins anew in each round
        if page_loop.has_few():
            return False
        is_single = not is_sum and not self._is_extended(growth, loop)
        takes = page_loop.iter_advancing_events(counts=not is_single)
        return any(self._is_taken(page_loop, growth.values, take) for take in takes)

    def _is_extended(self, growth: _Growth, loop: LoopSite) -> bool:
        """Return whether a sequence is given a part in each round, and not one element, which `rows.append(make(i))` gives it."""
        event = growth.here.event
        if isinstance(event, Called) and self._models.get_model(event.path).returns == "extended":
            return True
        inner = {each.at for each in takewhile(lambda each: each.at != loop.at, _iter_loops(event))}
        return any(each.at in inner for each in self._looped.get((id(growth.here.caller), event.code), ()))

    def _collect_events(self, here: Occurrence, code: Code) -> list[Occurrence]:
        """Return the occurrences of the same call of a function."""
        return self._called.get((id(here.caller), code), [])

    @cached_property
    def _called(self) -> dict[tuple[int, Code], list[Occurrence]]:
        found: defaultdict[tuple[int, Code], list[Occurrence]] = defaultdict(list)
        for each in self._occurrences:
            found[id(each.caller), each.event.code].append(each)
        return found

    def _is_taken(self, page_loop: "_PageLoop", values: Iterable[Value], take: Event) -> bool:
        """Return whether some values come from what a call or a slice gave in the same round, or in the one before."""

        def follow(value: Value) -> Iterator[Value]:
            yield from collect_held_sources(value)
            yield from page_loop.collect_carried_values(value)
            for each in self._growths.get(find_original_term(value.term), ()):
                yield from each.values

        return any(_comes_of(each.term, take) for each in iter_reachable(values, follow, MOST))


class _PageLoop:
    """The rounds of one loop: what changes from one to the next, what is taken by it, and what ends them."""

    def __init__(self, occurrences: list[Occurrence], loop: LoopSite, owner: Value | None) -> None:
        """Look at what happens in one call of a function; `owner` is the sequence that grows in the loop, if it is one."""
        self._loop, self._owner = loop, find_original_term(owner.term) if owner is not None else None
        self._all = occurrences
        self._in = [each for each in occurrences if each.event.is_in_loop(loop.at)]
        self._carried = {
            each.event.value.term: each.event
            for each in occurrences
            if isinstance(each.event, Carried) and each.event.at == loop.at
        }
        self._counted = {
            term
            for each in occurrences
            if isinstance(each.event, Looped) and each.event.at == loop.at
            for term in _iter_counters(each.event.element)
        }

    def iter_advancing_events(self, *, counts: bool = True) -> Iterator[Event]:
        """Yield the calls and slices of which the place moves on with each round; `counts` whether one moves that is counted."""
        for here in self._in:
            event = here.event
            match event:
                case Sliced(low=low) if low is not None and self._moves(low, counts):
                    yield event
                case Called() if not any(isinstance(each, Class) for each in event.callee.things):
                    if any(self._moves(each, counts) for each in (*event.arguments, *event.named.values())):
                        yield event

    def _moves(self, value: Value, counts: bool) -> bool:
        """Return whether a value is another in each round: one that is carried on, a count, or how much is gathered."""
        moving = (*self._carried, *self._counted) if counts else tuple(self._carried)
        return any(
            self._is_gathered(each) or any(_is_made_of(each.term, one) for one in moving)
            for each in _iter_nested_values(value)
        )

    def collect_carried_values(self, value: Value) -> tuple[Value, ...]:
        """Return the values that the previous iteration left for a value, or for the object it is part of."""
        return tuple(event.after for term, event in self._carried.items() if _is_made_of(value.term, term))

    def _is_moving(self, term: Term) -> bool:
        return term in self._carried or term in self._counted

    def _is_gathered(self, value: Value) -> bool:
        """Return whether a value is how many elements were gathered."""
        return (
            isinstance(value.meaning, Made)
            and value.meaning.by == "length"
            and find_original_term(value.meaning.of[0].term) == self._owner
        )

    def is_bounded(self) -> bool:
        """Return whether what is gathered is held against what is wanted, in the loop, or cut after it."""
        for here in self._all:
            match here.event:
                case Cut(owner=cut) | Sliced(owner=cut) if find_original_term(cut.term) == self._owner and (
                    here not in self._in or (isinstance(here.event, Cut) and here.event.is_stop)
                ):
                    return True
                case Tested(value=value) if here in self._in and self._asks_enough(here, value):
                    return True
                case Called(values=values) if here in self._in and any(self._is_rest(here, each) for each in values):
                    return True
        return False

    def has_few(self) -> bool:
        """Return whether a loop has no more rounds than the client wants."""
        return any(
            isinstance(each.event, Looped) and each.event.at == self._loop.at and self._is_few(each, each.event.value)
            for each in self._all
        )

    def _is_few(self, here: Occurrence, value: Value) -> bool:
        """Return whether what is gone through has no more elements than the client wants: it is cut, or counted up to that."""
        if _is_part(value.term):
            return True
        return any(
            isinstance(each.meaning, Made)
            and each.meaning.by == "counted"
            and self._is_wanted(here, each.meaning.of[-1])
            for each in _iter_nested_values(value)
            if isinstance(each.meaning, Made) and len(each.meaning.of) > 2
        )

    def _asks_enough(self, here: Occurrence, value: Value) -> bool:
        for each in iter_parts(value):
            test, _ = strip_negations(each)
            match test.meaning:
                case Relation("<" | "<=" | "==" | "is", left, Value() as right):
                    for one, other in ((left, right), (right, left)):
                        if self._is_sum(one) and (self._is_wanted(here, other) or self._is_left(here, one)):
                            return True
                case None | Made() if self._is_left(here, test):
                    return True
        return False

    def _is_sum(self, value: Value) -> bool:
        """Return whether a number is how much was gathered, or one that each round makes more or less."""
        return any(self._is_gathered(each) or self._adds_up(each) for each in iter_parts(value))

    def _adds_up(self, value: Value) -> bool:
        event = self._carried.get(value.term)
        if event is None:
            return value.term in self._counted
        return any(each.term == value.term for each in _iter_nested_values(event.after))

    def _is_wanted(self, here: Occurrence, value: Value) -> bool:
        """Return whether a number is the size of a page, or is written down, and nothing that a round changes."""
        if value.constant is not None:
            number = value.constant[1]
            return isinstance(number, int) and number > 1
        found = list(iter_parts(value))
        if any(self._is_moving(each.term) or is_made_in(here, each.term, self._loop) for each in found):
            return False
        sized = any(each.origin == "argument" and is_page_size(each.name) for each in here.resolve_labels(value))
        return sized and all(not isinstance(e.meaning, Made) or e.meaning.by in PLAIN for e in found)

    def _is_left(self, here: Occurrence, value: Value) -> bool:
        """Return whether a number is how many are still wanted: it begins as a page has, and rounds take some away."""
        event = self._carried.get(value.term)
        return event is not None and self._adds_up(value) and self._is_wanted(here, event.first)

    def _is_rest(self, here: Occurrence, value: Value) -> bool:
        """Return whether a number is what is wanted less what was gathered."""
        for each in iter_parts(value):
            match each.meaning:
                case Made("-", (wanted, found)) if self._is_sum(found) and self._is_wanted(here, wanted):
                    return True
        return False


PLAIN = BETWEEN | {"joined", "or else", "then or"}
"""How a size is made of an argument that is bounded or replaced at most."""


def _iter_loops(event: Event) -> Iterator[LoopSite]:
    for each in event.iter_outwards():
        if each.condition == "loop":
            yield LoopSite(event.code, each.at)
    if isinstance(event, Carried):
        yield LoopSite(event.code, event.at)


def _add(after: Value, before: Value) -> Value | None:
    """Return the value that is added to a sequence carried by a loop, or to a part of it; None if none is."""
    match after.meaning:
        case Made("+" | "|", (left, right)):
            if _is_made_of(left.term, before.term):
                return right
            if _is_made_of(right.term, before.term):
                return left
    return None


def _is_given_in_parts(value: Value) -> bool:
    """Return whether a value is what a function gives that yields."""
    return get_term_head(find_original_term(value.term)) == "generator"


def _asks_for_place(label: Label) -> bool:
    return label.origin == "argument" and PAGING.asks(label.name) and not is_page_size(label.name)


def _asks_for_more(here: Occurrence) -> bool:
    """Return whether something is done only where fewer rows were found than the client wants, or for as many as are left."""
    for each in here.event.iter_outwards():
        test, holds = strip_negations(each.value, each.holds) if each.value is not None else (None, True)
        if test is not None and isinstance(test.meaning, Relation) and test.meaning.operator in ("<", "<="):
            left, right = test.meaning.left, test.meaning.right or test
            small, large = (left, right) if holds else (right, left)
            if _is_length(small) and not _is_length(large) and _is_of_size(here, large):
                return True
    event = here.event
    values = (*event.arguments, *event.named.values()) if isinstance(event, Called) else ()
    return any(
        isinstance(part.meaning, Made) and part.meaning.by == "-" and _is_of_size(here, part)
        for each in values
        for part in _iter_nested_values(each)
    )


def _is_length(value: Value) -> bool:
    return any(isinstance(each.meaning, Made) and each.meaning.by == "length" for each in iter_parts(value))


def _is_of_size(here: Occurrence, value: Value) -> bool:
    return any(each.origin == "argument" and is_page_size(each.name) for each in here.resolve_labels(value))


def _is_together(here: Occurrence, call: Called) -> bool:
    """Return whether an event puts what a call gave together with other rows."""
    event = here.event
    match event:
        case Called(receiver=Value() as owner, arguments=arguments) if event.path.rpartition(".")[2] in ADDING:
            return any(_comes_of(each.term, call) for each in arguments) and not _comes_of(owner.term, call)
        case Returned() | Stored():
            return any(_is_sum_with(each, call) for each in _iter_nested_values(event.value))
    return False


def _is_sum_with(value: Value, call: Called) -> bool:
    """Return whether a value is made of the elements of what a call gave, and of others."""
    held = value.contents or {}
    if isinstance(value.meaning, Made) and value.meaning.by in ("+", "|"):
        sides = value.meaning.of
    elif isinstance(held, dict) and ELEMENT in held and isinstance(held[ELEMENT].meaning, Made):
        if held[ELEMENT].meaning.by != "joined":
            return False
        sides = held[ELEMENT].meaning.of
    else:
        return False
    return len({_comes_of(each.term, call) for each in sides}) == 2


ADDING = frozenset({"extend", "append", "extend_from_slice", "extendleft", "update"})
"""Methods by which a sequence has the elements of another as well."""


def _iter_nested_values(value: Value) -> Iterator[Value]:
    """Yield a value, what it holds, and what it is made of."""
    return iter_reachable((value,), collect_held_sources, MOST)


def _iter_counters(element: Value) -> Iterator[Term]:
    for each in _iter_nested_values(element):
        if isinstance(each.meaning, Made) and each.meaning.by == "counted":
            yield each.term


def _is_part(term: Term) -> bool:
    return get_term_head(find_original_term(term)) == "part"


def _is_made_of(term: object, other: Term, deep: int = DEEPEST) -> bool:
    """Return whether a term is another, or is made of it."""
    if term == other:
        return True
    if not isinstance(term, tuple) or isinstance(term, Site) or not deep or term[:1] == ("constant",):
        return False
    return any(_is_made_of(each, other, deep - 1) for each in term)


def _comes_of(term: object, take: Event, deep: int = DEEPEST) -> bool:
    """Return whether a value is what a call or a slice gave, or a part of it."""
    if isinstance(term, Site):
        return isinstance(take, Called) and term == take.at
    if not isinstance(term, tuple) or not deep or term[:1] == ("constant",):
        return False
    if isinstance(take, Sliced) and term[:1] == ("part",):
        return len(term) > 2 and take.low is not None and term[2] == take.low.term
    return any(_comes_of(each, take, deep - 1) for each in term)
