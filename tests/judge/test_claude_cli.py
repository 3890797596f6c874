"""The `claude` command, by a fake one on PATH that looks at how it is called."""

import json
import os
import stat
import sys
import time

import pytest

from judge.test_api import judged, whys
from reviewer.judge.settings import JudgeSettings

pytestmark = pytest.mark.slow

FAKE = """#!{python}
import json, os, sys, time
sys.path.insert(0, {tests!r})
from judge.loopback import verdicts
asked = sys.stdin.read()
with open({seen!r}, "a") as file:
    file.write(json.dumps([sys.argv[1:], os.getcwd(), os.listdir()]) + "\\n")
reply = verdicts({{"messages": [{{"content": asked}}]}})
result = {{
    "type": "result", "is_error": False, "result": "", "structured_output": reply, "total_cost_usd": 0.25,
    "usage": {{"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 2}},
    "modelUsage": {{"claude-haiku-5-5": {{}}}},
}}
{does}
print(json.dumps(result))
"""
CLI = JudgeSettings("claude-cli", remember=False, seconds=20)


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Put a command on PATH that also does something else; gives how it was called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    seen = tmp_path / "seen"
    seen.touch()

    def put(does: str = ""):
        file = folder / "claude"
        tests = os.path.dirname(os.path.dirname(__file__))
        file.write_text(FAKE.format(python=sys.executable, tests=tests, seen=str(seen), does=does))
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return lambda: [json.loads(line) for line in seen.read_text().splitlines()]

    return put


def test_the_command_judges(command, server):
    command()
    told: list[str] = []
    report = judged(server, CLI, told)
    assert len(report.findings) == 3
    assert report.findings[0].decided.judged.model == "claude-haiku-5-5"
    assert told[-1].endswith("3 requests: 36 tokens in, 15 out, $0.7500")


def test_it_is_called_with_nothing_of_the_place_or_the_user(command, server, monkeypatch):
    seen = command()
    monkeypatch.chdir(server)
    judged(server, CLI)
    for arguments, folder, files in seen():
        assert arguments[:6] == ["-p", "--safe-mode", "--strict-mcp-config", "--tools", "", "--no-session-persistence"]
        given = dict(zip(arguments[6::2], arguments[7::2], strict=True))
        assert set(given) == {"--output-format", "--json-schema", "--system-prompt", "--model", "--effort"}
        assert (given["--output-format"], given["--model"], given["--effort"]) == ("json", "claude-haiku-5-5", "low")
        assert json.loads(given["--json-schema"])["required"] == ["verdicts", "grades"]
        assert files == []
        assert folder != str(server)
        assert not os.path.exists(folder)


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("result['is_error'] = True; result['result'] = 'Credit balance is too low'", "`claude` fails (exit code 0: Credit balance"),
        ("result['is_error'] = True; result['usage'] = {}; result['result'] = 'Please run /login'; print(json.dumps(result)); sys.exit(1)", "`claude` fails (exit code 1: Please run /login)"),
        ("print('error: unknown option --safe-mode', file=sys.stderr); sys.exit(1)", "`claude` returns no JSON (exit code 1: error: unknown option --safe-mode)"),
        ("del result['structured_output']", "the reply does not have the requested structure"),
        ("result['structured_output'] = 'met'", "the reply does not have the requested structure"),
        ("print('[1'); sys.exit(0)", "`claude` returns no JSON (exit code 0)"),
        ("result = []", "`claude` returns no JSON (exit code 0)"),
        ("result['usage'] = 3; result['structured_output'] = {'verdicts': 1}", "the reply does not have the requested structure"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_a_reason(command, server, does, why):
    command(does)
    (said,) = set(whys(judged(server, CLI)))
    assert said.startswith(why)


def test_a_command_that_hangs_is_ended(command, server, tmp_path):
    left = tmp_path / "left"
    command(f"time.sleep(3); open({str(left)!r}, 'w')")
    report = judged(server, JudgeSettings("claude-cli", remember=False, seconds=0.7))
    assert set(whys(report)) == {"no answer within 0.7 seconds"}
    time.sleep(1)
    assert not left.exists()


def test_no_command(server, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert set(whys(judged(server, CLI))) == {"the command `claude` is not on PATH"}


def test_money_is_bounded_by_what_the_command_says_it_cost(command, server):
    command()
    report = judged(server, JudgeSettings("claude-cli", remember=False, seconds=20, max_cost=0.1))
    assert len(report.findings) == 1
    assert set(whys(report)) == {"--max-cost 0.1 is used up"}
