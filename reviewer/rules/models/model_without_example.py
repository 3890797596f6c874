'''Every input model has a complete example.

Examples of fields show them one by one; which fields go together, and what a typical call looks like, only a complete input
shows. A user interface can offer it, and a model copies it.

Bad:

```python
from mcp.server import MCPServer
from pydantic import BaseModel, Field

mcp = MCPServer("tracker")

class TaskGetInput(BaseModel):  # flaw
    task_id: str = Field(description="The task", examples=["86p9w7x49"])

@mcp.tool(name="task.get")
def task_get(input: TaskGetInput) -> str:
    """Get a task."""
```

Good:

```python
from mcp.server import MCPServer
from pydantic import BaseModel, ConfigDict, Field

mcp = MCPServer("tracker")

class TaskGetInput(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"task_id": "86p9w7x49"}]})

    task_id: str = Field(description="The task", examples=["86p9w7x49"])

@mcp.tool(name="task.get")
def task_get(input: TaskGetInput) -> str:
    """Get a task."""
```
'''

from collections.abc import Iterator
from typing import Any

from reviewer.facts import Part, Tool
from reviewer.facts.parts import parse_pointer
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_argument_schema, read_properties
from reviewer.source import Span


def _find_model(tool: Tool) -> Part | None:
    """Return the one argument of a tool that is an object with fields of its own."""
    top = [part for part in tool.arguments if part.depth == 1 and not part.element]
    document = find_argument_schema(tool)
    alone = document is not None and len(read_properties(document.document)) == len(top) == 1
    return top[0] if alone and any(map(read_properties, top[0].forms)) else None


def _find_whole(tool: Tool) -> tuple[Span, Any] | None:
    """Return the example of a whole input and its place; None for a function with arguments instead of a model."""
    model, schema = _find_model(tool), find_argument_schema(tool)
    if schema is None or not read_properties(schema.document) or schema.hides("examples"):
        return None
    said = schema.document.get("examples", schema.document.get("example"))
    if model is not None:
        target = model.schema.get("$ref")
        path = parse_pointer(target) if isinstance(target, str) else model.path
        if schema.hides(*path, "examples"):
            return None
        return tool.place((*path, "examples")), model.find_keyword("examples") or model.find_keyword("example") or said
    takes = tool.handler.takes if tool.handler is not None else None
    written = takes is None or any(each.is_whole for each in takes)
    return (tool.place(), said) if written else None


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: input models",),
    when=lambda tool: _find_whole(tool) is not None,
    absent="no tool takes a model that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each input model without an example."""
    found = _find_whole(tool)
    if found is not None and not found[1]:
        help = 'Add a complete input: `json_schema_extra={"examples": [{...}]}`, or `examples` next to `properties`.'
        yield Flaw(found[0], f"the input model of {tool.shown} has no complete example", help)
