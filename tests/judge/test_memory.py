"""Verdicts of earlier runs: by question and judge, at once by many, and done without where the file fails."""

import sqlite3
import subprocess
import sys

import pytest

from judge.test_api import judged
from reviewer.files.cache import find_cache_folder
from reviewer.judge.answers import Judged
from reviewer.judge.memory import FILE, VerdictMemory
from reviewer.judge.settings import JudgeSettings

SAID = Judged("not_met", "as told", "so", "marker@1", "a-model", (1, 3))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "kept" / FILE


def kept(file, judge="a-model low", told=None):
    return VerdictMemory(judge, (told if told is not None else []).append, file)


def test_a_verdict_is_remembered_by_question_and_judge(file):
    first = kept(file)
    first.keep("q", SAID)
    first.close()
    again, other = kept(file), kept(file, "another low")
    assert (again.recall("q"), again.recall("r"), other.recall("q")) == (SAID, None, None)
    again.close()
    other.close()


@pytest.mark.slow
def test_an_unchanged_tool_is_asked_about_once(api, server):
    judge = JudgeSettings("anthropic", seconds=20)
    judged(server, judge)
    assert len(judged(server, judge).findings) == 3
    assert len(api.requests) == 3
    text = server / "server.py"
    text.write_text(text.read_text().replace("Handles number 1.", "Handles number one."))
    judged(server, judge)
    assert len(api.requests) == 4
    judged(server, JudgeSettings("anthropic", effort="high", seconds=20))
    assert len(api.requests) == 7
    judged(server, JudgeSettings("anthropic", remember=False, seconds=20))
    assert len(api.requests) == 10


@pytest.mark.parametrize(
    "content", [b"not a database at all, whatever its name says", b"SQLite format 3\0" + b"x" * 5000]
)
def test_a_broken_file_is_said_once_and_done_without(api, server, content):
    find_cache_folder().mkdir(parents=True)
    (find_cache_folder() / FILE).write_bytes(content)
    told: list[str] = []
    assert len(judged(server, JudgeSettings("anthropic", seconds=20), told).findings) == 3
    (line,) = [each for each in told if "verdicts cannot be remembered" in each]
    assert FILE in line


def test_a_folder_that_cannot_be_made_is_done_without(api, server):
    find_cache_folder().write_text("a file is in the way")
    told: list[str] = []
    assert len(judged(server, JudgeSettings("anthropic", seconds=20), told).findings) == 3
    assert sum("cannot be remembered" in each for each in told) == 1


def test_a_file_that_another_holds_is_done_without(file, monkeypatch):
    monkeypatch.setattr("reviewer.judge.memory.SECONDS", 0.05)
    kept(file).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("begin exclusive")
    told: list[str] = []
    mine = kept(file, told=told)
    mine.keep("q", SAID)
    assert mine.recall("q") is None
    assert len(told) == 1
    assert "locked" in told[0]
    other.close()
    mine.close()


def test_a_verdict_that_no_judge_gives_is_not_believed(file):
    memory = kept(file)
    memory.keep("q", SAID)
    with sqlite3.connect(file) as base:
        base.execute("update verdicts_3 set verdict = 'PASS'")
    base.close()
    assert memory.recall("q") is None
    memory.close()


@pytest.mark.slow
def test_many_runs_write_at_once(file):
    code = (
        "import sys; from pathlib import Path; from reviewer.judge.memory import VerdictMemory;"
        "from reviewer.judge.answers import Judged; k = VerdictMemory('m', lambda line: sys.exit(line), Path(sys.argv[1]));"
        "[k.keep(f'{sys.argv[2]}-{n}', Judged('met', None, 'so', 'marker@1', 'm')) for n in range(100)]"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, str(file), str(n)], stderr=subprocess.PIPE) for n in range(4)]
    assert [(run.communicate()[1], run.returncode) for run in runs] == [(b"", 0)] * 4
    base = sqlite3.connect(file)
    assert base.execute("select count(*) from verdicts_3").fetchone() == (400,)
    base.close()
