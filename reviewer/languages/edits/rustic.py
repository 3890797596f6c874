"""How Rust is rewritten."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tree_sitter import Node

from reviewer.languages.edits.written import (
    Bracketed,
    ByteChange,
    ByteRange,
    ParsedLiteral,
    build_array,
    build_object,
    convert_to_snake_case,
    detect_newline,
    find_node_at,
    has_same_words,
    insert_member,
    place_of,
)
from reviewer.languages.nodes import decode_node, find_child, find_descendants, find_parent
from reviewer.languages.rust.evaluation.literals import evaluate_scalar
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.source import Source
from reviewer.text.patterns import pattern

# A text may be in a doc comment as well, which is a tool's description.
STRINGS = ("string_literal", "raw_string_literal", "line_comment", "block_comment")
# Only whole numbers are rewritten: sizes and limits.
NUMBERS = ("integer_literal",)
# A suppression may stand in either.
COMMENTS = ("line_comment", "block_comment")
CLAMP = "{0}.min({1})"
"""A variable, and the most that it may be."""

# `io::stdout()` is set to `stderr` only where there is one: of several, some may be meant.
STDOUT = pattern(rb"\bio::stdout\(\)")


def parse_brackets(tree: Node) -> Bracketed:
    """Read what stands between the brackets of a token tree, split at its commas."""
    parts = tokens.strip_brackets(tree)
    members = [ByteRange(each[0].start_byte, each[-1].end_byte) for each in tokens.split(parts)]
    trailing = place_of(parts[-1]) if parts and parts[-1].type == "," else None
    return Bracketed(ByteRange(tree.start_byte + 1, tree.end_byte - 1), tuple(members), trailing)


def iter_objects(root: Node) -> Iterator[ParsedLiteral]:
    """Yield every object in `json!(..)` and `object!(..)`, the outer ones first."""
    for macro in find_descendants(root, "rust", "macro_invocation"):
        if re.match(r"(?:\w+::)*(?:json|object)\s*!", decode_node(macro)) is None:
            continue
        for tree in find_descendants(macro, "rust", "token_tree"):
            found = parse_literal([tree]) if decode_node(tree).startswith("{") else None
            if found is not None:
                yield found


def parse_literal(parts: list[Node]) -> ParsedLiteral | None:
    """Read the tokens of a JSON value; None for anything that only a run can tell."""
    place = ByteRange(parts[0].start_byte, parts[-1].end_byte)
    if len(parts) == 1 and parts[0].type == "token_tree":
        return _find_array(parts[0], place) if decode_node(parts[0]).startswith("[") else _find_object(parts[0], place)
    if len(parts) == 1 and decode_node(parts[0]) == "null":
        return ParsedLiteral(place, None)
    value = evaluate_scalar(parts[-1])
    if len(parts) == 1:
        return ParsedLiteral(place, value) if value is not None else None
    known = decode_node(parts[0]) == "-" and len(parts) == 2 and isinstance(value, int | float)
    return ParsedLiteral(place, -value) if known and isinstance(value, int | float) else None


def _find_array(tree: Node, place: ByteRange) -> ParsedLiteral | None:
    listed = parse_brackets(tree)
    elements = map(parse_literal, tokens.split(tokens.strip_brackets(tree)))
    return build_array(place, list(zip(listed.members, elements, strict=True)), listed)


def _find_object(tree: Node, place: ByteRange) -> ParsedLiteral | None:
    if not decode_node(tree).startswith("{"):
        return None
    listed = parse_brackets(tree)
    entries = []
    for at, parts in zip(listed.members, tokens.split(tokens.strip_brackets(tree)), strict=True):
        key = evaluate_scalar(parts[0])
        value = parse_literal(parts[2:]) if len(parts) > 2 and parts[1].type == ":" else None
        entries.append((key if isinstance(key, str) else None, at, value))
    return build_object(place, entries, listed)


def format_literal(value: Any, _like: bytes = b'"') -> str:
    """Write a constant as `json!` takes it."""
    return json.dumps(value, ensure_ascii=False)


def pair(key: str, value: Any, _like: bytes = b'"') -> str:
    """Write an entry of an object."""
    return f"{format_literal(key)}: {format_literal(value)}"


def set_hint(
    source: Source, root: Node, place: ByteRange, wanted: tuple[str, bool], _sources: Mapping[str, Source]
) -> list[ByteChange] | None:
    """Say something in the `annotations(..)` of the `#[tool]` function that ends where a place does."""
    name, value = wanted
    function = _find_ending_function(root, place)
    mark = attributes.find_named(attributes.read_before(function), "tool") if function is not None else None
    if (
        function is None
        or mark is None
        or not decode_node(mark.node).startswith("#[")
        or "cfg_attr" in decode_node(mark.node)
    ):
        return None
    said, argument = convert_to_snake_case(name), mark.find_argument("annotations")
    if argument is not None and argument.nested is not None:
        given = next((each for each in tokens.parse_arguments(argument.nested) if each.name == said), None)
        if given is None:
            return insert_member(source.data, parse_brackets(argument.nested), f"{said} = {format_literal(value)}")
        sole = given.tokens[0] if len(given.tokens) == 1 else None
        is_plain = sole is not None and sole.type == "boolean_literal"
        return [ByteChange(*place_of(sole), format_literal(value))] if sole is not None and is_plain else None
    if argument is not None or not _is_collected(function):
        return None
    new = f"annotations({said} = {format_literal(value)})"
    if mark.tree is not None:
        return insert_member(source.data, parse_brackets(mark.tree), new)
    end = mark.node.end_byte - 1
    return [ByteChange(end, end, f"({new})")] if source.data[:end].endswith(b"tool") else None


def _find_ending_function(root: Node, place: ByteRange) -> Node | None:
    """Return the function that ends where a place does."""
    node = root.descendant_for_byte_range(place.end - 1, place.end)
    while node is not None and node.end_byte <= place.end:
        if node.type == "function_item":
            return node if node.start_byte >= place.start else None
        node = find_parent(node)
    return None


def _is_collected(function: Node) -> bool:
    """Return whether a function stands under `#[tool_router]`, whose releases know annotations."""
    block = function.parent.parent if function.parent is not None else None
    return block is not None and attributes.find_named(attributes.read_before(block), "tool_router") is not None


PRINTS = {"println": "eprintln", "print": "eprint"}


def to_stderr(source: Source, root: Node, place: ByteRange) -> list[ByteChange] | None:
    """Have a macro or a call that prints do so to the standard error."""
    node = find_node_at(root, place, ("macro_invocation",))
    name = find_child(node, "macro")
    last = name.named_children[-1] if name is not None and name.type == "scoped_identifier" else name
    if last is not None and decode_node(last) in PRINTS:
        return [ByteChange(*place_of(last), PRINTS[decode_node(last)])]
    streams = list(STDOUT.finditer(source.data, *place))
    return [ByteChange(streams[0].end() - len("stdout()"), streams[0].end(), "stderr()")] if len(streams) == 1 else None


def cuts(name: Node) -> bool:
    """Return whether `.take(..)` or `.truncate(..)` cuts at a variable."""
    call = name.parent.parent if name.parent is not None and name.parent.type == "arguments" else None
    function = find_child(call, "function")
    return function is not None and decode_node(find_child(function, "field") or function) in ("take", "truncate")


def await_sleep(_source: Source, _root: Node, _place: ByteRange) -> list[ByteChange] | None:
    """Leave Rust alone: which runtime sleeps, and with which features, stands elsewhere."""
    return None


def interprets_escapes(node: Node) -> bool:
    """Return whether a string's escapes mean something."""
    return node.type == "string_literal"


def find_field(node: Node, name: str) -> ParsedLiteral | None:
    """Find what a field says right in a struct that is written out."""
    if node.type != "field_initializer_list":
        return None
    given = [each for each in node.named_children if each.type == "field_initializer"]
    values = [find_child(each, "value") for each in given if decode_node(find_child(each, "field") or each) == name]
    return parse_literal([values[0]]) if len(values) == 1 and values[0] is not None else None


def rewrite_description(source: Source, root: Node, place: ByteRange, old: str, new: str) -> ByteChange | None:
    """Write a text where one literal says another, or the doc comments of whole lines do, white space aside."""
    node = find_node_at(root, place, ("string_literal", "raw_string_literal"))
    if node is not None:
        said = evaluate_scalar(node)
        return ByteChange(*place, format_literal(new)) if isinstance(said, str) and has_same_words(said, old) else None
    start = source.data.rfind(b"\n", 0, place.start) + 1
    stretch = source.data[start : place.end].decode("utf-8", "replace").rstrip()
    lines = [re.fullmatch(r"([ \t]*)///(?!/)(.*)", each) for each in stretch.splitlines()]
    if not lines or None in lines or not has_same_words("\n".join(each[2] for each in lines if each is not None), old):
        return None
    indent = stretch[: len(stretch) - len(stretch.lstrip())]
    text = detect_newline(source.data, start).join(f"{indent}/// {each}".rstrip() for each in new.split("\n"))
    return ByteChange(start, start + len(stretch.encode()), text)
