"""Requests to a model or an agent: remembered ones are not asked again, and no more are asked than allowed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, Protocol

from reviewer.judge.progress import JudgeProgress
from reviewer.judge.replies import Usage
from reviewer.judge.requests import Sends
from reviewer.records import dataclass
from reviewer.selection.packets import AskedPiece, Packet, PacketAnswer, Untold, iter_packets
from reviewer.text.excerpts import format_count

Make = Callable[[Sequence[Any], str], Packet[Any]]
"""Makes a request of pieces and a seed."""

AnswerPieces = Callable[[Sequence[Any], Make], Iterable[tuple[str, PacketAnswer | Untold]]]
"""Answers pieces, each by its key, in whatever order; what is left out has no answer. It never raises for what a model does."""


class Remembers(Protocol):
    """Answers of earlier runs by the keys of what was asked; who answered is part of the memory, not of the key."""

    def recall_answer(self, key: str) -> tuple[Any, str] | None:
        """Return the answer and its model; None if it was not asked."""

    def keep_answer(self, key: str, value: Any, model: str) -> None:
        """Keep an answer."""


@dataclass(slots=True)
class SelectionTally:
    """What was asked in one run, and what that took."""

    asked: int = 0
    answered: int = 0
    remembered: int = 0
    usage: list[Usage] = field(default_factory=list)


class Asking:
    """Has pieces answered, at most so many. `anew` lets answers go before what is remembered, as those of a file do."""

    def __init__(
        self, answers: AnswerPieces, memory: Remembers | None = None, most: int | None = None, *, anew: bool = False
    ) -> None:
        self._answers, self._memory, self._most, self._anew = answers, memory, most, anew
        self.tally = SelectionTally()

    def __call__(self, pieces: Sequence[AskedPiece], make: Make) -> dict[str, PacketAnswer | Untold]:
        """Return one answer for each piece, by its key."""
        open_ = {each.key: each for each in pieces}
        found: dict[str, PacketAnswer | Untold] = {}
        if not self._anew:
            found = self._recall_answers(open_)
        fresh = [each for key, each in open_.items() if key not in found]
        allowed = self._choose_allowed(fresh)
        for key, answer in self._answers(allowed, make):
            found[key] = answer
            if isinstance(answer, PacketAnswer):
                self.tally.answered += 1
                if self._memory is not None:
                    self._memory.keep_answer(key, answer.value, answer.model)
        if self._anew:
            missing = [key for key in open_ if not isinstance(found.get(key), PacketAnswer)]
            found |= self._recall_answers(missing)
        refused = f"--max-questions {self._most} is used up" if len(allowed) < len(fresh) else "it was not answered"
        return {key: found.get(key, Untold(refused)) for key in open_}

    def _recall_answers(self, keys: Iterable[str]) -> dict[str, PacketAnswer | Untold]:
        found: dict[str, PacketAnswer | Untold] = {}
        for key in keys:
            known = self._memory.recall_answer(key) if self._memory is not None else None
            if known is not None:
                found[key] = PacketAnswer(*known)
        self.tally.answered += len(found)
        self.tally.remembered += len(found)
        return found

    def _choose_allowed(self, fresh: list[AskedPiece]) -> list[AskedPiece]:
        room = len(fresh) if self._most is None else max(0, self._most - self.tally.asked)
        self.tally.asked += min(room, len(fresh))
        return fresh[:room]


class Sending:
    """Answers by a model: pieces are put into requests of so many, whose price is told before they are sent."""

    def __init__(
        self,
        sends: Sends,
        judge_progress: JudgeProgress,
        tell: Callable[[str], None],
        model: str,
        seed: str,
        together: int,
    ) -> None:
        self._sends, self._progress, self._tell, self._model = sends, judge_progress, tell, model
        self._seed, self._together = seed, together
        self.usage: list[Usage] = []

    def __call__(self, pieces: Sequence[Any], make: Make) -> Iterator[tuple[str, PacketAnswer | Untold]]:
        """Send requests, and give the answers as they come."""
        made = list(iter_packets(pieces, make, self._seed, self._together))
        if not made:
            return
        asked = f"{format_count(len(pieces), made[0].noun)} to {self._model} in {format_count(len(made), 'request')}"
        self._tell(f"select: {asked}: {self._progress.format_estimate(made)}")
        for packet, reply in self._progress.iter_tracked_replies(self._sends(made), len(made)):
            self.usage.append(reply.usage)
            yield from packet.read(reply).items()


def build_refusing_answers(why: str) -> AnswerPieces:
    """Answer nothing, for a reason."""

    def leave_unanswered(pieces: Sequence[Any], _make: Make) -> Iterator[tuple[str, PacketAnswer | Untold]]:
        yield from ((each.key, Untold(why)) for each in pieces)

    return leave_unanswered
