"""The functions to which some others lead, and the types of which these speak, as names tell.

A path is resolved as everywhere; of a method only the name is known, so it may be any of that name of a type that code on the way
speaks of, or that implements a trait of which it does.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, iter_ancestors
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import find_owner
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

# What a node is part of, and may be reached by: a function by a call, a type by code that speaks of it.
HOLDERS = frozenset({"function_item", "struct_item", "enum_item", "union_item"})
# Types begin with a capital and values do not; rustc warns of anything else (`non_camel_case_types`).
TYPE = pattern(r"\b[A-Z]\w*")
TOKEN = pattern(
    r"""(?s:b?r(?:\#)".*?"\#)|b?"(?:\\.|[^"\\])*"|'(?:\\.|[^\\'])'|//[^\n]*|(\.\s*)?\b([A-Za-z_]\w*(?:\s*::\s*\w+)*)"""
    r"""(\s*(?:::\s*<[^;{}()]*?>+\s*)?\()?"""
)
"""What is said, or a name: whether it is a method's or a field's, with its path, and whether it is called."""

NAMED = pattern(r"\"([a-z_]\w*(?:::[a-z_]\w*)*)\"")
"""What attributes name as text: `#[serde(default = "page_size")]`."""

NEAREST = 8
"""Functions of one name that all count as reached if a path does not resolve to one; more share only the name.

40 servers had up to 3.
"""

MOST = 8_000
"""Functions that are followed before it is unknown what is reached. The largest of 40 servers had 590."""


class ReachableCode:
    """What is reached from some functions, nearest first, and no farther than somebody asks."""

    def __init__(self, items: RustItems, roots: Iterable[RustItem]) -> None:
        self._items = items
        self._functions: set[tuple[str, int]] = set()
        self._types: set[str] = set()
        self._names: set[str] = set()
        self._methods: dict[tuple[str, int], RustItem] = {}
        """The methods of names that are called, of types of which nothing speaks yet."""
        self._waiting: deque[RustItem] = deque()
        self._take(roots)

    def holds(self, path: str, node: Node) -> bool | None:
        """Return whether a node lies in a function that is reached, or, outside of functions, in such a type.

        None if that is not known after so much code that a tool's call leads almost everywhere.
        """
        whole = [node, *iter_ancestors(node)]
        functions = {(path, each.start_byte) for each in whole if each.type == "function_item"}
        types = {decode_node(find_child(each, "name") or each) for each in whole if each.type in HOLDERS}
        while self._functions.isdisjoint(functions) if functions else self._types.isdisjoint(types):
            if len(self._functions) > MOST:
                return None
            if not self._waiting and not self._take(self._iter_meant()):
                return False
            self._follow(self._waiting.popleft())
        return True

    def _take(self, found: Iterable[RustItem]) -> bool:
        """Follow what was not followed yet; return whether that is anything."""
        for each in found:
            if (each.path, each.node.start_byte) not in self._functions and not is_in_test(each.node):
                self._functions.add((each.path, each.node.start_byte))
                self._waiting.append(each)
        return bool(self._waiting)

    def _follow(self, item: RustItem) -> None:
        text, whose = decode_node(item.node), find_owner(item.node) or ""
        self._speak(text, whose)
        for dot, name, is_called in set(TOKEN.findall(text)):
            path = tuple(each.strip() for each in name.split("::"))
            if dot:
                self._call(path[0])
            elif name:
                self._take(
                    self._iter_path_targets(
                        (whose, *path[1:]) if path[0] == "Self" else path, item.path, bool(is_called)
                    )
                )

    def _call(self, name: str) -> None:
        if name not in self._names and self._items.is_declared(name):
            self._names.add(name)
            self._methods |= {(each.path, each.node.start_byte): each for each in self._items.find_functions(name)}

    def _iter_path_targets(self, path: tuple[str, ...], file: str, is_called: bool) -> Iterator[RustItem]:
        """Yield the functions that a path may mean; a bare name is of the file, or of what this brings in."""
        uses = self._items.read_uses(file)
        last = (*uses.names.get(path[0], path[:1]), *path[1:])[-1]
        if not self._items.is_declared(last):
            return
        is_near = len(path) > 1 or path[0] in uses.names or ("fn", path[0]) in self._items.list_declarations(file)
        ways = [path] if is_near else [(*each, *path) for each in uses.globs] if is_called else []
        for found in (self._items.resolve(each, file, "fn") for each in ways):
            if isinstance(found, RustItem):
                yield found
            elif isinstance(found, Opaque):
                yield from self._items.find_functions(last)[:NEAREST]
        if len(path) > 1:
            self._call(last)  # a function of a trait, as of a type that has it

    def _speak(self, *texts: str) -> None:
        """Take in the types of which texts speak, those of their fields, and the functions that attributes there name."""
        waiting = list(texts)
        while waiting:
            for word in set(TYPE.findall(waiting.pop())) - self._types:
                self._types.add(word)
                for each in self._items.find_declared(word, "struct", "enum", "type", "trait"):
                    said = decode_node(each.node)
                    waiting.append(said)
                    for path in NAMED.findall(said):
                        self._take(self._iter_path_targets(tuple(path.split("::")), each.path, True))

    def _iter_meant(self) -> Iterator[RustItem]:
        """Yield the methods that are called by their names, of types of which something speaks by now."""
        for key, each in list(self._methods.items()):
            block = next(
                (above for above in iter_ancestors(each.node) if above.type in ("impl_item", "trait_item")), None
            )
            heads = [
                part
                for part in (find_child(block, "type"), find_child(block, "trait"), find_child(block, "name"))
                if part is not None
            ]
            if not self._types.isdisjoint(word for head in heads for word in TYPE.findall(decode_node(head))):
                del self._methods[key]
                yield each
