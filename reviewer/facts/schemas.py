"""JSON Schemas as the live server would answer them, and the parts of them that cannot be read."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from reviewer.facts.parts import Json, Part, Path, iter_schema_parts
from reviewer.records import dataclass
from reviewer.source import Opaque, Span


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a schema that cannot be read; `path` is dotted from the schema's root: `properties.mode.enum`.

    One that is `assumed` stands in the document as it is if nothing is configured.
    """

    path: str
    opaque: Opaque
    assumed: bool = False


class Places(Mapping[Path, Span]):
    """The spans of what stands somewhere of its own, by the keys that lead there; found when somebody first asks."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], Iterable[tuple[Path, Span]]]) -> None:
        self._find = find
        self._found: dict[Path, Span] | None = None

    def _read(self) -> dict[Path, Span]:
        if self._found is None:
            self._found = dict(self._find())
        return self._found

    def __getitem__(self, keys: Path) -> Span:
        """Return the span of what lies at `keys`."""
        return self._read()[keys]

    def __iter__(self) -> Iterator[Path]:
        """Name every place."""
        return iter(self._read())

    def __len__(self) -> int:
        """Count the places."""
        return len(self._read())


class Schema:
    """A JSON Schema as the live server would answer it, made when it is first looked at.

    `holes` are the parts of it that cannot be read, left out of `document`; one with an empty path stands for the whole.
    `absent` tells that, once looked at, there is none: `make` gave None. `places` gives the spans of those of its parts that
    stand somewhere of their own, by the keys from the schema's root.
    """

    __slots__ = ("_made", "_make", "_parts", "places")

    def __init__(
        self,
        make: Callable[[], tuple[Json | None, tuple[Hole, ...]]],
        places: Mapping[Path, Span] | None = None,
    ) -> None:
        self._make = make
        self._made: tuple[Json | None, tuple[Hole, ...]] | None = None
        self._parts: tuple[Part, ...] | None = None
        self.places: Mapping[Path, Span] = places if places is not None else {}

    @classmethod
    def from_document(
        cls, document: Json, holes: tuple[Hole, ...] = (), places: Mapping[Path, Span] | None = None
    ) -> "Schema":
        """Make a schema whose document is at hand."""
        return cls(lambda: (document, holes), places)

    @property
    def document(self) -> Json:
        """The schema, without the parts that cannot be read."""
        return self._read()[0] or {}

    @property
    def absent(self) -> bool:
        """Whether the live server answers no schema."""
        return self._read()[0] is None

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The parts that cannot be read."""
        return self._read()[1]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The named values that it describes, arguments first, without those that cannot be read in full."""
        if self._parts is None:
            hidden = [tuple(hole.path.split(".")) if hole.path else () for hole in self.holes if not hole.assumed]
            self._parts = tuple(iter_schema_parts(self.document, hidden))
        return self._parts

    def hides(self, *keys: str) -> bool:
        """Return whether what stands at some keys cannot be read in full: there is a hole at it, around it or in it."""
        dotted = ".".join(keys)
        return any(
            not hole.path
            or not dotted
            or f"{dotted}.".startswith(f"{hole.path}.")
            or hole.path.startswith(f"{dotted}.")
            for hole in self.holes
            if not hole.assumed
        )

    def depends(self, *keys: str) -> bool:
        """Return whether what stands at some keys was read for a run without configuration, and is another with one."""
        return any(hole.assumed and hole.path == ".".join(keys) for hole in self.holes)

    def _read(self) -> tuple[Json | None, tuple[Hole, ...]]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __eq__(self, other: object) -> bool:
        """Compare what was read."""
        return isinstance(other, Schema) and self._read() == other._read()

    __hash__ = None  # type: ignore[assignment]  # a document is a dict

    def __repr__(self) -> str:
        """Show what was read."""
        return f"Schema({self.document!r}, {self.holes!r})"
