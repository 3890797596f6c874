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
from reviewer.judge.settings import JudgeSettings

Session = Callable[[CodeOf], AbstractContextManager[Judge]]
"""Opens a judge who may look at the source, for as long as the context lasts."""

FREE = ("host", "replay")
"""Judges that send nothing and cost nothing."""


def build_session(
    judge_settings: JudgeSettings, tell: Callable[[str], None] = lambda _line: None, *, shows: bool = False
) -> Session:
    """Return the bench of a settled appointment. `tell` takes lines for the user, `shows` draws a bar on the terminal.

    Raises CannotReviewError if money is bounded and nobody knows the price, or a file that is needed cannot be read or written.
    """
    require_price(judge_settings)

    @contextmanager
    def opened(code: CodeOf) -> Iterator[Judge]:
        batch = judge_settings.batch or judge_settings.resume is not None
        share = BATCH if batch else 1.0
        seed = judge_settings.resume.partition(".")[2] if judge_settings.resume else token_hex(16)
        backend = build_backend(
            judge_settings, CostBudget(judge_settings.asked, judge_settings.dollars, share), tell, seed
        )
        judge_progress = JudgeProgress(tell, judge_settings.asked, share, shows=shows)
        if judge_settings.name not in FREE:
            backend = judge_progress.wrap_backend(backend)
        with open_memory(judge_settings, tell) as memory:
            judge = Judging(
                backend, code, memory, Allowance(judge_settings.max_questions), seed, once=batch, graded=True
            )
            try:
                yield judge
            finally:
                if said := judge_progress.format_summary(judge.tally):
                    tell(said)

    return opened


def require_price(judge_settings: JudgeSettings) -> None:
    """Raise CannotReviewError if money is bounded and the model's price is unknown."""
    if (
        judge_settings.max_cost is not None
        and judge_settings.name not in FREE
        and find_price(judge_settings.asked) is None
    ):
        raise CannotReviewError(
            f"--max-cost: the price of {judge_settings.asked} is not known; bound the run with --max-questions"
        )


def open_memory(judge_settings: JudgeSettings, tell: Callable[[str], None]) -> AbstractContextManager[Memory | None]:
    """Open what settings of a judge remembers and records, and put it down at the end, whatever happened."""
    return remembered(judge_settings, tell, Recorder)


class WrittenAtEnd(Protocol):
    """A memory that is written into a file at the end."""

    def write(self) -> None:
        """Write the file."""


W = TypeVar("W", bound=WrittenAtEnd)


@contextmanager
def remembered(
    judge_settings: JudgeSettings,
    tell: Callable[[str], None],
    recorder: Callable[[Path, VerdictMemory | None, Callable[[str], None]], W],
) -> Iterator[VerdictMemory | W | None]:
    """Open what settings of a judge remembers, with what records it, and put both down at the end, whatever happened."""
    kept = (
        VerdictMemory(judge_settings.known_as, tell)
        if judge_settings.remember and judge_settings.name != "replay"
        else None
    )
    try:
        if judge_settings.record is None:
            yield kept
            return
        recording = recorder(judge_settings.record, kept, tell)
        try:
            yield recording
        finally:
            recording.write()
    finally:
        if kept is not None:
            kept.close()
