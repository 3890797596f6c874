"""What runs when a tool is called: from the handlers through functions, methods, constants and types, as names tell.

A path or a bare name is resolved as everywhere; of a method only the name is known, so it may be any method of that name of a
type that code on the way speaks of, or that implements a trait of which it does.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of
from reviewer.languages.rust.behaviour.implementations import Implementation, Implementations
from reviewer.languages.rust.callees import owner
from reviewer.languages.rust.items import Item, Items, once
from reviewer.source import Opaque

TOKEN = re.compile(
    rb"""(?s:b?r(\#*)".*?"\1)|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^u]|\\u\{\w+\}|[^\\'\n])'|//[^\n]*|(?s:/\*.*?\*/)|\b(?:fn|struct|enum|union)\s+\w+"""
    rb"""|(?P<on>(?:\bself\s*)?(?:\.|>\s*::)\s*)?(?P<name>(?:\$|\b)[A-Za-z_]\w*(?:\s*::\s*\$?[A-Za-z_]\w*)*)"""
    rb"""(?P<after>\s*(?:::\s*<[^;{}()]*?>+\s*)?\(|!|:(?!:))?""",
    re.DOTALL,
)
NAMED_FUNCTION = re.compile(rb"\"([a-z_]\w*(?:::[a-z_]\w*)*)\"")
"""What attributes name as text: `#[serde(default = "page_size")]`."""
TYPES = ("struct", "enum", "trait", "type")
MOST = 8_000
"""The functions and types that are followed."""

NEAREST = 8
"""Declarations of one name between which nothing decides and that are all taken for what is meant."""

NAME = 2
"""The group that holds a name."""

Token = tuple[bytes, bytes, bytes, bytes]


class _Place(NamedTuple):
    """Where names are read: the file, the type that `Self` stands for, the node around."""

    path: str
    owner: str
    node: Node


class Calls:
    """The functions and types that are reached from some functions, nearest first, and no farther than somebody asks."""

    def __init__(self, items: Items, roots: Iterable[Item]) -> None:
        self._items = items
        self._implementations = Implementations.of(items)
        self._reached: set[tuple[str, int, int]] = set()
        self._waiting: deque[Item] = deque()
        self._left = MOST
        self._methods: dict[str, list[Item]] = {}
        self._methods_of: dict[str, dict[str | None, list[Item]]] = {}
        self._called: set[str] = set()
        self._read: set[tuple[str, str, Token]] = set()
        for each in self._implementations.for_foreign():
            self._offer(each)
        for root in roots:
            self._reach(root)

    def hold(self, path: str, node: Node) -> bool | None:
        """Tell whether a node lies in a function that is reached, or, outside of functions, in such a type.

        None if that is not known after so much code that a tool's call leads almost everywhere.
        """
        around = list(_around(node))
        functions = [each for each in around if each.type == "function_item"]
        wanted = {(path, each.start_byte, each.end_byte) for each in functions or around}
        while self._reached.isdisjoint(wanted):
            if not self._waiting:
                return False
            if not self._left:
                return None
            self._left -= 1
            self._follow(self._waiting.popleft())
        return True

    def _reach(self, item: Item) -> None:
        key = (item.path, item.node.start_byte, item.node.end_byte)
        if key not in self._reached:
            self._reached.add(key)
            self._waiting.append(item)

    def _follow(self, item: Item) -> None:
        data, whose = item.node.text or b"", owner(item.node) or item.name
        place = _Place(item.path, whose, item.node)
        if whose != item.name and self._items.declared(whose, *TYPES):
            self._use(place, (whose,))
        used = self._items.uses(item.path).names
        for token in dict.fromkeys(TOKEN.findall(data)):
            key = (item.path, whose, token)
            if key not in self._read and self._may_mean(token[NAME], used):
                self._read.add(key)
                self._mention(place, *token[1:])
        if item.node.type in ("struct_item", "enum_item", "union_item", "trait_item"):
            self._reach_type(item, data, place)

    def _may_mean(self, name: bytes, used: Mapping[str, object]) -> bool:
        """Tell whether a name may be one of the project's: most in code are not, and are asked for nothing more."""
        if b"::" in name:
            return True
        text = name.decode()
        return text in used or self._items.is_declared(text)

    def _mention(self, place: _Place, on: bytes, name: bytes, after: bytes) -> None:
        """Follow a name as it stands in code: as whose method, with its path, and whether it is called."""
        path = tuple(part.strip() for part in name.decode().replace("$crate", "crate").split("::"))
        if after == b":" or any(part.startswith("$") for part in path):
            return  # a field, or a path that only a macro's use completes
        if after == b"!":
            for each in self._items.declared(path[-1], "macro"):
                self._reach(each)
        elif not on or len(path) > 1:
            self._use(place, path, after.endswith(b"("))
        elif after.endswith(b"("):
            self._call(path[0], place.owner if on.startswith(b"self") else None)

    def _call(self, name: str, whose: str | None) -> None:
        """Reach the methods of a name: the type's own if it has one, else those of all types that are reached."""
        own = self._own(whose, name) if whose is not None else []
        self._take(own)
        if not own and name not in self._called:
            self._called.add(name)
            for each in self._methods.pop(name, ()):
                self._reach(each)

    def _own(self, whose: str, name: str) -> list[Item]:
        """Find the methods of a name that a type or a trait has."""
        if name not in self._methods_of:
            found: dict[str | None, list[Item]] = {}
            for each in self._items.functions(name):
                found.setdefault(owner(each.node), []).append(each)
            self._methods_of[name] = found
        return self._methods_of[name].get(whose, [])

    def _use(self, place: _Place, names: tuple[str, ...], is_call: bool = False) -> None:
        """Reach what a path names: a function, a type and its function, a constant."""
        if names[0] == "Self":
            names = (place.owner, *names[1:])
        last = names[-1]
        if last[:1].isupper() and not last.isupper():
            self._use_type(place, names)
            if len(names) > 1 and names[-2][:1].isupper():
                self._use_type(place, names[:-1])
        elif last.isupper():
            self._take(self._resolved(place, names, "const", *TYPES))
        elif len(names) > 1 and names[-2][:1].isupper():
            self._use_type(place, names[:-1])
            self._use_method(place, names[-2], last)
        elif len(names) > 1:
            self._take(self._resolved(place, names, "fn"))
        else:
            self._take(self._bare(place, last, is_call))

    def _use_type(self, place: _Place, names: tuple[str, ...]) -> None:
        self._take(self._resolved(place, names, *TYPES))

    def _use_method(self, place: _Place, kind: str, name: str) -> None:
        used = self._items.uses(place.path).names.get(kind, (kind,))[-1]
        found = self._own(used, name)
        self._take(found)
        if not found or self._items.declared(used, "trait"):
            self._call(name, None)

    def _bare(self, place: _Place, name: str, is_call: bool) -> list[Item]:
        """Find the function that a name without a path means: the file's own, one that it brings in, one of a whole module."""
        here = self._items.of_file(place.path).get(("fn", name), ())
        own = [each for each in here if owner(each.node) is None]
        uses = self._items.uses(place.path)
        if own or name in uses.names:
            return own or self._resolved(place, (name,), "fn")
        found = [each for path in uses.globs for each in self._resolved(place, (*path, name), "fn")] if is_call else []
        crate = self._items.package_folder(place.path)
        return [each for each in found if self._items.package_folder(each.path) == crate]

    def _resolved(self, place: _Place, names: tuple[str, ...], *kinds: str) -> list[Item]:
        used = (*self._items.uses(place.path).names.get(names[0], names[:1]), *names[1:])
        if not self._items.is_declared(used[-1]):
            meant = self._implementations.handed_on.get(used[-1], "")
            return self._items.declared(meant, *kinds)[:NEAREST]
        found = self._items.resolve(names, place.path, *kinds, near=place.node)
        if isinstance(found, Item) and self._may_be(found, names, place, kinds):
            table = self._items.of_file(found.path)
            alike = [each for kind in kinds for each in table.get((kind, found.name), ())]
            return [each for each in alike if each.node.parent == found.node.parent]
        if isinstance(found, Opaque):
            crate = self._items.package_folder(place.path)
            alike = [each for each in self._items.declared(names[-1], *kinds) if owner(each.node) is None]
            several = [each for each in alike if self._may_be(each, names, place, kinds)]
            near = [each for each in several if self._items.package_folder(each.path) == crate]
            return (near or several)[:NEAREST]
        return []

    def _may_be(self, found: Item, names: tuple[str, ...], place: _Place, kinds: tuple[str, ...]) -> bool:
        """Tell whether what is nearest to a path lies in its module, or is the only one that a module may hand on."""
        full = (*self._items.uses(place.path).names.get(names[0], names[:1]), *names[1:])
        module = full[-2] if len(full) > 1 else "self"
        if module in ("self", "super", "crate") or module[:1].isupper():
            return True
        parts = found.path.removesuffix(".rs").replace("-", "_").split("/")
        return module in parts or len(self._items.declared(found.name, *kinds)) == 1

    def _take(self, found: list[Item]) -> None:
        for each in found:
            self._reach(each)

    def _reach_type(self, item: Item, data: bytes, place: _Place) -> None:
        """Reach what a type brings along: the functions that attributes name, its methods, what implements a trait."""
        for found in NAMED_FUNCTION.findall(data):
            self._use(place, tuple(found.decode().split("::")), True)
        if item.node.type == "trait_item":
            for method in _methods_in(item.node):
                self._offer(Item(item.path, method, item.source))
            for each in self._implementations.by_trait(item):
                self._use(_Place(each.path, each.type, item.node), (each.type,))
        for each in self._implementations.by_type(item):
            self._offer_all(each)

    def _offer_all(self, implementation: Implementation) -> None:
        trait = implementation.trait
        unseen = trait is not None and not self._items.declared(trait, "trait")
        for method in implementation.methods(self._items):
            self._reach(method) if unseen else self._offer(method)

    def _offer(self, method: Item) -> None:
        """Take a method in that is reached as soon as one of its name is called."""
        if method.name in self._called:
            self._reach(method)
        else:
            self._methods.setdefault(method.name, []).append(method)


def spoken_of(items: Items, name: str) -> bool:
    """Tell whether any code speaks of a function or a type, beside what declares and what implements it."""
    heads = [each.path for each in Implementations.of(items).named(name)]
    if not items.is_declared(name):
        return True
    near = (path for path, source in items.sources.items() if name.encode() in source.data)
    return any(_words_of(items, path)[name] > heads.count(path) for path in near)


def _words_of(items: Items, path: str) -> Counter[str]:
    """Count the names in a file's code, the declarations of functions and types left out."""
    counted = _words(items)
    if path not in counted:
        names = b" ".join(found[NAME] for found in TOKEN.findall(items.sources[path].data)).decode("utf-8", "replace")
        counted[path] = Counter(names.replace("::", " ").split())
    return counted[path]


@once
def _words(items: Items) -> dict[str, Counter[str]]:
    """Keep the names of the files whose names were counted."""
    return {}


def _methods_in(block: Node) -> Iterator[Node]:
    body = child(block, "body")
    yield from (each for each in (body.named_children if body is not None else ()) if each.type == "function_item")


def _around(node: Node) -> Iterator[Node]:
    current: Node | None = node
    while current is not None:
        yield current
        current = parent_of(current)
