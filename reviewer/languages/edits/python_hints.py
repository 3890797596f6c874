"""Hints in the annotations of tools that are declared in Python."""

import re
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from tree_sitter import Node

from reviewer.languages.edits.pythonic import WORDS, find_keyword, format_literal, pair, parse_brackets, parse_literal
from reviewer.languages.edits.written import (
    ByteChange,
    ByteRange,
    ParsedLiteral,
    convert_to_snake_case,
    detect_newline,
    find_line_end,
    find_node_at,
    insert_member,
)
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.source import Source
from reviewer.text.patterns import pattern

# Whether the file speaks of the class at all: if not, it is imported.
ANNOTATIONS = pattern(rb"\bToolAnnotations\b")
# The standalone fastmcp takes a dict as well, which needs no import.
FASTMCP = pattern(rb"^\s*(?:from|import) fastmcp\b", re.MULTILINE)
USED = pattern(rb"\b(?:ToolAnnotations|(?:readOnly|destructive|idempotent|openWorld)Hint)\b")
"""What a project has that runs with a release of an SDK which takes annotations."""


def set_hint(
    source: Source, root: Node, place: ByteRange, wanted: tuple[str, bool], sources: Mapping[str, Source]
) -> list[ByteChange] | None:
    """Say something in the annotations of the tool that is declared at a place."""
    node = find_node_at(root, place, ("decorated_definition", "call"))
    made = _find_tool_declaration(node) if node is not None else None
    if made is None or any(each.type in ("dictionary_splat", "ERROR") for each in _collect_arguments(made)):
        return None
    listed = find_child(made, "arguments") if made.type == "call" else None
    given = find_keyword(listed, "annotations") if listed is not None else None
    if given is not None:
        noted = find_child(given, "value")
        return _note(source, noted, *wanted) if noted is not None else None
    if not _is_known(source, root, made, sources):
        return None
    new, imported = _collect_constructor(source, root, made, *wanted)
    if new is None:
        return None
    argument = f"annotations={new}"
    if listed is not None:
        return [*imported, *insert_member(source.data, parse_brackets(listed), argument)]
    return [*imported, ByteChange(made.end_byte, made.end_byte, f"({argument})")]


def _find_tool_declaration(node: Node) -> Node | None:
    """Return the call, or the bare decorator, that declares a tool: `Tool(..)`, `@mcp.tool(..)`, `@mcp.tool`."""
    if node.type == "call":
        return node if decode_node(find_child(node, "function") or node).rpartition(".")[2] == "Tool" else None
    marks = [list_children(each)[0] for each in node.children if each.type == "decorator" and list_children(each)]
    names = [decode_node((find_child(each, "function") if each.type == "call" else each) or each) for each in marks]
    found = [mark for mark, name in zip(marks, names, strict=True) if name.endswith(".tool")]
    return found[0] if len(found) == 1 else None


def _collect_arguments(made: Node) -> list[Node]:
    listed = find_child(made, "arguments") if made.type == "call" else None
    return list_children(listed) if listed is not None and listed.type == "argument_list" else []


def _is_known(source: Source, root: Node, made: Node, sources: Mapping[str, Source]) -> bool:
    """Return whether what declares a tool is surely the SDK's own, in a release that takes annotations."""
    name = decode_node(find_child(made, "function") or made)
    every = [each for path, each in sources.items() if path.endswith(".py")]
    if name.endswith(".tool"):
        server = re.escape(name.removesuffix(".tool").rpartition(".")[2].encode())
        held = re.compile(rb"\b%s\s*(?:=|:)\s*[\"']?(?:\w+\.)*(FastMCP|MCPServer)\b" % server)
        found = held.search(source.data)
        if found is None and re.search(rb"\bimport\b[^\n]*\b%s\b" % server, source.data) is not None:
            found = next(filter(None, (_search(held, each) for each in every)), None)
        if found is None or found[1] == b"MCPServer":
            return found is not None
    elif not _is_imported(root, name):
        return False
    return any(_search(USED, each) for each in every)


_searched: WeakKeyDictionary[Source, dict[bytes, re.Match[bytes] | None]] = WeakKeyDictionary()
"""What was looked for in whole files: each is asked about for many tools."""


def _search(pattern: re.Pattern[bytes], source: Source) -> re.Match[bytes] | None:
    known = _searched.setdefault(source, {})
    if pattern.pattern not in known:
        known[pattern.pattern] = pattern.search(source.data)
    return known[pattern.pattern]


def _is_imported(root: Node, name: str) -> bool:
    """Return whether `Tool`, or the `types` of `types.Tool`, comes from the SDK."""
    first = name.partition(".")[0]
    for each in list_children(root):
        said = decode_node(each)
        if each.type == "import_from_statement" and re.match(r"from mcp(?:_types)?\b", said):
            if re.search(rf"\bimport\b.*\b{re.escape(first)}\b", said, re.DOTALL):
                return True
        elif each.type == "import_statement" and re.match(rf"import mcp\b(?:.*\bas {re.escape(first)}$)?", said):
            if first == "mcp" or said.endswith(f"as {first}"):
                return True
    return False


def _note(source: Source, noted: Node, name: str, value: bool) -> list[ByteChange] | None:
    """Set a hint in annotations that are written out: as a dict, or as `ToolAnnotations(..)`."""
    snake = convert_to_snake_case(name)
    if noted.type == "dictionary":
        found = parse_literal(noted)
        if found is None or found.listed is None:
            return None
        entries = [each for key, _, each in found.members if key in (name, snake)]
        like = source.data[noted.start_byte + 1 : noted.end_byte].lstrip()[:1]
        return _set(entries, value) or (
            insert_member(source.data, found.listed, pair(name, value, like)) if not entries else None
        )
    listed = find_child(noted, "arguments") if noted.type == "call" else None
    if listed is None or any(each.type == "dictionary_splat" for each in list_children(listed)):
        return None
    found_argument = find_keyword(listed, name) or find_keyword(listed, snake)
    if found_argument is not None:
        given = find_child(found_argument, "value")
        read = parse_literal(given) if given is not None else None
        return _set([read] if read is not None else [], value)
    snakes = any("_" in decode_node(find_child(each, "name") or each) for each in list_children(listed))
    return insert_member(source.data, parse_brackets(listed), f"{snake if snakes else name}={WORDS[value]}")


def _set(found: list[ParsedLiteral], value: Any) -> list[ByteChange] | None:
    return [ByteChange(*found[0].place, format_literal(value))] if len(found) == 1 else None


def _collect_constructor(
    source: Source, root: Node, made: Node, name: str, value: bool
) -> tuple[str | None, list[ByteChange]]:
    """Write annotations anew by what the file imports, and import what it takes if the SDK's own names are imported there."""
    call = decode_node(find_child(made, "function") or made)
    if call.endswith(".tool") and FASTMCP.search(source.data):
        return f"{{{pair(name, value)}}}", []
    argument = f"({name}={WORDS[value]})"
    if call.endswith(".Tool"):
        return f"{call}Annotations{argument}", []
    imports = [each for each in list_children(root) if each.type == "import_from_statement"]
    if any(re.search(r"\bimport\b.*\bToolAnnotations\b(?! as)", decode_node(each), re.DOTALL) for each in imports):
        return f"ToolAnnotations{argument}", []
    imported = _import_annotations(source, imports) if not ANNOTATIONS.search(source.data) else None
    return (f"ToolAnnotations{argument}", imported) if imported is not None else (None, [])


def _import_annotations(source: Source, imports: list[Node]) -> list[ByteChange] | None:
    """Import the SDK's class beside what is imported of the SDK already."""
    same = [each for each in imports if decode_node(find_child(each, "module_name") or each) == "mcp.types"]
    if same and (names := same[0].children_by_field_name("name")):
        return [ByteChange(names[-1].end_byte, names[-1].end_byte, ", ToolAnnotations")]
    own = [each for each in imports if re.match(r"from mcp\b", decode_node(each))]
    end = find_line_end(source.data, own[-1].end_byte) if own else None
    if end is None:
        return None
    return [ByteChange(end, end, f"from mcp.types import ToolAnnotations{detect_newline(source.data, end)}")]
