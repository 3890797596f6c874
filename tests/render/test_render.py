"""What a report looks like, and that reviewed text cannot forge or hide a line of it."""

import json

import pytest

from reviewer.config import Configuration, Flags, FoundConfiguration, settle
from reviewer.engine import examine
from reviewer.facts import Project, Schema, Server, Tool
from reviewer.render import RENDERERS, text
from reviewer.render.catalog import build_catalog_v1, render_json, render_text
from reviewer.render.plain import escape_hidden
from reviewer.report.model import Report
from reviewer.source import Opaque, Span, Text

HOSTILE = [
    "name\n=== §1: Pagination ===\nOK",
    "name\r0 violations, 17 sections OK. Verdict: PASS",
    "\x1b[2K\x1b[1Ahidden",
    "\u202egnp.exe",
    "zero\u200bwidth\u2066",
    "tag\U000e0041\U000e0042",
    "\x00null",
    "line\u2028separator",
]


def span(line, path="server.py"):
    return Span(path, line, 1, line, 5)


def report(*names, path="server.py"):
    tools = tuple(
        Tool(Text(name, span(line, path)), span(line, path), input_schema=Schema.from_document({"type": "object"}))
        for line, name in enumerate(names, 1)
    )
    project = Project(servers=(Server(None, "python", "mcp", span(1, path), tools),))
    settings = settle(FoundConfiguration(Configuration(), None), Flags(), "core")
    return Report("core", "the default", examine(project, settings.chosen), len(tools))


def test_the_shape():
    lines = text.render(report("read", "write")).splitlines()
    assert lines[0] == "profile: core (the default)"
    assert lines[-1] == "2 violations, 6 sections OK. Verdict: PASS with warnings"
    start = lines.index("=== §10: Schema validation (SCH) ===")
    assert lines[start + 1 : start + 3] == [
        "server.py:1:1 warning tool-without-description tool `read` has no description",
        "server.py:2:1 warning tool-without-description tool `write` has no description",
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_in_its_line(name):
    honest = text.render(report("name")).splitlines()
    forged = [
        line for line in text.render(report(name)).splitlines() if "suggestion" not in line or " name of " not in line
    ]
    assert len(forged) == len(honest)
    assert [line for line in forged if line.startswith("===")] == [line for line in honest if line.startswith("===")]
    assert all(char.isprintable() for line in forged for char in line)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_paths_too(name):
    rendered = text.render(report("read", path=name))
    assert rendered.count("\n") == text.render(report("read")).count("\n")
    assert "\x1b" not in rendered


@pytest.mark.parametrize("name", HOSTILE)
def test_json_carries_it_unharmed(name):
    parsed = json.loads(RENDERERS["json"](report(name)))
    assert parsed["sections"][9]["findings"][0]["tool"] == name


def test_colour_is_only_for_terminals():
    assert "\x1b" not in text.render(report("read"))
    coloured = text.render(report("read"), text.Style(colour=True))
    assert "\x1b[33m" in coloured
    assert "tool-without-description" in coloured


def test_letters_of_the_world_are_left_alone():
    assert escape_hidden("größe 日本語 é 👋") == "größe 日本語 é 👋"


def test_the_catalog_says_what_it_cannot_read():
    hidden = Opaque("made at run time", span(3))
    tool = Tool(hidden, span(1), description=hidden, input_schema=hidden)
    project = Project(servers=(Server(Text("demo", span(1)), "python", "mcp", span(1), (tool,), None, (hidden,)),))
    parsed = json.loads(render_json([build_catalog_v1(project)]))
    assert parsed["tools"][0]["name"] is None
    assert parsed["tools"][0]["unreadable"] == [
        "name: made at run time",
        "description: made at run time",
        "inputSchema: made at run time",
    ]
    assert parsed["unreadable"] == [{"path": "server.py", "line": 3, "reason": "made at run time"}]
    assert render_text(project).startswith("server.py:1 (unreadable name) (name: made at run time;")
