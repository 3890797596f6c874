'''Status fields in outputs are enums.

A status decides about the next step: a model that reads `in_progress` waits, one that reads `closed` continues. As free text it
may be whatever the vendor uses today, and no client can prepare for that.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    status: str  # flaw

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```

Good:

```python
from typing import Literal

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    status: Literal["draft", "sent"]

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import has_answer, is_envelope, iter_answer_objects, place
from reviewer.rules.shared.values.limits import has_named_values
from reviewer.rules.shared.words.identifiers import split_words

STATES = frozenset({"status", "state"})
"""The guidelines ask for simple enums for statuses; `state` is the same under the other name that APIs have for it."""


def _is_free(part: Part) -> bool:
    """Return whether a field is called a status and may be any text."""
    texts = [form for form in part.forms if "string" in list_types(form)]
    return (
        split_words(part.name)[-1:] != ()
        and split_words(part.name)[-1] in STATES
        and any(not has_named_values(form) for form in texts)
    )


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: simple enums for statuses",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each status field that accepts any text."""
    for model in iter_answer_objects(tool):
        for part in filter(_is_free, model.fields) if not is_envelope(model) else ():
            yield Flaw(
                place(tool, part.path, model.name),
                f"`{part.name}` in the answer of {tool.shown} may be any string",
                "List its values, in Python as `Literal[...]`, and map the vendor's values to them.",
            )
