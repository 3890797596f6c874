"""Attributes and doc comments that stand over an item."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.languages.nodes import decode_node, find_child, locate_node
from reviewer.languages.rust.syntax.tokens import COMMENTS, AttributeArgument
from reviewer.languages.rust.syntax.tokens import parse_arguments as arguments_of
from reviewer.records import dataclass
from reviewer.source import Source

# An inner attribute (`#![..]`) belongs to what is around it and so ends the gap above an item.
GAP = COMMENTS | {"attribute_item"}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute. `path` is as written, `name` its last segment; `tokens` are the value of `#[name = …]`."""

    path: str
    name: str
    node: Node
    tree: Node | None = None
    tokens: tuple[Node, ...] = ()

    @property
    def arguments(self) -> tuple[AttributeArgument, ...]:
        """The arguments between the attribute's parentheses."""
        return arguments_of(self.tree)

    def find_argument(self, name: str) -> AttributeArgument | None:
        """Find an argument by its name."""
        return next((each for each in self.arguments if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Doc:
    """One doc comment or `#[doc = …]`; `text` is what rustc makes of it, None for an expression."""

    text: str | None
    node: Node
    tokens: tuple[Node, ...] = ()


def list_preceding(node: Node) -> list[Node]:
    """Return the attributes and comments before a node, first to last."""
    found = []
    before = node.prev_sibling
    while before is not None and (before.type in GAP or before.type in ("visibility_modifier", "ERROR")):
        if before.type == "ERROR":  # a second attribute over a parameter
            found += [part for part in reversed(before.children) if part.type in GAP]
        else:
            found.append(before)
        before = before.prev_sibling
    return found[::-1]


def read_before(node: Node) -> list[Attribute]:
    """Return the attributes that stand over a node; `cfg_attr` stands for what it holds."""
    return [each for part in list_preceding(node) if part.type == "attribute_item" for each in read(part)]


def read(node: Node) -> Iterator[Attribute]:
    """Read one `#[…]`."""
    attribute = next((part for part in node.named_children if part.type == "attribute"), None)
    if attribute is None or not attribute.named_children:
        return
    path = decode_node(attribute.named_children[0])
    tree, value = find_child(attribute, "arguments"), find_child(attribute, "value")
    if path == "cfg_attr":
        yield from _iter_conditional(node, tree)
        return
    yield Attribute(path, path.rpartition("::")[2].strip(), node, tree, (value,) if value is not None else ())


def _iter_conditional(node: Node, tree: Node | None) -> Iterator[Attribute]:
    for each in arguments_of(tree)[1:]:
        if each.name is not None:
            yield Attribute(each.name, each.name.rpartition("::")[2], node, each.nested, each.tokens)


def find_named(found: list[Attribute], name: str) -> Attribute | None:
    """Find an attribute by the last segment of its path."""
    return next((each for each in found if each.name == name), None)


def collect_derived_traits(found: list[Attribute]) -> set[str]:
    """Return the names of the traits that are derived."""
    return {(each.name or "").rpartition("::")[2] for part in found if part.name == "derive" for each in part.arguments}


def iter_docs(parts: list[Node]) -> Iterator[Doc | Attribute]:
    """Read what stands over an item as docs and other attributes, in order."""
    for part in parts:
        if part.type == "attribute_item":
            for each in read(part):
                yield Doc(None, part, each.tokens) if each.path == "doc" and each.tokens else each
        elif part.type in ("line_comment", "block_comment") and find_child(part, "outer") is not None:
            text = find_child(part, "doc")
            yield Doc(_get_comment_text(part, decode_node(text) if text is not None else ""), part)


def _get_comment_text(part: Node, text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r") if part.type == "line_comment" else text


def read_conditions(source: Source, node: Node) -> tuple[Condition, ...]:
    """Return the `#[cfg(…)]` conditions that stand over a node."""
    return tuple(
        Condition(decode_node(part), locate_node(source, part))
        for part in list_preceding(node)
        if part.type == "attribute_item" and decode_node(part).startswith("#[cfg(")
    )
