"""What a client is told while a call goes on: that it waits, then the stage of its review; each time more than before."""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import TypeVar

import anyio

from reviewer.progress import STAGES
from reviewer.records import dataclass
from reviewer.serve.refusals import RefusalError
from reviewer.serve.relay import RelayReader, reader
from reviewer.text.excerpts import format_count

T = TypeVar("T")
ReportProgress = Callable[[float, float, str], Awaitable[None]]
"""Tells the client how far a call is, of how much, and what is being done."""

WHOLE = float(1 + len(STAGES))
"""How much a call is: its turn, then the stages of a review."""


@dataclass(slots=True)
class Position:
    """Where a call stands: in the queue, for `longest` seconds at most, or in a review that reports to `review`."""

    longest: float
    review: RelayReader | None = None
    _came: float = field(default_factory=time.monotonic)

    @contextmanager
    def reviewing(self) -> Iterator[str]:
        """Yield the name of the file that the review reports to, and stand there for as long."""
        with reader() as self.review:
            try:
                yield self.review.place
            finally:
                self.review = None  # the file is closed

    def read_progress(self) -> tuple[float, str] | None:
        """Return how far the call is, out of `WHOLE`, and the words for it; None if nothing is known yet."""
        if self.review is None:
            waited = time.monotonic() - self._came
            seconds = round(waited)
            said = f"waiting for other reviews: {format_count(seconds, 'second')}"
            return round(min(waited / self.longest, 0.99), 3), said
        step = self.review.read_latest()
        return (round(1 + step.stages, 3), step.text) if step is not None else None


async def await_with_progress(
    tell: ReportProgress, beat: float, position: Position, work: Callable[[], Awaitable[T]]
) -> T:
    """Await work; tell every `beat` seconds how far it is if it has moved on, and at the end that it is done."""

    async def go_on() -> None:
        told = 0.0
        while True:
            await anyio.sleep(beat)
            now = position.read_progress()
            if now is not None and now[0] > told:
                told = now[0]
                await tell(told, WHOLE, now[1])

    refused: RefusalError
    async with anyio.create_task_group() as group:
        group.start_soon(go_on)
        try:
            done = await work()
        except RefusalError as error:
            refused = error  # raised within the group, it would come out wrapped
        else:
            group.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await tell(WHOLE, WHOLE, "done")
            return done
        finally:
            group.cancel_scope.cancel()
    raise refused
