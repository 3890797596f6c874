"""The functions that give cursors out, those that take cursors of clients, and those that are asked for so many elements."""

import re
from collections.abc import Iterable, Iterator
from functools import partial

from reviewer.behaviour.arguments.inputs import INPUT
from reviewer.behaviour.paging import cursors
from reviewer.behaviour.paging.cursors import BOUNDS, CursorAssumption, CursorSummaries, SentArguments, Suppositions
from reviewer.behaviour.paging.limits import Limits
from reviewer.behaviour.paging.made_cursors import iter_made_cursors
from reviewer.behaviour.paging.page_marks import find_page_marks, iter_page_marks
from reviewer.behaviour.paging.pages import CURSORS, SIZED, is_given_cursor, limits_otherwise
from reviewer.behaviour.values.callers import find_outermost
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.state import State
from reviewer.code.summaries import Summaries
from reviewer.facts import Cursor, GivenCursor, Limit, Server
from reviewer.languages.typescript.behaviour.entry_points import TypeScriptEntryPoints
from reviewer.languages.typescript.behaviour.tracing import FunctionPlace, Handlers
from reviewer.text.patterns import pattern

SIGNS = pattern(rb"cursor|page_?token|continuation", re.IGNORECASE)
"""What a project holds in which a cursor of a client is read: MCP says `cursor`, APIs that servers hand on say the others."""


def iter_cursors(entry_points: TypeScriptEntryPoints, servers: Iterable[Server]) -> Iterator[Cursor]:
    """Yield the cursors that tools give out."""
    if not entry_points.matches(CURSORS):
        return iter(())
    paging = dict(iter_page_marks(entry_points, servers))
    traces = [*(each for _, each in entry_points.iter_calls()), *paging]
    following = {trace.code: found.next for trace, found in paging.items()}
    return iter_made_cursors(traces, entry_points.program.models, following)


def iter_limits(entry_points: TypeScriptEntryPoints) -> Iterator[Limit]:
    """Yield where the code of tools bounds, replaces or refuses a page size."""
    traces = [each for _, each in entry_points.iter_calls()] if entry_points.matches(SIZED) else []
    models = entry_points.program.models
    found = [each for trace in find_outermost(traces) for each in Limits(trace, models, frozenset()).iter_limits()]
    yield from {each.text.span: each for each in found if each.refuses or not limits_otherwise(each.text)}.values()


def iter_given_cursors(handlers: Handlers, entry_points: TypeScriptEntryPoints) -> Iterator[GivenCursor]:
    """Yield the places of tools that read clients' cursors."""
    if not entry_points.matches(SIGNS):
        return iter(())
    known = CursorSummaries(Summaries)
    takers = (
        (handlers.find_code(place), partial(_build_supposed, handlers, place, tool, known))
        for place, tool in entry_points.iter_places()
    )
    return cursors.iter_given_cursors(takers, entry_points.iter_traces, handlers.program)


def _build_supposed(handlers: Handlers, place: FunctionPlace, tool: str, known: CursorSummaries) -> Suppositions:
    """Return the runs of a function with cursors that can be read, and with ones that cannot."""
    code = handlers.find_code(place)
    paged = find_page_marks(handlers.trace_of(place, tool), handlers.program).given

    def trace_supposed(supposed: CursorAssumption) -> Trace:
        sent = SentArguments(lambda name: name in paged or is_given_cursor(name), supposed)
        run = Interpreter(handlers.program, BOUNDS, known[supposed, paged], tool=tool)
        return run.start(code, handlers.build_arguments(place, tool, INPUT._replace(contents=sent)), State())

    return Suppositions(trace_supposed)
