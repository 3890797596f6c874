"""What a Rust server's code serves on, and who may call there."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Entry, Server, Transport, TransportKind
from reviewer.languages.needles import mentions
from reviewer.languages.nodes import child, string_of, text_of
from reviewer.languages.rust.behaviour.addresses import is_local
from reviewer.languages.rust.behaviour.credentials import Credentials
from reviewer.languages.rust.behaviour.options import Options, options_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.startup import printed_before
from reviewer.languages.rust.behaviour.streams import sse_routes
from reviewer.languages.rust.behaviour.trails import trail_of
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, qualifier
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.sightings import marks, sighted
from reviewer.source import Opaque, Text

WIRING = marks(
    rb"\bstdio\b",
    rb"\bstdin\(\)",
    rb"StdioTransport\b",
    rb"StreamableHttpService\b",
    rb"Sse(Server|Service)\w*\b",
    rb"ServerOptions\b",
    rb"\bSse\b",
)
NOT_SERVED = frozenset({"docs", "doc"})
MAKING = frozenset({"new", "serve", "serve_with_config", "builder", "start", "default"})
SSE = re.compile(r"^(Server)?Sse(Server|ServerTransport|Service)$")
TYPES = re.compile(r"Sse|Transport|StreamableHttpService|ServerOptions")
ALIASED = re.compile(rf"type\s+(\w+)[^=;]*=[^;]*(?:{TYPES.pattern})".encode())
PAIR = rb"\(\s*\w+\s*,\s*\w+"
KINDS: dict[str, TransportKind] = {"StdioTransport": "stdio", "StreamableHttpService": "streamable-http"}
IN_TOKENS = re.compile(
    r"\b(?:(\w*Sse\w+|StreamableHttpService)\s*::\s*(?:new|serve|serve_with_config|builder)|(stdio)\s*\(\s*\))"
)
BY_HAND = re.compile(rb"\"(jsonrpc|tools/call)\"")
SDK = re.compile(rb"\br(mcp|ust_mcp_sdk)\b")
CLIENT = re.compile(r"(?:\w+::)*\w*Client\w*::\w+")
LINES = frozenset({"lock", "lines", "read_line", "read_until"})
READERS = frozenset({"new", "with_capacity"})


def transports(items: Items, servers: tuple[Server, ...] = ()) -> Iterator[Transport]:
    """Find the expressions that wire a transport of a server."""
    for path in sighted(items, WIRING):
        if NOT_SERVED & set(path.split("/")[:-1]):
            continue
        wired = [(node, kind) for node, kind in _wired(items, path) if not in_test(node)]
        entry = _entry(items, path, servers) if wired else None
        for node, kind in wired:
            auth, local = _guarded(items, node, path) if kind == "streamable-http" else (None, None)
            prints = printed_before(items, node, path) if kind == "stdio" else ()
            yield Transport(kind, text_of(items.sources[path], node), auth, local, entry=entry, prints=prints)


def _wired(items: Items, path: str) -> Iterator[tuple[Node, TransportKind]]:
    """Find what wires a transport in a file, each place once."""
    by_hand = BY_HAND.search(items.sources[path].data) is not None
    seen: set[tuple[int, int]] = set()
    for found in items.matches_near(path, "transports", _words(items, path)):
        node = next(found[name] for name in ("call", "pair", "options", "handed", "tokens") if name in found)
        for kind in _kinds(items, node, path, by_hand):
            if (node.start_byte, len(kind)) not in seen:
                yield node, kind
            seen.add((node.start_byte, len(kind)))
    yield from ((node, "sse") for node in sse_routes(items, path))


def _words(items: Items, path: str) -> re.Pattern[bytes]:
    """Give the words of which what wires a transport holds one; it may go by a name of its own in a file."""
    data = items.sources[path].data
    given = {name for name, real in items.uses(path).names.items() if TYPES.search(real[-1]) or real[-1] == "stdio"}
    names = {"stdio", "stdin", *given, *(name.decode() for name in ALIASED.findall(data))}
    pairs = b"|" + PAIR if b"stdin" in data and b"stdout" in data else b""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b|{TYPES.pattern}".encode() + pairs)


def _kinds(items: Items, node: Node, path: str, by_hand: bool) -> list[TransportKind]:
    match node.type:
        case "tuple_expression":
            return ["stdio"] if _is_pair(node.named_children) and not _defines(node) else []
        case "struct_expression":
            options = options_of(items, node, path)
            return _of_options(options) if options is not None else []
        case "scoped_identifier":
            kind = _of_type(items, child(node, "path"), last_segment(node), path)
            return [kind] if kind == "sse" else []
        case "token_tree":
            return _of_tokens(items, node, path)
    return _of_call(items, node, path, by_hand)


def _of_call(items: Items, call: Node, path: str, by_hand: bool) -> list[TransportKind]:
    name, given = called(call) or "", arguments_of(call)
    used = items.uses(path).names.get(name) if qualifier(call) is None else None
    if (used[-1] if used is not None else name) == "stdio" and not given and not (qualifier(call) or "")[:1].isupper():
        return ["stdio"]
    if name in ("new", "new_server") and (qualifier(call) or "").endswith("Transport") and _is_pair(given[:2]):
        return ["stdio"]
    if name == "stdin" and by_hand and _is_read(call):
        return ["stdio"]
    function = child(call, "function")
    inner = child(function, "function") if function is not None and function.type == "generic_function" else function
    options = options_of(items, call, path) if name == "default" else None
    if options is not None:
        return _of_options(options)
    kind = _of_type(items, child(inner, "path"), name, path) if inner is not None else None
    return [kind] if kind is not None and not _is_of_client(call) else []


def _is_of_client(call: Node) -> bool:
    """Tell whether a transport is what a client is made of: `Client::new(transport)`."""
    above = call.parent
    if above is None or above.type != "let_declaration":
        return (
            above is not None
            and above.type == "arguments"
            and CLIENT.match(string_of(above.parent or above)) is not None
        )
    name, block = child(above, "pattern"), above.parent
    given = re.compile(rf"\b{CLIENT.pattern}\s*\(\s*{re.escape(string_of(name or above).removeprefix('mut '))}\b")
    return block is not None and given.search(string_of(block)) is not None


def _of_type(items: Items, written: Node | None, name: str, path: str) -> TransportKind | None:
    """Tell what a constructor's type serves, by its own name if it has another here."""
    if written is None or name not in MAKING - {"default"}:
        return None
    said = last_segment(written)
    used = items.uses(path).names.get(said)
    alias = next((child(each.node, "type") for each in items.declared_in(path, said, "type")), None)
    real = last_segment(alias) if alias is not None else used[-1] if used is not None else said
    return "sse" if SSE.match(real) and not items.declared(real, "struct") else KINDS.get(real)


def _of_tokens(items: Items, tree: Node, path: str) -> list[TransportKind]:
    """Look into a macro's tokens, the outermost of them."""
    if tree.parent is None or tree.parent.type == "token_tree" or tree.parent.type != "macro_invocation":
        return []
    found = IN_TOKENS.search(string_of(tree))
    if found is None or _is_text(tree, found.start()):
        return []
    if found[2] is not None:
        return ["stdio"]
    used = items.uses(path).names.get(found[1])
    real = used[-1] if used is not None else found[1]
    return ["sse"] if SSE.match(real) else [KINDS[real]] if real in KINDS else []


def _is_text(tree: Node, offset: int) -> bool:
    """Tell whether something stands in a string or a comment within a macro's tokens."""
    at = tree.start_byte + len(string_of(tree)[:offset].encode())
    inner = tree.descendant_for_byte_range(at, at)
    return inner is None or "string" in inner.type or "comment" in inner.type


def _is_pair(parts: list[Node]) -> bool:
    """Tell whether two expressions are the standard streams, as calls or by a name that was given to one."""
    return [_stream(part) for part in parts] == ["stdin", "stdout"]


def _stream(part: Node) -> str | None:
    if part.type == "identifier":
        bound = origin(part)
        part = bound.values[0] if bound is not None and len(bound.values) == 1 else part
    return called(part)


def _is_read(stdin: Node) -> bool:
    """Tell whether requests are read from the standard input by hand, line by line."""
    above = stdin.parent
    name, block = child(above, "pattern"), above.parent if above is not None else None
    if above is not None and above.type == "let_declaration" and name is not None and block is not None:
        reading = re.compile(rf"\b{re.escape(string_of(name).removeprefix('mut '))}\s*\.\s*({'|'.join(LINES)})\b")
        return reading.search(string_of(block)) is not None
    if above is not None and above.type == "field_expression":
        return string_of(child(above, "field") or above) in LINES
    reader = above.parent if above is not None and above.type == "arguments" else None
    return reader is not None and called(reader) in READERS and (qualifier(reader) or "").endswith(("Reader", "Read"))


def _defines(pair: Node) -> bool:
    """Tell whether a pair is what a function `stdio` is made of, and not a use of it."""
    body = pair.parent
    return string_of(child(body.parent if body is not None else None, "name") or pair) == "stdio"


def _of_options(options: Options) -> list[TransportKind]:
    """Tell what an HTTP server of rust-mcp-sdk serves: SSE too, unless it is told not to."""
    return ["streamable-http", "sse"] if options.sse else ["streamable-http"]


def _guarded(items: Items, node: Node, path: str) -> tuple[Text | Opaque | None, bool | None]:
    """Give what checks the credential of a request, and whether only this machine can send one."""
    options = options_of(items, node, path)
    if options is not None:
        return options.auth, options.local
    trail = trail_of(items, node, path)
    judge = Credentials(items)
    found = [judge.of(layer, place) for layer, place in trail.layers]
    unknown: Text | Opaque | None = next((each for each in found if isinstance(each, Opaque)), None)
    if unknown is None and trail.lost:
        unknown = Opaque("where it is served cannot be told", items.span(path, node))
    return next((each for each in found if isinstance(each, Text)), unknown), is_local(items, trail.passed)


def _entry(items: Items, path: str, servers: tuple[Server, ...]) -> Entry | None:
    """Give where the calls come in that a file's transports serve: of the one server in its package, or in the tree."""
    with_entry = [server.entry for server in servers if server.entry is not None]
    package = items.package_folder(path)
    near = [entry for entry in with_entry if items.package_folder(entry.span.path) == package]
    here = [entry for entry in with_entry if entry.span.path == path]
    beyond = with_entry if mentions(items.sources[path].data, SDK) else []
    for found in (here, near, beyond):
        if found:
            spans = {entry.name.span for entry in found}
            return found[0] if len(spans) == 1 else None
    return None
