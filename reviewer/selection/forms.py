"""What a model replies, as it is asked to write it: all fields required, nothing optional, so that every API can enforce it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from reviewer.judge.forms import CheckV1, build_object_schema


class MadeV1(BaseModel):
    """A task as a model writes it; agents may write the arguments as they are, and not as a text."""

    model_config = ConfigDict(extra="forbid")
    task: str
    arguments: str | dict[str, Any]
    also: list[str]


class ToolTasksV1(BaseModel):
    """The tasks for one tool."""

    model_config = ConfigDict(extra="forbid")
    id: str
    tasks: list[MadeV1]


class MakingV1(BaseModel):
    """A whole reply to a request for tasks."""

    model_config = ConfigDict(extra="forbid")
    checks: list[CheckV1]
    tools: list[ToolTasksV1]


class ChoiceV1(BaseModel):
    """What a model chose for one task; the name of a tool is empty if it chose none."""

    model_config = ConfigDict(extra="forbid")
    id: str
    tool: str
    arguments: str | dict[str, Any]


class ChoosingV1(BaseModel):
    """A whole reply to a request for choices."""

    model_config = ConfigDict(extra="forbid")
    checks: list[CheckV1]
    choices: list[ChoiceV1]


class Packed(NamedTuple):
    """A reply: the verdicts on each check, and the answers to each piece, by their ids."""

    checks: Mapping[str, Sequence[str]]
    answers: Mapping[str, Sequence[Any]]


def pack_reply(checks: Iterable[CheckV1], answers: Iterable[ToolTasksV1 | ChoiceV1]) -> Packed:
    """Put a reply in order."""
    verdicts: defaultdict[str, list[str]] = defaultdict(list)
    for check in checks:
        verdicts[check.id].append(check.verdict)
    given: defaultdict[str, list[Any]] = defaultdict(list)
    for each in answers:
        given[each.id].append(each.model_dump(exclude={"id"}))
    return Packed(verdicts, given)


CHECKS = {"type": "array", "items": CheckV1.model_json_schema()}


def build_tasks_schema() -> dict[str, Any]:
    """Return the JSON Schema of tasks in one piece: not every endpoint follows references or takes objects of any form."""
    task = build_object_schema(task=TEXT, arguments=TEXT, also={"type": "array", "items": TEXT})
    tool = build_object_schema(id=TEXT, tasks={"type": "array", "items": task})
    return build_object_schema(checks=CHECKS, tools={"type": "array", "items": tool})


def build_choices_schema() -> dict[str, Any]:
    """Return the JSON Schema of choices in one piece."""
    return build_object_schema(
        checks=CHECKS, choices={"type": "array", "items": build_object_schema(id=TEXT, tool=TEXT, arguments=TEXT)}
    )


TEXT = {"type": "string"}
