"""What a model replied → answers that count: every question once, known verdicts, quotes that are there, markers right."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from pydantic import ValidationError

from reviewer.judge.answers import Answer, Judged, Unanswered
from reviewer.judge.forms import GradesReplyV1, ReplyV1, VerdictV1
from reviewer.judge.grades import DIMENSIONS, Grades
from reviewer.judge.question_requests import Marker, Posed, QuestionRequest, format_json
from reviewer.judge.quotes import SHORTEST, is_quote_of, normalize_text
from reviewer.records import dataclass

NO_SUCH_QUOTE = "the judge's quote does not occur in what it was shown"
NO_SUCH_EVIDENCE = "the judge's evidence does not occur in what it was shown besides the description"

MOST_WHY = 400
"""Characters of a reason that are kept. The longest of 8,910 recorded ones has 129."""


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
    """What came back for one request of questions: a document of verdicts, or a failure that completes "unanswered: …"."""

    document: Any = None
    failure: str = ""
    model: str = "unknown"
    usage: Usage = field(default_factory=Usage)


def parse_answers(question_request: QuestionRequest, reply: Reply) -> Sequence[Answer]:
    """Check a reply; one answer for each question of the request of questions, in its order."""
    if reply.failure:
        return [Unanswered(reply.failure)] * len(question_request.posed)
    try:
        given = ReplyV1.model_validate(reply.document).verdicts
    except ValidationError as error:
        return [Unanswered(describe_invalid_reply(error))] * len(question_request.posed)
    by_id: dict[str, list[VerdictV1]] = {}
    for each in given:
        by_id.setdefault(each.id, []).append(each)
    if not is_itself(question_request.markers, {id_: [each.verdict for each in said] for id_, said in by_id.items()}):
        return [Unanswered("the judge failed a question with a known answer")] * len(question_request.posed)
    return [
        _check_answer(posed, by_id.get(posed.id, []), question_request, reply.model) for posed in question_request.posed
    ]


def parse_grades(document: Any, model: str) -> dict[int, Grades]:
    """Return the grades of a reply by the tools' numbers; what is not of the form, or is there twice, is left out."""
    given = document.get("grades") if isinstance(document, dict) else None
    found: dict[int, list[Grades]] = {}
    for each in given if isinstance(given, list) else ():
        try:
            graded = GradesReplyV1.model_validate(each)
        except ValidationError:
            continue
        values = tuple(getattr(graded, name) for name in DIMENSIONS)
        found.setdefault(graded.tool, []).append(Grades(values, model))
    return {tool: one for tool, (one, *others) in found.items() if not others}


def describe_invalid_reply(error: ValidationError) -> str:
    """Say that a reply is of another form, completing "unanswered: …"."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the reply"
    return f"the reply does not have the requested structure ({place}: {first['msg'].lower()})"


def is_itself(markers: Sequence[Marker], given: Mapping[str, Sequence[str]]) -> bool:
    """Return whether the questions whose answers are known were answered so, by the verdicts given to each id."""
    return all(given.get(each.id) == ["met" if each.met else "not_met"] for each in markers)


def _check_answer(posed: Posed, given: list[VerdictV1], question_request: QuestionRequest, model: str) -> Answer:
    if len(given) != 1:
        return Unanswered("the judge did not answer it" if not given else "the judge answered it more than once")
    said = given[0]
    rubric, seen = posed.rubric, question_request.views[posed.tool]
    if not rubric.agrees(said.verdict, said.failing):
        return Unanswered("the verdict does not follow from what the judge says of the rubric's questions")
    failing = tuple(sorted(set(said.failing)))
    quote, evidence = (_confirm_quote(each, seen) for each in (said.quote, said.evidence))
    if evidence is not None and is_quote_of(evidence, seen["tool"].get("description")):
        evidence = None
    if quote is None and rubric.owes("quote", said.verdict, failing):
        return Unanswered(NO_SUCH_QUOTE if said.quote.strip() else "the judge gave no quote")
    if evidence is None and rubric.owes("evidence", said.verdict, failing):
        return Unanswered(
            NO_SUCH_EVIDENCE if said.evidence.strip() else "the judge gave no evidence besides the description"
        )
    known = _collect_arguments(seen["tool"].get("inputSchema"))
    names = tuple(dict.fromkeys(each for each in said.names if each in known))
    if not names and known and rubric.owes("names", said.verdict, failing):
        return Unanswered("the judge named no argument")
    why = said.why.strip()[:MOST_WHY]
    return Judged(said.verdict, quote, why, rubric.shown, model, failing, evidence, names)


def _confirm_quote(quote: str, seen: dict[str, Any]) -> str | None:
    """Return a quote if it stands in a text of what was shown, or in how it was written: `"default": 20` is no text."""
    quote = quote.strip()
    written = len(normalize_text(quote)) >= SHORTEST and normalize_text(quote) in normalize_text(format_json(seen))
    return quote if quote and (written or is_quote_of(quote, seen)) else None


def _collect_arguments(schema: Any) -> frozenset[str]:
    """Return the names of the arguments of a schema, however deep they lie."""
    match schema:
        case {"properties": dict(properties), **rest}:
            within = [*properties.values(), *rest.values()]
            return frozenset(map(str, properties)).union(*map(_collect_arguments, within))
        case dict():
            return frozenset().union(*map(_collect_arguments, schema.values()))
        case list():
            return frozenset().union(*map(_collect_arguments, schema))
    return frozenset()
