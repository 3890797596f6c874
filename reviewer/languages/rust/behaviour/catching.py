"""Whether a panic leaves a function: where each value that the function answers with comes from.

A value is `covered` if it comes out of an expression that catches panics, `bare` if the code that makes it runs outside of one,
`inert` if nothing that could panic is known to make it. On the way there is the `future` that will catch, the `task` whose
end tells, and the result that was `caught` and not yet looked into.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from tree_sitter import Node

from reviewer.budget import current
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.rust.behaviour.origins import Origin, origin
from reviewer.languages.rust.behaviour.outcomes import OWN_FRAME, tails
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import arms_of, below, called, qualifier, receiver, targets
from reviewer.languages.rust.items import Item, Items
from reviewer.source import Text

DEPTH = 2
"""How many calls into the project are followed in search of an isolation."""

State = Literal["inert", "bare", "future", "task", "caught", "covered"]
Place = tuple[str, int]

SPAWNS = frozenset({"spawn", "spawn_blocking", "spawn_local", "spawn_on"})
RETHROWN = re.compile(r"\bresume_unwind\b|\b(panic|unreachable|todo|unimplemented)!|\bprocess::(abort|exit)\b")
AGAIN = frozenset({"unwrap", "expect", "unwrap_unchecked"})
"""Methods that panic anew where a panic was caught."""

STILL_A_RESULT = frozenset(
    "map_err or_else ok flatten and_then map inspect inspect_err as_ref context with_context".split()
)
KEPT = frozenset("boxed boxed_local fuse instrument in_current_span shared await".split())
WAITS = frozenset("read write lock acquire notified cancelled peer get recv ready".split())
"""What is awaited without running a handler."""

NO_REQUEST = frozenset("self context ctx cx peer action name tool_name action_name token ct".split())
CARRYING = re.compile(r"\b(params|args|arguments|request|req|input|payload)\b")
CATCHES = re.compile(r"\bcatch_unwind\b|CatchUnwind")
CHANNEL = re.compile(r"\bchannel\s*(::<[^;]*>)?\(")
UNNAMED = frozenset({"help", "schema"})
"""Actions that only tell of the others."""

COMPOSITE = frozenset(
    "struct_expression field_initializer_list field_initializer array_expression tuple_expression field_expression "
    "binary_expression index_expression type_cast_expression reference_expression parenthesized_expression".split()
)
BRANCHING = frozenset(
    "block async_block unsafe_block if_expression else_clause labeled_block expression_statement".split()
)


class Way(NamedTuple):
    """Where a value comes from; `by` is what catches panics there, `direct` whether it does so without a future."""

    state: State
    by: Text | None = None
    direct: bool = False


INERT, BARE = Way("inert"), Way("bare")


class Flow:
    """Follows values back to what makes them."""

    def __init__(self, items: Items) -> None:
        self.items = items
        self._open: set[Place] = set()
        self._rings = 0
        """How often a way came back to where it is looked at already; what was found meanwhile holds there only."""

    def of_function(self, item: Item, depth: int = DEPTH) -> Way:
        """Tell where the answers of a function come from."""
        body = child(item.node, "body")
        if body is None:
            return INERT
        here = (item.path, item.node.start_byte)
        return self._once(
            here, depth, lambda: self._joined(self.of(value, item.path, depth) for value in answers(body))
        )

    def of(self, node: Node, path: str, depth: int) -> Way:
        """Tell where a value comes from."""
        return self._once((path, node.id), depth, lambda: self._of(node, path, depth))

    def _once(self, here: Place, depth: int, look: Callable[[], Way]) -> Way:
        """Look at a place once, however many values come from there; not at all where it is being looked at."""
        key = ("where values come from", here, depth)
        if here in self._open:
            self._rings += 1
            return INERT
        if key in self.items.kept:
            found: Way = self.items.kept[key]
            return found
        self._open.add(here)
        before = self._rings
        try:
            found = look()
        finally:
            self._open.discard(here)
        if self._rings == before:
            self.items.kept[key] = found
        return found

    def _of(self, node: Node, path: str, depth: int) -> Way:
        match node.type:
            case "identifier":
                return self._named(node, path, depth)
            case "call_expression":
                return self._call(node, path, depth)
            case "await_expression":
                return self._awaited(node, path, depth)
            case "try_expression":
                inner = self.of(node.named_children[0], path, depth) if node.named_children else INERT
                return inner._replace(state="covered") if inner.state == "caught" else inner
            case "macro_invocation":
                return self._macro(node, path, depth)
            case "match_expression":
                return self._match(node, path, depth)
            case kind if kind in BRANCHING:
                return self._joined(self.of(value, path, depth) for value in answers(node))
            case kind if kind in COMPOSITE:
                return self._all(node.named_children, path, depth)
        return INERT

    def _all(self, nodes: Iterable[Node], path: str, depth: int) -> Way:
        """Join what stands within a value: it is covered if any part is."""
        ways = [self.of(each, path, depth) for each in nodes]
        return next((way for way in ways if way.by is not None), next((way for way in ways if way is BARE), INERT))

    def _joined(self, found: Iterable[Way]) -> Way:
        """Join the ways in which a value may come about: it is bare if any of them is."""
        ways = list(found)
        return next((way for way in ways if way is BARE), next((way for way in ways if way.by is not None), INERT))

    def _named(self, name: Node, path: str, depth: int) -> Way:
        found = origin(name)
        if found is None or found.pattern.startswith("Err"):
            return INERT
        if found.values and CHANNEL.search(string_of(found.values[0])) and _spawns(found.values[0]):
            return Way("task", text_of(self.items.sources[path], found.values[0]))
        way = self._joined(self.of(value, path, depth) for value in found.values)
        return self._looked_into(way, found)

    def _looked_into(self, way: Way, found: Origin) -> Way:
        """Tell what is left of a caught result once a pattern takes it apart."""
        if way.state != "caught" or not found.is_refutable:
            return way
        return BARE if any(RETHROWN.search(string_of(each)) for each in found.others) else way._replace(state="covered")

    def _match(self, match: Node, path: str, depth: int) -> Way:
        ways = []
        for arm in arms_of(match):
            value = child(arm, "value")
            if value is not None:
                found = [self.of(each, path, depth) for each in answers(value)]
                if all(way is INERT for way in found) and _is_handler(arm, value):
                    found = [BARE]
                ways += found
        return self._joined(ways)

    def _awaited(self, node: Node, path: str, depth: int) -> Way:
        waited = node.named_children[0] if node.named_children else None
        if waited is None:
            return INERT
        way = self.of(waited, path, depth)
        if way.state in ("future", "task"):
            return way._replace(state="caught")
        if way.direct:
            return BARE  # what was caught is the making of the future, not its run
        return BARE if way is INERT and _may_run_a_handler(waited) else way

    def _macro(self, node: Node, path: str, depth: int) -> Way:
        name = string_of(child(node, "macro") or node).rpartition("::")[2]
        written = [string_of(node), *(string_of(each.node) for each in self.items.declared(name, "macro"))]
        if any(CATCHES.search(each) for each in written):
            return Way("covered", text_of(self.items.sources[path], node))
        tokens = [each for each in below(node) if each.type == "identifier"]
        return next((way for each in tokens if (way := self.of(each, path, depth)).by is not None), INERT)

    def _call(self, call: Node, path: str, depth: int) -> Way:
        own = self._catching(call, path)
        if own is not None:
            return own
        on = receiver(call)
        if on is not None:
            way = self._method(call, self.of(on, path, depth))
            if way is not None:
                return way
        inner = self._called(call, path, depth)
        if inner.by is not None:
            return inner._replace(state="covered") if inner.state == "caught" else inner
        given = self._all(arguments_of(call), path, depth)
        if given.state in ("caught", "covered") and _is_waited(call) and _hands_on(call):
            return BARE  # what it is given was caught before, and not what it does
        return given if given is not INERT else inner

    def _catching(self, call: Node, path: str) -> Way | None:
        """Read a call that itself catches panics."""
        name, before, text = called(call) or "", qualifier(call) or "", text_of(self.items.sources[path], call)
        if name == "catch_unwind":
            direct = receiver(call) is None and before != "FutureExt"
            return Way("caught" if direct else "future", text, direct)
        if "CatchUnwind" in name or "CatchUnwind" in before:
            return Way("future", text)
        if name in SPAWNS and not (receiver(call) is not None and before):
            return Way("task", text)
        return Way("future", text) if name == "join_next" else None

    def _method(self, call: Node, on: Way) -> Way | None:
        """Tell what a method makes of what it is called on; None if that has no part in it."""
        name = called(call) or ""
        if on.state == "caught":
            if name in AGAIN or any(RETHROWN.search(string_of(each)) for each in arguments_of(call)):
                return BARE
            return on if name in STILL_A_RESULT else on._replace(state="covered")
        if on.state == "task" and name == "join":
            return on._replace(state="caught")
        if on.state in ("future", "task"):
            return on if name in KEPT else None
        return on if on is not INERT else None

    def _called(self, call: Node, path: str, depth: int) -> Way:
        if depth == 0:
            return INERT
        ways = [self.of_function(target, depth - 1) for target in targets(self.items, call, path)]
        return self._joined(ways)


def answers(body: Node) -> Iterator[Node]:
    """Find the values that a body ends in or returns early, errors left out."""
    if body.type == "match_expression":
        yield body
        return
    yield from _ends(body)
    for each in below(body, OWN_FRAME):
        if each.type == "return_expression":
            yield from (value for inner in each.named_children for value in _ends(inner))


def _ends(node: Node) -> Iterator[Node]:
    """Find the values that an expression ends in; a match among them stands whole."""
    last = _last_match(node)
    yield from (last,) if last is not None else (_waited(value) for value in tails(node))


def _waited(value: Node) -> Node:
    """Give a value with the wait for it, which makes a result of a future."""
    above = value.parent
    while above is not None and above.type in ("await_expression", "parenthesized_expression"):
        value, above = above, parent_of(above)
    return value


def _last_match(node: Node) -> Node | None:
    """Give the match that a block or an expression ends in."""
    while node.type in ("block", "expression_statement", "return_expression"):
        current().spend("visits")
        if node.type != "block" and node.children[-1].type == ";":
            return None
        parts = [part for part in node.named_children if not part.type.endswith("_comment")]
        if not parts:
            return None
        node = parts[-1]
    return node if node.type == "match_expression" else None


def _is_handler(arm: Node, value: Node) -> bool:
    """Tell whether an arm is chosen by a name and hands the request to a function."""
    pattern = child(arm, "pattern")
    names = [string_of(each).strip('"') for each in below(pattern) if each.type == "string_literal"] if pattern else []
    calls = (each for each in below(value) if each.type == "call_expression")
    return bool(names) and not UNNAMED.intersection(names) and any(_hands_on(call) for call in calls)


def _hands_on(call: Node) -> bool:
    return (called(call) or "E")[:1].islower() and any(
        CARRYING.fullmatch(string_of(each).removeprefix("&").removesuffix(".clone()")) for each in arguments_of(call)
    )


def _is_waited(call: Node) -> bool:
    return call.parent is not None and call.parent.type == "await_expression"


def _may_run_a_handler(waited: Node) -> bool:
    """Tell whether what is awaited is a call that is given more than the action's name and the context."""
    if waited.type != "call_expression":
        return False
    given = arguments_of(waited)
    if receiver(waited) is not None and not given and called(waited) in WAITS:
        return False
    names = {string_of(each) for part in given for each in below(part) if each.type in ("identifier", "self")}
    return not given or bool(names - NO_REQUEST)


def _spawns(node: Node) -> bool:
    """Tell whether the function around a node starts a task."""
    function: Node | None = node
    while function is not None and function.type != "function_item":
        function = parent_of(function)
    return function is not None and any(
        each.type == "call_expression" and called(each) in SPAWNS for each in below(function)
    )
