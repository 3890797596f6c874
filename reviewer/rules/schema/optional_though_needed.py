'''Arguments that every call needs are required in the schema.

A schema says what a call must contain. A model that leaves out an optional argument gets an error, and one that reads the error
tries again: an extra call that the schema would have saved. If the type has to stay optional, as for all arguments of one
struct, the schema can still list it in `required`.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    colour: str | None = None,
) -> list[dict]:
    """Find the ropes of a colour."""
    if not colour:
        raise ValueError("colour is required")  # flaw
    return [rope for rope in ROPES if rope["colour"] == colour]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    colour: str,
) -> list[dict]:
    """Find the ropes of a colour."""
    return [rope for rope in ROPES if rope["colour"] == colour]
```
'''

from collections.abc import Iterator

from reviewer.facts import Act, Schema, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import iter_acts, merge_into_flaw

HELP = (
    "Make it required: no default in Python, no `Option` in Rust, or its name in `required` of a hand-written schema."
)


def _collect_optional(tool: Tool) -> set[str]:
    """Return the names of the arguments that a call need not give, and for which nothing stands in, also no configuration."""
    schema = tool.input_schema
    return {
        part.name
        for part in tool.arguments
        if part.depth == 1
        and not part.element
        and not part.required
        and part.find_keyword("default") is None
        and not (isinstance(schema, Schema) and schema.depends(*part.path, "default"))
    }


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2026-07-28 server/tools, inputSchema", "JSON Schema 2020-12, required"),
    when=lambda server: any(map(_collect_optional, server.tools)),
    absent="no tool has an optional argument",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield one finding for each server with optional arguments without which a tool always fails."""
    found = dict[str, tuple[Tool, Act]]()
    for tool in server.tools:
        optional = _collect_optional(tool)
        for act in iter_acts(tool.code, "needs argument") if optional else ():
            if str(act.about) in optional:
                found.setdefault(f"{tool.name} {act.about}", (tool, act))
    if found:
        tool, act = next(iter(found.values()))
        message = f"`{act.about}` of {tool.shown} is optional in the schema, but the call always fails without it"
        yield merge_into_flaw([each.text for _, each in found.values()], message, HELP)
