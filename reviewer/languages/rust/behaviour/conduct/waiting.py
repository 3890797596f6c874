"""Calls that surely last: loops that ask again until something is done, waits for jobs."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.waiting import TELLING
from reviewer.facts import Act
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.pace import AGAIN, WAITING
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.callees import called

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
