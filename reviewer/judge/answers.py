"""Questions with the rules that ask them, and the answers to them."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, runtime_checkable

from reviewer.facts import Tool
from reviewer.judge.grades import Grades
from reviewer.records import dataclass
from reviewer.rules import Question, Rule
from reviewer.source import Span

RubricVerdict = Literal["met", "not_met", "not_applicable"]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with the rule that asks it. `more` asks it again of who could not decide by the code that was shown at first.

    `server` is the place of the tool's server in its project: tools of one server may share a request.
    """

    rule: Rule
    question: Question
    more: bool = False
    server: int = 0

    @property
    def rubric(self) -> str:
        """The rubric by which it is answered."""
        return self.question.rubric or self.rule.slug


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that was checked: `quote` and `evidence` stand in what the judge was shown, None where there is none.

    `quote` is of the description, `evidence` of what lies beside it: the schema, the code, another tool. `names` are the
    arguments that it is about. `failing` numbers the rubric's questions whose answer speaks against `met`, from 1.
    """

    verdict: RubricVerdict
    quote: str | None
    why: str
    rubric: str
    model: str
    failing: tuple[int, ...] = ()
    evidence: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No verdict that counts; `why` completes "unanswered: …"."""

    why: str


UNCHANGED = "nothing that it shows has changed since the base, and no verdict is remembered"
"""Why a question is not asked that does not concern the comparison. It counts neither for nor against the server."""


Answer = Judged | Unanswered
Judge = Callable[[Sequence[AskedQuestion]], Sequence[Answer]]
"""Answers questions, one answer for each, in their order. It never raises for what a model or a network does."""


@runtime_checkable
class GivesGrades(Protocol):
    """A judge who grades the tools that questions are about."""

    @property
    def grades(self) -> Sequence[tuple[Tool, Grades]]:
        """The grades of tools so far."""


@runtime_checkable
class Recalls(Protocol):
    """A judge who knows verdicts of earlier runs."""

    def build_base_judge(self, code: Callable[[Span], str]) -> Judge:
        """Return the judge of the base of a comparison, who only recalls.

        What is asked of the base is from then on only recalled of what is reviewed too, for it did not change.
        """
