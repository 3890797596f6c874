'''Tools take a single argument, `input`, with its own model.

A single object with named, described and bounded fields is what a model learns from, what the schema shows, and the one place
to validate input. A tool without arguments takes an empty model, so that a field can be added later. Arguments that the SDK
injects, such as its context, do not count.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.get")
def task_get(task_id: str) -> str:  # flaw
    """Get a task."""

@mcp.tool(name="task.count")
def task_count() -> int:  # flaw
    """Count the tasks."""
```

Good:

```python
from mcp.server import MCPServer
from pydantic import BaseModel

mcp = MCPServer("tracker")

class TaskGetInput(BaseModel):
    task_id: str

class EmptyInput(BaseModel):
    """Nothing is asked for."""

@mcp.tool(name="task.get")
def task_get(input: TaskGetInput) -> str:
    """Get a task."""

@mcp.tool(name="task.count")
def task_count(input: EmptyInput) -> int:
    """Count the tasks."""
```
'''

from collections.abc import Iterator, Sequence

from reviewer.facts import HandlerArgument, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_names, shorten_code


def _find_fault(takes: Sequence[HandlerArgument]) -> str | None:
    """Say what a function takes instead; None if it takes one model, or that cannot be told."""
    if not takes:
        return "takes no argument"
    if len(takes) > 1:
        return f"takes {len(takes)} arguments, {format_names([each.name for each in takes])}"
    (only,) = takes
    if only.name != "input":
        return f"names its argument `{only.name}`" if only.model else f"takes `{only.name}`"
    if only.model is False:
        return (
            f"takes an `input` of type `{shorten_code(only.type)}`" if only.type else "takes an `input` without a type"
        )
    if only.checks is False:
        return (
            f"takes an `input` of type `{shorten_code(only.type)}`, which does not limit its fields"
            if only.type
            else None
        )
    return None


def _has_signature(tool: Tool) -> bool:
    """Return whether it is seen what the function of a tool takes, be it nothing."""
    handler = tool.handler
    return handler is not None and any(each is not None for each in (handler.takes, handler.struct, handler.free))


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: one-arg rule",),
    when=_has_signature,
    absent="no tool is a function whose arguments can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool function that takes anything else than one model."""
    if tool.handler is None:
        return
    takes, free = tool.handler.takes, tool.handler.free
    fault = _find_fault(takes) if takes is not None else None
    fault = f"takes its arguments as `{shorten_code(free)}`, which names none of them" if free is not None else fault
    if fault is not None:
        help = "Take one argument `input` with a model of these fields; use an empty model if there are none."
        yield Flaw(tool.handler.name, f"{tool.shown} {fault}; it should take a single model named `input`", help, tool)
