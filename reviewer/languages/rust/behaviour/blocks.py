"""rmcp's impl blocks that collect `#[tool]` functions, and those that serve what was collected."""

import re
from collections.abc import Callable, Iterable, Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, named_in, string_of
from reviewer.languages.rust.project.items import RustItems, in_test, once
from reviewer.languages.rust.project.uses import segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.languages.rust.syntax.attributes import Attribute
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

COLLECTING = pattern(rb"tool_(?:router|box)\b")
SERVING = pattern(rb"\btool_handler\b")
MARKED = pattern(rb"#\[\s*(?:rmcp\s*::\s*)?tool\b")
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
        given = self.mark.argument("router")
        return string_of(given.tokens[0]) if given is not None and given.tokens else DEFAULT

    def functions(self) -> Iterator[tuple[Node, Attribute]]:
        """Yield the block's `#[tool]` functions with that attribute."""
        for function, mark in tool_functions(self.node):
            if self.only is None or string_of(child(function, "name") or function) in self.only:
                yield function, mark


def tool_functions(block: Node) -> Iterator[tuple[Node, Attribute]]:
    """Yield the functions of an impl block that carry `#[tool]`, with that attribute."""
    for part in named_in(block, "body"):
        mark = attributes.named(attributes.before(part), "tool") if part.type == "function_item" else None
        if mark is not None and child(part, "name") is not None:
            yield part, mark


@once
def collecting(items: RustItems) -> tuple[ImplBlock, ...]:
    """Find the impl blocks that collect tools."""
    plain = ((path, block) for path, block in impls(items, COLLECTING) if child(block, "trait") is None)
    return (*_iter_marked(plain, collector), *_iter_boxed(items))


def _iter_boxed(items: RustItems) -> Iterator[ImplBlock]:
    """Find the impl blocks whose functions rmcp 0.1's `tool_box!(Type { one, other })` collects."""
    for path in items.mentioning(BOXED):
        for macro in items.of_kinds(path, "macro_invocation"):
            tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
            parts = tokens.inner(tree) if tree is not None and string_of(macro.named_children[0]) == "tool_box" else []
            if len(parts) < 2 or parts[1].type != "token_tree" or in_test(macro):
                continue
            type_, only = string_of(parts[0]), frozenset(string_of(part) for part in parts[1].named_children)
            for where, block in impls(items, MARKED):
                own = child(block, "type")
                if own is not None and segments(own)[-1] == type_ and collector(block) is None:
                    yield ImplBlock(where, block, type_, Attribute("tool", "tool", macro), only)


def serving(items: RustItems) -> tuple[ImplBlock, ...]:
    """Find the implementations of `ServerHandler` that rmcp completes by `#[tool_handler]`."""
    return tuple(
        _iter_marked(impls(items, SERVING), lambda block: attributes.named(attributes.before(block), "tool_handler"))
    )


def _iter_marked(found: Iterable[tuple[str, Node]], mark_of: Callable[[Node], Attribute | None]) -> Iterator[ImplBlock]:
    for path, block in found:
        mark, type_ = mark_of(block), child(block, "type")
        if mark is not None and type_ is not None:
            yield ImplBlock(path, block, segments(type_)[-1], mark)


def impls(items: RustItems, pattern: re.Pattern[bytes]) -> Iterator[tuple[str, Node]]:
    """Yield the impl blocks of the files whose bytes match, without those of test code."""
    for path in items.mentioning(pattern):
        yield from ((path, block) for block in items.of_kinds(path, "impl_item") if not in_test(block))


def collector(block: Node) -> Attribute | None:
    """Return the attribute that makes an impl block collect tools."""
    for each in attributes.before(block):
        if each.name == "tool_router" or (each.name == "tool" and each.argument("tool_box") is not None):
            return each
    return None
