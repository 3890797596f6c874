"""How far a review is, as one line of a terminal that is rewritten in place."""

import os
import time
from collections.abc import Callable
from shutil import get_terminal_size
from types import TracebackType
from typing import Self, TextIO

from reviewer.progress import ProgressStep, Stage

DELAY = 1.0
"""Seconds before anything is shown: what ends sooner needs no progress."""

INTERVAL = 0.1
"""Seconds between two changes of the line: the eye follows no more, and a terminal over a network may be slow."""


class ProgressLine:
    """Writes how far a review is, once that has lasted; a context that leaves no trace of it, and may be entered again.

    It is cleared when a stage ends too: who then writes to the same stream finds it empty.
    """

    def __init__(self, stream: TextIO | None, *, shows: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._shows = shows
        self._now = now
        self._next = now() + DELAY
        self._written = False

    @classmethod
    def from_stream(cls, stream: TextIO | None, *, quiet: bool = False) -> Self:
        """Return one that shows something only on a terminal that takes it, and unless NO_PROGRESS is set (not empty)."""
        unwanted = quiet or os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_PROGRESS"))
        return cls(stream, shows=not unwanted and stream is not None and stream.isatty())

    def __call__(self, stage: Stage, done: int, total: int | None = None, /) -> None:
        """Take how far the review is."""
        if not self._shows:
            return
        if done == total:
            self.clear()
        elif (now := self._now()) >= self._next:
            self._next = now + INTERVAL
            self._write(f"\r\x1b[K{ProgressStep(stage, done, total).text[: get_terminal_size().columns - 1]}")
            self._written = True

    def clear(self) -> None:
        """Leave the line empty, the cursor at its beginning."""
        if self._written:
            self._write("\r\x1b[K")
            self._written = False

    def __enter__(self) -> Self:
        """Return the line itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line, also after an error."""
        self.clear()

    def _write(self, text: str) -> None:
        assert self._stream is not None
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # a terminal that is gone loses the progress, not the review
            self._shows = False
