"""Facts that are read when somebody first asks for them: most rules never do under most profiles."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from traceback import clear_frames
from types import TracebackType
from typing import Any, TypeVar, overload

Fact_co = TypeVar("Fact_co", covariant=True)


class Lazy(Sequence[Fact_co]):
    """A tuple of facts, found when it is first looked at."""

    __slots__ = ("_find", "_found", "_raised")

    def __init__(self, find: Callable[[], Iterable[Fact_co]]) -> None:
        self._find = find
        self._found: tuple[Fact_co, ...] | None = None
        self._raised: tuple[Exception, TracebackType | None] | None = None

    def _read(self) -> tuple[Fact_co, ...]:
        if self._found is None:
            if self._raised is not None:  # whoever asks again is told the same, and nothing is searched twice
                raise self._raised[0].with_traceback(self._raised[1])
            try:
                self._found = tuple(self._find())
            except Exception as error:
                clear_frames(error.__traceback__)  # a MemoryError would keep alive what took the memory
                self._raised = error, error.__traceback__
                raise
        return self._found

    @overload
    def __getitem__(self, index: int) -> Fact_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fact_co]: ...
    def __getitem__(self, index: int | slice) -> Fact_co | Sequence[Fact_co]:
        """Return one fact, or a run of them."""
        return self._read()[index]

    def __iter__(self) -> Iterator[Fact_co]:
        """Return the facts in order; that of `Sequence` would take an IndexError of the finding for their end."""
        return iter(self._read())

    def __len__(self) -> int:
        """Count the facts."""
        return len(self._read())

    def __eq__(self, other: Any) -> bool:
        """Compare what was found with what another sequence holds."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # what it holds is not known yet

    def __repr__(self) -> str:
        """Show what was found."""
        return repr(self._read())


class Flag:
    """A yes or no that is found out when somebody first asks."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], bool]) -> None:
        self._find = find
        self._found: bool | None = None

    def __bool__(self) -> bool:
        """Find it out."""
        if self._found is None:
            self._found = self._find()
        return self._found

    def __eq__(self, other: object) -> bool:
        """Compare what was found out."""
        return isinstance(other, bool | Flag) and bool(self) == bool(other)

    def __hash__(self) -> int:
        """Agree with the yes or no that it equals."""
        return hash(bool(self))

    def __repr__(self) -> str:
        """Show what was found out."""
        return repr(bool(self))
