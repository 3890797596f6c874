"""Departures: where our rules judge otherwise than the original, and why."""

import importlib
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cases import Difference

from reviewer.rules import load

STRICT = "validator-46-strict"
FOLDER = Path(__file__).parent / "departures"


@dataclass(frozen=True)
class Departure:
    """One class of differences. `ours` tells who of the two finds something; `page` is the rule whose page says why."""

    id: str
    codes: tuple[str, ...]
    ours: bool
    why: str
    page: str
    example: str
    letter: str
    """Under which profile it is asked: `no`, only under `validator-46`; `also`, under both; `only`, under the strict one."""
    predicate: Any = field(compare=False)

    def explains(self, difference: Difference) -> bool:
        """Return whether a difference belongs to this class."""
        return difference.code in self.codes and difference.ours == self.ours and bool(self.predicate(difference))


def departures(codes: frozenset[str], profile: str) -> list[Departure]:
    """Read the departures of a profile, those of some codes if any are given. Raises ValueError for one not written in full."""
    asked = ("also", "only") if profile == STRICT else ("no", "also")
    return [each for each in _read() if each.letter in asked and (not codes or codes & set(each.codes))]


def _read() -> Iterator[Departure]:
    sys.path.insert(0, str(FOLDER))
    for file in sorted(FOLDER.glob("*.toml")):
        predicates = importlib.import_module(file.stem)
        for name, entry in tomllib.loads(file.read_text("utf-8")).items():
            if entry["page"] not in load():
                raise ValueError(f"{file.name}: {name}: no rule `{entry['page']}`")
            yield Departure(
                name,
                tuple(entry["codes"]),
                entry["found-by"] == "ours",
                entry["why"],
                entry["page"],
                entry["example"],
                entry.get("by-the-letter", "no"),
                getattr(predicates, name.replace("-", "_")),
            )
