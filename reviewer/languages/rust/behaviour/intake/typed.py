"""The arguments that a type takes out of an input which is made into it."""

from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.intake.callees import callees
from reviewer.languages.rust.behaviour.intake.frames import AROUND, Frame, Keys, parameters_of
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.uses import segments
from reviewer.schema import rust as schemas

PASSING = frozenset("map_err context with_context unwrap expect unwrap_or_default ok unwrap_or_else".split())
HOLDERS = frozenset({"Result", "Option"})
WRAPPER = "Parameters"


class Made(NamedTuple):
    """A value of a type: the type, where that is written, and the call that gives the value in its frame."""

    type: Node
    path: str
    call: Node
    frame: Frame


def fields_of(items: Items, made: Made) -> Keys | None:
    """Give the arguments of a type; None if what it takes cannot be told."""
    found = schemas.parameters(items, made.type, made.path)
    if not isinstance(found, tuple) or not found:
        return None
    return tuple(each.name for each in found)


def made(items: Items, call: Node, frame: Frame) -> Made | None:
    """Find the type that a call makes; where a function leaves it to its callers, what they make of it."""
    named = _turbofish(call) or _bound(call)
    found = (named, frame.path) if named is not None else _asked(items, call, frame)
    if found is None:
        return None
    if string_of(found[0]) not in _left_open(frame.function):
        return Made(*found, call, frame)
    return made(items, frame.call, frame.above) if frame.call is not None and frame.above is not None else None


def _left_open(function: Node) -> set[str]:
    """Name the type parameters of a function."""
    listed = child(function, "type_parameters")
    return {string_of(child(part, "name") or part) for part in (listed.named_children if listed is not None else ())}


def _asked(items: Items, call: Node, frame: Frame) -> tuple[Node, str] | None:
    """Give the type of the parameter that a call's value is handed to."""
    node = _outermost(call)
    while node.parent is not None and node.parent.type == "arguments" and called(node.parent.parent or call) == WRAPPER:
        node = _outermost(node.parent.parent or call)
    outer = node.parent.parent if node.parent is not None and node.parent.type == "arguments" else None
    found = callees(items, outer, frame) if outer is not None and outer.type == "call_expression" else []
    if outer is None or len(found) != 1:
        return None
    place, parameters = arguments_of(outer).index(node), parameters_of(found[0].node)
    type_ = child(parameters[place], "type") if place < len(parameters) else None
    while type_ is not None and (type_.type == "reference_type" or segments(type_)[-1:] == (WRAPPER,)):
        given = child(type_, "type_arguments")
        type_ = given.named_children[-1] if given is not None else child(type_, "type")
    return (type_, found[0].path) if type_ is not None else None


def _outermost(call: Node) -> Node:
    """Give the outermost expression that has a call's value."""
    node = call
    while (above := parent_of(node)) is not None:
        if above.type in AROUND:
            node = above
        elif above.type == "field_expression" and above.parent is not None and _passes(above, node):
            node = above.parent
        else:
            break
    return node


def _turbofish(call: Node) -> Node | None:
    """Give T of `from_value::<T>(..)`, or of `T::deserialize(..)`."""
    function = child(call, "function")
    given = child(function, "type_arguments") if function is not None else None
    if given is not None and given.named_children:
        first = given.named_children[0]
        return first if first.type != "_" and string_of(first) != "_" else None
    of = child(function, "path") if function is not None and function.type == "scoped_identifier" else None
    return of if of is not None and of.type == "identifier" and string_of(of)[:1].isupper() else None


def _bound(call: Node) -> Node | None:
    """Give the type that the value is bound to, or that the function gives."""
    above = _outermost(call).parent
    if above is not None and above.type == "let_declaration":
        pattern = child(above, "pattern")
        taken = pattern if pattern is not None and pattern.type == "struct_pattern" else None
        return child(above, "type") or child(taken, "type")
    return _given(above) if above is not None and above.type in ("block", "arguments", "return_expression") else None


def _passes(access: Node, value: Node) -> bool:
    call = access.parent
    name = string_of(child(access, "field") or access)
    return call is not None and receiver(call) == value and name in PASSING


def _given(node: Node) -> Node | None:
    """Give the type in the result of the function, if the value is what it ends in."""
    around: Node | None = node
    while around is not None and around.type in ("arguments", "call_expression", "block", "return_expression"):
        if around.type == "call_expression" and string_of(child(around, "function") or around) != "Ok":
            return None
        if around.type == "block" and around.parent is not None and around.parent.type == "function_item":
            break
        around = parent_of(around)
    function = around.parent if around is not None and around.type == "block" else None
    type_ = child(function, "return_type")
    while type_ is not None and type_.type == "generic_type" and segments(type_)[-1] in HOLDERS:
        inner = child(type_, "type_arguments")
        type_ = inner.named_children[0] if inner is not None and inner.named_children else None
    return type_ if type_ is not None and type_.type == "type_identifier" else None
