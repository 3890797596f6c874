"""The functions that take cursors of clients, and what they do with one that can be read and with one that cannot."""

import re
from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from reviewer.behaviour.arguments.inputs import INPUT
from reviewer.behaviour.paging.cursors import BOUNDS, CursorAssumption, CursorSummaries, SentArguments, Suppositions
from reviewer.behaviour.paging.cursors import iter_given_cursors as found_in
from reviewer.behaviour.paging.page_marks import find_page_marks
from reviewer.behaviour.paging.pages import is_given_cursor, reads_cursor
from reviewer.behaviour.values.names import split_words
from reviewer.code.events import Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.summaries import Summaries
from reviewer.code.values import Class, Instance, Library, Value
from reviewer.facts import GivenCursor
from reviewer.languages.prefilter import mentions
from reviewer.languages.rust.behaviour.handling import build_handling
from reviewer.languages.rust.behaviour.tracing import build_supposed_arguments, get_program, trace_of
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, memoize
from reviewer.source import Span
from reviewer.text.patterns import pattern

# MCP says `cursor`; `page_token` (Google's APIs) and `continuation` (Azure's) come from APIs that servers hand on.
SIGNS = pattern(rb"cursor|page_token|continuation", re.IGNORECASE)
GIVEN = pattern(
    rb"(?:cursor|page_token|continuation\w*)\s*:\s*&?\s*(?:'\w+\s+)?(?:Option\s*<|str\b|String)"
    rb"|\"(?:cursor|page_token)\"|(?:decode|parse|read|offset_of|from)_cursor|page_token|continuation_token"
)
"""What a function holds in which a cursor of a client is read."""

# A method of that name is a database's cursor, which no client sends.
FIELD = pattern(rb"\.cursor\b(?!\s*\()")
# An argument of such a type is a place in the list already, no text that a client may have garbled.
NUMBERS = pattern(r"[iu](?:8|16|32|64|128|size)|f32|f64|bool")
# What a function takes that reads a cursor is the cursor, whatever it is called, except for these.
BESIDE = frozenset({"limit", "size", "rows", "items", "self"})


@memoize
def find_given_cursors(items: RustItems) -> tuple[GivenCursor, ...]:
    """Return the places that read clients' cursors, in code that tools reach and in functions without a known caller."""
    program, known = get_program(items), CursorSummaries(Summaries)
    takers = (
        (program.find_code_at(each.path, each.node), partial(_build_supposed, items, each, known))
        for each in _iter_takers(items)
    )
    return tuple(found_in(takers, lambda: (trace_of(items, each) for each in build_handling(items).roots), program))


@memoize
def collect_cursor_faults(items: RustItems) -> frozenset[Span]:
    """Return the places of the calls that panic on a cursor that cannot be read."""
    return frozenset(each.fault.span for each in find_given_cursors(items) if each.fault is not None)


def _iter_takers(items: RustItems) -> Iterator[RustItem]:
    """Yield the functions that may be given a cursor."""
    run = build_handling(items)
    near = [path for path in run.files if mentions(items.sources[path].data, SIGNS)]
    asked = [each for each in run.roots if (near and _is_asked(items, each)) or _find_paged_parameters(items, each)]
    yield from asked
    told = {(each.path, each.node.start_byte) for each in asked}
    roots = {(each.path, each.node.start_byte) for each in run.roots}
    for path in near:
        for function in items.find_nodes_near(path, SIGNS, "function_item"):
            if (path, function.start_byte) in told or not _may_read(function, (path, function.start_byte) in roots):
                continue
            if not is_in_test(function) and run.holds(path, function):
                yield RustItem(path, function, items.sources[path])


def _may_read(function: Node, is_root: bool) -> bool:
    """Return whether a function may read a cursor; a field of that name is a client's where calls come in."""
    text = function.text or b""
    return GIVEN.search(text) is not None or (is_root and FIELD.search(text) is not None)


def _find_paged_parameters(items: RustItems, function: RustItem) -> frozenset[str]:
    """Return the arguments that are cursors by what a function does with them."""
    return find_page_marks(trace_of(items, function), get_program(items)).given


def _is_asked(items: RustItems, function: RustItem) -> bool:
    """Return whether a request that a function takes has a field for a cursor."""
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    kinds = (program.resolve_type(each.type, code) for each in code.parameters if each.type is not None)
    made = [each.of for each in kinds if each is not None and isinstance(each.of, Class)]
    return any(is_given_cursor(name) for kind in made for name in program.list_fields(kind))


def _build_supposed(items: RustItems, function: RustItem, known: CursorSummaries) -> Suppositions:
    """Return the runs of a function with cursors that can be read, and with ones that cannot."""
    program = get_program(items)
    code = program.find_code_at(function.path, function.node)
    paged = _find_paged_parameters(items, function)
    is_reader = reads_cursor(code.name) and not any(is_given_cursor(each.name) for each in code.parameters)

    def is_cursor(name: str) -> bool:
        return name in paged or is_given_cursor(name)

    def trace_supposed(supposed: CursorAssumption) -> Trace:
        sent = SentArguments(is_cursor, supposed)
        taken = frozenset(
            each.name for each in code.parameters if is_reader and BESIDE.isdisjoint(split_words(each.name))
        )

        def supply_value(name: str, made: Instance | None) -> Value:
            if (is_cursor(name) or name in taken) and not _is_number(made):
                return sent.build_cursor(name)._replace(things=_as_things(made))
            return sent.build_part(name, is_whole=True)._replace(things=_as_things(made))

        run = Interpreter(program, BOUNDS, known[supposed, paged])
        given, state = build_supposed_arguments(run, code, supply_value, INPUT._replace(contents=sent))
        return run.start(code, given, state)

    return Suppositions(trace_supposed)


def _as_things(made: Instance | None) -> tuple[Instance, ...]:
    return (made,) if made is not None else ()


def _is_number(made: Instance | None) -> bool:
    return (
        made is not None
        and isinstance(made.of, Library)
        and NUMBERS.fullmatch(made.of.path.rpartition(".")[2]) is not None
    )
