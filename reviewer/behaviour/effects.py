"""What a handler does besides answering: calls that block its event loop, texts that go to the standard output."""

from collections.abc import Callable, Iterator

from reviewer.code.events import Called, Event, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.facts import Act, ActKind

Test = Callable[[Called, frozenset[str]], bool]
"""Whether a call is an act of a kind, by what the call's model says that it does."""


def effects(trace: Trace, models: Models, kinds: frozenset[ActKind], within: Site | None = None) -> Iterator[Act]:
    """Yield the acts of some kinds, each expression once; `within`, only those that a part of the function leads to."""
    seen: set[tuple[ActKind, object]] = set()
    for event in trace.of(Called):
        assert isinstance(event, Called)
        if within is not None and not _leads(within, event):
            continue
        model = models.of(event.path) if event.path else None
        acts = frozenset(model.acts) if model is not None else frozenset[str]()
        for kind, test in TESTS.items():
            key = (kind, (event.frame.code, event.at))
            if kind in kinds and key not in seen and test(event, acts):
                seen.add(key)
                yield Act(kind, event.text, tuple(place.text for place in event.frame.path()))


def _leads(part: Site, event: Event) -> bool:
    """Return whether an event lies in a part of the function where the run began, or in what that calls."""
    path = event.frame.path()
    at = path[0].at if path else event.at
    return part.start <= at.start and at.end <= part.end


def on_event_loop(event: Event) -> bool:
    """Return whether something is done on the thread of the event loop: by an `async` handler, and in no thread of its own."""
    around = event.context.outwards() if event.context is not None else ()
    return _started(event).is_async and all(each.condition != "thread" for each in around)


def _started(event: Event) -> Code:
    frame = event.frame
    while frame.caller is not None:
        frame = frame.caller
    return frame.code


def _blocks(event: Called, acts: frozenset[str]) -> bool:
    return "blocks" in acts and on_event_loop(event)


def _blocks_briefly(event: Called, acts: frozenset[str]) -> bool:
    return "blocks briefly" in acts and on_event_loop(event)


def _prints(event: Called, acts: frozenset[str]) -> bool:
    return "prints" in acts


TESTS: dict[ActKind, Test] = {"blocks": _blocks, "blocks briefly": _blocks_briefly, "prints": _prints}
"""The kinds of acts that one call is by itself, with what tells them."""
