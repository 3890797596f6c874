"""Cases run in a process of their own, which is watched: crashes, hangs, memory and silent deaths are told from outside.

The parent has everything loaded and forks, so that a new process costs milliseconds. What a process is at stands on a board in
shared memory, and what it found comes through a pipe.
"""

import faulthandler
import gc
import json
import mmap
import os
import resource
import select
import signal
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cases import Case
from faults import Fault, of_dump, of_exception
from subjects import Outcome, attempt

SECONDS = 10.0
"""Processor time that a case may take."""

STEP = 0.25
"""Seconds between two looks at a process that tells nothing."""

MEGABYTES = 1024
"""Memory that a case may take."""

LONGEST_LIFE = 3_000
"""Cases that a process runs before a fresh one takes over, so that no case depends on thousands before it."""

_BOARD = struct.Struct("qdqqd")
"""The number of the case at hand, the processor time at which it began, cases done, cases refused, the slowest one."""


@dataclass(slots=True)
class Tally:
    """What a run came to."""

    inputs: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_case: int = -1
    peak: int = 0
    """Megabytes."""
    peak_case: int = -1


Make = Callable[[int], Case]
Attempt = Callable[[Case, bool], Outcome]
Found = tuple[int, Fault]


class Watch:
    """Runs numbered cases in forked processes."""

    def __init__(
        self, make: Make, seconds: float = SECONDS, every_format: bool = False, attempt: Attempt = attempt
    ) -> None:
        self._make = make
        self._attempt = attempt
        self._seconds = seconds
        self._every_format = every_format
        self._board = mmap.mmap(-1, _BOARD.size)
        self.tally = Tally()

    def run(self, numbers: range) -> Iterator[Found]:
        """Run cases, and give the faults of those that have one."""
        at = numbers.start
        while at < numbers.stop:
            stop = min(numbers.stop, at + LONGEST_LIFE)
            at = yield from self._life(range(at, stop))

    def _life(self, numbers: range) -> Iterator[Found]:
        """Run cases in one process until it ends; return the number of the next case."""
        reading, writing = os.pipe()
        self._board[:] = _BOARD.pack(numbers.start, 0.0, 0, 0, 0.0)
        with tempfile.TemporaryFile("w+") as dump:
            child = os.fork()
            if child == 0:
                os.close(reading)
                self._work(numbers, writing, dump.fileno())
            os.close(writing)
            try:
                hung = yield from self._watch(child, reading)
            finally:
                os.close(reading)
                _end(child)
            _, status, used = os.wait4(child, 0)
            at, _, done, refused, _ = _BOARD.unpack(self._board)
            self.tally.inputs += done
            self.tally.refused += refused
            self.tally.seconds += used.ru_utime + used.ru_stime
            if not hung and os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
                return int(at)
            dump.seek(0)
            self.tally.inputs += 1
            yield int(at), of_dump("hang" if hung else "death", dump.read())
            return int(at) + 1

    def _watch(self, child: int, reading: int) -> Iterator[Found]:
        """Yield what a process tells until it closes the pipe; return whether it hung."""
        waiting, still = b"", 0.0
        while True:
            ready, _, _ = select.select([reading], [], [], STEP)
            if ready:
                data = os.read(reading, 1 << 16)
                if not data:
                    return False
                *lines, waiting = (waiting + data).split(b"\n")
                yield from (self._told(json.loads(line)) for line in lines if b'"kind"' in line)
                for line in lines:
                    if b'"kind"' not in line:
                        self._measured(**json.loads(line))
                continue
            still = still + STEP if _sleeps(child) else 0.0
            if max(still, _processor_time(child) - _BOARD.unpack(self._board)[1]) > self._seconds:
                os.kill(child, signal.SIGUSR1)
                time.sleep(0.2)
                return True

    def _told(self, line: dict) -> Found:
        return line.pop("number"), Fault(**line)

    def _measured(self, number: int, slow: float = 0.0, peak: int = 0) -> None:
        if slow > self.tally.slowest:
            self.tally.slowest, self.tally.slowest_case = slow, number
        if peak > self.tally.peak:
            self.tally.peak, self.tally.peak_case = peak, number

    def _work(self, numbers: range, writing: int, dump: int) -> None:
        """Run cases, and leave: what a forked process must not do is to go on as if it were its parent."""
        code = 1
        try:
            _bound(dump)
            with os.fdopen(writing, "w") as out:
                for line in self._lines(numbers):
                    out.write(json.dumps(line) + "\n")
                    out.flush()
            code = 0
        finally:
            os._exit(code)

    def _lines(self, numbers: range) -> Iterator[dict]:
        refused, slowest, peak = 0, 0.05, 0
        for done, number in enumerate(numbers):
            began = time.process_time()
            self._board[:] = _BOARD.pack(number, began, done, refused, slowest)
            case = self._make(number)
            fault = None
            try:
                refused += self._attempt(case, self._every_format) == "refused"
            except (Exception, SystemExit, GeneratorExit) as error:
                fault = of_exception(error)
                error.__traceback__ = None
            if fault is not None:
                yield {"number": number, **asdict(fault)}
            taken = time.process_time() - began
            if taken > slowest:
                slowest = taken
                yield {"number": number, "slow": taken}
            now = _peak()
            if now > peak + 8 or not peak:
                peak = now
                yield {"number": number, "peak": now}
            if fault is not None and fault.kind == "memory":
                numbers = range(numbers.start, number + 1)
                break
        self._board[:] = _BOARD.pack(numbers.stop, 0.0, len(numbers), refused, slowest)


def _bound(dump: int) -> None:
    faulthandler.enable(dump, all_threads=False)
    faulthandler.register(signal.SIGUSR1, dump, all_threads=False)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEGABYTES * 2**20 - _peak() * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.set_threshold(100_000, 20, 20)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _processor_time(process: int) -> float:
    """Return the processor time that a process used by now, in seconds."""
    parts = _state(process)
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK") if parts else 0.0


def _sleeps(process: int) -> bool:
    """Return whether a process waits for something, as for a pipe that nobody writes to."""
    return _state(process)[:1] == ["S"]


def _state(process: int) -> list[str]:
    """Return what Linux says of a process, from its state on; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _end(process: int) -> None:
    """End a process that is still there; one that has ended is left to be waited for."""
    if os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        time.sleep(0.05)
        if os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            os.kill(process, signal.SIGKILL)


def faults_of(case: Case, seconds: float = SECONDS) -> list[Fault]:
    """Return the faults of one case in a process of its own."""
    return [fault for _, fault in Watch(lambda _number: case, seconds, every_format=True).run(range(1))]
