"""Plain values in code, and what stands beside a value that is no bound of it."""

from tree_sitter import Node

from reviewer.facts import Given
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.intake.frames import AROUND, Frame, inner_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.bindings import arguments_of, result_of
from reviewer.languages.rust.callees import below, called, constant, receiver
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items

ORDERING = frozenset("< > <= >=".split())
WITHIN = frozenset(
    "field_expression reference_expression parenthesized_expression type_cast_expression arguments".split()
)


def scalar(items: Items, node: Node, frame: Frame) -> Given | None:
    """Read a plain value, also of `Some(..)`, of a closure, of a product of numbers."""
    current: Node | None = node
    while current is not None and (
        current.type in AROUND
        or current.type in ("closure_expression", "block")
        or (current.type == "call_expression" and called(current) in ("Some", "from", "new", "into", "to_string"))
    ):
        if current.type == "closure_expression":
            current = child(current, "body")
        elif current.type == "block":
            current = result_of(current)
        elif current.type == "call_expression":
            current = next(iter(arguments_of(current)), None) or receiver(current)
        elif current.type == "type_cast_expression":
            current = child(current, "value")
        else:
            current = inner_of(current)
    if current is None:
        return None
    value, at = _number(items, current, frame), items.text(frame.path, current)
    if isinstance(value, str):
        return Given(str(value), at)
    if isinstance(value, bool | int | float):
        return Given(value, at)
    return None


def _number(items: Items, node: Node, frame: Frame) -> object:
    if node.type == "binary_expression":
        sides = [_number(items, part, frame) for part in node.named_children[:2]]
        plain = all(isinstance(each, int) and not isinstance(each, bool) for each in sides)
        if len(sides) == 2 and plain and string_of(child(node, "operator") or node) == "*":
            return sides[0] * sides[1]  # type: ignore[operator]
        return None
    if node.type == "identifier" and not string_of(node).isupper() and origin(node) is None:
        return None
    named = constant(items, node, frame.path)
    if named is not None and named[0].type == "binary_expression":
        return _number(items, named[0], frame)
    return Folder(items).fold(node, Place(frame.path, {}))


def gives_back(choice: Node | None, frame: Frame) -> bool:
    """Tell whether a helper returns where a value is of the right form, and goes on to try another form if not."""
    taken = child(choice, "consequence") if choice is not None else None
    return frame.above is not None and taken is not None and any(e.type == "return_expression" for e in below(taken))


def is_length(node: Node) -> bool:
    """Tell whether an expression is how long a list is, or how much of it was counted so far."""
    given = origin(node) if node.type == "identifier" else None
    said = string_of(given.values[0]) if given is not None and given.values else string_of(node)
    return ".len()" in said or (given is not None and "mut " in string_of(given.values[0].parent or node))


def breaks(test: Node) -> bool:
    """Tell whether a loop ends where a test holds."""
    taken = child(test.parent, "consequence")
    return taken is not None and any(part.type == "break_expression" for part in below(taken))


def is_ordered(name: Node) -> bool:
    """Tell whether a value is compared by its size where it is named."""
    part = name
    while (above := parent_of(part)) is not None and above.type in WITHIN:
        part = above
    test = part.parent
    if test is None or test.type != "binary_expression":
        return test is not None and is_range_test(test)
    return string_of(child(test, "operator") or test) in ORDERING


def is_range_test(call: Node) -> bool:
    """Tell whether a call is `(1..=100).contains(&n)`."""
    on = receiver(call) if called(call) == "contains" else None
    return on is not None and ".." in string_of(on)
