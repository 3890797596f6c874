'''In `object.operation` names, the operation does not repeat the object.

`analytics.get_analytics` costs more tokens than `analytics.get` and says no more. If some names repeat the object and others do
not, a model guesses the next one wrong.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create_task")  # flaw
def task_create_task(title: str) -> str:
    """Create a task."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create")
def task_create(title: str) -> str:
    """Create a task."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.operations import find_repeated_word
from reviewer.source import Text


def _is_dotted(tool: Tool) -> bool:
    return isinstance(tool.name, Text) and "." in tool.name


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: object.operation",),
    when=_is_dotted,
    absent="no tool is named object.operation",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each operation name that repeats the words of its object."""
    if isinstance(tool.name, Text) and (word := find_repeated_word(tool.name)) is not None:
        yield Flaw(tool.name, f"tool name `{tool.name}` repeats `{word}`", "Remove it from the operation.", tool)
