"""Places that ask the user before an action is carried out, and whether the way to destructive actions leads through them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from tree_sitter import Node

from reviewer.facts import Catalog, Dispatch, Elicitation
from reviewer.languages.nodes import child, parent_of, span_of, string_of, text_of
from reviewer.languages.rust.behaviour import refusals
from reviewer.languages.rust.behaviour.circumspection import Tests
from reviewer.languages.rust.callees import below, called, receiver, targets
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.uses import segments
from reviewer.languages.vocabulary import HANDING_ON
from reviewer.source import Text

ASKING = re.compile(rb"\b(elicit\w*|create_elicitation|request_elicitation)\s*(?:::\s*<|\()")
ACTION = re.compile(r"(^|[^a-zA-Z])(action|request|params)\b")
HIGHEST = 4
"""How many callers are climbed from the place that asks."""
MOST = 40
"""A function that is called more often is not followed to all its callers."""
DEEPEST = 4
"""How many calls into the project may lie between a function and the dispatch that it leads to."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A call on the way from the place that asks up to the one where calls come in, and the function it stands in."""

    call: Node
    function: Item


@dataclass(slots=True)
class Search:
    """What is known of a project while its elicitations are looked at; `reached` are the actions behind a function."""

    items: Items
    tests: Tests
    dispatches: dict[tuple[str, int], Dispatch]
    names: frozenset[str]
    reached: dict[tuple[str, int], frozenset[str] | None] = field(default_factory=dict)

    def leads(self, call: Node, path: str) -> bool:
        """Tell whether a call leads to the code that carries actions out."""
        return self.behind(call, path) is not None

    def behind(self, call: Node, path: str, depth: int = 0) -> frozenset[str] | None:
        """Name the actions that a call may carry out: an empty set if that cannot be told, None if it leads to none."""
        found = [self.of_function(each, depth + 1) for each in self._targets(call, path)] if depth < DEEPEST else []
        known = [each for each in found if each is not None]
        if known:
            return frozenset().union(*known) if all(known) else frozenset()
        name = called(call) or string_of(child(call, "function") or call)
        given = string_of(child(call, "arguments") or call)
        unread = not found and HANDING_ON.search(name) is not None and ACTION.search(given) is not None
        return frozenset() if name in self.names or unread else None

    def _targets(self, call: Node, path: str) -> list[Item]:
        """Find what a call reaches, a path taken for what its modules say."""
        function = child(call, "function")
        meant = None
        if function is not None and function.type == "scoped_identifier":
            meant = self.items.resolve(segments(function), path, "fn", near=call)
        return [meant] if isinstance(meant, Item) else targets(self.items, call, path)

    def of_function(self, item: Item, depth: int = 0) -> frozenset[str] | None:
        """Name the actions that a function may carry out, as `behind` does."""
        key = (item.path, item.node.start_byte)
        if key in self.reached or depth > DEEPEST:
            return self.reached.get(key)
        self.reached[key] = None
        dispatch = self.dispatches.get(_line_of(item))
        body = child(item.node, "body")
        calls = [each for each in below(body) if each.type == "call_expression"] if body is not None else []
        found = [each for call in calls if (each := self.behind(call, item.path, depth)) is not None]
        if dispatch is not None:
            own = frozenset(str(arm.name) for arm in dispatch.arms)
            self.reached[key] = own.union(*found)
        elif found:
            self.reached[key] = frozenset().union(*found) if all(found) else frozenset()
        return self.reached[key]


def elicitations(
    items: Items, catalogs: tuple[Catalog, ...], dispatches: tuple[Dispatch, ...]
) -> Iterator[Elicitation]:
    """Find where a user is asked, if there is something destructive to ask about."""
    rows = [row for table in catalogs for row in table.actions]
    known = {*(str(row.name) for row in rows), *(str(arm.name) for each in dispatches for arm in each.arms)}
    destructive = frozenset(str(row.name) for row in rows if row.destructive is True)
    search = Search(
        items,
        Tests(items, frozenset(known), destructive),
        {(each.span.path, each.span.line): each for each in dispatches},
        frozenset(str(each.name) for each in dispatches),
    )
    for path in items.mentioning(ASKING) if destructive else ():
        for call in _asking(items, path):
            function = _function(items, call, path)
            if function is not None:
                yield _elicitation(search, _Step(call, function))


def _asking(items: Items, path: str) -> Iterator[Node]:
    """Find the calls that ask: those of the SDK, or of a function that is not in the project."""
    for found in ASKING.finditer(items.sources[path].data):
        call = call_at(items, path, *found.span(1))
        name = found[1].decode()
        if call is None or in_test(call):
            continue
        own = [each for each in items.functions(name) if child(each.node, "body") is not None]
        if not own or (call.type == "call_expression" and receiver(call) is not None and name == "elicit"):
            yield call


def call_at(items: Items, path: str, start: int, end: int) -> Node | None:
    """Give the call whose name stands at some bytes; within a macro the macro stands for it."""
    node = items.root(path).descendant_for_byte_range(start, end)
    while node is not None and node.type in _NAMING:
        if node.parent is not None and node.parent.type == "call_expression":
            return node.parent if child(node.parent, "function") == node else None
        node = parent_of(node)
    while node is not None and node.type == "token_tree":
        node = parent_of(node)
    return node if node is not None and node.type == "macro_invocation" else None


_NAMING = frozenset({"identifier", "field_identifier", "field_expression", "scoped_identifier", "generic_function"})


def _function(items: Items, node: Node, path: str) -> Item | None:
    above = node.parent
    while above is not None and above.type != "function_item":
        above = parent_of(above)
    return Item(path, above, items.sources[path]) if above is not None else None


def _line_of(item: Item) -> tuple[str, int]:
    return item.path, span_of(item.source, item.node).line


def _elicitation(search: Search, first: _Step) -> Elicitation:
    """Follow a question up to where actions are carried out."""
    text = text_of(first.function.source, first.call)
    ways = [way for way in _ways(search, [first], frozenset()) if way is not None]
    if not ways:
        return Elicitation(text, reached=False)
    before: set[str] = set().union(*(names for names, _ in ways))
    heedless = next((found for _, found in ways if found is not None), None)
    everywhere = any(not names for names, _ in ways)
    return Elicitation(text, True, heedless, () if everywhere else tuple(sorted(before)))


_Way = tuple[frozenset[str], Text | None]
"""The actions before which is asked (none named: all), and the branch that goes on nevertheless."""


def _ways(search: Search, steps: list[_Step], seen: frozenset[tuple[str, int]]) -> Iterator[_Way | None]:
    """Give each way up on which the question stands before the dispatch."""
    last = steps[-1]
    here = (last.function.path, last.function.node.start_byte)
    if here in seen or len(steps) > HIGHEST:
        return
    after = _carried_out(search, last)
    if after is not None:
        yield _judged(search, steps, after)
        return
    for call, path in islice(_calls_of(search.items, last.function), MOST):
        function = _function(search.items, call, path)
        if function is not None:
            yield from _ways(search, [*steps, _Step(call, function)], seen | {here})


def _carried_out(search: Search, step: _Step) -> frozenset[str] | None:
    """Name the actions that a function carries out after a call in it, as `behind` does."""
    path = step.function.path
    dispatch = search.dispatches.get(_line_of(step.function))
    later: frozenset[str] = frozenset()
    if dispatch is not None:
        line = span_of(step.function.source, step.call).line
        arms = [str(arm.name) for arm in dispatch.arms if arm.span.line <= line <= arm.span.end_line]
        if arms:
            return frozenset(arms)
        later = frozenset(str(arm.name) for arm in dispatch.arms if arm.span.line > line)
    found = [later] if later else []
    found += [
        names
        for each in below(child(step.function.node, "body") or step.function.node)
        if each.type == "call_expression"
        and each.start_byte >= step.call.end_byte
        and (names := search.behind(each, path)) is not None
    ]
    if not found:
        return None
    return frozenset().union(*found) if all(found) else frozenset()


def _judged(search: Search, steps: list[_Step], after: frozenset[str]) -> _Way | None:
    """Read the tests that a question stands under, and what becomes of its answer; None if it is asked of others."""
    verdict = search.tests.under([(step.call, step.function) for step in steps])
    if verdict is None:
        return None
    heedless = next(
        (
            text_of(step.function.source, found)
            for step in steps
            if (found := refusals.goes_on(search, step.call, step.function)) is not None
        ),
        None,
    )
    return (verdict & after if verdict and after else verdict or after), heedless


def _calls_of(items: Items, function: Item) -> Iterator[tuple[Node, str]]:
    """Find the calls of a function."""
    name = function.name
    pattern = re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*(?:::\s*<[^()]*>)?\s*\(")
    for path in items.mentioning(pattern):
        for found in pattern.finditer(items.sources[path].data):
            call = call_at(items, path, found.start(), found.start() + len(name.encode()))
            if call is not None and not in_test(call) and _means(items, call, path, function):
                yield call, path


def _means(items: Items, call: Node, path: str, function: Item) -> bool:
    if call.type != "call_expression" or receiver(call) is not None:
        return True
    reached = targets(items, call, path)
    return not reached or any(each.node == function.node for each in reached)
