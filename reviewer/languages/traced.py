"""What was found of a value that code takes out of an input: what stands in for it, what bounds it, what it cuts."""

from typing import Protocol

from reviewer.facts import Given
from reviewer.source import Text


class State(Protocol):
    """What happened to a value so far on one way: whether something stands in for it already."""

    @property
    def stood_in(self) -> bool:
        """Whether it does."""
        ...


class Traced:
    """What was found of one value on all its ways."""

    def __init__(self) -> None:
        self._defaults: list[Given] = []
        self._lost = self._compared = self._asked = False
        self._seen: set[tuple[int, int]] = set()
        self._cut: Text | None = None
        self._caps: list[Given] = []
        self._free = False

    def defaults(self) -> tuple[Given, ...]:
        """Give what stands in for it, if that is known on every way, and is not only a sign that nothing was given."""
        signs = self._asked and not all(each.value for each in self._defaults)
        return () if self._lost or signs else tuple(self._defaults)

    @property
    def caps(self) -> tuple[Given, ...]:
        """Give its bounds, none if it says elsewhere how long a list becomes, as where a page is only a part of what is given."""
        return () if self._free else tuple(self._caps)

    @property
    def cut(self) -> Text | None:
        """The cut that it alone decides on, if nothing compares it with anything."""
        return None if self._compared else self._cut

    def _lose(self, state: State) -> None:
        self._lost = self._lost or not state.stood_in
