"""The named values that a JSON Schema describes: arguments, their properties, the elements of their arrays.

The walk is bounded in depth and number and follows references inside the document; what several refer to is walked once.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from reviewer.records import dataclass
from reviewer.text.numerals import parse_integer

Json = dict[str, Any]
Path = tuple[str, ...]

DEEPEST = 50
"""Levels of a schema that are looked at: far more than people write (BP-007 asks for four), and few enough for a hostile one."""

MOST = 10_000
"""Parts of one schema that are looked at: references that meet again and again make any number of few definitions."""

MOST_FORMS = 20_000
"""Alternatives that are looked at in one schema: definitions that each refer to the next one twice stand for 2**n of them."""

CHOICES = ("anyOf", "oneOf")
"""Keywords whose alternatives are taken apart; the parts of `allOf` are joined."""


@dataclass(frozen=True, slots=True)
class Part:
    """One value that a schema describes.

    `path` holds the keys from the schema's root to where it is described, `schema` is what stands there, `forms` are the
    schemas that it may satisfy: alternatives apart, references followed, what `allOf` asks joined, null left out.
    An element of an array has the array's name, and is an `element`.
    """

    name: str
    path: Path
    schema: Json
    forms: tuple[Json, ...]
    depth: int
    required: bool = False
    element: bool = False

    @property
    def description(self) -> str:
        """What the schema says of it, here or where it is referred to; empty if nothing."""
        return next(
            (said for each in (self.schema, *self.forms) if isinstance(said := each.get("description"), str)), ""
        )

    @property
    def dotted(self) -> str:
        """Its name with what it lies in: `name`, `rows[].name`, of a shared definition `Row.name`."""
        keys, found = self.path, ""
        for place, key in enumerate(keys):
            before = keys[place - 1] if place else ""
            if before in ("$defs", "definitions"):
                found = key
            elif before == "properties":
                found += f".{key}" if found else key
            elif key == "items" and before != "properties":
                found += "[]"
        return found.removesuffix("[]") or self.name

    def iter_forms_of(self, kind: str) -> Iterator[Json]:
        """Return the forms of one type."""
        return (form for form in self.forms if kind in list_types(form))

    def find_keyword(self, name: str) -> Any:
        """Return the value of a keyword, of the part itself or of its first alternative that has it; None if none has."""
        return next((each[name] for each in (self.schema, *self.forms) if name in each), None)


def list_types(form: Json) -> tuple[str, ...]:
    """Name the types that a schema without alternatives accepts, as far as it says."""
    given = form.get("type")
    if isinstance(given, str):
        return (given,)
    return tuple(each for each in given if isinstance(each, str)) if isinstance(given, list) else ()


def is_number(part: "Part") -> bool:
    """Return whether a part of a schema takes numbers alone, none apart."""
    kinds = {kind for form in part.forms for kind in list_types(form)} - {"null"}
    return bool(kinds) and kinds <= {"integer", "number"}


def iter_schema_parts(document: Any, hidden: Iterable[Path] = ()) -> Iterator[Part]:
    """Walk a schema, arguments first; what lies at, above or in a hidden place is left out, for it may say more than it shows."""
    if isinstance(document, dict):
        yield from _Walk(document, tuple(hidden)).iter_parts()


class _Walk:
    def __init__(self, root: Json, hidden: tuple[Path, ...]) -> None:
        self._root = root
        self._hidden = hidden
        self._met: set[Path] = set()
        self._left = MOST_FORMS

    def iter_parts(self) -> Iterator[Part]:
        level = list(self._iter_below(self._root, (), 1, frozenset()))
        while level:
            yield from (part for part, _ in level)
            level = [
                found
                for part, entered in level
                if part.depth < DEEPEST
                for found in self._iter_below(part.schema, part.path, part.depth + 1, entered, part.name)
            ]

    def _iter_below(
        self, schema: Json, path: Path, depth: int, entered: frozenset[str], name: str = ""
    ) -> Iterator[tuple[Part, frozenset[str]]]:
        """Yield the parts one level down, with the definitions that were entered on the way to each."""
        for form, place, seen in self._iter_forms(schema, path, entered):
            properties = form.get("properties")
            required = form.get("required")
            for key, value in properties.items() if isinstance(properties, dict) else ():
                listed = isinstance(required, list) and key in required
                yield from self._iter_part(value, str(key), (*place, "properties", str(key)), depth, seen, listed)
            for key in ("items", "additionalProperties"):
                yield from self._iter_part(form.get(key), name, (*place, key), depth, seen, element=True)
            several = form.get("prefixItems")
            for index, value in enumerate(several if isinstance(several, list) else ()):
                yield from self._iter_part(value, name, (*place, "prefixItems", str(index)), depth, seen, element=True)

    def _iter_part(
        self,
        schema: Any,
        name: str,
        path: Path,
        depth: int,
        entered: frozenset[str],
        required: bool = False,
        element: bool = False,
    ) -> Iterator[tuple[Part, frozenset[str]]]:
        if not isinstance(schema, dict) or path in self._met or len(self._met) == MOST or self._is_hidden(path):
            return
        self._met.add(path)
        forms = tuple(form for form, _, _ in self._iter_forms(schema, path, entered) if not _is_null(form))
        yield Part(name, path, schema, forms, depth, required, element), entered

    def _is_hidden(self, path: Path) -> bool:
        below = len(path)
        return any(
            hole == path[: len(hole)] or (hole[:below] == path and len(hole) == below + 1) for hole in self._hidden
        )

    def _iter_forms(
        self, schema: Json, path: Path, entered: frozenset[str], depth: int = 0
    ) -> Iterator[tuple[Json, Path, frozenset[str]]]:
        """Take the alternatives of a schema apart; `entered` are the definitions that hold it."""
        target = schema.get("$ref")
        choice = next((key for key in CHOICES if isinstance(schema.get(key), list)), None)
        joined = schema.get("allOf")
        self._left -= 1
        if depth > DEEPEST or self._left < 0:
            return
        if isinstance(target, str):
            found = resolve_reference(target, self._root) if target not in entered else None
            if isinstance(found, dict):
                whole = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
                yield from self._iter_forms(whole, parse_pointer(target), entered | {target}, depth + 1)
        elif choice is not None:
            shared = {key: value for key, value in schema.items() if key not in (choice, "description", "default")}
            for index, each in enumerate(schema[choice]):
                if isinstance(each, dict):
                    yield from self._iter_forms({**shared, **each}, (*path, choice, str(index)), entered, depth + 1)
        elif isinstance(joined, list) and joined and all(isinstance(each, dict) for each in joined):
            yield from self._iter_joined_forms(schema, joined, path, entered, depth)
        else:
            yield schema, path, entered

    def _iter_joined_forms(
        self, schema: Json, joined: list[Json], path: Path, entered: frozenset[str], depth: int
    ) -> Iterator[tuple[Json, Path, frozenset[str]]]:
        """Join what `allOf` asks; one entry is that entry, several are one with the keywords of all."""
        whole: Json = {key: value for key, value in schema.items() if key != "allOf"}
        place = (*path, "allOf", "0") if len(joined) == 1 else path
        for index, each in enumerate(joined):
            for form, where, seen in self._iter_forms(each, (*path, "allOf", str(index)), entered, depth + 1):
                properties = {**_get_properties(form), **_get_properties(whole)}
                whole = {**form, **whole, **({"properties": properties} if properties else {})}
                entered |= seen
                place = where if len(joined) == 1 else path
        yield from self._iter_forms(whole, place, entered, depth + 1)


def _is_null(form: Json) -> bool:
    """Return whether a schema accepts null alone: by its type, or as schemars writes it for dialects without that type."""
    return list_types(form) == ("null",) or ("const" in form and form["const"] is None)


def _get_properties(schema: Json) -> Json:
    named = schema.get("properties")
    return named if isinstance(named, dict) else {}


def resolve_reference(target: str, root: Json) -> Any:
    """Follow a reference inside a document; None if it leads nowhere or out of it."""
    return find_at(root, parse_pointer(target)) if target.startswith("#") else None


def find_at(root: Json, path: Path) -> Any:
    """Return the value at a path of a document; None if there is none."""
    found: Any = root
    for key in path:
        if isinstance(found, dict):
            found = found.get(key)
        elif isinstance(found, list) and key.isdecimal() and parse_integer(key) < len(found):
            found = found[parse_integer(key)]
        else:
            return None
    return found


def parse_pointer(target: str) -> Path:
    """Read the JSON Pointer of a reference."""
    keys = unquote(target.removeprefix("#")).strip("/").split("/")
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in keys if key)
