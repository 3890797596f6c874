"""Who judges and within what bounds: what the caller says, checked before anything is sent."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

from reviewer.files.discovery import CannotReviewError
from reviewer.installation.extras import Extra, require
from reviewer.records import dataclass

JudgeName = Literal["none", "auto", "anthropic", "bedrock", "vertex", "claude-cli", "host", "replay"]
Effort = Literal["none", "low", "medium", "high", "xhigh", "max"]

MODEL = "claude-haiku-5-5"
MOST_DOLLARS = 1.0
"""US dollars that one run may cost unless the caller allows more."""

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
"""Variables that make `auto` take the API."""

EXTRAS: dict[JudgeName, Extra] = {"anthropic": "judge", "bedrock": "bedrock", "vertex": "vertex"}
"""What the judges need that a review has no use for otherwise."""


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Who judges. `model` None is the judge's own default, `effort` "none" leaves it to the model, `seconds` bound one request.

    `resume` is the batch to take up again, as it was named when it was sent. `verdicts` are those to replay, `record` is
    where to write them. A bound that is None is not set. `rewrites` asks for new descriptions in place of those with findings.
    """

    name: JudgeName = "none"
    model: str | None = None
    effort: Effort = "low"
    seconds: float = 120.0
    batch: bool = False
    resume: str | None = None
    max_questions: int | None = None
    max_cost: float | None = None
    remember: bool = True
    verdicts: Path | None = None
    record: Path | None = None
    rewrites: bool = False

    @property
    def asked(self) -> str:
        """The model that is asked."""
        return self.model or MODEL

    @property
    def known_as(self) -> str:
        """Whose verdicts are remembered as one judge's: a model at an effort. Agents that answer a file are one."""
        return "host" if self.name == "host" else f"{self.asked} {self.effort}"

    @property
    def dollars(self) -> float:
        """The bound on what one run may cost."""
        return MOST_DOLLARS if self.max_cost is None else self.max_cost

    def with_bounds(self, questions: int | None, dollars: float | None) -> "JudgeSettings":
        """Return it with the bounds of a configuration, which the caller's own replace and which allow no more than there is."""
        most = dollars if dollars is None else min(dollars, MOST_DOLLARS)
        return replace(
            self,
            max_questions=questions if self.max_questions is None else self.max_questions,
            max_cost=most if self.max_cost is None else self.max_cost,
        )

    def resolve_auto(self) -> "JudgeSettings":
        """Return it with `auto` decided. Raises CannotReviewError for what does not go together or is not installed."""
        for wrong, message in self._list_mistakes():
            if wrong:
                raise CannotReviewError(message)
        name = self.name
        if name == "auto":
            name = "anthropic" if any(os.environ.get(key) for key in KEYS) else "none"
        if name in EXTRAS:
            require(EXTRAS[name], f"--judge {name}")
        return replace(self, name=name)

    def _list_mistakes(self) -> tuple[tuple[bool, str], ...]:
        wants_batch = self.batch or self.resume is not None
        return (
            (self.max_cost is not None and not self.max_cost >= 0, "--max-cost: give US dollars, 0 or more"),
            (self.max_questions is not None and self.max_questions < 0, "--max-questions: give a number, 0 or more"),
            (
                self.resume is not None and not all(self.resume.partition(".")),
                "--judge-resume: give the full name of the batch, as in msgbatch_01.5eed",
            ),
            (not self.seconds > 0, "--judge-timeout: give a number of seconds over 0"),
            (
                wants_batch and self.name not in ("auto", "anthropic"),
                "--judge-batch and --judge-resume work with --judge anthropic",
            ),
            (
                self.name in ("bedrock", "vertex") and self.model is None,
                f"--judge {self.name}: give --judge-model, the model's id as your account there knows it",
            ),
            (
                self.rewrites and (wants_batch or self.name in ("none", "replay")),
                "--judge-rewrites: requires a judge that answers immediately: anthropic, bedrock, vertex, claude-cli or host",
            ),
            (
                self.rewrites and not self.remember and self.name == "host",
                "--no-judge-cache: an agent's descriptions and the verdicts on them are taken from there; remove the option",
            ),
            (self.name == "replay" and self.verdicts is None, "--judge replay: give --verdicts FILE"),
            (self.name != "replay" and self.verdicts is not None, "--verdicts works with --judge replay"),
        )


NOBODY = JudgeSettings()
"""No judge: questions stay open."""
