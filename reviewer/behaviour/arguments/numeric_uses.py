"""Where arguments are used as numbers: which lists they cut, what they ask a database or a loop for, and what bounds them."""

from collections.abc import Hashable, Sequence
from functools import cached_property
from math import inf

from reviewer.behaviour.arguments.argument_values import CUTS, GROWING, is_input, iter_alternatives
from reviewer.behaviour.arguments.inputs import hands_over, is_length
from reviewer.behaviour.arguments.sequence_sizes import (
    DEEPEST,
    count_length,
    cuts_text,
    find_size,
    is_text,
    iter_end_bounds,
)
from reviewer.behaviour.arguments.taken_arguments import ArgumentBound, NumericUse, TakenArguments
from reviewer.behaviour.effects.statements import iter_row_limits
from reviewer.code.acts import find_modelled_argument
from reviewer.code.events import Called, Carried, Cut, Event, Occurrence, Returned, Sliced, Stored, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Model
from reviewer.code.program import Program
from reviewer.code.state import infer_interval
from reviewer.code.values import Interval, Made, Relation, Term, Value, find_original_term, strip_negations

ENDLESS = 2**31 - 1
"""From where on a bound is none: the greatest number of a type of 32 bits, which is what some hand over as the most."""

SENDING = frozenset({"network", "database"})
"""Where a list comes from whose length somebody else bounds."""


class NumericUses:
    """Notes where the arguments of one run are used as numbers."""

    def __init__(
        self, trace: Trace, program: Program, taken: TakenArguments, occurrences: Sequence[Occurrence]
    ) -> None:
        self._trace, self._models, self._taken, self._occurrences = trace, program.models, taken, occurrences
        self._stops: dict[Term, ArgumentBound] = {}
        """Where loops stop adding to sequences that are as long as a constant says, by the terms of these."""
        for event in dict.fromkeys(each.event for each in trace.list_occurrences(hands_over, kinds=(Cut,))):
            if isinstance(event, Cut) and event.is_stop and event.size.constants is not None:
                self._stops[event.owner.term] = ArgumentBound(event, infer_interval(event.size, event.facts).high)

    def note_cuts(self, here: Occurrence, event: Called, model: Model) -> bool:
        """Note what a call cuts, or asks a database for; return whether it does nothing else with what it is handed."""
        for size, most in iter_row_limits(here, event, self._models):
            self.note(here, size, cuts=True, most=most, asks=True)
            for name in self._taken.collect_names(here, size) if most < inf else ():
                self._taken.get(name, here).bounds.append(ArgumentBound(event, most))
        if model.returns not in CUTS:
            return False
        owner, *operands = event.values
        if model.on and len(event.arguments) > model.on:
            given = find_modelled_argument(event, model)  # None where the function has a size of its own
            owner, operands = event.arguments[model.on], [given] if given is not None else []
        for value in operands[-1:]:
            self._cut(here, owner, value, is_list=not is_text(owner))
        return True

    def note_countdown(self, here: Occurrence, event: Carried) -> None:
        """Note that a loop goes on for as many elements as an argument says: `left -= 1` for each that is taken."""
        for each in iter_alternatives(event.after):
            match each.meaning:
                case Made("-", (before, step)) if before.term == event.value.term and step.constant == (int, 1):
                    self.note(here, event.first, cuts=True, asks=True)

    def note_slice(self, here: Occurrence, event: Sliced) -> None:
        """Note that a sequence is cut by a slice: `items[:limit]`."""
        size = find_size(event)
        if size is not None:
            self._cut(here, event.owner, size, is_list=not cuts_text(event))

    def note_count(self, here: Occurrence, size: Value, length: Value, *, is_order: bool) -> None:
        """Note that an argument is compared with how many elements there are, of which a loop may stop at a constant as well."""
        grows = here.is_under("loop") and self._may_grow(here, length)
        made = length.meaning
        stop = self._stops.get(made.of[0].term) if isinstance(made, Made) and made.by == "length" and grows else None
        most = stop.most if stop is not None else inf
        if is_order or grows:
            self.note(here, size, cuts=grows, most=most, asks=grows)
        if stop is not None:
            for name in self._taken.collect_names(here, size):
                self._taken.get(name, here).bounds.append(stop)

    def _may_grow(self, here: Occurrence, length: Value) -> bool:
        """Return whether what is counted is a list to which the code adds; the length of a file is no number of elements."""
        made = here.trace_source(length)[1].meaning
        if not isinstance(made, Made) or made.by != "length":
            return True
        return any(each.term in self._grown for each in made.of)

    @cached_property
    def _grown(self) -> frozenset[Term]:
        """The sequences to which elements are added."""
        found: set[Term] = set()
        for each in self._occurrences:
            event = each.event
            if isinstance(event, Stored) and event.key is None:
                found |= {event.owner.term, each.trace_source(event.owner)[1].term}
            elif isinstance(event, Called) and event.receiver is not None:
                if self._models.get_model(event.path).returns in GROWING:
                    found |= {event.receiver.term, each.trace_source(event.receiver)[1].term}
        return frozenset(found)

    def note_bounds(self, here: Occurrence, event: Called) -> None:
        """Note the numbers between which a call keeps an argument: `min(limit, 100)`."""
        values = event.values if len(event.values) > 1 else _collect_parts(event.values)
        # how many elements there are bounds nothing where all are known: `end.min(items.len())`
        numbers = [each.constant[1] for each in values if each.constant is not None and not is_length(each)]
        for value in values:
            for label in here.resolve_labels(value):
                if label.origin == "argument":
                    found = [ArgumentBound(event, each) for each in numbers if isinstance(each, int | float)]
                    self._taken.get(label.name, here).bounds.extend(found)

    def _cut(self, here: Occurrence, owner: Value, size: Value, *, is_list: bool = True) -> None:
        """Note that a sequence is cut: by an argument, or after it was cut by one, or before."""
        bounds = infer_interval(size, here.event.facts)
        term = owner.term
        there, source = here.trace_source(owner)
        before = find_original_term(source.term)
        if isinstance(before, tuple) and before[:1] == ("part",) and bounds.high < inf:
            if not self._is_answered(there, before):
                self._cut_again(there.event.code, here, before, bounds)
        length = here.event.facts.get(("length", term))
        most = min(length.interval.high if length is not None else inf, count_length(owner))
        is_sent = is_list and any(each.origin in SENDING for each in here.resolve_labels(owner))
        for part, bound in iter_end_bounds(size, most):
            self.note(here, part, cuts=is_list, most=bound, is_sent=is_sent)

    def _cut_again(self, code: Code, here: Occurrence, part: tuple[Hashable, ...], bounds: Interval) -> None:
        """Note that a part which an argument cut in some function is cut again, by what else bounds how much is left of it.

        It ends at the argument, or at the sum of it and a beginning.
        """
        end = part[3]
        ends = (end, *end[1:]) if isinstance(end, tuple) and end[:1] == ("+",) else (end,)
        for taking in self._taken.found.values():
            for place, each in enumerate(taking.uses):
                if (
                    each.cuts
                    and each.value.term in ends
                    and each.event.code is code
                    and _is_sure(here, each.event, part)
                ):
                    taking.uses[place] = each._replace(bounds=each.bounds.meet(Interval(high=bounds.high)))
                    taking.bounds.append(ArgumentBound(here.event, bounds.high))

    def _is_answered(self, here: Occurrence, term: Term) -> bool:
        """Return whether a function gives a list as it was before it is cut: something else is done with the part."""
        return any(
            isinstance(each, Returned) and _has(each.value, term) for each in here.find_own_trace(self._trace).events
        )

    def note(
        self,
        here: Occurrence,
        value: Value,
        *,
        cuts: bool = False,
        most: float = inf,
        asks: bool = False,
        is_sent: bool = False,
    ) -> None:
        """Note that arguments are used as a number, of which no more than `most` counts."""
        if not value.labels or value.constants is not None or is_input(value):
            return
        bounds = infer_interval(value, here.event.facts)
        if bounds.high >= ENDLESS:
            bounds = bounds._replace(high=inf)
        if most < inf:
            bounds = bounds.meet(Interval(high=most))
        for name in self._taken.collect_names(here, value):
            uses = self._taken.get(name, here).uses
            if not uses or uses[-1].event is not here.event or uses[-1].value.term != value.term:
                uses.append(
                    NumericUse(here.event, value, bounds, cuts, asks, is_sent)
                )  # what a statement bounds is handed over with the rest


def _is_sure(here: Occurrence, first: Event, part: Term) -> bool:
    """Return whether what was cut before is cut again whenever it is too long: tests in between only ask for its length."""
    length = ("length", part)
    tests = [each for each in here.event.iter_outwards() if each.condition == "test" and each.value is not None]
    around = {each.at for each in first.iter_outwards()} if first.code is here.event.code else set[Site]()
    return all(each.at in around or _asks_for(each.value, length) for each in tests)


def _asks_for(test: Value | None, term: Term) -> bool:
    """Return whether a test compares a value of a term."""
    inner = strip_negations(test)[0].meaning if test is not None else None
    return isinstance(inner, Relation) and any(
        each is not None and each.term == term for each in (inner.left, inner.right)
    )


def _has(value: Value, term: Term, deep: int = DEEPEST) -> bool:
    """Return whether a value is one of a term, or holds it."""
    return value.term == term or (
        deep > 0 and any(_has(each, term, deep - 1) for each in (value.contents or {}).values())
    )


def _collect_parts(values: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple((values[0].contents or {}).values()) if values else ()
