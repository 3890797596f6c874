'''The code accepts every default and enum value in the schema.

A default is a value that a model need not think about, and an enum is the list that it chooses from. If the code always rejects
such a value, every call that relies on the default, or chooses the value, fails, and the error blames the model. Usually two
lists of the same values have drifted apart.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def sort_ropes(
    order: str = "natural",
) -> list[dict]:
    """Sort the ropes."""
    if order not in ("length", "colour"):
        raise ValueError("order must be length or colour")  # flaw
    return sorted(ROPES, key=lambda rope: rope[order])
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def sort_ropes(
    order: str = "length",
) -> list[dict]:
    """Sort the ropes."""
    if order not in ("length", "colour"):
        raise ValueError("order must be length or colour")
    return sorted(ROPES, key=lambda rope: rope[order])
```
'''

from collections.abc import Iterator
from typing import TypeGuard

from reviewer.facts import Part, Schema, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.argument_uses import iter_arguments
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Accept the value in the code, or change the schema to a value that the code accepts."
MOST = 40
"""Values of one enum that are tried. Longer ones are tables of codes, which code looks up and does not compare one by one."""

OfferedValue = tuple[str, str | int | float | bool]
"""What a value is to the schema, and the value."""


def _is_choice(value: object) -> TypeGuard[str | int | float]:
    """Return whether a value is chosen: a flag that is off may be asked to be set, and an empty text stands for none."""
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _iter_offered_values(part: Part, tool: Tool) -> Iterator[OfferedValue]:
    """Yield the default of an argument, and the values that its schema lists."""
    schema = tool.input_schema
    default = part.find_keyword("default")
    if _is_choice(default) and not (isinstance(schema, Schema) and schema.depends(*part.path, "default")):
        yield "default", default
    for form in part.forms:
        listed = form.get("enum")
        for value in listed[:MOST] if isinstance(listed, list) else ():
            if _is_choice(value) and value != default:
                yield "value", value


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2026-07-28 server/tools, inputSchema", "JSON Schema 2020-12, Validation, 6.1.2 and 9.2"),
    when=lambda tool: any(
        next(_iter_offered_values(part, tool), None) is not None for part in iter_arguments(tool.arguments)
    ),
    absent="no tool has an argument with a default or a list of values",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each default or listed value with which every call fails."""
    if tool.code is None:
        return
    for part in iter_arguments(tool.arguments):
        for kind, value in _iter_offered_values(part, tool):
            at = tool.code.refuses(part.dotted, value)
            if at is not None:
                shown = f"`{str(value).lower() if isinstance(value, bool) else value}`"
                which = f"the default {shown}" if kind == "default" else f"the value {shown}"
                allowed = f"{which} of `{part.dotted}`, which the schema of {tool.shown} allows"
                message = f"{allowed}, is always rejected: `{shorten_code(at)}`"
                yield Flaw(at, message, HELP, tool)
