"""Work in bounds: few processes at once, one at a time for a path, each for so long; what they found is kept for its pages."""

import json
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import field
from functools import partial
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

import anyio
from anyio import to_process

from reviewer.records import dataclass
from reviewer.serve.jobs import Done, Job, prepare_process, run_job
from reviewer.serve.refusals import RefusalError
from reviewer.serve.waiting import Position, ReportProgress, await_with_progress

GONE = (anyio.BrokenWorkerProcess, ProcessLookupError)
"""What a process that died shows itself by: it says no more, or is not there to be ended."""

NARROWER = "Give the path of the one server that is meant, a narrower folder or a file; or call again later."


@dataclass(frozen=True, slots=True)
class PoolBounds:
    """What calls may take: seconds of work and of waiting for it, processes at once, calls that wait, seconds between two reports
    of progress; documents that are kept for their pages, and the characters of all of them."""

    seconds: float = 120.0
    waiting: float = 300.0
    processes: int = 2
    calls: int = 256
    beat: float = 0.5
    kept: int = 16
    characters: int = 128 * 2**20


@dataclass(frozen=True, slots=True)
class KeptDocument:
    """A document with the name by which cursors know it, when the work on it began, and the characters it keeps."""

    name: str
    document: dict[str, Any]
    began: float
    length: int


@dataclass
class WorkerPool:
    """Has jobs done and keeps the latest documents."""

    bounds: PoolBounds = field(default_factory=PoolBounds)
    _documents: OrderedDict[str, KeptDocument] = field(default_factory=OrderedDict)
    _latest: dict[Job, KeptDocument] = field(default_factory=dict)
    _paths: WeakValueDictionary[str, anyio.Lock] = field(default_factory=WeakValueDictionary)
    _inside: int = 0

    def __post_init__(self) -> None:
        """Take the number of processes from the bounds."""
        self._slots = anyio.Semaphore(self.bounds.processes)

    def recall_document(self, name: str) -> dict[str, Any]:
        """Return the document that a cursor leads into. Raises RefusalError if it is kept no longer."""
        if name not in self._documents:
            raise RefusalError(
                "cursor_stale",
                "what the cursor leads into was read too long ago and is kept no longer",
                "Call again without `cursor`: the source is read again, from the first page on.",
            )
        self._documents.move_to_end(name)
        return self._documents[name].document

    async def request_document(self, job: Job, tell: ReportProgress) -> KeptDocument:
        """Have a job done, unless the same was begun since this call came in and is done by now.

        Raises RefusalError if there is too much to do, or it takes too long, or nothing can be reviewed.
        """
        came = time.monotonic()
        with self._admitted():
            position = Position(self.bounds.waiting)
            return await await_with_progress(
                tell, self.bounds.beat, position, partial(self._settle, job, came, position)
            )

    @contextmanager
    def _admitted(self) -> Iterator[None]:
        if self._inside >= self.bounds.calls:
            raise _build_busy(f"{self._inside} calls wait already")
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1

    async def _settle(self, job: Job, came: float, position: Position) -> KeptDocument:
        lock = self._paths.setdefault(job.path, anyio.Lock())
        async with self._turn(lock):
            found = self._latest.get(job)
            if found is not None and found.began >= came:
                return found
            async with self._turn(self._slots):
                began = time.monotonic()
                return self._keep(job, began, _get_text(await self._get_done(job, position)))

    @asynccontextmanager
    async def _turn(self, turns: anyio.Lock | anyio.Semaphore) -> AsyncIterator[None]:
        try:
            with anyio.fail_after(self.bounds.waiting):
                await turns.acquire()
        except TimeoutError:
            raise _build_busy(f"the call has waited for {self.bounds.waiting:g} seconds") from None
        try:
            yield
        finally:
            turns.release()

    async def _get_done(self, job: Job, position: Position) -> Done:
        """Do a job in a process of its own, which is killed when the call is cancelled or takes too long."""
        free = anyio.CapacityLimiter(
            1
        )  # the slots bound how many there are at once, and waiting there has its own time
        try:
            with anyio.fail_after(self.bounds.seconds):
                # A process whose start is cancelled would be left to itself for a while: cancellation waits until it is ready.
                with anyio.CancelScope(shield=True):
                    await _start_process(free)
                with position.reviewing() as place:
                    return await to_process.run_sync(run_job, job, os.getpid(), place, cancellable=True, limiter=free)
        except TimeoutError:
            raise RefusalError(
                "too_slow", f"the review takes more than {self.bounds.seconds:g} seconds", NARROWER
            ) from None
        except GONE:
            raise RefusalError("failed", "the process of the review ended before it was done", NARROWER) from None

    def _keep(self, job: Job, began: float, text: str) -> KeptDocument:
        """Keep a document under a name that is the same for the same document, and let the oldest go."""
        name = sha256(f"{job}\0{text}".encode()).hexdigest()[:16]
        found = self._documents[name] = KeptDocument(name, json.loads(text), began, len(text) + len(job.replies))
        self._documents.move_to_end(name)
        self._latest[job] = found
        while len(self._documents) > 1 and self._is_full():
            _, gone = self._documents.popitem(last=False)
            self._latest = {each: kept for each, kept in self._latest.items() if kept is not gone}
        return found

    def _is_full(self) -> bool:
        length = sum(each.length for each in self._documents.values())
        return len(self._documents) > self.bounds.kept or length > self.bounds.characters


async def _start_process(free: anyio.CapacityLimiter) -> None:
    """Have a process ready; one that waited from before, and has died since, is passed over for a new one."""
    try:
        await to_process.run_sync(prepare_process, os.getpid(), limiter=free)
    except GONE:
        await to_process.run_sync(prepare_process, os.getpid(), limiter=free)


def _get_text(done: Done) -> str:
    if done.why is None:
        return done.text
    if done.too_large:
        raise RefusalError("too_large", done.why, NARROWER)
    raise RefusalError("cannot_review", done.why, "Correct what the message names or give another path.")


def _build_busy(why: str) -> RefusalError:
    return RefusalError("busy", f"the server has more to do than it can: {why}", "Call again in a minute.")
