"""Questions and answers as files: `judge export` writes what is to be judged, any agent answers, `judge import` reads it."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict

from reviewer.judge.inquiries import Inquiry
from reviewer.judge.replies import Reply, ReplyV1

INSTRUCTIONS = (
    'For each request: follow `system`, read `user`, and write {"request": its id, "verdicts": [{"id", "verdict", "quote", '
    '"why"}, …]} with one verdict for every question. Put all of them into one file: {"version": 1, "model": your name or '
    '"unknown", "export": the export\'s id, "replies": […]}. Judge only by what a request shows; open no other file.'
)


class RequestV1(TypedDict):
    """One request: its id, and the text to answer."""

    request: str
    user: str


class QuestionsV1(TypedDict):
    """All that is to be judged. `system` holds for every request."""

    version: Literal[1]
    export: str
    instructions: str
    system: str
    reply_schema: dict[str, Any]
    requests: list[RequestV1]


class HostReplyV1(ReplyV1):
    """The verdicts on one request."""

    request: str


class HostRepliesV1(BaseModel):
    """A file of verdicts."""

    model_config = ConfigDict(extra="forbid")
    version: Literal[1]
    export: str
    model: str = "unknown"
    replies: list[Any]


def exported(inquiries: Sequence[Inquiry], seed: str) -> QuestionsV1:
    """Write inquiries as one document; `seed` is what they were made of, and is handed back with the verdicts."""
    return {
        "version": 1,
        "export": seed,
        "instructions": INSTRUCTIONS,
        "system": inquiries[0].system if inquiries else "",
        "reply_schema": ReplyV1.model_json_schema(),
        "requests": [{"request": each.key, "user": each.user} for each in inquiries],
    }


def imported(inquiries: Iterable[Inquiry], replies: HostRepliesV1) -> Iterable[tuple[Inquiry, Reply]]:
    """Give each inquiry with what a file of verdicts says of it."""
    given: dict[str, list[Any]] = {}
    for each in replies.replies:
        name = each.get("request") if isinstance(each, dict) else None
        given.setdefault(str(name), []).append(each)
    for inquiry in inquiries:
        found = given.get(inquiry.key, [])
        if len(found) != 1:
            why = "the judge left it out" if not found else "the judge answered it more than once"
            yield inquiry, Reply(failure=why, model=replies.model)
        else:
            document = {"verdicts": found[0].get("verdicts")}
            yield inquiry, Reply(document, model=replies.model)
