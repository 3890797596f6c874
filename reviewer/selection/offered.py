"""The tools of a server as a model is offered them: names, titles, descriptions and schemas, in an order of their own."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

from reviewer.facts import Project, Schema, Tool
from reviewer.facts.parts import Json
from reviewer.judge.hostile import escape_texts
from reviewer.judge.question_requests import format_json
from reviewer.records import dataclass
from reviewer.selection.labels import assign_labels, hide_names
from reviewer.source import Opaque, Text


@dataclass(frozen=True, slots=True)
class Offered:
    """One tool. `schema` is None if it cannot be read, `unread` says what of the tool cannot be.

    Beside tools of other servers, `label` is the name that it is shown by if that is another, `server` whose it is if not the
    measured one's, and `own` how it is called there.
    """

    name: str
    title: str
    description: str
    schema: Json | None
    unread: tuple[str, ...]
    tool: Tool
    label: str = ""
    server: str = ""
    own: str = ""

    def build_definition(self, description: str | None = None) -> dict[str, Any]:
        """Return it as `tools/list` does, with another description if one is given; an empty one is left out."""
        said = self.description if description is None else description
        parts = {"name": self.label or self.name, "title": self.title, "description": said}
        shown = {name: each for name, each in parts.items() if each}
        return {**shown, "inputSchema": self.schema if self.schema is not None else {"type": "object"}}


def offer_tools(project: Project) -> list[Offered]:
    """Return the tools of a project that have a name, each name once: an agent that has all its servers sees the first of
    them."""
    found: dict[str, Offered] = {}
    for server in project.servers:
        for tool in server.tools:
            if isinstance(tool.name, Text) and tool.name.strip():
                found.setdefault(str(tool.name), _offer_tool(str(tool.name), tool))
    return list(found.values())


def count_left_out(project: Project) -> int:
    """Count the tools that have no name that can be read, and those whose name another one has."""
    return sum(len(server.tools) for server in project.servers) - len(offer_tools(project))


def _offer_tool(name: str, tool: Tool) -> Offered:
    schema = tool.input_schema
    whole = isinstance(schema, Schema) and not schema.absent and not schema.hides()
    parts = ("description", "inputSchema", "title")
    unread = tuple(each for each in tool.iter_unreadable(certain=True) if each.partition(":")[0].startswith(parts))
    document = schema.document if isinstance(schema, Schema) and whole else None
    missing = schema is None or (isinstance(schema, Schema) and schema.absent)
    return Offered(
        name,
        _get_text(tool.title),
        _get_text(tool.description),
        {"type": "object"} if missing else document,
        unread,
        tool,
    )


def _get_text(value: Text | Opaque | None) -> str:
    return str(value).strip() if isinstance(value, Text) else ""


class OfferedTools:
    """All tools as they are offered at once, under a name for how they were changed; `known` has names by what is shown."""

    def __init__(self, variant: str, tools: Sequence[dict[str, Any]], known: Mapping[str, str] | None = None) -> None:
        self.variant = variant
        self.tools = escape_texts(list(tools))
        self._known = known

    def resolve_name(self, shown: str) -> str:
        """Return the name of the tool that is shown by a name or label. What is not shown is no tool's name."""
        if self._known is None or shown in self._known:
            return shown if self._known is None else self._known[shown]
        return f"{shown} (not listed)" if shown in self._known.values() else shown

    @cached_property
    def digest(self) -> str:
        """What tells this listing from every other, whatever it is called."""
        return sha256(format_json(self.tools).encode()).hexdigest()


def order_tools(tools: Sequence[Offered], seed: int, number: int) -> list[Offered]:
    """Return the tools in one of the orders that a seed has. A tool that is added leaves the others in their order."""
    return sorted(tools, key=lambda each: sha256(f"{seed}\0{number}\0{each.label or each.name}".encode()).digest())


def list_unchanged(tools: Sequence[Offered], variant: str = "as it is", *, hidden: bool = False) -> OfferedTools:
    """List tools with the descriptions that they have; `hidden` shows neutral labels in the place of all names."""
    return _list_tools(variant, tools, lambda _: None, hidden=hidden)


def list_without(tools: Sequence[Offered], names: Collection[str], *, hidden: bool = False) -> OfferedTools:
    """List tools, some of them without their descriptions."""
    return _list_tools(
        f"without {', '.join(names)}", tools, lambda each: "" if each.name in names else None, hidden=hidden
    )


def list_rewritten(tools: Sequence[Offered], texts: Mapping[str, str], *, hidden: bool = False) -> OfferedTools:
    """List tools, some of them with other descriptions."""
    return _list_tools("rewritten", tools, lambda each: texts.get(each.name), hidden=hidden)


def _list_tools(
    variant: str, tools: Sequence[Offered], said: Callable[[Offered], str | None], *, hidden: bool
) -> OfferedTools:
    shown = [each.build_definition(said(each)) for each in tools]
    if hidden:
        labels = assign_labels(tools)
        bare = [hide_names(one, each, labels, tools) for one, each in zip(shown, tools, strict=True)]
        return OfferedTools(variant, bare, {label: name for name, label in labels.items()})
    return OfferedTools(variant, shown, {each.label or each.name: each.name for each in tools})


def iter_lots(tools: Sequence[Offered], count: int | None) -> Iterator[tuple[str, ...]]:
    """Divide the tools that have a description into lots, of one tool each or so many lots as are asked for."""
    named = [each.name for each in tools if each.description]
    number = len(named) if count is None else max(1, min(count, len(named)))
    for start in range(number):
        if named[start::number]:
            yield tuple(named[start::number])
