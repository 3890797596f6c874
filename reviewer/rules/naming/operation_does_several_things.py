'''A tool's name says one thing that it does.

`task.create_and_assign` is two tools in one, or a tool with an option that is on for ever. A model that wants the one gets
the other as well, and every new option doubles the number of tools. What can be left out belongs into the input.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create_and_assign")  # flaw
def task_create_and_assign(title: str, person: str) -> str:
    """Create a task and assign it."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create")
def task_create(title: str, person: str | None = None) -> str:
    """Create a task, assigned to a person if one is named."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.operations import joined, option
from reviewer.source import Text

HELP = "Name what it does always; let the input say what it may do besides."


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: anti-patterns of names",),
    when=lambda tool: isinstance(tool.name, Text),
    absent="no tool has a name that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for two verbs in a name, and for a word that only turns something on."""
    if not isinstance(tool.name, Text):
        return
    verbs, flag = joined(tool.name), option(tool.name)
    if verbs is not None:
        message = f"tool name `{tool.name}` says two things that it does: `{verbs[0]}` and `{verbs[1]}`"
        yield Flaw(tool.name, message, HELP, tool)
    elif flag is not None:
        yield Flaw(tool.name, f"tool name `{tool.name}` has an option in it: `{flag}`", HELP, tool)
