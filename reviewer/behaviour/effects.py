"""What a handler does besides answering: calls that block its event loop, texts that go to the standard output."""

from collections.abc import Callable, Iterator

from reviewer.code.acts import acts_of
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.ir import Site
from reviewer.code.models import Models
from reviewer.code.state import interval_of
from reviewer.facts import Act, ActKind

Test = Callable[[Occurrence, frozenset[str]], bool]
"""Whether a call is an act of a kind, by what the call's model says that it does."""


def effects(trace: Trace, models: Models, kinds: frozenset[ActKind], within: Site | None = None) -> Iterator[Act]:
    """Yield the acts of some kinds, each expression once; `within`, only those that a part of the function leads to."""
    seen: set[tuple[ActKind, object]] = set()
    for each in trace.occurrences():
        event = each.event
        if not isinstance(event, Called) or (within is not None and not _leads(within, each)):
            continue
        acts = frozenset[str](acts_of(event, models))
        for kind, test in TESTS.items():
            key = (kind, (event.code, event.at))
            if kind in kinds and key not in seen and test(each, acts):
                seen.add(key)
                yield Act(kind, event.text, tuple(place.text for place in each.path()))


def _leads(part: Site, occurrence: Occurrence) -> bool:
    """Return whether an event lies in a part of the function where the run began, or in what that calls."""
    path = occurrence.path()
    at = path[0].at if path else occurrence.event.at
    return part.start <= at.start and at.end <= part.end


def is_on_event_loop(occurrence: Occurrence) -> bool:
    """Return whether something is done on the thread of the event loop: by an `async` handler, and in no thread of its own."""
    first = occurrence
    while first.caller is not None:
        first = first.caller
    return first.event.code.is_async and not occurrence.is_under("thread")


def _blocks(occurrence: Occurrence, acts: frozenset[str]) -> bool:
    return "blocks" in acts and is_on_event_loop(occurrence) and not _is_brief(occurrence, acts)


BRIEF = 0.1
"""Seconds of a sleep that nobody notices."""


def _is_brief(occurrence: Occurrence, acts: frozenset[str]) -> bool:
    assert isinstance(occurrence.event, Called)
    time = occurrence.event.argument(0, "seconds", "secs")
    return "sleeps" in acts and time is not None and interval_of(time, occurrence.event.facts).high < BRIEF


def _blocks_briefly(occurrence: Occurrence, acts: frozenset[str]) -> bool:
    return "blocks briefly" in acts and is_on_event_loop(occurrence)


def _prints(_occurrence: Occurrence, acts: frozenset[str]) -> bool:
    return "prints" in acts


TESTS: dict[ActKind, Test] = {"blocks": _blocks, "blocks briefly": _blocks_briefly, "prints": _prints}
"""The kinds of acts that one call is by itself, with what tells them."""
