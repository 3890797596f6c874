"""Progress notifications: whose token they bear, how their numbers run, and how often they are sent."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Progress
from reviewer.facts.protocol import Course
from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.pace import STEPPING
from reviewer.languages.python.behaviour.courses import course
from reviewer.languages.python.behaviour.following import arguments, called, near, own, receiver
from reviewer.languages.python.behaviour.progress_tokens import is_key, made_of, unguarded
from reviewer.languages.python.behaviour.surroundings import (
    above,
    callers,
    conditions,
    ends_after,
    function_of,
    is_paced,
    loops,
    names,
    plain,
    targets,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.numerals import integer
from reviewer.source import Text

SIGNS = (b"report_progress", b"send_progress_notification", b"ProgressNotificationParams", b"progressToken")
SIGNED = (*SIGNS, b"progress_token")
REPORTING = re.compile(r"ctx|context|session", re.IGNORECASE)
SMALL = 200
"""Rounds. A loop that surely has no more is bounded."""


class Send(NamedTuple):
    """A place that sends progress: its call or dictionary, and what it says."""

    node: Node
    module: Module
    token: Node | None
    value: Node | None
    total: Node | None


def progress(run: Evaluator) -> Iterator[Progress]:
    """Find where progress is sent."""
    for module in own(run, *SIGNS):
        found = [send for node in near(module, SIGNED, "call", "pair") for send in _sends(node, module)]
        for send in found:
            yield _progress(run, send, found)


def _sends(node: Node, module: Module) -> Iterator[Send]:
    if node.type == "pair":
        yield from _of_dictionary(node, module)
        return
    positional, keywords = arguments(node)
    token = keywords.get("progress_token") or keywords.get("progressToken")
    value, total = keywords.get("progress"), keywords.get("total")
    match called(node):
        case "report_progress":
            on = receiver(node)
            if on is not None and REPORTING.search(string_of(on)) and "super" not in string_of(on):
                given = dict(enumerate(positional))
                yield Send(node, module, None, value or given.get(0), total or given.get(1))
        case "send_progress_notification":
            given = dict(enumerate(positional))
            yield Send(node, module, token or given.get(0), value or given.get(1), total or given.get(2))
        case "ProgressNotificationParams" if token is not None:
            yield Send(node, module, token, value, total)


def _of_dictionary(pair: Node, module: Module) -> Iterator[Send]:
    """Read the parameters of a hand-written notification: they have a token and a number."""
    held = pair.parent
    if not is_key(pair) or held is None:
        return
    given = {
        string_value(child(each, "key") or each): child(each, "value") for each in children(held) if each.type == "pair"
    }
    if "progress" in given:
        yield Send(held, module, child(pair, "value"), given["progress"], given.get("total"))


def _progress(run: Evaluator, send: Send, others: list[Send]) -> Progress:
    module = send.module

    def text(node: Node | None) -> Text | None:
        return Text(string_of(node), module.span(node)) if node is not None else None

    site = made_of(run, send.token, module) if send.token is not None else None
    made = Text(string_of(site.node), site.module.span(site.node)) if site is not None else None
    open_ = send.token is not None and site is None and unguarded(send.node, send.token)
    running: Course | None = course(
        send.node, send.value, send.total, [each.node for each in others], _value_of(others)
    )
    return Progress(
        Text(string_of(send.node), module.span(send.node)),
        made,
        text(send.token) if open_ else None,
        text(send.value),
        running,
        _every(run, send),
    )


def _value_of(sends: list[Send]) -> dict[int, Node]:
    return {send.node.id: send.value for send in sends if send.value is not None}


def _every(run: Evaluator, send: Send) -> Text | None:
    """Find the loop that sends for each round of it, with nothing between that takes time or lets only some through."""
    loop = _tight(send.node)
    if loop is not None:
        return Text(
            string_of(loop).splitlines()[0], send.module.span(child(loop, "right") or child(loop, "condition") or loop)
        )
    function = function_of(send.node)
    if function is None or function.type == "lambda" or loops(send.node) or not _always(send.node, None):
        return None
    if is_paced(function):
        return None
    for site in callers(run, function):
        if _tight(site.node) is not None:
            return Text(string_of(site.node), site.module.span(site.node))
    return None


def _tight(send: Node) -> Node | None:
    for loop in loops(send):
        if is_paced(function_of(send)) or _is_small(loop) or ends_after(send, loop):
            continue
        if targets(loop) & names(receiver(send) or send.children[0]) or not _always(send, loop):
            continue
        return loop if string_of(loop).startswith("async") or not _takes_time(loop, send) else None
    return None


def _always(send: Node, loop: Node | None) -> bool:
    """Tell whether a place is passed in each round, however the rounds are counted."""
    return not any(
        STEPPING.search(string_of(test)) or ">" in plain(test) or "<" in plain(test) for test in conditions(send, loop)
    )


def _is_small(loop: Node) -> bool:
    over = child(loop, "right")
    if over is None:
        return False
    if called(over) == "enumerate" and arguments(over)[0]:
        over = arguments(over)[0][0]
    if over.type in ("tuple", "list"):
        return True
    numbers = [string_of(each) for each in arguments(over)[0]] if called(over) == "range" else []
    is_fixed = bool(numbers) and all(each.isdecimal() and integer(each) <= SMALL for each in numbers)
    return is_fixed or string_of(over).rpartition(".")[2].isupper()


def _takes_time(loop: Node, send: Node) -> bool:
    """Tell whether each round waits for something else than what is sent."""
    body = child(loop, "body")
    waits = of_kinds(body, "python", "await", "with_statement") if body is not None else []
    around = {each.id for each in above(send)} | {send.id}
    return any(
        wait.id not in around and (wait.type == "await" or string_of(wait).startswith("async")) for wait in waits
    )
