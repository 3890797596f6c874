"""What was looked at before a place is reached: the conditions that hold there, and those that turned other calls away."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.budget import current
from reviewer.languages.nodes import child, named_before, of_kinds, string_of
from reviewer.languages.rust.behaviour.conduct.code import Code
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.callees import last_segment

LEAVING = re.compile(r"\b(?:return|bail|continue|break|panic|exit)\b|\bErr\s*\(|\?")
SETTING = re.compile(r"\bpush\b|=\s")
"""What puts in what was found to be missing."""

ENSURING = frozenset({"ensure", "assert", "assert_eq", "assert_ne", "debug_assert", "anyhow_ensure", "ensure_or"})


def checks(code: Code, node: Node) -> Iterator[str]:
    """Give the conditions that were tested on every way to a part, as they are written."""
    inner = node
    for around in code.around(node):
        match around.type:
            case "if_expression" | "while_expression":
                condition = child(around, "condition")
                if condition is not None:
                    yield _with_bound(condition)
            case "binary_expression" if string_of(child(around, "operator") or around) in ("&&", "||"):
                left = child(around, "left")
                if left is not None and left != inner:
                    yield string_of(left)
            case "match_arm":
                pattern = child(around, "pattern")
                yield string_of(pattern) if pattern is not None and pattern != inner else ""
            case "match_expression":
                value = child(around, "value")
                yield string_of(value) if value is not None and value != inner else ""
            case "block" | "async_block":
                yield from _before(inner)
        inner = around


def _before(statement: Node) -> Iterator[str]:
    """Give what earlier statements of a block turn away, or make sure of."""
    for before in named_before(statement):
        current().spend("visits")
        inner = before.named_children[0] if before.type == "expression_statement" and before.named_children else before
        if inner.type == "if_expression":
            condition, taken = child(inner, "condition"), child(inner, "consequence")
            if (condition is not None and taken is not None and LEAVING.search(string_of(taken)) is not None) or (
                condition is not None and taken is not None and re.search(r"\bpush\b|=\s", string_of(taken))
            ):
                yield string_of(condition)
        elif inner.type == "macro_invocation" and last_segment(child(inner, "macro") or inner) in ENSURING:
            yield string_of(inner)
        elif (inner.type == "match_expression" and LEAVING.search(string_of(inner)) is not None) or (
            inner.type == "let_declaration" and child(inner, "alternative") is not None
        ):
            yield string_of(child(inner, "value") or inner)
        elif inner.type == "while_expression":
            yield string_of(child(inner, "condition") or inner)


def _with_bound(condition: Node) -> str:
    """Give a condition as it is written, with what the names in it are bound to: `let has_steps = .. ; if has_steps`."""
    names = of_kinds(condition, "rust", "identifier")
    values = [value for each in names if (found := origin(each)) is not None for value in found.values]
    return " ".join(map(string_of, (condition, *values)))


def is_checked(code: Code, node: Node, name: str, how: re.Pattern[str]) -> bool:
    """Tell whether some condition on the way speaks of a name together with a test of a kind."""
    wanted = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
    return any(how.search(each) is not None and wanted.search(each) is not None for each in checks(code, node))
