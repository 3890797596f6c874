"""What an analysis of an abstract run finds."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from reviewer.code.events import Occurrence, Trace
from reviewer.code.program import Program
from reviewer.facts import ActKind
from reviewer.source import Text


class RunFinding(NamedTuple):
    """Something that a handler does. `text` is its place, where that is not the event's own; `about` as an `Act` has it."""

    kind: ActKind
    occurrence: Occurrence
    text: Text | None = None
    about: Text | None = None


Analysis = Callable[[Trace, Program], Iterator[RunFinding]]
"""Finds what a handler does of some kinds, by all that happens in a run of it."""
