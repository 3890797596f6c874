"""What a process writes to the standard output on the way to a server on stdio: prints, and a log that goes there.

Only what surely runs before counts: the statements before the one that serves, in its function and in those that lead there.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act, Lazy
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.conduct.code import Code
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.conduct.working import prints
from reviewer.languages.rust.behaviour.scopes import function_around
from reviewer.languages.rust.callees import called, calls, owner, receiver
from reviewer.languages.rust.items import Items, in_test

DEPTH = 2
"""Calls that lead to the function that serves, and calls that are followed on the way."""

MARKS = re.compile(rb"\bprintln!|\bprint!|stdout\s*\(\s*\)|tracing_subscriber|\bfmt\b")
FORKING = frozenset(
    {"if_expression", "match_expression", "while_expression", "loop_expression", "for_expression", "closure_expression"}
)
LOGGING = re.compile(
    r"^(?:tracing_subscriber::)?fmt(?:::fmt|::layer|::Subscriber::builder|::init)?$|^tracing_subscriber::fmt(?:::\w+)*$"
)
WRITER = re.compile(r"with_writer|stderr|map_writer")
STARTING = frozenset({"init", "try_init", "with", "finish", "set_global_default", "set_default"})


def printed_before(items: Items, node: Node, path: str) -> Lazy[Act]:
    """Give what is printed before a place that serves on stdio, read when somebody asks."""
    return Lazy(lambda: tuple({act.text.span: act for act in _before(items, node, path, 0)}.values()))


def _before(items: Items, node: Node, path: str, depth: int) -> Iterator[Act]:
    """Give what the statements before a node print, in its function and before the calls of that."""
    function = function_around(node)
    if function is None or in_test(function):
        return
    current: Node | None = node
    while current is not None and current != function:
        above = current.parent
        if above is not None and above.type in ("block", "async_block"):
            for part in above.named_children:
                if part.end_byte <= current.start_byte:
                    yield from _printed(items, part, path, function, 0)
        if current.type == "closure_expression":
            return
        current = above
    name = child(function, "name")
    if depth < DEPTH and name is not None and string_of(name) != "main":
        yield from _before_calls(items, string_of(name), path, depth)


def _before_calls(items: Items, name: str, path: str, depth: int) -> Iterator[Act]:
    """Follow a function to the one place in its package that calls it."""
    folder = items.package_folder(path)
    found = [
        (file, call)
        for file in items.mentioning(re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\("))
        if items.package_folder(file) == folder
        for call in calls(items, name, file)
        if not in_test(call)
    ]
    if len(found) == 1:
        yield from _before(items, found[0][1], found[0][0], depth + 1)


def _printed(items: Items, statement: Node, path: str, function: Node, depth: int) -> Iterator[Act]:
    """Give what a statement surely prints, itself and by the functions that it calls."""
    if statement.type.endswith(("_item", "_comment")):
        return
    stretch = Stretch(Code(items, path, statement), function, {}, None)
    if MARKS.search(statement.text or b"") is not None:
        yield from (
            act for act in prints(stretch) if _is_sure(stretch, act.text.span.line - 1, act.text.span.column - 1)
        )
        yield from _logs(stretch)
    for call in stretch.calls if depth < DEPTH else ():
        targets = stretch.types.targets(call)
        if not targets or any(each.type in FORKING for each in stretch.code.around(call)):
            continue
        for target in targets:
            body = child(target.node, "body")
            for part in body.named_children if body is not None and owner(target.node) is None else ():
                if re.search(r"^\s*(?:if|match)\b[^;]*\breturn\b", string_of(part), re.DOTALL) is not None:
                    break
                yield from _printed(items, part, target.path, target.node, depth + 1)


def _is_sure(stretch: Stretch, row: int, column: int) -> bool:
    """Tell whether nothing decides that a place within a statement is reached."""
    node = stretch.code.node.descendant_for_point_range((row, column), (row, column))
    while node is not None and node != stretch.code.node:
        if node.type in FORKING:
            return False
        node = parent_of(node)
    return stretch.code.node.type not in FORKING and not _forks(stretch.code.node)


def _forks(statement: Node) -> bool:
    inner = (
        statement.named_children[0]
        if statement.type == "expression_statement" and statement.named_children
        else statement
    )
    return inner.type in FORKING


def _logs(stretch: Stretch) -> Iterator[Act]:
    """Find subscribers of `tracing` that nobody gave another writer: they write to the standard output."""
    for call in stretch.calls:
        path = stretch.path_of(call) if receiver(call) is None else ""
        if not path.startswith("tracing_subscriber::") or LOGGING.match(path) is None:
            continue
        around = list(stretch.code.around(call))
        if any(each.type in FORKING for each in around) or _forks(stretch.code.node):
            continue
        whole = string_of(stretch.code.node)
        starts = path.endswith("::init") or any(
            called(each) in STARTING for each in around if each.type == "call_expression"
        )
        if starts and WRITER.search(whole) is None:
            yield Act("prints", stretch.code.text(call))
