"""The arguments that a type takes out of an input which is made into it."""

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.intake.frames import AROUND, Keys
from reviewer.languages.rust.callees import receiver
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.uses import segments
from reviewer.schema import rust as schemas

PASSING = frozenset("map_err context with_context unwrap expect unwrap_or_default ok unwrap_or_else".split())
HOLDERS = frozenset({"Result", "Option"})


def fields_of(items: Items, call: Node, path: str) -> Keys | None:
    """Give the arguments of the type that a call makes; None if the type, or what it takes, cannot be told."""
    type_ = _turbofish(call) or _bound(call)
    if type_ is None:
        return None
    found = schemas.parameters(items, type_, path)
    if not isinstance(found, tuple) or not found:
        return None
    return tuple(each.name for each in found)


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
    node = call
    while (above := node.parent) is not None:
        if above.type in AROUND:
            node = above
        elif above.type == "field_expression" and above.parent is not None and _passes(above, node):
            node = above.parent
        elif above.type == "let_declaration":
            pattern = child(above, "pattern")
            taken = pattern if pattern is not None and pattern.type == "struct_pattern" else None
            return child(above, "type") or child(taken, "type")
        elif above.type in ("block", "arguments", "return_expression"):
            return _given(above)
        else:
            return None
    return None


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
        around = around.parent
    function = around.parent if around is not None and around.type == "block" else None
    type_ = child(function, "return_type")
    while type_ is not None and type_.type == "generic_type" and segments(type_)[-1] in HOLDERS:
        inner = child(type_, "type_arguments")
        type_ = inner.named_children[0] if inner is not None and inner.named_children else None
    return type_ if type_ is not None and type_.type == "type_identifier" else None
