"""What the guard of a project has not seen."""

from collections.abc import Collection, Iterator

from reviewer.facts import Handler, HandlerResult, Project
from reviewer.rules.shared.actions import META


def collect_handlers(project: Project) -> list[Handler]:
    """Return the handlers that must answer through the guard: the arms of dispatches, or the tools if there are none."""
    arms = [arm for dispatch in project.dispatches for arm in dispatch.arms if arm.name not in META]
    tools = [tool.handler for server in project.servers for tool in server.tools if tool.handler is not None]
    return arms if project.dispatches else [*tools, *project.handlers]


def iter_unguarded_exits(project: Project, guards: Collection[str] = ()) -> Iterator[tuple[Handler, HandlerResult]]:
    """Yield the exits by which handlers give back what no guard has seen, some of which are named."""
    accepted = {*guards, *(each.name for each in project.guards), *(each.name for each in project.dispatches)}
    for handler in collect_handlers(project):
        yield from ((handler, way) for way in handler.exits if accepted.isdisjoint(way.through))
