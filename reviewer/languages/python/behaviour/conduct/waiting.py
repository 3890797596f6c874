"""Calls that surely last: loops that ask again until something is done, waits for jobs."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.waiting import TELLING
from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.pace import AGAIN, WAITING
from reviewer.languages.python.behaviour.conduct.graph import Call, Deed, Unit, Way
from reviewer.languages.python.behaviour.following import called
from reviewer.languages.python.behaviour.surroundings import above

SIGNS = re.compile(rb"sleep|wait|poll")
SLEEPING = re.compile(r"(?:asyncio|anyio|trio|time)(?:\.\w+)*\.sleep")
SHORT = re.compile(r"0?\.\d+|0(?:\.\d+)?")
"""Seconds after which nobody asks how far a thing is, even if it waits several times."""
SPAWNING = frozenset(
    "create_task ensure_future start_soon run_coroutine_threadsafe add_task Thread submit spawn".split()
)
LEAVING = ("return_statement", "break_statement")


def waits(unit: Unit) -> Iterator[Deed]:
    """Find what lasts in code that tells nobody how far it is."""
    if SIGNS.search(unit.text) is None or TELLING.search(unit.text) is not None:
        return
    for call in unit.calls:
        if WAITING.match(call.name) is not None or (call.name == "sleep" and _polls(unit, call)):
            yield Deed("waits", call.node)


def holds(way: Way) -> bool:
    """Tell whether the call itself waits on this way, and nobody on it tells how far it is."""
    for unit, call in way.through:
        spawned = any(called(each) in SPAWNING for each in above(call.node) if each.type == "call")
        if spawned or TELLING.search(unit.text) is not None:
            return False
    return True


def _polls(unit: Unit, call: Call) -> bool:
    """Tell whether a sleep lies between the rounds of a loop that ends when something is done."""
    first = call.argument("delay", 0)
    if SLEEPING.fullmatch(unit.path(call.function)) is None or (
        first is not None and SHORT.fullmatch(string_of(first))
    ):
        return False
    loop = None
    for each in above(call.node):
        if each.type == "except_clause":
            return False
        if each.type in ("while_statement", "for_statement"):
            loop = each
            break
    body = child(loop, "body")
    if loop is None or body is None or AGAIN.search(string_of(loop)) is not None or not _asks(call.node, loop):
        return False
    if loop.type == "for_statement":
        over = child(loop, "right")
        return called(over) in ("range", "count", "repeat") and bool(of_kinds(body, "python", *LEAVING))
    test = string_of(child(loop, "condition") or loop)
    return test not in ("True", "1") or bool(of_kinds(body, "python", *LEAVING))


def _asks(sleep: Node, loop: Node) -> bool:
    """Tell whether a loop does something else than sleep, in its head or in its body."""
    return any(
        each != sleep and called(each) not in ("sleep", "monotonic", "time", "range", "count", "repeat", "perf_counter")
        for each in of_kinds(loop, "python", "call")
    )
