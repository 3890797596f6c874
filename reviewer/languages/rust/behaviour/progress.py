"""Progress notifications: whose token they bear, how their numbers run, and how often they are sent."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Progress
from reviewer.facts.protocol import Trend
from reviewer.languages.nodes import child, of_kinds, parent_of, string_of, text_of
from reviewer.languages.pace import STEPPING
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.courses import Course, bare, course
from reviewer.languages.rust.behaviour.progress_tokens import source_of
from reviewer.languages.rust.behaviour.scopes import function_around
from reviewer.languages.rust.behaviour.surroundings import (
    above,
    callers,
    conditions,
    ends_after,
    is_paced,
    loops,
    plain,
    targets_of,
)
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, qualifier, receiver
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

SIGNS = re.compile(rb"ProgressNotificationParams?\b|\"progressToken\"")
PARAMS = re.compile(r"^ProgressNotificationParams?$")
SMALL = 200
"""Rounds. A loop that surely has no more is bounded."""


class Send(NamedTuple):
    """A place that makes a progress notification, and what it says."""

    node: Node
    path: str
    token: Node | None
    value: Node | None
    total: Node | None


def progress(items: Items) -> Iterator[Progress]:
    """Find where progress is sent."""
    for path in items.mentioning(SIGNS):
        found: dict[int, Send] = {}
        for hit in SIGNS.finditer(items.sources[path].data):
            node = items.root(path).descendant_for_byte_range(*hit.span())
            send = _send(items, node, path) if node is not None else None
            if send is not None and not in_test(send.node):
                found.setdefault(send.node.start_byte, send)
        for send in found.values():
            yield _progress(items, send, list(found.values()))


def _send(items: Items, node: Node, path: str) -> Send | None:
    """Read what makes a notification, of which a name or a key is part."""
    if node.type in ("string_literal", "string_content"):
        return _of_json(items, node.parent if node.type == "string_content" and node.parent is not None else node, path)
    above_ = node.parent
    if above_ is not None and above_.type == "token_tree":
        return _of_tokens(items, node, path)
    while above_ is not None and above_.type in ("scoped_identifier", "scoped_type_identifier"):
        above_ = parent_of(above_)
    if above_ is None or above_.type not in ("struct_expression", "call_expression"):
        return None
    if above_.type == "struct_expression":
        return _of_struct(above_, path) if PARAMS.match(last_segment(child(above_, "name") or above_)) else None
    given = arguments_of(above_)
    is_made = called(above_) == "new" and PARAMS.match(qualifier(above_) or "") is not None and len(given) > 1
    return Send(above_, path, given[0], bare(given[1]), _with_total(above_)) if is_made else None


def _of_struct(struct: Node, path: str) -> Send | None:
    given: dict[str, Node] = {}
    body = child(struct, "body")
    for each in body.named_children if body is not None else ():
        if each.type == "field_initializer":
            given[string_of(child(each, "field") or each)] = child(each, "value") or each
        elif each.type == "shorthand_field_initializer" and each.named_children:
            given[string_of(each)] = each.named_children[0]
    if "progress" not in given:
        return None
    return Send(struct, path, given.get("progress_token"), bare(given["progress"]), _some(given.get("total")))


def _with_total(made: Node) -> Node | None:
    """Give what the chain of calls on a notification sets as its total."""
    current: Node | None = made.parent
    while current is not None and current.type in ("field_expression", "call_expression"):
        if called(current) == "with_total" and arguments_of(current):
            return bare(arguments_of(current)[0])
        current = parent_of(current)
    return None


def _some(total: Node | None) -> Node | None:
    """Take `Some(..)` off."""
    if total is None or called(total) != "Some" or not arguments_of(total):
        return None
    return bare(arguments_of(total)[0])


def _of_tokens(items: Items, name: Node, path: str) -> Send | None:
    """Read a notification that is made among the tokens of a macro, as within `tokio::select!`."""
    tree, parts = name.next_sibling, []
    is_call = tree is not None and tree.type == "::"
    while tree is not None and tree.type != "token_tree":
        tree = tree.next_sibling if tree.type in ("::", "identifier") else None
    if tree is None:
        return None
    parts = [tokens.expression(items.sources[path], _value(part, is_call)) for part in tokens.split(tokens.inner(tree))]
    names = [string_of(part[0]) for part in tokens.split(tokens.inner(tree))]
    if is_call:
        return Send(name, path, parts[0], bare(parts[1]), None) if len(parts) > 1 else None
    given = dict(zip(names, parts, strict=True))
    value = given.get("progress")
    return (
        Send(name, path, given.get("progress_token"), bare(value), _some(given.get("total")))
        if value is not None
        else None
    )


def _value(part: list[Node], is_call: bool) -> list[Node]:
    named = not is_call and len(part) > 2 and part[1].type == ":"
    return part[2:] if named else part


def _of_json(items: Items, key: Node, path: str) -> Send | None:
    """Read the parameters of a hand-written notification: they have a token and a number."""
    tree = key.parent
    if string_value(key) != "progressToken" or tree is None or tree.type != "token_tree":
        return None
    given: dict[str, Node | None] = {}
    for part in tokens.split(tokens.inner(tree)):
        if len(part) > 2 and part[1].type in (":", "=>"):
            given[string_value(part[0]) or ""] = tokens.expression(items.sources[path], part[2:])
    value = given.get("progress")
    return Send(key, path, given["progressToken"], bare(value), given.get("total")) if value is not None else None


def _progress(items: Items, send: Send, others: list[Send]) -> Progress:
    source = items.sources[send.path]
    found = source_of(items, send.token, send.path) if send.token is not None else None
    place = text_of(items.sources[found.path], found.node) if found is not None else None
    beside = [(each.node, each.value) for each in others]
    return Progress(
        text_of(source, send.node),
        place if found is not None and found.way == "made" else None,
        place if found is not None and found.way == "unguarded" else None,
        text_of(source, send.value) if send.value is not None else None,
        *_run(course(send.node, send.value, send.total, beside)),
        every=_every(items, send),
    )


def _run(found: Course | None) -> tuple[tuple[Trend | None, ...], Trend | None, bool, bool]:
    """Return how the numbers run by the one word for it."""
    rounds: dict[Course | None, tuple[Trend | None, ...]] = {"same": ("stays",), "restarts": (None, "stays")}
    is_failed = found == "complete on failure"
    return rounds.get(found, ()), "falls" if found == "falls" else None, is_failed, is_failed


def _every(items: Items, send: Send) -> Text | None:
    """Find the loop that sends for each round of it, with nothing between that takes time or lets only some through."""
    function = function_around(send.node)
    if function is None or is_paced(function):
        return None
    loop = _tight(send.node)
    if loop is not None:
        return _head(items, loop, send.path)
    if loops(send.node) or not _always(send.node, None):
        return None
    for call, path in callers(items, function, send.path):
        if not is_paced(function_around(call)) and _tight(call) is not None:
            return text_of(items.sources[path], call)
    return None


def _head(items: Items, loop: Node, path: str) -> Text:
    place = child(loop, "value") or child(loop, "condition") or loop.children[0]
    return Text(string_of(loop).splitlines()[0].rstrip("{ "), items.span(path, place))


def _tight(send: Node) -> Node | None:
    for loop in loops(send):
        if loop.type == "loop_expression" or _is_small(loop) or ends_after(send, loop) or not _always(send, loop):
            continue
        if {"peer", "session", "client"} & targets_of(loop):
            continue
        condition = child(loop, "condition")
        is_stream = condition is not None and ".await" in string_of(condition)
        return loop if is_stream or not _takes_time(loop, send) else None
    return None


def _always(send: Node, loop: Node | None) -> bool:
    """Tell whether a place is passed in each round, however the rounds are counted."""
    return not any(
        STEPPING.search(string_of(test)) or re.search(r"[<>]", plain(test)) for test in conditions(send, loop)
    )


def _is_small(loop: Node) -> bool:
    over = child(loop, "value")
    text = plain(over)
    fixed = re.match(r"^\(?\s*\d+\s*\.\.=?\s*(\d+)\b", text)
    if fixed is not None:
        return int(fixed[1]) <= SMALL
    return over is not None and (re.match(r"^&?\s*\[(?!.*;)|^&?\s*(?:\w+::)*[A-Z][A-Z_\d]*\b", text) is not None)


def _takes_time(loop: Node, send: Node) -> bool:
    """Tell whether each round waits for something else than what is sent."""
    body = child(loop, "body")
    around = {each.id for each in above(send)}
    waits = of_kinds(body, "rust", "await_expression") if body is not None else []
    return any(wait.id not in around and not _sends(wait) for wait in waits)


def _sends(wait: Node) -> bool:
    call = wait.named_children[0] if wait.named_children else wait
    on = receiver(call)
    return called(call) in ("notify_progress", "send") or (on is not None and "peer" in string_of(on))
