"""Log events: the macro that writes one, and the target that it names."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, text_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.callees import below, calls, last_segment, targets
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Opaque, Text

EVENTS = frozenset({"error", "warn", "info", "debug", "trace", "event", "log"})
PRINTS = frozenset({"eprintln", "println", "eprint", "print", "dbg"})
HOOK = re.compile(rb"\bset_hook\s*\(")
Log = tuple[Text, Text | Opaque | None]
"""What logs, and the target that it names."""


def logs(items: Items, node: Node, path: str, depth: int = 1) -> Iterator[Log]:
    """Find the log events below a node, those of the project's functions that are called there included."""
    for each in below(node):
        name = last_segment(child(each, "macro") or each) if each.type == "macro_invocation" else ""
        if name in EVENTS or name in PRINTS:
            yield text_of(items.sources[path], each), _target(items, each, path) if name in EVENTS else None
        elif each.type == "call_expression" and depth > 0:
            for target in targets(items, each, path):
                body = child(target.node, "body")
                if body is not None:
                    yield from logs(items, body, target.path, depth - 1)


def log_of(items: Items, node: Node, path: str) -> Log | None:
    """Give the log event below a node, one that names a target before others."""
    found = list(logs(items, node, path))
    return next((each for each in found if each[1] is not None), found[0] if found else None)


def targeted(items: Items, node: Node, path: str) -> Log | None:
    """Give the first log event below a node that names a target."""
    return next((each for each in logs(items, node, path, 0) if each[1] is not None), None)


def hook(items: Items) -> Log | None:
    """Give what the process's panic hook logs, or the hook itself if it is not written in the project."""
    for path in items.mentioning(HOOK):
        for each in calls(items, "set_hook", path):
            if not in_test(each):
                return log_of(items, each, path)
    return None


def _target(items: Items, event: Node, path: str) -> Text | Opaque | None:
    """Read `target: ..` of an event, a literal or a constant."""
    tree = next((part for part in event.named_children if part.type == "token_tree"), None)
    for part in tokens.split(tokens.inner(tree)) if tree is not None else ():
        if len(part) > 2 and part[0].type == "identifier" and part[0].text == b"target" and part[1].type == ":":
            value = tokens.expression(items.sources[path], part[2:])
            return items.text_of_const(value, path) if value is not None else None
    return None
