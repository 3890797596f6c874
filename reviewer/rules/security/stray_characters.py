r"""Tool names and descriptions contain no control, soft-hyphen or private-use characters.

They come from copying a document, or from an escape that was meant differently: `\b` in a text that is not raw is a backspace.
They are invisible, and a name with one in it is a different name.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("search")

@mcp.tool(description="Searches with patterns such as \bword and \bline.")  # flaw
def search(query: str) -> str: ...
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("search")

@mcp.tool(description=r"Searches with patterns such as \bword and \bline.")
def search(query: str) -> str: ...
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.hidden import find_stray_characters, format_characters
from reviewer.rules.shared.words.visible_texts import iter_unseen, without


@rule(
    Severity.SUGGESTION,
    cites=("Unicode Standard, 23.2: characters without a form of their own",),
    when=lambda tool: tool.name is not None or tool.said is not None,
    absent="no tool has a text that can be read",
    fixes=("safe", "unsafe"),
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each text with invisible characters that hide nothing."""
    for each in iter_unseen(tool, find_stray_characters):
        message = f"{each.what} of {tool.shown} contains {format_characters(each.characters)}"
        yield Flaw(each.at, message, "Remove it, or write it as an escape.", fix_plan=without(each))
