"""What handlers cut for its size: put into the facts that are known of them, alike in both languages."""

from dataclasses import replace
from typing import Protocol

from reviewer.facts import Dispatch, Handler, Server, Tool

SHORTEST = 32
"""Characters. What is cut to fewer is a label, no answer."""

SMALLEST = 512
"""Characters or bytes. A comparison with fewer does not bound an answer."""

ORDER = frozenset({">", ">=", "<", "<="})


class Reader(Protocol):
    """Reads what one handler cuts."""

    def handler(self, handler: Handler) -> Handler:
        """Give a handler with its cuts."""


def put_in(
    reader: Reader, choices: tuple[Dispatch, ...], servers: tuple[Server, ...], handlers: tuple[Handler, ...]
) -> tuple[tuple[Dispatch, ...], tuple[Server, ...], tuple[Handler, ...]]:
    """Give dispatches, servers and other handlers with what they cut."""

    def tool(each: Tool) -> Tool:
        return replace(each, handler=reader.handler(each.handler)) if each.handler is not None else each

    cut = tuple(replace(each, arms=tuple(reader.handler(arm) for arm in each.arms)) for each in choices)
    served = tuple(replace(server, tools=tuple(map(tool, server.tools))) for server in servers)
    return cut, served, tuple(reader.handler(each) for each in handlers)
