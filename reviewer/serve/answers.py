"""The one way out: a document or a refusal → the result of a call, which carries its request's id."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, cast

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from reviewer.serve.refusals import RefusalError
from reviewer.tables import unknown

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])
LONGEST_NAME = 80
LONGEST = 600
"""Characters of the message about arguments that do not fit."""


def answering(tool: F) -> F:
    """Answer with what a tool gives, or with why it refuses."""

    @wraps(tool)
    async def answered(*given: Any, **named: Any) -> CallToolResult:
        try:
            return _result(await tool(*given, **named))
        except RefusalError as error:
            return _result(error.document(), is_error=True)

    return cast(F, answered)


def _result(document: Any, *, is_error: bool = False) -> CallToolResult:
    # Clients that know nothing of structured content read the text: the specification asks for both.
    text = json.dumps(document, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=document, is_error=is_error)


class Gate:
    """What every request passes: calls of tools that there are, and answers with an id, and with a code if they failed."""

    def __init__(self, tools: Mapping[str, frozenset[str]]) -> None:
        self._tools = tools

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Let a request through. Raises MCPError for a tool or a prompt that there is not."""
        if ctx.method == "prompts/get":
            raise MCPError(INVALID_PARAMS, "there are no prompts")
        if ctx.method != "tools/call":
            return await call_next(ctx)
        called = ctx.params or {}
        name, given = called.get("name"), called.get("arguments")
        known = self._tools.get(name) if isinstance(name, str) else frozenset()
        if known is None:
            raise MCPError(INVALID_PARAMS, f"there is no such tool; there are {', '.join(sorted(self._tools))}")
        odd = sorted(set(given) - known) if isinstance(given, dict) and isinstance(name, str) else []
        result = _wire(_unknown(odd[0], known)) if odd else await call_next(ctx)
        if not isinstance(result, dict):
            return result
        if result.get("isError") and "error" not in (result.get("structuredContent") or {}):
            result = {**result, **_wire(_explained(result))}
        return {**result, "_meta": {**(result.get("_meta") or {}), "request_id": str(ctx.request_id)}}


def parameters(tool: Callable[..., Any]) -> frozenset[str]:
    """Give the names of what a client may give to a tool."""
    return frozenset(signature(tool).parameters) - {"self", "context"}


def _wire(document: dict[str, Any]) -> dict[str, Any]:
    return _result(document, is_error=True).model_dump(by_alias=True, mode="json", exclude_none=True)


def _unknown(name: str, known: frozenset[str]) -> dict[str, Any]:
    message = unknown("argument", name[:LONGEST_NAME], sorted(known))
    return RefusalError("invalid_arguments", message, f"There are {', '.join(sorted(known))}.").document()


def _explained(result: dict[str, Any]) -> dict[str, Any]:
    """Say in our words what the SDK says of a call that never reached a tool, or broke within one."""
    said = " ".join(str(each.get("text", "")) for each in result.get("content", []))
    if "validation error" not in said:
        return RefusalError("failed", "the call failed within the server", "Call again, or report it.").document()
    words = re.sub(r"For further information visit \S+", "", said).partition("validation error")[2]
    where = " ".join(words.partition("\n")[2].split())[:LONGEST]
    return RefusalError(
        "invalid_arguments", f"an argument does not fit: {where}", "See `inputSchema` of the tool in `tools/list`."
    ).document()
