"""Every tool has an input schema.

The protocol requires `inputSchema`, even for a tool without arguments. Clients that validate the answer to `tools/list` reject
the entire list because of one entry without it, and a model would have to guess the arguments.

Bad:

```json
{"tools": [
  {"name": "list_notes", "description": "List all notes."} // flaw
]}
```

Good:

```json
{"tools": [
  {"name": "list_notes", "description": "List all notes.", "inputSchema": {"type": "object"}}
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Schema, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_fault, is_entry
from reviewer.source import Text


@rule(
    Severity.ERROR,
    codes=("SCH-003",),
    cites=("tool definition rules: SCH-003", "MCP 2026-07-28 server/tools, inputSchema"),
    when=is_entry,
    absent="no tool is registered in the reviewed files",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool without an input schema."""
    schema = tool.input_schema
    if is_entry(tool) and (schema is None or (isinstance(schema, Schema) and schema.absent)):
        wrong = find_fault(tool, "inputSchema")
        own = tool.name.span if isinstance(tool.name, Text) else tool.span
        why = f": the value is {wrong.why}" if wrong else ""
        help = 'Add a schema of its arguments; `{"type": "object"}` if it takes none.'
        yield Flaw(wrong.span if wrong else own, f"{tool.shown} has no `inputSchema`{why}", help)
