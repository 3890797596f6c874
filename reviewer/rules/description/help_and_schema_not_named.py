'''Descriptions of tools with an `action` parameter mention the `help` and `schema` actions.

They tell an agent what an action takes before it calls it. If the description does not mention them, agents guess the
parameters.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("item")

@mcp.tool(description="item: Keep items.\\nParameters:\\n- action: subject.verb\\n- params: depend on the action")  # flaw
def item(action: str, params: dict | None = None) -> str: ...
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("item")

@mcp.tool()
def item(action: str, params: dict | None = None) -> str:
    """item: Keep the items of a list.

    Parameters:
    - action (required): subject.verb. Call {action:"help"} for the full catalog.
    - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
    """
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import iter_dispatching_tools
from reviewer.rules.shared.words.elements import extract_element, names_action
from reviewer.source import Text


@rule(
    Severity.WARNING,
    cites=("checklist §9",),
    when=lambda project: any(isinstance(tool.description, Text) for tool in iter_dispatching_tools(project)),
    absent="no tool that takes an action has a description that can be read",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each description that does not name `help` and `schema`, in its part about parameters if it
    has one.
    """
    for tool in iter_dispatching_tools(project):
        if not isinstance(tool.description, Text) or not tool.description.strip():
            continue
        parameters = extract_element(tool.description, "parameters")
        lacking = [f"`{name}`" for name in ("help", "schema") if not names_action(parameters or tool.description, name)]
        if lacking:
            where = "the parameters in the description" if parameters else "the description"
            yield Flaw(
                tool.description,
                f"{where} of `{tool.name}` {'do' if parameters else 'does'} not name the {' and '.join(lacking)} "
                f"action{'s' if len(lacking) > 1 else ''}",
                'Write: Call {action:"help"} for the full catalog, {action:"schema", params:{action:"X"}} for shape.',
            )
