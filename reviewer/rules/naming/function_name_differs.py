'''Tool functions are named after their tool.

People who read `task.create` in a log look for `task_create` in the code. With dots as underscores, one leads to the other, and
two functions with the same name by mistake are noticed at once. A function shared by several tools may have any name.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="task.create")
def make_task(title: str) -> str:  # flaw
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

import re
from collections import Counter
from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text


def _write(server: Server) -> list[Tool]:
    """Return the tools that have a function of their own, one that takes what the tool takes.

    In Rust the attribute names the tool, and a method is often called after what it does: nobody looks for it by the tool's name.
    """
    if server.language == "rust":
        return []
    found = [tool for tool in server.tools if tool.handler is not None and tool.handler.takes is not None]
    shared = Counter(tool.handler.span for tool in found if tool.handler is not None)
    return [tool for tool in found if tool.handler is not None and shared[tool.handler.span] == 1]


def to_function_name(name: str) -> str:
    """Return a tool's name as a function may have it."""
    return re.sub(r"\W+", "_", name).strip("_")


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: object.operation",),
    when=lambda server: bool(_write(server)),
    absent="no tool has a function of its own",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each function whose name differs from its tool's."""
    for tool in _write(server):
        if not isinstance(tool.name, Text) or tool.handler is None:
            continue
        wanted, given = to_function_name(tool.name), tool.handler.name
        whole, operation = given.strip("_"), to_function_name(tool.name.rpartition(".")[2])
        prefixed = wanted.endswith(f"_{whole}") and whole.endswith(f"_{operation}")
        if given.isidentifier() and whole != wanted and not prefixed:
            yield Flaw(
                given, f"the function of tool `{tool.name}` is named `{given}`", f"Rename it to `{wanted}`.", tool
            )
