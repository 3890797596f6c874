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
    """Whether it certainly does not hold if the server is started as the project says."""


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One top-level argument of a tool or an action, with the place of its declaration.

    `free` is whether it takes an object whose keys are not declared.
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

    `span` is the whole declaration: the decorated function, the `Tool(...)` expression, the trait implementation.
    `handler` is the function of the tool, and `type` the name of its type if it is one; `by_contract` is whether
    methods of the type return its name, description and schema; `again` is the place of a second registration. `branch`
    is its code in a function that dispatches on the tool's name, of which only the acts and arguments are known.
    `reached` is the code that a call reaches, found on demand.
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
    """One MCP server. `framework` is the distribution with which its tools are declared: `mcp`, `fastmcp`, `rmcp`.

    `list_changed` is the advertised capability of a live server; None if none was asked. `runs_inline` is whether its
    SDK certainly runs plain functions on the thread of the event loop; `annotates` whether it can, or may, give tools
    annotations.
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
    """A part of a tool in which the live server differs from the source.

    `part` is its dotted path in `tools/list`, or `tool`; then `source` and `live` say whether the tool exists. For
    `listChanged` there is no tool: `source` is whether the source advertises it (False: nor does it contain anything
    that could).
    """

    tool: str
    part: str
    source: Any
    live: Any
    span: Span
