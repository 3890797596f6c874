"""What is known of libraries: one row for a function, in a table for each language and library, with its source.

    [[function]]
    path = "requests.get"
    labels = ["network"]
    acts = ["network", "blocks"]
    source = "https://requests.readthedocs.io/en/latest/api/#requests.get"

`path` is dotted; `.name` is a method of that name of whatever has no known type. `returns` says what it gives of what it is given
(`Transfer`), `labels` where its result comes from, `acts` what it does. A row without a source is refused by the tests.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Transfer = Literal[
    "unknown",
    "nothing",
    "never",
    "receiver",
    "argument",
    "least",
    "greatest",
    "clamped",
    "length",
    "cut",
    "skipped",
    "elements",
    "element",
    "text",
    "number",
    "present",
    "absent",
    "reason",
    "or else",
    "or call",
    "mapped",
    "entry",
    "called",
    "partial",
    "fixed",
    "new",
]
"""What a function gives.

- `nothing`: no value; `never`: it does not return. `fixed`: what no caller decides, such as a setting.
- `receiver`: the object that it is a method of; `argument`: its argument number `of`.
- `least`, `greatest`: one of its arguments, or its receiver; `clamped`: its receiver between its two arguments.
- `length`: how many elements its operand has; `number`: its operand as a number; `text`: its operand as a text.
- `cut`: the first elements of its receiver, as many as its argument number `of` says; `skipped`: without the first.
- `elements`: the elements of its operand, as another sequence; `element`: one of them.
- `present`, `absent`: whether its receiver is there; `reason`: why it is a failure.
- `or else`: its receiver, or its argument if that is not there; `or call`: or what its argument gives when called.
- `entry`: the entry of its receiver that its first argument names, its second if there is none.
- `mapped`: the elements of its receiver, each as the argument number `of` makes it of it when called.
- `called`: what its argument number `of` gives when called with the others; `partial`: a function with them filled in.
- `new`: an object of its own.
"""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of one function. `of` is the position of the argument that `returns` speaks of."""

    path: str
    returns: Transfer = "unknown"
    of: int = 0
    keyword: str = ""
    """The name by which that argument may be given."""
    labels: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    runs: Literal["", "here", "in thread", "as task"] = ""
    """How it runs the function that it is handed as its argument number `of`."""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Models:
    """The rows that hold for one language, by path."""

    rows: Mapping[str, Model] = field(default_factory=dict)

    def of(self, path: str) -> Model | None:
        """Return what is known of a function: by its path, or as a method of whatever it belongs to."""
        found = self.rows.get(path)
        if found is None and "." in path[1:]:
            found = self.rows.get(path[path.rindex(".") :])
        return found


def rows(tables: Iterable[str]) -> dict[str, Model]:
    """Return the rows of some tables in TOML, by path; a later one holds."""
    found: dict[str, Model] = {}
    for text in tables:
        for row in tomllib.loads(text).get("function", []):
            for path in [row["path"]] if isinstance(row["path"], str) else row["path"]:
                found[path] = _row(path, row)
    return found


def _row(path: str, row: dict[str, Any]) -> Model:
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Model(**given | {"path": path})


@cache
def known(language: str) -> Models:
    """Return what we know of a language and its libraries: `reviewer/code/libraries/<language>/*.toml`."""
    folder = files("reviewer.code").joinpath("libraries", language)
    tables = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return Models(rows(each.read_text("utf-8") for each in tables))
