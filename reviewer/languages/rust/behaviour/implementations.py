"""Which types the tree's `impl` blocks implement, and which traits, told by their heads; what is handed on under other names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reviewer.languages.nodes import child, parent_of
from reviewer.languages.rust.items import Item, Items, in_test, once

HEAD = re.compile(rb"^[ \t]*(?:unsafe\s+)?impl\b([^{;]*)\{", re.MULTILINE)
WHERE = re.compile(r"\bwhere\b.*", re.DOTALL)
FOR = re.compile(r"\bfor\b(?!\s*<)")
HANDING_ON = re.compile(rb"^[ \t]*pub(?:\s*\([^)]*\))?\s+use\b([^;]*\bas\b[^;]*);", re.MULTILINE)
ALIAS = re.compile(rb"\b(\w+)\s+as\s+(\w+)")
NAME = re.compile(r"^(?:&\s*)?(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?(?:\w+\s*::\s*)*(\w+)")


@dataclass(frozen=True, slots=True)
class Implementation:
    """One block: the names of its type and its trait without their paths, and where its `impl` stands."""

    type: str
    trait: str | None
    path: str
    at: int

    def methods(self, items: Items) -> Iterator[Item]:
        """Give its functions."""
        node = items.root(self.path).descendant_for_byte_range(self.at, self.at + 4)
        while node is not None and node.type != "impl_item":
            node = parent_of(node)
        body = child(node, "body")
        if node is None or body is None or in_test(node):
            return
        for part in body.named_children:
            if part.type == "function_item":
                yield Item(self.path, part, items.sources[self.path])


class Implementations:
    """All blocks of a tree, by type and by trait."""

    def __init__(self, items: Items) -> None:
        self._items = items
        self._all = [each for path in items.sources for each in _heads(path, items.sources[path].data)]

    @staticmethod
    def of(items: Items) -> "Implementations":
        """Give those of a tree, read once."""
        return _of(items)

    @cached_property
    def handed_on(self) -> dict[str, str]:
        """Say what stands behind the names under which modules hand on what others declare: `pub use x::page as to_page`."""
        uses = (each for source in self._items.sources.values() for each in HANDING_ON.findall(source.data))
        return {new.decode(): old.decode() for use in uses for old, new in ALIAS.findall(use)}

    @cached_property
    def _types(self) -> dict[str, list[Implementation]]:
        found: dict[str, list[Implementation]] = {}
        for each in self._all:
            found.setdefault(each.type, []).append(each)
        return found

    @cached_property
    def _traits(self) -> dict[str, list[Implementation]]:
        found: dict[str, list[Implementation]] = {}
        for each in self._all:
            if each.trait is not None:
                found.setdefault(each.trait, []).append(each)
        return found

    def named(self, name: str) -> list[Implementation]:
        """Find the blocks of all types of a name."""
        return self._types.get(name, [])

    def by_type(self, item: Item) -> list[Implementation]:
        """Find the blocks of a type; where several types bear its name, those in its package."""
        return self._near(self._types.get(item.name, []), item)

    def by_trait(self, item: Item) -> list[Implementation]:
        """Find the blocks that implement a trait."""
        return self._traits.get(item.name, [])

    def for_foreign(self) -> Iterator[Item]:
        """Give the methods of types that the project does not declare itself: its own, and those of its traits."""
        for name, blocks in self._types.items():
            if not self._items.is_declared(name):
                for each in blocks:
                    if each.trait is None or self._items.declared(each.trait, "trait"):
                        yield from each.methods(self._items)

    def _near(self, found: list[Implementation], item: Item) -> list[Implementation]:
        if len(self._items.declared(item.name, "struct", "enum", "trait")) < 2:
            return found
        package = self._items.package_folder(item.path)
        here = [each for each in found if each.path == item.path]
        return here or [each for each in found if self._items.package_folder(each.path) == package]


@once
def _of(items: Items) -> Implementations:
    return Implementations(items)


def _heads(path: str, data: bytes) -> Iterator[Implementation]:
    for found in HEAD.finditer(data):
        head = WHERE.sub("", _without_generics(found[1].decode("utf-8", "replace").strip()))
        trait, _, kind = head.rpartition("for ") if FOR.search(head) else ("", "", head)
        of, by = NAME.match(kind.strip()), NAME.match(trait.strip())
        if of is not None:
            yield Implementation(of[1], by[1] if by is not None else None, path, found.start(1) - 4)


def _without_generics(head: str) -> str:
    """Take off the parameters that stand before the names: `<T: Into<U>>`."""
    if not head.startswith("<"):
        return head
    depth = 0
    for at, sign in enumerate(head):
        depth += (sign == "<") - (sign == ">" and head[at - 1] != "-")
        if depth == 0:
            return head[at + 1 :].strip()
    return head
