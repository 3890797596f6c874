'''Capped lists say so or can be fetched in full.

A tool that asks for at most fifty contacts returns fifty out of five hundred, and the model reports that the others do not
exist. A word in the description, a mark in the answer, or a parameter for the number or the page is enough. The same applies to
a list of which the code itself keeps only a fixed number. If a list has pages and is cut as well, before or after a page is
taken, no page has what is left out.

Not reported: what is requested in descending order, or sorted by the code, since that is the top of a ranking; calls that are
repeated for further pages; and code that mentions a total, more results, or a next page.

Bad:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def search_glazes(word: str) -> list:
    """Search glazes by their names."""
    with sqlite3.connect("kiln.db") as connection:
        query = "SELECT name FROM glazes WHERE name LIKE ? ORDER BY name LIMIT 50"
        return connection.execute(query, (word,)).fetchall()  # flaw
```

Good:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def search_glazes(word: str) -> list:
    """Search glazes by their names. Gives 50 at most."""
    with sqlite3.connect("kiln.db") as connection:
        query = "SELECT name FROM glazes WHERE name LIKE ? ORDER BY name LIMIT 50"
        return connection.execute(query, (word,)).fetchall()
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Cap, Omission, Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_reach, gives_list
from reviewer.rules.shared.acts.reached import has_code, index_tools_by_name
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.text.patterns import pattern

HELP = "State the limit in the description, mark truncated answers, or make the limit a parameter."

LOST_HELP = "Page the whole list, and use the page size that the cursor is computed from."

SAID = pattern(
    r"\b(?:recent\w*|latest|last|top|first|up to|at most|limit\w*|max\w*|most|sample|preview|few|some|newest|pages?|paged"
    r"|suggest\w*)\b",
    re.IGNORECASE,
)
"""Words of a description that tell clients that the answer is not everything."""

CHOOSING = frozenset(
    "limit max maximum count page offset cursor skip tail lines top size num n start end after before since until last fields "
    "first amount number sql body params".split()
)
"""Parameters by which a client gets at the rest."""


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2025-11-25 server/tools",),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each tool that caps a list without saying so."""
    tools = index_tools_by_name(project)
    found: dict[str, list[Cap]] = {}
    for each in project.caps:
        found.setdefault(each.tool, []).append(each)
    for name, each_tool in tools.items():
        if name not in found:
            yield from _cut(name, each_tool)
    for name, (first, *_) in found.items():
        tool = tools.get(name)
        if tool is None or first.words or not gives_list(name) or _is_said(tool, first.most):
            continue
        silent = f"and neither the description nor a parameter of `{name}` mentions the rest"
        message = f"`{shorten_code(first.text)}` returns at most {first.most} items, {silent}"
        yield Flaw(first.text, message + format_reach(name, first.through), HELP, tool, cause="caps")


def _cut(name: str, tool: Tool) -> Iterator[Flaw]:
    """Yield the first list that a tool cuts after so many elements, where nothing tells of the rest."""
    cuts = tool.code.omissions if tool.code is not None and gives_list(name) else ()
    for each in cuts:
        if each.lost:
            if re.search(rf"\b{each.most}\b", str(tool.said or "")) is None:
                yield Flaw(each.text, _format_lost(each, name), LOST_HELP, tool, cause="caps")
                return
        elif each.of == "list" and each.told is None and each.most is not None and not _is_said(tool, each.most):
            nobody = f"neither the answer nor the description of `{name}`"
            message = f"`{shorten_code(each.text)}` keeps {each.most} items, and {nobody}"
            yield Flaw(each.text, f"{message} mentions the rest", HELP, tool, cause="caps")
            return


def _format_lost(cut: Omission, name: str) -> str:
    """Return the message for a list that is paged and cut as well: which items no page contains."""
    if cut.lost == "before":
        rest = "pages the list: no page contains the rest"
        return f"`{shorten_code(cut.text)}` keeps {cut.most} items before `{name}` {rest}"
    rest = "and the next page does not contain the rest"
    return f"`{shorten_code(cut.text)}` keeps {cut.most} items of each page of `{name}`, {rest}"


def _is_said(tool: Tool, most: int) -> bool:
    said = [str(tool.name), str(tool.said or ""), *(each.description for each in tool.arguments)]
    is_told = any(SAID.search(each) or re.search(rf"\b{most}\b", each) for each in said)
    return is_told or any(not CHOOSING.isdisjoint(split_words(each.name)) for each in tool.arguments)
