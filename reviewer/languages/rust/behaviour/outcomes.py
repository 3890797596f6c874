"""The success values that Rust expressions end in."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.name_resolution import (
    find_receiver,
    iter_descendants,
    read_callee_name,
    read_last_segment,
)

# A `return` in one of these leaves only it. A macro's tokens are not read: whose return theirs is depends on the macro.
OWN_FRAME = frozenset({"closure_expression", "async_block", "function_item", "macro_invocation"})
# These have the type `()` or `!`: no value that could be a success.
ENDLESS = frozenset(
    "break_expression continue_expression unit_expression return_expression while_expression "
    "for_expression loop_expression assignment_expression".split()
)
# `bail!` and `ensure!` of anyhow and eyre return an error, the others panic or do not compile: none ends in a success.
REFUSALS = frozenset({"bail", "ensure", "panic", "todo", "unreachable", "unimplemented", "compile_error"})
WRAPPERS = frozenset({"Ok", "Some", "pin", "new", "ready"})
"""Calls that only put a value into another form: `Ok(v)`, `Box::pin(v)`, `std::future::ready(v)`."""

# The grammar puts a block, or the `if` of an `else if`, below each of these: what they come to is what that comes to.
BLOCKS = frozenset({"async_block", "unsafe_block", "const_block", "else_clause", "labeled_block"})


def gives(body: Node) -> bool:
    """Return whether a block or an arm may give a value that is no error."""
    return any(True for each in (*_iter_returns(body), body) for _ in iter_success_values(each))


def iter_success_values(node: Node) -> Iterator[Node]:
    """Find the success values that an expression may end in."""
    pending = [node]
    while pending:
        current = pending.pop()
        parts = _find_parts(current)
        if parts is not None:
            pending += reversed(parts)
        elif not _refuses(current):
            yield current


def _find_parts(node: Node) -> list[Node] | None:
    """Return the expressions that stand for an expression where its value counts, or None if it stands for itself."""
    match node.type:
        case "async_block":
            return [*_iter_returns(node), *_collect_last(node)]
        case "block" | "unsafe_block" | "const_block" | "else_clause" | "labeled_block":
            return _collect_last(node)
        case "if_expression":
            ways = [find_child(node, "consequence"), find_child(node, "alternative")]
            return [way for way in ways if way is not None] if ways[1] is not None else []
        case "match_expression":
            return list(_iter_arms(node))
        case "parenthesized_expression" | "await_expression" | "expression_statement":
            return node.named_children[:1]
        case "call_expression" if read_callee_name(node) in WRAPPERS and find_receiver(node) is None:
            inner = _collect_arguments(node)[:1]
            plain = not any(_has_branches(part) or _refuses(part) for part in inner)
            return None if plain else inner
    return None


def _iter_arms(match: Node) -> Iterator[Node]:
    for arm in list_field_children(match, "body"):
        value = find_child(arm, "value") if arm.type == "match_arm" else None
        if value is not None:
            yield value


def _iter_returns(node: Node) -> Iterator[Node]:
    """Find the values that leave early."""
    for each in iter_descendants(node, OWN_FRAME):
        if each.type == "return_expression":
            yield from each.named_children[:1]


def _collect_last(block: Node) -> list[Node]:
    """Return the value of a block: its last expression, if no semicolon ends it."""
    if block.type in BLOCKS:
        return [part for part in block.named_children if part.type in ("block", "if_expression")][:1]
    parts = [part for part in block.named_children if not part.type.endswith("_comment")]
    last = parts[-1] if parts else None
    if last is None or last.type.endswith(("_item", "_declaration", "empty_statement")):
        return []
    return [] if last.type == "expression_statement" and last.children[-1].type == ";" else [last]


def _refuses(node: Node) -> bool:
    """Return whether an expression is an error, nothing, or never has a value."""
    if node.type in ENDLESS or (node.type == "identifier" and decode_node(node) == "None"):
        return True
    if node.type == "macro_invocation":
        return read_last_segment(find_child(node, "macro") or node) in REFUSALS
    return node.type == "call_expression" and read_callee_name(node) == "Err"


def _has_branches(node: Node) -> bool:
    """Return whether an expression has branches or statements of its own."""
    return node.type in ("match_expression", "if_expression", "async_block", "block")


def _collect_arguments(call: Node) -> list[Node]:
    found = find_child(call, "arguments")
    return [part for part in found.named_children if not part.type.endswith("_comment")] if found is not None else []
