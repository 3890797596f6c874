"""From a function up to those that nothing in the project calls, and down from those that are run."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from reviewer.code.events import Occurrence, Trace
from reviewer.code.ir import Code

Function = TypeVar("Function")


class Started(NamedTuple):
    """What a function does with which something begins: a call by a client if it `answers`; nothing seen if not `is_called`.

    It is not `is_reached` if all that call it are themselves called by nothing.
    """

    trace: Trace
    answers: bool = False
    is_called: bool = True
    is_reached: bool = True


HIGHEST = 5
"""Callers of callers that are searched for a tool: each level may multiply the functions to run.

12 of 40 servers came to the end of it; twice as many change no finding.
"""


def find_uncalled_callers(
    first: Function,
    callers: Callable[[Function], list[Function] | None],
    key: Callable[[Function], Hashable],
) -> list[Function]:
    """Return the functions that lead to one and that nothing else calls; none if `callers` cannot tell them all."""
    found: list[Function] = []
    for current, above in _iter_transitive_callers(first, callers, key):
        if above is None:
            return []
        found += [current] if not above else []
    return found


def find_highest_callers(
    first: Function,
    callers: Callable[[Function], list[Function] | None],
    key: Callable[[Function], Hashable],
) -> list[Function]:
    """Return the functions from which one is come to, as far up as callers are seen: what else may call them is not known."""
    return [current for current, above in _iter_transitive_callers(first, callers, key) if not above]


def _iter_transitive_callers(
    first: Function,
    callers: Callable[[Function], list[Function] | None],
    key: Callable[[Function], Hashable],
) -> Iterator[tuple[Function, list[Function] | None]]:
    """Yield a function and those that lead to it, once each, with what calls it; None where that is not told or too high up."""
    pending = [(first, 0)]
    seen: set[Hashable] = set()
    while pending:
        current, depth = pending.pop()
        if key(current) not in seen:
            seen.add(key(current))
            above = callers(current) if depth <= HIGHEST else None
            yield current, above
            pending += [(each, depth + 1) for each in above or ()]


def find_run_start(occurrence: Occurrence) -> Code:
    """Return the function where the run began in which something happens."""
    while occurrence.caller is not None:
        occurrence = occurrence.caller
    return occurrence.event.code


def find_outermost(traces: Iterable[Trace]) -> list[Trace]:
    """Return the traces of functions that none of the others enters."""
    traces = list(traces)
    entered = {code for trace in traces for code in trace.collect_codes() if code is not trace.code}
    return [trace for trace in traces if trace.code not in entered]
