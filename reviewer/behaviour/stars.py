"""Where a guard filters by the `fields` that a client asks for and takes `"*"` for the name of one."""

from collections.abc import Iterable, Iterator, Sequence

from reviewer.behaviour.entrances import Entrances, Taker
from reviewer.behaviour.projections import Choosing
from reviewer.code.events import Trace
from reviewer.code.values import Value
from reviewer.facts import Guard
from reviewer.source import Text

ALL = "*"


def unstarred(functions: Entrances, takers: Sequence[Taker], guards: Iterable[Guard]) -> Iterator[Text]:
    """Yield the test by which each guard chooses entries, where nothing that the fields pass speaks of the star."""
    for guard in guards:
        own = [each for each in functions.takers(()) if each.trace.code is functions.code(guard.span)]
        for taker in own:
            chosen = [text for _, text, _ in Choosing(taker.trace, functions.program.models).found()]
            traces = (taker.trace, *(each.trace for each in takers))
            if (
                chosen
                and all(not each.reason for each in taker.trace.all_omissions())
                and not any(map(_speaks, traces))
            ):
                yield chosen[0]
                break


def _speaks(trace: Trace) -> bool:
    """Return whether a function, or one that it calls, compares something with the star or looks for it, by whatever name."""
    return any(_holds_star(value) for inner in trace.traces() for event in inner.events for value in event.values)


def _holds_star(value: Value, deep: int = 4) -> bool:
    return value.text == ALL or (deep > 0 and any(_holds_star(each, deep - 1) for each in value.operands))
