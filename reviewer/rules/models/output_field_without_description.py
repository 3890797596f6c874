'''Every output field has a description.

A model that reads an answer knows only the names of its fields and their descriptions.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str = Field(description="Number of the letter", examples=["L-12"])
    state: str  # flaw

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str = Field(description="Number of the letter", examples=["L-12"])
    state: str = Field(description="Where it lies: drafted, sent or answered", examples=["sent"])

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import has_answer, iter_answer_objects, place


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: field metadata",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each output field without a description."""
    for model in iter_answer_objects(tool):
        for part in model.fields:
            if not part.description.strip():
                shown = f"`{model.name}.{part.name}`" if model.name else f"`{part.name}`"
                yield Flaw(
                    place(tool, part.path, model.name),
                    f"the field {shown} in the answer of {tool.shown} has no description",
                    "Describe its meaning and its values: `Field(description=...)`.",
                )
