"""What a server does to its tools after they were declared: hides them, removes them, rewrites what it lists of them."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reviewer.facts import Condition, Hole, Tool
from reviewer.languages.python.values import (
    Arguments,
    Class,
    Const,
    Function,
    Instance,
    Items,
    Method,
    Unknown,
    Value,
    assumed,
    bare,
    text_of_value,
)
from reviewer.source import Opaque, Span, Text

if TYPE_CHECKING:
    from reviewer.languages.python.evaluator import Evaluator

LISTING = (
    "list_tools",
    "transform_tools",
    "on_list_tools",
    "_list_tools",
    "_list_tools_mcp",
    "_mcp_list_tools",
    "get_tools",
)
"""Methods by which a transform, a middleware or a server of the project decides what is listed."""
PARTS = {
    "description": (b"description",),
    "inputSchema": (b"parameters", b"input_schema", b"inputSchema"),
    "annotations": (b"annotations",),
}
"""What of a tool a piece of code may change, by the words that it would need for it."""
REMOVING = frozenset({"remove_tool", "disable"})
INNER = frozenset({"_tool_manager", "local_provider", "_local_provider", "tool_manager"})
"""Attributes of a server that hold its tools."""
LOWER = frozenset({"_mcp_server", "_lowlevel_server"})
"""Attributes of a server that are the low-level server under it."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One change of what a server lists. `names` are the tools it concerns, None for any; `touches` the parts it rewrites."""

    server: Instance | None
    text: str
    span: Span
    names: frozenset[str] | None = None
    touches: tuple[str, ...] = ()

    def concerns(self, tool: Tool) -> bool:
        """Tell whether a tool may be changed."""
        return self.names is None or not isinstance(tool.name, Text) or str(tool.name) in self.names


def revised(tools: list[Tool], revisions: list[Revision]) -> list[Tool]:
    """Put the changes that may be made to tools into their conditions and assumptions."""
    return [_revised(tool, [each for each in revisions if each.concerns(tool)]) for tool in tools]


def _revised(tool: Tool, revisions: list[Revision]) -> Tool:
    if not revisions:
        return tool
    conditions = [Condition(each.text, each.span) for each in revisions]
    holes = [
        Hole(part, Opaque(f"may be rewritten: {each.text}: {each.span.path}:{each.span.line}", each.span), assumed=True)
        for each in revisions
        for part in each.touches
    ]
    return replace(
        tool,
        conditions=(*tool.conditions, *dict.fromkeys(conditions)),
        assumptions=(*tool.assumptions, *dict.fromkeys(holes)),
    )


def by_object(run: "Evaluator", server: Instance, value: Value, span: Span) -> None:
    """Note a transform or a middleware of the project that changes what a server lists."""
    made = assumed(bare(value))[0]
    cls = made.made_by if isinstance(made, Instance) else None
    methods = _listing_methods(cls) if isinstance(cls, Class) else []
    if isinstance(cls, Class) and methods:
        run.revisions.append(
            Revision(server, f"as `{cls.name}` lists it", span, None, _touched([cls.node.text or b""]))
        )


def by_class(run: "Evaluator", server: Instance) -> None:
    """Note a server class of the project that decides itself what it lists."""
    methods = _listing_methods(server.made_by) if isinstance(server.made_by, Class) else []
    for method in methods:
        span = method.scope.module.span(method.node)
        texts = (
            [method.scope.module.source.data] if b"self._" in (method.node.text or b"") else [method.node.text or b""]
        )
        run.revisions.append(Revision(server, f"as `{method.name}` lists it", span, None, _touched(texts)))


def by_handler(run: "Evaluator", server: Instance, handler: Function) -> None:
    """Note a list handler that stands before that of a high-level server."""
    span = handler.scope.module.span(handler.node)
    touched = _touched([handler.node.text or b""])
    run.revisions.append(Revision(server, f"as `{handler.name}` lists it", span, None, touched))


def by_call(run: "Evaluator", server: Instance, name: str, arguments: Arguments) -> Value:
    """Note a call that removes or hides tools by name, tag or key."""
    given = arguments.get("names") or arguments.get("name", 0) or arguments.get("keys", 0)
    run.revisions.append(Revision(server, f"unless `{name}` takes it out", arguments.span, _names(given)))
    return Const(None, arguments.span)


def by_deletion(run: "Evaluator", holder: Value, written: str, key: Value, span: Span) -> None:
    """Note `del server._tool_manager._tools[name]`."""
    text = "unless `del` takes it out"
    if isinstance(holder, Method) and isinstance(holder.receiver, Instance) and holder.name == "_tools":
        server = run.same_server.get(id(holder.receiver), holder.receiver)
        run.revisions.append(Revision(server, text, span, _names(key)))
    elif isinstance(holder, Unknown | Method) and written.endswith(("._tools", ".tools")):
        run.revisions.append(Revision(None, text, span, _names(key)))


def _names(value: Value | None) -> frozenset[str] | None:
    """Give the names that are handed over, None where only a run can tell."""
    plain = assumed(value)[0] if value is not None else None
    if isinstance(plain, Items) and not plain.open:
        texts = [text_of_value(bare(each)) for each in plain.items]
        return frozenset(str(text) for text in texts if text is not None) if None not in texts else None
    text = text_of_value(plain) if plain is not None else None
    return frozenset({str(text)}) if text is not None else None


def _listing_methods(cls: Class) -> list[Function]:
    return [found for name in LISTING if isinstance(found := cls.lookup(name), Function)]


def _touched(texts: list[bytes]) -> tuple[str, ...]:
    return tuple(part for part, words in PARTS.items() if any(word in text for word in words for text in texts))
