"""What the user says of a judge and gets from it: who, within what bounds, and with which exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.conftest import written
from judge.loopback import fails
from reviewer.cli.app import run
from reviewer.config import Flags, settle
from reviewer.judge.settings import JudgeSettings
from reviewer.pipeline import read


def lines(capsys) -> list[str]:
    return [line.removeprefix("mcp-review: ") for line in capsys.readouterr().err.splitlines()]


def reviewed(server, *more: str) -> int:
    return run([str(server), "--select", "marker", *more])


def test_without_a_judge_nobody_is_asked_though_there_is_a_key(api, server, capsys):
    assert reviewed(server) == 0
    out, err = capsys.readouterr()
    assert "=== §9: Tool description: 4-element template ===\nnot judged: 3 questions\n" in out
    assert (err, api.requests) == ("", [])


def test_auto_asks_where_there_is_a_key(api, server, capsys, monkeypatch):
    reviewed(server, "--judge", "auto")
    assert len(api.requests) == 3
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    capsys.readouterr()
    assert reviewed(server, "--judge", "auto", "--no-judge-cache") == 0
    (line,) = lines(capsys)
    assert line.startswith("judge: not asked, because there is no key")
    assert reviewed(server, "--judge", "auto", "--fail-on-unanswered") == 1
    assert len(api.requests) == 3


def test_cost_is_said_before_and_after(api, server, capsys):
    reviewed(server, "--judge", "anthropic")
    before, after = lines(capsys)
    assert before.startswith("judge: 3 questions about 3 tools to claude-haiku-5-5: about ")
    assert "tokens, about $0.00" in before
    assert after == (
        "judge: 3 questions answered, 0 of them from memory; 3 requests: 4,500 tokens in (1,500 of them cached), 300 out, $0.0005"
    )
    reviewed(server, "--judge", "anthropic")
    assert lines(capsys) == ["judge: 3 questions answered, 3 of them from memory"]


def test_a_model_without_a_price_is_counted_in_tokens(api, server, capsys):
    reviewed(server, "--judge", "anthropic", "--judge-model", "claude-nonesuch-9")
    before, after = lines(capsys)
    assert before.endswith("tokens, its price is not known")
    assert after.endswith("300 out, its price is not known")
    assert reviewed(server, "--judge", "anthropic", "--judge-model", "claude-nonesuch-9", "--max-cost", "1") == 2
    assert lines(capsys)[-1].startswith("--max-cost: the price of claude-nonesuch-9 is not known")
    assert api.models == {"claude-nonesuch-9": 3}


def test_bounds_hold(api, server, capsys):
    reviewed(server, "--judge", "anthropic", "--max-questions", "1")
    assert len(api.requests) == 1
    assert "judge: 2 questions unanswered: --max-questions 1 is used up" in lines(capsys)
    reviewed(server, "--judge", "anthropic", "--max-cost", "0", "--no-judge-cache")
    assert len(api.requests) == 1
    assert "judge: 3 questions unanswered: --max-cost 0 is used up" in lines(capsys)


def test_money_that_was_spent_is_not_there_for_others(api, tmp_path, capsys):
    usage = {"input_tokens": 1_000, "output_tokens": 1_000_000}
    answer = api.answer

    def dear(handler, body):
        send = handler.send
        handler.send = lambda status, document, **more: send(status, document | {"usage": usage}, **more)
        answer(handler, body)

    api.answer = dear
    assert reviewed(written(tmp_path / "large", 10), "--judge", "anthropic") == 0
    assert len(api.requests) <= 9
    assert any("--max-cost 1 is used up" in line for line in lines(capsys))


def test_a_judge_that_is_not_reached_is_no_failed_review(api, server, capsys):
    api.answer = fails(404, "no such model")
    assert reviewed(server, "--judge", "anthropic", "--format", "json") == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert [(each["rule"], each["tool"], each["line"]) for each in report["unanswered"]] == [
        ("marker", f"tool_{n}", 8 + 6 * n) for n in range(3)
    ]
    assert all(each["why"].startswith("model `claude-haiku-5-5`") for each in report["unanswered"])
    assert err.count("3 questions unanswered: model `claude-haiku-5-5`") == 1
    assert reviewed(server, "--judge", "anthropic", "--fail-on-unanswered") == 1


def test_a_record_is_replayed(api, server, tmp_path, capsys):
    file = tmp_path / "record.json"
    reviewed(server, "--judge", "anthropic", "--record", str(file))
    asked = len(api.requests)
    first = capsys.readouterr().out
    assert reviewed(server, "--judge", "replay", "--verdicts", str(file)) == 0
    assert capsys.readouterr().out == first
    assert len(api.requests) == asked
    assert len(json.loads(file.read_text())["verdicts"]) == 3


@pytest.mark.parametrize("content", ["", "{}", '{"version": 1, "verdicts": {"k": {"verdict": "PASS"}}}', "[]"])
def test_a_file_that_is_no_record_is_refused(server, tmp_path, capsys, content):
    file = tmp_path / "record.json"
    file.write_text(content)
    assert reviewed(server, "--judge", "replay", "--verdicts", str(file)) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--judge", "somebody"], "somebody"),
        (["--judge", "bedrock"], "--judge bedrock: give --judge-model"),
        (["--judge", "vertex"], "--judge vertex: give --judge-model"),
        (["--judge", "replay"], "--judge replay: give --verdicts FILE"),
        (["--judge", "anthropic", "--verdicts", "x"], "--verdicts works with --judge replay"),
        (["--judge-batch"], "--judge-batch and --judge-resume work with --judge anthropic"),
        (["--judge", "anthropic", "--judge-resume", "msgbatch_1"], "--judge-resume: give the full name"),
        (["--max-cost", "-1"], "--max-cost"),
        (["--max-cost", "nan"], "--max-cost"),
        (["--max-questions", "-1"], "--max-questions"),
        (["--judge-timeout", "0"], "--judge-timeout"),
        (["--judge", "anthropic", "--record", "no/such/folder/x.json"], "--record no/such/folder/x.json: cannot be written"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_line(server, capsys, options, said):
    assert reviewed(server, *options) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


def configured(server, text: str) -> None:
    (server / "mcp-review.toml").write_text(f"[judge]\n{text}\n")


@pytest.mark.slow
def test_a_project_may_tighten_the_bounds(api, server, capsys):
    configured(server, "max-questions = 1\nfail-on-unanswered = true")
    assert reviewed(server, "--judge", "anthropic") == 1
    assert len(api.requests) == 1
    assert reviewed(server, "--judge", "anthropic", "--max-questions", "3") == 0
    assert len(api.requests) == 3


def test_a_project_does_not_spend_the_caller_s_money(server):
    configured(server, "max-cost = 1000000.0")
    flags = Flags(judge=JudgeSettings("anthropic"))
    assert settle(read(server, flags).found, flags, "core").judge.dollars == 1.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('backend = "anthropic"', "judge: unknown key `backend`"),
        ('model = "claude-opus-5-5"', "judge: unknown key `model`"),
        ("max-question = 1", "did you mean `max-questions`?"),
        ('max-cost = "much"', "judge: `max-cost`"),
    ],
)
def test_keys_that_are_not_there_are_refused(server, capsys, text, said):
    configured(server, text)
    assert reviewed(server) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_a_review_without_a_judge_loads_nothing_of_it(server):
    code = (
        "import sys; from reviewer.cli.app import run; run(sys.argv[1:]); print(*sorted(sys.modules), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, str(server)], capture_output=True, text=True, timeout=60, check=False
    )
    loaded = set(result.stderr.split())
    assert "reviewer.cli.app" in loaded
    unwanted = {"anthropic", "rich", "sqlite3", "asyncio", "reviewer.judge.session", "reviewer.judge.replies"}
    assert not unwanted & loaded


def test_a_section_with_findings_says_what_waits(server, capsys):
    text = server / "server.py"
    text.write_text(text.read_text().replace('"""Handles number 1."""', '"""Handles number 1.\n\n    # Notes\n    """'))
    run([str(server), "--profile", "action-dispatch", "--select", "marker,four-elements"])
    section = capsys.readouterr().out.partition("=== §9: Tool description: 4-element template ===\n")[2]
    assert section.startswith(f"not judged: 3 questions\n{server}/server.py:")


def test_a_disk_that_is_full_at_the_end_loses_no_report(api, server, capsys, monkeypatch):
    monkeypatch.setattr(
        Path, "write_text", lambda *_arguments: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    assert reviewed(server, "--judge", "anthropic", "--record", str(server / "record.json")) == 0
    out, err = capsys.readouterr()
    assert out.count("says nothing") == 3
    assert "record.json: cannot be written: no space left on device" in err


@pytest.mark.slow
def test_a_bar_shows_how_far_it_is_on_a_terminal_only(api, server):
    """Under a terminal of its own: what is written to standard error there."""
    import pty

    code = (
        "import sys; sys.path[:0] = ['tests']; from reviewer.rules import load; from judge.conftest import ASKING;"
        "load()['marker'] = ASKING; from reviewer.cli.app import run; run(sys.argv[1:])"
    )
    arguments = [
        sys.executable,
        "-c",
        code,
        str(server),
        "--select",
        "marker",
        "--judge",
        "anthropic",
        "--no-judge-cache",
    ]
    parent, child = pty.openpty()
    done = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=child, cwd=Path(__file__).parents[2])
    out, _ = done.communicate(timeout=60)
    seen = os.read(parent, 100_000).decode()
    os.close(child)
    os.close(parent)
    assert "judging" in seen
    assert b"judging" not in out
    piped = subprocess.run(
        arguments, capture_output=True, text=True, timeout=60, check=False, cwd=Path(__file__).parents[2]
    )
    assert "judging" not in piped.stderr
    assert piped.stderr.count("\n") == 2
