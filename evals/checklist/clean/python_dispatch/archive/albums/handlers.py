"""The dispatch by action name; each action has a function of its own."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from archive.albums.actions import ACTIONS
from archive.albums.models import Album
from archive.core.actions import action_schema, help_payload
from archive.core.errors import ToolError
from archive.core.page import Page
from archive.core.respond import respond


async def run(shelf: dict[str, Album], action: str, params: Mapping[str, Any]) -> Any:
    if action == "help":
        return respond(action, help_payload("album", ACTIONS))
    if action == "schema":
        return respond(action, action_schema(ACTIONS, params))
    return await run_with_client(shelf, action, params)


async def run_with_client(shelf: dict[str, Album], action: str, params: Mapping[str, Any]) -> Any:
    if action == "album.list":
        return listed(shelf, action, params)
    elif action == "album.get":
        return one(shelf, action, params)
    elif action == "album.purge":
        return purged(shelf, action, params)
    raise ToolError("unknown_action", f"no action `{action}`")


def listed(shelf: dict[str, Album], action: str, params: Mapping[str, Any]) -> Any:
    page = Page.read(params)
    albums = sorted(shelf.values(), key=lambda album: album.title)
    items = [asdict(album) for album in albums[page.offset : page.offset + page.limit]]
    return respond(action, {"items": items, "next_cursor": page.next(len(items), "title"), "total": len(albums)})


def one(shelf: dict[str, Album], action: str, params: Mapping[str, Any]) -> Any:
    album = shelf.get(params["id"])
    if album is None:
        raise ToolError("not_found", "no such album")
    return respond(action, asdict(album))


def purged(shelf: dict[str, Album], action: str, params: Mapping[str, Any]) -> Any:
    album = shelf.pop(params["id"], None)
    return respond(action, {"purged": album is not None})
