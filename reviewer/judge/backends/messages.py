"""The Messages API's own form: a request → what is sent, a message → a reply, an error → why there is none."""

import json
from typing import Any

import anthropic

from reviewer.judge.backends.pool import UnreachedError
from reviewer.judge.prices import compute_cost
from reviewer.judge.replies import Reply, Usage
from reviewer.judge.requests import ModelRequest
from reviewer.judge.settings import JudgeSettings

FIRST, EACH, MOST = 3000, 300, 16_000
"""Tokens of a reply: for thinking, for each verdict, and at most. Over 21,333 the SDK insists on streaming."""

CACHED = {"type": "ephemeral"}
"""Marks the end of what the provider is to keep for the requests that follow."""

MOST_SAID = 200
"""Characters of an error message that are kept."""

STOPPED = {
    "refusal": "the model refuses to judge it",
    "max_tokens": "the reply was cut off",
    "model_context_window_exceeded": "the request is too long for the model",
}


def build_request(asked: ModelRequest, judge_settings: JudgeSettings) -> dict[str, Any]:
    """Return the arguments of `messages.create`."""
    output: dict[str, Any] = {"format": {"type": "json_schema", "schema": asked.form}}
    if judge_settings.effort != "none":
        output["effort"] = judge_settings.effort
    return {
        "model": judge_settings.asked,
        "max_tokens": min(FIRST + EACH * asked.length, MOST),
        "system": [{"type": "text", "text": asked.system, "cache_control": CACHED}],
        "messages": [{"role": "user", "content": _build_content(asked)}],
        "output_config": output,
    }


def _build_content(asked: ModelRequest) -> Any:
    if not asked.shared:
        return asked.user
    own = {"type": "text", "text": asked.user.removeprefix(asked.shared)}
    return [{"type": "text", "text": asked.shared, "cache_control": CACHED}, own]


def read_reply(message: Any, asked: str, share: float = 1.0) -> Reply:
    """Read a message; what it used is kept whatever it says. `asked` is the model by whose price it is paid."""
    try:
        usage = _read_usage(message.usage, asked, share)
        texts = [block.text for block in message.content if block.type == "text"]
        model, stopped = str(message.model), message.stop_reason
    except (AttributeError, TypeError):
        return Reply(failure="the response is not a message")
    if stopped in STOPPED:
        category = getattr(getattr(message, "stop_details", None), "category", None)
        why = STOPPED[stopped] + (f" ({category})" if stopped == "refusal" and category else "")
        return Reply(failure=why, model=model, usage=usage)
    if not texts:
        return Reply(failure="the reply has no text", model=model, usage=usage)
    try:
        return Reply(json.loads("".join(texts)), model=model, usage=usage)
    except (ValueError, RecursionError):
        return Reply(failure="the reply is not JSON", model=model, usage=usage)


def _read_usage(used: Any, model: str, share: float) -> Usage:
    counted = Usage(
        used.input_tokens or 0,
        used.output_tokens or 0,
        used.cache_read_input_tokens or 0,
        used.cache_creation_input_tokens or 0,
    )
    cost = compute_cost(model, counted, share)
    return Usage(counted.input, counted.output, counted.cache_read, counted.cache_write, cost)


def classify_error(error: Exception, judge_settings: JudgeSettings) -> UnreachedError:
    """Say why there is no message."""
    match error:
        case anthropic.APITimeoutError():
            return UnreachedError(f"no answer within {judge_settings.seconds:g} seconds")
        case anthropic.APIConnectionError():
            return UnreachedError(f"the API cannot be reached: {_get_first_line(str(error.__cause__ or error))}")
        case anthropic.NotFoundError():
            return UnreachedError(f"model `{judge_settings.asked}` or the API was not found (404)", everywhere=True)
        case anthropic.AuthenticationError() | anthropic.PermissionDeniedError():
            return UnreachedError(f"the key is not accepted ({_format_said(error)})", everywhere=True)
        case anthropic.APIStatusError():
            return UnreachedError(f"the API answers {_format_said(error)}")
        case TypeError() if "authentication" in str(error):
            return UnreachedError("there is no key: set ANTHROPIC_API_KEY", everywhere=True)
    return UnreachedError(f"the request failed: {type(error).__name__}: {_get_first_line(str(error))}")


def _format_said(error: anthropic.APIStatusError) -> str:
    body: Any = error.body
    inner = body.get("error") if isinstance(body, dict) else None
    said = inner.get("message") if isinstance(inner, dict) else None
    return f"{error.status_code}: {_get_first_line(said)}" if isinstance(said, str) else str(error.status_code)


def _get_first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0][:MOST_SAID]
