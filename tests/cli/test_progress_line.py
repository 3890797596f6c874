"""The line of progress: only on a terminal, only after a while, and gone when something else is written."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer.cli.app import run
from reviewer.cli.progress_line import DELAY, ProgressLine
from reviewer.progress import Stage

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/notes-python"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that is set by hand."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_PROGRESS", raising=False)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def line(clock):
    return ProgressLine(Terminal(), shows=True, now=clock)


def written(line):
    return line._stream.getvalue()


def test_what_ends_soon_shows_nothing(line, clock):
    for done in range(100):
        line(Stage.READING_PYTHON_FILES, done, 100)
        clock.seconds += DELAY / 101
    line.clear()
    assert written(line) == ""


def test_one_line_is_rewritten_a_few_times_a_second(line, clock):
    clock.seconds = DELAY
    for done in range(1000):
        line(Stage.READING_PYTHON_FILES, done, 1001)
        clock.seconds += 0.001
    shown = written(line)
    assert shown.startswith("\r\x1b[Kreading Python files: 0 of 1001\r\x1b[Kreading Python files: ")
    assert 5 < shown.count("\r\x1b[K") < 15
    assert "\n" not in shown


def test_the_end_of_a_stage_clears_it(line, clock):
    clock.seconds = DELAY
    line(Stage.CHECKING_TOOLS, 3, 4)
    line(Stage.CHECKING_TOOLS, 4, 4)
    assert written(line).endswith("3 of 4\r\x1b[K")


def test_an_error_clears_it(line, clock):
    def breaks():
        with line as progress:
            progress(Stage.FINDING_FILES, 3)
            raise ValueError("broken")

    clock.seconds = DELAY
    with pytest.raises(ValueError, match="broken"):
        breaks()
    assert written(line) == "\r\x1b[Kfinding files: 3\r\x1b[K"


@pytest.mark.parametrize(
    ("stream", "quiet", "environment", "shows"),
    [
        (Terminal, False, {}, True),
        (Terminal, True, {}, False),
        (Terminal, False, {"TERM": "dumb"}, False),
        (Terminal, False, {"NO_PROGRESS": "1"}, False),
        (Terminal, False, {"NO_PROGRESS": ""}, True),
        (io.StringIO, False, {}, False),
    ],
)
def test_it_is_shown_where_it_is_wanted(stream, quiet, environment, shows, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ProgressLine.from_stream(stream(), quiet=quiet)._shows is shows


def test_a_terminal_that_is_gone_stops_no_review(clock):
    class Gone(Terminal):
        def write(self, _text):
            raise OSError(5, "Input/output error")

    line = ProgressLine(Gone(), shows=True, now=clock)
    clock.seconds = DELAY
    line(Stage.CHECKING_TOOLS, 1, 4)
    line(Stage.CHECKING_TOOLS, 2, 4)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [[], ["--diff", "HEAD"], [str(ROOT / "examples/bookmarks-rust")]])
def test_every_kind_of_review_reports_its_progress(arguments, monkeypatch, capsys):
    seen = set()
    monkeypatch.setattr(ProgressLine, "__call__", lambda _self, stage, *_counts: seen.add(stage))
    run([str(EXAMPLE), *arguments])
    assert {Stage.FINDING_FILES, Stage.READING_PYTHON_FILES, Stage.CHECKING_TOOLS, Stage.SCORING} <= seen


@pytest.mark.slow
def test_on_a_terminal_nothing_of_it_is_left():
    code = "import reviewer.cli.progress_line as p; p.DELAY = 0; p.INTERVAL = 0; from reviewer.cli.app import run; run(['examples/notes-python'])"
    ours, theirs = pty.openpty()
    asked = [sys.executable, "-c", code]
    with subprocess.Popen(asked, cwd=ROOT, stderr=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        assert process.stdout is not None
        report = process.stdout.read()
        shown = b""
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # how Linux says that the other side is closed
            pass
    os.close(ours)
    assert b"\x1b" not in report
    assert b"computing the score: " in shown
    assert shown.endswith(b"\r\x1b[K")
