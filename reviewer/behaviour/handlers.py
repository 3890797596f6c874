"""The handlers of dispatches and servers, each replaced by one of which more is known."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from reviewer.facts import Dispatch, Handler, Server, Tool


def with_arms(dispatches: Iterable[Dispatch], known: Callable[[Handler, Dispatch], Handler]) -> Iterator[Dispatch]:
    """Yield dispatches with what is known of each of their arms."""
    for each in dispatches:
        yield replace(each, arms=tuple(known(arm, each) for arm in each.arms))


def with_functions(
    servers: Iterable[Server],
    known: Callable[[Handler], Handler],
    of_branch: Callable[[Handler], Handler] = lambda branch: branch,
) -> Iterator[Server]:
    """Yield servers with what is known of each function of a tool's own, and of what else answers one."""

    def attach_handlers(each: Tool) -> Tool:
        branch = of_branch(each.branch) if each.branch is not None else None
        return replace(each, handler=known(each.handler) if each.handler is not None else None, branch=branch)

    for each in servers:
        yield replace(each, tools=tuple(map(attach_handlers, each.tools)))
