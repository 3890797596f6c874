'''Every output model has a complete example.

Examples of single fields do not show which of them occur together. A complete object does, and documentation can copy it.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("letters")

class LetterResult(BaseModel):  # flaw
    id: str = Field(description="Number of the letter", examples=["L-12"])

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

    model_config = {"json_schema_extra": {"examples": [{"id": "L-12"}]}}

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import answer, has_answer, is_envelope, iter_answer_objects, place


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: model-level examples",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each output object without an example of its own."""
    schema = answer(tool)
    for model in iter_answer_objects(tool):
        if is_envelope(model) or (schema is not None and schema.hides(*model.path, "examples")):
            continue  # whose result has the example, or which has one that was not read
        if not model.schema.get("examples") and not model.schema.get("example"):
            shown = f"`{model.name}`" if model.name else "the answer"
            yield Flaw(
                place(tool, model.path, model.name),
                f"{shown} of {tool.shown} has no complete example",
                'Add one: `model_config = {"json_schema_extra": {"examples": [{...}]}}`.',
            )
