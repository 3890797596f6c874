"""Which keys an expression may stand for: a literal, a constant, a parameter, the turn of a loop over a list of them."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.intake.frames import AROUND, Frame, Keys, inner_of
from reviewer.languages.rust.behaviour.origins import binds, origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, receiver
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

SAME = frozenset("as_str into to_string to_owned as_ref clone copied cloned deref".split())
ITERATING = frozenset("iter into_iter copied cloned as_slice to_vec as_ref".split())


def keys(items: Items, node: Node | None, frame: Frame, depth: int = 0) -> Keys | None:
    """Give the keys that an expression stands for, one or several; None if that cannot be told."""
    if node is None or depth > 6:
        return None
    if node.type in AROUND:
        return keys(items, inner_of(node), frame, depth + 1)
    said = string_value(node)
    if said is not None:
        return (Text(said, items.span(frame.path, node)),)
    if node.type == "call_expression" and called(node) in SAME:
        return keys(items, receiver(node), frame, depth + 1)
    if node.type == "identifier":
        return _named(items, node, frame, depth)
    if node.type == "scoped_identifier":
        return _constant(items, node, frame)
    return listed(items, node, frame, depth)


def listed(items: Items, node: Node | None, frame: Frame, depth: int = 0) -> Keys | None:
    """Give the keys in a list: an array, a constant, a parameter that was handed one."""
    while node is not None and (node.type in AROUND or called(node) in ITERATING):
        node = receiver(node) if node.type == "call_expression" else inner_of(node)
    if node is None or depth > 6:
        return None
    if node.type == "identifier":
        return _named(items, node, frame, depth + 1)
    parts: list[Node] = []
    if node.type == "array_expression":
        parts = node.named_children
    elif node.type == "macro_invocation" and string_of(child(node, "macro") or node) == "vec":
        tree = next((part for part in node.named_children if part.type == "token_tree"), None)
        parts = tokens.elements(items.sources[frame.path], tree) if tree is not None else []
    else:
        return None
    found = [keys(items, part, frame, depth + 1) for part in parts if part.type not in tokens.COMMENTS]
    return None if any(each is None for each in found) else tuple(key for each in found for key in each or ())


def _named(items: Items, name: Node, frame: Frame, depth: int) -> Keys | None:
    at = string_of(name)
    loop = _loop(name)
    if loop is not None:
        return listed(items, child(loop, "value"), frame, depth + 1)
    given = origin(name)
    if given is not None:
        value = given.values[0]
        return keys(items, value, frame, depth + 1) if "(" not in given.pattern else None
    closure = _closure(name)
    if closure is not None:
        return _of_closure(items, closure, at, frame, depth)
    return frame.keys[at] if at in frame.keys else _constant(items, name, frame)


def _constant(items: Items, name: Node, frame: Frame) -> Keys | None:
    value = Folder(items).fold(name, Place(frame.path, {}))
    if isinstance(value, Text):
        return (value,)
    return tuple(value) if isinstance(value, list) and all(isinstance(each, Text) for each in value) else None


def _loop(name: Node) -> Node | None:
    """Find the loop whose turns a name stands for."""
    inner, above = name, name.parent
    while above is not None and above.type != "function_item":
        if above.type == "for_expression" and inner == child(above, "body"):
            if binds(child(above, "pattern"), string_of(name)):
                return above
        inner, above = above, parent_of(above)
    return None


def _closure(name: Node) -> Node | None:
    """Find the closure that a name is a parameter of."""
    above = name.parent
    while above is not None and above.type != "function_item":
        if above.type == "closure_expression" and binds(child(above, "parameters"), string_of(name)):
            return above
        above = parent_of(above)
    return None


def _of_closure(items: Items, closure: Node, name: str, frame: Frame, depth: int) -> Keys | None:
    """Give the keys that the calls of a closure hand it."""
    parameters = [string_of(part) for part in _heads(closure)]
    let = closure.parent
    bound = child(let, "pattern") if let is not None and let.type == "let_declaration" else None
    body = frame.body
    if name not in parameters or bound is None or body is None:
        return None
    place = parameters.index(name)
    found: list[Text] = []
    for call in below(body):
        if call.type == "call_expression" and string_of(child(call, "function") or call) == string_of(bound):
            given = arguments_of(call)
            each = keys(items, given[place], frame, depth + 1) if place < len(given) else None
            if each is None:
                return None
            found += each
    return tuple(found)


def of_calls(key: Node) -> bool:
    """Tell whether a key is what a closure is called with, each time another."""
    while key.type in AROUND and (inner := inner_of(key)) is not None:
        key = inner
    closure = _closure(key) if key.type == "identifier" else None
    return closure is not None and closure.parent is not None and closure.parent.type == "let_declaration"


def _heads(closure: Node) -> Iterator[Node]:
    listed_ = child(closure, "parameters")
    for part in listed_.named_children if listed_ is not None else ():
        yield child(part, "pattern") or part
