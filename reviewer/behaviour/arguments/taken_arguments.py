"""What becomes of each argument of a call: what stands in for it, what bounds it, and which lists it cuts."""

from collections.abc import Iterator
from dataclasses import field
from math import inf
from typing import NamedTuple

from reviewer.behaviour.arguments.argument_values import BETWEEN, PASSING, is_itself, iter_alternatives, iter_components
from reviewer.behaviour.arguments.comparisons import Compared
from reviewer.code.events import Called, Event, Occurrence, Sliced
from reviewer.code.values import (
    ConditionalValue,
    Function,
    Interval,
    Made,
    Negation,
    Plain,
    Relation,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import ArgumentUse, GivenValue
from reviewer.records import dataclass
from reviewer.source import Text


class NumericUse(NamedTuple):
    """Where an argument is used as a number: up to what, and whether it says there where a list ends."""

    event: Event
    value: Value
    bounds: Interval
    cuts: bool
    asks: bool = False
    """Whether a greater value reads more: rows of a database, iterations of a loop. Else it only shortens a list."""
    is_sent: bool = False
    """Whether another host or a database returned the list in this call, and so bounds its length."""

    @property
    def goes_on(self) -> bool:
        """Whether it is passed to code of the project that was not followed, such as one of many functions in a table."""
        return isinstance(self.event, Called) and any(isinstance(each, Function) for each in self.event.callee.things)


class ArgumentBound(NamedTuple):
    """What bounds an argument, and by which number."""

    event: Event
    most: float


@dataclass(slots=True)
class Taking:
    """What becomes of one argument."""

    at: Text
    """Where it is taken, or the first place where it is seen."""
    among: set[str] = field(default_factory=set)
    is_held: bool = False
    """Whether an object into which all arguments are read has a field for it."""
    tests: set[object] = field(default_factory=set)
    """The tests that it decides."""
    is_used: bool = False
    """Whether it is used for anything else."""
    is_handed_on: bool = False
    """Whether it is passed to unknown code unchanged, missing or not."""
    is_idle: bool = False
    """Whether an object holds it and nothing else uses it."""
    defaults: dict[Plain, GivenValue] = field(default_factory=dict)
    of_type: Text | None = None
    """Where the default of its type stands in for it."""
    uses: list[NumericUse] = field(default_factory=list)
    bounds: list[ArgumentBound] = field(default_factory=list)
    compared: Compared | None = None
    parsed: Text | None = None
    """Where it is read as a text in JSON."""
    constants: list[tuple[Plain, Event]] = field(default_factory=list)
    """What variables are given where it is missing."""

    def build_argument_use(self, name: Text) -> ArgumentUse:
        """Return the use of an argument, from what was recorded about it."""
        among = tuple(sorted(self.among | {str(name)})) if self.among else ()
        defaults = () if self.is_handed_on else tuple(self.defaults.values())
        known = self.compared
        values, refuses = (tuple(known.values), known.refuses) if known is not None else ((), False)
        cuts = list(self._iter_cuts())
        cut = cuts[0].event.text if cuts else None
        spares = not self.defaults and all(map(_is_if_given, cuts))
        unsure = [each for each in self.uses if each.cuts and each.bounds.unsure and each.bounds.high == inf]
        cutting = cuts or unsure
        held = bool(cutting) and not any(each.asks for each in cutting)
        sent = bool(cutting) and all(each.is_sent for each in cutting)
        free = next((each for each in self.uses if each.bounds == Interval(each.bounds.low) and not each.goes_on), None)
        handed = free.event.text if free is not None else None
        return ArgumentUse(
            name,
            among,
            defaults,
            tuple(self.iter_caps()),
            cut,
            self.is_idle,
            values,
            refuses,
            spares,
            held,
            handed,
            self.parsed,
            sent,
            unsure[0].event.text if unsure and not cuts else None,
            None if self.is_handed_on else self.of_type,
        )

    def iter_caps(self) -> Iterator[GivenValue]:
        """Yield the most that is let through, nothing where some use has no bound, or one that cannot be told."""
        if any(each.bounds.high == inf for each in self.uses):
            return
        for most in dict.fromkeys(each.bounds.high for each in self.uses):
            bounds = [each for each in self.bounds if each.most in (most, most + 1)]
            if not bounds and most in self.defaults:  # it stands in on a way on which the argument's own bound does not
                below = [each for each in self.bounds if 1 < each.most < most]
                bounds = [min(below, key=lambda each: each.most)] if below else []
                most = bounds[0].most if bounds else most
            if bounds:
                bound = [each for each in bounds if each.event.code is bounds[0].event.code][
                    -1
                ]  # of a test, what it does
                yield GivenValue(int(most) if most == int(most) else most, bound.event.text)

    def _iter_cuts(self) -> Iterator[NumericUse]:
        """Yield the cuts of lists that the argument alone decides."""
        return (each for each in self.uses if each.cuts and each.bounds == Interval(each.bounds.low))


class TakenArguments:
    """The arguments that the code of one run takes, by name, in the order in which they were seen."""

    def __init__(self) -> None:
        self.found: dict[str, Taking] = {}

    def get(self, name: str, here: Occurrence) -> Taking:
        """Return the uses of an argument, entered with the place `here` if it is new."""
        if name not in self.found:
            self.found[name] = Taking(here.event.text)
        return self.found[name]

    def collect_names(self, here: Occurrence, value: Value) -> list[str]:
        """Return the names of the arguments of which a value is one, bounded or replaced by another at most."""
        if not value.labels or not is_itself(value) or not is_itself(here.trace_source(value)[1]):
            return []
        if not _may_be_one(here.trace_source(value)[1]):
            return []  # it is handed over as it is, and is made of one where it comes from
        names = sorted({each.name for each in here.resolve_labels(value) if each.origin == "argument"})
        return names if len(names) == 1 or all(map(is_itself, iter_alternatives(value))) else []

    def find_name(self, here: Occurrence, value: Value) -> str | None:
        """Return the name of the argument that a value is, bounded or replaced by another at most; None if it is none."""
        names = self.collect_names(here, value)
        return names[0] if len(names) == 1 else None


def _is_if_given(use: NumericUse) -> bool:
    """Return whether a list is cut only where the argument is there: in the branch of such a test, or by `rows[:None]`."""
    if isinstance(use.event, Sliced) and get_term_head(use.value.term) == "argument":
        return True
    asked = {each.term for each in iter_components(use.value)}
    for each in use.event.iter_outwards():
        if each.condition == "test" and each.value is not None and asks_whether_given(each.value):
            test, holds = strip_negations(each.value, each.holds)
            is_none = isinstance(test.meaning, Relation) and test.meaning.operator in ("is", "==")
            if holds is not is_none and not asked.isdisjoint(one.term for one in iter_components(test)):
                return True
    return False


def asks_whether_given(test: Value) -> bool:
    """Return whether a test is about a value being there, or being true, and not about how large it is."""
    match test.meaning:
        case Negation(operand):
            return asks_whether_given(operand)
        case Relation("present" | "succeeds"):
            return True
        case Relation("is" | "==", left, right):
            return any(each is not None and each.constant == (type(None), None) for each in (left, right))
        case Relation():
            return False
    return True


def _may_be_one(source: Value) -> bool:
    """Return whether a value may be an argument, bounded or replaced at most, by what its source tells of itself."""
    match source.meaning:
        case ConditionalValue():
            return True
        case Made(by, _):
            return by in BETWEEN or by == "joined"
    return get_term_head(find_original_term(source.term)) in PASSING
