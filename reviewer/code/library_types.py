"""What is known of the types of libraries: rows of `libraries/types.toml`, each with its source.

    [[type]]
    path = "std.vec.Vec"
    is = ["array", "panics outside"]
    source = "https://doc.rust-lang.org/std/vec/struct.Vec.html#indexing"

Who has a path asks `find_types`, who has only the last name of a type, as source often writes it, `find_type_names`.
docs/models.md tells how to add a row.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Literal, get_args

from reviewer.caching import cache
from reviewer.code.models import ModelError

Sort = Literal[
    "text", "bytes", "text buffer", "path", "growing path", "URL", "hidden",
    "array", "object of JSON", "value of JSON",
    "unordered", "panics outside", "panics without",
    "bare base", "settings", "guard", "set once", "thread lock",
    "prompt message", "consent", "resolver", "open schema",
]  # fmt: skip
"""What a type is, as far as some rule asks.

- `text`, `bytes`, `path`, `URL`; `text buffer`: what a text is written into piece by piece; `hidden`: a text that is shown as
  asterisks; `growing path`: a path that others are put behind.
- `array`: it is an array in JSON; `object of JSON`, `value of JSON`: it holds such a thing as it is.
- `unordered`: its elements have another order in each run, or in each object.
- `panics outside`, `panics without`: where it is indexed by a place that it has not, or a key.
- `bare base`: a base that gives a class no members and no fields; `settings`: whose fields are read from the environment.
- `guard`: what holds a value that several have or that is put in later; `set once`: when the program begins.
- `thread lock`: who waits for one while it is held holds the thread.
- `open schema`: of what is checked by it, any text is let through.
- `resolver`: who calls it gives those a value who wait for a promise.
- Of the protocol: `prompt message`, whose role pydantic checks; `consent`: what a user answered who agreed.
"""

BEGINNING = "[[type]]"


@cache
def find_types(*sorts: Sort) -> frozenset[str]:
    """Return the paths of the types of some sorts."""
    return frozenset(path for each in sorts for path in _iter_paths(each))


@cache
def find_type_names(*sorts: Sort) -> frozenset[str]:
    """Return the last names of the types of some sorts."""
    return frozenset(path.rpartition(".")[2] for path in find_types(*sorts))


def read_type_table() -> str:
    """Return the table of types as it is written."""
    return files("reviewer.code").joinpath("libraries", "types.toml").read_text("utf-8")


def parse_types(text: str) -> dict[str, tuple[Sort, ...]]:
    """Return of which sorts each type of a table is, by its path, when all rows are right.

    Raises ModelError for a word that is not of the vocabulary, a field that there is none of, and a type with two rows.
    """
    found: dict[str, tuple[Sort, ...]] = {}
    for row in tomllib.loads(text)["type"]:
        for path in _list_paths(row):
            if path in found:
                raise ModelError(f"types.toml: {path} has a row already")
            _check(path, row)
            found[path] = tuple(row["is"])
    return found


def _check(path: str, row: dict[str, Any]) -> None:
    extra = row.keys() - {"path", "is", "source"}
    if extra:
        raise ModelError(f"types.toml: {path}: there is no field {min(extra)!r}")
    wrong = set(row.get("is", ())) - set(get_args(Sort))
    if wrong:
        raise ModelError(f"types.toml: {path}: {min(wrong)!r} is no word for `is`")
    if not row.get("source") or not row.get("is"):
        raise ModelError(f"types.toml: {path}: it needs `is` and a `source`")


@cache
def _split_rows() -> tuple[str, ...]:
    return tuple(read_type_table().split(BEGINNING)[1:])


def _iter_paths(sort: Sort) -> Iterator[str]:
    """Yield the paths of the types of a sort. Only rows in which its word stands are parsed, so that reviews begin sooner."""
    quoted = f'"{sort}"'
    for text in _split_rows():
        if quoted in text:
            (row,) = tomllib.loads(BEGINNING + text)["type"]
            if sort in row["is"]:
                yield from _list_paths(row)


def _list_paths(row: dict[str, Any]) -> list[str]:
    named = row["path"]
    return [named] if isinstance(named, str) else named
