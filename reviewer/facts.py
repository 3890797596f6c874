"""What was read from a server's source, in terms that hold for every language.

An adapter in `reviewer.languages` writes facts; rules read them. Wherever something may be missing or unreadable, three
values are kept apart: `None` (it is not there), the value itself (it was read), `Opaque` (it is there, and cannot be read).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from reviewer.source import Opaque, Span, Text

Json = dict[str, Any]
Language = Literal["python", "rust"]
TransportKind = Literal["stdio", "streamable-http", "sse"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which something is registered: `if READ_ONLY`, `#[cfg(unix)]`."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a schema that cannot be read; `path` is dotted from the schema's root: `properties.mode.enum`.

    One that is `assumed` stands in the document as it is if nothing is configured.
    """

    path: str
    opaque: Opaque
    assumed: bool = False


class Schema:
    """A JSON Schema as the live server would answer it, made when it is first looked at.

    `holes` are the parts of it that cannot be read, left out of `document`; one with an empty path stands for the whole.
    `absent` tells that, once looked at, there is none: `make` gave None.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[Json | None, tuple[Hole, ...]]]) -> None:
        self._make = make
        self._made: tuple[Json | None, tuple[Hole, ...]] | None = None

    @classmethod
    def of(cls, document: Json, holes: tuple[Hole, ...] = ()) -> "Schema":
        """Make a schema whose document is at hand."""
        return cls(lambda: (document, holes))

    @property
    def document(self) -> Json:
        """The schema, without the parts that cannot be read."""
        return self._read()[0] or {}

    @property
    def absent(self) -> bool:
        """Whether the live server answers no schema."""
        return self._read()[0] is None

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The parts that cannot be read."""
        return self._read()[1]

    def _read(self) -> tuple[Json | None, tuple[Hole, ...]]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __eq__(self, other: object) -> bool:
        """Compare what was read."""
        return isinstance(other, Schema) and self._read() == other._read()

    __hash__ = None  # type: ignore[assignment]  # a document is a dict

    def __repr__(self) -> str:
        """Show what was read."""
        return f"Schema({self.document!r}, {self.holes!r})"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One top-level argument of a tool or an action, with the place where it is declared."""

    name: Text
    span: Span
    description: Text | Opaque | None = None
    required: bool | Opaque = True


@dataclass(frozen=True, slots=True)
class Exit:
    """One way in which a handler gives its result back.

    `through` names the functions that the value passes on its way out, outermost first, calls into the project followed
    one deep: `Ok(respond(action, v))` has `("respond",)`, `Ok(page(v))` has `("page", "respond")` if `page` ends in
    `respond`. `text` is the returned expression.
    """

    text: Text
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Handler:
    """The code that answers one tool or one action. Returned errors are not among its exits.

    `capped` tells that the code itself cuts what it gives: a slice, a limit handed on.
    """

    name: Text
    span: Span
    exits: tuple[Exit, ...] = ()
    capped: bool = False


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
class Action:
    """One row of an action catalog: what a dispatching tool takes in its `action` argument."""

    name: Text
    span: Span
    description: Text | Opaque | None = None
    destructive: bool | Opaque | None = None
    parameters: tuple[Parameter, ...] | Opaque = ()
    returns: Text | Opaque | None = None


@dataclass(frozen=True, slots=True)
class Catalog:
    """A table of actions. `domain` is what the table is for: the folder or module that holds it."""

    domain: str
    span: Span
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A function that chooses by action name; each arm is a handler named after its action."""

    name: Text
    span: Span
    arms: tuple[Handler, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """The place where a server's tool calls come in.

    `isolation` is the expression that keeps a panic of a handler from leaving the call unanswered, if there is one; `abort`
    the setting by which a panic ends the whole process instead.
    """

    name: Text
    span: Span
    isolation: Text | None = None
    abort: Text | None = None


@dataclass(frozen=True, slots=True)
class Rescue:
    """A place that catches a panic or an exception of a handler and answers in its stead.

    `leak` is the expression by which the caught text (panic payload, traceback) reaches the client, if it does.
    """

    span: Span
    leak: Text | None = None


@dataclass(frozen=True, slots=True)
class Transport:
    """A transport that the code serves on; `text` is the expression that wires it."""

    kind: TransportKind
    text: Text


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a domain type. `type` is as written, without `Option`/`Optional`; `bounded` if its size is limited."""

    name: Text
    type: str
    span: Span
    bounded: bool = False


@dataclass(frozen=True, slots=True)
class DomainType:
    """A type that is serialized into answers. `mark` is what bounds a field in its language."""

    name: Text
    span: Span
    fields: tuple[Field, ...] = ()
    mark: str = "#[truncate]"


@dataclass(frozen=True, slots=True)
class Ignore:
    """A suppression comment. `covers` is the line it ends or the item it stands over.

    `used` is None until the review is done; then it tells whether a finding was suppressed by it.
    """

    slugs: tuple[Text, ...]
    reason: Text | None
    span: Span
    covers: Span
    used: bool | None = None


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


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that was read under one root.

    `guards` are the functions of the shape `respond(action, value)` that bound an answer; `broken` names files that could
    not be read in full.
    """

    servers: tuple[Server, ...] = ()
    transports: tuple[Transport, ...] = ()
    catalogs: tuple[Catalog, ...] = ()
    dispatches: tuple[Dispatch, ...] = ()
    rescues: tuple[Rescue, ...] = ()
    domain_types: tuple[DomainType, ...] = ()
    guards: tuple[Text, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    broken: tuple[Opaque, ...] = field(default=())

    def merged(self, other: "Project") -> "Project":
        """Join what two adapters read under the same root."""
        return Project(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)  # dataclass order
        )
