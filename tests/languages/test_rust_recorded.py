"""What is read from the source of a fixture that declares tools in every way, beside what it answers when it is built."""

import json
from functools import cache
from pathlib import Path

import pytest

from reviewer.facts import Schema, Tool
from reviewer.files.discovery import discover_files
from reviewer.languages import rust
from reviewer.source import Opaque, Text

ANSWERS = Path(__file__).parent / "rust" / "answers"
FIXTURES = Path(__file__).parents[2] / "evals" / "catalog" / "rust"
VERSIONS = {
    "rmcp": ("0.3.2", "0.8.5", "0.12.0", "1.5.0", "3.3.0", "3.9.0"),
    "rust-mcp-sdk": ("0.4.7", "0.7.4", "0.8.3", "0.10.0", "1.1.0", "2.0.0"),
}
UNREADABLE = {("by_route", "inputSchema")}
"""Parts that only a run tells, which must be named so."""

SERVERS = [
    pytest.param(sdk, version, server, tools, id=f"{sdk} {version} {server}")
    for sdk, versions in VERSIONS.items()
    for version in versions
    for server, tools in json.loads((ANSWERS / f"{sdk}-{version}.json").read_text("utf-8")).items()
]


@cache
def read(sdk: str, version: str) -> dict[str, list[Tool]]:
    """Read the fixture of an SDK as it is with a version, by the file that a server stands in."""
    project = rust.read(discover_files(FIXTURES / sdk.removeprefix("rust-mcp-")), {sdk: version})
    found: dict[str, list[Tool]] = {}
    for server in project.servers:
        found.setdefault(Path(server.span.path).stem, []).extend(server.tools)
    return found


def shown(tool: Tool) -> dict[str, object]:
    """Return a tool as `tools/list` does, without what cannot be read."""
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
    return {part.partition(":")[0].partition(".")[0] for part in tool.iter_unreadable()}


@pytest.mark.parametrize(("sdk", "version", "server", "tools"), SERVERS)
class TestRecorded:
    def test_names(self, sdk, version, server, tools):
        assert {str(tool.name) for tool in read(sdk, version)[server.lower()]} == {tool["name"] for tool in tools}

    def test_tools(self, sdk, version, server, tools):
        found = {str(tool.name): tool for tool in read(sdk, version)[server.lower()]}
        for tool in tools:
            mine = found[tool["name"]]
            skipped = {part for name, part in UNREADABLE if name == tool["name"]} & hidden(mine)
            wanted = {key: part for key, part in tool.items() if key in WIRE - skipped}
            assert shown(mine) == wanted

    def test_what_cannot_be_read_is_known(self, sdk, version, server, tools):
        found = {(str(tool.name), part) for tool in read(sdk, version)[server.lower()] for part in hidden(tool)}
        assert found <= UNREADABLE


WIRE = {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
