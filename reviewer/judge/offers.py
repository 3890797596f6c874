"""Descriptions that a model wrote, and what became of them: shown only if they were judged anew and hold."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from reviewer.facts import Tool
from reviewer.judge.answers import AskedQuestion, Judged
from reviewer.records import dataclass
from reviewer.source import Span


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a new description, and the quotes of what was shown that it rests on."""

    text: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A new description whose claims rest on what was shown. It is not shown until a judge has checked it."""

    text: str
    claims: tuple[Claim, ...]
    prompt: str
    model: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """Why no new description is offered; completes "not offered: …"."""

    why: str


NOBODY_ASKED = Dropped("")
"""No description, because none was asked for. It counts neither for nor against the server."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A new description that a judge has checked: `meets` are the rubrics that it failed before and meets now.

    `span` is the place of the old one. `writer` and `judge` are models; the judge did not know of the writer.
    """

    tool: str
    span: Span
    text: str
    claims: tuple[Claim, ...]
    prompt: str
    writer: str
    judge: str
    meets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A tool of which no new description is offered, and why."""

    tool: str
    span: Span
    why: str


class WantedDescription(NamedTuple):
    """A tool that may get a new description: what its old one failed, and the tools that are listed beside it."""

    tool: Tool
    failed: tuple[tuple[AskedQuestion, Judged], ...]
    siblings: tuple[Tool, ...]


@runtime_checkable
class WritesDescriptions(Protocol):
    """A judge who may have descriptions written, too."""

    def write_drafts(self, wanted: Sequence[WantedDescription]) -> list[Draft | Dropped]:
        """Have descriptions written, one for each tool, in their order. It never raises for what a model or a network does."""
