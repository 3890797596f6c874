"""A live server → its answer to `tools/list`, through the `mcp` client: every page, within bounds of time and size.

Started by a command (stdio) or reached at a URL (Streamable HTTP). A started server gets `PATH` and the variables that the
caller names, nothing else of the environment. The tools are taken from the wire before the client looks at them, so that one
that is malformed is reported and does not hide the others.
"""

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reviewer.facts import Project
from reviewer.files.discovery import CannotReviewError
from reviewer.inputs import definitions, documents
from reviewer.inputs.live_target import LiveTarget
from reviewer.source import Opaque, Span

if TYPE_CHECKING:
    from reviewer.inputs.wires import Wire

MOST_PAGES = 100
"""Pages of `tools/list` with a cursor that never comes again; with more, a server counts up and never ends."""

DOCUMENT = "tools/list"
"""What the answer is called in the places of findings; their lines count in it as it is written with one space of indent."""


def read(target: LiveTarget, in_ci: bool = False) -> Project:
    """Ask a server for its tools. Raises CannotReviewError, in one line, if it does not answer with any."""
    if not in_ci and os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise CannotReviewError(
            "--live starts or calls a server, which is not allowed in CI; allow it with --live-in-ci"
        )
    from reviewer.inputs.wires import Wire  # the client takes a second to load

    wire = Wire()
    name, changing = _run_conversation(target, wire)
    told = {"tools": {"listChanged": changing}}
    answer = json.dumps({"name": name, "tools": wire.tools, "capabilities": told}, indent=1, ensure_ascii=False).encode(
        "utf-8", "replace"
    )
    project = definitions.build_project(documents.parse_document(answer, DOCUMENT))
    assert project is not None
    noise = (
        (
            Opaque(
                f"the server writes to standard output something that is not a message: {wire.noise}",
                Span(DOCUMENT, 1, 1, 1, 1),
            ),
        )
        if wire.noise is not None
        else ()
    )
    return Project(servers=project.servers, broken=(*project.broken, *noise))


def _run_conversation(target: LiveTarget, wire: "Wire") -> tuple[str | None, bool]:
    """Hold the whole conversation; give the server's name, and whether it promises to tell of changes of its tools."""
    import anyio

    from reviewer.inputs.wires import quietly

    try:
        with quietly():
            return anyio.run(_collect_conversation, target, wire)
    except CannotReviewError:
        raise
    except BaseException as error:
        leaves = [each for each in _iter_leaves(error) if not isinstance(each, GeneratorExit)]
        if any(isinstance(each, KeyboardInterrupt) for each in leaves):
            raise KeyboardInterrupt from None
        raise CannotReviewError(f"--live {target.address}: {_format_said(leaves[0], target, wire)}") from None


async def _collect_conversation(target: LiveTarget, wire: "Wire") -> tuple[str | None, bool]:
    import anyio
    from mcp import Client

    from reviewer.inputs import wires

    transport = wires.over_http(target, wire) if target.is_url else wires.over_stdio(target, wire)
    with anyio.fail_after(target.seconds):
        async with Client(transport, cache=None, read_timeout_seconds=target.seconds) as client:
            seen: set[str] = set()
            cursor = (await client.list_tools()).next_cursor
            while cursor:
                if cursor in seen or len(seen) >= MOST_PAGES:
                    wire.trouble = "returns an endless sequence of pages"
                    raise CannotReviewError(f"--live {target.address}: the server {wire.trouble}")
                seen.add(cursor)
                cursor = (await client.list_tools(cursor=cursor)).next_cursor
            info, of_tools = client.server_info, client.server_capabilities.tools
            return info.name if info is not None else None, bool(of_tools is not None and of_tools.list_changed)


def _iter_leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _iter_leaves(each)
    else:
        yield error


def _format_said(error: BaseException, target: LiveTarget, wire: "Wire") -> str:
    """Say in one clause what became of the conversation."""
    if wire.trouble is not None:
        return f"the server {wire.trouble}{_format_ending(wire)}"
    if isinstance(error, TimeoutError):
        return f"no answer within {target.seconds:g} seconds{_format_ending(wire)}"
    if isinstance(error, OSError):
        return f"cannot be {'reached' if target.is_url else 'started'}: {(error.strerror or str(error)).lower()}"
    text = " ".join(str(error).split())[:200] or type(error).__name__
    return f"the server violates the protocol: {text}{_format_ending(wire)}"


def _format_ending(wire: "Wire") -> str:
    lines = wire.last_words.decode("utf-8", "replace").strip().splitlines()
    return f"; its last output: {lines[-1].strip()[:200]}" if lines else ""
