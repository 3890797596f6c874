"""Calls of the server mode, and what a client's user must see of each; with the folder that they are about."""

from pathlib import Path
from typing import Any, NamedTuple

SERVER = '''
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[str]:
    """List the ropes."""
    return ROPES[:limit]
'''
VERDICT = {"request": "r", "id": "q", "failing": [], "verdict": "met", "quote": "", "why": "So it is."}
ANSWER = "answer"
"""The outcome of a call that succeeds; of one that fails it is the code of the error."""

UNKNOWN_TOOL = "unknown tool"
"""An error of the protocol."""

HURRIED = "too_slow"
"""The outcome for which the server is started with next to no time for a review."""


class Case(NamedTuple):
    """One call. `expected` is its outcome; what is `typed` no command line sends as it is meant."""

    name: str
    tool: str
    arguments: dict[str, Any]
    expected: str
    typed: bool = False


GOOD: dict[str, dict[str, Any]] = {
    "review-server": {"path": "good"},
    "list-server-tools": {"path": "good"},
    "list-questions": {"path": "good"},
    "answer-questions": {"path": "good", "export": "5eed", "verdicts": [VERDICT]},
    "list-rules": {"limit": 2},
    "explain-rule": {"rule": "tool-name-style"},
}
READING = ("review-server", "list-server-tools", "list-questions", "answer-questions")
LONG = {"tool": "review-server", "arguments": {"path": "many", "fields": ["rule"]}}
"""The call whose progress is told, and which is cancelled."""


def cases() -> list[Case]:
    """Return every tool with every kind of failure that it has."""
    return [*_of_all(), *_of_paths(), *_of_types()]


def _of_all() -> list[Case]:
    found = [Case("unknown tool", "review-everything", {}, UNKNOWN_TOOL)]
    for tool, good in GOOD.items():
        found.append(Case("answer", tool, good, ANSWER))
        found.append(Case("unknown argument", tool, {**good, "limits": 5}, "invalid_arguments"))
        for name in [each for each in good if each != "limit"][:1]:
            missing = {key: value for key, value in good.items() if key != name}
            found.append(Case("missing argument", tool, missing, "invalid_arguments"))
    return found


def _of_paths() -> list[Case]:
    wrong = {
        "path outside the roots": ("../..", "path_outside_roots"),
        "path that is not there": ("nowhere", "cannot_review"),
        "no server there": ("empty", "cannot_review"),
        "bad configuration": ("bad-configuration", "cannot_review"),
        "bad format": ("broken.json", "cannot_review"),
        "file of another kind": ("notes.txt", "cannot_review"),
    }
    return [
        *(
            Case(name, tool, {**GOOD[tool], "path": path}, code)
            for tool in READING
            for name, (path, code) in wrong.items()
        ),
        *(Case("too little time", tool, GOOD[tool], HURRIED) for tool in READING),
    ]


def _of_types() -> list[Case]:
    review = GOOD["review-server"]
    return [
        Case("number as text", "review-server", {**review, "limit": "5"}, "invalid_arguments", typed=True),
        Case("number as text", "list-rules", {"limit": "5"}, "invalid_arguments", typed=True),
        Case("number as text", "explain-rule", {**GOOD["explain-rule"], "limit": "5"}, "invalid_arguments", typed=True),
        Case("number for text", "review-server", {"path": 5}, "invalid_arguments"),
        Case("null for text", "review-server", {"path": None}, "invalid_arguments", typed=True),
        Case("text for a list", "review-server", {**review, "fields": "rule"}, "invalid_arguments"),
        Case("text for a list", "answer-questions", {**GOOD["answer-questions"], "verdicts": "x"}, "invalid_arguments"),
        Case("number out of range", "review-server", {**review, "section": 99}, "invalid_arguments"),
        Case("word out of a list", "review-server", {**review, "severity": "fatal"}, "invalid_arguments"),
        Case("unknown rule", "review-server", {**review, "rule": "no-such-rule"}, "unknown_rule"),
        Case("unknown rule", "explain-rule", {"rule": "no-such-rule"}, "unknown_rule"),
        Case("invalid cursor", "review-server", {**review, "cursor": "abc"}, "cursor_invalid"),
        Case("invalid cursor", "list-rules", {"cursor": "abc"}, "cursor_invalid"),
    ]


def write(folder: Path, many: int) -> None:
    """Write what the calls are about; `many` is the count of files in the folder whose review takes a while."""
    for name in ("good", "empty", "bad-configuration", "many"):
        (folder / name).mkdir()
    (folder / "good" / "server.py").write_text(SERVER, "utf-8")
    (folder / "bad-configuration" / "server.py").write_text(SERVER, "utf-8")
    (folder / "bad-configuration" / "mcp-review.toml").write_text('profle = "core"\n', "utf-8")
    (folder / "broken.json").write_text('{"tools": [', "utf-8")
    (folder / "notes.txt").write_text("Ropes are long.\n", "utf-8")
    for number in range(many):
        source = SERVER.replace("list_ropes", f"list_ropes_{number}").replace('"ropes"', f'"ropes{number}"')
        (folder / "many" / f"m{number}.py").write_text(source, "utf-8")
