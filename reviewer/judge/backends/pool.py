"""Concurrent requests: bounded in number, time and money, and ended early if the API does not answer."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager

from reviewer.judge.prices import CostBudget
from reviewer.judge.replies import Reply
from reviewer.judge.requests import ModelRequest, Sent
from reviewer.records import dataclass

Ask = Callable[[ModelRequest], Awaitable[Reply]]
"""Sends one request. Raises UnreachedError if there was no reply of a model."""

Opening = Callable[[], AbstractAsyncContextManager[Ask]]

MOST_IN_A_ROW = 5
"""Failed requests in a row after which no more are sent: over the API each was sent five times by then (`RETRIES` in api.py)."""


class UnreachedError(Exception):
    """There was no reply of a model; the message completes "unanswered: …". `everywhere`: no other request would fare better."""

    def __init__(self, message: str, *, everywhere: bool = False) -> None:
        super().__init__(message)
        self.everywhere = everywhere


def iter_replies(
    opening: Opening, requests: Sequence[Sent], cost_budget: CostBudget, *, at_once: int, seconds: float
) -> Iterator[tuple[Sent, Reply]]:
    """Yield each request with its reply as they come.

    The first goes alone: what it puts into the provider's cache serves the others, and if nobody is there, that is enough.
    The runner closes what is under way when it ends: after a second interrupt only it can, for the first is still closing.
    """
    if not requests:
        return
    with asyncio.Runner() as runner:
        arriving = _iter_completed(opening, requests, _Counter(cost_budget, asyncio.Semaphore(at_once), seconds))
        while (found := runner.run(_await_next(arriving))) is not None:
            yield found


async def _await_next(arriving: AsyncIterator[tuple[Sent, Reply]]) -> tuple[Sent, Reply] | None:
    return await anext(arriving, None)


async def _iter_completed(
    opening: Opening, requests: Sequence[Sent], counter: "_Counter"
) -> AsyncGenerator[tuple[Sent, Reply], None]:
    async with opening() as ask:
        for group in (requests[:1], requests[1:]):
            tasks = [asyncio.create_task(counter.serve(ask, each)) for each in group]
            try:
                for done in asyncio.as_completed(tasks):
                    yield await done
            finally:
                for task in tasks:
                    task.cancel()


@dataclass(slots=True)
class _Counter:
    """Where requests queue. `lost` is why no more are sent, `missed` how many in a row had no reply."""

    cost_budget: CostBudget
    places: asyncio.Semaphore
    seconds: float
    lost: str = ""
    missed: int = 0

    async def serve(self, ask: Ask, request: Sent) -> tuple[Sent, Reply]:
        async with self.places:
            if self.lost:
                return request, Reply(failure=self.lost)
            if not self.cost_budget.allows(request):
                return request, Reply(failure=self.cost_budget.refusal)
            reply = await self._reply(ask, request)
            self.cost_budget.pay(request, reply.usage)
            return request, reply

    async def _reply(self, ask: Ask, request: ModelRequest) -> Reply:
        try:
            async with asyncio.timeout(self.seconds):
                reply = await ask(request)
        except TimeoutError:
            return self._build_missed(UnreachedError(f"no answer within {self.seconds:g} seconds"))
        except UnreachedError as error:
            return self._build_missed(error)
        except Exception as error:  # a backend's own fault is no reason to lose the other verdicts
            return self._build_missed(UnreachedError(f"the request failed: {type(error).__name__}: {error}"))
        self.missed = 0
        return reply

    def _build_missed(self, error: UnreachedError) -> Reply:
        self.missed += 1
        if error.everywhere or self.missed >= MOST_IN_A_ROW:
            self.lost = self.lost or str(error)
        return Reply(failure=str(error))
