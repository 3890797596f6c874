'''Tools return a typed model with named fields.

From `dict`, `Any` or `str` no client learns what it will get, and whatever the code happens to hold is sent. A model documents
the answer, validates it and keeps it small.

Bad:

```python
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

@mcp.tool(name="letter.get")
def letter_get(id: str) -> dict:  # flaw
    """Get a letter."""
    return {"id": id}
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
    return LetterResult(id=id)
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import is_envelope, iter_answer_objects
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Declare a model with the fields that the next step needs, and return it."


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: stable I/O", "authoring guidelines: output models"),
    when=lambda tool: tool.handler is not None and tool.handler.returns is not None,
    absent="no tool has a function of its own with a return type",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool function whose return annotation names no fields."""
    said = tool.handler.returns if tool.handler is not None else None
    outermost = next(iter_answer_objects(tool), None)
    named = outermost is not None and not is_envelope(outermost)
    if tool.handler is None or said is None or said.model is not False or named:
        return  # an output schema that is written beside the function names them
    if said.text is None:
        yield Flaw(tool.handler.name, f"{tool.shown} has no return annotation", HELP)
    else:
        yield Flaw(said.text, f"{tool.shown} returns `{shorten_code(said.text)}`: `{said.plain}` names no fields", HELP)
