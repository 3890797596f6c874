"""The Messages API through the SDK, against a loopback that speaks its wire format and misbehaves."""

import gc
import os
import signal
import threading

import pytest

from judge.conftest import written
from judge.loopback import (
    Answer,
    broken_json,
    fails,
    hangs,
    judges,
    message,
    no_json,
    resets,
    says,
    thinks_first,
)
from reviewer.config import Flags
from reviewer.installation.extras import MODULES
from reviewer.judge.backends.pool import MOST_IN_A_ROW
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import open_judge, read, run_rules

API = JudgeSettings("anthropic", remember=False, seconds=20)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    import anthropic._base_client as client

    monkeypatch.setattr(client, "INITIAL_RETRY_DELAY", 0.01)
    monkeypatch.setattr(client, "MAX_RETRY_DELAY", 0.02)


def judged(server, judge_settings: JudgeSettings = API, told: list[str] | None = None):
    """Review with the one rule that asks."""
    lines = told if told is not None else []
    flags = Flags(profile="core", select=("marker",), judge=judge_settings)
    report, _ = run_rules(read(server, flags), flags, lambda who, code: open_judge(who, code, lines.append))
    return report


def whys(report) -> list[str]:
    return [each.why for each in report.unanswered]


def test_every_tool_is_judged_in_a_request_of_its_own(api, server):
    report = judged(server)
    assert [each.message for each in report.findings] == [f"`tool_{n}` says nothing" for n in range(3)]
    assert len(api.requests) == 3
    (sent, *_), (headers, *_) = api.requests, api.headers
    assert sent["model"] == "claude-haiku-5-5"
    assert sent["output_config"]["effort"] == "low"
    assert sent["output_config"]["format"]["type"] == "json_schema"
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert headers["authorization"] == "Bearer right"


def test_the_schema_of_a_reply_has_no_unions_references_or_optional_parts(api, server):
    judged(server)
    schema = api.requests[0]["output_config"]["format"]["schema"]
    of_one = schema["properties"]["verdicts"]["items"]
    parts = {"id", "failing", "verdict", "quote", "evidence", "names", "why"}
    assert set(of_one["required"]) == set(of_one["properties"]) == parts
    assert schema["additionalProperties"] is of_one["additionalProperties"] is False
    assert not {"anyOf", "$ref", "$defs"} & {*schema, *of_one}


def test_a_quote_narrows_the_finding_to_its_line(api, server):
    text = server / "server.py"
    text.write_text(text.read_text().replace("Handles number 1.", "Handles it.\n\n    At once, number one.\n    "))
    api.answer = judges(quote="At once, number one.")
    _, finding, _ = judged(server).findings
    assert (finding.decided.judged.quote, finding.span.line) == ("At once, number one.", 16)


@pytest.mark.parametrize(
    "answer",
    [fails(529), fails(429, retry_after="0"), fails(500), fails(503), fails(408), resets],
    ids=["529", "429", "500", "503", "408", "reset"],
)
def test_what_passes_is_tried_again(api, server, answer: Answer):
    api.script = [answer, answer, judges(), answer]
    assert len(judged(server).findings) == 3
    assert len(api.requests) == 6


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says("", stop_reason="refusal", stop_details={"type": "refusal", "category": "cyber"}), "refuses to judge it (cyber)"),
        (says("", stop_reason="refusal"), "the model refuses to judge it"),
        (says('{"verdicts": [', stop_reason="max_tokens"), "the reply was cut off"),
        (says("I would say met."), "the reply is not JSON"),
        (says("", content=[]), "the reply has no text"),
        (says('{"verdicts": []}'), "a question with a known answer"),
        (says("[" * 100_000), "the reply is not JSON"),
        (lambda handler, _body: handler.send(200, {"type": "message"}), "not a message"),
        (no_json, "not a message"),
        (fails(400, "prompt is odd"), "the API answers 400: prompt is odd"),
        (fails(413, "too large"), "the API answers 413: too large"),
        (broken_json, "the request failed"),
    ],
)  # fmt: skip
def test_one_request_that_fails_leaves_the_others_judged(api, server, answer: Answer, why: str):
    api.script = [judges(), answer]
    report = judged(server)
    assert len(report.findings) == 2
    (said,) = whys(report)
    assert why in said


def test_what_a_failed_request_took_is_counted(api, server):
    api.answer = lambda handler, body: handler.send(200, message(body["model"], "no"))
    told: list[str] = []
    judged(server, told=told)
    assert told[-1] == (
        "judge: 0 questions answered, 0 of them from memory; 3 requests: 4,500 tokens in (1,500 of them cached), 300 out, $0.0005"
    )


def test_thinking_may_come_first(api, server):
    api.answer = thinks_first
    assert len(judged(server).findings) == 3


@pytest.mark.slow
def test_a_request_that_hangs_is_given_up(api, server):
    api.script = [judges(), hangs]
    report = judged(server, JudgeSettings("anthropic", remember=False, seconds=0.4))
    assert whys(report) == ["no answer within 0.4 seconds"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [(fails(404, "model: nonesuch"), "model `claude-haiku-5-5` or the API was not found"), (fails(403, "no"), "403: no")],
)  # fmt: skip
def test_what_would_fail_for_all_is_asked_once(api, server, answer: Answer, why: str):
    api.answer = answer
    report = judged(server)
    assert len(api.requests) == 1
    assert len(whys(report)) == 3
    assert all(why in each for each in whys(report))


def test_a_wrong_key(api, server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "wrong")
    assert set(whys(judged(server))) == {"the key is not accepted (401: invalid key)"}


def test_no_key(api, server, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert set(whys(judged(server))) == {"there is no key: set ANTHROPIC_API_KEY"}
    assert not api.requests


def test_no_network(api, server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    (why,) = set(whys(judged(server)))
    assert why.startswith("the API cannot be reached: ")


@pytest.mark.slow
def test_an_api_that_stays_busy_is_not_asked_forever(api, tmp_path):
    api.answer = fails(529)
    from reviewer.judge.backends.api import AT_ONCE

    report = judged(written(tmp_path / "large", 30))
    assert len(whys(report)) == 30
    assert len(api.requests) <= 5 * (MOST_IN_A_ROW + AT_ONCE)


def test_eight_requests_are_under_way_at_once(api, tmp_path):
    from reviewer.judge.backends.api import AT_ONCE

    together = threading.Barrier(AT_ONCE)

    def waits(handler, body):
        together.wait(20)
        judges()(handler, body)

    api.script = [judges(), *[waits] * 2 * AT_ONCE]
    assert len(judged(written(tmp_path / "large", 1 + 2 * AT_ONCE)).findings) == 17
    assert api.most_at_once == 8


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_was_judged_before_an_interruption_is_kept(api, server):
    def interrupts(handler, _body):
        os.kill(os.getpid(), signal.SIGINT)
        hangs(handler, _body)

    api.script = [judges(), interrupts, interrupts]
    with pytest.raises(KeyboardInterrupt):
        judged(server, JudgeSettings("anthropic"))
    gc.collect()  # what the interruption left open is told here, and not in a test that runs when it is collected
    before = len(api.requests)
    api.script = []
    assert len(judged(server, JudgeSettings("anthropic")).findings) == 3
    assert len(api.requests) - before == 2


@pytest.mark.parametrize("name", ["bedrock", "vertex"])
def test_another_cloud_without_its_settings_is_one_reason(server, name, monkeypatch):
    for variable in ("AWS_REGION", "AWS_DEFAULT_REGION", "CLOUD_ML_REGION"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setitem(MODULES, name, ("anthropic",))  # the cloud's own SDK is not among the packages for tests
    report = judged(server, JudgeSettings(name, model="a-model", remember=False, seconds=20))
    (why,) = set(whys(report))
    assert "region was" in why
    assert len(whys(report)) == 3
