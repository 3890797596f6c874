'''Output models have no field for a raw payload.

A field named `raw`, `payload` or `response` lets in everything that the upstream service sends: the model declares a few
fields, and the answer carries hundreds.

Bad:

```python
from typing import Any

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    raw: dict[str, Any]  # flaw

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

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Json, Part, Tool
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.outputs import has_answer, is_envelope, iter_answer_objects, place
from reviewer.rules.shared.words.identifiers import split_words

RAW = frozenset({"raw", "dto", "payload", "json", "vendor", "upstream"})
"""What says in a name that the value is as it came; `response` may be what a model was asked for."""

MAYBE = frozenset({"response", "data", "body", "api", "object"})
"""Words that a server's own fields have as well: they count only where the field may hold anything."""

COMPOUND = frozenset({"object", "array"})
"""A payload of a vendor has parts; a text called `json` is looked at below."""


def _is_free(part: Part) -> bool:
    """Return whether a value may be an object of whose fields nothing is said."""
    return any(
        not list_types(form) or (list_types(form) == ("object",) and not _declares_fields(form)) for form in part.forms
    )


def _declares_fields(form: Json) -> bool:
    """Return whether an object names its fields, or the one type of all of them."""
    others = form.get("additionalProperties")
    return bool(form.get("properties")) or (isinstance(others, dict) and bool(list_types(others)))


def _is_raw(part: Part) -> bool:
    named = split_words(part.name)
    if not named:
        return False
    compound = _is_free(part) or any(COMPOUND & set(list_types(form)) for form in part.forms)
    if compound and {named[0], named[-1]} & RAW:
        return True
    if set(named) <= MAYBE:
        return _is_free(part)
    written = set(named) & RAW and set(named) <= RAW | MAYBE | {"text"}
    return bool(written) and any("string" in list_types(form) and "enum" not in form for form in part.forms)


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: never echo vendor payloads",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each output field that is named as the raw payload of its source."""
    for model in iter_answer_objects(tool):
        for part in model.fields if not is_envelope(model) else ():
            if _is_raw(part):
                yield Flaw(
                    place(tool, part.path, model.name),
                    f"the field `{part.name}` in the answer of {tool.shown} contains a raw payload",
                    "Return only the fields that are needed, each under its own name.",
                )
