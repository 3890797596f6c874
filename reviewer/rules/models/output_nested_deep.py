'''Outputs nest objects at most two levels below the result.

Each level is repeated in every answer, and a model has to walk it to find the one value that it needs.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class Town(BaseModel):
    name: str

class Address(BaseModel):
    town: Town

class Person(BaseModel):
    address: Address

class LetterResult(BaseModel):
    id: str
    sender: Person

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:  # flaw
    """Get a letter."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    sender_name: str
    sender_town: str

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.outputs import answer, find_deepest_path, find_result, has_answer, locate_declaration


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    most: int = declare_option(2, "The most levels of objects below the result.")


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: keep nesting shallow",),
    when=lambda tool, options: has_answer(tool),
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Follow the deepest way through an answer."""
    schema, outermost = answer(tool), find_result(tool)
    root = schema.document if schema is not None else {}
    way = find_deepest_path(outermost.schema if outermost is not None else root, root)
    if len(way) > options.most:
        yield Flaw(
            locate_declaration(tool),
            f"`{'.'.join(way)}` in the answer of {tool.shown} is an object {len(way)} levels down, more than {options.most}",
            "Return the id of the nested object, or the few fields of it that are needed, in the result itself.",
        )
