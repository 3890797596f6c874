"""A rule that asks about every tool, servers with tools, and a loopback that stands for the API."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.loopback import Loopback, judges, serving
from reviewer.facts import Tool
from reviewer.judge import question_requests
from reviewer.rules import SECTIONS, Question, Rule, Severity, load


def ask(tool: Tool) -> Iterator[Question]:
    """Ask one question about a tool."""
    assert tool.description is not None
    yield Question(tool.description, tool, f"`{tool.name}` says nothing", "say something")  # type: ignore[arg-type]


ASKING = Rule(
    "marker", SECTIONS[8], Severity.WARNING, ask, (Tool,), None, ("TST-001",), (), lambda _fact: True, "no tool", "", True
)  # fmt: skip
"""Bears the slug of the one rubric that is always there."""


@pytest.fixture(autouse=True)
def asking(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have a rule that asks, a cache of the test's own, and nobody's key."""
    monkeypatch.setitem(load(), ASKING.slug, ASKING)
    monkeypatch.setattr(question_requests, "MOST_TOOLS", 1)  # so that a few tools make several requests
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "cache"))
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """Yield the API, with the right key set."""
    with serving(Loopback(judges())) as loopback:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", loopback.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "right")
        yield loopback


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """Return a server of three tools."""
    return written(tmp_path / "served", 3)


def written(folder: Path, tools: int) -> Path:
    """Write a server of some tools."""
    folder.mkdir()
    made = "".join(
        f'@mcp.tool()\ndef tool_{n}(path: str) -> str:\n    """Handles number {n}."""\n    return path\n\n\n'
        for n in range(tools)
    )
    (folder / "server.py").write_text(f'from fastmcp import FastMCP\n\nmcp = FastMCP("things")\n\n\n{made}mcp.run()\n')
    return folder
