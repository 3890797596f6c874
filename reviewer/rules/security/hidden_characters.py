r"""Tool names and descriptions contain no hidden characters.

A model reads what a reviewer does not see: letters spelled in tag characters, words between zero-width spaces, a line that runs
backwards. Text hidden in a description was not meant for the user. Characters that a script or an emoji needs are accepted:
joiners in emoji and in Arabic, Persian or Indic scripts, direction marks in texts that need them, a variation selector after
its character, a byte order mark at the beginning.

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
from reviewer.rules.shared.words.hidden import decode_tags, find_hiding_characters, format_characters
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.rules.shared.words.visible_texts import iter_unseen, without


@rule(
    Severity.ERROR,
    cites=("Unicode Technical Standard 55: source code that is not what it looks like",),
    when=lambda tool: tool.name is not None or tool.said is not None,
    absent="no tool has a text that can be read",
    fixes=("safe", "unsafe"),
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each text of a tool's definition with characters that hide something."""
    for each in iter_unseen(tool, find_hiding_characters):
        spelled = decode_tags(each.text)
        reads = f", which spell `{shorten_code(spelled)}`" if spelled else ""
        message = f"{each.what} of {tool.shown} hides {format_characters(each.characters)}{reads}"
        yield Flaw(each.at, message, "Remove them, or write the text in visible characters.", fix_plan=without(each))
