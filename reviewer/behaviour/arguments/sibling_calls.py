"""Arguments of a tool that one branch hands to a call, and that the other leaves out of what is nearly the same call."""

from collections.abc import Iterator

from reviewer.behaviour.findings import RunFinding
from reviewer.code.events import Called, Event, Occurrence, Trace
from reviewer.code.ir import Site
from reviewer.code.program import Program
from reviewer.code.values import Term
from reviewer.source import Text

SHARED = 2
"""How many arguments two calls must be handed alike before they count as nearly the same."""


def iter_left_out_arguments(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls that leave out an argument that a call in the other branch of a test is handed."""
    branches: dict[tuple[Site, bool], list[Called]] = {}
    for event in trace.events if program.raises else ():
        if isinstance(event, Called) and len(event.named) >= SHARED and not event.is_open:
            for around in event.iter_outwards():
                if around.condition == "test":
                    branches.setdefault((around.at, around.holds), []).append(event)
    for (at, holds), calls in branches.items():
        for one in calls:
            for other in branches.get((at, not holds), ()):
                if _is_alike(one, other):
                    yield from _iter_left_out(trace, one, other)


def _is_alike(one: Called, other: Called) -> bool:
    """Return whether two calls are of one function, or of one and another that does more, and are handed much the same."""
    names = sorted((one.path.rpartition(".")[2], other.path.rpartition(".")[2]), key=len)
    if one.receiver is None or other.receiver is None or one.receiver.term != other.receiver.term:
        return False
    alike = [name for name, value in one.named.items() if name in other.named and other.named[name].term == value.term]
    return names[0] != "" and (names[0] == names[1] or names[1].startswith(f"{names[0]}_")) and len(alike) >= SHARED


def _iter_left_out(trace: Trace, full: Called, lacking: Called) -> Iterator[RunFinding]:
    """Yield a call that lacks an argument which is used for nothing but the other call."""
    for name, value in full.named.items():
        asked = {each.name for each in value.labels if each.origin == "argument"}
        if name not in lacking.named and asked == {name} and value.term == ("argument", name):
            others = (each for each in trace.events if each.at != full.at)
            if not any(_mentions(each, name) for each in others):
                yield RunFinding("leaves out argument", Occurrence(lacking), lacking.text, Text(name, full.text.span))


MOST = 400
"""How many values are looked through for an argument; of what is made of more it is not known."""


def _mentions(event: Event, name: str) -> bool:
    """Return whether something is done with an argument, or because of it."""
    waiting = [
        *event.values,
        *(each.value for each in event.iter_outwards() if each.condition == "test" and each.value),
    ]
    seen = set[Term]()
    for each in waiting:
        if each.term == ("argument", name) or len(seen) == MOST:
            return True
        is_made = isinstance(each.term, tuple) and each.term[:1] == (
            "call",
        )  # what a call was handed is seen at the call
        if each.term not in seen and not is_made:
            waiting += (*(each.contents or {}).values(), *each.operands)
        seen.add(each.term)
    return False
