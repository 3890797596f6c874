"""Questions → answers, and requests → drafts, through a backend: what is known is not asked again, nor more than was allowed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from secrets import token_hex
from typing import NamedTuple, Protocol

from reviewer.facts import Tool
from reviewer.judge.answers import UNCHANGED, Answer, AskedQuestion, Judge, Judged, Unanswered
from reviewer.judge.drafts import check_draft, parse_draft
from reviewer.judge.grades import Grades
from reviewer.judge.offers import Draft, Dropped, WantedDescription
from reviewer.judge.question_requests import (
    CodeOf,
    Posed,
    QuestionRequest,
    digest_grading,
    iter_question_requests,
    list_reached_code,
)
from reviewer.judge.replies import Reply, Usage, parse_answers, parse_grades
from reviewer.judge.rewrite_requests import RewriteRequest, build_rewrite_request
from reviewer.judge.rubrics import load_rubric
from reviewer.judge.slices import slice_code
from reviewer.records import dataclass

Backend = Callable[[Sequence[QuestionRequest]], Iterable[tuple[QuestionRequest, Reply]]]
"""Sends requests to a model and gives each with its reply, in whatever order they come."""


class Memory(Protocol):
    """Verdicts of earlier runs, by the keys of questions; who judged is part of the memory, not of the key."""

    def recall(self, key: str) -> Judged | None:
        """Return the verdict on what a question shows, if there was one."""

    def keep(self, key: str, answer: Judged) -> None:
        """Keep a verdict."""

    def recall_draft(self, key: str) -> Draft | None:
        """Return the description that was written on a request, if there was one."""

    def keep_draft(self, key: str, draft: Draft) -> None:
        """Keep a description."""

    def recall_grades(self, key: str) -> Grades | None:
        """Return the grades of what is shown of a tool, if there were any."""

    def keep_grades(self, key: str, grades: Grades) -> None:
        """Keep grades."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many questions may be asked in one run, a request for a description being one; None is no bound.

    What they may cost is the backend's to hold.
    """

    questions: int | None = None


@dataclass(slots=True)
class JudgeTally:
    """What was asked in one run, and how much of it was answered; questions of tools that show the same count once.

    `written` counts the descriptions that were written, of those asked for too.
    """

    asked: int = 0
    answered: int = 0
    remembered: int = 0
    written: int = 0
    requests: int = 0
    usage: list[Usage] = field(default_factory=list)


class _Open(NamedTuple):
    """A request with the places of each of its questions among all that were asked."""

    question_request: QuestionRequest
    places: dict[str, list[int]]

    def put(self, found: list[Answer], posed: Posed, answer: Answer) -> None:
        """Answer a question wherever it was asked."""
        for place in self.places[posed.key]:
            found[place] = answer


class Judging:
    """A judge made of a backend, a memory and an allowance."""

    def __init__(
        self,
        backend: Backend,
        code: CodeOf,
        memory: Memory | None = None,
        allowance: Allowance | None = None,
        seed: str | None = None,
        *,
        once: bool = False,
        noting: Callable[[QuestionRequest], None] = lambda _question_request: None,
        graded: bool = False,
    ) -> None:
        """Make it. `once` asks nobody again who could not decide by what was shown, `noting` is told of all that is asked.

        `graded` has the tools graded that questions are about.
        """
        self._once, self._noting, self._graded = once, noting, graded
        self.grades: list[tuple[Tool, Grades]] = []
        self._seed = seed or token_hex(16)
        self._backend = backend
        self._code = code
        self._memory = memory
        self._allowance = allowance or Allowance()
        self._before: frozenset[str] = frozenset()
        self.tally = JudgeTally()

    def build_base_judge(self, code: CodeOf) -> Judge:
        """Return the judge of the base of a comparison, who only recalls.

        What shows the same there as in what is reviewed is from then on only recalled of both: it did not change.
        """

        def recall(asked: Sequence[AskedQuestion]) -> Sequence[Answer]:
            found = self._ask_again(asked, recall_only(asked), code, recall_only)
            self.tally = JudgeTally()
            return found

        def recall_only(asked: Sequence[AskedQuestion]) -> list[Answer]:
            found: list[Answer] = [Unanswered(UNCHANGED)] * len(asked)
            for open_ in self._iter_open_requests(asked, code):
                self._before |= {each.key for each in open_.question_request.posed}
                self._recall_answers(open_, found)
            return found

        return recall

    def __call__(self, asked: Sequence[AskedQuestion]) -> Sequence[Answer]:
        """Answer questions, one answer for each, in their order."""
        return self._ask_again(asked, self._ask_backend(asked), self._code, self._ask_backend)

    def _ask_again(
        self,
        asked: Sequence[AskedQuestion],
        found: list[Answer],
        code: CodeOf,
        answered: Callable[[Sequence[AskedQuestion]], list[Answer]],
    ) -> list[Answer]:
        """Have those asked again, and once, who could not decide by the code that they were shown, if there is more."""
        pairs = enumerate(zip(asked, found, strict=True))
        places = [place for place, (each, answer) in pairs if not self._once and _wants_more(each, answer, code)]
        again = answered([replace(asked[place], more=True) for place in places]) if places else []
        for place, answer in zip(places, again, strict=True):
            found[place] = answer
        return found

    def _ask_backend(self, asked: Sequence[AskedQuestion]) -> list[Answer]:
        found: list[Answer] = [Unanswered("the judge was not reached")] * len(asked)
        open_ = {each.question_request.key: each for each in self._iter_open_requests(asked, self._code)}
        for each in open_.values():
            self._noting(each.question_request)
            self._recall_grades(asked, each)
        for question_request, reply in self._backend(list(self._iter_allowed_requests(open_.values(), found))):
            self.tally.requests += 1
            self.tally.usage.append(reply.usage)
            given = parse_answers(question_request, reply)
            if self._graded and any(isinstance(each, Judged) for each in given):
                self._keep_grades(asked, open_[question_request.key], parse_grades(reply.document, reply.model))
            for posed, answer in zip(question_request.posed, given, strict=True):
                open_[question_request.key].put(found, posed, answer)
                if isinstance(answer, Judged):
                    self.tally.answered += 1
                    if self._memory is not None:
                        self._memory.keep(posed.key, answer)
        return found

    def _keep_grades(self, asked: Sequence[AskedQuestion], open_: _Open, given: Mapping[int, Grades]) -> None:
        """Keep the grades of the tools of a request, which count only from a judge whose verdicts do."""
        for number, seen in enumerate(open_.question_request.views):
            if (grades := given.get(number + 1)) is not None:
                self._keep_grades_as(asked, open_, number, grades)
                if self._memory is not None:
                    self._memory.keep_grades(digest_grading(seen), grades)

    def _recall_grades(self, asked: Sequence[AskedQuestion], open_: _Open) -> None:
        if self._memory is None or not self._graded:
            return
        for number, seen in enumerate(open_.question_request.views):
            if (known := self._memory.recall_grades(digest_grading(seen))) is not None:
                self._keep_grades_as(asked, open_, number, known)

    def _keep_grades_as(self, asked: Sequence[AskedQuestion], open_: _Open, number: int, grades: Grades) -> None:
        keys = [each.key for each in open_.question_request.posed if each.tool == number]
        tools = {id(tool): tool for key in keys for tool in (asked[place].question.tool for place in open_.places[key])}
        known = {id(tool) for tool, _ in self.grades}
        self.grades += [(tool, grades) for id_, tool in tools.items() if id_ not in known]

    def _iter_open_requests(self, asked: Sequence[AskedQuestion], code: CodeOf) -> Iterator[_Open]:
        for question_request, places in iter_question_requests(
            asked, code, self._seed, graded=self._graded and not any(each.more for each in asked)
        ):
            yield _Open(
                question_request, {each.key: at for each, at in zip(question_request.posed, places, strict=True)}
            )

    def build_rewrite_requests(self, wanted: Sequence[WantedDescription]) -> list[RewriteRequest]:
        """Make the requests for descriptions."""
        return [build_rewrite_request(each, self._code, self._seed) for each in wanted]

    def write_drafts(self, wanted: Sequence[WantedDescription]) -> list[Draft | Dropped]:
        """Have descriptions written, one for each tool, in their order."""
        asked = self.build_rewrite_requests(wanted)
        found: dict[str, Draft | Dropped] = {}
        fresh: dict[str, RewriteRequest] = {}
        for each in {each.key: each for each in asked}.values():
            known = self._memory.recall_draft(each.key) if self._memory is not None else None
            if known is not None:
                found[each.key] = check_draft(known, each)
            elif self._may_ask(1):
                fresh[each.key] = each
            else:
                found[each.key] = Dropped(self._refusal)
        for question_request, reply in self._backend(list(fresh.values())):
            self.tally.requests += 1
            self.tally.usage.append(reply.usage)
            found[question_request.key] = self._take_draft(
                fresh[question_request.key], parse_draft(fresh[question_request.key], reply)
            )
        return [found.get(each.key, Dropped("the writer was not reached")) for each in asked]

    def _take_draft(self, asked: RewriteRequest, made: Draft | Dropped) -> Draft | Dropped:
        """Check what was written, and remember it if it may be judged, or if there is nothing to be written."""
        if isinstance(made, Dropped):
            return made
        held = check_draft(made, asked)
        self.tally.written += isinstance(held, Draft)
        if self._memory is not None and (isinstance(held, Draft) or not made.text):
            self._memory.keep_draft(asked.key, made)
        return held

    def _recall_answers(self, open_: _Open, found: list[Answer]) -> list[Posed]:
        """Answer from memory what is there, and return the questions of a request that are not."""
        left = []
        for posed in open_.question_request.posed:
            known = self._memory.recall(posed.key) if self._memory is not None else None
            if known is None:
                left.append(posed)
                continue
            open_.put(found, posed, known)
            self.tally.answered += 1
            self.tally.remembered += 1
        return left

    def _iter_allowed_requests(self, every: Iterable[_Open], found: list[Answer]) -> Iterator[QuestionRequest]:
        """Yield requests with the questions that may be sent, and say of the others why they may not."""
        for each in every:
            chosen = []
            for posed in self._recall_answers(each, found):
                if posed.key in self._before:
                    each.put(found, posed, Unanswered(UNCHANGED))
                elif self._may_ask(1):
                    chosen.append(posed)
                else:
                    each.put(found, posed, Unanswered(self._refusal))
            if chosen:
                yield each.question_request.with_posed(chosen)

    def _may_ask(self, count: int) -> bool:
        """Count so many questions as asked, if they are allowed."""
        most = self._allowance.questions
        if most is not None and self.tally.asked + count > most:
            return False
        self.tally.asked += count
        return True

    @property
    def _refusal(self) -> str:
        return f"--max-questions {self._allowance.questions} is used up"


def _wants_more(asked: AskedQuestion, answer: Answer, code: CodeOf) -> bool:
    """Return whether a verdict says that too little code was shown, and there is more."""
    if not isinstance(answer, Judged) or answer.verdict != "not_applicable" or "code" not in asked.question.shows:
        return False
    return (
        load_rubric(asked.rubric).more
        and not slice_code(list_reached_code(asked.question.tool, code), asked.question.decisive).is_whole
    )
