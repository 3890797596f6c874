"""A case with a fault → the smallest one found that still has it: by files, then lines, then tokens, then characters."""

import os
import pickle
import re
import resource
import signal
import tempfile
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

from cases import Case
from faults import Fault, of_exception
from subjects import attempt
from watching import MEGABYTES, SECONDS, faults_of

MOST_TRIALS = {"crash": 3_000, "output": 3_000, "death": 200, "memory": 40, "hang": 14}
"""Trials by the kind of a fault: a hang takes its seconds each time."""

HANGS = 3.0
"""Seconds of processor time after which a smaller case counts as hanging, so that a trial is cheaper than a run."""

LONGEST = 90
"""Seconds of processor time that the reduction of a crash may take."""

UNITS = (re.compile(rb"[^\n]*\n?"), re.compile(rb"\w+|\s+|[^\w\s]"), re.compile(rb"(?s)[\x00-\x7f]|[^\x00-\x7f]+"))
MOST_CHARACTERS = 600
"""Bytes of a file that is reduced character by character."""


class _SpentError(Exception):
    """No trials are left."""


class _SlowError(BaseException):
    """A trial takes too long; no `except Exception` of what is tried takes it for its own."""


class Reduction:
    """One search for a smaller case."""

    def __init__(self, case: Case, fault: Fault) -> None:
        self._fault = fault
        self._left = MOST_TRIALS[fault.kind]
        self._note: Callable[[Case], None] = lambda _case: None
        self.best = case

    def run(self) -> Case:
        """Return the smallest case found."""
        if self._fault.kind in ("crash", "output"):
            self._run_apart()
        else:
            self._search()
        return self.best

    def _run_apart(self) -> None:
        """Search in one forked process, in which all trials are made: what it found last counts, however it ends."""
        with tempfile.TemporaryFile() as kept:

            def note(case: Case) -> None:
                kept.seek(0)
                pickle.dump(case, kept)
                kept.flush()

            child = os.fork()
            if child == 0:
                try:
                    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
                    resource.setrlimit(resource.RLIMIT_AS, (2 * MEGABYTES * 2**20,) * 2)
                    self._note = note
                    self._search()
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            kept.seek(0)
            if kept.read(1):
                kept.seek(0)
                self.best = pickle.load(kept)

    def _search(self) -> None:
        try:
            for path in sorted(self.best.files):
                if len(self.best.files) > 1:
                    self._try({name: data for name, data in self.best.files.items() if name != path})
            for unit in UNITS:
                for path in sorted(self.best.files):
                    self._reduce(path, unit)
        except _SpentError:
            pass

    def _reduce(self, path: str, unit: re.Pattern[bytes]) -> None:
        if unit is UNITS[-1] and len(self.best.files[path]) > MOST_CHARACTERS:
            return
        parts = [each for each in unit.findall(self.best.files[path]) if each]
        minimal(parts, lambda kept: self._try({**self.best.files, path: b"".join(kept)}))

    def _try(self, files: dict[str, bytes]) -> bool:
        if self._left <= 0:
            raise _SpentError
        self._left -= 1
        case = replace(self.best, files=files)
        holds = self._holds(case)
        if holds:
            self.best = case
            self._note(case)
        return holds

    def _holds(self, case: Case) -> bool:
        if self._fault.kind not in ("crash", "output"):
            seconds = HANGS if self._fault.kind == "hang" else SECONDS
            return any(each.key == self._fault.key for each in faults_of(case, seconds))
        try:
            with _at_most(HANGS):
                attempt(case)
        except _SlowError:
            return False
        except Exception as error:
            return of_exception(error).key == self._fault.key
        return False


@contextmanager
def _at_most(seconds: float):
    """Raise _SlowError where the process works longer than that."""

    def stop(_signal: int, _frame: FrameType | None) -> Any:
        raise _SlowError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def minimal(parts: Sequence[bytes], holds: Callable[[Sequence[bytes]], bool]) -> Sequence[bytes]:
    """Return parts of which none of the stretches tried can be left out: delta debugging, with ever smaller stretches."""
    size = max(1, len(parts) // 2)
    while parts:
        at = 0
        while at < len(parts):
            kept = [*parts[:at], *parts[at + size :]]
            if holds(kept):
                parts = kept
            else:
                at += size
        if size == 1:
            break
        size = max(1, size // 2)
    return parts
