'''Output objects have at most 12 fields.

Every field costs tokens in every answer, and makes the important one harder to find. Detailed data belongs in a separate tool.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):  # flaw
    id: str
    subject: str
    body: str
    sender: str
    sender_mail: str
    receiver: str
    receiver_mail: str
    folder: str
    stamp: str
    weight: int
    color: str
    paper: str
    seal: str

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    subject: str
    body: str

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.outputs import has_answer, is_envelope, iter_answer_objects, place


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    most: int = declare_option(12, "The most fields of one object.")


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: token-lean outputs",),
    when=lambda tool, options: has_answer(tool),
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Count the fields of every object in an answer."""
    for model in iter_answer_objects(tool):
        if len(model.fields) > options.most and not is_envelope(model):
            shown = f"`{model.name}`" if model.name else "an object"
            yield Flaw(
                place(tool, model.path, model.name),
                f"{shown} in the answer of {tool.shown} has {len(model.fields)} fields, more than {options.most}",
                "Keep the fields that the next step needs, and leave the rest to a detail tool.",
            )
