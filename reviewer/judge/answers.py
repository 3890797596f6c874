"""Questions with the rules that ask them, and the answers to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from reviewer.rules import Question, Rule

Verdict = Literal["met", "not_met", "not_applicable"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the rule that asks it."""

    rule: Rule
    question: Question


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that was checked: `quote` stands in what the judge was shown, None where the rubric asks for none.

    `failing` numbers the rubric's questions whose answer speaks against `met`, from 1.
    """

    verdict: Verdict
    quote: str | None
    why: str
    rubric: str
    model: str
    failing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No verdict that counts; `why` completes "unanswered: …"."""

    why: str


Answer = Judged | Unanswered
Judge = Callable[[Sequence[Asked]], Sequence[Answer]]
"""Answers questions, one answer for each, in their order. It never raises for what a model or a network does."""
