"""What values say by themselves: texts among arguments, names that are values, values that say nothing."""

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.callees import below, called, last_segment, qualifier, receiver
from reviewer.languages.rust.literals import string_value

NO_VALUES = frozenset({"scoped_identifier", "parameter", "closure_parameters"})
FOLLOWED = 6
"""How many names are followed to what they are bound to."""


def constructs(call: Node) -> frozenset[str]:
    """Name what a call is that only looks like one of a page: the constructor of a struct."""
    of = qualifier(call)
    return frozenset({called(call) or ""}) if of is not None and of[:1].isupper() else frozenset()


def identifiers(node: Node, names: Iterable[str]) -> Iterator[Node]:
    """Find where some names stand as values."""
    wanted = set(names)
    return (each for each in below(node) if each.type == "identifier" and string_of(each) in wanted and is_value(each))


def is_value(name: Node) -> bool:
    """Tell whether an identifier is a value, and not a part of a path or of a pattern."""
    above = name.parent
    if above is None or above.type in NO_VALUES or above.type.endswith("_pattern"):
        return False
    if above.type == "token_tree":
        before = name.prev_sibling
        return before is None or before.type not in (".", "::")
    return not (
        above.type in ("let_declaration", "let_condition", "for_expression") and child(above, "pattern") == name
    )


def texts(nodes: list[Node]) -> list[str]:
    """Give the string literals among arguments, those in arrays too."""
    found = []
    for node in nodes:
        inner = node.named_children[0] if node.type == "reference_expression" and node.named_children else node
        parts = inner.named_children if inner.type == "array_expression" else [inner]
        found += [value for part in parts if (value := string_value(part)) is not None]
    return found


def is_idle(node: Node, code: scopes.Code, depth: int = 0) -> bool:
    """Tell whether a value says nothing of a page: none, null, zero, or a name that is bound to one."""
    if string_of(node) in ("None", "0", "null", "Value::Null", "serde_json::Value::Null"):
        return True
    if node.type in ("reference_expression", "call_expression"):
        inner = receiver(node) if node.type == "call_expression" else node.named_children[-1]
        return inner is not None and depth < FOLLOWED and is_idle(inner, code, depth + 1)
    if node.type == "generic_function" or (node.type == "scoped_identifier" and last_segment(node) == "None"):
        return "None" in string_of(node)
    given = code.value_of(string_of(node)) if node.type == "identifier" else None
    return given is not None and depth < FOLLOWED and is_idle(given, code, depth + 1)


def is_endless(node: Node, code: scopes.Code) -> bool:
    """Tell whether a value is the greatest there is, by which nothing is cut."""
    root: Node | None = node
    while root is not None and root.type != "identifier":
        root = child(root, "value") or (root.named_children[0] if root.named_children else None)
    given = code.value_of(string_of(root)) if root is not None else None
    return "::MAX" in string_of(node) or (given is not None and "::MAX" in string_of(given))
