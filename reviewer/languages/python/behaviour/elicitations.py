"""Places that ask the user before an action is carried out, and whether the way to destructive actions leads through them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from tree_sitter import Node

from reviewer.facts import Catalog, Dispatch, Elicitation
from reviewer.languages.nodes import child, string_of
from reviewer.languages.python.behaviour import following, refusals
from reviewer.languages.python.behaviour.circumspection import Tests
from reviewer.languages.python.behaviour.following import Place, below, called, callee, enclosing, receiver
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.vocabulary import HANDING_ON
from reviewer.source import Text

ASKING = re.compile(r"^(elicit(_form|_url|_with_\w+)?|create_elicitation|request_elicitation)$")
ACTION = re.compile(r"\b(action|request|arguments)\b")
HIGHEST = 4
"""How many callers are climbed from the place that asks."""
MOST = 40
"""A function that is called more often is not followed to all its callers."""
DEEPEST = 4
"""How many calls into the project may lie between a function and the dispatch that it leads to."""

_Key = tuple[str, int]
_Actions = frozenset[str] | None
"""The actions that code may carry out: an empty set if that cannot be told, None if it carries out none."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call on the way from the place that asks up to the one where calls come in, and the function it stands in."""

    call: Node
    function: Place


@dataclass(slots=True)
class Search:
    """What is known of a project while its elicitations are looked at."""

    run: Evaluator
    tests: Tests
    dispatches: dict[_Key, Dispatch]
    names: frozenset[str]
    reached: dict[_Key, _Actions] = field(default_factory=dict)
    named: dict[str, dict[str, list[Node]]] = field(default_factory=dict)
    """The calls in a file by the last name of what is called."""

    def calls(self, name: str) -> Iterator[tuple[Node, Module]]:
        """Find the calls of whatever has a name."""
        for module in following.own(self.run, name.encode()):
            if module.path not in self.named:
                table = self.named[module.path] = {}
                for node in below(module.root):
                    if node.type == "call":
                        table.setdefault(called(node), []).append(node)
            yield from ((node, module) for node in self.named[module.path].get(name, ()))

    def leads(self, call: Node, module: Module) -> bool:
        """Tell whether a call leads to the code that carries actions out."""
        return self.behind(call, module) is not None

    def behind(self, call: Node, module: Module, depth: int = 0) -> _Actions:
        """Name the actions that a call may carry out."""
        place = self.target(call, module) if depth < DEEPEST else None
        if place is not None:
            return self.of_function(place, depth + 1)
        name = called(call)
        given = string_of(child(call, "arguments") or call)
        return frozenset() if name in self.names or (HANDING_ON.search(name) and ACTION.search(given)) else None

    def target(self, call: Node, module: Module) -> Place | None:
        """Find the function of the project that a call enters."""
        return callee(self.run, call, following.scope(self.run, module))

    def of_function(self, place: Place, depth: int = 0) -> _Actions:
        """Name the actions that a function may carry out."""
        key = (place.module.path, place.node.start_byte)
        if key in self.reached or depth > DEEPEST:
            return self.reached.get(key)
        self.reached[key] = None
        calls = [each for each in below(place.node) if each.type == "call"]
        found = [each for call in calls if (each := self.behind(call, place.module, depth)) is not None]
        dispatch = self.dispatches.get(line_of(place))
        if dispatch is not None:
            self.reached[key] = frozenset(str(arm.name) for arm in dispatch.arms).union(*found)
        elif found:
            self.reached[key] = _joined(found)
        return self.reached[key]


def _joined(found: list[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*found) if all(found) else frozenset()


def line_of(place: Place) -> _Key:
    """Give the path and the line of a function."""
    return place.module.path, place.module.span(place.node).line


def elicitations(
    run: Evaluator, catalogs: tuple[Catalog, ...], dispatches: tuple[Dispatch, ...]
) -> Iterator[Elicitation]:
    """Find where a user is asked, if there is something destructive to ask about."""
    rows = [row for table in catalogs for row in table.actions]
    known = {*(str(row.name) for row in rows), *(str(arm.name) for each in dispatches for arm in each.arms)}
    destructive = frozenset(str(row.name) for row in rows if row.destructive is True)
    asking = list(following.own(run, b"elicit")) if destructive else []
    search = Search(
        run,
        Tests(run, frozenset(known), destructive),
        {(each.span.path, each.span.line): each for each in dispatches},
        frozenset(str(each.name) for each in dispatches),
    )
    for module in asking:
        for node in below(module.root):
            if node.type == "call" and ASKING.match(called(node)) and receiver(node) is not None:
                function = enclosing(node)
                if function is not None and search.target(node, module) is None:
                    yield _elicitation(search, Step(node, Place(function, module)))


def _elicitation(search: Search, first: Step) -> Elicitation:
    """Follow a question up to where actions are carried out."""
    module = first.function.module
    text = Text(string_of(first.call), module.span(first.call))
    ways = [way for way in _ways(search, [first], frozenset()) if way is not None]
    if not ways:
        return Elicitation(text, reached=False)
    before: set[str] = set().union(*(names for names, _ in ways))
    heedless = next((found for _, found in ways if found is not None), None)
    everywhere = any(not names for names, _ in ways)
    return Elicitation(text, True, heedless, () if everywhere else tuple(sorted(before)))


_Way = tuple[frozenset[str], Text | None]
"""The actions before which is asked (none named: all), and the branch that goes on nevertheless."""


def _ways(search: Search, steps: list[Step], seen: frozenset[_Key]) -> Iterator[_Way | None]:
    """Give each way up on which the question stands before the dispatch."""
    last = steps[-1]
    here = (last.function.module.path, last.function.node.start_byte)
    if here in seen or len(steps) > HIGHEST:
        return
    after = _carried_out(search, last)
    if after is not None:
        yield _judged(search, steps, after)
        return
    for call, module in _calls_of(search, last.function):
        function = enclosing(call)
        if function is not None:
            yield from _ways(search, [*steps, Step(call, Place(function, module))], seen | {here})


def _carried_out(search: Search, step: Step) -> _Actions:
    """Name the actions that a function carries out after a call in it."""
    module = step.function.module
    dispatch = search.dispatches.get(line_of(step.function))
    found: list[frozenset[str]] = []
    if dispatch is not None:
        line = module.span(step.call).line
        arms = [str(arm.name) for arm in dispatch.arms if arm.span.path == module.path]
        here = [str(arm.name) for arm in dispatch.arms if arm.span.line <= line <= arm.span.end_line]
        later = [str(arm.name) for arm in dispatch.arms if arm.span.line > line]
        if arms and here:
            return frozenset(here)
        found += [frozenset(later)] if arms and later else []
    found += [
        names
        for each in below(step.function.node)
        if each.type == "call" and each.start_byte >= step.call.end_byte
        if (names := search.behind(each, module)) is not None
    ]
    return _joined(found) if found else None


def _judged(search: Search, steps: list[Step], after: frozenset[str]) -> _Way | None:
    """Read the tests that a question stands under, and what becomes of its answer; None if it is asked of others."""
    verdict = search.tests.under([(step.call, step.function) for step in steps])
    if verdict is None:
        return None
    found = ((refusals.goes_on(search, step.call, step.function), step.function.module) for step in steps)
    heedless = next((Text(string_of(node), module.span(node)) for node, module in found if node is not None), None)
    return (verdict & after if verdict and after else verdict or after), heedless


def _calls_of(search: Search, function: Place) -> Iterator[tuple[Node, Module]]:
    """Find the calls of a function."""
    for node, module in islice(search.calls(string_of(child(function.node, "name") or function.node)), MOST):
        target = search.target(node, module)
        if target is None or target.node == function.node:
            yield node, module
