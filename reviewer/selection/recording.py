"""Answers in a file, by the keys of what was asked: to see a selection again without asking."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from reviewer.judge.documents import read_document
from reviewer.judge.record_file import require_writable, write_record
from reviewer.judge.requests import Notify
from reviewer.selection.asking import Remembers


class AnswerV1(BaseModel):
    """One recorded answer: the tasks for a tool, or a choice."""

    model_config = ConfigDict(extra="forbid")
    answer: dict[str, Any]
    model: str


class AnswersV1(BaseModel):
    """A file of recorded answers."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    answers: dict[str, AnswerV1]


class Recorded:
    """A memory that is a file. Raises CannotReviewError if that is none."""

    def __init__(self, file: Path) -> None:
        self._answers = read_document(AnswersV1, file).answers

    def recall_answer(self, key: str) -> tuple[Any, str] | None:
        """Return the answer and its model; None if it was not asked."""
        found = self._answers.get(key)
        return (found.answer, found.model) if found is not None else None

    def keep_answer(self, key: str, value: Any, model: str) -> None:
        """Do nothing: no model is asked, so there is no answer to keep."""


class Recording:
    """A memory that also writes every answer into a file. Raises CannotReviewError at once if the file cannot be written."""

    def __init__(self, file: Path, memory: Remembers | None, tell: Notify) -> None:
        self._file, self._memory, self._tell = file, memory, tell
        self._answers: dict[str, AnswerV1] = {}
        require_writable(file)

    def recall_answer(self, key: str) -> tuple[Any, str] | None:
        """Return the answer and its model; None if it was not asked."""
        found = self._memory.recall_answer(key) if self._memory is not None else None
        if found is not None:
            self._answers[key] = AnswerV1(answer=found[0], model=found[1])
        return found

    def keep_answer(self, key: str, value: Any, model: str) -> None:
        """Keep an answer."""
        self._answers[key] = AnswerV1(answer=value, model=model)
        if self._memory is not None:
            self._memory.keep_answer(key, value, model)

    def write(self) -> None:
        """Write the file."""
        document = AnswersV1(version=1, answers=dict(sorted(self._answers.items())))
        write_record(self._file, document, self._tell)
