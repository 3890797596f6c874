"""The functions of the project that a call may enter."""

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.callees import called, last_segment, owner, qualifier, receiver, targets
from reviewer.languages.rust.items import Item, Items, in_test

MOST = 3


def callees(items: Items, call: Node, function: Node, path: str) -> list[Item]:
    """Find them: by the path that is called, by the type of what a method is called on, by a name that is but one's."""
    on, name = receiver(call), called(call) or ""
    if on is None or string_of(on) in ("self", "Self"):
        found = targets(items, call, path)
        if on is not None or (qualifier(call) or "").startswith(("Self", "self")):
            found = _of_type(found, owner(function)) or found
        return _bodied(found)
    of = _type_of(on)
    if of is not None:
        files = items.declaring(name, "fn", owner=of)
        return _bodied(_of_type([each for path in files for each in items.declared_in(path, name, "fn")], of))
    found = _bodied(items.functions(name))
    return found if len(found) == 1 and owner(found[0].node) is not None else []


def _bodied(found: list[Item]) -> list[Item]:
    """Leave out what tests declare and traits only ask for; too many are none."""
    kept = [each for each in found if child(each.node, "body") is not None and not in_test(each.node)]
    return kept if len(kept) <= MOST else []


def _of_type(found: list[Item], type_: str | None) -> list[Item]:
    return [each for each in found if owner(each.node) == type_]


def _type_of(value: Node) -> str | None:
    """Name the type of `Type`, `Type::new(..)`, `Type { .. }`, or of a name that is bound to one."""
    while value.type in ("reference_expression", "parenthesized_expression", "await_expression", "try_expression"):
        inner = child(value, "value") or next(iter(value.named_children[-1:]), None)
        if inner is None:
            return None
        value = inner
    if value.type == "identifier":
        if string_of(value)[:1].isupper():
            return string_of(value)
        given = origin(value)
        return _type_of(given.values[0]) if given is not None and given.pattern.isidentifier() else None
    if value.type == "struct_expression":
        return last_segment(child(value, "name") or value)
    if value.type == "scoped_identifier":
        return last_segment(value) if last_segment(value)[:1].isupper() else None
    return qualifier(value) if value.type == "call_expression" and (qualifier(value) or "")[:1].isupper() else None
