"""Message Batches: all requests at once for half the price, answered within a day.

A batch is named by its id and the seed that its requests were made of, so that another run can take it up again.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import anthropic

from reviewer.judge.backends.messages import build_request, classify_error, read_reply
from reviewer.judge.prices import BATCH, CostBudget
from reviewer.judge.replies import Reply
from reviewer.judge.requests import ModelRequest, Notify, Sends, Sent
from reviewer.judge.settings import JudgeSettings

SOONEST, LATEST = 2.0, 60.0
"""Seconds between two looks at a batch, the first and the longest."""

ENDS = {"expired": "the batch expired before it was answered", "canceled": "the batch was canceled"}


def build_batch_sender(judge_settings: JudgeSettings, cost_budget: CostBudget, tell: Notify, seed: str) -> Sends:
    """Make a backend that sends one batch of requests made of `seed`, or takes up one that was sent."""

    def send(requests: Sequence[Sent]) -> Iterator[tuple[Sent, Reply]]:
        taken_up = judge_settings.resume is not None
        sent = [each for each in requests if taken_up or cost_budget.allows(each)]
        allowed = {each.key for each in sent}
        yield from ((each, Reply(failure=cost_budget.refusal)) for each in requests if each.key not in allowed)
        if sent:
            answered = asyncio.run(_run_batch(sent, judge_settings, tell, seed))
            missing = Reply(failure=answered.pop("", Reply(failure="it is not in the batch")).failure)
            for each in sent:
                found = answered.get(each.key, missing)
                cost_budget.pay(each, found.usage)
                yield each, found

    return send


async def _run_batch(
    requests: Sequence[ModelRequest], judge_settings: JudgeSettings, tell: Notify, seed: str
) -> dict[str, Reply]:
    """Return replies by the keys of requests; under an empty key why there are no more."""
    name, again = judge_settings.resume, ""
    try:
        client = anthropic.AsyncAnthropic(timeout=judge_settings.seconds, open_telemetry=False)
        async with client:
            batches = client.messages.batches
            if name is None:
                made = await batches.create(requests=[_build_entry(each, judge_settings) for each in requests])
                name = f"{made.id}.{seed}"
                tell(f"batch {made.id} is sent; an interrupted run can be resumed with --judge-resume {name}")
            again = f"; resume it with --judge-resume {name}"
            return await _collect_replies(batches, name.partition(".")[0], judge_settings)
    except asyncio.CancelledError:
        if again:
            tell(f"the batch is still running{again}")
        raise
    except anthropic.NotFoundError:
        return {"": Reply(failure="there is no such batch" if again else "the API has no batches")}
    except Exception as error:
        return {"": Reply(failure=f"{classify_error(error, judge_settings)}{again}")}


def _build_entry(asked: ModelRequest, judge_settings: JudgeSettings) -> Any:
    return {"custom_id": asked.key, "params": build_request(asked, judge_settings)}


async def _collect_replies(batches: Any, name: str, judge_settings: JudgeSettings) -> dict[str, Reply]:
    pause = SOONEST
    while (await batches.retrieve(name)).processing_status != "ended":
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, LATEST)
    return {
        str(each.custom_id): _parse_reply(each.result, judge_settings) async for each in await batches.results(name)
    }


def _parse_reply(result: Any, judge_settings: JudgeSettings) -> Reply:
    if result.type == "succeeded":
        return read_reply(result.message, judge_settings.asked, BATCH)
    if result.type == "errored":
        said = getattr(getattr(result.error, "error", None), "message", None)
        return Reply(failure=f"the API answers: {said}" if said else "the API answers with an error")
    return Reply(failure=ENDS.get(result.type, "the batch has no answer"))
