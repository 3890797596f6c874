"""What analyses of a whole project ask of a language: what its tools do, and where some words stand."""

from collections.abc import Iterator
from typing import Protocol

from reviewer.code.events import Trace
from reviewer.code.interpreter import Bounds
from reviewer.code.program import Program

ALONE = Bounds(depth=2, statements=2_000)
"""How far a function is followed of which only what it does itself is of interest."""


class Entrances(Protocol):
    """The functions of a project where calls come in."""

    @property
    def program(self) -> Program:
        """The project, as the run asks for it."""

    def calls(self) -> Iterator[tuple[str, Trace]]:
        """Yield what is done where each tool is called, with its name; empty for functions that take the calls of several."""

    def around(self, *words: str) -> Iterator[Trace]:
        """Yield what the functions do in which one of some words stands, followed as far as `ALONE`."""
