"""What the user is told of a judge: what it will cost, how far it is, what it took."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from reviewer.judge.judging import Backend, JudgeTally
from reviewer.judge.prices import compute_cost, estimate
from reviewer.judge.question_requests import QuestionRequest
from reviewer.judge.replies import Reply, Usage
from reviewer.judge.requests import ModelRequest, Sent
from reviewer.text.excerpts import format_count


class JudgeProgress:
    """Tells lines, and with `shows` draws a bar on the terminal. `model` is asked at `share` of its price."""

    def __init__(self, tell: Callable[[str], None], model: str, share: float, *, shows: bool = False) -> None:
        self._tell, self._model, self._share, self._shows = tell, model, share, shows

    def wrap_backend(self, backend: Backend) -> Backend:
        """Return a backend that says beforehand what it will ask, and shows how far it is."""

        def iter_announced_replies(
            question_requests: Sequence[QuestionRequest],
        ) -> Iterable[tuple[QuestionRequest, Reply]]:
            if question_requests:
                self._tell(self.format_announcement(question_requests))
                yield from self.iter_tracked_replies(backend(question_requests), len(question_requests))

        return iter_announced_replies

    def format_announcement(self, question_requests: Sequence[QuestionRequest]) -> str:
        """Say what will be asked, and what it may cost."""
        count = sum(len(each.posed) for each in question_requests)
        tools = sum(each.tools for each in question_requests)
        questions = f"{format_count(count, 'question')} about {format_count(tools, 'tool')}"
        descriptions = f"{format_count(len(question_requests), 'description')} to be written,"
        asked = f"{questions if count else descriptions} to {self._model}"
        return f"judge: {asked}: {self.format_estimate(question_requests)}"

    def format_estimate(self, requests: Sequence[ModelRequest]) -> str:
        """Say what requests may cost."""
        usage = sum_usages(map(estimate, requests))
        each = [compute_cost(self._model, estimate(request), self._share) for request in requests]
        known = [cost for cost in each if cost is not None]
        cost = f"about ${sum(known):.4f}" if len(known) == len(each) else "its price is not known"
        return f"about {round_estimate(usage.input + usage.output):,} tokens, {cost}"

    def format_summary(self, tally: JudgeTally) -> str:
        """Return how much was answered and at what cost; empty if nothing was asked, which another line explains."""
        said = f"judge: {format_count(tally.answered, 'question')} answered, {tally.remembered} of them from memory"
        said += f", {format_count(tally.written, 'description')} written" if tally.written else ""
        spent = self.format_usage(tally.usage)
        if not (spent or tally.answered or tally.written):
            return ""
        return f"{said}; {spent}" if spent else said

    @staticmethod
    def format_usage(usages: Sequence[Usage]) -> str:
        """Say what requests took; empty if nothing was answered."""
        answered = sum(each != Usage() for each in usages)
        if not answered:
            return ""
        used = sum_usages(usages)
        cached = f" ({used.cache_read:,} of them cached)" if used.cache_read else ""
        tokens = f"{used.input + used.cache_read + used.cache_write:,} tokens in{cached}, {used.output:,} out"
        cost = f"${used.dollars:.4f}" if used.dollars is not None else "its price is not known"
        return f"{format_count(answered, 'request')}: {tokens}, {cost}"

    def iter_tracked_replies(self, replies: Iterable[tuple[Sent, Reply]], total: int) -> Iterator[tuple[Sent, Reply]]:
        """Show how far it is, where a bar is shown."""
        with self._open_bar(total) as bar:
            for each in replies:
                if bar is not None:
                    bar.advance(bar.task_ids[0])
                yield each

    def _open_bar(self, total: int) -> AbstractContextManager[Any]:
        if not self._shows:
            return nullcontext()
        from rich.console import Console
        from rich.progress import Progress

        bar = Progress(console=Console(stderr=True), transient=True)
        bar.add_task("judging", total=total)
        return bar


def round_estimate(count: int) -> int:
    """Return a count with two digits that say something: an estimate is no better."""
    return round(count, 2 - len(str(count))) if count > 99 else count


def sum_usages(usages: Iterable[Usage]) -> Usage:
    """Add usages up; the sum has a price if every part that used anything has one."""
    listed = list(usages)
    priced = [each.dollars for each in listed if each.dollars is not None]
    unpriced = any(each.dollars is None and each.input + each.output + each.cache_read for each in listed)
    return Usage(
        sum(each.input for each in listed),
        sum(each.output for each in listed),
        sum(each.cache_read for each in listed),
        sum(each.cache_write for each in listed),
        None if unpriced else sum(priced),
    )
