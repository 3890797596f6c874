"""Questions as files: `judge export` writes what is to be judged or written, any agent answers, `judge import` reads it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import Any, Literal, NotRequired, TypedDict

from pydantic import BaseModel, ConfigDict, model_validator

from reviewer.judge.answers import Judge
from reviewer.judge.forms import build_draft_schema, build_reply_schema
from reviewer.judge.judging import Allowance, Judging
from reviewer.judge.question_requests import CodeOf, QuestionRequest, build_instructions
from reviewer.judge.replies import Reply
from reviewer.judge.rewrite_requests import RewriteRequest
from reviewer.judge.rubrics import FRAME
from reviewer.judge.session import open_memory
from reviewer.judge.settings import JudgeSettings
from reviewer.text.excerpts import format_count

INSTRUCTIONS = (
    'For each request: follow `system`, read `user`, and write {"request": its id, "verdicts": [{"id", "failing", "verdict", '
    '"quote", "evidence", "names", "why"}, …]} with one verdict for every question, and "grades" where the request names tools '
    'to grade. Put all of them into one file: {"version": 1, "model": your name or "unknown", "export": the export\'s id, '
    '"replies": […]}. Judge only by what a request shows; open no other file.'
)


class RequestV1(TypedDict):
    """One request: its id, and the text to answer."""

    request: str
    user: str


TO_REWRITE = (
    'For each request: follow `system`, read `user`, and write {"request": its id, "checks": […], "claims": […], "text": …}. Put '
    'all of them into one file: {"version": 1, "model": your name or "unknown", "export": the export\'s id, "rewrites": […]}. '
    "What you write is shown to nobody before it is judged: import it, export again, and have the new questions answered, if you "
    "can by somebody else."
)


class RewritesV1(TypedDict):
    """All descriptions that are to be written. `system` holds for every request."""

    instructions: str
    system: str
    reply_schema: dict[str, Any]
    requests: list[RequestV1]


class QuestionsV1(TypedDict):
    """All that is to be judged, and what is to be written if that is asked for. `system` holds for every request."""

    version: Literal[1]
    export: str
    instructions: str
    system: str
    reply_schema: dict[str, Any]
    requests: list[RequestV1]
    rewrites: NotRequired[RewritesV1]


class HostRepliesV1(BaseModel):
    """A file of verdicts, or of descriptions, or of both."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    export: str
    model: str = "unknown"
    replies: list[Any] = []
    rewrites: list[Any] = []

    @model_validator(mode="after")
    def _says_something(self) -> "HostRepliesV1":
        if not {"replies", "rewrites"} & self.model_fields_set:
            raise ValueError("neither `replies` nor `rewrites`")
        return self


def export_requests(question_requests: Sequence[QuestionRequest], seed: str) -> QuestionsV1:
    """Write requests as one document; `seed` is what they were made of, and is handed back with the verdicts."""
    graded = any(each.graded for each in question_requests)
    return {
        "version": 1,
        "export": seed,
        "instructions": INSTRUCTIONS,
        "system": build_instructions(
            FRAME, sorted({name for each in question_requests for name in each.rubrics}), graded=graded
        )
        if question_requests
        else "",
        "reply_schema": build_reply_schema(graded=graded),
        "requests": [{"request": each.key, "user": each.user} for each in question_requests],
    }


def export_rewrites(rewrite_requests: Sequence[RewriteRequest]) -> RewritesV1:
    """Write requests for descriptions as a part of a document."""
    return {
        "instructions": TO_REWRITE,
        "system": rewrite_requests[0].system if rewrite_requests else "",
        "reply_schema": build_draft_schema(),
        "requests": [{"request": each.key, "user": each.user} for each in rewrite_requests],
    }


def iter_imported_replies(
    question_requests: Iterable[QuestionRequest], replies: HostRepliesV1
) -> Iterator[tuple[QuestionRequest, Reply]]:
    """Yield each request of questions with what a file of verdicts says of it."""
    given, written = group_by_request(replies.replies), group_by_request(replies.rewrites)
    for question_request in question_requests:
        is_rewrite_request = isinstance(question_request, RewriteRequest)
        found = (written if is_rewrite_request else given).get(question_request.key, [])
        if len(found) != 1:
            who = "writer" if is_rewrite_request else "judge"
            why = f"the {who} did not answer it" if not found else f"the {who} answered it more than once"
            yield question_request, Reply(failure=why, model=replies.model)
        elif is_rewrite_request:
            draft = {name: each for name, each in found[0].items() if name != "request"}
            yield question_request, Reply(draft, model=replies.model)
        elif not _speaks_of(question_request, verdicts := found[0].get("verdicts")):
            yield question_request, Reply(failure="the verdicts belong to another export", model=replies.model)
        else:
            grades = {"grades": found[0]["grades"]} if isinstance(found[0].get("grades"), list) else {}
            yield question_request, Reply({"verdicts": verdicts, **grades}, model=replies.model)


def group_by_request(replies: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the replies of a file by the requests that they name."""
    given: dict[str, list[Any]] = {}
    for each in replies:
        name = each.get("request") if isinstance(each, dict) else None
        given.setdefault(str(name), []).append(each)
    return given


def _speaks_of(question_request: QuestionRequest, verdicts: Any) -> bool:
    """Return whether verdicts bear an id of the request of questions; what has no ids at all is for the check of replies to
    refuse."""
    listed = verdicts if isinstance(verdicts, list) else []
    given = {each["id"] for each in listed if isinstance(each, dict) and isinstance(each.get("id"), str)}
    return not given or bool(
        given & ({each.id for each in question_request.posed} | {each.id for each in question_request.markers})
    )


class QuestionExport:
    """Takes down what would be asked, but for what is remembered, and answers nothing."""

    def __init__(self, tell: Callable[[str], None], seed: str | None = None, *, graded: bool = True) -> None:
        self._tell, self._graded = tell, graded
        self._seed = seed or token_hex(16)
        self._rewriting = False
        self.question_requests: list[QuestionRequest] = []

    @contextmanager
    def open_judge(self, judge_settings: JudgeSettings, code: CodeOf) -> Iterator[Judge]:
        """Open the judge that takes down."""
        self._rewriting = judge_settings.rewrites
        with open_memory(judge_settings, self._tell) as memory:
            yield Judging(
                self._take_down, code, memory, Allowance(judge_settings.max_questions), self._seed, graded=self._graded
            )

    def build_document(self) -> QuestionsV1:
        """Return the document of the recorded questions, and of the descriptions to be written, if those were
        requested.
        """
        document = export_requests(
            [each for each in self.question_requests if not isinstance(each, RewriteRequest)], self._seed
        )
        if self._rewriting:
            document["rewrites"] = export_rewrites(
                [each for each in self.question_requests if isinstance(each, RewriteRequest)]
            )
        return document

    def describe_export(self, path: str, file: str) -> str:
        """Say what a file holds that was written of it, and what comes next."""
        written = sum(isinstance(each, RewriteRequest) for each in self.question_requests)
        count = sum(len(each.posed) for each in self.question_requests)
        said = [format_count(count, "question")] if count or not written else []
        said += [f"{format_count(written, 'description')} to write"] if written else []
        then = (
            f"have an agent answer it, then: mcp-review judge import {path} ANSWERS"
            if self.question_requests
            else "nothing is open"
        )
        return f"judge: {' and '.join(said)} in {file}; {then}"

    def _take_down(self, asked: Sequence[QuestionRequest]) -> Iterable[tuple[QuestionRequest, Reply]]:
        self.question_requests += asked
        return ()
