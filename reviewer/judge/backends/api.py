"""The Messages API through the SDK: the provider's own, Bedrock's or Vertex's."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anthropic

from reviewer.judge.backends.messages import build_request, classify_error, read_reply
from reviewer.judge.backends.pool import Ask, UnreachedError, iter_replies
from reviewer.judge.prices import CostBudget
from reviewer.judge.replies import Reply
from reviewer.judge.requests import ModelRequest, Sends, Sent
from reviewer.judge.settings import JudgeSettings

AT_ONCE = 8
"""The semaphore with which the SDK was tried. What is under way counts by its estimate, so more of them may exceed the budget
by more."""

RETRIES = 4
"""How often the SDK sends a request again after 408, 409, 429, 5xx and lost connections; it waits as the API says."""

CLIENTS: dict[str, Callable[..., Any]] = {
    "anthropic": anthropic.AsyncAnthropic,
    "bedrock": anthropic.AsyncAnthropicBedrock,
    "vertex": anthropic.AsyncAnthropicVertex,
}


def build_api_sender(judge_settings: JudgeSettings, cost_budget: CostBudget) -> Sends:
    """Make a backend that sends each request by itself, several at once."""

    @asynccontextmanager
    async def opening() -> AsyncIterator[Ask]:
        reached = False
        client: Any = None

        async def ask(asked: ModelRequest) -> Reply:
            nonlocal reached, client
            try:
                client = client or CLIENTS[judge_settings.name](
                    timeout=judge_settings.seconds, max_retries=RETRIES, open_telemetry=False
                )
                message = await client.messages.create(**build_request(asked, judge_settings))
            except Exception as error:
                lost = classify_error(error, judge_settings)
                offline = isinstance(error, anthropic.APIConnectionError) and not reached
                raise UnreachedError(str(lost), everywhere=lost.everywhere or offline or client is None) from None
            reached = True
            return read_reply(message, judge_settings.asked)

        try:
            yield ask
        finally:
            if client is not None:
                await client.close()

    def send(requests: Sequence[Sent]) -> Iterator[tuple[Sent, Reply]]:
        return iter_replies(opening, requests, cost_budget, at_once=AT_ONCE, seconds=judge_settings.seconds)

    return send
