"""What is read from the source of a fixture that declares tools in every way, beside what it answers when it is built."""

import json
from functools import cache
from pathlib import Path

import pytest

from reviewer.facts import Schema, Tool
from reviewer.files import find
from reviewer.languages import rust
from reviewer.source import Opaque, Text

ANSWERS = sorted((Path(__file__).parent / "rust" / "answers").glob("rmcp-*.json"))
FIXTURE = Path(__file__).parents[2] / "evals" / "catalog" / "rust" / "fixture"
UNREADABLE = {("by_route", "inputSchema")}
"""Parts that only a run tells, which must be named so."""

SERVERS = [
    pytest.param(answers.stem.removeprefix("rmcp-"), server, tools, id=f"{answers.stem} {server}")
    for answers in ANSWERS
    for server, tools in json.loads(answers.read_text("utf-8")).items()
]


@cache
def read(version: str) -> dict[str, list[Tool]]:
    """Read the fixture as it is with a version of rmcp, by the file that a server stands in."""
    project = rust.read(find(FIXTURE), {"rmcp": version})
    return {Path(server.span.path).stem: list(server.tools) for server in project.servers}


def shown(tool: Tool) -> dict[str, object]:
    """Give a tool as `tools/list` does, without what cannot be read."""
    parts = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": document(tool.input_schema),
        "outputSchema": document(tool.output_schema),
        "annotations": tool.annotations,
    }
    return {
        key: str(part) if isinstance(part, Text) else part
        for key, part in parts.items()
        if part is not None and key not in hidden(tool)
    }


def document(schema: Schema | Opaque | None) -> object:
    return schema.document if isinstance(schema, Schema) else schema


def hidden(tool: Tool) -> set[str]:
    """Name the parts of a tool that cannot be read."""
    return {part.partition(":")[0].partition(".")[0] for part in tool.unreadable()}


@pytest.mark.parametrize(("version", "server", "tools"), SERVERS)
class TestRecorded:
    def test_names(self, version, server, tools):
        assert {str(tool.name) for tool in read(version)[server.lower()]} == {tool["name"] for tool in tools}

    def test_tools(self, version, server, tools):
        found = {str(tool.name): tool for tool in read(version)[server.lower()]}
        for tool in tools:
            mine = found[tool["name"]]
            skipped = {part for name, part in UNREADABLE if name == tool["name"]} & hidden(mine)
            wanted = {key: part for key, part in tool.items() if key in WIRE - skipped}
            assert shown(mine) == wanted

    def test_what_cannot_be_read_is_known(self, version, server, tools):
        found = {(str(tool.name), part) for tool in read(version)[server.lower()] for part in hidden(tool)}
        assert found <= UNREADABLE


WIRE = {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}


def test_every_generation_is_recorded():
    assert [path.stem for path in ANSWERS] == sorted(
        f"rmcp-{version}" for version in ("0.3.2", "0.8.5", "0.12.0", "1.5.0", "3.3.0", "3.9.0")
    )
