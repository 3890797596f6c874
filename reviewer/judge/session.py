"""Settings of a judge → a judge that sits for one review: its backend, its memory, its cost budget, and the progress that the
user is told."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Protocol, TypeVar

from reviewer.files.discovery import CannotReviewError
from reviewer.judge.answers import Judge
from reviewer.judge.backends import build_backend
from reviewer.judge.backends.replay import Recorder
from reviewer.judge.judging import Allowance, Judging, Memory
from reviewer.judge.memory import VerdictMemory
from reviewer.judge.prices import BATCH, CostBudget, find_price
from reviewer.judge.progress import JudgeProgress
from reviewer.judge.question_requests import CodeOf
from reviewer.judge.settings import Appointment

Session = Callable[[CodeOf], AbstractContextManager[Judge]]
"""Seats a judge who may look at the source, for as long as the context lasts."""

FREE = ("host", "replay")
"""Judges that send nothing and cost nothing."""


def build_session(
    appointment: Appointment, tell: Callable[[str], None] = lambda _line: None, *, shows: bool = False
) -> Session:
    """Return the bench of a settled appointment. `tell` takes lines for the user, `shows` draws a bar on the terminal.

    Raises CannotReviewError if money is bounded and nobody knows the price, or a file that is needed cannot be read or written.
    """
    insist_on_price(appointment)

    @contextmanager
    def seated(code: CodeOf) -> Iterator[Judge]:
        batch = appointment.batch or appointment.resume is not None
        share = BATCH if batch else 1.0
        seed = appointment.resume.partition(".")[2] if appointment.resume else token_hex(16)
        backend = build_backend(appointment, CostBudget(appointment.asked, appointment.dollars, share), tell, seed)
        judge_progress = JudgeProgress(tell, appointment.asked, share, shows=shows)
        if appointment.name not in FREE:
            backend = judge_progress.wrap_backend(backend)
        with open_memory(appointment, tell) as memory:
            judge = Judging(backend, code, memory, Allowance(appointment.max_questions), seed, once=batch, graded=True)
            try:
                yield judge
            finally:
                if said := judge_progress.format_summary(judge.tally):
                    tell(said)

    return seated


def insist_on_price(appointment: Appointment) -> None:
    """Raise CannotReviewError if money is bounded and nobody knows the price."""
    if appointment.max_cost is not None and appointment.name not in FREE and find_price(appointment.asked) is None:
        raise CannotReviewError(
            f"--max-cost: the price of {appointment.asked} is not known; bound the run with --max-questions"
        )


def open_memory(appointment: Appointment, tell: Callable[[str], None]) -> AbstractContextManager[Memory | None]:
    """Open what settings of a judge remembers and records, and put it down at the end, whatever happened."""
    return remembered(appointment, tell, Recorder)


class WrittenAtEnd(Protocol):
    """A memory that is written into a file at the end."""

    def write(self) -> None:
        """Write the file."""


W = TypeVar("W", bound=WrittenAtEnd)


@contextmanager
def remembered(
    appointment: Appointment,
    tell: Callable[[str], None],
    recorder: Callable[[Path, VerdictMemory | None, Callable[[str], None]], W],
) -> Iterator[VerdictMemory | W | None]:
    """Open what settings of a judge remembers, with what records it, and put both down at the end, whatever happened."""
    kept = VerdictMemory(appointment.known_as, tell) if appointment.remember and appointment.name != "replay" else None
    try:
        if appointment.record is None:
            yield kept
            return
        recording = recorder(appointment.record, kept, tell)
        try:
            yield recording
        finally:
            recording.write()
    finally:
        if kept is not None:
            kept.close()
