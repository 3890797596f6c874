"""What a Python server is served on."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import (
    Transport,
    TransportKind,
)
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.source import Text

TRANSPORTS: dict[str, TransportKind] = {
    "stdio": "stdio",
    "sse": "sse",
    "streamable-http": "streamable-http",
    "streamable_http": "streamable-http",
    "http": "streamable-http",
}
CALLS: dict[str, TransportKind] = {
    "stdio_server": "stdio",
    "run_stdio_async": "stdio",
    "SseServerTransport": "sse",
    "sse_app": "sse",
    "run_sse_async": "sse",
    "create_sse_app": "sse",
    "streamable_http_app": "streamable-http",
    "http_app": "streamable-http",
    "run_streamable_http_async": "streamable-http",
    "StreamableHTTPSessionManager": "streamable-http",
}
SERVES = re.compile(rb"\b(run(?:_\w+)?|" + "|".join(CALLS).encode() + rb")\s*\(")


def transports(run: Evaluator, module: Module) -> Iterator[Transport]:
    """Find the calls that serve on a transport."""
    for found in SERVES.finditer(module.source.data):
        node = module.root.descendant_for_byte_range(*found.span(1))
        call = _call_of(node) if node is not None else None
        if call is None:
            continue
        name = found[1].decode()
        kind = CALLS.get(name)
        if kind is None and name in ("run", "run_async", "run_http_async"):
            kind = _asked(run, call, module)
        if kind is not None:
            yield Transport(kind, Text(string_of(call), module.span(call)))


def _call_of(name: Node) -> Node | None:
    """Give the call whose function is a name or ends in it."""
    function = name.parent if name.parent is not None and name.parent.type == "attribute" else name
    call = function.parent
    return call if call is not None and call.type == "call" and child(call, "function") == function else None


def _asked(run: Evaluator, call: Node, module: Module) -> TransportKind | None:
    """Tell the transport that a `run(...)` asks for, if the call is one of a server."""
    arguments = child(call, "arguments")
    parts = children(arguments) if arguments is not None else []
    for part in parts:
        if part.type == "keyword_argument" and string_of(child(part, "name") or part) == "transport":
            value = child(part, "value")
            return TRANSPORTS.get(string_value(value) or "") if value is not None else None
    if any(part.type == "keyword_argument" for part in parts):
        return None
    if (module.path, call.start_byte) not in run.starts:
        return None
    given = string_value(parts[0]) if parts else "stdio"
    return TRANSPORTS.get(given or "")
