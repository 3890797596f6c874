'''Every output field has an example.

An example shows at a glance what a type and a sentence leave open: the form of an id, the unit of a number.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str = Field(description="Number of the letter")  # flaw

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

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Json, Part, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import answer, has_answer, holds_object, is_envelope, iter_answer_objects, place


def _shows(part: Part, root: Json) -> bool:
    """Return whether a value stands at a field, or all that it can have; an object is shown by its own fields."""
    shown = (part.find_keyword(key) for key in ("examples", "example", "enum", "const"))
    return any(each not in (None, [], {}) for each in shown) or any(holds_object(form, root) for form in part.forms)


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: field metadata",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each output field for which no example has a value."""
    schema = answer(tool)
    for model in iter_answer_objects(tool):
        for part in model.fields if not is_envelope(model) else ():
            if schema is not None and not schema.hides(*part.path, "examples") and not _shows(part, schema.document):
                shown = f"`{model.name}.{part.name}`" if model.name else f"`{part.name}`"
                yield Flaw(
                    place(tool, part.path, model.name),
                    f"the field {shown} in the answer of {tool.shown} has no example",
                    "Add a realistic value: `Field(examples=[...])`.",
                )
