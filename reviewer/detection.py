"""A project → the profile that its code calls for, and why."""

from reviewer.facts import Handler, Project, Server
from reviewer.patterns import pattern
from reviewer.source import Span, Text

FEWEST = 2
"""Tools of which it can be told that they keep to a guideline."""


def detected(project: Project) -> tuple[str, str]:
    """Return the name of the profile, and what it was told by."""
    if project.catalogs:
        return "action-dispatch", f"action catalog at {_place(project.catalogs[0].span)}"
    if project.guards:
        return "action-dispatch", f"response guard `{project.guards[0].name}` at {_place(project.guards[0].span)}"
    by_guideline = next(filter(None, map(_guideline, project.servers)), None)
    return by_guideline or ("core", "the default; no action catalog found")


def _guideline(server: Server) -> tuple[str, str] | None:
    """Tell whether most tools of a server are named object.operation and take one `input` model."""
    dotted = [tool for tool in server.tools if isinstance(tool.name, Text) and _DOTTED.fullmatch(tool.name)]
    if len(dotted) < FEWEST or len(dotted) * 2 <= len(server.tools):
        return None
    keeping = [tool for tool in dotted if tool.handler is not None and _takes_one_model(tool.handler)]
    if len(keeping) * 2 <= len(server.tools):
        return None
    count = f"{len(keeping)} of {len(server.tools)} tools"
    return "object-operation", f"{count} are named object.operation and take one `input` model"


_DOTTED = pattern(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


def _takes_one_model(handler: Handler) -> bool:
    takes = handler.takes
    return takes is not None and [str(each.name) for each in takes] == ["input"] and takes[0].model is True


def _place(span: Span) -> str:
    return f"{span.path}:{span.line}"
