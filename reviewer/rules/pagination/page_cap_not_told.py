'''A list whose page size is capped in the code says so.

A client that asks for 500 and gets 50 takes that for all there is, or asks for 500 again and again. Which number is the greatest
belongs in the schema (`maximum`), or in the description of the parameter or the tool: nothing else that a model reads says it.

A cap counts as told if its number stands in one of these texts, whatever the words around it. What the code refuses, instead of
giving less, is told by the error.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[str]:  # flaw
    """List the ropes."""
    size = max(1, min(limit, 100))
    return ROPES[:size]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[str]:
    """List the ropes, at most 100 at a time."""
    size = max(1, min(limit, 100))
    return ROPES[:size]
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Part, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.page_sizes import find_code_cap, iter_page_sizes
from reviewer.rules.shared.words.promises import find_told_maximum, read_maximum
from reviewer.source import Opaque


def _is_told(cap: int, tool: Tool, part: Part) -> bool:
    """Return whether a text that a client is shown has a number; one that cannot be read may have it."""
    texts = (part.description, tool.description)
    if any(isinstance(each, Opaque) for each in texts) or tool.said is None:
        return True
    number = f"{cap:,}".replace(",", "[,_ ]?")
    return any(re.search(rf"(?<![\d.]){number}(?![\d]|\.\d)", str(each)) for each in (*texts, tool.said) if each)


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R2", "protocol page, Acceptance Criteria"),
    when=lambda server: any(True for _ in iter_page_sizes(server)),
    absent="no list has a page size that a client chooses",
)
def check(server: Server) -> Iterator[Flaw]:
    """Look for page sizes that code caps, where neither the schema nor a description has the number."""
    for tool, part in iter_page_sizes(server):
        cap = find_code_cap(tool, part)
        if cap is None or read_maximum(part) is not None or find_told_maximum(part) is not None:
            continue
        if not _is_told(cap, tool, part):
            yield Flaw(
                tool.place(part.path),
                f"{tool.shown} returns at most {cap} items, whatever `{part.name}` is, and no text says so",
                f"Say it in the description of `{part.name}`: `at most {cap}`, or set `maximum: {cap}` in the schema.",
                tool,
                cause=f"page cap {cap}",
            )
