"""Functions that choose by a tool's name, as `call_tool` does where no macro routes the calls, and tools that are types."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

from tree_sitter import Node

from reviewer.facts import Flag, Handler, Server, Tool
from reviewer.languages.nodes import child, matches, string_of
from reviewer.languages.pages import PAGING
from reviewer.languages.rust.behaviour import outcomes
from reviewer.languages.rust.behaviour.conduct import acts_of
from reviewer.languages.rust.behaviour.dispatches import literal_arms, outer_of
from reviewer.languages.rust.behaviour.requests import Arms
from reviewer.languages.rust.callees import owner
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Text

RUNNING = ("run_tool", "call_tool", "call", "execute", "run", "handle", "invoke")
"""What the function is called by which a type that is a tool does its work."""


def by_tool(items: Items, servers: tuple[Server, ...]) -> Iterator[Handler]:
    """Give the arms of matches on the names of tools of which nothing else tells the code."""
    names = {tool.name for server in servers for tool in server.tools if tool.handler is None}
    wanted = sorted(re.escape(name.encode()) for name in names if isinstance(name, Text))
    found = re.compile(rb"\"(?:" + b"|".join(wanted) + rb")\"") if wanted else None
    for path in items.mentioning(found) if found is not None else ():
        for each in matches(items.root(path), "rust", "serving"):
            yield from _arms(items, each["match"], each["body"], path, {str(name) for name in names})


def with_branches(items: Items, servers: tuple[Server, ...]) -> tuple[Server, ...]:
    """Give the servers, their tools with what answers each where no function of its own is known to."""
    rust = tuple(each for each in servers if any(tool.handler is None for tool in each.tools))
    if not rust:
        return servers
    found: dict[str, list[Handler]] = {}
    for branch in by_tool(items, rust):
        found.setdefault(str(branch.name), []).append(branch)
    return tuple(
        replace(each, tools=tuple(_with_branch(items, tool, found) for tool in each.tools)) if each in rust else each
        for each in servers
    )


def _with_branch(items: Items, tool: Tool, found: dict[str, list[Handler]]) -> Tool:
    """Give a tool with the method of its own type, or with its arm: the one in its own file, or the only one."""
    if tool.handler is not None:
        return tool
    own, branches = _of_type(items, tool), found.get(str(tool.name), [])
    here = [each for each in branches if each.span.path == tool.span.path]
    chosen = own or (here or branches)[:1] if len(here) == 1 or len(branches) == 1 else own
    return replace(tool, branch=chosen[0]) if chosen else tool


def _of_type(items: Items, tool: Tool) -> list[Handler]:
    """Find the method by which a type that is declared as a tool does its work."""
    path, end = tool.span.path, tool.span.end_line - 1
    node: Node | None = (
        items.root(path).descendant_for_point_range((end, 0), (end, 0)) if path in items.sources else None
    )
    while node is not None and node.type != "struct_item":
        node = node.parent
    name = child(node, "name")
    if name is None:
        return []
    for method in RUNNING:
        for each in items.functions(method):
            if owner(each.node) == string_of(name) and each.path == path:
                text = items.text(path, child(each.node, "name") or each.node)
                return [Handler(text, items.span(path, each.node), acts=acts_of(items, each.node, path))]
    return []


def _arms(items: Items, match: Node, body: Node, path: str, names: set[str]) -> Iterator[Handler]:
    arms = list(literal_arms(items, body, path))
    known = {str(name) for _, each in arms for name in each} & names
    if in_test(match) or len(known) < min(2, len(names)):
        return
    outer, pages = outer_of(items, match, path), cache(partial(Arms, items, match, path, PAGING))
    for arm, called in arms:
        value = child(arm, "value")
        ways = outcomes.exits_below(items, value, path, outer) if value is not None else ()
        capped = Flag(partial(_looks, pages, value))
        acts = acts_of(items, value, path)
        yield from (Handler(name, items.span(path, arm), ways, capped, acts=acts) for name in called if name in names)


def _looks(pages: Callable[[], Arms], value: Node | None) -> bool:
    return pages().look(value)
