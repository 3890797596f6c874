"""Functions that choose by a tool's name, as `call_tool` does where no macro routes the calls."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from tree_sitter import Node

from reviewer.facts import Flag, Handler, Server
from reviewer.languages.nodes import child, matches
from reviewer.languages.pages import PAGING
from reviewer.languages.rust.behaviour import outcomes
from reviewer.languages.rust.behaviour.conduct import acts_of
from reviewer.languages.rust.behaviour.dispatches import literal_arms, outer_of
from reviewer.languages.rust.behaviour.requests import Arms
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Text


def by_tool(items: Items, servers: tuple[Server, ...]) -> Iterator[Handler]:
    """Give the arms of matches on the names of tools of which nothing else tells the code."""
    names = {tool.name for server in servers for tool in server.tools if tool.handler is None}
    wanted = sorted(re.escape(name.encode()) for name in names if isinstance(name, Text))
    found = re.compile(rb"\"(?:" + b"|".join(wanted) + rb")\"") if wanted else None
    for path in items.mentioning(found) if found is not None else ():
        for each in matches(items.root(path), "rust", "serving"):
            yield from _arms(items, each["match"], each["body"], path, {str(name) for name in names})


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
