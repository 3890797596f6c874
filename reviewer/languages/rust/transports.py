"""What a Rust server's code serves on."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Transport, TransportKind
from reviewer.languages.nodes import child, matches, string_of, text_of
from reviewer.languages.rust.callees import called, qualifier
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.sightings import marks, sighted

WIRING = marks(
    rb"stdio\(\)",
    rb"stdin\(\)[\s,;]",
    rb"StdioTransport::new",
    rb"StreamableHttpService\b",
    rb"SseServer\b",
    rb"ServerOptions\b",
)
OPTIONS = re.compile(r"^(Hyper|Axum|Actix(Web)?|Warp|Http)ServerOptions$")
NO_SSE = re.compile(r"\bsse_support\s*:\s*false\b")
NOT_SERVED = frozenset({"docs", "doc"})
CALLS: dict[tuple[str, str], TransportKind] = {
    ("StdioTransport", "new"): "stdio",
    ("StreamableHttpService", "new"): "streamable-http",
    ("SseServer", "new"): "sse",
    ("SseServer", "serve"): "sse",
    ("SseServer", "serve_with_config"): "sse",
}


def transports(items: Items) -> Iterator[Transport]:
    """Find the expressions that wire a transport of a server."""
    for path in sighted(items, WIRING):
        if NOT_SERVED & set(path.split("/")[:-1]):
            continue
        source = items.sources[path]
        for found in matches(items.root(path), "rust", "transports"):
            node = found.get("call") or found.get("pair") or found["options"]
            if not in_test(node):
                yield from (Transport(kind, text_of(source, node)) for kind in _kinds(node))


def _kinds(node: Node) -> list[TransportKind]:
    if node.type == "tuple_expression":
        pair = [called(part) for part in node.named_children]
        return ["stdio"] if pair == ["stdin", "stdout"] and not _defines(node) else []
    if node.type == "struct_expression":
        return _of_options(string_of(child(node, "name") or node), NO_SSE.search(string_of(node)) is None)
    name, before = called(node) or "", qualifier(node) or ""
    if name == "stdio":
        return ["stdio"]
    if name == "default":
        in_literal = node.parent is not None and node.parent.type == "base_field_initializer"
        return [] if in_literal else _of_options(before, True)
    kind = CALLS.get((before, name))
    return [kind] if kind is not None else []


def _defines(pair: Node) -> bool:
    """Tell whether a pair is what a function `stdio` is made of, and not a use of it."""
    body = pair.parent
    return string_of(child(body.parent if body is not None else None, "name") or pair) == "stdio"


def _of_options(name: str, sse: bool) -> list[TransportKind]:
    """Tell what an HTTP server of rust-mcp-sdk serves: SSE too, unless it is told not to."""
    if OPTIONS.match(name.rpartition("::")[2]) is None:
        return []
    return ["streamable-http", "sse"] if sse else ["streamable-http"]
