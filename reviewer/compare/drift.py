"""What the source says and what the live server answers, part by part: two Projects → the places where they part."""

from collections.abc import Iterator
from typing import Any

from reviewer.facts import Drift, Project, Schema, Server, Tool
from reviewer.source import Opaque, Span, Text

ANNOUNCING = frozenset({"fastmcp"})
"""Frameworks that promise to tell of changes for every server, and do so themselves."""

PARTS = ("title", "description", "inputSchema", "outputSchema", "annotations")
"""What a model is shown, or a client decides by. Tools are paired by `name`; `icons` and `_meta` are not compared."""


def find_drifts(source: Project, live: Project) -> tuple[Drift, ...]:
    """Compare tools by name. What cannot be read in the source, or is only there under a condition, is passed over."""
    return (*_iter_drifts(source, live), *_compare_promises(source, live))


def _iter_drifts(source: Project, live: Project) -> Iterator[Drift]:
    answered = {str(tool.name): tool for server in live.servers for tool in server.tools if isinstance(tool.name, Text)}
    declared: dict[str, list[Tool]] = {}
    for server in _choose_servers(source, answered):
        for tool in server.tools:
            if isinstance(tool.name, Text):
                declared.setdefault(str(tool.name), []).append(tool)
        complete = not server.unreadable and all(isinstance(tool.name, Text) for tool in server.tools)
        if complete:
            for name in answered:
                if name not in declared:
                    yield Drift(name, "tool", "not declared", "listed", server.span)
    for name, tools in declared.items():
        if name in answered:
            found = [list(_iter_changed_parts(tool, answered[name])) for tool in tools]
            yield from min(found, key=len)
        elif all(not tool.conditions for tool in tools):
            yield Drift(name, "tool", "declared", "not listed", tools[0].span)


def _compare_promises(source: Project, live: Project) -> Iterator[Drift]:
    """Compare what both promise of changes of the tools; a promise in the source that nothing keeps is another rule's matter."""
    promised = {each.list_changed for each in live.servers} - {None}
    if len(promised) != 1 or not source.servers:
        return
    claims = [each for found in source.list_changes for each in found.advertised if each.claims is not False]
    kept = any(found.sent or found.forwards or found.made for found in source.list_changes)
    if promised == {False}:
        for each in claims:
            if each.claims:
                yield Drift("", "listChanged", True, False, each.text.span)
    elif not claims and not kept and all(each.framework not in ANNOUNCING for each in source.servers):
        yield Drift("", "listChanged", False, True, source.servers[0].span)


def _choose_servers(source: Project, answered: dict[str, Tool]) -> list[Server]:
    """Choose the servers of the source that the live one may be: those that share most names with it."""
    shared = {
        index: len({str(tool.name) for tool in server.tools} & answered.keys())
        for index, server in enumerate(source.servers)
    }
    most = max(shared.values(), default=0)
    return [server for index, server in enumerate(source.servers) if shared[index] == most]


def _iter_changed_parts(tool: Tool, live: Tool) -> Iterator[Drift]:
    hidden = [part.partition(":")[0] for part in tool.iter_unreadable()]
    for part in PARTS:
        mine, other = _to_plain(tool.definition[part]), _to_plain(live.definition[part])
        if isinstance(mine, Opaque):
            continue
        for path, said, answer in iter_differences(mine, other, part):
            if not any(path == hole or path.startswith(f"{hole}.") or hole.startswith(f"{path}.") for hole in hidden):
                yield Drift(str(tool.name), path, said, answer, _place(tool, path))


def _to_plain(value: Any) -> Any:
    if isinstance(value, Schema):
        return None if value.absent else value.document
    return str(value) if isinstance(value, Text) else value


def iter_differences(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the innermost places where two JSON values part, with both values; an absent member counts as null."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            yield from iter_differences(one.get(key), other.get(key), f"{path}.{key}")
    elif one != other or isinstance(one, bool) != isinstance(other, bool):
        if not (
            isinstance(one, list)
            and isinstance(other, list)
            and path.endswith(".required")
            and sorted(one) == sorted(other)
        ):
            yield path, one, other


def _place(tool: Tool, path: str) -> Span:
    part, _, below = path.partition(".")
    if part == "inputSchema":
        return tool.place(tuple(below.split(".")) if below else ())
    value = tool.definition[part]
    return value.span if isinstance(value, Text) else tool.span
