"""Mappings that share what they have in common: one with an entry more is made without a copy of a large one.

Each test of a function tells something, and each event keeps what was known there. Copies of it all would take memory with the
square of the number of tests: 680 MB for 2,700 branches of one `if`.
"""

from collections.abc import Callable, ItemsView, Iterator, Mapping
from itertools import takewhile
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

    @property
    def layers(self) -> tuple[Mapping[K, V], ...]:
        """The mappings that it is made of."""
        return self._layers

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
    if not told:
        return known
    if type(known) is Layered:  # to ask whether it is one takes ten times as long of an abstract class
        return known.add_layer(told)
    return {**known, **told} if len(known) < FEW else Layered((known,)).add_layer(told)


def _list_layers(known: Mapping[K, V]) -> tuple[Mapping[K, V], ...]:
    return known.layers if type(known) is Layered else (known,)


def join_mappings(
    one: Mapping[K, V], other: Mapping[K, V], join: Callable[[V, V], V | None]
) -> tuple[Mapping[K, V], dict[K, V]]:
    """Return the entries of both mappings: those that hold where the second part has none, and the second part; None is not kept.

    Where both were made from one, what they share is not gone through. Layers of either in which nothing changes are kept, so
    that the next mapping that was made from the same shares them again.
    """
    mine, theirs = _list_layers(one), _list_layers(other)
    number = sum(1 for _ in takewhile(lambda both: both[0] is both[1], zip(mine, theirs, strict=False)))
    shared, beyond = mine[:number], (mine[number:], theirs[number:])
    found: dict[K, V] = {}
    if not shared:
        left, right = flatten_mapping(one), flatten_mapping(other)
        for (key, told), known in zip(right.items(), map(left.get, right), strict=True):
            if known is told:
                found[key] = told
            elif known is not None:
                both = join(known, told)
                if both is not None:
                    found[key] = both
        if len(found) < FEW:
            return {}, found
    else:
        base = Layered(shared)
        for key in {key: None for layers in reversed(beyond) for layer in layers for key in layer}:
            ours, others = one.get(key), other.get(key)
            both = None if ours is None or others is None else ours if ours is others else join(ours, others)
            if both is not None:
                found[key] = both
            elif key in base:  # what is shared says more than both: no layer takes that back
                return join_mappings(flatten_mapping(one), flatten_mapping(other), join)
    kept = max((_take_unchanged(found, layers) for layers in beyond), key=len)
    if not shared and not kept:
        return {}, found
    gone = Layered(kept)
    return Layered((*shared, *kept)), {
        key: each for key, each in found.items() if gone.get(key) is not each
    } if kept else found


def _take_unchanged(found: Mapping[K, V], layers: tuple[Mapping[K, V], ...]) -> tuple[Mapping[K, V], ...]:
    """Return the first of some layers of which all entries stand in a mapping as they are."""
    return tuple(takewhile(lambda layer: all(found.get(key) is each for key, each in layer.items()), layers))


def flatten_mapping(known: Mapping[K, V]) -> Mapping[K, V]:
    """Return a mapping to look up most of its entries in."""
    return known.flatten() if isinstance(known, Layered) else known
