"""The functions that may give cursors out, in the code that tool calls run through."""

from collections.abc import Iterator

from reviewer.behaviour.paging.made_cursors import made_cursors
from reviewer.behaviour.paging.page_marks import marks
from reviewer.behaviour.paging.pages import CURSORS, GIVING
from reviewer.facts import Cursor
from reviewer.languages.prefilter import mentions
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.tracing import program_of, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, in_test


def cursors(items: RustItems) -> Iterator[Cursor]:
    """Yield the cursors that are made, by what takes the calls of tools and by what nobody is seen to call."""
    run = handling(items)
    functions = [
        RustItem(path, function, items.sources[path])
        for path in run.files
        if mentions(items.sources[path].data, CURSORS)
        for function in items.of_kinds_near(path, CURSORS, "function_item")
        if GIVING.search(function.text or b"") is not None and not in_test(function) and run.holds(path, function)
    ]
    program = program_of(items)
    traces = [trace_of(items, each) for each in functions]
    makers = frozenset(each.code for each in traces)
    callers = [trace_of(items, each) for each in run.roots]
    following = {each.code: found.next for each in callers if (found := marks(each, program)).next}
    traces += [
        each
        for each in callers
        if each.code not in makers and (each.code in following or not makers.isdisjoint(each.codes()))
    ]
    return made_cursors(traces, program.models, following)
