"""Verdicts that were recorded, by the keys of questions: for tests, and to see a judged report again without a judge."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from reviewer.judge.answers import Judged, RubricVerdict
from reviewer.judge.documents import read_document
from reviewer.judge.grades import Grades
from reviewer.judge.judging import Backend, Memory
from reviewer.judge.offers import Draft
from reviewer.judge.question_requests import QuestionRequest
from reviewer.judge.record_file import require_writable, write_record
from reviewer.judge.replies import Reply
from reviewer.judge.requests import Notify
from reviewer.judge.rewrite_requests import RewriteRequest


class RecordedV1(BaseModel):
    """One recorded verdict."""

    model_config = ConfigDict(extra="forbid")
    verdict: RubricVerdict
    quote: str
    why: str
    model: str
    failing: list[int] = []
    evidence: str = ""
    names: list[str] = []


class RecordV1(BaseModel):
    """A file of recorded verdicts."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    verdicts: dict[str, RecordedV1]


def build_replay_backend(file: Path) -> Backend:
    """Make a backend of a file. Raises CannotReviewError if it is not a record of verdicts."""
    recorded = read_document(RecordV1, file).verdicts

    def iter_recorded_replies(question_requests: Sequence[QuestionRequest]) -> Iterator[tuple[QuestionRequest, Reply]]:
        for question_request in question_requests:
            yield question_request, _build_reply(question_request, recorded)

    return iter_recorded_replies


def _build_reply(question_request: QuestionRequest, recorded: dict[str, RecordedV1]) -> Reply:
    found = {posed.id: recorded[posed.key] for posed in question_request.posed if posed.key in recorded}
    if not found:
        return Reply(failure="no verdict on it is recorded")
    own = [{"id": id_, **each.model_dump(exclude={"model"})} for id_, each in found.items()]
    known: list[dict[str, Any]] = [
        {"id": each.id, "verdict": "met" if each.met else "not_met", "quote": "", "why": "", "failing": []}
        for each in question_request.markers
    ]
    return Reply({"verdicts": [*own, *known]}, model=next(iter(found.values())).model)


def leave_unanswered(question_requests: Sequence[QuestionRequest]) -> Iterator[tuple[QuestionRequest, Reply]]:
    """Answer nothing: what an agent has not answered yet."""
    for question_request in question_requests:
        option = " --rewrites" if isinstance(question_request, RewriteRequest) else ""
        yield (
            question_request,
            Reply(failure=f"no agent has answered it yet (mcp-review judge export{option} writes the questions)"),
        )


class Recorder:
    """A memory that also writes every verdict into a file, for `replay`.

    Raises CannotReviewError at once if the file cannot be written. What goes wrong later is told: the review is made by then.
    """

    def __init__(self, file: Path, memory: Memory | None, tell: Notify) -> None:
        self._file, self._memory, self._tell = file, memory, tell
        self._recorded: dict[str, RecordedV1] = {}
        require_writable(file)

    def recall(self, key: str) -> Judged | None:
        """Return the verdict on what a question shows, if there was one."""
        found = self._memory.recall(key) if self._memory is not None else None
        if found is not None:
            self._record(key, found)
        return found

    def keep(self, key: str, answer: Judged) -> None:
        """Keep a verdict."""
        self._record(key, answer)
        if self._memory is not None:
            self._memory.keep(key, answer)

    def recall_draft(self, key: str) -> Draft | None:
        """Return the description that was written on a request; none is recorded."""
        return self._memory.recall_draft(key) if self._memory is not None else None

    def recall_grades(self, key: str) -> Grades | None:
        """Return the grades of what is shown of a tool, if there were any."""
        return self._memory.recall_grades(key) if self._memory is not None else None

    def keep_grades(self, key: str, grades: Grades) -> None:
        """Keep grades."""
        if self._memory is not None:
            self._memory.keep_grades(key, grades)

    def keep_draft(self, key: str, draft: Draft) -> None:
        """Keep a description."""
        if self._memory is not None:
            self._memory.keep_draft(key, draft)

    def write(self) -> None:
        """Write the file."""
        document = RecordV1(version=1, verdicts=dict(sorted(self._recorded.items())))
        write_record(self._file, document, self._tell)

    def _record(self, key: str, answer: Judged) -> None:
        self._recorded[key] = RecordedV1(
            verdict=answer.verdict,
            quote=answer.quote or "",
            why=answer.why,
            model=answer.model,
            failing=list(answer.failing),
            evidence=answer.evidence or "",
            names=list(answer.names),
        )
