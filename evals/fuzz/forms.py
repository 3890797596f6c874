"""The grammars' forms: lists of texts in `forms/*.toml`, in which `{…}` and `@` stand for what is put there."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

LONG = "1" + "0" * 4400
"""A number of more digits than Python turns into an integer; `@LONG` in the files, `@HEX` for one in hexadecimal."""


@cache
def _file(name: str) -> dict[str, list[Any]]:
    return tomllib.loads((Path(__file__).parent / "forms" / f"{name}.toml").read_text("utf-8"))


def forms(name: str, key: str) -> tuple[Any, ...]:
    """Return a list of a file; a list within it becomes a tuple."""
    return tuple(tuple(map(_spelled, each)) if isinstance(each, list) else _spelled(each) for each in _file(name)[key])


def _spelled(form: str) -> str:
    return form.replace("@LONG", LONG).replace("@HEX", "0x" + "f" * 4000)
