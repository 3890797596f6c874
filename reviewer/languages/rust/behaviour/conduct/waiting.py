"""Calls that surely last: loops that ask again until something is done, waits for jobs, commands that take their time."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.pace import AGAIN, LONG, TELLING, WAITING
from reviewer.languages.rust.behaviour.conduct.commands import commands
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called
from reviewer.languages.rust.literals import string_value

LOOPS = frozenset({"loop_expression", "while_expression", "for_expression"})
SHORT = re.compile(r"from_(?:millis\(\s*\d{1,3}\s*\)|micros|nanos)")
"""Waits of less than a second, of which nobody asks how far a thing is."""
NOT_ASKING = frozenset("sleep sleep_until tick interval from_secs from_millis now elapsed".split())


def waits(stretch: Stretch) -> Iterator[Act]:
    """Find what lasts in code that tells nobody how far it is."""
    if TELLING.search(stretch.code.node.text or b"") is not None:
        return
    for call in stretch.calls:
        name = called(call) or ""
        is_polling = name in ("sleep", "sleep_until", "tick") and _polls(stretch, call)
        if (is_polling or WAITING.match(name) is not None) and stretch.placed(call) == "call":
            yield Act("waits", stretch.code.text(call))
    for command in commands(stretch):
        ends = [each for each in command.ends if called(each) != "spawn"]
        if ends and stretch.placed(command.start) == "call" and LONG.match(_words(stretch, command.start)) is not None:
            yield Act("waits", stretch.code.text(ends[0]))


def _polls(stretch: Stretch, sleep: Node) -> bool:
    """Tell whether a sleep lies between the rounds of a loop that ends when something is done."""
    loop = next((each for each in stretch.code.around(sleep) if each.type in LOOPS), None)
    body = child(loop, "body")
    if loop is None or body is None or AGAIN.search(string_of(loop)) is not None or SHORT.search(string_of(sleep)):
        return False
    asked = (each for each in of_kinds(loop, "rust", "call_expression") if called(each) not in NOT_ASKING)
    if not any(True for _ in asked):
        return False
    leaves = bool(of_kinds(body, "rust", "break_expression", "return_expression"))
    if loop.type == "for_expression":
        return leaves and ".." in string_of(child(loop, "value") or loop)
    return leaves or loop.type == "while_expression"


def _words(stretch: Stretch, start: Node) -> str:
    """Give the words of a command as they are written: its program and its first arguments."""
    found = [string_value(each) or "" for each in arguments_of(start) if each.type == "string_literal"]
    for each in stretch.code.around(start):
        if each.type == "call_expression" and called(each) in ("arg", "args"):
            found += [
                string_value(one) or "" for one in of_kinds(child(each, "arguments") or each, "rust", "string_literal")
            ]
        elif each.type not in ("call_expression", "field_expression"):
            break
    return " ".join(found)
