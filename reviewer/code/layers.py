"""Mappings that share what they have in common: one with an entry more is made without a copy of a large one.

Each test of a function tells something, and each event keeps what was known there. Copies of it all would take memory with the
square of the number of tests: 680 MB for 2,700 branches of one `if`.
"""

from collections.abc import ItemsView, Iterator, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

FEW = 128
"""Entries up to which a copy costs less than looking into several layers."""


class Layered(Mapping[K, V]):
    """A mapping of several that never change. What stands in a later one holds; each has fewer entries than those before."""

    __slots__ = ("_layers",)

    def __init__(self, layers: tuple[Mapping[K, V], ...]) -> None:
        self._layers = layers

    def add_layer(self, told: Mapping[K, V]) -> "Layered[K, V]":
        """Return it with more entries, over layers that have more than these."""
        layers = self._layers
        while layers and len(layers[-1]) <= len(told):
            told = {**layers[-1], **told}
            layers = layers[:-1]
        return Layered((*layers, told))

    def flatten(self) -> dict[K, V]:
        """Return all its entries, in the order in which they came."""
        found: dict[K, V] = {}
        for each in self._layers:
            found.update(each)
        return found

    def __getitem__(self, key: K) -> V:
        for each in reversed(self._layers):
            if key in each:
                return each[key]
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return any(key in each for each in self._layers)

    def __iter__(self) -> Iterator[K]:
        return iter(self.flatten())

    def __len__(self) -> int:
        return len(self.flatten())

    def items(self) -> ItemsView[K, V]:
        """Return its entries as they are now, and ever."""
        return self.flatten().items()


def extend_mapping(known: Mapping[K, V], told: Mapping[K, V]) -> Mapping[K, V]:
    """Return a mapping with more entries, which hold where it has others."""
    if type(known) is Layered:  # to ask whether it is one takes ten times as long of an abstract class
        return known.add_layer(told)
    return {**known, **told} if len(known) < FEW else Layered((known,)).add_layer(told)


def flat(known: Mapping[K, V]) -> Mapping[K, V]:
    """Return a mapping to look up most of its entries in."""
    return known.flatten() if isinstance(known, Layered) else known
