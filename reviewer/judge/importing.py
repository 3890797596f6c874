"""The judge who reads a file of answers: what the file does not speak of is taken from memory."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from reviewer.facts import Tool
from reviewer.judge.answers import Answer, AskedQuestion, Judge, Judged
from reviewer.judge.documents import read_document
from reviewer.judge.exchange import HostRepliesV1, group_by_request, iter_imported_replies
from reviewer.judge.grades import Grades
from reviewer.judge.judging import Judging, Memory
from reviewer.judge.offers import NOBODY_ASKED, Draft, Dropped, WantedDescription
from reviewer.judge.question_requests import CodeOf, QuestionRequest
from reviewer.judge.session import open_memory
from reviewer.judge.settings import JudgeSettings
from reviewer.text.excerpts import format_count


class QuestionImport:
    """Opens a judge who reads a file."""

    def __init__(self, replies: HostRepliesV1, tell: Callable[[str], None]) -> None:
        self._replies = replies
        self._tell = tell

    @classmethod
    def from_file(cls, file: Path, tell: Callable[[str], None]) -> "QuestionImport":
        """Read a file of verdicts or descriptions. Raises CannotReviewError if it is none."""
        return cls(read_document(HostRepliesV1, file), tell)

    @contextmanager
    def open_judge(self, judge_settings: JudgeSettings, code: CodeOf) -> Iterator[Judge]:
        """Open the judge; at the end it is told what came of the file."""
        with open_memory(judge_settings, self._tell) as memory:
            reader = _ImportedJudge(self._replies, code, memory)
            yield reader
            for line in reader.iter_outcome_lines():
                self._tell(f"judge: {line}")


class _ImportedJudge:
    """A judge who reads."""

    def __init__(self, replies: HostRepliesV1, code: CodeOf, memory: Memory | None) -> None:
        self._replies = replies
        self._given = {*group_by_request(replies.replies), *group_by_request(replies.rewrites)}
        self._asked: set[str] = set()
        self._beside = _Beside(memory) if memory is not None else None
        self._judging = Judging(
            lambda open_: iter_imported_replies(open_, replies),
            code,
            self._beside,
            seed=replies.export,
            noting=self._note_request,
            graded=True,
        )

    def __call__(self, asked: Sequence[AskedQuestion]) -> Sequence[Answer]:
        """Answer questions."""
        return self._judging(asked)

    @property
    def grades(self) -> list[tuple[Tool, Grades]]:
        """The grades of tools."""
        return self._judging.grades

    def write_drafts(self, wanted: Sequence[WantedDescription]) -> list[Draft | Dropped]:
        """Return the descriptions that the file has, or that were written earlier."""
        for each in self._judging.build_rewrite_requests(wanted):
            self._note(each.key, each.key)
        found = self._judging.write_drafts(wanted)
        if self._replies.rewrites:
            return found
        return [each if isinstance(each, Draft) else NOBODY_ASKED for each in found]

    def iter_outcome_lines(self) -> Iterator[str]:
        """Say what came of the file."""
        unknown = len(self._given - self._asked)
        if unknown:
            answered = format_count(unknown, "answered request")
            yield f"{answered} that this source does not ask: it has changed since the export, or is another"
        tally = self._judging.tally
        written = f", {format_count(tally.written, 'description')} written" if tally.written else ""
        yield f"{format_count(tally.answered - tally.remembered, 'question')} answered{written}, by {self._replies.model}"

    def _note_request(self, question_request: QuestionRequest) -> None:
        self._note(question_request.key, *(posed.key for posed in question_request.posed))

    def _note(self, request: str, *keys: str) -> None:
        """Take down that a request is asked; what the file says of it goes before what is remembered."""
        self._asked.add(request)
        if self._beside is not None and request in self._given:
            self._beside.news.update(keys)


class _Beside:
    """A memory that leaves to a file what the file answers."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.news: set[str] = set()

    def recall(self, key: str) -> Judged | None:
        """Return the verdict on what a question shows, if there was one and the file has none."""
        return self._memory.recall(key) if key not in self.news else None

    def keep(self, key: str, answer: Judged) -> None:
        """Keep a verdict."""
        self._memory.keep(key, answer)

    def recall_draft(self, key: str) -> Draft | None:
        """Return the description that was written on a request, if there was one and the file has none."""
        return self._memory.recall_draft(key) if key not in self.news else None

    def recall_grades(self, key: str) -> Grades | None:
        """Return the grades of what is shown of a tool, if there were any."""
        return self._memory.recall_grades(key)

    def keep_grades(self, key: str, grades: Grades) -> None:
        """Keep grades."""
        self._memory.keep_grades(key, grades)

    def keep_draft(self, key: str, draft: Draft) -> None:
        """Keep a description."""
        self._memory.keep_draft(key, draft)
