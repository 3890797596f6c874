"""The token trees of attributes and macros, which the grammar leaves unstructured: split at commas, read as expressions."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, parse_range
from reviewer.records import dataclass
from reviewer.source import Source

# A token tree has its brackets among its children.
OPENING = frozenset({"(", "[", "{"})
# Apart from `OPENING`, as a tree that is cut off has only one of the two.
CLOSING = frozenset({")", "]", "}"})
# The grammar has no common kind for these, and lets them stand anywhere.
COMMENTS = frozenset({"line_comment", "block_comment"})
ATTRIBUTES = frozenset({"attribute_item", "inner_attribute_item"})
"""Attributes over an item and, with `!`, over all that is around."""

BESIDE = COMMENTS | ATTRIBUTES
"""What the grammar puts among arguments, elements and statements, and is none."""


@dataclass(frozen=True, slots=True)
class AttributeArgument:
    """One argument of an attribute: `name = tokens`, `name(nested)`, a bare `name`, or nameless `tokens`."""

    name: str | None
    node: Node
    tokens: tuple[Node, ...] = ()
    nested: Node | None = None


def strip_brackets(tree: Node) -> list[Node]:
    """Return the tokens between a tree's brackets."""
    parts = [part for part in tree.children if part.type not in COMMENTS]
    if parts and parts[0].type in OPENING:
        parts = parts[1:]
    if parts and parts[-1].type in CLOSING:
        parts = parts[:-1]
    return parts


def split(tokens: list[Node], separator: str = ",") -> Iterator[list[Node]]:
    """Cut tokens at each separator of their own level; empty stretches are left out.

    Type arguments and the parameters of a closure have no brackets of their own in a token tree, but their commas part
    nothing: `entry::<Ask, Answer>(..)`, `|hall, ask| ..`.
    """
    current: list[Node] = []
    inside = _find_inside(tokens) if separator == "," else frozenset()
    for at, token in enumerate(tokens):
        if token.type == separator and at not in inside:
            if current:
                yield current
            current = []
        else:
            current.append(token)
    if current:
        yield current


def _find_inside(tokens: list[Node]) -> frozenset[int]:
    """Return the places of tokens among type arguments or the parameters of a closure."""
    inside: set[int] = set()
    at = 0
    while at < len(tokens):
        end = None
        if tokens[at].type == "::" and at + 1 < len(tokens) and tokens[at + 1].type == "<":
            end = _find_end_of_types(tokens, at + 1)
        elif tokens[at].type == "|" and (at == 0 or decode_node(tokens[at - 1]) in BEFORE_CLOSURE):
            end = next((each for each in range(at + 1, len(tokens)) if tokens[each].type == "|"), None)
        if end is not None:
            inside.update(range(at, end))
        at = at + 1 if end is None else end + 1
    return frozenset(inside)


# Before a `|`, these tell that it begins a closure, and is no operator.
BEFORE_CLOSURE = frozenset({",", "move", "=", "=>", ":", "async", "static"})


def _find_end_of_types(tokens: list[Node], start: int) -> int | None:
    """Return the place of the `>` that ends the type arguments that a `<` begins; None if none does."""
    deep = 0
    for at in range(start, len(tokens)):
        deep += {"<": 1, "<<": 2, ">": -1, ">>": -2}.get(tokens[at].type, 0)
        if deep <= 0:
            return at
    return None


def parse_arguments(tree: Node | None) -> tuple[AttributeArgument, ...]:
    """Read the arguments of an attribute."""
    if tree is None:
        return ()
    return tuple(_build_argument(part) for part in split(strip_brackets(tree)))


def _build_argument(part: list[Node]) -> AttributeArgument:
    first = part[0]
    name = decode_node(first).removeprefix("r#")
    if not _is_word(first):
        return AttributeArgument(None, first, tuple(part))
    path = _find_path_length(part)
    if path > 1:
        name = "".join(decode_node(token) for token in part[:path])
    rest = part[path:]
    if not rest:
        return AttributeArgument(name, first)
    if rest[0].type == "=":
        return AttributeArgument(name, first, tuple(rest[1:]))
    if rest[0].type == "token_tree" and len(rest) == 1:
        return AttributeArgument(name, first, nested=rest[0])
    return AttributeArgument(None, first, tuple(part))


def _is_word(node: Node) -> bool:
    return node.type in ("identifier", "crate", "self", "super", "default") or (
        node.child_count == 0 and decode_node(node).isidentifier()
    )


def _find_path_length(part: list[Node]) -> int:
    length = 1
    while length + 1 < len(part) and part[length].type == "::" and _is_word(part[length + 1]):
        length += 2
    return length


def parse_expression(source: Source, tokens: tuple[Node, ...] | list[Node]) -> Node | None:
    """Read a stretch of tokens as one expression."""
    if not tokens:
        return None
    if len(tokens) == 1 and tokens[0].type not in ("token_tree", "identifier"):
        return tokens[0]
    root = parse_range(source, "rust", tokens[0], tokens[-1])
    return _find_sole(root)


def parse_elements(source: Source, tree: Node) -> list[Node]:
    """Read a bracketed token tree as the elements of an array or the arguments of a call, attributes among them."""
    root = parse_range(source, "rust", tree, tree)
    sole = _find_sole(root)
    if sole is None:
        return []
    if sole.type in ("array_expression", "tuple_expression", "parenthesized_expression"):
        return [part for part in sole.named_children if part.type not in COMMENTS]
    return [sole]


def _find_sole(root: Node) -> Node | None:
    """Return the expression that a reparsed stretch consists of."""
    node = root
    while node.type in ("source_file", "expression_statement", "ERROR"):
        parts = [part for part in node.named_children if part.type not in COMMENTS and part.type != "attribute_item"]
        if not parts:
            return None
        node = parts[0]
    return node
