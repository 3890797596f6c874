"""Arguments that are checked in whatever case, and then compared as they were sent: what passes the check is missed."""

from collections.abc import Iterator

from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.arguments.deciding import Decisions
from reviewer.behaviour.arguments.inputs import hands_over
from reviewer.behaviour.failures.refusals import Refusals
from reviewer.behaviour.findings import RunFinding
from reviewer.code.events import Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import Value

UNKNOWN = "no such value"
"""A text that no list of values has."""


def iter_missed_cases(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the first comparison of each argument that misses what a check before it takes; `about` is what that refuses with."""
    if not trace.reaches(_folds, program):
        return
    refusals = Refusals(trace, program)
    order: dict[int, int] = {}
    compared: dict[str, dict[str, Occurrence]] = {}
    for place, here in enumerate(trace.list_occurrences(hands_over, kinds=(Tested, Raised, Returned))):
        order[id(here.event)] = place
        for name, text in _as_sent(here) if isinstance(here.event, Tested) else ():
            compared.setdefault(name, {}).setdefault(text, here)
    for name, texts in compared.items():
        refusal = refusals.find_refusal(name, UNKNOWN)
        for text, here in texts.items() if refusal is not None else ():
            other = text.swapcase()
            is_later = refusal is not None and order[id(here.event)] > order[id(refusal.event)]
            if refusal is None or not is_later or other in texts or other == text or refusals.find_refusal(name, other):
                continue
            if Decisions(name, other, program.models).arrives(trace, refusal) is False:
                yield RunFinding("misses case", here, about=refusal.event.text)
                break


def _as_sent(here: Occurrence) -> Iterator[tuple[str, str]]:
    """Yield the arguments that a test compares as they were sent, each with a text that it is compared with."""
    for relation in iter_relations(here.event.values[0]):
        if relation.right is None or relation.operator not in ("==", "in"):
            continue
        for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
            match here.trace_source(one)[1].term:
                case ("argument", str() as name):
                    listed = (other.contents or {}).values() if relation.operator == "in" else (other,)
                    yield from ((name, each.text) for each in listed if each.text)


def _folds(trace: Trace, program: Program) -> bool:
    """Return whether a function compares a text of which it leaves one case."""
    return any(
        _is_folded(side, program.models)
        for event in trace.events
        if isinstance(event, Tested)
        for relation in iter_relations(event.value)
        if relation.operator in ("==", "in")
        for side in (relation.left, relation.right)
        if side is not None
    )


def _is_folded(value: Value, models: Models) -> bool:
    return "one case" in models.get_maker_model(value).traits
