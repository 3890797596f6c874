"""What is known of clients: the facts of `clients.toml`, each with its source and date there."""

import re
import tomllib
from importlib.resources import files
from typing import Any

from reviewer.caching import cache
from reviewer.records import dataclass


@dataclass(frozen=True, slots=True)
class Naming:
    """A client that refuses tool names: what it takes, and what comes of another name."""

    name: str
    takes: re.Pattern[str]
    then: str


@dataclass(frozen=True, slots=True)
class DescriptionCut:
    """A client that hands no more of a description to the model than so many characters."""

    name: str
    most: int


@cache
def load_facts() -> dict[str, list[dict[str, Any]]]:
    """Read the file."""
    return tomllib.loads(files(__package__).joinpath("clients.toml").read_text("utf-8"))


@cache
def collect_namings() -> tuple[Naming, ...]:
    """Return the clients that refuse names."""
    return tuple(Naming(each["name"], re.compile(each["takes"]), each["then"]) for each in load_facts()["names"])


@cache
def collect_cuts() -> tuple[DescriptionCut, ...]:
    """Return the clients that cut descriptions."""
    return tuple(DescriptionCut(each["name"], each["most"]) for each in load_facts()["descriptions"])
