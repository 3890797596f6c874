r"""No text of a tool hides characters from who reads it.

A model reads what a reviewer does not see: letters spelled in tags, words between zero-width spaces, a line that runs backwards.
What is hidden in a description was not meant for the user.

What a script or an emoji needs hides nothing: joiners in emoji and in Arabic, Persian or Indian scripts, marks of direction in
texts that have one, a variation selector behind its sign, a byte order mark at the beginning.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("search")

@mcp.tool(description="Searches the\u200b web\u202e .pages")  # flaw
def search(query: str) -> str: ...
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("search")

@mcp.tool(description="Searches the web for pages \U0001f469\u200d\U0001f52c and gives ten.")
def search(query: str) -> str: ...
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.hidden import SHOWN, hiding, named, spelling, useless
from reviewer.rules.mends import stripped
from reviewer.rules.spoken import said_by
from reviewer.rules.words import clipped
from reviewer.source import Text


@rule(
    Severity.ERROR,
    cites=("Unicode Technical Standard 55: source code that is not what it looks like",),
    when=lambda tool: tool.name is not None or tool.said is not None,
    absent="no tool has a text that can be read",
    fixes=("safe", "unsafe"),
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for characters that hide something in any text of a tool's definition."""
    for at, what, text in said_by(tool):
        found = hiding(text)
        if found:
            place = tool.place(at) if isinstance(at, tuple) else at
            spelled = spelling(text)
            reads = f", which spell `{clipped(spelled)}`" if spelled else ""
            span = place.span if isinstance(place, Text) else place
            mend = stripped(span, found, safe=what in SHOWN) if useless(text, found) else None
            message = f"{what} of {tool.shown} hides {named(found)}{reads}"
            yield Flaw(place, message, "Write what is meant, in letters.", mend=mend)
