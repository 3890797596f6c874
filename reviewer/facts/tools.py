"""Tools and the servers that list them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from reviewer.facts.behaviour import Entry, Handler
from reviewer.facts.schemas import Hole, Json, Schema
from reviewer.source import Opaque, Span, Text

Language = Literal["python", "rust"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which something is registered: `if READ_ONLY`, `#[cfg(unix)]`."""

    text: str
    span: Span
    turn: tuple[int, ...] = ()
    """Which rounds of the loops around it, or which of several ways, it speaks of: the same test may end otherwise in others."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One top-level argument of a tool or an action, with the place where it is declared.

    `free` tells that it takes an object of whose keys nothing is said.
    """

    name: Text
    span: Span
    description: Text | Opaque | None = None
    required: bool | Opaque = True
    free: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One entry of the server's `tools/list`, as far as the source tells it.

    `span` is the whole declaration: the decorated function, the `Tool(...)` expression, the trait implementation.
    """

    name: Text | Opaque | None
    span: Span
    description: Text | Opaque | None = None
    title: Text | Opaque | None = None
    input_schema: Schema | Opaque | None = None
    output_schema: Schema | Opaque | None = None
    annotations: Json | Opaque | None = None
    icons: list[Any] | Opaque | None = None
    meta: Json | Opaque | None = None
    parameters: tuple[Parameter, ...] | Opaque = ()
    conditions: tuple[Condition, ...] = ()
    handler: Handler | None = None
    assumptions: tuple[Hole, ...] = ()
    """Parts that are given as they are if nothing is configured, by name: `description`, `name`."""

    def unreadable(self) -> Iterator[str]:
        """Name every part that cannot be read, as `part: reason`; parts are named as `tools/list` names them."""
        parts = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": self.annotations,
            "icons": self.icons,
            "_meta": self.meta,
        }
        for part, value in parts.items():
            if isinstance(value, Opaque):
                yield f"{part}: {value.reason}"
            elif isinstance(value, Schema):
                yield from (_named(hole, part) for hole in value.holes)
        yield from (_named(hole, "") for hole in self.assumptions)


def _named(hole: Hole, part: str) -> str:
    """Name a hole by its place: `inputSchema.properties.mode: reason`."""
    place = f"{part}{'.' if hole.path and part else ''}{hole.path}"
    return f"{place}: {'read for a run without configuration; ' if hole.assumed else ''}{hole.opaque.reason}"


@dataclass(frozen=True, slots=True)
class Server:
    """One MCP server. `framework` is the distribution that its tools are declared with: `mcp`, `fastmcp`, `rmcp`."""

    name: Text | Opaque | None
    language: Language
    framework: str
    span: Span
    tools: tuple[Tool, ...] = ()
    entry: Entry | None = None
    unreadable: tuple[Opaque, ...] = ()
