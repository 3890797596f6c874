"""How TypeScript and JavaScript are rewritten."""

import json
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
    find_node_at,
    has_same_words,
    insert_member,
    place_of,
)
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.typescript.lowering.files import list_children
from reviewer.languages.typescript.lowering.literals import read_number, read_string
from reviewer.source import Source
from reviewer.text.patterns import pattern

# A comment is rewritten in no place, but characters that nobody sees may be in one as well.
STRINGS = ("string", "template_string", "comment")
# Only whole numbers are rewritten: sizes and limits.
NUMBERS = ("number",)
# What a suppression that covers nothing is taken away with.
COMMENTS = ("comment",)
CLAMP = "Math.min({0}, {1})"
"""A variable, and the most that it may be."""

PRINTS = frozenset({"log", "info", "debug"})
"""Methods of `console` that write to the standard output what `console.error` writes in the same form to the standard error."""

REGISTERING = "registerTool"
"""The method of the SDK whose second argument is an object with all that it is told of a tool: of release 1.13 on, which takes
annotations."""

USED = pattern(rb"\b(?:readOnly|destructive|idempotent|openWorld)Hint\b")
"""What a project has that runs with a release of an SDK which takes annotations."""

SINGLE: dict[str, bool | None] = {"true": True, "false": False, "null": None}


def parse_brackets(node: Node) -> Bracketed:
    """Read what stands between the brackets of a node."""
    parts = list_children(node)
    commas = [each for each in node.children if parts and each.type == "," and each.start_byte >= parts[-1].end_byte]
    trailing = place_of(commas[0]) if commas else None
    return Bracketed(ByteRange(node.start_byte + 1, node.end_byte - 1), tuple(map(place_of, parts)), trailing)


def iter_objects(root: Node) -> Iterator[ParsedLiteral]:
    """Yield every object that is written out, the outer ones first."""
    pending = [root]
    while pending:
        node = pending.pop()
        found = parse_literal(node) if node.type == "object" else None
        if found is not None:
            yield found
        pending += reversed(node.named_children)


def parse_literal(node: Node) -> ParsedLiteral | None:
    """Read a literal; None for anything that only a run can tell."""
    place = place_of(node)
    if node.type == "as_expression":  # `"object" as const`
        inner = list_children(node)
        return parse_literal(inner[0]) if inner and decode_node(node).endswith("as const") else None
    if node.type in SINGLE:
        return ParsedLiteral(place, SINGLE[node.type])
    if node.type == "string":
        return ParsedLiteral(place, _read_text(node))
    if node.type == "number":
        value = read_number(decode_node(node))
        return ParsedLiteral(place, value) if value is not None else None
    if node.type == "unary_expression" and decode_node(node).startswith("-"):
        number = parse_literal(list_children(node)[0])
        known = number is not None and isinstance(number.data, int | float)
        return ParsedLiteral(place, -number.data) if number is not None and known else None
    if node.type == "array":
        return _find_array(node)
    return _find_object(node) if node.type == "object" else None


def _read_text(node: Node) -> str:
    """Return the text of a string without gaps."""
    shifted = bytes(node.start_byte) + (node.text or b"")
    return read_string(node, shifted)


def _find_array(node: Node) -> ParsedLiteral | None:
    elements = [(place_of(each), parse_literal(each)) for each in list_children(node)]
    return build_array(place_of(node), elements, parse_brackets(node))


def _find_object(node: Node) -> ParsedLiteral | None:
    entries = [(_find_key(each), place_of(each), _find_value(each)) for each in list_children(node)]
    return build_object(place_of(node), entries, parse_brackets(node))


def _find_value(part: Node) -> ParsedLiteral | None:
    value = find_child(part, "value")
    return parse_literal(value) if value is not None else None


def _find_key(part: Node) -> str | None:
    """Return the name of an entry that is written out; None of anything else in an object."""
    key = find_child(part, "key") if part.type == "pair" else None
    if key is None or key.type not in ("property_identifier", "string"):
        return None
    return _read_text(key) if key.type == "string" else decode_node(key)


def format_literal(value: Any, like: bytes = b'"') -> str:
    """Write a constant, a text in the quotes that others beside it have."""
    plain = json.dumps(value, ensure_ascii=False)
    is_single = isinstance(value, str) and like.startswith(b"'") and not {"'", "\\"} & set(plain)
    return f"'{plain[1:-1]}'" if is_single else plain


def pair(key: str, value: Any, like: bytes = b"") -> str:
    """Write an entry of an object: its name bare, unless those beside it stand in quotes."""
    is_quoted = like[:1] in (b'"', b"'") or not key.isidentifier()
    return f"{format_literal(key, like) if is_quoted else key}: {format_literal(value, like)}"


def set_hint(
    source: Source, root: Node, place: ByteRange, wanted: tuple[str, bool], sources: Mapping[str, Source]
) -> list[ByteChange] | None:
    """Say something in the annotations of the tool that is declared at a place: by a call, or by an object of a list."""
    name, value = wanted
    node = find_node_at(root, place, ("call_expression", "object"))
    told = _find_configuration(node) if node is not None and node.type == "call_expression" else node
    if told is None or any(each.type == "spread_element" for each in list_children(told)):
        return None
    given = [each for each in list_children(told) if _find_key(each) == "annotations"]
    if not given:
        is_known = node is not told or any(USED.search(each.data) is not None for each in sources.values())
        said = f"annotations: {{ {pair(name, value)} }}"
        return insert_member(source.data, parse_brackets(told), said) if is_known and list_children(told) else None
    noted = find_child(given[0], "value") if len(given) == 1 else None
    found = parse_literal(noted) if noted is not None else None
    if found is None or found.listed is None:
        return None
    entries = [each for key, _, each in found.members if key == name]
    if entries:
        return [ByteChange(*entries[0].place, format_literal(value))] if len(entries) == 1 else None
    like = source.data[found.listed.inner.start : found.listed.inner.end].lstrip()[:1]
    return insert_member(source.data, found.listed, pair(name, value, like))


def _find_configuration(call: Node) -> Node | None:
    """Return the object that tells the SDK of a tool, if a call is written so."""
    callee, listed = find_child(call, "function"), find_child(call, "arguments")
    method = find_child(callee, "property") if callee is not None and callee.type == "member_expression" else None
    given = list_children(listed) if listed is not None else []
    is_told = method is not None and decode_node(method) == REGISTERING and len(given) == 3
    return given[1] if is_told and given[1].type == "object" else None


def to_stderr(source: Source, root: Node, place: ByteRange) -> list[ByteChange] | None:
    """Have a call that prints do so to the standard error."""
    node = find_node_at(root, place, ("call_expression",))
    callee = find_child(node, "function")
    name = find_child(callee, "property") if callee is not None and callee.type == "member_expression" else None
    owner = decode_node(find_child(callee, "object") or root) if name is not None else ""
    if name is not None and owner == "console" and decode_node(name) in PRINTS:
        return [ByteChange(*place_of(name), "error")]
    if name is not None and owner == "process.stdout" and decode_node(name) == "write":
        end = (find_child(callee, "object") or name).end_byte
        return [ByteChange(end - len("stdout"), end, "stderr")]
    return None


def cuts(name: Node) -> bool:
    """Return whether `.slice(0, limit)` cuts at a variable."""
    listed = name.parent
    call = listed.parent if listed is not None and listed.type == "arguments" else None
    method = find_child(find_child(call, "function"), "property")
    given = list_children(listed) if listed is not None else []
    is_cut = method is not None and decode_node(method) == "slice" and len(given) == 2 and decode_node(given[0]) == "0"
    return is_cut and given[1] == name


def await_sleep(_source: Source, _root: Node, _place: ByteRange) -> list[ByteChange] | None:
    """Return None: nothing in JavaScript sleeps that would hold the thread, but for what a worker may."""
    return None


def interprets_escapes(node: Node) -> bool:
    """Return whether a string's escapes mean something."""
    return node.type in ("string", "template_string")


def find_field(node: Node, name: str) -> ParsedLiteral | None:
    """Find what an entry says right in an object that is written out."""
    given = [each for each in list_children(node) if _find_key(each) == name] if node.type == "object" else []
    value = find_child(given[0], "value") if len(given) == 1 else None
    return parse_literal(value) if value is not None else None


def rewrite_description(source: Source, root: Node, place: ByteRange, old: str, new: str) -> ByteChange | None:
    """Write a text where one literal says another, white space aside."""
    node = find_node_at(root, place, ("string",))
    if node is None or not has_same_words(_read_text(node), old):
        return None
    return ByteChange(*place, format_literal(new, source.data[place.start : place.start + 1]))
