"""Where the token of a progress notification comes from: the client's request, or something that the server made up."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.behaviour.scopes import function_around
from reviewer.languages.rust.behaviour.surroundings import callees, callers
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, constant, last_segment, owner, qualifier, receiver
from reviewer.languages.rust.items import Items

TOKEN = re.compile(r"progress_?token", re.IGNORECASE)
MAKING = re.compile(
    r"\bnew_v[1-8]\b|\bnow_v7\b|\b(?:Utc|Local|SystemTime|Instant|OffsetDateTime)::now\b|\brand::|\bthread_rng\b|\bfastrand::"
    r"|\bnanoid|\bUlid::|\bfetch_(?:add|sub)\b|\bprocess::id\b"
)
KEEPING = frozenset(
    "clone cloned into to_string to_owned to_string_lossy as_ref as_str as_deref try_into from map and_then simple hyphenated "
    "to_vec as_i64 as_u64 into_inner ok_or ok_or_else then filter copied unwrap_or_default".split()
)
"""Methods that give what they are called on, in another form."""
HOLDING = frozenset({"ProgressToken", "String", "Number", "Some", "Ok", "from", "new", "Str", "Int", "Integer"})
ELSE = frozenset({"unwrap_or", "unwrap_or_else", "or", "or_else", "map_or", "map_or_else"})
SURE = frozenset({"unwrap", "expect"})
AROUND = frozenset(
    "reference_expression try_expression await_expression parenthesized_expression type_cast_expression unary_expression "
    "expression_statement".split()
)
WRITTEN = frozenset({"string_literal", "raw_string_literal", "integer_literal", "float_literal"})
CONTEXT = re.compile(r"^(?:self\.)?\w*(?:ctx|context|request|req)\w*$")
IDS = frozenset({"request_id", "client_id", "session_id"})
DEPTH = 5
"""How many names and calls are followed from a token to what it is made of."""


class Found(NamedTuple):
    """Where a token is made up, or taken from the client without a look whether it is there."""

    node: Node
    path: str
    way: Literal["made", "unguarded"] = "made"


def source_of(items: Items, node: Node, path: str, depth: int = DEPTH) -> Found | None:
    """Give the place where a token is made up or taken unseen, or None if neither is known."""
    if depth < 0:
        return None
    if node.type in AROUND:
        inner = child(node, "value") or (node.named_children[0] if node.named_children else None)
        return source_of(items, inner, path, depth) if inner is not None else None
    if node.type in WRITTEN:
        return Found(node, path)
    step = STEPS.get(node.type)
    return step(items, node, path, depth) if step is not None else None


def _first(found: Iterator[Found | None]) -> Found | None:
    return next((each for each in found if each is not None), None)


def _of_call(items: Items, call: Node, path: str, depth: int) -> Found | None:
    name, on, given = called(call) or "", receiver(call), arguments_of(call)
    if on is not None:
        return _of_method(items, call, path, depth)
    if MAKING.search(string_of(child(call, "function") or call)):
        return Found(call, path)
    if name in HOLDING and given and qualifier(call) not in ("Self",):
        return source_of(items, given[0], path, depth)
    return _of_results(items, call, path, depth)


def _of_method(items: Items, call: Node, path: str, depth: int) -> Found | None:
    name, on, given = called(call) or "", receiver(call), arguments_of(call)
    if on is None or name == "get_progress_token" or MAKING.search("." + name):
        return Found(call, path) if on is not None and MAKING.search("." + name) else None
    if name in ELSE:
        ways = (source_of(items, _body(each), path, depth) for each in given)
        return source_of(items, on, path, depth) or _first(ways)
    if name in SURE:
        found = source_of(items, on, path, depth)
        is_client = (
            found is None and re.search(r"get_progress_token\(\)$|\"progressToken\"\)", string_of(on)) is not None
        )
        return Found(call, path, "unguarded") if is_client else found
    if name in KEEPING:
        return source_of(items, on, path, depth)
    if MAKING.search(string_of(on)):
        return Found(on, path)
    return _of_results(items, call, path, depth)


def _body(node: Node) -> Node:
    return child(node, "body") or node if node.type == "closure_expression" else node


def _of_results(items: Items, call: Node, path: str, depth: int) -> Found | None:
    """Follow a call to what the function of the project gives."""
    for each in callees(items, call, path):
        body = child(each.node, "body")
        found = source_of(items, body, each.path, depth - 1) if body is not None else None
        if found is not None:
            return found
    return None


def _of_ways(items: Items, node: Node, path: str, depth: int) -> Found | None:
    """Look at what a block, a branch or a match comes to."""
    return _first(source_of(items, each, path, depth) for each in tails(node) if each != node)


def _of_field(items: Items, field: Node, path: str, depth: int) -> Found | None:
    value, name = child(field, "value"), string_of(child(field, "field") or field)
    if value is None:
        return None
    if name in IDS or (name == "id" and CONTEXT.match(string_of(value)) is not None):
        return Found(field, path)
    if name.isdigit():
        return source_of(items, value, path, depth)
    function = function_around(_written(items, field, path))
    type_ = owner(function) if function is not None else None
    if string_of(value) != "self" or type_ is None:
        return None
    return _first(source_of(items, each, place, depth - 1) for each, place in _initial(items, type_, name))


def _initial(items: Items, type_: str, name: str) -> Iterator[tuple[Node, str]]:
    """Find what the field of a type is given where one is made."""
    for path in items.mentioning(re.compile(rb"\b" + re.escape(type_.encode()) + rb"\b")):
        for struct in items.of_kinds(path, "struct_expression"):
            made = string_of(child(struct, "name") or struct)
            function = function_around(struct)
            if made != type_ and not (made == "Self" and function is not None and owner(function) == type_):
                continue
            body = child(struct, "body")
            for each in body.named_children if body is not None else ():
                if each.type == "field_initializer" and string_of(child(each, "field") or each) == name:
                    yield child(each, "value") or each, path
                elif each.type == "shorthand_field_initializer" and string_of(each) == name:
                    yield each.named_children[0] if each.named_children else each, path


def _of_macro(items: Items, macro: Node, path: str, depth: int) -> Found | None:
    """Take a text that is put together for made up, unless it consists of the client's token."""
    name = last_segment(child(macro, "macro") or macro)
    tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
    if tree is None or TOKEN.search(string_of(macro)):
        return None
    if name == "format":
        return Found(macro, path)
    inner = tokens.expression(items.sources[path], tokens.inner(tree)) if name == "json" else None
    return source_of(items, inner, path, depth) if inner is not None else None


def _of_name(items: Items, name: Node, path: str, depth: int) -> Found | None:
    written = _written(items, name, path)
    bound = origin(written)
    if bound is not None:
        return _first(source_of(items, each, path, depth - 1) for each in (*bound.values, *_given_else(bound.others)))
    held = constant(items, written, path) if string_of(name).isupper() else None
    if held is not None:
        return Found(name, path) if held[0].type in WRITTEN else None
    return _of_parameter(items, written, path, depth)


def _given_else(others: tuple[Node, ...]) -> tuple[Node, ...]:
    """Give what other arms of a match give in the place of a name's value."""
    arms = (child(each, "value") for each in others if each.type == "match_arm" and "return" not in string_of(each))
    return tuple(each for each in arms if each is not None)


def _written(items: Items, node: Node, path: str) -> Node:
    """Give the node of a file that stands where one of a stretch stands that was parsed for itself."""
    return items.root(path).descendant_for_byte_range(node.start_byte, node.end_byte) or node


def _of_parameter(items: Items, name: Node, path: str, depth: int) -> Found | None:
    """Follow a parameter to what the calls of its function hand over."""
    function = function_around(name)
    listed = child(function, "parameters")
    if function is None or listed is None:
        return None
    parts = [part for part in listed.named_children if part.type == "parameter"]
    patterns = [string_of(child(part, "pattern") or part).removeprefix("mut ") for part in parts]
    if string_of(name) not in patterns:
        return None
    place = patterns.index(string_of(name))
    for call, file in callers(items, function, path):
        given = arguments_of(call)
        found = source_of(items, given[place], file, depth - 1) if place < len(given) else None
        if found is not None:
            return found
    return None


STEPS: dict[str, Callable[[Items, Node, str, int], Found | None]] = {
    "call_expression": _of_call,
    "field_expression": _of_field,
    "macro_invocation": _of_macro,
    "identifier": _of_name,
    "block": _of_ways,
    "if_expression": _of_ways,
    "match_expression": _of_ways,
}
"""How to follow an expression, by its kind; any other tells nothing."""
