"""What objects hold at one point of a run: a dictionary that knows which of them change where two ways meet.

Of an object that code of the project made, all is known that it holds: where one way alone made it, nothing changes. Of others
a field may have been set before, so that one way holds what the other only may. To find these few, no join goes through all.
"""

from collections.abc import Iterator, Mapping

from reviewer.code.values import Key, Term, Value

GIVEN = (("call",), ("parameter",), ("field",), ("argument",), ("captured",), ("global",))
"""Terms of objects of which a function does not see all that they hold: a field that it sets on one way was another before."""

ObjectContents = dict[Key, Value]


def is_seen_made(owner: Term) -> bool:
    """Return whether code of the project made an object, so that it holds what is put into it and nothing else."""
    return not isinstance(owner, tuple) or owner[:1] not in GIVEN


class Heap(dict[Term, ObjectContents]):
    """The contents of objects, by their terms. What an object holds is never changed, but replaced."""

    __slots__ = ("_open", "before", "shown")

    def __init__(self, held: "dict[Term, ObjectContents] | None" = None) -> None:
        self._open: dict[Term, None]
        """What was written since it was last asked, and may change where ways meet."""
        self.before: dict[Term, Mapping[Key, Value]]
        """What objects held that came with their contents, until something was written into them: the same on every way."""
        self.shown: dict[tuple[int, int], tuple[Value, Value]] = {}
        """What values hold in turn, as deep as asked: made once, for events tell of the same objects again and again."""
        if held is None:
            super().__init__()
            self._open, self.before = {}, {}
        else:
            super().__init__(held)
            if isinstance(held, Heap):
                self._open, self.before, self.shown = held._open.copy(), held.before, held.shown or {}
            else:
                self._open, self.before = dict.fromkeys(held), {}

    def __setitem__(self, owner: Term, held: ObjectContents) -> None:
        dict.__setitem__(self, owner, held)
        if self.shown:
            self.shown = {}  # another one: a copy may still have it
        if isinstance(owner, tuple) and owner[:1] in GIVEN:
            self._open[owner] = None

    def pop(self, owner: Term, default: ObjectContents | None = None) -> ObjectContents | None:  # type: ignore[override]
        """Take an object out and return what it held."""
        self.shown = {}
        return dict.pop(self, owner, default)

    def forget_shown(self) -> None:
        """Keep nothing of what values were seen to hold, which can be made again."""
        self.shown = {}

    def copy(self) -> "Heap":
        """Return one that changes by itself."""
        return Heap(self)

    def iter_unsettled(self) -> Iterator[Term]:
        """Yield the objects whose contents are others where this way meets one that knows nothing of them.

        Where such an object holds fields, or elements at known places, these may be others. What else it holds stays.
        """
        for owner in tuple(self._open):
            held = self.get(owner)
            if held is None or not (_is_unsettled(held) or owner in self.before) or is_seen_made(owner):
                del self._open[owner]
            else:
                yield owner


def _is_unsettled(held: ObjectContents) -> bool:
    return any(isinstance(each, tuple) for each in held) or (bool(held) and all(isinstance(each, int) for each in held))
