"""What topologies there are, and what the transformations of both languages share.

A topology is a transformation of a whole tree. It takes the function in which the fault stands, by its file and name, so that
the clean server can be transformed at the same function.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

CHAINS = {f"chain of {length}": length for length in (1, 2, 3, 5)}
MEANINGS = {
    **{name: f"the body {length} calls away, in another module" for name, length in CHAINS.items()},
    "method": "the body in a method that the function calls",
    "closure": "the body in a closure, in Python in a lambda where it is one expression",
    "interface": "the body in an implementation of a trait or protocol, called through that",
    "third file": "the function, or the class or `impl` that it belongs to, in a file of its own",
    "loop": "tools and handlers registered by a loop over rows",
    "guard elsewhere": "the function that all answers go through in a file of its own",
    "guard absent": "the module of that function in a package or crate that is not in the tree",
}
TOPOLOGIES = tuple(MEANINGS)
OF_SERVERS = ("loop", "guard elsewhere", "guard absent")
"""Those that do the same wherever in the server the fault stands."""
WORDS = ("handed", "prepared", "resolved", "ordered", "finished")
"""What is put behind a function's name to name those that its body goes through; as many as the longest chain is long."""


class NotApplicableError(Exception):
    """There is no such form of this function, or none that means the same."""


class Target(NamedTuple):
    """A function by its file and its name, with that of its class or type before it."""

    path: str
    name: str


@dataclass(frozen=True)
class Guard:
    """Where a server keeps the function that all its answers go through, and the package that is to have it instead."""

    path: str
    name: str
    package: str = "house_guards"


GUARDS = {
    "python_single": (Guard("tasks/respond.py", "respond"),),
    "python_fastmcp": (Guard("garden/answers.py", "respond"),),
    "python_lowlevel": (Guard("clinic/guard.py", "Guard.respond"),),
    "python_dispatch": (Guard("archive/core/respond.py", "respond"),),
    "python_marina_object": (Guard("tidewater_mcp/errors/handler.py", "handle_tool_errors"),),
    "rust_single": (Guard("src/respond.rs", "respond"),),
    "rust_listed": (Guard("src/guard.rs", "respond"),),
    "rust_router": (Guard("src/answers.rs", "Answers.respond"),),
    "rust_dispatch": (
        Guard("crates/core/src/respond.rs", "respond"),
        Guard("crates/app/src/mcp/isolation.rs", "isolated", "house_isolation"),
    ),
}
"""Of the servers that have one. In `python_marina_object` it is the decorator that every tool carries."""


@dataclass(frozen=True)
class File:
    """A file of a tree."""

    root: Path
    path: str

    @property
    def file(self) -> Path:
        """Return where it lies."""
        return self.root / self.path

    @cached_property
    def text(self) -> bytes:
        """Return what is written there."""
        return self.file.read_bytes()


class Edits:
    """Replacements of parts of a text that do not overlap."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.made: list[tuple[int, int, str]] = []

    def put(self, start: int, end: int, new: str) -> None:
        """Put `new` in the stead of what stands from `start` to `end`."""
        self.made.append((start, end, new))

    def done(self) -> bytes:
        """Return the text with everything replaced."""
        text = self.text
        for start, end, new in sorted(self.made, reverse=True):
            text = text[:start] + new.encode() + text[end:]
        return text


def write_new(path: Path, text: str) -> None:
    """Write a file that must not be there yet. Raises NotApplicableError if it is."""
    if path.exists():
        raise NotApplicableError(f"{path.name} is there already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def camel(name: str) -> str:
    """Return a function's name as that of a class."""
    return "".join(part.capitalize() for part in name.split("_"))
