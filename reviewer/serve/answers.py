"""The one way out: a document or a refusal → the result of a call, which carries its request's id."""

import json
import re
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar, cast

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from reviewer.serve.refusals import RefusalError

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])
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

    def __init__(self, tools: frozenset[str]) -> None:
        self._tools = tools

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Let a request through. Raises MCPError for a tool or a prompt that there is not."""
        if ctx.method == "prompts/get":
            raise MCPError(INVALID_PARAMS, "there are no prompts")
        if ctx.method != "tools/call":
            return await call_next(ctx)
        name = (ctx.params or {}).get("name")
        if isinstance(name, str) and name not in self._tools:
            raise MCPError(INVALID_PARAMS, f"there is no such tool; there are {', '.join(sorted(self._tools))}")
        result = await call_next(ctx)
        if not isinstance(result, dict):
            return result
        if result.get("isError") and "error" not in (result.get("structuredContent") or {}):
            refused = _result(_explained(result), is_error=True)
            result = {**result, **refused.model_dump(by_alias=True, mode="json", exclude_none=True)}
        return {**result, "_meta": {**(result.get("_meta") or {}), "request_id": str(ctx.request_id)}}


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
