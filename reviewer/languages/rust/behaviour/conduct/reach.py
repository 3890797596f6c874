"""The code that a call of a tool runs: its handler, and the project's functions that this calls, two calls deep."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tree_sitter import Node

from reviewer.languages.nodes import child, of_kinds, parent_of, string_of
from reviewer.languages.rust.behaviour.conduct.code import Code
from reviewer.languages.rust.behaviour.conduct.constants import NOTHING, Known, excluded, handed_over
from reviewer.languages.rust.behaviour.conduct.paths import full_path
from reviewer.languages.rust.behaviour.conduct.types import Types, parameters_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.tracing import ASKED, CONTEXT
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.items import Item, Items, attributes_before, in_test
from reviewer.source import Span, Text

DEPTH = 2
MOST = 60
"""Functions that are followed for one handler."""

TASKS = frozenset({"spawn", "spawn_local", "spawn_on", "spawn_local_on"})
NOT_SEND = re.compile(r"async_trait[^\]]*\(\s*\?\s*Send\s*\)")
THREADS = frozenset({"spawn_blocking", "block_in_place", "unblock", "asyncify"})
PARALLEL = re.compile(rb"\bpar_(?:iter|bridge|chunks)|into_par_iter")
CATCHING = frozenset({"catch_unwind", "AssertUnwindSafe"})
Place = Literal["call", "task", "thread", "caught"]
"""Where code runs: in the call itself, in a task or a thread of its own, under what catches panics."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A function or an arm that runs during a call.

    `given` are the names of a handler that hold what the call was given; `place` where its caller runs it; `local` tells that
    its caller's future need not be `Send`; `called` that a handler calls it, and it is none itself; `known` are the constants
    that its parameters hold.
    """

    code: Code
    function: Node | None
    given: dict[str, Text]
    place: Place = "call"
    local: bool = False
    called: bool = False
    known: Known = field(default_factory=dict)

    @cached_property
    def left_out(self) -> tuple[Node, ...]:
        """The parts that its call never comes to, for what it hands over."""
        return tuple(excluded(self.code, self.known))

    def comes_to(self, span: Span) -> bool:
        """Tell whether a place in it is none of these."""
        return not any(self.code.text(each).span.holds(span) for each in self.left_out)

    @cached_property
    def items(self) -> Items:
        """The project."""
        return self.code.items

    @cached_property
    def types(self) -> Types:
        """What types its expressions are of."""
        return Types(self.items, self.code.path, self.function)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names that the function is given."""
        return frozenset(name for name, _ in parameters_of(self.function))

    @cached_property
    def followed(self) -> tuple["Followed", ...]:
        """The functions of the project that it calls."""
        return tuple(_called_in(self))

    @cached_property
    def calls(self) -> list[Node]:
        """The calls in it."""
        return self.code.of("call_expression")

    def path_of(self, call: Node) -> str:
        """Give the whole path of a called function: `std::fs::read` where `use std::fs` stands."""
        return full_path(self.code, call)

    def placed(self, node: Node) -> Place:
        """Tell where a part of it runs."""
        if node.id not in self._placed:
            self._placed[node.id] = self._place_of(node)
        return self._placed[node.id]

    @cached_property
    def _placed(self) -> dict[int, Place]:
        return {}

    def _place_of(self, node: Node) -> Place:
        inner = node
        for each in self.code.around(node):
            function = child(each, "function")
            if function is not None and function == inner:
                inner = each
                continue  # what a method is called on is no part of what it is given
            inner = each
            if each.type == "call_expression":
                name = called(each)
                on = receiver(each)
                if on is not None and PARALLEL.search(on.text or b""):
                    return "thread"
                if name in THREADS or (name == "spawn" and re.search(r"\b(?:thread|rayon)\b", self.path_of(each))):
                    return "thread"
                if name in TASKS:
                    return "task"
                if name in CATCHING or (name is not None and name.endswith("catch_unwind")):
                    return "caught"
        return self.place


def is_local(function: Node | None) -> bool:
    """Tell whether a function's future need not be `Send`: by its attribute, its block's, or what it gives."""
    current = function
    while current is not None:
        if any(NOT_SEND.search(string_of(each)) for each in attributes_before(current)):
            return True
        current = parent_of(current)
    given = child(function, "return_type")
    text = string_of(given) if given is not None else ""
    return "LocalBoxFuture" in text or ("dyn Future" in text and "Send" not in text)


def function_around(node: Node) -> Node | None:
    """Give the function or the closure that a handler's code is, or stands in."""
    current: Node | None = node
    while current is not None and current.type != "function_item":
        if current is node and current.type == "closure_expression":
            return current
        current = parent_of(current)
    return current


def beginning(items: Items, node: Node, path: str) -> Stretch:
    """Give a handler itself: a function, a closure, or the value of an arm."""
    function = function_around(node)
    code = Code(items, path, node)
    given = {name: code.text(type_) for name, type_ in _inputs(function)}
    if node.type == "closure_expression":
        listed = child(node, "parameters")
        given = {
            string_of(each): code.text(each)
            for part in (listed.named_children if listed is not None else ())
            for each in _names(part)
        }
    return Stretch(code, function, given, local=is_local(function))


def _names(part: Node) -> Iterator[Node]:
    pattern, type_ = child(part, "pattern") or part, child(part, "type")
    if type_ is None or _is_given(string_of(type_)):
        for node in of_kinds(pattern, "rust", "identifier"):
            if not string_of(node)[:1].isupper():
                yield node


def _is_given(type_: str) -> bool:
    return ASKED.search(type_) is not None or CONTEXT.search(type_) is None


def _inputs(function: Node | None) -> Iterator[tuple[str, Node]]:
    """Give the parameters of a handler that hold what the call was given."""
    for name, type_ in parameters_of(function):
        if _is_given(string_of(type_)):
            inner = re.search(r"\(\s*(?:mut\s+)?(\w+)\s*\)$", name)
            yield (inner[1] if inner is not None else name), type_


@dataclass(frozen=True, slots=True)
class Followed:
    """A function that is called, and the name by which it is."""

    name: Text
    stretch: Stretch


Reached = tuple[Stretch, tuple[Text, ...]]
"""Some code, and the calls that lead there, outermost first."""


def reached(start: Stretch) -> list[Reached]:
    """Give a handler and what it calls in the project, two calls deep; a function once for what it is handed."""
    found: list[Reached] = [(start, ())]
    fresh, seen = found, {_place(start): [start.known]}
    for _ in range(DEPTH):
        near = [(each.stretch, (*through, each.name)) for stretch, through in fresh for each in stretch.followed]
        fresh = []
        for stretch, through in near:
            before = seen.setdefault(_place(stretch), [])
            if not any(each.items() <= stretch.known.items() for each in before):  # less is known, or the same
                before.append(stretch.known)
                fresh.append((stretch, through))
        found = [*found, *fresh]
        if len(found) > MOST:
            break
    return found[:MOST]


def _place(stretch: Stretch) -> tuple[str, int]:
    node = stretch.function if stretch.called and stretch.function is not None else stretch.code.node
    return stretch.code.path, node.start_byte


def _called_in(stretch: Stretch) -> Iterator[Followed]:
    for call in stretch.calls:
        if stretch.left_out and not stretch.comes_to(stretch.code.text(call).span):
            continue
        for item in (*stretch.types.targets(call), *_handed(stretch, call)):
            made = _followed(stretch, call, item) if not in_test(item.node) else None
            if made is not None:
                yield Followed(stretch.code.text(child(call, "function") or call), made)


def _handed(stretch: Stretch, call: Node) -> Iterator[Item]:
    """Find the functions of the project that a call is handed by their names: `.map(listed)`."""
    for each in arguments_of(call) if receiver(call) is not None else ():
        if each.type not in ("identifier", "scoped_identifier") or not stretch.types.may_name(each):
            continue
        if string_of(each) in stretch.given or string_of(each) in stretch.parameters:
            continue
        if each.type == "scoped_identifier" or origin(each) is None:
            yield from stretch.types.named(each)


def _followed(stretch: Stretch, call: Node, item: Item) -> Stretch | None:
    body = child(item.node, "body")
    if body is None:
        return None
    on = receiver(call)
    handed = [on] if on is not None and called(call) != item.name else arguments_of(call)
    parameters = parameters_of(item.node)
    if len(parameters) == len(handed) - 1 and receiver(call) is None:
        handed = handed[1:]  # `Type::method(&it, ..)`
    is_whole = len(parameters) == len(handed) and called(call) == item.name
    names = [name for name, _ in parameters]
    known = handed_over(names, handed, body, stretch.known) if is_whole else NOTHING
    place = stretch.placed(call)
    key = ("stretch", item.path, item.node.start_byte, place, stretch.local, *known.items())
    if key not in stretch.items.kept:
        code = Code(stretch.items, item.path, body)
        stretch.items.kept[key] = Stretch(code, item.node, {}, place, stretch.local, called=True, known=known)
    found: Stretch = stretch.items.kept[key]
    return found
