"""The dispatch by action name."""

from collections.abc import Mapping
from typing import Any

from archive.core.actions import action_schema, help_payload
from archive.core.errors import ToolError
from archive.core.page import Page
from archive.core.respond import respond
from archive.letters.actions import ACTIONS
from archive.letters.store import LetterStore


async def run(store: LetterStore, action: str, params: Mapping[str, Any]) -> Any:
    if action == "help":
        return respond(action, help_payload("letter", ACTIONS))
    if action == "schema":
        return respond(action, action_schema(ACTIONS, params))
    return await run_with_client(store, action, params)


async def run_with_client(store: LetterStore, action: str, params: Mapping[str, Any]) -> Any:
    match action:
        case "letter.list":
            page = Page.read(params)
            letters = store.letters(page.limit, page.offset)
            items = [letter.model_dump(mode="json") for letter in letters]
            return respond(action, {"items": items, "next_cursor": page.next(len(items), "year"), "total": None})
        case "letter.get":
            letter = store.letter(required(params, "id"))
            return respond(action, letter.model_dump(mode="json"))
        case "letter.transcribe":
            letter = store.transcribe(required(params, "id"), params.get("language"))
            return respond(action, letter.model_dump(mode="json"))
        case "letter.delete":
            key = required(params, "id")
            store.delete(key)
            return respond(action, {"deleted": key})
        case unknown:
            raise ToolError("unknown_action", f"no action `{unknown}`")


def required(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise ToolError("missing_param", f"`{name}` is missing")
    return value
