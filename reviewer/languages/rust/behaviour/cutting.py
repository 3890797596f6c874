"""How code shortens a text: which expression cuts it, to how much, and whether by bytes or by characters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.written import base_of, expanded, unit_of
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import below, called, receiver, targets
from reviewer.languages.rust.folding import Folder, Place, bound
from reviewer.languages.rust.items import Item, Items

CHARACTERS = re.compile(r"\b(chars|graphemes|char_indices|grapheme_indices)\s*(::<[^>]*>)?\s*\(")
LINES = re.compile(r"\.(lines|split_whitespace|split_inclusive)\s*\(")
LINE = 80
"""Characters that a line is taken for."""

SAFE = re.compile(r"is_char_boundary|char_indices|floor_char_boundary|ceil_char_boundary")
TEXT = re.compile(
    r"to_string|String::|format!|as_str|from_utf8|read_to_string|to_owned|into_owned|\.text\(|\bstr\b|\bString\b|to_vec\(|to_string_pretty"
)
LISTS = re.compile(r"\bVec\b|vec!|&\s*\[|as_array|collect")
LARGE = frozenset(
    "text body content string str json html markdown raw payload log logs output stdout stderr diff patch snippet "
    "transcript serialized rendered preview message summary description excerpt report notes readme dump".split()
)
SERIALIZED = re.compile(r"to_string|to_vec|to_string_pretty|\.to_string\(")
OPERATORS = frozenset({"+", "-", "*", "/"})
CUTTING = frozenset({"index_expression", "call_expression"})
FOLLOWED = 2
"""How many names or calls are followed from a value to where it is cut."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An expression that shortens a text. `length` is to how much, None if the code does not tell."""

    path: str
    node: Node
    length: int | None
    by_bytes: bool = False
    base: Node | None = None
    certain: bool = False


def number(items: Items, node: Node | None, place: Place) -> int | None:
    """Read an expression that comes to a number; of `a.min(b)` the smaller that is known, of branches the larger."""
    if node is None:
        return None
    if node.type == "binary_expression":
        return _computed(items, node, place)
    if node.type in ("parenthesized_expression", "type_cast_expression", "block", "else_clause"):
        return number(items, next(iter(node.named_children), None), place)
    if node.type == "if_expression":
        ways = [number(items, child(node, name), place) for name in ("consequence", "alternative")]
        return max((way for way in ways if way is not None), default=None)
    on = receiver(node)
    if called(node) in ("min", "max", "clamp") and arguments_of(node):
        parts = [number(items, part, place) for part in (*arguments_of(node), on)]
        known = [part for part in parts if part is not None]
        return None if not known else (max(known) if called(node) != "min" else min(known))
    local = binding(string_of(node), node, place.anchor) if node.type == "identifier" else None
    if local is not None and local[0] is not None and local[1] is None:
        return number(items, local[0], place)
    value = Folder(items).fold(node, place)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _constant(items, node, place)


def _constant(items: Items, node: Node, place: Place) -> int | None:
    """Read a constant that is computed: `4 * PREVIEW`."""
    if node.type not in ("identifier", "scoped_identifier") or place.depth > FOLLOWED:
        return None
    found = items.resolve(tuple(string_of(node).split("::")), place.path, "const", near=place.anchor or node)
    if not isinstance(found, Item):
        return None
    return number(items, child(found.node, "value"), Place(found.path, {}, None, place.depth + 1))


def _computed(items: Items, node: Node, place: Place) -> int | None:
    left, right = number(items, child(node, "left"), place), number(items, child(node, "right"), place)
    operator = string_of(child(node, "operator") or node)
    if left is None or right is None or operator not in OPERATORS:
        return None
    if operator == "/":
        return left // right if right else None
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


def cuts_in(items: Items, root: Node, place: Place) -> Iterator[Cut]:
    """Find every expression below a node that shortens a text or a list."""
    for node, anchor in expanded(items, place.path, root):
        if node.type not in CUTTING:
            continue
        found = cut_at(items, node, replace(place, anchor=anchor or place.anchor))
        if found is not None:
            yield found


def cut_at(items: Items, node: Node, place: Place) -> Cut | None:
    """Read one expression that may shorten what it is given."""
    if node.type == "index_expression" and len(node.named_children) == 2:
        return _sliced(items, node, node.named_children[0], node.named_children[1], place)
    on, given = (receiver(node), arguments_of(node)) if node.type == "call_expression" else (None, [])
    if on is None or len(given) != 1:
        return None
    name = called(node)
    if name in ("take", "nth"):
        origin, length = string_of(_origin(on, place)), number(items, given[0], place)
        if LINES.search(origin) is not None and length is not None and name == "take":
            return Cut(place.path, node, length * LINE, base=on, certain=True)
        return Cut(place.path, node, length, base=on, certain=True) if CHARACTERS.search(origin) else None
    if name in ("truncate", "split_at", "split_off", "floor_char_boundary"):
        by_bytes = name != "floor_char_boundary" and not _is_safe(node, place)
        return Cut(place.path, node, number(items, given[0], place), by_bytes, on, name == "floor_char_boundary")
    if name == "get" and given[0].type == "range_expression":
        return replace(found, by_bytes=False) if (found := _sliced(items, node, on, given[0], place)) else None
    return None


def _sliced(items: Items, node: Node, base: Node, span: Node, place: Place) -> Cut | None:
    if span.type != "range_expression":
        return None
    parts, written = span.named_children, string_of(span).strip()
    if not parts or written.endswith("..") or (len(parts) == 2 and string_of(parts[0]) != "0"):
        return None
    end = parts[-1]
    length = number(items, end, place)
    if length is None and end.type == "identifier":
        local = binding(string_of(end), end, place.anchor)
        inner = (
            next(cuts_in(items, local[0], place), None) or _found_number(items, local[0], place)
            if local and local[0] is not None
            else None
        )
        length = inner.length if isinstance(inner, Cut) else inner
        return Cut(place.path, node, length, False, base) if length is not None else None
    characters = CHARACTERS.search(string_of(_origin(base, place))) is not None
    return Cut(place.path, node, length, not characters and not _is_safe(node, place), base, characters)


def _found_number(items: Items, node: Node | None, place: Place) -> int | None:
    """Read the largest number that an expression counts with: the end of a search for a boundary."""
    found = (
        [number(items, each, place) for each in below(node) if each.type in ("integer_literal", "identifier")]
        if node
        else []
    )
    return max((each for each in found if each is not None), default=None)


def _origin(node: Node, place: Place) -> Node:
    """Follow a name to the value that it is bound to."""
    if node.type != "identifier":
        return node
    found = binding(string_of(node), node, place.anchor)
    return found[0] if found is not None and found[0] is not None else node


def _is_safe(node: Node, place: Place) -> bool:
    return SAFE.search(string_of(unit_of(place.anchor or node))) is not None


def is_text(cut: Cut, anchor: Node | None = None) -> bool:
    """Tell whether what is cut is surely a text: by how it is made, declared or named."""
    if cut.certain:
        return True
    base = cut.base
    if base is None:
        return False
    name = base_of(base) if base.type != "field_expression" else string_of(child(base, "field") or base)
    declared = declaration(base_of(base), base, anchor)
    if TEXT.search(string_of(base)):
        return True
    if base.type in ("identifier", "reference_expression", "parenthesized_expression") and declared is not None:
        return TEXT.search(declared) is not None and LISTS.search(declared) is None
    return re.split(r"_", name)[-1] in LARGE


def declaration(name: str, node: Node, anchor: Node | None) -> str | None:
    """Give the source of the `let` or the parameter that a name comes from."""
    current: Node | None = anchor or node
    while current is not None:
        if current.type == "block":
            for part in reversed(current.named_children):
                pattern = child(part, "pattern") if part.type == "let_declaration" else None
                if pattern is not None and part.end_byte <= node.start_byte and string_of(pattern) == name:
                    return string_of(part)
        if current.type == "function_item":
            listed = child(current, "parameters")
            for part in listed.named_children if listed is not None else ():
                pattern = child(part, "pattern") if part.type == "parameter" else None
                if pattern is not None and string_of(pattern).removeprefix("mut ") == name:
                    return string_of(part)
            return None
        current = parent_of(current)
    return None


def cut_of(items: Items, value: Node, place: Place, depth: int = 0) -> Cut | None:
    """Find how a value was cut: in the expression, at the variable, or in the project's function that gives it."""
    first: Cut | None = None
    for cut in cuts_in(items, value, place):
        if cut.length is not None:
            return cut
        first = first or cut
    if depth >= FOLLOWED:
        return first
    for node in below(value):
        found = None
        if node.type == "identifier" and string_of(node) not in place.names:
            found = _of_variable(items, node, place, depth)
        elif node.type == "call_expression":
            found = _of_callee(items, node, place, depth)
        if found is not None:
            return found
    return first


def _of_variable(items: Items, node: Node, place: Place, depth: int) -> Cut | None:
    """Look at what a name is bound to, and at `name.truncate(n)` after it."""
    local = binding(string_of(node), node, place.anchor)
    if local is None or local[0] is None:
        return None
    unit = unit_of(place.anchor or node)
    for each in below(unit):
        on = receiver(each)
        if called(each) == "truncate" and on is not None and string_of(on) == string_of(node):
            return cut_at(items, each, place)
    return cut_of(items, local[0], place, depth + 1)


def _of_callee(items: Items, call: Node, place: Place, depth: int) -> Cut | None:
    for target in targets(items, call, place.path):
        body = child(target.node, "body")
        given = [number(items, part, place) for part in arguments_of(call)]
        names = {name: value for name, value in bound(target.node, given).items() if value is not None}
        found = cut_of(items, body, Place(target.path, names), depth + 1) if body is not None else None
        if found is not None:
            return found
    return None
