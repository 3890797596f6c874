"""`_meta` of answers: where the guard puts the request's id into it, and where code takes that out of an answer."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.lost_metadata import lost_metadata
from reviewer.facts import Guard, Server
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust import attributes
from reviewer.languages.rust.behaviour.entrances import Entrances
from reviewer.languages.rust.behaviour.written import (
    Given,
    Reader,
    Shape,
    Written,
    expanded,
    spelled,
    unit_of,
    written,
)
from reviewer.languages.rust.bindings import binding
from reviewer.languages.rust.callees import below, called, targets
from reviewer.languages.rust.items import Items
from reviewer.source import Text

META = "_meta"
NAMED = re.compile(rb"\b_meta\b")
IDENTITY = "request_id"
EMPTY = re.compile(r'^(?:(?:serde_json\s*::\s*)?(?:Value\s*::\s*)?Null|null|None|""|String::new\(\))$')
FORM = re.compile(
    r"\blet\b|is_object|as_object|Object|is_null|is_array|is_some|is_none|contains_key|_meta|META|get\(|is_empty"
)
SOMETIMES = re.compile(r"cfg!|debug|env::var|verbose|\bfalse\b")
ENTRIES = ("call_tool", "handle_call_tool_request", "dispatch_tool", "handle_tool_call", "handle_tools_call")
DEPTH = 2
"""How many calls and names are followed."""


def request_id(items: Items, function: Node, path: str) -> Text | None:
    """Find where a guard puts `_meta.request_id` into the answer: itself, in what it calls, or where all calls come in."""
    found = _marked(items, _reach(items, path, function))
    if found is not None:
        escapes = _escapes(items, path, function, _position(*found, path, function))
        return None if escapes else items.text(found[0].path, found[1].node)
    entries = [(each.path, each.node) for name in ENTRIES for each in items.functions(name)]
    marked = (_marked(items, _reach(items, *start, depth=1)) for start in entries)
    return next((items.text(each[0].path, each[1].node) for each in marked if each is not None), None)


def _marked(items: Items, reach: list[tuple[str, Node]]) -> tuple[Written, Given] | None:
    """Find what puts the id into every answer."""
    shapes = spelled(items, IDENTITY)[1]
    for found in written(items, META, reach):
        inner = found.inner.get(META)
        for given in (inner.given.get(IDENTITY), *inner.again.get(IDENTITY, ())) if inner is not None else ():
            if given is not None and not _is_empty(given) and _is_certain(given.anchor or given.node):
                return found, given
        for given in (found.given[META], *found.again.get(META, ())):
            if _is_certain(given.anchor or given.node) and _holds(items, given, found.path, shapes):
                return found, given
    return None


def _reach(items: Items, path: str, function: Node, depth: int = DEPTH) -> list[tuple[str, Node]]:
    """Give a function and those of the project that it calls whatever the value and the settings."""
    found = [(path, function)]
    for call in below(function) if depth else ():
        for target in targets(items, call, path) if call.type == "call_expression" and _is_certain(call) else ():
            if all(target.node.start_byte != node.start_byte or target.path != where for where, node in found):
                found += _reach(items, target.path, target.node, depth - 1)
    return found


def _is_certain(node: Node) -> bool:
    """Tell whether something happens in every build and setting, and to every answer that is an object."""
    current: Node | None = node
    while current is not None and current.type != "function_item":
        above = current.parent
        condition = child(above, "condition") if above is not None and above.type == "if_expression" else None
        if condition is not None and above is not None and current != condition and not _holds_always(above, current):
            return False
        if any(each.path in ("cfg", "cfg_attr") for each in attributes.before(current)):
            return False
        current = above
    return True


def _holds_always(branch: Node, way: Node) -> bool:
    """Tell whether one way of a branch is taken for every object, or the other one marks as well."""
    condition = child(branch, "condition")
    text = string_of(condition) if condition is not None else ""
    if SOMETIMES.search(text):
        return False
    if FORM.search(text):
        return True
    others = [part for part in (child(branch, "consequence"), child(branch, "alternative")) if part is not None]
    return any(part != way and META in string_of(part) for part in others)


def _position(found: Written, given: Given, path: str, function: Node) -> int:
    """Tell where in the guard the id is put in: there, or where it calls what does."""
    unit = found.unit
    if found.path == path and unit.start_byte == function.start_byte:
        return (given.anchor or given.node).start_byte
    name = string_of(child(unit, "name") or unit)
    calls = [each.start_byte for each in below(function) if called(each) == name]
    return min(calls, default=function.start_byte)


def _escapes(items: Items, path: str, function: Node, marked_at: int) -> bool:
    """Tell whether the guard gives an answer back before it puts the id in."""
    for each in below(function, frozenset({"closure_expression"})):
        if each.type != "return_expression" or each.start_byte >= marked_at or not each.named_children:
            continue
        value = each.named_children[0]
        if not _is_certain(each) and (value.type == "identifier" or _is_bare(items, value, path)):
            return True
    return False


def _is_bare(items: Items, value: Node, path: str) -> bool:
    """Tell whether a call surely gives an answer without the id."""
    found = targets(items, value, path) if value.type == "call_expression" else []
    return bool(found) and all(_marked(items, _reach(items, each.path, each.node)) is None for each in found)


def _is_empty(given: Given) -> bool:
    return EMPTY.match(string_of(given.node).strip()) is not None


def _holds(items: Items, given: Given, path: str, shapes: list[Shape], depth: int = 0) -> bool:
    """Tell whether the value of `_meta` has the request's id, also if only a caller knows the value."""
    reader = Reader(items, path, shapes)
    for each in reader.read(given.node):
        if IDENTITY in each.given:
            return not _is_empty(each.given[IDENTITY])
    if given.tree or depth > DEPTH or _is_literal(given.node):
        return False
    for node, anchor in expanded(items, path, given.node):
        place = anchor or given.anchor
        if node.type == "identifier" and _named(items, node, place, path, shapes, depth):
            return True
        for target in targets(items, node, path) if node.type == "call_expression" else ():
            body = child(target.node, "body")
            if body is not None and _holds(items, Given(body), target.path, shapes, depth + 1):
                return True
    return False


def _is_literal(node: Node) -> bool:
    """Tell whether an object's keys are all written: `json!({..})`, `Meta { .. }`."""
    if node.type == "macro_invocation":
        return string_of(node).partition("!")[2].lstrip("\n (").startswith("{")
    return node.type == "struct_expression"


def _named(items: Items, node: Node, anchor: Node | None, path: str, shapes: list[Shape], depth: int) -> bool:
    local = binding(string_of(node), node, anchor)
    if local is None:
        return False
    if local[0] is None:
        return depth == 0 or string_of(node) not in ("self", "value")  # handed in: only a caller knows
    unit = unit_of(anchor or node)
    for each in Reader(items, path, shapes).read(unit):
        if each.name == string_of(node) and IDENTITY in each.given and not _is_empty(each.given[IDENTITY]):
            return True
    return _holds(items, Given(local[0], anchor), path, shapes, depth + 1)


def strips(items: Items, servers: tuple[Server, ...], guards: tuple[Guard, ...]) -> Iterator[Text]:
    """Find where `_meta` of a guard is taken out of an answer."""
    if items.mentioning(NAMED):
        entrances = Entrances(items, servers)
        signing = frozenset(code for each in guards if (code := entrances.code(each.span)) is not None)
        yield from lost_metadata(entrances.traces(), entrances.program, signing)
