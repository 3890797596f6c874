"""How far a review is: stages in the order in which they come, each with a count. Whoever shows it decides how often."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

from reviewer.records import dataclass

T = TypeVar("T")

HALFWAY = 1000
"""The count at which a stage without a known total is taken to be half done: nearly every server has fewer files."""


class Stage(StrEnum):
    """The stages of a review, in order. A stage that a review does not need is left out."""

    FINDING_FILES = "finding files"
    READING_PYTHON_FILES = "reading Python files"
    READING_PYTHON_TOOLS = "reading Python tools"
    READING_RUST_FILES = "reading Rust files"
    READING_TYPESCRIPT_FILES = "reading TypeScript files"
    CHECKING_TOOLS = "checking tools"
    CHECKING_SERVERS = "checking servers"
    SCORING = "computing the score"


STAGES = tuple(Stage)


class Progress(Protocol):
    """Takes how far a review is. It is called for every file and tool, so it returns at once and does not raise."""

    def __call__(self, stage: Stage, done: int, total: int | None = None, /) -> None:
        """Take that `done` of `total` things of a stage are done; None is a total that is not known."""


def ignore_progress(_stage: Stage, _done: int, _total: int | None = None) -> None:
    """Report nothing."""


def iter_with_progress(items: Sequence[T], stage: Stage, progress: Progress) -> Iterator[T]:
    """Yield the items of a stage, and report each that is done."""
    for done, each in enumerate(items):
        progress(stage, done, len(items))
        yield each
    progress(stage, len(items), len(items))


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """How far a review was at a moment."""

    stage: Stage
    done: int
    total: int | None = None

    @property
    def text(self) -> str:
        """The stage and its count, as in `reading Python files: 3 of 12`."""
        return f"{self.stage}: {self.done}" + (f" of {self.total}" if self.total is not None else "")

    @property
    def stages(self) -> float:
        """How many of `STAGES` are done; the fraction is the part of the present one, less than 1."""
        whole = self.total if self.total is not None else self.done + HALFWAY
        part = min(self.done, whole) / (whole + 1)  # never a whole stage: the next begins there
        return STAGES.index(self.stage) + part
