"""The catalog of actions."""

from typing import NamedTuple


class ParamSpec(NamedTuple):
    name: str
    ty: str
    required: bool = False


class ActionSpec(NamedTuple):
    name: str
    description: str
    params: tuple[ParamSpec, ...] = ()
    destructive: bool = False
    idempotent: bool | None = None


LIMIT = ParamSpec("limit", "integer")
CURSOR = ParamSpec("cursor", "string")
ID = ParamSpec("id", "integer", required=True)

ACTIONS: list[ActionSpec] = [
    ActionSpec("task.list", "List open tasks by day", params=(LIMIT, CURSOR), idempotent=True),
    ActionSpec("task.get", "Give one task with its description", params=(ID,), idempotent=True),
    ActionSpec("task.add", "Add a task", params=(ParamSpec("title", "string", required=True),), idempotent=False),
    ActionSpec("task.delete", "Delete a task for good", params=(ID,), destructive=True, idempotent=True),
]
