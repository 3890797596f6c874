"""How far a job is, told by its process to the server through a file of one record: both sides work on every platform."""

import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import mkstemp

from reviewer.progress import STAGES, ProgressStep, Stage
from reviewer.records import dataclass

RECORD = struct.Struct("<iqq")
"""The number of a stage, and its count and total; a total of -1 is not known."""

PAUSE = 0.1
"""Seconds between two records: a review reports every file and tool, and the server looks a few times in a second."""


class Writer:
    """A `Progress` in the process of a job. A record that cannot be written is left out."""

    def __init__(self, place: str) -> None:
        self._record = os.open(place, os.O_WRONLY | getattr(os, "O_BINARY", 0))
        self._due = 0.0
        with suppress(OSError):
            os.unlink(place)  # nothing is left if the server is killed; Windows removes it when the server does

    def __call__(self, stage: Stage, done: int, total: int | None = None, /) -> None:
        """Write how far the job is, unless that was done a moment ago."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + PAUSE
        with suppress(OSError):
            os.lseek(self._record, 0, os.SEEK_SET)
            os.write(self._record, RECORD.pack(STAGES.index(stage), done, -1 if total is None else total))

    def close(self) -> None:
        """Write no more."""
        os.close(self._record)


@dataclass(frozen=True, slots=True)
class RelayReader:
    """The server's side: the open file, and its name for the process."""

    record: int
    place: str

    def read_latest(self) -> ProgressStep | None:
        """Return how far the job was last, None before it has reported."""
        os.lseek(self.record, 0, os.SEEK_SET)
        held = os.read(self.record, RECORD.size)
        if len(held) < RECORD.size:
            return None
        stage, done, total = RECORD.unpack(held)
        return ProgressStep(STAGES[stage], done, None if total < 0 else total)


@contextmanager
def reader() -> Iterator[RelayReader]:
    """Have a file for one job, which is gone afterwards."""
    record, place = mkstemp(prefix="mcp-review-")
    try:
        yield RelayReader(record, place)
    finally:
        os.close(record)
        with suppress(OSError):
            os.unlink(place)
