"""The functions that take cursors of clients, and what they do with one that can be read and with one that cannot."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from tree_sitter import Node

from reviewer.behaviour.paging.cursors import BOUNDS, CursorAssumption, CursorSummaries, SentArguments, Suppositions
from reviewer.behaviour.paging.cursors import iter_given_cursors as found_in
from reviewer.behaviour.paging.page_marks import iter_page_marks
from reviewer.behaviour.paging.pages import is_given_cursor, reads_cursor
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.behaviour.values.names import split_words
from reviewer.caching import cache_latest
from reviewer.code.events import Trace
from reviewer.code.summaries import Summaries
from reviewer.facts import GivenCursor, Server
from reviewer.languages.nodes import decode_node, find_child, find_descendants, find_parent, list_children
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace
from reviewer.languages.python.behaviour.tracing import build_client_arguments, get_program, trace_with
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# MCP says `cursor`; `page_token` (Google's APIs) and `continuation` (Azure's) come from APIs that servers hand on.
SIGNS = pattern(rb"cursor|page_?token|continuation", re.IGNORECASE)
KEYED = pattern(
    rb"[\"'](?:\w+_)?(?:cursor|page_?token|continuation(?:_?token)?)[\"']|\.(?:cursor|page_?token|continuation_?token)\b(?!\s*\()",
    re.IGNORECASE,
)
"""What reads a cursor out of what a client sends."""

TEXT = pattern(r"\b(?:str|bytes|Any|object|dict|Dict|Mapping|MutableMapping)\b|^[^\[]*[A-Z]\w+$")
"""What the annotation of a parameter says that may be a cursor, or hold one."""

SAYING = pattern(r"\bcursor\b|\b(?:page|continuation)[ _]?token\b|\bnext_?cursor\b", re.IGNORECASE)
"""What the description of an argument says that is a cursor."""

# What a function takes that reads a cursor is the cursor, whatever it is called, except for these.
BESIDE = frozenset({"limit", "size", "rows", "items", "self", "cls"})
# The lists of the protocol that have a cursor, as the low-level server's decorators for them are called.
LISTING = ("list_tools", "list_resources", "list_prompts", "list_resource_templates")

HANDLERS = frozenset(f"on_{each}" for each in LISTING)
"""The arguments of the low-level Server of SDK 2 that take the handlers of these lists."""

# mcp 1 is told a handler by a decorator of the server (`@server.list_tools()`), mcp 2 by `on_list_tools=`.
HANDLES = pattern(rf"\.(?:{'|'.join(LISTING)})\b")
REQUESTS = pattern(
    r"\b(?:request_handlers|_request_handlers)\[(?:\w+\.)*List(?:Tools|Resources|Prompts|ResourceTemplates)Request\]$"
)
"""The place of a server's table where the handler of such a request is put."""
# What a file has in it that registers such a handler in any of the three ways.
LISTS = pattern("|".join((*LISTING, "request_handlers")).encode())


Paging = Mapping[tuple[str, int], frozenset[str]]
"""The arguments that are cursors by what a function does with them, by its file and first byte."""


def iter_given_cursors(
    run: Evaluator, modules: Iterable[PyModule], servers: Iterable[Server], entry_points: EntryPoints
) -> Iterator[GivenCursor]:
    """Yield the places that read clients' cursors, in code that tools reach and in functions without a known caller."""
    program, summaries = get_program(run), CursorSummaries(Summaries)
    paging = {_begin(trace): found.given for trace, found in iter_page_marks(entry_points, servers)}
    takers = _iter_takers(modules, servers, paging)
    return found_in(
        (
            (
                program.find_code_at(each.module, each.node),
                partial(_build_supposed, run, each, names, _find_paged_parameters(paging, each), summaries),
            )
            for each, names in takers
        ),
        entry_points.iter_traces,
        program,
    )


def _find_paged_parameters(paging: Paging, place: FunctionPlace) -> frozenset[str]:
    return paging.get((place.module.path, place.node.start_byte), frozenset())


def _begin(trace: Trace) -> tuple[str, int]:
    return trace.code.source.path, trace.code.at.start


def _iter_takers(
    modules: Iterable[PyModule], servers: Iterable[Server], paging: Paging
) -> Iterator[tuple[FunctionPlace, frozenset[str]]]:
    """Yield the functions that may be given a cursor, with the names of those of their parameters that surely are one."""
    described = {span: names for each in servers for span, names in _iter_described_cursors(each)}
    near = {path for path, _ in paging}
    for module in modules:
        speaks = SIGNS.search(module.source.data) is not None
        if not speaks and LISTS.search(module.source.data) is None and module.path not in near:
            continue
        for function in find_descendants(module.root, "python", "function_definition"):
            place = FunctionPlace(function, module)
            whole = find_parent(function) if place.is_decorated else function
            names = described.get(module.locate(whole or function), frozenset()) | _collect_cursor_parameters(function)
            if paged := _find_paged_parameters(paging, place):
                yield place, names | paged
            elif speaks and (names or KEYED.search(_read_own_source(function)) is not None):
                yield place, names
            elif _answers_protocol(place):  # another function may read the cursor of the request that it is handed
                yield place, frozenset()


def _iter_described_cursors(server: Server) -> Iterator[tuple[Span, frozenset[str]]]:
    """Yield the functions of tools with the arguments of which their descriptions say that they are cursors."""
    for tool in server.tools:
        parts = tool.parameters if isinstance(tool.parameters, tuple) and tool.code is not None else ()
        names = frozenset(
            str(each.name) for each in parts if isinstance(each.description, Text) and SAYING.search(each.description)
        )
        if names and tool.code is not None:
            yield tool.code.span, names


def _collect_cursor_parameters(function: Node) -> frozenset[str]:
    """Return the parameters of a function that are cursors by their names, or by that of a function that takes one apart."""
    names = frozenset(_iter_parameters(function))
    found = frozenset(each for each in names if is_given_cursor(each))
    name = decode_node(find_child(function, "name") or function)
    if not found and reads_cursor(name):
        found = frozenset(each for each in names if BESIDE.isdisjoint(split_words(each)))
    return found


def _iter_parameters(function: Node) -> Iterator[str]:
    for part in list_children(find_child(function, "parameters")):
        kind = find_child(part, "type")
        if kind is None or TEXT.search(decode_node(kind)) is not None:
            yield from sorted(
                collect_bound_names(
                    find_child(part, "name")
                    or (part if part.type == "identifier" else next(iter(list_children(part)), part))
                )
            )


def _read_own_source(function: Node) -> bytes:
    """Return the source of a function without those in it."""
    data, start = function.text or b"", function.start_byte
    for each in reversed(find_descendants(find_child(function, "body") or function, "python", "function_definition")):
        data = data[: each.start_byte - start] + data[each.end_byte - start :]
    return data


def _build_supposed(
    run: Evaluator,
    place: FunctionPlace,
    names: frozenset[str],
    paged: frozenset[str],
    known: CursorSummaries,
) -> Suppositions:
    """Return the runs of a function with cursors that can be read, and with ones that cannot."""
    code = get_program(run).find_code_at(place.module, place.node)

    def trace_supposed(supposed: CursorAssumption) -> Trace:
        sent = SentArguments(lambda name: name in paged or is_given_cursor(name), supposed)
        given = build_client_arguments(
            code, lambda name: sent.build_cursor(name) if name in names else sent.build_part(name, is_whole=True)
        )
        return trace_with(run, place, given, known[supposed, paged], BOUNDS)

    return Suppositions(trace_supposed, _answers_protocol(place))


def _answers_protocol(place: FunctionPlace) -> bool:
    """Return whether a function answers a request for a list of the protocol."""
    name = decode_node(find_child(place.node, "name") or place.node)
    marks = list_children(find_parent(place.node) or place.node)[:-1] if place.is_decorated else []
    return any(HANDLES.search(decode_node(each)) for each in marks) or name in _collect_list_handlers(place.module)


@cache_latest(maxsize=16)  # each function of a module asks: a thirtieth of the review of the MCP python-sdk
def _collect_list_handlers(module: PyModule) -> frozenset[str]:
    """Return the names of the functions that are handed to a server as handlers of lists."""
    return frozenset(_iter_handlers(module))


def _iter_handlers(module: PyModule) -> Iterator[str]:
    """Yield the names of the functions that a module hands to a server for lists: by keyword, by call, in its table."""
    data = module.source.data
    for each in find_descendants(module.root, "python", "keyword_argument") if b"on_list_" in data else ():
        if decode_node(find_child(each, "name") or each) in HANDLERS:
            yield decode_node(find_child(each, "value") or each)
    for each in find_descendants(module.root, "python", "assignment") if b"request_handlers" in data else ():
        if REQUESTS.search(decode_node(find_child(each, "left") or each)):
            yield _get_last(find_child(each, "right"))
    for each in find_descendants(module.root, "python", "call") if LISTS.search(data) else ():
        made = find_child(each, "function")
        if (
            made is not None
            and made.type == "call"
            and HANDLES.search(decode_node(find_child(made, "function") or made))
        ):
            yield from map(_get_last, list_children(find_child(each, "arguments")))


def _get_last(node: Node | None) -> str:
    """Return the name of a function or of a method: `f` of `f`, `self.f`."""
    return decode_node(node).rpartition(".")[2] if node is not None and node.type in ("identifier", "attribute") else ""


def collect_bound_names(target: Node | None) -> set[str]:
    """Name what a target binds; an attribute or an item of something binds no name."""
    found: set[str] = set()
    waiting = [target] if target is not None else []
    while waiting:
        node = waiting.pop()
        if node.type == "identifier":
            found.add(decode_node(node))
        elif node.type not in ("attribute", "subscript"):
            waiting += list_children(node)
    return found - {"_"}
