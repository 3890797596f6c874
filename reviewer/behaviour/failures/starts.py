"""Event loops that are begun with what is no coroutine."""

from collections.abc import Iterator

from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Called, Entered, Returned, Trace
from reviewer.code.values import ABSENT, Value
from reviewer.facts import BrokenStart

RUNNING = "asyncio.run"
OF_PLAIN = "it gets None from a plain function instead of a coroutine"


def iter_runs_of_nothing(entry_points: EntryPoints) -> Iterator[BrokenStart]:
    """Yield where an event loop is told to run what a plain function gives that gives nothing: that runs, and then it fails."""
    seen = set[object]()
    for trace in entry_points.iter_traces_around(RUNNING):
        for each in trace.events:
            if isinstance(each, Called) and each.path == RUNNING and each.text.span not in seen:
                main = each.find_argument(0, "main")
                if main is not None and main.constants == ABSENT and _is_of_plain(main, trace):
                    seen.add(each.text.span)
                    yield BrokenStart(each.text, OF_PLAIN, is_late=True)


def _is_of_plain(main: Value, trace: Trace) -> bool:
    """Return whether a function of the project gave a value by coming to its end, and not what it got of a library."""
    match main.term:
        case ("via", site, _):
            ended = (each.trace for each in trace.events if isinstance(each, Entered) and each.at == site)
            return all(not any(isinstance(one, Returned) for one in inner.events) for inner in ended)
    return False
