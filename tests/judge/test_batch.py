"""Message Batches: sent once, collected later, taken up again."""

import asyncio
import os
import signal

import pytest

from judge.loopback import message, succeeded
from judge.test_api import judged, whys
from reviewer.judge.settings import JudgeSettings

BATCH = JudgeSettings("anthropic", batch=True, remember=False, seconds=20)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr("reviewer.judge.backends.batch.SOONEST", 0.01)


def test_a_batch_is_sent_and_collected(api, server):
    told: list[str] = []
    assert len(judged(server, BATCH, told).findings) == 3
    assert (len(api.batches), len(api.requests)) == (1, 0)
    assert told[1].startswith(
        "batch msgbatch_0 is sent; an interrupted run can be resumed with --judge-resume msgbatch_0."
    )
    assert told[-1].endswith("$0.0002")


def test_entries_without_an_answer_leave_their_questions_open(api, server):
    ends = iter(
        [
            {"type": "expired"},
            {"type": "canceled"},
            {"type": "errored", "error": {"type": "error", "error": {"type": "api_error", "message": "too odd"}}},
        ]
    )
    api.results = lambda entry: {"custom_id": entry["custom_id"], "result": next(ends)}
    assert sorted(whys(judged(server, BATCH))) == [
        "the API answers: too odd",
        "the batch expired before it was answered",
        "the batch was canceled",
    ]


def test_what_a_message_of_a_batch_lacks_is_a_reason(api, server):
    def cut(entry):
        result = {"type": "succeeded", "message": message("m", '{"verd', stop_reason="max_tokens")}
        return {"custom_id": entry["custom_id"], "result": result}

    api.results = cut
    assert set(whys(judged(server, BATCH))) == {"the reply was cut off"}


def test_entries_that_are_missing_or_strange(api, server):
    def strange(entry):
        return succeeded(entry) | ({"custom_id": "x"} if "tool_1" in str(entry) else {})

    api.results = strange
    report = judged(server, BATCH)
    assert len(report.findings) == 2
    assert whys(report) == ["it is not in the batch"]


def test_an_interrupted_batch_is_taken_up_again(api, server, monkeypatch):
    async def interrupted(_seconds):
        os.kill(os.getpid(), signal.SIGINT)

    told: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            judged(server, BATCH, told)
    (name,) = {line.rpartition(" ")[2] for line in told if line.startswith("the batch is still running; resume it")}
    again = JudgeSettings("anthropic", resume=name, remember=False, seconds=20)
    assert len(judged(server, again).findings) == 3
    assert len(api.batches) == 1


def test_a_batch_that_is_not_there(api, server):
    again = JudgeSettings("anthropic", resume="msgbatch_9.abc", remember=False, seconds=20)
    assert set(whys(judged(server, again))) == {"there is no such batch"}


def test_a_batch_is_not_sent_without_a_key(api, server, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert set(whys(judged(server, BATCH))) == {"there is no key: set ANTHROPIC_API_KEY"}


def test_no_more_than_is_allowed_is_sent(api, server):
    bounded = JudgeSettings("anthropic", batch=True, remember=False, max_cost=0.0, seconds=20)
    assert set(whys(judged(server, bounded))) == {"--max-cost 0 is used up"}
    assert not api.batches


@pytest.mark.slow
def test_a_batch_that_fails_under_way_can_be_taken_up(api, server, monkeypatch):
    api.polls = 1
    api.results = lambda _entry: {}[0]
    (why,) = set(whys(judged(server, BATCH)))
    assert "; resume it with --judge-resume msgbatch_0." in why
