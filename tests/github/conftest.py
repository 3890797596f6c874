"""A GitHub to speak with, a clock that passes by itself, and reports to post."""

from dataclasses import replace

import pytest

from reviewer.github.client import Client, Clock
from reviewer.github.events import Pull
from reviewer.report.model import Altered, BaseComparison, Finding, Fix, Lines, Report, SectionReport
from reviewer.rules import SECTIONS, Severity, load
from reviewer.source import Span
from tests.github.loopback import HEAD, GitHub, serving


class Time:
    """Passes only when somebody sleeps."""

    def __init__(self):
        self.at = 1_800_000_000.0
        self.slept = []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.at += seconds


@pytest.fixture
def github(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(GitHub()) as each:
        yield each


@pytest.fixture
def passing():
    return Time()


@pytest.fixture
def client(github, passing):
    with Client(github.url, "right", clock=Clock(lambda: passing.at, passing.sleep), timeout=1.0) as each:
        yield each


@pytest.fixture
def pull():
    return Pull("o/r", 7, HEAD)


def finding(line=1, message="tool `read` has no description", change="introduced", **more):
    given = {"path": "server.py", "severity": Severity.WARNING, "help": "describe it", **more}
    span = Span(given.pop("path"), line, 1, line, 5)
    mark = given.pop("fingerprint", f"{line:016x}")
    return Finding(
        load()["tool-without-description"],
        given["severity"],
        span,
        message,
        given["help"],
        fingerprint=mark,
        change=change,
    )


def fixing(*text, first=1, last=1, safe=True, path="server.py"):
    fix = Fix("do it", "safe" if safe else "unsafe", (), Lines(path, first, last, text))
    return replace(finding(first), fix=fix)


RULE, GROUNDS = "tool-without-description", "0123456789ab"


def report(*findings, fixed=(), base="main", altered=None, **more):
    section = next(each for each in SECTIONS if each.number == 10)
    part = SectionReport(section, "violations" if findings else "ok", tuple(findings))
    compared = BaseComparison(base, tuple(fixed), altered=altered or Altered()) if base else None
    return Report("core", "the default", (part,), 3, compared=compared, **{"checked": {RULE: GROUNDS}, **more})
