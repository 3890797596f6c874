'''List items have fewer fields than the detail tool returns.

A list multiplies every field. Rows with an id, a name and a state are enough to choose; clients that need more request the
item.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    subject: str
    sender: str
    body: str
    folder: str

class LetterListResult(BaseModel):
    items: list[LetterResult]  # flaw

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""

@mcp.tool(name="letter.list")
def letter_list() -> LetterListResult:
    """List letters."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    subject: str
    sender: str
    body: str
    folder: str

class LetterListItem(BaseModel):
    id: str
    subject: str

class LetterListResult(BaseModel):
    items: list[LetterListItem]

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""

@mcp.tool(name="letter.list")
def letter_list() -> LetterListResult:
    """List letters."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.outputs import find_result, has_answer, iter_element_lists, place


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    least: int = declare_option(4, "The fewest fields of an item for which a list should return fewer.")


def _collect_details(server: Server, options: Options) -> dict[frozenset[str], Tool]:
    """Return the tools that answer one thing, by the names of its fields; what has few is light enough."""
    found: dict[frozenset[str], Tool] = {}
    for tool in server.tools:
        one = find_result(tool)
        names = frozenset(part.name for part in one.fields) if one is not None else frozenset()
        if len(names) >= options.least:
            found.setdefault(names, tool)
    return found


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: two-tier pattern",),
    when=lambda server, options: sum(has_answer(tool) for tool in server.tools) > 1,
    absent="no two tools have an output schema with fields that can be read",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Compare the rows of every list with what the tools for one thing answer."""
    details = _collect_details(server, options)
    for tool in server.tools:
        for path, name, fields in iter_element_lists(tool):
            same = next((each for names, each in details.items() if names <= fields and each is not tool), None)
            if same is not None:
                yield Flaw(
                    place(tool, path, name),
                    f"the items of {tool.shown} have all {len(fields)} fields that {same.shown} returns for one",
                    "Return only the fields needed to choose an item, and leave the rest to the detail tool.",
                    tool,
                )
