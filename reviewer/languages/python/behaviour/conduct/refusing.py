"""Errors that are given back as if they were successes."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.graph import Deed, Unit, target, unit_at
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, called, enclosing
from reviewer.languages.python.literals import string_value

FAILED = re.compile(
    r"^\W*(?:an? )?(?:\w+ )?(?:error\b|exception\b|failed\b|failure\b|could not\b|unable to\b|cannot\b)", re.IGNORECASE
)
REFUSED = re.compile(r"^\W*(?:error|invalid|failed)\b", re.IGNORECASE)
KEYS = frozenset({"error", "err", "error_message", "errorMessage"})
STATES: dict[str | None, tuple[str, ...]] = {
    "status": ("error", "failed", "failure"),
    "success": ("false",),
    "ok": ("false",),
}
WELL: dict[str | None, tuple[str, ...]] = {"status": ("success", "ok"), "success": ("true",), "ok": ("true",)}
"""What says that the call succeeded: an error beside it is what the call was to find out."""

WRAPPING = frozenset(
    "dumps str TextContent text ToolResult CallToolResult list dict json_dumps format_json to_json dump dump_json indent".split()
)
FLAGGED = re.compile(rb"is_?error\s*=\s*True|[\"']is_?error[\"']\s*:\s*True", re.IGNORECASE)


def succeeds_in_error(unit: Unit) -> Iterator[Deed]:
    """Find the answers whose text is an error's, of a failure that was caught or of something that is refused.

    Where an object tells of the failure in a field made for it, that is told as well: `"success": False`.
    """
    for value, made in _failures(unit):
        state = next((part for part in children(made) if _tells_state(part)), None)
        yield Deed("succeeds in error", value, unit.text_of(state) if state is not None else None)


def _failures(unit: Unit) -> Iterator[tuple[Node, Node]]:
    """Give the answers whose text is an error's, though nothing marks them, each with its text or object."""
    for value in returned(unit.body):
        clause = _clause(value, unit)
        if (clause is not None or _refuses(value, unit)) and FLAGGED.search(value.text or b"") is None:
            made = _content(unit, value)
            if made is not None and _is_error(made, FAILED if clause is not None else REFUSED):
                yield value, made


def is_given(call: Node) -> bool:
    """Tell whether what a call gives is what the function around it returns."""
    name, unit = _name_given(call), enclosing(call)
    body = child(unit, "body")
    if name is not None:
        return body is not None and any(string_of(value) == name for value in returned(body))
    above = _user(call)
    return above is not None and above.type == "return_statement"


def _name_given(call: Node) -> str | None:
    """Name what a call gives, where an assignment does."""
    above = _user(call)
    left = child(above, "left") if above is not None and above.type == "assignment" else None
    return string_of(left) if left is not None else None


def _user(call: Node) -> Node | None:
    """Give the statement or expression that uses what a call gives."""
    above = call.parent
    while above is not None and above.type in ("await", "parenthesized_expression"):
        above = parent_of(above)
    return above


def is_looked_at(call: Node) -> bool:
    """Tell whether the function around a call asks what it gives for a failure, and then gives something else or raises."""
    name, unit = _name_given(call), enclosing(call)
    body = child(unit, "body")
    if name is None or body is None:
        return False
    tests = [each for each in of_kinds(body, "python", "if_statement") if each.start_byte > call.end_byte]
    return any(_asks_for_error(child(each, "condition"), name) and _leaves(each, name) for each in tests)


def _asks_for_error(condition: Node | None, name: str) -> bool:
    """Tell whether a condition looks into an object for its error: `result.get("error")`, `"error" in result`."""
    if condition is None or not any(string_of(each) == name for each in of_kinds(condition, "python", "identifier")):
        return False
    asked = {string_value(each) for each in of_kinds(condition, "python", "string")}
    return not asked.isdisjoint({*KEYS, *STATES})


def _leaves(choice: Node, name: str) -> bool:
    """Tell whether a branch raises, or gives back something else than a name."""
    block = child(choice, "consequence")
    last = children(block)[-1] if block is not None and children(block) else None
    if last is None or last.type != "return_statement":
        return last is not None and last.type == "raise_statement"
    value = next(iter(children(last)), None)
    while value is not None and value.type == "call" and called(value) in WRAPPING:
        value = next(iter(arguments(value)[0]), None)
    return value is not None and string_of(value) != name


def _clause(value: Node, unit: Unit) -> Node | None:
    """Give the `except` clause that an answer is given in; the unit may be one itself."""
    above = value.parent
    while above is not None and above.type != "except_clause" and above.id != unit.body.id:
        above = parent_of(above)
    return above if above is not None and above.type == "except_clause" else None


def _refuses(value: Node, unit: Unit) -> bool:
    """Tell whether an answer is given in a branch that is only taken if something is not as it should be."""
    block = value.parent.parent if value.parent is not None else None
    return (
        block is not None and block.id != unit.body.id and block.parent is not None
        and block.parent.type in ("if_statement", "elif_clause", "else_clause", "case_clause")
    )  # fmt: skip


def _content(unit: Unit, value: Node, depth: int = 0) -> Node | None:
    """Give the text or the object that an answer consists of, taken out of what only puts it into form."""
    if depth > 5:
        return None
    if value.type in ("string", "concatenated_string", "dictionary", "binary_operator"):
        return value
    if value.type in ("parenthesized_expression", "await", "list") and len(children(value)) == 1:
        return _content(unit, children(value)[0], depth + 1)
    if value.type == "identifier":
        given = given_to(string_of(value), value)
        return (
            _content(unit, given, depth + 1)
            if given is not None and given.id != value.id and given.type != "type"
            else None
        )
    if value.type == "call" and called(value) in WRAPPING:
        positional, keywords = arguments(value)
        given = keywords.get("text") or keywords.get("content") or next(iter(positional), None)
        return _content(unit, given, depth + 1) if given is not None else None
    return _told(unit, value, depth) if value.type == "call" else None


def _told(unit: Unit, call: Node, depth: int) -> Node | None:
    """Give the text of a function of the project that makes one answer and nothing else: `return failure(error)`."""
    made = unit.call_at(call)
    place = target(unit, made) if made is not None else None
    body = child(place.node, "body") if place is not None else None
    if place is None or body is None:
        return None
    values = list(returned(body))
    return _content(unit_at(unit.run, place.module, body), values[0], depth + 3) if len(values) == 1 else None


def _is_error(made: Node, pattern: re.Pattern[str]) -> bool:
    if made.type == "dictionary":
        parts = children(made)
        return any(map(_says_error, parts)) and not any(_says(part, WELL) for part in parts)
    first = next(iter(of_kinds(made, "python", "string_content")), None)
    return first is not None and pattern.match(string_of(first)) is not None and _begins(first, made)


def _begins(first: Node, made: Node) -> bool:
    """Tell whether a text begins with what is written, and not with a value."""
    interpolated = next(iter(of_kinds(made, "python", "interpolation")), None)
    return interpolated is None or first.start_byte < interpolated.start_byte


def _says_error(pair: Node) -> bool:
    key, value = child(pair, "key"), child(pair, "value")
    name = string_value(key) if key is not None else None
    if name in KEYS and value is not None:
        return value.type not in ("none", "false", "list", "dictionary") and string_of(value) not in ('""', "''")
    return _tells_state(pair)


def _tells_state(pair: Node) -> bool:
    """Tell whether a pair says that the call failed: `"success": False`, `"status": "error"`."""
    return _says(pair, STATES)


def _says(pair: Node, states: dict[str | None, tuple[str, ...]]) -> bool:
    key, value = child(pair, "key"), child(pair, "value")
    name = string_value(key) if pair.type == "pair" and key is not None else None
    if name not in states or value is None:
        return False
    return (string_value(value) if value.type == "string" else value.type) in states[name]
