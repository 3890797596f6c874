"""Errors that are given back as if they were successes."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.conduct.graph import Deed, Unit
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, called
from reviewer.languages.python.literals import constant, string_value

FAILED = re.compile(
    r"^\W*(?:an? )?(?:\w+ )?(?:error\b|exception\b|failed\b|failure\b|could not\b|unable to\b|cannot\b)", re.IGNORECASE
)
REFUSED = re.compile(r"^\W*(?:error|invalid|failed)\b", re.IGNORECASE)
KEYS = frozenset({"error", "err", "error_message", "errorMessage"})
STATES = {"status": ("error", "failed", "failure"), "success": (False,), "ok": (False,)}
WRAPPING = frozenset(
    "dumps str TextContent text ToolResult list dict json_dumps format_json to_json dump dump_json indent".split()
)
FLAGGED = re.compile(rb"is_?error\s*=\s*True|[\"']is_?error[\"']\s*:\s*True", re.IGNORECASE)


def succeeds_in_error(unit: Unit) -> Iterator[Deed]:
    """Find the answers whose text is an error's, of a failure that was caught or of something that is refused."""
    for value in returned(unit.body):
        clause = _clause(value, unit)
        branch = clause is None and _refuses(value, unit)
        if (clause is not None or branch) and FLAGGED.search(_statement(value)) is None:
            made = _content(value)
            if made is not None and _is_error(made, FAILED if clause is not None else REFUSED):
                yield Deed("succeeds in error", value)


def _clause(value: Node, unit: Unit) -> Node | None:
    """Give the `except` clause that an answer is given in."""
    above = value.parent
    while above is not None and above.id != unit.body.id:
        if above.type == "except_clause":
            return above
        above = above.parent
    return None


def _refuses(value: Node, unit: Unit) -> bool:
    """Tell whether an answer is given in a branch that is only taken if something is not as it should be."""
    block = value.parent.parent if value.parent is not None else None
    return (
        block is not None and block.id != unit.body.id and block.parent is not None
        and block.parent.type in ("if_statement", "elif_clause", "else_clause", "case_clause")
    )  # fmt: skip


def _statement(value: Node) -> bytes:
    return value.text or b""


def _content(value: Node, depth: int = 0) -> Node | None:
    """Give the text or the object that an answer consists of, taken out of what only puts it into form."""
    if depth > 5:
        return None
    if value.type in ("string", "concatenated_string", "dictionary", "binary_operator"):
        return value
    if value.type in ("parenthesized_expression", "await", "list") and len(children(value)) == 1:
        return _content(children(value)[0], depth + 1)
    if value.type == "identifier":
        given = given_to(string_of(value), value)
        return (
            _content(given, depth + 1) if given is not None and given.id != value.id and given.type != "type" else None
        )
    if value.type == "call" and called(value) in WRAPPING:
        positional, keywords = arguments(value)
        given = keywords.get("text") or keywords.get("content") or next(iter(positional), None)
        return _content(given, depth + 1) if given is not None else None
    return None


def _is_error(made: Node, pattern: re.Pattern[str]) -> bool:
    if made.type == "dictionary":
        return any(_says_error(part) for part in children(made))
    first = next(iter(of_kinds(made, "python", "string_content")), None)
    return first is not None and pattern.match(string_of(first)) is not None and _begins(first, made)


def _begins(first: Node, made: Node) -> bool:
    """Tell whether a text begins with what is written, and not with a value."""
    interpolated = next(iter(of_kinds(made, "python", "interpolation")), None)
    return interpolated is None or first.start_byte < interpolated.start_byte


def _says_error(pair: Node) -> bool:
    key, value = child(pair, "key"), child(pair, "value")
    name = string_value(key) if key is not None else None
    if name is None or value is None:
        return False
    if name in KEYS:
        return value.type not in ("none", "false", "list", "dictionary") and string_of(value) not in ('""', "''")
    written = (
        string_value(value) if value.type == "string" else constant(value) if value.type in ("true", "false") else None
    )
    return written in STATES[name] if name in STATES and written is not None else False
