"""Settings of a judge → who makes tasks and chooses tools: the judge's backends, cost budget and memory, and the progress that
the user is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex

from reviewer.files.discovery import CannotReviewError
from reviewer.judge.backends import build_sender
from reviewer.judge.prices import CostBudget
from reviewer.judge.progress import JudgeProgress
from reviewer.judge.requests import Notify
from reviewer.judge.session import remembered, require_price
from reviewer.judge.settings import KEYS, JudgeSettings
from reviewer.selection.asking import AnswerPieces, Asking, Remembers, Sending, build_refusing_answers
from reviewer.selection.recording import Recorded, Recording
from reviewer.text.excerpts import format_count

NOBODY = (
    "a model makes tasks and chooses tools: name one with --judge, as in --judge anthropic, or have an agent answer the files of"
    " `mcp-review select export`"
)


def resolve_auto(judge_settings: JudgeSettings) -> JudgeSettings:
    """Return the settings with `auto` resolved. Raises CannotReviewError if options conflict or no model is named."""
    decided = judge_settings.resolve_auto()
    if decided.name == "none":
        why = f"there is no key: set {KEYS[0]}; " if judge_settings.name == "auto" else ""
        raise CannotReviewError(why + NOBODY)
    require_price(decided)
    return decided


@contextmanager
def open_asking(judge_settings: JudgeSettings, tell: Notify, together: int, *, shows: bool = False) -> Iterator[Asking]:
    """Open the judge of resolved settings, and print at the end what was answered and its cost. Raises CannotReviewError."""
    with remembering(judge_settings, tell) as memory:
        answers = _build_answers(judge_settings, tell, together, shows=shows)
        asking = Asking(answers, memory, judge_settings.max_questions)
        try:
            yield asking
        finally:
            tally = asking.tally
            said = f"select: {format_count(tally.answered, 'answer')}, {tally.remembered} of them from memory"
            spent = JudgeProgress.format_usage(answers.usage) if isinstance(answers, Sending) else ""
            tell(f"{said}; {spent}" if spent else said)


def _build_answers(judge_settings: JudgeSettings, tell: Notify, together: int, *, shows: bool) -> AnswerPieces:
    if judge_settings.name == "replay":
        return build_refusing_answers("no answer to it is recorded")
    if judge_settings.name == "host":
        return build_refusing_answers("no agent has answered it yet (mcp-review select export writes what is asked)")
    seed, model = token_hex(16), judge_settings.asked
    sends = build_sender(judge_settings, CostBudget(model, judge_settings.dollars), tell, seed)
    return Sending(sends, JudgeProgress(tell, model, 1.0, shows=shows), tell, model, seed, together)


@contextmanager
def remembering(judge_settings: JudgeSettings, tell: Notify) -> Iterator[Remembers | None]:
    """Open the memory that a judge's settings name, to replay or record answers, and save it at the end, errors included."""
    if judge_settings.verdicts is not None:
        yield Recorded(judge_settings.verdicts)
        return
    with remembered(judge_settings, tell, Recording) as memory:
        yield memory
