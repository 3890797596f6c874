'''Tool descriptions agree with the input schema.

An agent reads both. If the text says that a value may be left out but the schema requires it, or the text says ten and the
schema fifty, one of the two calls that it tries is rejected, or does something unexpected. A judge is asked about every tool
whose text and schema can be read completely.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("log")

@mcp.tool()
def tail(lines: int = 50) -> str:
    """Give the last lines of the log. `lines` is required; the most is 10."""  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("log")

@mcp.tool()
def tail(lines: int = 50) -> str:
    """Give the last lines of the log. `lines` is optional, 50 if left out."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Schema, Tool
from reviewer.rules import Question, Severity, rule
from reviewer.rules.shared.asking import find_judgeable_text


def _is_whole(tool: Tool) -> bool:
    """Return whether there are arguments or hints to compare a text with, all of them readable."""
    schema = tool.input_schema
    hints = isinstance(tool.annotations, dict) and bool(tool.annotations)
    return isinstance(schema, Schema) and (bool(tool.arguments) or hints) and not schema.hides()


@rule(
    Severity.WARNING,
    cites=("MCP 2026-07-28 server/tools", "checklist §9"),
    when=lambda tool: tool.said is not None and _is_whole(tool),
    absent="no tool has a description and a schema that can be read in full",
    judged=True,
)
def check(tool: Tool) -> Iterator[Question]:
    """Ask whether text and schema agree."""
    said = find_judgeable_text(tool)
    if said is not None:
        message = f"description of {tool.shown} contradicts its schema"
        help = "Make both say the same, or leave it to the schema."
        yield Question(said, tool, message, help, frozenset({"schema", "annotations"}))
