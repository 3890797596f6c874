"""Questions and answers as files: `judge export` writes what is to be judged, any agent answers, `judge import` reads it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict

from reviewer.judge.answers import Answer, Asked, Judge, Judged
from reviewer.judge.appointment import Appointment
from reviewer.judge.bench import remembering
from reviewer.judge.clerk import counted
from reviewer.judge.documents import parsed
from reviewer.judge.inquiries import CodeOf, Inquiry, inquiries
from reviewer.judge.judging import Allowance, Judging, Memory
from reviewer.judge.replies import Reply, ReplyV1

INSTRUCTIONS = (
    'For each request: follow `system`, read `user`, and write {"request": its id, "verdicts": [{"id", "failing", "verdict", '
    '"quote", "why"}, …]} with one verdict for every question. Put all of them into one file: {"version": 1, "model": your '
    'name or "unknown", "export": the export\'s id, "replies": […]}. Judge only by what a request shows; open no other file.'
)


class RequestV1(TypedDict):
    """One request: its id, and the text to answer."""

    request: str
    user: str


class QuestionsV1(TypedDict):
    """All that is to be judged. `system` holds for every request."""

    version: Literal[1]
    export: str
    instructions: str
    system: str
    reply_schema: dict[str, Any]
    requests: list[RequestV1]


class HostReplyV1(ReplyV1):
    """The verdicts on one request."""

    request: str


class HostRepliesV1(BaseModel):
    """A file of verdicts."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    export: str
    model: str = "unknown"
    replies: list[Any]


def exported(inquiries: Sequence[Inquiry], seed: str) -> QuestionsV1:
    """Write inquiries as one document; `seed` is what they were made of, and is handed back with the verdicts."""
    return {
        "version": 1,
        "export": seed,
        "instructions": INSTRUCTIONS,
        "system": inquiries[0].system if inquiries else "",
        "reply_schema": ReplyV1.model_json_schema(),
        "requests": [{"request": each.key, "user": each.user} for each in inquiries],
    }


def imported(inquiries: Iterable[Inquiry], replies: HostRepliesV1) -> Iterator[tuple[Inquiry, Reply]]:
    """Give each inquiry with what a file of verdicts says of it."""
    given = _by_request(replies)
    for inquiry in inquiries:
        found = given.get(inquiry.key, [])
        if len(found) != 1:
            why = "the judge left it out" if not found else "the judge answered it more than once"
            yield inquiry, Reply(failure=why, model=replies.model)
        elif not _speaks_of(inquiry, verdicts := found[0].get("verdicts")):
            yield inquiry, Reply(failure="the verdicts are of another export", model=replies.model)
        else:
            yield inquiry, Reply({"verdicts": verdicts}, model=replies.model)


def _by_request(replies: HostRepliesV1) -> dict[str, list[Any]]:
    given: dict[str, list[Any]] = {}
    for each in replies.replies:
        name = each.get("request") if isinstance(each, dict) else None
        given.setdefault(str(name), []).append(each)
    return given


def _speaks_of(inquiry: Inquiry, verdicts: Any) -> bool:
    """Tell whether verdicts bear an id of the inquiry; what has no ids at all is for the check of replies to refuse."""
    listed = verdicts if isinstance(verdicts, list) else []
    given = {each["id"] for each in listed if isinstance(each, dict) and isinstance(each.get("id"), str)}
    return not given or bool(given & ({each.id for each in inquiry.posed} | {each.id for each in inquiry.markers}))


class Export:
    """Takes down what would be asked, but for what is remembered, and answers nothing."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._seed = token_hex(16)
        self.inquiries: list[Inquiry] = []

    @contextmanager
    def seat(self, appointment: Appointment, code: CodeOf) -> Iterator[Judge]:
        """Seat the judge that takes down."""
        with remembering(appointment, self._tell) as memory:
            yield Judging(self._take_down, code, memory, Allowance(appointment.max_questions), self._seed)

    def document(self) -> QuestionsV1:
        """Give what was taken down."""
        return exported(self.inquiries, self._seed)

    def _take_down(self, asked: Sequence[Inquiry]) -> Iterable[tuple[Inquiry, Reply]]:
        self.inquiries += asked
        return ()


class Import:
    """Answers from a file of verdicts, and from memory what the file does not speak of."""

    def __init__(self, replies: HostRepliesV1, tell: Callable[[str], None]) -> None:
        self._replies = replies
        self._tell = tell

    @classmethod
    def of(cls, file: Path, tell: Callable[[str], None]) -> "Import":
        """Read a file of verdicts. Raises CannotReviewError if it is none."""
        return cls(parsed(HostRepliesV1, file), tell)

    @contextmanager
    def seat(self, appointment: Appointment, code: CodeOf) -> Iterator[Judge]:
        """Seat the judge who reads the file."""
        with remembering(appointment, self._tell) as memory:

            def judge(asked: Sequence[Asked]) -> Sequence[Answer]:
                return self._answers(asked, code, memory)

            yield judge

    def _answers(self, asked: Sequence[Asked], code: CodeOf, memory: Memory | None) -> Sequence[Answer]:
        given = _by_request(self._replies)
        wanted = [inquiry for inquiry, _ in inquiries(asked, code, self._replies.export)]
        unknown = len(set(given) - {each.key for each in wanted})
        if unknown:
            answered = counted(unknown, "answered request")
            self._tell(
                f"judge: {answered} that this source does not ask: it has changed since the export, or is another"
            )
        news = {posed.key for each in wanted if each.key in given for posed in each.posed}
        judging = Judging(
            lambda open_: imported(open_, self._replies),
            code,
            _Beside(memory, news) if memory is not None else None,
            seed=self._replies.export,
        )
        answers = judging(asked)
        self._tell(f"judge: {counted(judging.tally.answered, 'question')} answered, by {self._replies.model}")
        return answers


class _Beside:
    """A memory that leaves to a file the questions that the file answers."""

    def __init__(self, memory: Memory, news: set[str]) -> None:
        self._memory, self._news = memory, news

    def recall(self, key: str) -> Judged | None:
        """Give the verdict on what a question shows, if there was one and the file has none."""
        return self._memory.recall(key) if key not in self._news else None

    def keep(self, key: str, answer: Judged) -> None:
        """Keep a verdict."""
        self._memory.keep(key, answer)
