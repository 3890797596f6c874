'''Every parameter is described.

A name alone does not say the unit, the format, or what happens when it is left out. The description belongs into the schema,
where every client shows it; a tool's text that speaks of the parameter is accepted unless the profile is strict.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str, mode: str) -> str:  # flaw
    """Read the file at a path."""
```

Good:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("files")

@mcp.tool()
def read(path: str, mode: Annotated[str, Field(description="`text`, or `base64` for binary files")]) -> str:
    """Read the file at a path."""
```
'''

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from reviewer.facts import Parameter, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import words
from reviewer.source import Opaque, Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    described_in: Literal["schema", "schema-or-text"] = field(
        default="schema-or-text",
        metadata={"doc": "Where a description counts; `schema-or-text` accepts the tool's own text."},
    )


def _described(parameter: Parameter, tool: Tool, options: Options) -> bool:
    if parameter.description is not None:
        return isinstance(parameter.description, Opaque) or bool(parameter.description.strip())
    if options.described_in == "schema":
        return False
    return isinstance(tool.description, Opaque) or _mentioned(parameter.name, tool.description or "")


def _mentioned(name: str, text: str) -> bool:
    """Tell whether a text speaks of a parameter: by its name, or by all the words of its name."""
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE):
        return True
    said = {form for word in words(text) for form in (word, word.removesuffix("s"))}
    return all(word.removesuffix("s") in said for word in words(name)) and bool(words(name))


@rule(
    Severity.SUGGESTION,
    codes=("LLM-006",),
    cites=("tool definition rules: LLM-006",),
    when=lambda tool, options: isinstance(tool.parameters, tuple) and bool(tool.parameters),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Look for parameters that nothing describes."""
    if isinstance(tool.parameters, tuple):
        for parameter in tool.parameters:
            if not _described(parameter, tool, options):
                yield Flaw(
                    parameter.span,
                    f"parameter `{parameter.name}` of `{tool.name}` has no description"
                    if isinstance(tool.name, Text)
                    else f"parameter `{parameter.name}` has no description",
                    "Describe it in the schema: what it means, its unit or format, what its absence means.",
                )
