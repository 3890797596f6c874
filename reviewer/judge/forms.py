"""What a model replies, as it is asked to write it: all fields required, nothing optional, so that every API can enforce it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from reviewer.judge.answers import RubricVerdict

Grade = Literal[1, 2, 3, 4, 5]


class VerdictV1(BaseModel):
    """One verdict as a model writes it. A file of an agent may leave out what no rubric of it owes."""

    model_config = ConfigDict(extra="forbid")
    id: str
    failing: list[int]
    verdict: RubricVerdict
    quote: str
    evidence: str = ""
    names: list[str] = []
    why: str


class ReplyV1(BaseModel):
    """A whole reply."""

    model_config = ConfigDict(extra="forbid")
    verdicts: list[VerdictV1]
    grades: list[Any] = []


class GradesReplyV1(BaseModel):
    """The grades of one tool; `tool` is its number in the request."""

    model_config = ConfigDict(extra="forbid", title="GradesV1")  # the name that a model reads
    tool: int
    purpose: Grade
    usage: Grade
    limitations: Grade
    parameters: Grade
    examples: Grade
    completeness: Grade


class CheckV1(BaseModel):
    """The answer to a question whose answer is known."""

    model_config = ConfigDict(extra="forbid")
    id: str
    verdict: Literal["met", "not_met"]


class ClaimReplyV1(BaseModel):
    """A sentence of a new description, and the words that it rests on."""

    model_config = ConfigDict(extra="forbid", title="ClaimV1")  # the name that a model reads
    claim: str
    quotes: list[str]


class DraftV1(BaseModel):
    """A new description, empty if there is none to write."""

    model_config = ConfigDict(extra="forbid")
    checks: list[CheckV1]
    claims: list[ClaimReplyV1]
    text: str


def build_reply_schema(*, graded: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of verdicts, and of grades, in one piece: not every endpoint follows references."""
    verdict = VerdictV1.model_json_schema()
    verdicts = _build_array({**verdict, "required": list(verdict["properties"])})
    return (
        build_object_schema(verdicts=verdicts, grades=_build_array(GradesReplyV1.model_json_schema()))
        if graded
        else build_object_schema(verdicts=verdicts)
    )


def build_draft_schema() -> dict[str, Any]:
    """Return the JSON Schema of a new description in one piece."""
    checks, claims = CheckV1.model_json_schema(), ClaimReplyV1.model_json_schema()
    return build_object_schema(checks=_build_array(checks), claims=_build_array(claims), text={"type": "string"})


def _build_array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def build_object_schema(**properties: Any) -> dict[str, Any]:
    """Return the JSON Schema of an object that has just these properties, all of them."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
