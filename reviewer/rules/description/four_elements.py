'''Tool descriptions have four elements: purpose, when to use, parameters, limitations.

An agent needs them to choose the tool, to call it, and to avoid surprises. This rule looks for the labels of the checklist's
template with some text behind each; it does not judge the text.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("item")

@mcp.tool()
def item(action: str) -> str:
    """Items."""  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("item")

@mcp.tool()
def item(action: str) -> str:
    """item: Keep the items of a list.

    When to use: the user speaks of items.
    Parameters:
    - action (required): subject.verb. Call {action:"help"} for the catalog and {action:"schema"} for shapes.
    Limitations: 60 calls a minute.
    """
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.elements import extract_element
from reviewer.source import Text

WANTED = ("purpose", "when to use", "parameters", "limitations")
"""The four elements of the checklist, §9; messages list them in its order."""


@rule(
    Severity.WARNING,
    cites=("checklist §9", "arXiv 2602.14878"),
    when=lambda tool: isinstance(tool.description, Text) and bool(tool.description.strip()),
    absent="no tool has a description that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each description that lacks one of the four labels, or has nothing after one."""
    if isinstance(tool.description, Text):
        lacking = [name for name in WANTED if extract_element(tool.description, name) is None]
        if lacking:
            yield Flaw(
                tool.description,
                f"description of `{tool.name}` lacks: {', '.join(lacking)}",
                "Write `{domain}: {purpose}.`, `When to use:`, `Parameters:` and `Limitations:`.",
            )
