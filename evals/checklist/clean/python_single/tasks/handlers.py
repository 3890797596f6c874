"""The dispatch by action name: a table of functions."""

import base64
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from tasks.catalog import ACTIONS
from tasks.models import Task
from tasks.respond import respond

Request = dict[str, Any]
TASKS: dict[int, Task] = {}


class UnknownActionError(Exception):
    """There is no such action."""


async def show_help(request: Request) -> dict[str, Any]:
    rows = [{"action": row.name, "description": row.description} for row in ACTIONS]
    return respond("help", {"actions": rows}, request["fields"])


async def show_schema(request: Request) -> dict[str, Any]:
    wanted = request["params"].get("action")
    names = [param.name for row in ACTIONS if row.name == wanted for param in row.params]
    return respond("schema", {"params": names}, request["fields"])


async def list_tasks(request: Request) -> dict[str, Any]:
    limit = max(1, min(request["limit"] or 20, 100))
    offset = decode(request["cursor"])
    rows = sorted(TASKS.values(), key=lambda task: (task.day, task.id))
    items = [asdict(task) for task in rows[offset : offset + limit]]
    following = encode(offset + limit) if offset + limit < len(rows) else None
    return respond("task.list", {"items": items, "next_cursor": following, "total": len(rows)}, request["fields"])


async def get_task(request: Request) -> dict[str, Any]:
    task = TASKS[int(request["params"]["id"])]
    return respond("task.get", asdict(task), request["fields"])


async def add_task(request: Request) -> dict[str, Any]:
    key = max(TASKS, default=0) + 1
    TASKS[key] = Task(key, request["params"]["title"], "", "")
    return respond("task.add", {"id": key}, request["fields"])


async def delete_task(request: Request) -> dict[str, Any]:
    key = int(request["params"]["id"])
    TASKS.pop(key, None)
    return respond("task.delete", {"deleted": key}, request["fields"])


HANDLERS: dict[str, Callable[[Request], Awaitable[dict[str, Any]]]] = {
    "help": show_help,
    "schema": show_schema,
    "task.list": list_tasks,
    "task.get": get_task,
    "task.add": add_task,
    "task.delete": delete_task,
}


async def dispatch(action: str, request: Request) -> dict[str, Any]:
    handler = HANDLERS.get(action)
    if handler is None:
        raise UnknownActionError(action)
    return await handler(request)


def encode(offset: int) -> str:
    return base64.urlsafe_b64encode(json.dumps({"offset": offset, "sort_key": "day"}).encode()).decode()


def decode(cursor: str | None) -> int:
    return int(json.loads(base64.urlsafe_b64decode(cursor))["offset"]) if cursor else 0
