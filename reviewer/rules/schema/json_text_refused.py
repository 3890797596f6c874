'''Parameters for JSON text are declared as plain `str`.

If a parameter has any type but `str`, the official Python SDK first parses a string argument as JSON, since models send lists
and objects as strings. A string that contains an object or a list becomes that object or list, which `str | None` rejects:
"Input should be a valid string". A tool that parses its argument with `json.loads` then fails for every value it was made for.

Bad:

```python
import json

from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(filters: str | None = None) -> list[dict]:  # flaw
    """Find the ropes that match filters: a JSON object."""
    wanted = json.loads(filters) if filters else {}
    return [rope for rope in ROPES if wanted.items() <= rope.items()]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(filters: dict[str, str] | None = None) -> list[dict]:
    """Find the ropes that match filters."""
    wanted = filters or {}
    return [rope for rope in ROPES if wanted.items() <= rope.items()]
```
'''

from collections.abc import Iterator

from reviewer.facts import Json, Part, Schema, Server, Tool
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text

HELP = 'Declare the parsed type (`list[str] | None`, `dict | None`), or `str` with the default "".'

SCALAR = frozenset({"string", "number", "integer", "boolean", "null"})
"""Types that no JSON object or list fits: `pre_parse_json` of the SDK gives what came of the text, which these refuse."""


def _collect_kinds(form: Json) -> frozenset[str]:
    """Return the types that a schema takes; empty where anything but its `type` and `anyOf` says so."""
    if not form.keys() <= {"anyOf", "type", "title", "description", "default", "examples", "deprecated"}:
        return frozenset()
    branches = [_collect_kinds(each) for each in form.get("anyOf", ()) if isinstance(each, dict)]
    return frozenset().union(list_types(form), *branches) if all(branches) else frozenset()


def _is_signature(schema: Schema) -> bool:
    """Return whether the SDK made a schema of a function's signature: it calls that `send_mailArguments` then."""
    return str(schema.document.get("title", "")).endswith("Arguments")


def _iter_parsed_parameters(tool: Tool) -> Iterator[tuple[Part, Text]]:
    """Yield the parameters that take a text, and no object or list, where the code parses them as JSON."""
    if tool.code is None or not isinstance(tool.input_schema, Schema) or not _is_signature(tool.input_schema):
        return
    parsed = {str(each.name): each.parsed for each in tool.code.argument_uses if each.parsed is not None}
    for part in tool.arguments if parsed else ():
        kinds = _collect_kinds(part.schema) if part.depth == 1 and part.name in parsed else frozenset()
        if "string" in kinds and len(kinds) > 1 and kinds <= SCALAR:
            yield part, parsed[part.name]


@rule(
    Severity.ERROR,
    cites=("Python SDK, func_metadata: pre_parse_json",),
    when=lambda server: server.framework == "mcp" and any(tool.arguments for tool in server.tools),
    absent="no tool is declared with the official Python SDK and has parameters",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each argument that takes JSON as text, which the SDK parses before the type rejects it."""
    for tool in server.tools:
        for part, parsed in _iter_parsed_parameters(tool):
            yield Flaw(
                tool.place(part.path),
                f"`{part.name}` of {tool.shown} takes JSON text, but the SDK parses an object or list before the call, and "
                "the declared type then rejects it",
                HELP,
                tool,
                related=(parsed.span,),
            )
