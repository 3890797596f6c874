"""The code that a tool's call runs through: where handlers stand, and what these call.

Where no handler is a function that can be told, as among the tokens of a macro, all counts that stands in the files of handlers
and in those that these name as modules.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.paging.pages import ELSEWHERE
from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds
from reviewer.languages.rust.behaviour.reached import HOLDERS, ReachableCode
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, iter_attributes_before, memoize
from reviewer.languages.rust.project.modules import ROOTS
from reviewer.languages.rust.project.name_resolution import read_last_segment
from reviewer.languages.rust.syntax.prefilter import compile_marks, find_files_with
from reviewer.text.patterns import pattern

HANDLING = compile_marks(
    rb"match\s[^{};]*action",
    rb"if\s[^{};]*action[^{};]*\"[^{};]*\{",
    rb"\btool_(?:router|box|handler)\b",
    rb"Tool(?:Base|Handler)?(?:<[^{;\n]*>)?\s+for\s",
    rb"fn\s+(?:respond|call_tool|dispatch\w*|run_with_client)\b",
)
# The names that the checklist prescribes for the way of a call (`respond`, `dispatch`, `run_with_client`), and rmcp's
# method.
NAMES = pattern(r"respond|call_tool|dispatch\w*|run_with_client")
# rmcp hands a tool its arguments as `Parameters<T>`. The classes of characters end a match at the next brace or
# semicolon: a word far behind belongs to other code.
CHOOSING = pattern(rb"\bParameters\s*<|match\s[^{};]*action|if\s[^{};]*action[^{};]*\"[^{};]*\{")
# rmcp's attributes. Over a block, they may make tools of all its functions.
MARKED = pattern(r"\btool(?:_router|_box|_handler)?\b")
# The traits of rmcp and rust-mcp-sdk by which a type takes calls, rmcp's trait of one tool, and those of projects
# (`Tool`, `McpTool`).
TRAITS = pattern(r"^(?:ServerHandler(?:Core)?|\w*Tool(?:Base|Handler)?)$")
HARMLESS = pattern(
    r"#\[\s*(?:derive|serde|schemars|allow|expect|must_use|inline|doc|cfg|cfg_attr|deprecated|validate|repr)\b"
)
"""Attributes that hand nothing to anybody."""
# As in Python: what a handler's own file names, and what that names in turn.
PASSES = 2
# The first part of a path, the last one, and each in braces may be a module. Possessive, since a long word that no `::`
# follows would else be tried from each of its letters on.
PATHS = pattern(rb"\b(\w++)\s*+::|::\s*(\w+)|::\s*\{([^{}]*)\}")


class Handling:
    """What a tool's call runs through."""

    def __init__(self, items: RustItems) -> None:
        roots = [
            root
            for path in find_files_with(items, HANDLING)
            if not _is_elsewhere(path)
            for root in _iter_roots(items, path)
        ]
        self._items = items
        self._crates = {items.find_package_folder(each.path) for each in roots}
        self.roots = roots
        near = [path for path in items.sources if ELSEWHERE.isdisjoint(path.removesuffix(".rs").split("/"))]
        self.files = near if roots else find_handler_files(items)

    @cached_property
    def _reached(self) -> ReachableCode:
        return ReachableCode(self._items, self.roots)

    def holds(self, path: str, node: Node) -> bool:
        """Return whether a node is part of it: a tool's call leads there, or no call does yet in the crate of the tools.

        Code that nothing mentions belongs to no other layer either, unless an attribute or a trait hands it to one.
        """
        called = not self.roots or self._reached.holds(path, node)
        if called is None:
            return path in find_handler_files(self._items)
        if called:
            return True
        if self._items.find_package_folder(path) not in self._crates:
            return False
        name = _find_lonely_name(node)
        return name is not None and not _is_spoken_of(self._items, name)


def _find_lonely_name(node: Node) -> str | None:
    """Name what only a mention can bring into use: the type or the function around a node, or the type that has its trait."""
    holder = find_nearest_of_kinds(node, *HOLDERS)
    if holder is None or any(not HARMLESS.match(decode_node(each)) for each in iter_attributes_before(holder)):
        return None
    block = holder.parent.parent if holder.parent is not None else None
    kind = find_child(block, "type") if find_child(block, "trait") is not None else None
    name = read_last_segment(kind) if kind is not None else decode_node(find_child(holder, "name") or holder)
    return name if name != "main" else None


def _is_spoken_of(items: RustItems, name: str) -> bool:
    """Return whether any code speaks of a function or a type, beside what declares and what implements it."""
    said = rb"\"(?:\\.|[^\"\\])*\"|//[^\n]*|/\*.*?\*/"
    heads = rb"\b(?:fn|struct|enum|union|for|impl(?:\s*<[^{;]*?>)?)\s+"
    word = re.compile(rb"%s|(?:%s)?(?<!\w)%s\b" % (said, heads, name.encode()), re.DOTALL)
    near = (
        each
        for path in items.find_matching(re.compile(name.encode()))
        for each in word.findall(items.sources[path].data)
    )
    return any(each == name.encode() for each in near)


@memoize
def build_handling(items: RustItems) -> Handling:
    """Find what the tree's tools run through."""
    return Handling(items)


def _iter_roots(items: RustItems, path: str) -> Iterator[RustItem]:
    for node in items.find_nodes(path, "function_item"):
        if _handles(node) and not is_in_test(node):
            yield RustItem(path, node, items.sources[path])


def _handles(function: Node) -> bool:
    """Return whether a function takes calls of tools: by its name, by its mark, by its trait, or as it chooses by the action."""
    if NAMES.fullmatch(decode_node(find_child(function, "name") or function)) or CHOOSING.search(function.text or b""):
        return True
    block = function.parent.parent if function.parent is not None else None
    marked = [function, *([block] if block is not None and block.type == "impl_item" else [])]
    if any(MARKED.search(decode_node(mark)) for each in marked for mark in iter_attributes_before(each)):
        return True
    trait = find_child(block, "trait")
    return trait is not None and TRAITS.match(read_last_segment(trait)) is not None


@memoize
def find_handler_files(items: RustItems) -> list[str]:
    """Name the files that hold handlers, and those that these name as modules, two rounds far."""
    known = {path for path in find_files_with(items, HANDLING) if not _is_elsewhere(path)}
    fresh = known
    for _ in range(PASSES):
        named = {word for path in fresh for word in _collect_modules_named(items.sources[path].data)}
        fresh = {
            path for path in items.sources if path not in known and _stem(path) in named and not _is_elsewhere(path)
        }
        known |= fresh
    return [path for path in items.sources if path in known]


def _collect_modules_named(data: bytes) -> set[str]:
    found = PATHS.findall(data)
    listed = (word for _, _, names in found if names for word in re.findall(rb"\w+", names))
    words = {*(before for before, _, _ in found), *(after for _, after, _ in found), *listed}
    return {word.decode() for word in words}


def _is_elsewhere(path: str) -> bool:
    parts = path.removesuffix(".rs").split("/")
    return not ELSEWHERE.isdisjoint(parts) or "api" in (*parts[:-1], *parts[-1].split("_"))


def _stem(path: str) -> str:
    *folders, file = path.split("/")
    stem = file.removesuffix(".rs")
    return (
        stem
        if stem not in ROOTS
        else next((name for name in reversed(folders) if name != "src"), stem).replace("-", "_")
    )
