"""How Python is rewritten."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tree_sitter import Node

from reviewer.languages.edits.written import (
    Bracketed,
    ByteChange,
    ByteRange,
    ParsedLiteral,
    build_array,
    build_object,
    detect_newline,
    find_line_end,
    find_node_at,
    has_same_words,
    insert_member,
    place_of,
)
from reviewer.languages.nodes import decode_node, find_child, find_descendants, find_nearest_of_kinds, list_children
from reviewer.languages.python.evaluation.literals import evaluate_constant, evaluate_string
from reviewer.source import Source

# Where characters are taken out that nobody sees, and texts are rewritten: a docstring is one as well.
STRINGS = ("string",)
# Only whole numbers are rewritten: sizes and limits.
NUMBERS = ("integer",)
# What a suppression that covers nothing is taken away with.
COMMENTS = ("comment",)
WORDS = {True: "True", False: "False", None: "None"}
CLAMP = "min({0}, {1})"
"""A variable, and the most that it may be."""


def parse_brackets(node: Node) -> Bracketed:
    """Read what stands between the brackets of a node."""
    parts = list_children(node)
    commas = [each for each in node.children if parts and each.type == "," and each.start_byte >= parts[-1].end_byte]
    trailing = place_of(commas[0]) if commas else None
    return Bracketed(ByteRange(node.start_byte + 1, node.end_byte - 1), tuple(map(place_of, parts)), trailing)


def iter_objects(root: Node) -> Iterator[ParsedLiteral]:
    """Yield every dict that is written out, the outer ones first."""
    for node in find_descendants(root, "python", "dictionary"):
        found = parse_literal(node)
        if found is not None:
            yield found


def parse_literal(node: Node) -> ParsedLiteral | None:
    """Read a literal; None for anything that only a run can tell."""
    if node.type in ("true", "false", "none"):
        return ParsedLiteral(place_of(node), {"true": True, "false": False, "none": None}[node.type])
    if node.type in ("string", "concatenated_string"):
        said = evaluate_string(node)
        return ParsedLiteral(place_of(node), said) if said is not None else None
    if node.type in ("integer", "float"):
        return ParsedLiteral(place_of(node), evaluate_constant(node))
    if node.type == "unary_operator" and decode_node(node).startswith("-"):
        inner = parse_literal(list_children(node)[0])
        known = inner is not None and isinstance(inner.data, int | float)
        return ParsedLiteral(place_of(node), -inner.data) if inner is not None and known else None
    if node.type == "list":
        return _find_array(node)
    return _find_object(node) if node.type == "dictionary" else None


def _find_array(node: Node) -> ParsedLiteral | None:
    elements = [(place_of(each), parse_literal(each)) for each in list_children(node)]
    return build_array(place_of(node), elements, parse_brackets(node))


def _find_object(node: Node) -> ParsedLiteral | None:
    entries = [(_find_key(each), place_of(each), _find_value(each)) for each in list_children(node)]
    return build_object(place_of(node), entries, parse_brackets(node))


def _find_key(pair: Node) -> str | None:
    key = find_child(pair, "key") if pair.type == "pair" else None
    return evaluate_string(key) if key is not None else None


def _find_value(pair: Node) -> ParsedLiteral | None:
    value = find_child(pair, "value")
    return parse_literal(value) if value is not None else None


def format_literal(value: Any, like: bytes = b'"') -> str:
    """Write a constant, a text in the quotes that others beside it have."""
    if isinstance(value, str):
        plain = json.dumps(value, ensure_ascii=False)
        return f"'{plain[1:-1]}'" if like.startswith(b"'") and not {"'", "\\"} & set(plain) else plain
    return WORDS.get(value, repr(value)) if isinstance(value, bool | None) else json.dumps(value)


def pair(key: str, value: Any, like: bytes = b'"') -> str:
    """Write an entry of a dict."""
    return f"{format_literal(key, like)}: {format_literal(value, like)}"


def find_keyword(listed: Node, name: str) -> Node | None:
    """Find an argument by its name."""
    found = (each for each in list_children(listed) if each.type == "keyword_argument")
    return next((each for each in found if decode_node(find_child(each, "name") or each) == name), None)


def to_stderr(source: Source, root: Node, place: ByteRange) -> list[ByteChange] | None:
    """Have a call that prints do so to the standard error."""
    node = find_node_at(root, place, ("call", "attribute"))
    if node is None:
        return None
    streams = [each for each in find_descendants(node, "python", "attribute") if decode_node(each) == "sys.stdout"]
    if len(streams) == 1:
        return [ByteChange(streams[0].end_byte - len("stdout"), streams[0].end_byte, "stderr")]
    listed = find_child(node, "arguments")
    name = decode_node(find_child(node, "function") or node)
    if streams or listed is None or any(each.type == "dictionary_splat" for each in list_children(listed)):
        return None
    if name in ("click.echo", "typer.echo"):
        return insert_member(source.data, parse_brackets(listed), "err=True")
    if name != "print" or re.search(rb"\bimport\b[^\n]*\bprint\b|\bdef print\b|^print\s*=", source.data, re.MULTILINE):
        return None
    if find_keyword(listed, "file") is not None or listed.type != "argument_list":
        return None
    imported = _import_module(source, root, "sys")
    return (
        None
        if imported is None
        else [*imported, *insert_member(source.data, parse_brackets(listed), "file=sys.stderr")]
    )


def cuts(name: Node) -> bool:
    """Return whether a slice ends at a variable."""
    holder = name.parent
    return holder is not None and holder.type == "slice" and [each.type for each in holder.children[:-1]][-1:] == [":"]


def await_sleep(source: Source, root: Node, place: ByteRange) -> list[ByteChange] | None:
    """Write `await asyncio.sleep(..)` for a statement `time.sleep(..)` of an async function."""
    node = find_node_at(root, place, ("call",))
    function = find_child(node, "function")
    holder = node.parent if node is not None else None
    if node is None or function is None or decode_node(function) != "time.sleep":
        return None
    if holder is None or holder.type != "expression_statement" or not _is_async(node):
        return None
    imported = _import_module(source, root, "asyncio")
    return None if imported is None else [*imported, ByteChange(*place_of(function), "await asyncio.sleep")]


def _is_async(node: Node) -> bool:
    above = find_nearest_of_kinds(node, "function_definition", "lambda", "class_definition")
    return above is not None and above.type == "function_definition" and above.children[0].type == "async"


def _import_module(source: Source, root: Node, module: str) -> list[ByteChange] | None:
    """Import a module among the file's other imports, unless it is; None if the name may mean something else."""
    tops = list_children(root)
    plain = [each for each in tops if each.type == "import_statement"]
    if any(re.search(rf"\bimport\s(?:.*,)?\s*{module}\s*(?:,|$)", decode_node(each)) for each in plain):
        return []
    other = [each for each in tops if each.type == "import_from_statement" and "__future__" not in decode_node(each)]
    every = sorted([*plain, *other], key=lambda each: each.start_byte)
    if (
        not every
        or re.search(rb"\b%s\b" % module.encode(), source.data)
        or any(each.start_point.column for each in every)
    ):
        return None
    later = (each for each in every if each.type != "import_statement" or decode_node(each) > f"import {module}")
    first = next(later, every[0])
    end = find_line_end(source.data, first.end_byte)
    return (
        [ByteChange(first.start_byte, first.start_byte, f"import {module}{detect_newline(source.data, end)}")]
        if end
        else None
    )


def interprets_escapes(node: Node) -> bool:
    """Return whether a string's escapes mean something."""
    return "r" not in re.match(r"[A-Za-z]*", decode_node(node))[0].lower()  # type: ignore[index]  # it matches any text


def find_field(node: Node, name: str) -> ParsedLiteral | None:
    """Find what an argument, or an entry of a dict, says right in a node."""
    if node.type == "argument_list":
        found = find_keyword(node, name)
        given = find_child(found, "value") if found is not None else None
        return parse_literal(given) if given is not None else None
    if node.type != "dictionary":
        return None
    pairs = (each for each in list_children(node) if each.type == "pair")
    values = [find_child(each, "value") for each in pairs if evaluate_string(find_child(each, "key") or each) == name]
    return parse_literal(values[0]) if len(values) == 1 and values[0] is not None else None


def rewrite_description(source: Source, root: Node, place: ByteRange, old: str, new: str) -> ByteChange | None:
    """Write a text where one literal says another, white space aside; over several lines if it is a docstring."""
    node = find_node_at(root, place, ("string",))
    if node is None or not has_same_words(evaluate_string(node), old):
        return None
    if node.parent is None or node.parent.type != "expression_statement":
        return ByteChange(*place, format_literal(new, decode_node(node).encode()[:1]))
    start = source.data.rfind(b"\n", 0, place.start) + 1
    before = source.data[start : place.start].decode("utf-8", "replace")
    indent, end = before[: len(before) - len(before.lstrip())], detect_newline(source.data, start)
    escaped = re.sub(r'"(?="|\Z)', r"\"", new.replace("\\", "\\\\"))
    first, *others = escaped.split("\n")
    rest = "".join(f"{end}{indent if each else ''}{each}" for each in others) + (f"{end}{indent}" if others else "")
    return ByteChange(*place, f'"""{first}{rest}"""')
