"""The one way out: a document or a refusal → the result of a call, which carries its request's id."""

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from reviewer.serve.refusals import RefusalError
from reviewer.serve.validation import LONGEST_SHOWN, Validator
from reviewer.text.tables import format_unknown

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])
CODE = "code"
"""The key in `_meta` of a failed call under which programs find the kind of the failure."""


KINDS: dict[type, str] = {
    list: "an array",
    dict: "an object",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}
"""What a part of a call may be that a client sent."""


def wrap_tool(tool: F) -> F:
    """Answer with what a tool gives, or with why it refuses."""

    @wraps(tool)
    async def answered(*given: Any, **named: Any) -> CallToolResult:
        try:
            return _build_result(await tool(*given, **named))
        except RefusalError as error:
            return _build_failure(error)

    return cast(F, answered)


def _build_result(document: Any) -> CallToolResult:
    # Clients that know nothing of structured content read the text: the specification asks for both.
    text = json.dumps(document, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=document)


def _build_failure(error: RefusalError) -> CallToolResult:
    # No structured content: clients hold it against the tool's output schema, failed or not, and would show their own error.
    return CallToolResult(content=[TextContent(type="text", text=error.text)], is_error=True, _meta={CODE: error.code})


class RequestGate:
    """What every request passes: calls of tools that there are, and answers with an id, and with a code if they failed."""

    def __init__(self, tools: Mapping[str, Callable[..., Any]]) -> None:
        self._tools = {name: Validator(each) for name, each in tools.items()}

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Let a request through. Raises MCPError for a tool or a prompt that there is not."""
        if ctx.method == "prompts/get":
            raise MCPError(INVALID_PARAMS, "there are no prompts")
        if ctx.method != "tools/call":
            return await call_next(ctx)
        result = await self._call_tool(ctx, call_next)
        if not isinstance(result, dict):
            return result
        if result.get("isError") and CODE not in (result.get("_meta") or {}):
            result = _serialize_failure(
                RefusalError("failed", "the call failed within the server", "Call again, or report it.")
            )
        return {**result, "_meta": {**(result.get("_meta") or {}), "request_id": str(ctx.request_id)}}

    async def _call_tool(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        called = ctx.params or {}
        name, given = called.get("name"), called.get("arguments")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if isinstance(name, str) and tool is None:
            known = sorted(self._tools)
            said = format_unknown("tool", name[:LONGEST_SHOWN], known)
            raise MCPError(
                INVALID_PARAMS, f"{said}{'' if said.endswith('?') else '.'} The tools are {', '.join(known)}."
            )
        if name is not None and not isinstance(name, str):
            raise MCPError(INVALID_PARAMS, f"`name` is {KINDS[type(name)]}; give the name of a tool as a string")
        if name is None:
            raise MCPError(INVALID_PARAMS, f"`name` is missing; give the name of a tool: {', '.join(self._tools)}")
        if not isinstance(given, dict | None):
            raise MCPError(INVALID_PARAMS, f"`arguments` is {KINDS[type(given)]}; give an object")
        if tool is not None:
            try:
                tool.check(given or {})
            except RefusalError as error:
                return _serialize_failure(error)
        return await call_next(ctx)


def _serialize_failure(error: RefusalError) -> dict[str, Any]:
    return _build_failure(error).model_dump(by_alias=True, mode="json", exclude_none=True)
