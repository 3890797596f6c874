"""Tools that come and go while the server runs: where what a tool's call runs through changes the list."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import ToolChange
from reviewer.languages.nodes import child, of_kinds, string_of, text_of
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.scopes import function_around
from reviewer.languages.rust.behaviour.surroundings import Site, above, callees, callers
from reviewer.languages.rust.callees import called, calls, owner, receiver
from reviewer.languages.rust.items import Item, Items, attributes_before, in_test

ROUTING = frozenset({"add_route", "remove_route", "disable_route", "enable_route", "with_route", "without_route"})
SIGNS = re.compile(rb"\b(?:add|remove|disable|enable)_route\b|\bfn\s+list_tools\b")
MUTATING = frozenset(
    "insert push remove retain clear extend append drain pop swap_remove store replace swap entry".split()
)
LOCKS = re.compile(r"\.\s*(?:write|lock|borrow_mut|get_mut|blocking_write|blocking_lock|load)\s*\(\s*\)")
GUARDED = re.compile(
    r"\bself\s*\.\s*((?:\w+\s*\.\s*)*?\w+)\s*\.\s*(?:write|lock|borrow_mut|blocking_write|blocking_lock)\s*\("
)
FIELD = re.compile(r"\bself\s*\.\s*(\w+)")
STARTING = re.compile(
    r"^(?:new|default|with_\w+|from_\w+|build|builder|init|initialize|setup|start|open|create_server)$"
)
SHOWING = re.compile(r"^(?:list|all|tools|definitions|get|current|visible|available|snapshot)\w*$")
GIVING = "read|lock|load|borrow|write|iter|values|contains|contains_key|get"
"""Methods by which a collection gives what is listed, or says whether it is."""

OWNING = re.compile(r"^\(\s*&\s*(?:'\w+\s+)?mut\s+self\b")
DEPTH = 4
"""How many calls into the project are followed from a handler."""

Key = tuple[str, int]


def changes(items: Items, sends: list[Site]) -> Iterator[ToolChange]:
    """Find where the list of tools changes in what a tool's call runs through, and whether clients are told."""
    run = handling(items)
    places = [(node, path) for node, path in _places(items) if run.holds(path, node)]
    roots = list(_roots(items)) if places else []
    sending = {_key(function_around(node), path) for node, path in sends}
    elsewhere = any(not any(key in reached for reached in roots) for key in sending)
    for node, path in places:
        if not _is_live(items, function_around(node), path):
            continue
        key = _key(function_around(node), path)
        through = [reached for reached in roots if key in reached]
        told = all(sending & reached for reached in through) if through else bool(sending)
        yield ToolChange(text_of(items.sources[path], node), elsewhere or told)


def _is_live(items: Items, function: Node | None, path: str, depth: int = DEPTH) -> bool:
    """Tell whether a function may run after the start: one that is not called by those alone that make a server.

    A method that has its object to itself (`&mut self`) changes what clients see only where its caller locks what is shared.
    """
    if function is None or not depth:
        return True
    name = string_of(child(function, "name") or function)
    if STARTING.match(name) is not None or name == "main":
        return False
    owns = OWNING.match(string_of(child(function, "parameters") or function)) is not None
    calling = list(_calling(items, function, path))
    if not calling:
        return not owns
    return any(_is_live_call(items, call, where, depth, owns=owns) for call, where in calling)


def _is_live_call(items: Items, call: Node, path: str, depth: int, *, owns: bool) -> bool:
    on = receiver(call)
    if owns and on is not None and string_of(on) != "self" and not _is_shared(call, on):
        return False
    return _is_deferred(call) or _is_live(items, function_around(call), path, depth - 1)


def _is_deferred(call: Node) -> bool:
    """Tell whether a call stands in what runs later, or again and again: a closure, a task, a loop without an end."""
    return any(each.type in ("closure_expression", "async_block", "loop_expression") for each in above(call))


def _calling(items: Items, function: Node, path: str) -> Iterator[Site]:
    """Find the calls of a function; of a method by its name, on whatever, unless another type has one of the name."""
    name = string_of(child(function, "name") or function)
    named = {owner(each.node) for each in items.functions(name) if not in_test(each.node)}
    if owner(function) is None or len(named) > 1:
        yield from callers(items, function, path)
        return
    for place in items.mentioning(re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\(")):
        for call in calls(items, name, place):
            if not in_test(call):
                yield call, place


def _key(function: Node | None, path: str) -> Key:
    return path, function.start_byte if function is not None else -1


def _roots(items: Items) -> Iterator[set[Key]]:
    """Give for each function that answers calls the functions that it leads to."""
    for path in items.mentioning(re.compile(rb"#\[\s*(?:\w+\s*::\s*)*tool\b|\bfn\s+call_tool\b")):
        for node in items.of_kinds(path, "function_item"):
            marks = [string_of(each) for each in attributes_before(node)]
            is_tool = any(re.match(r"#\[\s*(?:\w+\s*::\s*)*tool\s*[\](]", mark) for mark in marks)
            if (is_tool or string_of(child(node, "name") or node) == "call_tool") and not in_test(node):
                reached: set[Key] = set()
                _reach(items, Item(path, node, items.sources[path]), DEPTH, reached)
                yield reached


def _reach(items: Items, function: Item, depth: int, reached: set[Key]) -> None:
    key = _key(function.node, function.path)
    if key in reached:
        return
    reached.add(key)
    for call in of_kinds(function.node, "rust", "call_expression") if depth else ():
        for found in callees(items, call, function.path):
            _reach(items, found, depth - 1, reached)


def _places(items: Items) -> Iterator[Site]:
    """Find what changes a router or a collection that `list_tools` gives out; not where a server is made."""
    for path in items.mentioning(SIGNS):
        for node in items.of_kinds_near(path, SIGNS, "call_expression"):
            on = receiver(node)
            if called(node) in ROUTING and on is not None and _is_shared(node, on) and not in_test(node):
                yield node, path
    for (path, type_), fields in _listed(items).items():
        for node in items.of_kinds(path, "call_expression") + items.of_kinds(path, "assignment_expression"):
            function = function_around(node)
            if (
                function is not None
                and owner(function) == type_
                and _mutates(node, function, fields)
                and not in_test(node)
            ):
                yield node, path


def _is_shared(call: Node, on: Node) -> bool:
    """Tell whether a router is changed behind a lock, as only a running server does."""
    function = function_around(call)
    if LOCKS.search(string_of(on)) is not None:
        return True
    name = string_of(on)
    let = (
        re.search(rf"\blet\s+mut\s+{re.escape(name)}\s*=\s*([^;]*)", string_of(function))
        if function is not None
        else None
    )
    return let is not None and LOCKS.search(let[1]) is not None


def _listed(items: Items) -> dict[tuple[str, str], set[str]]:
    """Name, by file and type, the fields that `list_tools` gives its tools from, through one method of the project."""
    found: dict[tuple[str, str], set[str]] = {}
    for item in items.functions("list_tools"):
        _note(item, found)
        for call in of_kinds(item.node, "rust", "call_expression"):
            on = receiver(call)
            if on is not None and FIELD.match(string_of(on)) and SHOWING.match(called(call) or ""):
                for each in callees(items, call, item.path):
                    _note(each, found)
    return found


def _note(function: Item, found: dict[tuple[str, str], set[str]]) -> None:
    type_ = owner(function.node)
    text = string_of(function.node)
    fields = {name for name in FIELD.findall(text) if re.search(rf"\bself\s*\.\s*{name}\s*\.\s*(?:{GIVING})\b", text)}
    if type_ is not None and fields:
        found.setdefault((function.path, type_), set()).update(each for each in fields if "tool" in each.lower())


def _mutates(node: Node, function: Node, fields: set[str]) -> bool:
    """Tell whether something changes one of the fields through its lock."""
    name = string_of(child(function, "name") or function)
    if not fields or STARTING.match(name) is not None or name == "list_tools":
        return False
    if node.type == "assignment_expression":
        left = string_of(child(node, "left") or node)
        return left.startswith("*") and _field(left.lstrip("*"), function) in fields
    on = receiver(node)
    return on is not None and called(node) in MUTATING and _field(string_of(on), function) in fields


def _field(expression: str, function: Node) -> str:
    """Name the field of `self` that an expression is the locked content of, by itself or by a name for it."""
    direct = GUARDED.search(expression)
    if direct is not None:
        return direct[1].split(".")[-1].strip()
    plain = re.fullmatch(r"self\s*\.\s*(\w+)", expression.strip())
    if plain is not None:
        return plain[1]
    if not expression.isidentifier():
        return ""
    let = re.search(rf"\blet\s+(?:mut\s+)?{expression}\s*=\s*([^;]*);", string_of(function))
    held = GUARDED.search(let[1]) if let is not None else None
    return held[1].split(".")[-1].strip() if held is not None else ""
