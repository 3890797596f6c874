'''Truncated text says that it is truncated, or can be fetched in full.

A tool that reads a document and returns its first four thousand characters answers a question about the last page with the
contents of the first, without any sign. A number in the description, a mark in the answer, or a parameter for the rest is
enough. The same applies to a large number of lines or rows of a single thing, such as a journal.

Not reported: less than a thousand characters, which are an excerpt; fields with a name such as `preview`; and text that other
code processes into the answer.

Bad:

```python
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def read_recipe() -> dict:
    """Read the recipe of the glaze."""
    text = Path("glaze.md").read_text(encoding="utf-8")
    return {"text": text[:4000]}  # flaw
```

Good:

```python
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def read_recipe() -> dict:
    """Read the recipe of the glaze."""
    text = Path("glaze.md").read_text(encoding="utf-8")
    return {"text": text[:4000], "truncated": len(text) > 4000}
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Omission, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import gives_list
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.text.patterns import pattern

SAID = pattern(
    r"\b(?:recent\w*|latest|last|top|first|up to|at most|limit\w*|max\w*|most|sample|preview|few|some|newest|pages?|paged"
    r"|truncat\w*|cut|cuts|shorten\w*|clip\w*|excerpts?|snippets?|summar\w*|brief\w*|abridged|characters|chars|beginning|begins"
    r"|head|tail|part|parts|partial\w*|short|longer|large|budget|capped?|suggest\w*)\b",
    re.IGNORECASE,
)
"""Words of a text that tell clients that the answer is not everything."""

CHOOSING = frozenset(
    "limit max maximum count page offset cursor skip tail lines top size num n start end after before since until last fields "
    "first amount number length chars characters head full budget range from to query prompt question".split()
)
"""Parameters by which a client gets at the rest, or says what part is wanted."""

EXCERPTS = frozenset(
    "preview peek sample head tail summary summarize excerpt snippet recent latest brief status health".split()
)
"""Words in the name of a tool that gives no whole."""

PARTS = {"text": "characters", "lines": "lines", "list": "elements"}

MANY = 50
"""Lines or rows. Of a thing that is one by its name, a few of its parts are an example."""


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R2", "MCP 2025-11-25 server/tools"),
    when=lambda tool: tool.code is not None,
    absent="no tool's code was found",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for the first text that a tool cuts at a number of characters without saying so."""
    for each in tool.code.omissions if tool.code is not None else ():
        if each.told is None and each.most is not None and _is_meant(each, tool) and not _is_said(tool, each.most):
            left = f"`{shorten_code(each.text)}` keeps only {each.most} {PARTS[each.of]}"
            yield Flaw(
                each.text,
                f"{left}, and neither the answer nor the description of {tool.shown} mentions the rest",
                "State the limit in the description, mark truncated answers, or make the limit a parameter.",
                tool,
            )
            return


def _is_meant(omission: Omission, tool: Tool) -> bool:
    if omission.of != "list":
        return True
    return omission.is_given and not gives_list(str(tool.name)) and (omission.most or 0) >= MANY


def _is_said(tool: Tool, most: int) -> bool:
    said = [str(tool.said or ""), *(each.description for each in tool.arguments)]
    is_told = any(SAID.search(each) or re.search(rf"\b{most}\b|\b{most:,}\b", each) for each in said)
    is_named = not EXCERPTS.isdisjoint(split_words(str(tool.name or "")))
    return is_told or is_named or any(not CHOOSING.isdisjoint(split_words(each.name)) for each in tool.arguments)
