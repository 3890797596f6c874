"""The way of a service from where it is made to where it is served, and what is laid around it on that way."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, calls, receiver, targets
from reviewer.languages.rust.items import Item, Items, in_test

LAYERING = frozenset({"layer", "route_layer", "wrap", "wrap_fn", "with", "hoop"})
"""Methods that lay a middleware around what they are called on."""

SERVES = re.compile(r"^(serve\w*|bind\w*|run\w*|from_tcp\w*|launch|start)$")
WRAPPING = frozenset({"new", "bearer", "basic", "custom"})
MAPPING = frozenset({"map", "map_or", "map_or_else", "and_then", "then", "inspect"})
DEPTH = 3
"""How many functions of the project a service is followed through."""

ENDS = frozenset({"function_item", "source_file"})
Held = tuple[Node, str]
"""A piece of code and the file that it stands in."""


@dataclass(eq=False)
class Trail:
    """What was met on the way: layers, the functions that were passed, and whether the way was lost before its end."""

    layers: list[Held] = field(default_factory=list)
    passed: list[Held] = field(default_factory=list)
    lost: bool = False


def trail_of(items: Items, service: Node, path: str) -> Trail:
    """Follow a service to where it is served."""
    trail = Trail()
    _Walk(items, trail).climb(service, path, DEPTH)
    return trail


@dataclass(eq=False)
class _Walk:
    items: Items
    trail: Trail
    seen: set[tuple[str, int]] = field(default_factory=set)

    def climb(self, node: Node, path: str, depth: int) -> None:
        """Go from an expression to what takes its value."""
        above = node.parent
        if above is None or (path, node.id) in self.seen:
            return
        self.seen.add((path, node.id))
        step = STEPS.get(above.type)
        if step is not None:
            step(self, node, above, path, depth)
        else:
            self.climb(above, path, depth)

    def _left(self, node: Node, _above: Node, path: str, depth: int) -> None:
        function = _function(node)
        if function is not None:
            self._returned(node, function, path, depth)

    def _captured(self, _node: Node, closure: Node, path: str, depth: int) -> None:
        self.trail.layers.append((closure, path))
        self.climb(closure, path, depth)

    def _lost(self, _node: Node, _above: Node, _path: str, _depth: int) -> None:
        self.trail.lost = True

    def _in_tokens(self, node: Node, _above: Node, path: str, _depth: int) -> None:
        self._served(node, path)

    def _ended(self, node: Node, statement: Node, path: str, depth: int) -> None:
        if statement.children[-1].type == ";":
            self._served(node, path)
        else:
            self.climb(statement, path, depth)

    def _matched(self, node: Node, match: Node, path: str, depth: int) -> None:
        if child(match, "value") != node:
            self.climb(match, path, depth)
            return
        for arm in below(match):
            if arm.type == "match_arm":
                self._taken_apart(node, arm, path, depth)

    def _served(self, node: Node, path: str) -> None:
        function = _function(node)
        if function is not None:
            self.trail.passed.append((function, path))

    def _argument(self, node: Node, arguments: Node, path: str, depth: int) -> None:
        call = arguments.parent
        if call is None or call.type != "call_expression":
            return
        name, on, given = called(call) or "", receiver(call), arguments_of(call)
        if name == "service" and on is not None:
            self.trail.layers += [(each, path) for each in _laid(on)]
        for target in targets(self.items, call, path) if depth > 0 and node in given else ():
            self._parameter(target, given.index(node), depth)
        wrapper = child(child(call, "function"), "path") if name in WRAPPING else None
        if wrapper is not None:
            self.trail.layers.append((wrapper, path))
        if SERVES.match(name):
            self._served(call, path)
        else:
            self.climb(call, path, depth)

    def _assigned(self, node: Node, assignment: Node, path: str, depth: int) -> None:
        """Go on where a name is used after it was assigned to."""
        left = child(assignment, "left")
        if left is None or left.type != "identifier" or left == node:
            return
        current: Node | None = assignment
        while current is not None and current.type not in ENDS:
            self._uses(list(_after(current)) if current.type != "match_arm" else [], string_of(left), path, depth)
            current = parent_of(current)

    def _taken_apart(self, _node: Node, binding: Node, path: str, depth: int) -> None:
        """Go on where a pattern's names are used: in the arm, or in the branch under the condition."""
        pattern, scope = child(binding, "pattern"), child(binding, "value")
        if binding.type == "let_condition":
            whole = binding.parent
            while whole is not None and whole.type not in ("if_expression", "while_expression"):
                whole = parent_of(whole)
            scope = child(whole, "consequence")
        for each in below(pattern) if pattern is not None and scope is not None else ():
            if each.type == "identifier" and string_of(each)[:1].islower():
                self._uses([scope] if scope is not None else [], string_of(each), path, depth)

    def _parameter(self, target: Item, index: int, depth: int) -> None:
        """Follow an argument into the function that takes it."""
        listed = child(target.node, "parameters")
        parts = [part for part in (listed.named_children if listed is not None else ()) if part.type == "parameter"]
        pattern = child(parts[index], "pattern") if index < len(parts) else None
        body = child(target.node, "body")
        if pattern is not None and body is not None:
            self._uses(body.named_children, string_of(pattern).removeprefix("mut "), target.path, depth - 1)

    def _method(self, _node: Node, field_expression: Node, path: str, depth: int) -> None:
        call = field_expression.parent
        if call is None or call.type != "call_expression":
            return
        if called(call) in LAYERING:
            self.trail.layers += [(each, path) for each in arguments_of(call)]
        for each in arguments_of(call) if called(call) in MAPPING else ():
            names, body = child(each, "parameters"), child(each, "body")
            for name in below(names) if names is not None and body is not None else ():
                if name.type == "identifier" and body is not None:
                    self._uses([body], string_of(name), path, depth)
        self.climb(call, path, depth)

    def _bound(self, _node: Node, declaration: Node, path: str, depth: int) -> None:
        """Go on where the name is used that a `let` gives the value."""
        pattern = child(declaration, "pattern")
        names = [string_of(each) for each in below(pattern) if each.type == "identifier"] if pattern is not None else []
        if pattern is None or pattern.type in ("tuple_pattern", "struct_pattern") or not names:
            self.trail.lost = True
            return
        self._uses(list(_after(declaration)), names[-1], path, depth)

    def _uses(self, statements: list[Node], name: str, path: str, depth: int) -> None:
        for each in (part for statement in statements for part in below(statement)):
            if each.type == "identifier" and string_of(each) == name:
                above = each.parent
                if above is None or above.type != "let_declaration" or child(above, "value") == each:
                    self.climb(each, path, depth)

    def _returned(self, _node: Node, function: Node, path: str, depth: int) -> None:
        """Go on where the function is called."""
        self.trail.passed.append((function, path))
        callers = list(calls_of(self.items, function, path)) if depth > 0 else []
        self.trail.lost = self.trail.lost or not callers
        for call, place in callers:
            self.climb(call, place, depth - 1)


STEPS = {
    "arguments": _Walk._argument,
    "field_expression": _Walk._method,
    "let_declaration": _Walk._bound,
    "function_item": _Walk._returned,
    "return_expression": _Walk._left,
    "closure_expression": _Walk._captured,
    "field_initializer": _Walk._lost,
    "shorthand_field_initializer": _Walk._lost,
    "token_tree": _Walk._in_tokens,
    "assignment_expression": _Walk._assigned,
    "let_condition": _Walk._taken_apart,
    "match_expression": _Walk._matched,
    "expression_statement": _Walk._ended,
}
"""Where a value goes, by what stands around it; out of anything else it goes on as it is."""


def calls_of(items: Items, function: Node, path: str) -> Iterator[Held]:
    """Find the calls of a function in the project."""
    name = string_of(child(function, "name") or function)
    for place in items.mentioning(re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*(::<[^;]*>)?\(")):
        for each in calls(items, name, place):
            if not in_test(each):
                found = targets(items, each, place)
                is_method = receiver(each) is not None and not found and len(items.functions(name)) == 1
                if is_method or any(target.node == function and target.path == path for target in found):
                    yield each, place


def _after(declaration: Node) -> Iterator[Node]:
    following = declaration.next_named_sibling
    while following is not None:
        yield following
        following = following.next_named_sibling


def _laid(builder: Node) -> Iterator[Node]:
    """Give the layers of a chain `ServiceBuilder::new().layer(..).layer(..)`."""
    current: Node | None = builder
    while current is not None and current.type == "call_expression":
        if called(current) in LAYERING:
            yield from arguments_of(current)
        current = receiver(current)


def _function(node: Node) -> Node | None:
    current: Node | None = node
    while current is not None and current.type not in ENDS:
        current = parent_of(current)
    return current if current is not None and current.type == "function_item" else None
