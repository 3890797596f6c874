"""Which values are certainly a tool's failure, and which branches are taken where a tool failed."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.events import Context, Event
from reviewer.code.ir import Site
from reviewer.code.kinds import collect_kinds, iter_ancestors
from reviewer.code.program import Program
from reviewer.code.state import Facts, KnownFact, infer_truth, substitute_term
from reviewer.code.values import (
    Class,
    ConditionalValue,
    Instance,
    Library,
    Made,
    Relation,
    Term,
    Value,
    strip_negations,
)


class FailureValues(NamedTuple):
    """The values in a call of one function that are certainly a tool's failure: results of calls, and arguments.

    `taken` are the clauses that catch what a tool raised. `told` are facts about parts of a call's result if a clause
    in the called function caught it.
    """

    sites: frozenset[Site] = frozenset()
    terms: frozenset[Term] = frozenset()
    taken: frozenset[Term] = frozenset()
    told: tuple[Facts, ...] = ()

    def is_one(self, term: Term) -> bool:
        """Return whether a term is of a tool's outcome."""
        match term:
            case ("via", Site() as site, *_) if site in self.sites:
                return True
            case ("call", _, Site() as site) if site in self.sites:
                return True
        return term in self.terms

    def is_outcome(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value fails where a tool failed: its outcome, one of several calls', what is made of a success."""
        if self.is_one(value.term):
            return True
        match value.meaning:
            case ConditionalValue(test, _, otherwise) if deep and self.tells_failure(test, True) is False:
                return self.is_outcome(otherwise, deep - 1)
            case ConditionalValue(_, then, otherwise) | Made("joined", (then, otherwise)) if deep:
                sides = (then, otherwise)  # what no tool gave, such as what was kept of an earlier call, fails for none
                own = [self.is_outcome(each, deep - 1) for each in sides]
                return any(own) and all(
                    is_own or not self.is_made_of_outcome(each) for is_own, each in zip(own, sides, strict=True)
                )
        return False

    def has_failed(self, facts: Facts) -> bool | None:
        """Return whether tests told that a tool failed, or that it did not."""
        taken = [facts[each].truth for each in self.taken if each in facts]
        if any(taken):
            return True
        agreeing = {_is_of_told_kind(each, facts) for each in self.told} - {None}
        if agreeing:
            return True in agreeing
        known = [fact for term, fact in facts.items() if self.is_one(term)]
        if any(each.failed is False or each.present for each in known):
            return False
        if any(each.failed for each in known):
            return True
        return False if taken and len(taken) == len(self.taken) else None

    def tells_failure(self, test: Value, holds: bool) -> bool | None:
        """Return whether a test tells that a tool failed, or that it did not, whichever of several calls it was."""
        test, holds = strip_negations(test, holds)
        match test.meaning:
            case Relation("succeeds" | "present", left) if self.is_outcome(left):
                return not holds
        return None

    def is_made_of_outcome(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value is made of a tool's outcome: where failures are raised, of what a clause took."""
        if value.failure is not None and self.is_made_of_outcome(value.failure, deep - 1):
            return True
        if value.term in self.taken or self.is_one(value.term):
            return True
        inner = (*value.operands, *value.sources, *(value.contents or {}).values()) if deep > 0 else ()
        return any(self.is_made_of_outcome(each, deep - 1) for each in inner)

    def iter_suppositions(self, facts: Facts) -> Iterator[Facts]:
        """Yield the facts that hold after each clause that catches a tool's exception; only the given facts if none
        does.
        """
        for each in self.taken:
            others = {other: KnownFact(truth=False) for other in self.taken if other != each}
            yield {**facts, **others, each: KnownFact(truth=True, present=True)}
        for each in self.told:
            yield {**facts, **each}
        if not self.taken and not self.told:
            yield facts


def _is_of_told_kind(told: Facts, facts: Facts) -> bool | None:
    """Return whether tests told that something is of the variant of which it is where a tool failed, or that it is not."""
    for term, fact in told.items():
        known = facts.get(term)
        if known is not None and fact.kinds:
            return bool(fact.kinds & known.kinds) if known.kinds else False if fact.kinds <= known.others else None
    return None


def is_failing(event: Event, failing: FailureValues, program: Program) -> bool:
    """Return whether an event happens only, or also, where a tool failed."""
    failed = failing.has_failed(event.facts)
    return bool(is_failure_branch(event, failing, program) if failed is None else failed)


def is_failure_branch(event: Event, failing: FailureValues, program: Program) -> bool | None:
    """Return whether tests lead to something where a clause took what a tool raised, None if none tells."""
    told = [_is_so(each, failing, program) for each in event.iter_outwards() if each.condition == "test"]
    return None if set(told) <= {None} else False not in told


def _is_so(around: Context, failing: FailureValues, program: Program) -> bool | None:
    """Return whether a test ends as it has to where a clause took what a tool raised, None if that does not tell."""
    if around.value is None:
        return None
    test, holds = strip_negations(around.value, around.holds)
    known = {infer_truth(test, each) for each in failing.told}
    if known and None not in known:
        return holds in known
    if (failed := failing.tells_failure(test, holds)) is not None:
        return failed
    for part in (test, *test.operands):
        if isinstance(part.meaning, ConditionalValue) and part.meaning.test.term in failing.taken:
            truth = _find_truth(substitute_term(test, part.term, part.meaning.then), program)
            return None if truth is None else truth is holds
    return None


def _find_truth(test: Value, program: Program) -> bool | None:
    """Return whether a test is certainly true or false, including a test of the class of an object created here;
    else None.
    """
    match test.meaning:
        case Relation("kind", left, Value() as right):
            made = [each.of for each in left.things if isinstance(each, Instance)]
            if left.certain and len(made) == 1 and isinstance(made[0], Class) and len(made) == len(left.things):
                kinds = collect_kinds(right)
                return None if not kinds else not frozenset(kinds).isdisjoint(iter_ancestors(program, made[0]))
    return infer_truth(test, {})


def collect_variants(value: Value) -> frozenset[Class | Library]:
    """Return the variants of an enum of the project of which a value may be, or its classes: `Done`, `Failed`."""
    enums = frozenset(each for each in value.things if isinstance(each, Class) and each.variant)
    return enums | frozenset(value.classes)
