'''Parameters with a null default accept null.

`tag: str = None` is published as `{"type": "string", "default": null}`. A model that fills in every argument, as strict
function calling requires, sends the null that it was shown, and the SDK rejects the call before the tool runs: "Input should be
a valid string".

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    colour: str = None,  # flaw
) -> list[dict]:
    """Find the ropes of a colour, or all."""
    return [rope for rope in ROPES if colour in (None, rope["colour"])]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    colour: str | None = None,
) -> list[dict]:
    """Find the ropes of a colour, or all."""
    return [rope for rope in ROPES if colour in (None, rope["colour"])]
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Part, Schema, Server, Tool
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.text.patterns import pattern

HELP = "Make the type nullable (`str | None = None`), or use a default of the declared type."


PLAIN = pattern(
    r"(?:Annotated\[\s*)?(?:str|int|float|bool|(?:[Ll]ist|[Dd]ict|[Ss]et|[Tt]uple)(?:\[[^|]*\])?)\s*(?:,.*)?\Z",
    re.DOTALL,
)
"""An annotation that does not take None. A project may collapse `str | None` in what it publishes, as mcp-atlassian does, and
takes null even so."""


NULL = pattern(r"None\Z|Field\(\s*(?:default\s*=\s*)?None\b")
"""A default that is null whatever is configured."""


def _is_written(tool: Tool, part: Part) -> bool:
    """Return whether the function of a tool has a type without None and a default of None, or the schema is written by hand."""
    if tool.handler is None or tool.handler.takes is None:
        return True
    found = next((each for each in tool.handler.takes if each.name == part.name), None)
    if part.depth > 1 or found is None or found.type is None or found.default is None:
        return False
    return PLAIN.match(found.type) is not None and "None" not in found.type and NULL.match(found.default) is not None


def _iter_refused_parameters(tool: Tool) -> Iterator[Part]:
    """Yield the parameters with a default of null whose one type is another."""
    schema = tool.input_schema
    if not isinstance(schema, Schema) or schema.absent:
        return
    for part in tool.arguments:
        form = part.schema
        is_null = "default" in form and form["default"] is None and not schema.hides(*part.path)
        if is_null and list_types(form) and "null" not in list_types(form) and _is_written(tool, part):
            yield part


@rule(
    Severity.SUGGESTION,
    cites=("JSON Schema 2020-12, Validation, 9.2", "Pydantic: required, optional and nullable fields"),
    when=lambda server: any(tool.arguments for tool in server.tools),
    absent="no tool has a parameter that can be read",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield one finding for each server with null defaults that their own types reject."""
    if server.language == "rust":
        return  # only an `Option` has such a default, and takes null whatever a schema of its own says
    found = [(tool, part) for tool in server.tools for part in _iter_refused_parameters(tool)]
    if not found:
        return
    (tool, part), *others = found
    kind = list_types(part.schema)[0]
    message = f"`{part.name}` of {tool.shown} has the default `null`, which its type `{kind}` rejects"
    related = tuple(each.place(one.path) for each, one in others)
    yield Flaw(tool.place(part.path), message, HELP, tool, related=related)
