"""Handlers of exceptions that take the cancellation of a call, and go on."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.graph import Deed, Unit, is_plain, target, unit_at
from reviewer.languages.python.behaviour.following import below, enclosing

CANCELLED = re.compile(
    r"asyncio(?:\.exceptions)?\.CancelledError|builtins\.BaseException|BaseException|anyio\.get_cancelled_exc_class\(\)"
)
WAITING = ("await", "with_statement", "for_statement")
SIGNS = re.compile(rb"CancelledError|BaseException|except ?:|get_cancelled_exc_class")
DEEPEST = 3
UNWRITTEN = re.compile(rb"^\s*(?:\"\"\".*?\"\"\"\s*)?(?:\.\.\.|pass)\s*$|NotImplemented", re.DOTALL)
"""The body of a method that subclasses write."""

LEAVING = ("raise_statement",)
CANCELS = re.compile(rb"\.(?:cancel|aclose|shutdown|close|terminate|kill)\(")


def swallows(unit: Unit) -> Iterator[Deed]:
    """Find the clauses around something awaited that take the cancellation and do not raise it on."""
    if not unit.is_async or not unit.module.mentions(SIGNS):
        return
    for tried in unit.nodes("try_statement"):
        body = child(tried, "body")
        if body is None or not _waits(unit, body) or _waits_for_what_it_cancels(tried, body):
            continue
        for clause in children(tried):
            if clause.type == "except_clause" and _takes(unit, clause):
                if not (_raises(unit, clause) or _cancels(clause)):
                    yield Deed("swallows cancellation", _head(clause))
                break  # what stands below it never sees the cancellation
    for call in unit.calls:
        if call.name == "suppress" and unit.path(call.function) == "contextlib.suppress":
            block = _block_of(call.node)
            is_taken = any(CANCELLED.fullmatch(unit.path(part)) for part in call.positional)
            kept = block is None or _waits_for_what_it_cancels(block, block) or _is_raised_on(call.node)
            if is_taken and block is not None and _waits(unit, block) and not kept:
                yield Deed("swallows cancellation", call.node)


def _raises(unit: Unit, clause: Node) -> bool:
    """Tell whether a clause raises: itself, by what it hands the exception to, or after it by what it notes."""
    if any(unit.holds(each) for each in of_kinds(clause, "python", *LEAVING)):
        return True
    value = child(clause, "value")
    alias = string_of(child(value, "alias") or value) if value is not None and value.type == "as_pattern" else ""
    for call in unit.calls if alias else ():
        within = clause.start_byte <= call.node.start_byte < clause.end_byte
        place = target(unit, call) if within and alias in map(string_of, call.positional) else None
        if place is not None and b"raise" in (place.node.text or b""):
            return True
    noted = {string_of(child(each, "left") or each) for each in of_kinds(clause, "python", "assignment")}
    return any(
        each.start_byte > clause.end_byte
        and not noted.isdisjoint(string_of(part) for part in of_kinds(each, "python", "identifier"))
        and next(iter(of_kinds(each, "python", *LEAVING)), None) is not None
        for each in unit.nodes("if_statement")
    )


def _is_raised_on(node: Node) -> bool:
    """Tell whether a place lies in a clause that raises what it caught once more, when it is done."""
    clause = enclosing(node, "except_clause")
    last = children(children(clause)[-1])[-1:] if clause is not None and children(clause) else []
    return bool(last) and last[0].type in LEAVING


def _head(clause: Node) -> Node:
    """Give what a clause names, or the clause if it names nothing."""
    return child(clause, "value") or clause


def _takes(unit: Unit, clause: Node) -> bool:
    value = child(clause, "value")
    if value is None:
        return True
    named = children(value)[0] if value.type == "as_pattern" else value
    parts = children(named) if named.type == "tuple" else [named]
    return any(CANCELLED.fullmatch(unit.path(part)) for part in parts)


def _waits(unit: Unit, body: Node, depth: int = 0) -> bool:
    """Tell whether something is awaited in a block that can be cancelled while it waits."""
    for each in of_kinds(body, "python", *WAITING):
        waits = _suspends(unit, each, depth) if each.type == "await" else each.children[0].type == "async"
        if waits and unit.holds(each):
            return True
    return False


def _suspends(unit: Unit, awaited: Node, depth: int) -> bool:
    """Tell whether something awaited may give way to others: not a function of the project that itself awaits nothing."""
    made = unit.call_at(children(awaited)[0]) if children(awaited) else None
    place = target(unit, made) if made is not None and depth < DEEPEST else None
    body = child(place.node, "body") if place is not None else None
    if place is None or body is None or not is_plain(place.node) or UNWRITTEN.search(body.text or b"") is not None:
        return True
    return place.node.children[0].type != "async" or _waits(unit_at(unit.run, place.module, body), body, depth + 1)


def _waits_for_what_it_cancels(tried: Node, body: Node) -> bool:
    """Tell whether all that is awaited is a task which the code itself has cancelled before."""
    awaited = [children(each)[0] for each in below(body) if each.type == "await" and children(each)]
    if not awaited:
        return False
    names = {_base(each) for each in awaited}
    before = tried
    while (above := parent_of(before)) is not None and above.type != "function_definition":
        before = above
    earlier = (before.text or b"")[: body.end_byte - before.start_byte].decode("utf-8", "replace")
    return all(
        name and re.search(rf"{re.escape(name)}\.cancel\(|for {re.escape(name)} in[^\n]*\n\s+\w+\.cancel\(", earlier)
        for name in names
    )


def _base(awaited: Node) -> str:
    """Name what is awaited: the task itself, or the first that `gather` or `wait_for` is given."""
    if awaited.type == "call":
        given = child(awaited, "arguments")
        inner = (
            next((part for part in children(given) if part.type != "keyword_argument"), None)
            if given is not None
            else None
        )
        inner = children(inner)[0] if inner is not None and inner.type == "list_splat" and children(inner) else inner
        return string_of(inner) if inner is not None and inner.type in ("identifier", "attribute") else ""
    return string_of(awaited)


def _cancels(clause: Node) -> bool:
    """Tell whether a clause itself stops what runs on, and then ends."""
    return CANCELS.search(clause.text or b"") is not None and b"uncancel" in (clause.text or b"")


def _block_of(call: Node) -> Node | None:
    """Give the block of the `with` that a call opens."""
    above = call.parent
    while above is not None and above.type in ("with_item", "with_clause", "as_pattern"):
        above = parent_of(above)
    return child(above, "body") if above is not None and above.type == "with_statement" else None
