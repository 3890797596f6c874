"""rmcp's impl blocks that collect `#[tool]` functions, and those that serve what was collected."""

import re
from collections.abc import Callable, Iterable, Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.items import RustItems, is_in_test, memoize
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.languages.rust.syntax.attributes import Attribute
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

# rmcp collects by `#[tool_router]`, 0.1 by `#[tool(tool_box)]`; only files with one of the words are parsed for it.
COLLECTING = pattern(rb"tool_(?:router|box)\b")
# rmcp's attribute that writes `call_tool` and `list_tools` into a `ServerHandler`, from 0.2 on.
SERVING = pattern(rb"\btool_handler\b")
# The attribute is written by its path as well: `#[rmcp::tool]`.
MARKED = pattern(rb"#\[\s*(?:rmcp\s*::\s*)?tool\b")
# rmcp 0.1's macro takes a type and function names in braces. rust-mcp-sdk's macro of the same name takes an enum and a
# list in square brackets, and is read in `declarations/boxes.py`.
BOXED = pattern(rb"\btool_box!\s*[({]\s*\w+\s*\{")
DEFAULT = "tool_router"


@dataclass(frozen=True, slots=True)
class ImplBlock:
    """An impl block with the attribute that rmcp reads over it; `type` is the block's.

    `only` are the functions that rmcp 0.1's `tool_box!(Type { .. })` names, None where all of a block are collected.
    """

    path: str
    node: Node
    type: str
    mark: Attribute
    only: frozenset[str] | None = None

    @property
    def is_old(self) -> bool:
        """Return whether the attribute is rmcp 0.1's `#[tool(tool_box)]`."""
        return self.mark.name == "tool"

    @property
    def maker(self) -> str | None:
        """Name the function that rmcp makes to give the block's router; rmcp 0.1 makes none."""
        if self.is_old:
            return None
        given = self.mark.find_argument("router")
        return decode_node(given.tokens[0]) if given is not None and given.tokens else DEFAULT

    def iter_functions(self) -> Iterator[tuple[Node, Attribute]]:
        """Yield the block's `#[tool]` functions with that attribute."""
        for function, mark in iter_tool_functions(self.node):
            if self.only is None or decode_node(find_child(function, "name") or function) in self.only:
                yield function, mark


def iter_tool_functions(block: Node) -> Iterator[tuple[Node, Attribute]]:
    """Yield the functions of an impl block that carry `#[tool]`, with that attribute."""
    for part in list_field_children(block, "body"):
        mark = attributes.find_named(attributes.read_before(part), "tool") if part.type == "function_item" else None
        if mark is not None and find_child(part, "name") is not None:
            yield part, mark


@memoize
def find_router_blocks(items: RustItems) -> tuple[ImplBlock, ...]:
    """Find the impl blocks that collect tools."""
    plain = ((path, block) for path, block in iter_impls(items, COLLECTING) if find_child(block, "trait") is None)
    return (*_iter_marked_blocks(plain, find_router_attribute), *_iter_tool_box_blocks(items))


def _iter_tool_box_blocks(items: RustItems) -> Iterator[ImplBlock]:
    """Find the impl blocks whose functions rmcp 0.1's `tool_box!(Type { one, other })` collects."""
    for path in items.find_matching(BOXED):
        for macro in items.find_nodes(path, "macro_invocation"):
            tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
            parts = (
                tokens.strip_brackets(tree)
                if tree is not None and decode_node(macro.named_children[0]) == "tool_box"
                else []
            )
            if len(parts) < 2 or parts[1].type != "token_tree" or is_in_test(macro):
                continue
            type_, only = decode_node(parts[0]), frozenset(decode_node(part) for part in parts[1].named_children)
            for where, block in iter_impls(items, MARKED):
                own = find_child(block, "type")
                if own is not None and read_segments(own)[-1] == type_ and find_router_attribute(block) is None:
                    yield ImplBlock(where, block, type_, Attribute("tool", "tool", macro), only)


def find_handler_blocks(items: RustItems) -> tuple[ImplBlock, ...]:
    """Find the implementations of `ServerHandler` that rmcp completes by `#[tool_handler]`."""
    return tuple(
        _iter_marked_blocks(
            iter_impls(items, SERVING),
            lambda block: attributes.find_named(attributes.read_before(block), "tool_handler"),
        )
    )


def _iter_marked_blocks(
    found: Iterable[tuple[str, Node]], mark_of: Callable[[Node], Attribute | None]
) -> Iterator[ImplBlock]:
    for path, block in found:
        mark, type_ = mark_of(block), find_child(block, "type")
        if mark is not None and type_ is not None:
            yield ImplBlock(path, block, read_segments(type_)[-1], mark)


def iter_impls(items: RustItems, pattern: re.Pattern[bytes]) -> Iterator[tuple[str, Node]]:
    """Yield the impl blocks of the files whose bytes match, without those of test code."""
    for path in items.find_matching(pattern):
        yield from ((path, block) for block in items.find_nodes(path, "impl_item") if not is_in_test(block))


def find_router_attribute(block: Node) -> Attribute | None:
    """Return the attribute that makes an impl block collect tools."""
    for each in attributes.read_before(block):
        if each.name == "tool_router" or (each.name == "tool" and each.find_argument("tool_box") is not None):
            return each
    return None
