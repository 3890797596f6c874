"""Where a caught panic is answered, and whether its text goes out with the answer."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tree_sitter import Node

from reviewer.behaviour.failures.caught_logs import Log
from reviewer.behaviour.failures.caught_panics import CaughtPanic, attach_log, iter_caught_panics, iter_hook_logs
from reviewer.facts import ErrorBoundary, Flag, Server
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.prefilter import mentions
from reviewer.languages.rust.behaviour.aborts import find_abort_setting
from reviewer.languages.rust.behaviour.handling import build_handling
from reviewer.languages.rust.behaviour.tracing import get_program, trace_near
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, memoize
from reviewer.languages.rust.syntax.prefilter import compile_marks, find_files_with
from reviewer.source import Span
from reviewer.text.patterns import pattern

CATCHING = compile_marks(rb"catch_unwind\b", rb"spawn(?:_blocking|_local)?\s*\(")
# A panic is kept in by `catch_unwind`, or by a task, whose handle gives it back as an error.
CAUGHT = pattern(rb"catch_unwind|spawn")
# The process's hook logs a panic before anything catches it, so a boundary need not log it again.
HOOK = pattern(rb"\bset_hook\s*\(")
# Background jobs catch panics too. A file that speaks of no tool has only those.
DISPATCHING = pattern(
    rb"\b(?:\w*tool|Tool\w*|CallToolResult|\w*dispatch\w*|\w+Dispatch\w*|ServerHandler|rmcp|McpError)\b"
)
# A task in a function of another name, with another answer than `ANSWER`, is no tool's call.
NAMED = pattern(r"(^|_)(tools?|dispatch|actions?|handle_call)")
# Where all calls come through, a catch holds for every tool; in a function of another name it is one handler's own.
ENTRY = pattern(r"dispatch_tools?|call_tool|tools?_call|isolat|guard|catch")
# rmcp's result and errors (`ErrorData`, which most import as `McpError`), and the names that servers give to their own.
ANSWER = pattern(r"CallToolResult|ToolError|ToolResult|McpError|ErrorData|ToolOutput")


def iter_error_boundaries(items: RustItems, servers: tuple[Server, ...] = ()) -> Iterator[ErrorBoundary]:
    """Find the places in tool dispatch that answer for a caught panic; a leak that several share is told once."""
    told: set[Span] = set()
    isolations = {each.span for server in servers if server.entry for each in server.entry.isolation}
    for function, caught in _iter_caught(items, isolations):
        isolates = caught.call.text.span in isolations
        is_catch = caught.call.path.endswith("catch_unwind")
        inner = not (
            isolates or (_is_in_dispatch(function.node) and (is_catch or ENTRY.search(function.name) is not None))
        )
        found = caught.build_fact()
        if found is not None and find_abort_setting(items, function.path) is not None:
            found = replace(found, leak=None)  # the release is gone before anybody is told
        if found is not None and (found.leak is None or found.leak.span not in told):
            hook = _find_hook(items) if found.log is None else None
            given = Flag(partial(build_handling(items).holds, function.path, function.node)) if inner else True
            yield replace(attach_log(found, hook) if hook is not None else found, in_handler=inner, given=given)
            told |= {found.leak.span} if found.leak is not None and not inner else set()


def _iter_caught(items: RustItems, isolations: set[Span]) -> Iterator[tuple[RustItem, CaughtPanic]]:
    """Yield the functions that catch panics where tools are dispatched, with each call that does; tasks of others are none."""
    for path in find_files_with(items, CATCHING):
        if not mentions(items.sources[path].data, DISPATCHING):
            continue
        for function in _iter_functions(items, path, CAUGHT):
            whole = items.locate_node(path, function.node)
            is_near = _is_in_dispatch(function.node) or any(whole.holds(each) for each in isolations)
            if is_near or b"catch_unwind" in (function.node.text or b""):
                for each in iter_caught_panics(trace_near(items, function), get_program(items)):
                    if is_near or each.call.path.endswith("catch_unwind"):
                        yield function, each


def _iter_functions(items: RustItems, path: str, words: re.Pattern[bytes]) -> Iterator[RustItem]:
    for node in items.find_nodes_near(path, words, "function_item"):
        if not is_in_test(node):
            yield RustItem(path, node, items.sources[path])


@memoize
def _find_hook(items: RustItems) -> Log | None:
    """Return the log event of the process's panic hook, preferably one that names a target."""
    functions = (each for path in items.find_matching(HOOK) for each in _iter_functions(items, path, HOOK))
    found = [each for one in functions for each in iter_hook_logs(trace_near(items, one), get_program(items))]
    return next((each for each in found if each.target is not None), found[0] if found else None)


def _is_in_dispatch(function: Node) -> bool:
    """Return whether what is caught is a tool's call; a task of another kind is of no concern."""
    name, answer = find_child(function, "name"), find_child(function, "return_type")
    is_named = name is not None and NAMED.search(decode_node(name)) is not None
    return is_named or (answer is not None and ANSWER.search(decode_node(answer)) is not None)
