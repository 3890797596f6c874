"""Event loops that are begun with what is no coroutine."""

from collections.abc import Iterator

from reviewer.behaviour.entrances import Entrances
from reviewer.code.events import Called
from reviewer.code.values import ABSENT
from reviewer.facts import BrokenStart

RUNNING = "asyncio.run"


def runs_of_nothing(entrances: Entrances) -> Iterator[BrokenStart]:
    """Yield where an event loop is told to run what a plain function gives that gives nothing: that runs, and then it fails."""
    seen = set[object]()
    for trace in entrances.around(RUNNING):
        for each in trace.events:
            if isinstance(each, Called) and each.path == RUNNING and each.text.span not in seen:
                main = each.argument(0, "main")
                if main is not None and main.constants == ABSENT:
                    seen.add(each.text.span)
                    yield BrokenStart(each.text, "it is handed no coroutine, but what a plain function gives: None")
