"""What a model replied → answers that count: every question once, known verdicts, quotes that are there, markers right."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from pydantic import ValidationError

from reviewer.judge.answers import Answer, Judged, Unanswered
from reviewer.judge.forms import ReplyV1, VerdictV1
from reviewer.judge.inquiries import Inquiry, Marker, Posed
from reviewer.judge.quotes import stands
from reviewer.records import dataclass

MOST_WHY = 400
"""Characters of a reason that are kept."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, and what it cost in US dollars where the price is known."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for one inquiry: a document of verdicts, or a failure that completes "unanswered: …"."""

    document: Any = None
    failure: str = ""
    model: str = "unknown"
    usage: Usage = field(default_factory=Usage)


def answers(inquiry: Inquiry, reply: Reply) -> Sequence[Answer]:
    """Check a reply; one answer for each question of the inquiry, in its order."""
    if reply.failure:
        return [Unanswered(reply.failure)] * len(inquiry.posed)
    try:
        given = ReplyV1.model_validate(reply.document).verdicts
    except ValidationError as error:
        return [Unanswered(misformed(error))] * len(inquiry.posed)
    by_id: dict[str, list[VerdictV1]] = {}
    for each in given:
        by_id.setdefault(each.id, []).append(each)
    if not is_itself(inquiry.markers, {id_: [each.verdict for each in said] for id_, said in by_id.items()}):
        return [Unanswered("the judge failed a question with a known answer")] * len(inquiry.posed)
    return [_answer(posed, by_id.get(posed.id, []), inquiry, reply.model) for posed in inquiry.posed]


def misformed(error: ValidationError) -> str:
    """Say that a reply is of another form, completing "unanswered: …"."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the reply"
    return f"the reply has not the form asked for ({place}: {first['msg'].lower()})"


def is_itself(markers: Sequence[Marker], given: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether the questions whose answers are known were answered so, by the verdicts given to each id."""
    return all(given.get(each.id) == ["met" if each.met else "not_met"] for each in markers)


def _answer(posed: Posed, given: list[VerdictV1], inquiry: Inquiry, model: str) -> Answer:
    if len(given) != 1:
        return Unanswered("the judge left it out" if not given else "the judge answered it more than once")
    said = given[0]
    if not posed.rubric.agrees(said.verdict, said.failing):
        return Unanswered("the verdict does not follow from what the judge says of the rubric's questions")
    quote = said.quote.strip()
    if said.verdict in posed.rubric.owing and not stands(quote, inquiry.shown):
        return Unanswered(
            "the judge's quote does not stand in what it was shown" if quote else "the judge owes a quote"
        )
    kept = quote if quote and stands(quote, inquiry.shown) else None
    why, failing = said.why.strip()[:MOST_WHY], tuple(sorted(set(said.failing)))
    return Judged(said.verdict, kept, why, posed.rubric.shown, model, failing)
