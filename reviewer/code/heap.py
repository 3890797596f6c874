"""What objects hold at one point of a run: a dictionary that knows which of them change where two ways meet.

Of an object that code of the project made, all is known that it holds: where one way alone made it, nothing changes. Of others
a field may have been set before, so that one way holds what the other only may. To find these few, no join goes through all.
"""

from collections.abc import Iterator

from reviewer.code.values import Key, Term, Value

GIVEN = (("call",), ("parameter",), ("field",), ("argument",), ("captured",), ("global",))
"""Terms of objects of which a function does not see all that they hold: a field that it sets on one way was another before."""

Held = dict[Key, Value]


def is_seen_made(owner: Term) -> bool:
    """Return whether code of the project made an object, so that it holds what is put into it and nothing else."""
    return not isinstance(owner, tuple) or owner[:1] not in GIVEN


class Heap(dict[Term, Held]):
    """The contents of objects, by their terms. What an object holds is never changed, but replaced."""

    __slots__ = ("_open",)

    def __init__(self, held: "dict[Term, Held] | None" = None) -> None:
        if held is None:
            super().__init__()
            self._open: dict[Term, None] = {}
        else:
            super().__init__(held)
            self._open = held._open.copy() if isinstance(held, Heap) else dict.fromkeys(held)
        # what was written since it was last asked, and may change where ways meet

    def __setitem__(self, owner: Term, held: Held) -> None:
        dict.__setitem__(self, owner, held)
        if isinstance(owner, tuple) and owner[:1] in GIVEN:
            self._open[owner] = None

    def setdefault(self, owner: Term, held: Held) -> Held:
        """Return what an object holds, which is this if nothing is known of it."""
        found = self.get(owner)
        if found is None:
            found = self[owner] = held
        return found

    def copy(self) -> "Heap":
        """Return one that changes by itself."""
        return Heap(self)

    def iter_unsettled(self) -> Iterator[Term]:
        """Yield the objects whose contents are others where this way meets one that knows nothing of them.

        Where such an object holds fields, or elements at known places, these may be others. What else it holds stays.
        """
        for owner in tuple(self._open):
            held = self.get(owner)
            if held is None or not _is_unsettled(held) or is_seen_made(owner):
                del self._open[owner]
            else:
                yield owner


def _is_unsettled(held: Held) -> bool:
    return any(isinstance(each, tuple) for each in held) or (bool(held) and all(isinstance(each, int) for each in held))
