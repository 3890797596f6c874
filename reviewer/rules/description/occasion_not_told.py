'''Tool descriptions name a concrete situation in which to use the tool.

If an agent knows only what two tools do, they may look the same. The situation to use one, or the other instead, decides
between them. A label with nothing behind it, or "use this to" before what the tool does anyway, is not a situation. A judge is
asked about every description with content of its own.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("stock")

@mcp.tool()
def count_stock(article: str) -> int:
    """Counts the pieces of an article in all warehouses. Use this tool to count the pieces of an article."""  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("stock")

@mcp.tool()
def count_stock(article: str) -> int:
    """Counts the pieces of an article in all warehouses, before a delivery date is promised to a customer."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Question, Severity, rule
from reviewer.rules.shared.asking import Labels, find_text_for_element


@rule(
    Severity.SUGGESTION,
    cites=("checklist §9", "arXiv 2602.14878: Usage Guideline"),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool, options: Labels) -> Iterator[Question]:
    """Ask whether the text tells the situation that calls for the tool."""
    said = find_text_for_element(tool, "when to use", options)
    if said is not None:
        help = "Name the situation to use it in, or the tool to use instead."
        yield Question(said, tool, f"description of {tool.shown} does not say when to use it", help)
