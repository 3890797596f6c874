'''The meaning of each argument is explained in the description or the schema.

A type is not a meaning. An agent that has to guess a unit, a format or the source of an identifier guesses wrong, again and
again. The schema counts as much as the text. If no argument is described at all, `parameter-without-description` reports it; a
judge decides whether the descriptions are sufficient for a first call.

Bad:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("weather")

@mcp.tool()
def forecast(
    area: Annotated[str, Field(description="The area to use")],
    span: Annotated[int, Field(description="The span value")],
) -> str:
    """Forecasts rain and wind for an area."""  # flaw
```

Good:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("weather")

@mcp.tool()
def forecast(
    area: Annotated[str, Field(description="Postal code, or `latitude,longitude`")],
    span: Annotated[int, Field(description="Hours from now")],
) -> str:
    """Forecasts rain and wind for an area."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Question, Severity, rule
from reviewer.rules.shared.asking import Labels, find_text_for_element
from reviewer.rules.shared.words.identifiers import contains_word
from reviewer.rules.shared.words.substance import extract_substance


def _is_told(tool: Tool, text: str) -> bool:
    """Return whether anything is said of any argument."""
    return any(
        extract_substance(part.description, part.name) or contains_word(text, part.name) for part in tool.arguments
    )


@rule(
    Severity.SUGGESTION,
    cites=("checklist §9", "arXiv 2602.14878: Parameter Explanation"),
    when=lambda tool, options: tool.said is not None and bool(tool.arguments),
    absent="no tool with a description takes a parameter that can be read",
    judged=True,
)
def check(tool: Tool, options: Labels) -> Iterator[Question]:
    """Ask whether what is said of the arguments suffices."""
    said = find_text_for_element(tool, "parameters", options)
    if said is not None and _is_told(tool, said):
        message = f"the meaning of the arguments of {tool.shown} is not explained"
        help = "For each argument, give its meaning, its unit or format, and where its value comes from."
        yield Question(said, tool, message, help, frozenset({"schema"}))
