'''The `help` and `schema` actions exist if a description mentions them.

The description refers an agent to `help` for the list of actions and to `schema` for their parameters. If no code handles these
names, its first call is rejected, and it has to guess after all.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("lamp")

@mcp.tool()
async def lamp(action: str, params: dict | None = None) -> dict:  # flaw
    """lamp: Keep the lamps of a house.

    Parameters:
    - action (required): subject.verb. Call {action:"help"} for the full catalog.
    - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
    """
    return await dispatch(action, params or {})

async def dispatch(action: str, params: dict) -> dict:
    match action:
        case "lamp.list":
            return {"items": await lamps()}
        case "lamp.get":
            return await one(params["id"])
    raise ValueError(f"unknown action {action}")
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("lamp")

@mcp.tool()
async def lamp(action: str, params: dict | None = None) -> dict:
    """lamp: Keep the lamps of a house.

    Parameters:
    - action (required): subject.verb. Call {action:"help"} for the full catalog.
    - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
    """
    return await dispatch(action, params or {})

async def dispatch(action: str, params: dict) -> dict:
    match action:
        case "help":
            return catalog()
        case "schema":
            return shape(params["action"])
        case "lamp.list":
            return {"items": await lamps()}
        case "lamp.get":
            return await one(params["id"])
    raise ValueError(f"unknown action {action}")
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import META, find_catalogs, index_actions, iter_dispatching_tools
from reviewer.rules.shared.words.elements import names_action
from reviewer.rules.shared.words.identifiers import format_names
from reviewer.source import Text


@rule(
    Severity.WARNING,
    cites=("checklist §9", "checklist §5"),
    when=lambda project: bool(project.dispatches) and any(iter_dispatching_tools(project)),
    absent="no tool takes an action's name, or no dispatcher was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each description that names `help` or `schema` if no code compares the action with it."""
    for tool in iter_dispatching_tools(project):
        found = _collect_dispatches(tool, project)
        if not isinstance(tool.description, Text) or not found or any(each.open for each in found):
            continue
        answered = {name for each in found for name in (*each.asked, *(str(arm.name) for arm in each.arms))}
        lacking = [name for name in sorted(META - answered) if names_action(tool.description, name)]
        if lacking:
            yield Flaw(
                tool.name if isinstance(tool.name, Text) else tool.span,
                f"the description of {tool.shown} mentions {format_names(lacking)}, but no code handles "
                f"{'it' if len(lacking) == 1 else 'them'}",
                'Return the catalog for "help", and the parameters of an action for "schema".',
                tool,
            )


def _collect_dispatches(tool: Tool, project: Project) -> list[Dispatch]:
    """Return the dispatches of a tool's actions: those for its catalog, or the only one of the only tool."""
    names = index_actions(find_catalogs(tool, project)).keys()
    shared = [each for each in project.dispatches if names & {str(arm.name) for arm in each.arms}]
    alone = len(project.dispatches) == 1 and len(list(iter_dispatching_tools(project))) == 1
    return shared or (list(project.dispatches) if alone else [])
