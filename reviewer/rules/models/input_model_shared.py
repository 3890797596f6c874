'''Every tool has its own input model.

The fields of a model are what one tool needs, described for it. If two tools share a model, both show a field that only one of
them reads, and a change for one changes the other. A model without fields may be shared.

Bad:

```python
from mcp.server import MCPServer
from pydantic import BaseModel

mcp = MCPServer("tracker")

class TaskInput(BaseModel):
    task_id: str

@mcp.tool(name="task.get")
def task_get(input: TaskInput) -> str:
    """Get a task."""

@mcp.tool(name="task.delete")
def task_delete(input: TaskInput) -> str:  # flaw
    """Delete a task."""
```

Good:

```python
from mcp.server import MCPServer
from pydantic import BaseModel

mcp = MCPServer("tracker")

class TaskGetInput(BaseModel):
    task_id: str

class TaskDeleteInput(BaseModel):
    task_id: str

@mcp.tool(name="task.get")
def task_get(input: TaskGetInput) -> str:
    """Get a task."""

@mcp.tool(name="task.delete")
def task_delete(input: TaskDeleteInput) -> str:
    """Delete a task."""
```
'''

from collections.abc import Iterator

from reviewer.facts import HandlerArgument, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Span, Text


def _find_struct(tool: Tool) -> Text | None:
    """Return the struct that a Rust tool takes all its arguments in, if it has fields."""
    return tool.handler.struct if tool.handler is not None and tool.arguments else None


def _find_input(tool: Tool) -> HandlerArgument | None:
    """Return the model that a tool takes all its arguments in, if it has fields."""
    takes = tool.handler.takes if tool.handler is not None else None
    only = takes[0] if takes is not None and len(takes) == 1 else None
    return only if only is not None and only.model and only.type is not None and _has_fields(tool) else None


def _has_fields(tool: Tool) -> bool:
    return any(part.depth > 1 for part in tool.arguments)


def _find_taken(tool: Tool) -> tuple[Text, str | Span] | None:
    """Return how the model that a tool takes is called, and what tells it from others."""
    struct, model = _find_struct(tool), _find_input(tool)
    if struct is not None:
        return struct, struct.span
    return (model.type, model.of or str(model.type)) if model is not None and model.type is not None else None


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: one-arg rule",),
    when=lambda server: sum(_find_taken(tool) is not None for tool in server.tools) > 1,
    absent="no two tools take a model each",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each input model that an earlier tool takes already."""
    first: dict[str | Span, Tool] = {}
    for tool in server.tools:
        taken = _find_taken(tool)
        if tool.handler is None or taken is None:
            continue
        called, key = taken
        other = first.setdefault(key, tool)
        if other is not tool and other.shown != tool.shown:
            yield Flaw(
                tool.handler.name,
                f"{tool.shown} takes the model `{called}`, which {other.shown} takes, too",
                "Give it its own input model, with the fields it reads.",
                tool,
            )
