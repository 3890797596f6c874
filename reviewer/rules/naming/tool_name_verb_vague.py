'''The verb in a tool name is specific.

`report.process` may read a report, change it or send it; only its author knows. A model that has to guess takes another tool,
or this one at the wrong time. `get`, `create`, `update`, `delete` and `search` are clear.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("reports")

@mcp.tool(name="report.process")  # flaw
def report_process(report: str) -> str:
    """Send the report to its readers."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("reports")

@mcp.tool(name="report.send")
def report_send(report: str) -> str:
    """Send the report to its readers."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.operations import find_verb
from reviewer.source import Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    verbs: tuple[str, ...] = declare_option(
        ("run", "do", "process", "handle", "execute", "manage", "perform"), "The verbs that are too vague."
    )


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: anti-patterns of names",),
    when=lambda tool, options: isinstance(tool.name, Text),
    absent="no tool has a name that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each tool name that begins with a vague verb."""
    if isinstance(tool.name, Text) and (said := find_verb(tool.name)) in options.verbs:
        message = f"the verb `{said}` in tool name `{tool.name}` is too vague"
        yield Flaw(tool.name, message, "Use a verb for the result: `create`, `get`, `send`, `render`.", tool)
