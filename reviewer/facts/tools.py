"""Tools and the servers that list them."""

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, Literal

from reviewer.facts.behaviour import CallEntry, Handler
from reviewer.facts.parts import Json, Part, Path
from reviewer.facts.pieces import CodePiece
from reviewer.facts.schemas import Hole, Schema
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text

Language = Literal["python", "rust", "typescript", "definitions"]
"""What a server was read from; `typescript` is JavaScript, too; `definitions` are an answer to `tools/list`, from a file or from
the server itself."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which something is registered: `if READ_ONLY`, `#[cfg(unix)]`."""

    text: str
    span: Span
    turn: tuple[int, ...] = ()
    """Which rounds of the loops around it, or which of several ways, it speaks of: the same test may end otherwise in others."""
    never: bool = False
    """Whether it surely does not hold when the server is started as the project says."""


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One top-level argument of a tool or an action, with the place where it is declared.

    `free` tells that it takes an object of whose keys nothing is said.
    """

    name: Text
    span: Span
    description: Text | Opaque | None = None
    required: bool | Opaque = True
    free: bool = False


@dataclass(frozen=True, slots=True)
class Malformed:
    """A part of a definition that is there and is not what the protocol allows; `why` completes "the title is …"."""

    part: str
    why: str
    span: Span


@dataclass(frozen=True, slots=True)
class Tool:
    """One entry of the server's `tools/list`, as far as the source tells it.

    `span` is the whole declaration: the decorated function, the `Tool(...)` expression, the trait implementation. `handler` is
    the function that is the tool, `type` the name of the type where it is one, `by_contract` whether that tells its name, its
    description and its schema each by a method of its own, `again` where it is registered once more; `branch` what answers it
    in a function that chooses by the tool's name, of which only what it does and reads is known. `reached` is the code that
    a call of it comes to, which is looked for when somebody asks.
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
    parameters: tuple[ToolParameter, ...] | Opaque = ()
    conditions: tuple[Condition, ...] = ()
    handler: Handler | None = None
    branch: Handler | None = None
    type: Text | None = None
    by_contract: bool = False
    again: tuple[Text, ...] = ()
    assumptions: tuple[Hole, ...] = ()
    """Parts that are given as they are if nothing is configured, by name: `description`, `name`."""
    malformed: tuple[Malformed, ...] = ()
    reached: Sequence[CodePiece] = field(default=(), compare=False, repr=False)

    @property
    def shown(self) -> str:
        """The tool as a message names it."""
        return f"tool `{self.name}`" if isinstance(self.name, Text) and self.name.strip() else "tool"

    @property
    def code(self) -> Handler | None:
        """What runs when it is called, whether a function of its own or a branch."""
        return self.handler or self.branch

    @property
    def definition(self) -> dict[str, Any]:
        """What it consists of, by the names that `tools/list` has."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": self.annotations,
            "icons": self.icons,
            "_meta": self.meta,
        }

    @property
    def arguments(self) -> tuple[Part, ...]:
        """The named values of its arguments, as far as they can be read: arguments first, then what lies in them."""
        return self.input_schema.parts if isinstance(self.input_schema, Schema) else ()

    @property
    def said(self) -> Text | None:
        """Its description, if there is one that can be read."""
        return self.description if isinstance(self.description, Text) and self.description.strip() else None

    def place(self, path: Path = ()) -> Span:
        """Return the place of a part of its input schema, or of the nearest around it that has one."""
        places = self.input_schema.places if isinstance(self.input_schema, Schema) else {}
        for length in range(len(path), 0, -1):
            if path[:length] in places:
                return places[path[:length]]
            if length == 2 and path[0] == "properties" and isinstance(self.parameters, tuple):
                found = next((each for each in self.parameters if each.name == path[1]), None)
                if found is not None:
                    at = found.description if path[2:] == ("description",) else None
                    return at.span if isinstance(at, Text) else found.span
        return places.get((), self.name.span if isinstance(self.name, Text) else self.span)

    def iter_unreadable(self, *, certain: bool = False) -> Iterator[str]:
        """Name every part that cannot be read, as `part: reason`; parts are named as `tools/list` names them.

        With `certain`, without those that are read for a run without configuration.
        """
        for part, value in self.definition.items():
            if isinstance(value, Opaque):
                yield f"{part}: {value.reason}"
            elif isinstance(value, Schema):
                yield from (_format_named(hole, part) for hole in value.holes if not (certain and hole.assumed))
        if not certain:
            yield from (_format_named(hole, "") for hole in self.assumptions)


def _format_named(hole: Hole, part: str) -> str:
    """Name a hole by its place: `inputSchema.properties.mode: reason`."""
    place = f"{part}{'.' if hole.path and part else ''}{hole.path}"
    return f"{place}: {'read for a run without configuration; ' if hole.assumed else ''}{hole.opaque.reason}"


UNLISTED = "no tool of this server can be read from the source"
"""Why a server has no tools, where no more is known."""


@dataclass(frozen=True, slots=True)
class Server:
    """One MCP server. `framework` is the distribution that its tools are declared with: `mcp`, `fastmcp`, `rmcp`.

    `list_changed` is the capability by which a live server promises to tell of changes of its tools; None if it was not asked.
    `runs_inline` tells that its SDK surely runs tools that are plain functions on the thread of the event loop; `annotates` that
    it can give tools annotations, or may.
    """

    name: Text | Opaque | None
    language: Language
    framework: str
    span: Span
    tools: tuple[Tool, ...] = ()
    entry: CallEntry | None = None
    unreadable: tuple[Opaque, ...] = ()
    list_changed: bool | None = None
    runs_inline: bool = False
    annotates: bool = True


@dataclass(frozen=True, slots=True)
class Drift:
    """A part of a tool that the live server answers otherwise than the source says it.

    `part` is dotted as `tools/list` names it, or `tool`, of which `source` and `live` then say whether it is there. Where it is
    `listChanged`, there is no tool: `source` says whether a promise is in the source (False: nor is anything that keeps it).
    """

    tool: str
    part: str
    source: Any
    live: Any
    span: Span
