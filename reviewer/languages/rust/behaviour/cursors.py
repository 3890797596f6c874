"""The functions that may give cursors out, in the code that tool calls run through."""

from collections.abc import Iterator

from reviewer.behaviour.paging.made_cursors import iter_made_cursors
from reviewer.behaviour.paging.page_marks import find_page_marks
from reviewer.behaviour.paging.pages import CURSORS, GIVING
from reviewer.facts import Cursor
from reviewer.languages.prefilter import mentions
from reviewer.languages.rust.behaviour.handling import build_handling
from reviewer.languages.rust.behaviour.tracing import get_program, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test


def iter_cursors(items: RustItems) -> Iterator[Cursor]:
    """Yield the cursors that are made, in functions that receive calls of tools and in those without a known caller."""
    run = build_handling(items)
    functions = [
        RustItem(path, function, items.sources[path])
        for path in run.files
        if mentions(items.sources[path].data, CURSORS)
        for function in items.find_nodes_near(path, CURSORS, "function_item")
        if GIVING.search(function.text or b"") is not None and not is_in_test(function) and run.holds(path, function)
    ]
    program = get_program(items)
    traces = [trace_of(items, each) for each in functions]
    makers = frozenset(each.code for each in traces)
    callers = [trace_of(items, each) for each in run.roots]
    following = {each.code: found.next for each in callers if (found := find_page_marks(each, program)).next}
    traces += [
        each
        for each in callers
        if each.code not in makers and (each.code in following or not makers.isdisjoint(each.collect_codes()))
    ]
    return iter_made_cursors(traces, program.models, following)
