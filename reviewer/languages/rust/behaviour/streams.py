"""The SSE transport made by hand: a route that answers with an event stream, and beside it one that takes the messages."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, named, receiver
from reviewer.languages.rust.items import Items
from reviewer.source import Text

STREAM = re.compile(r"\bSse\s*(::\s*new|<)|text/event-stream|\bsse::(reply|Event)")
SSE_PATH = re.compile(r"(^|/)sse/?$")
MESSAGES = re.compile(r"(^|/)messages?/?$")
ENDPOINT = re.compile(rb"event\s*\(\s*\"endpoint\"|event:\s*endpoint")
"""What tells the client where to send its messages: only this transport has it."""
ROUTED = frozenset({"route", "route_service", "at"})


def sse_routes(items: Items, path: str) -> Iterator[Node]:
    """Find the routes by which a file serves SSE on its own."""
    data = items.sources[path].data
    if b"route" not in data or (b"Sse" not in data and b"event-stream" not in data):
        return
    told = bool(items.mentioning(ENDPOINT))
    for chain in _chains(items.of_kinds(path, "call_expression")):
        takes = [call for call in chain if _posts(call) and MESSAGES.search(_path(items, call, path))]
        for call in chain:
            # A route that takes the messages too is the one endpoint of Streamable HTTP, whatever stands beside it.
            is_sse = SSE_PATH.search(_path(items, call, path)) is not None or (told and not _posts(call))
            if takes and is_sse and call not in takes and _streams(items, call, path):
                yield _argument(call)


def _argument(call: Node) -> Node:
    """Give the arguments of a route, which stand on its own lines of a long chain."""
    return child(call, "arguments") or call


def _chains(calls: list[Node]) -> Iterator[list[Node]]:
    """Group the routes that are added to one router, one after the other."""
    for each in calls:
        above = each.parent
        is_last = not (above is not None and above.type == "field_expression" and above.parent is not None)
        if is_last:
            found = []
            current: Node | None = each
            while current is not None and current.type == "call_expression":
                found += [current] if called(current) in ROUTED else []
                current = receiver(current)
            if len(found) > 1:
                yield found


def _path(items: Items, call: Node, path: str) -> str:
    given = arguments_of(call)
    text = items.text_of_const(given[0], path) if given else ""
    return str(text) if isinstance(text, Text) else ""


def _posts(call: Node) -> bool:
    """Tell whether a route takes posts; what the call is made on holds the other routes."""
    given = _argument(call)
    return "post(" in string_of(given) or any(
        each.type == "call_expression" and called(each) == "post" for each in below(given)
    )


def _streams(items: Items, call: Node, path: str) -> bool:
    """Tell whether what answers a route gives an event stream."""
    for argument in arguments_of(call)[1:]:
        if STREAM.search(string_of(argument)):
            return True
        for each in below(argument):
            if each.type in ("identifier", "scoped_identifier"):
                if any(STREAM.search(string_of(target.node)) for target in named(items, each, path)):
                    return True
    return False
