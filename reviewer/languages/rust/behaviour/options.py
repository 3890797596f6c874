"""The options of rust-mcp-sdk's HTTP servers: whether SSE is served too, who may call, and where it listens."""

import re
from typing import NamedTuple

from tree_sitter import Node

from reviewer import toml
from reviewer.languages.nodes import child, string_of, text_of
from reviewer.languages.rust.behaviour.addresses import loopback
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.callees import below, called, constant, qualifier
from reviewer.languages.rust.items import Items
from reviewer.source import Text

NAMED = re.compile(r"^(Hyper|Axum|Actix(Web)?|Warp|Http)ServerOptions$")
CRATE = "rust-mcp-sdk"


class Options(NamedTuple):
    """What an HTTP server is told."""

    sse: bool
    auth: Text | None
    local: bool | None


def options_of(items: Items, node: Node, path: str) -> Options | None:
    """Read a literal of the options, or their default; None if it is neither, or part of another literal."""
    type_ = _type(node)
    if NAMED.match(type_) is None or _is_base(node) or items.declared(type_, "struct"):
        return None
    fields = _fields(node) if node.type == "struct_expression" else {}
    for name, value in _set_later(node).items():
        fields[name] = value
    return _read(items, fields, path)


def _type(node: Node) -> str:
    """Name the type that a literal, or a default, is of."""
    if node.type == "struct_expression":
        return string_of(child(node, "name") or node).rpartition("::")[2]
    return (qualifier(node) or "") if node.type == "call_expression" and called(node) == "default" else ""


def _read(items: Items, fields: dict[str, Node], path: str) -> Options:
    sse, auth, host = fields.get("sse_support"), fields.get("auth"), fields.get("host")
    told = string_of(_value(items, sse, path)) if sse is not None else "true"
    checked = auth is not None and string_of(auth) != "None"
    return Options(
        told != "false" and _may_serve_sse(items, path),
        text_of(items.sources[path], auth) if auth is not None and checked else None,
        True if host is None else loopback(string_of(_value(items, host, path))),
    )


def _value(items: Items, node: Node, path: str) -> Node:
    """Look through a name to what it stands for."""
    found = origin(node) if node.type == "identifier" else None
    if found is not None and len(found.values) == 1:
        return found.values[0]
    fixed = constant(items, node, path)
    return fixed[0] if fixed is not None else node


def _is_base(node: Node) -> bool:
    """Tell whether options only stand in for those that another literal leaves out, or are bound for that."""
    above = node.parent
    if above is not None and above.type == "base_field_initializer":
        return True
    name = child(above, "pattern") if above is not None and above.type == "let_declaration" else None
    block = above.parent if above is not None else None
    if name is None or block is None:
        return False
    return any(
        each.type == "base_field_initializer" and string_of(each).removeprefix("..") == string_of(name)
        for each in below(block)
    )


def _fields(literal: Node) -> dict[str, Node]:
    """Give the fields of a literal, those of a literal that it takes the rest from included."""
    body = child(literal, "body")
    fields: dict[str, Node] = {}
    for part in body.named_children if body is not None else ():
        name, value = child(part, "field") or child(part, "name"), child(part, "value")
        if part.type == "base_field_initializer" and part.named_children:
            found = origin(part.named_children[0]) if part.named_children[0].type == "identifier" else None
            base = found.values[0] if found is not None and found.values else None
            fields = {**(_fields(base) if base is not None and base.type == "struct_expression" else {}), **fields}
        elif part.type == "shorthand_field_initializer":
            fields[string_of(part)] = part.named_children[0]
        elif name is not None and value is not None:
            fields[string_of(name)] = value
    return fields


def _set_later(node: Node) -> dict[str, Node]:
    """Give the fields that are assigned to options after they were bound to a name."""
    above = node.parent
    pattern = child(above, "pattern") if above is not None and above.type == "let_declaration" else None
    block = above.parent if above is not None else None
    if pattern is None or block is None:
        return {}
    name = string_of(pattern).removeprefix("mut ")
    found: dict[str, Node] = {}
    for each in below(block):
        left, right = child(each, "left"), child(each, "right")
        if (
            each.type == "assignment_expression"
            and left is not None
            and right is not None
            and left.type == "field_expression"
        ):
            if string_of(child(left, "value") or left) == name:
                found[string_of(child(left, "field") or left)] = right
    return found


def _may_serve_sse(items: Items, path: str) -> bool:
    """Tell whether the SDK is built with SSE: by default, or by its feature where the defaults are off."""
    folder = items.package_folder(path)
    manifest = items.manifests.get(f"{folder}/Cargo.toml".lstrip("/")) if folder is not None else None
    try:
        table = toml.parsed(manifest.read_text("utf-8", "replace")) if manifest is not None else {}
    except (OSError, ValueError):
        return True
    given = table.get("dependencies", {}).get(CRATE)
    if not isinstance(given, dict) or given.get("default-features", True) or "workspace" in given:
        return True
    return "sse" in given.get("features", ())
