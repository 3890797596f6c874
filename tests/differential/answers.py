"""Two answers for one source text: what the live framework lists, and what is read of it."""

import asyncio
import re
import sys
import tempfile
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp.types import ListToolsResult
from mcp_types.methods import serialize_server_result
from mcp_types.version import LATEST_PROTOCOL_VERSION

from reviewer.facts import Schema, Tool
from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.source import Opaque

Entry = dict[str, Any]
MODULE = "server"
"""The name under which the text is both run and read: `$defs` of two classes of one name show it."""


INTERPRETER = {"python": f"{sys.version_info.major}.{sys.version_info.minor}"}
"""The live answer is that of the interpreter which runs the test: from 3.13 on docstrings are dedented when compiled."""


class RefusedError(Exception):
    """The framework takes the module not at all, so that there is no live answer."""


def live(source: str) -> dict[str, Entry]:
    """Run a module and give the entries of its server's `tools/list` by name, in the form in which they are sent."""
    try:
        with running(source) as server:
            listed = asyncio.run(server.list_tools())
            tools = [each.to_mcp_tool() if hasattr(each, "to_mcp_tool") else each for each in listed]
            body = ListToolsResult(tools=tools).model_dump(by_alias=True, mode="json", exclude_none=True)
            wire = serialize_server_result("tools/list", LATEST_PROTOCOL_VERSION, body)
    except Exception as error:
        raise RefusedError(f"{type(error).__name__}: {error}") from error
    return {entry["name"]: _said(entry) for entry in wire["tools"]}


def _said(entry: Entry) -> Entry:
    """Leave out the empty description by which the SDK says that there is none."""
    return {key: value for key, value in entry.items() if not (key == "description" and value == "")}


def over_the_wire(source: str) -> dict[str, Entry]:
    """Run a module and let a client in this process ask its server, which is slower."""
    with running(source) as server:
        return {entry["name"]: _said(entry) for entry in asyncio.run(_asked(server))}


async def _asked(server: Any) -> list[Entry]:
    if type(server).__module__.startswith("fastmcp."):
        from fastmcp import Client
    else:
        from mcp import Client
    async with Client(server) as client:
        listed = await client.list_tools()
    return [each.model_dump(by_alias=True, exclude_none=True) for each in getattr(listed, "tools", listed)]


@contextmanager
def running(source: str) -> Iterator[Any]:
    """Execute a module under its name and give its server."""
    module = sys.modules[MODULE] = types.ModuleType(MODULE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(source, f"{MODULE}.py", "exec"), vars(module))
            yield module.server
    finally:
        del sys.modules[MODULE]


def reading(source: str) -> list[Tool]:
    """Return the tools that are read of the same text."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{MODULE}.py").write_text(source, "utf-8")
        return [tool for server in read(discover_files(Path(folder)), INTERPRETER).servers for tool in server.tools]


ATTRIBUTES = {
    "name": "name",
    "title": "title",
    "description": "description",
    "inputSchema": "input_schema",
    "outputSchema": "output_schema",
    "annotations": "annotations",
    "_meta": "meta",
    "icons": "icons",
}


def part(tool: Tool, name: str) -> Any:
    """Return one part of what is read, as `tools/list` names it: a plain value, a Schema or Opaque."""
    value = getattr(tool, ATTRIBUTES[name])
    if isinstance(value, Schema) and value.absent:
        return None
    if name == "description" and value == "":
        return None
    return str(value) if isinstance(value, str) else value


def differences(source: str, parts: tuple[str, ...]) -> list[str]:
    """Compare both answers part by part; what is named as unreadable never differs."""
    answers, read_tools = live(source), reading(source)
    if any(isinstance(tool.name, Opaque) for tool in read_tools):
        return []
    names = [str(tool.name) for tool in read_tools]
    if sorted(names) != sorted(answers):
        return [f"names: read {sorted(names)}, live {sorted(answers)}"]
    found = []
    for tool in read_tools:
        entry = answers[str(tool.name)]
        for name in parts:
            ours, theirs = _comparable(part(tool, name), entry.get(name))
            if ours != theirs:
                found.append(f"{name}:\n  read {ours!r}\n  live {theirs!r}")
    return found


def unreadable(source: str) -> list[str]:
    """Name what of the tools cannot be read, for a module that the framework takes."""
    live(source)
    found = reading(source)
    return [reason for tool in found for reason in tool.iter_unreadable()] or ([] if found else ["no tool was found"])


def _comparable(ours: Any, theirs: Any) -> tuple[Any, Any]:
    """Take out of both answers what is named as unreadable."""
    if isinstance(ours, Opaque):
        return None, None
    if not isinstance(ours, Schema):
        return ours, theirs
    document, holes = ours.document, [hole.path for hole in ours.holes]
    if "" in holes:
        return None, None
    return _strict(_without(document, holes)), _strict(_without(theirs, holes))


def _without(document: Any, paths: list[str]) -> Any:
    """Copy a schema without some places, and without the definitions that nothing refers to any more."""
    if not paths or not isinstance(document, dict):
        return document
    for path in paths:
        document = _cut(document, path.split("."))
    return _reachable(document)


def _cut(node: Any, path: list[str]) -> Any:
    if not isinstance(node, dict):
        return node
    first, rest = path[0], path[1:]
    if not rest:
        return {key: value for key, value in node.items() if key != first}
    return {key: _cut(value, rest) if key == first else value for key, value in node.items()}


def _reachable(document: Entry) -> Entry:
    definitions = document.get("$defs", {})
    rest = {key: value for key, value in document.items() if key != "$defs"}
    seen: set[str] = set()
    waiting = [repr(rest)]
    while waiting:
        for name in set(re.findall(r"#/\$defs/([\w\[\], ]+)", waiting.pop())) - seen:
            seen.add(name)
            waiting.append(repr(definitions.get(name)))
    kept = {name: definitions[name] for name in definitions if name in seen}
    return {**rest, "$defs": kept} if kept else rest


def _strict(value: Any) -> Any:
    """Mark the type of each scalar, for `1 == 1.0 == True` to Python but not on the wire."""
    if isinstance(value, dict):
        return {key: _strict(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(each) for each in value]
    return value if value is None or isinstance(value, str) else _Scalar(value)


class _Scalar:
    """A number or a truth value that equals only its own type."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        """Compare type and value."""
        return isinstance(other, _Scalar) and (type(self.value), self.value) == (type(other.value), other.value)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the value as it is."""
        return repr(self.value)
