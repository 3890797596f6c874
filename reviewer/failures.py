"""The last net: an unexpected exception costs the one file, server, rule or output that raised it, and is named.

Code that handles one of many things stands in `contained`. Outside of `collected`, where nobody would hear of it, and with
MCP_REVIEW_DEBUG set, an exception is raised as ever.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from types import TracebackType
from typing import TypeVar

from reviewer.budget import ExhaustedError
from reviewer.records import dataclass
from reviewer.source import Opaque, Span
from reviewer.version import __version__

T = TypeVar("T")

DEBUG = "MCP_REVIEW_DEBUG"
"""The environment variable that lets tracebacks through, for developers and for the tests of this project."""

MOST_FRAMES = 8
"""Frames of a traceback that an issue needs: a recursion repeats the same ones a thousand times."""

MOST_KEPT = 100
"""Failures that are named. One fault may fail on each of ten thousand tools; the rest is counted."""

ROOT = Span(".", 1, 1, 1, 1)
"""The place of what stands in no file in particular."""


class CannotReviewError(Exception):
    """The review cannot be made. The message is one line that says why and how to fix it."""


@dataclass(frozen=True, slots=True)
class Unreviewed(Opaque):
    """What was left unreviewed, so that no report over it is a PASS.

    `error` names the type of an unexpected exception, and `trail` the lines of our own code that it came through, innermost
    first; both are empty where a bound was reached, ours or that of Python's stack. Neither holds anything of the reviewed code.
    """

    error: str = ""
    trail: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The innermost line of our own code, as `module:line`; empty if there is none."""
        return self.trail[0] if self.trail else ""

    @property
    def symptom(self) -> str:
        """The exception and its trail, as an issue should quote them; empty if there was no exception."""
        return f"{self.error} at {' < '.join(self.trail)}" if self.error else ""


@dataclass(slots=True)
class Collected:
    """The failures of one stretch of work, and its notes. Failures of one cause are one, at the first place where it struck."""

    _kept: dict[tuple[str, ...], Unreviewed] = field(default_factory=dict)
    _places: dict[tuple[str, ...], set[Span]] = field(default_factory=dict)
    _left: int = 0
    _notes: dict[Opaque, None] = field(default_factory=dict)
    _unnamed: int = 0

    def note(self, part: Opaque) -> None:
        """Keep what was not followed, each once, or count it if there are too many."""
        if len(self._notes) < MOST_KEPT:
            self._notes[part] = None
        elif part not in self._notes:
            self._unnamed += 1

    def add(self, failure: Unreviewed) -> None:
        """Keep a failure, or count it if it is known or there are too many."""
        key = (failure.reason, failure.place)
        if key in self._kept or len(self._kept) < MOST_KEPT:
            self._kept.setdefault(key, failure)
            self._places.setdefault(key, set()).add(failure.span)
        else:
            self._left += 1

    @property
    def notes(self) -> tuple[Opaque, ...]:
        """What was not followed, and the number of what is not named."""
        more = (Opaque(f"{self._unnamed} more values were not checked", ROOT),) if self._unnamed else ()
        return (*self._notes, *more)

    @property
    def all(self) -> tuple[Unreviewed, ...]:
        """Every failure, with the number of places that share it."""
        more = (Unreviewed(f"not reviewed: {self._left} more failures", ROOT, "Exception"),) if self._left else ()
        return (*(self._mention_count(key, each) for key, each in self._kept.items()), *more)

    def _mention_count(self, key: tuple[str, ...], failure: Unreviewed) -> Unreviewed:
        others = len(self._places[key]) - 1
        return replace(failure, reason=f"{failure.reason} (and at {others} more places)") if others else failure


_collecting: ContextVar[Collected | None] = ContextVar("collecting", default=None)


@contextmanager
def collected() -> Iterator[Collected]:
    """Collect what fails within the block."""
    mine = Collected()
    before = _collecting.set(mine)
    try:
        yield mine
    finally:
        _collecting.reset(before)


def note(part: Opaque) -> None:
    """Name what was not followed where somebody collects it; a report over it may be a PASS."""
    collecting = _collecting.get()
    if collecting is not None:
        collecting.note(part)


def note_unreviewed(part: Unreviewed) -> None:
    """Name what was left unreviewed where somebody collects it; no report over it is a PASS."""
    collecting = _collecting.get()
    if collecting is not None:
        collecting.add(part)


class contained:  # noqa: N801  # used as a context manager; one made by a generator costs a review four times as much
    """Keep an unexpected exception within the block, and name what was `not_done` at a place of the reviewed code.

    `failed` tells afterwards whether there was one.
    """

    __slots__ = ("failed", "not_done", "span")

    def __init__(self, not_done: str, span: Span = ROOT) -> None:
        self.not_done = not_done
        self.span = span
        self.failed = False

    def __enter__(self) -> "contained":
        """Enter the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        """Take an unexpected exception where somebody collects them."""
        if error is None or not isinstance(error, Exception) or isinstance(error, CannotReviewError):
            return False
        collecting = _collecting.get()
        is_bound = isinstance(error, ExhaustedError)
        if collecting is None or (is_debugging() and not is_bound):
            return False
        self.failed = True
        collecting.add(describe_failure(error, self.not_done, self.span))
        return True


def iter_until_failure(find: Callable[[], Iterable[T]], not_done: str, span: Span = ROOT) -> Iterator[T]:
    """Yield the findings up to an unexpected exception, which is contained."""
    with contained(not_done, span):
        yield from find()


def describe_failure(error: Exception, not_done: str, span: Span = ROOT) -> Unreviewed:
    """Describe an exception. The message of an unexpected one is left out: it may quote the reviewed code.

    Code is followed by recursion, so the end of Python's stack is a bound on how deep its syntax and its references lead. An
    endless recursion of our own looks the same; `DEBUG` shows where.
    """
    if isinstance(error, ExhaustedError):
        return Unreviewed(f"{not_done}: {error.reason}", span)
    if isinstance(error, RecursionError):
        return Unreviewed(f"{not_done}: nested too deep to be followed", span)
    trail = tuple(_list_own_frames(error))
    return Unreviewed(
        f"{not_done}: {type(error).__name__} in {trail[0] if trail else 'mcp-review'}",
        span,
        type(error).__name__,
        trail,
    )


def _list_own_frames(error: Exception) -> list[str]:
    own = []
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == __package__:
            own.append(f"{module}:{trace.tb_lineno}")
        trace = trace.tb_next
    return own[: -MOST_FRAMES - 1 : -1]


def is_debugging() -> bool:
    """Return whether tracebacks are wanted."""
    return bool(os.environ.get(DEBUG))


def format_how_to_report(symptom: str) -> str:
    """Return one line that says where to report a fault of ours, and with what text."""
    from importlib.metadata import metadata

    urls = dict(each.split(", ", 1) for each in metadata("mcp-review").get_all("Project-URL") or ())
    where = next((url for name, url in urls.items() if name.lower() in ("issues", "bug tracker")), None)
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"mcp-review {__version__}, Python {python}, {sys.platform}: {symptom}"
    return f"this is a bug in mcp-review; please report it{f' at {where}' if where else ''} with this text: {text}"
