"""Every input schema is valid JSON Schema.

Clients compile the schema, and models are given it. An unknown type, a keyword of the wrong kind or a reference that leads
nowhere makes them refuse the tool, or leaves the argument without any meaning.

The dialect is the one that `$schema` names, 2020-12 if it names none. References are followed inside the schema only and nothing
is fetched, here as in clients: one that leads out of the schema is a flaw.

Departs from the original: it compiles everything as draft-07, which knows no `prefixItems` and fails over a `$schema` of 2020-12;
a pattern is at fault only if no dialect of regular expressions takes it.

Bad:

```json
{"name": "count_notes", "description": "Count notes.", "inputSchema": {"type": "object", "properties": {
  "since": {"type": "datetime"} // flaw
}}}
```

Good:

```json
{"name": "count_notes", "description": "Count notes.", "inputSchema": {"type": "object", "properties": {
  "since": {"type": "string", "format": "date-time"}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.definitions import arguments_of
from reviewer.rules.validity import faults


@rule(
    Severity.ERROR,
    codes=("SCH-004",),
    cites=("tool definition rules: SCH-004", "JSON Schema 2020-12", "MCP 2026-07-28 server/tools, inputSchema"),
    when=lambda tool: arguments_of(tool) is not None,
    absent="no tool has an input schema that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for what JSON Schema does not allow."""
    schema = arguments_of(tool)
    for fault in faults(schema.document) if schema is not None else ():
        if schema is None or schema.hides(*fault.keys) or (fault.target and schema.hides(*fault.target)):
            continue
        at = ".".join(fault.keys) or "inputSchema"
        yield Flaw(
            tool.place(fault.keys),
            f"in the input schema of {tool.shown} `{at}` {fault.why}",
            "Mend it, and let a JSON Schema validator read the whole schema in a test.",
        )
