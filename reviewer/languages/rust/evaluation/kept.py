"""Functions that fields hold: what the code puts there that makes the object, as with a table of handlers."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.code.ir import Code
from reviewer.code.state import State
from reviewer.code.values import Class, Function, Instance, Value
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.meanings import Declared
from reviewer.languages.rust.project.name_resolution import find_owner
from reviewer.text.patterns import pattern

# The types of closures in boxes and of plain functions, without which a field holds none.
FUNCTION = pattern(r"\bdyn\s+(?:for\s*<[^>]*>\s*)?(?:Async)?Fn(?:Mut|Once)?\b|\bfn\s*\(")
# Names of types, which may be aliases of such a type. Not after a `'`, which begins a lifetime.
NAME = pattern(r"(?<![\w'])(?:\w+\s*::\s*)*[A-Z]\w*")
ALIASES = 3
"""How many names of types stand one for another: `Deeds` for a map of `Deed`, which is a boxed function."""

DEEPEST = 3
"""How many objects inside objects a function is looked for in: a row of a table in a registry."""


def holds_functions(items: RustItems, written: Node, path: str, deep: int = ALIASES) -> bool:
    """Return whether a type that is written is one of functions, or of a table of them."""
    text = decode_node(written)
    if FUNCTION.search(text) is not None:
        return True
    for name in dict.fromkeys(NAME.findall(text)) if deep else ():
        meant = items.resolve(tuple(part.strip() for part in name.split("::")), path, "type", "struct")
        inner = (
            find_child(meant.node, "type") or find_child(meant.node, "body") if isinstance(meant, RustItem) else None
        )
        if isinstance(meant, RustItem) and inner is not None and holds_functions(items, inner, meant.path, deep - 1):
            return True
    return False


def iter_makers(items: RustItems, declared: Declared) -> Iterator[RustItem]:
    """Yield the functions that write out an object of a struct: `Deeds { table }`, or `Self { table }` in its methods."""
    name = re.escape(declared.name.encode())
    written = re.compile(rb"\b" + name + rb"\b")
    literal = re.compile(rb"\b" + name + rb"\s*[({]")
    own = re.compile(rb"\bSelf\s*[({]")
    for path in items.find_matching(written):
        for node in items.find_nodes_near(path, re.compile(literal.pattern + rb"|" + own.pattern), "function_item"):
            body = find_child(node, "body")
            text = (body.text if body is not None else None) or b""
            is_own = own.search(text) is not None and find_owner(node) == declared.name
            if (is_own or literal.search(text)) and not is_in_test(node):
                yield RustItem(path, node, items.sources[path])


def find_held_value(made: Class, name: str, result: Value | None, state: State) -> Value | None:
    """Return the value of a struct's field after code that creates an object; None if that is no function."""
    held = [each for entries in state.heap.values() for each in entries.values()]
    for each in (*([result] if result is not None else ()), *state.variables.values(), *held):
        if any(isinstance(thing, Instance) and thing.of == made for thing in each.things):
            found = state.read(each, (name,))
            if found is not None and _has_function(found, state, DEEPEST):
                return found
    return None


def _has_function(value: Value, state: State, deep: int) -> bool:
    if any(isinstance(each, Function) for each in value.things):
        return True
    return deep > 0 and any(_has_function(each, state, deep - 1) for each in state.read_contents(value).values())


def iter_maker_callers(items: RustItems, maker: Code, declared: Declared) -> Iterator[RustItem]:
    """Yield the functions that call what makes an object, as `Registry::new()`."""
    called = re.compile(rb"\b" + re.escape(f"{declared.name}::{maker.name}".encode()) + rb"\s*\(")
    for path in items.find_matching(called):
        for node in items.find_nodes_near(path, called, "function_item"):
            if not is_in_test(node):
                yield RustItem(path, node, items.sources[path])
