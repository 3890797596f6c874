"""Input schemas are valid JSON Schema.

Clients compile the schema, and models read it. An unknown type, a keyword with a value of the wrong type or a broken reference
makes them reject the tool, or leaves the argument without a meaning.

The dialect is the one in `$schema`, by default 2020-12. References are followed only inside the schema and nothing is fetched,
as in clients: a reference that leaves the schema is reported.

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
from functools import partial

from reviewer.facts import Tool
from reviewer.facts.parts import Json, Path, find_at
from reviewer.fixes.model import FixPlan
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_argument_schema
from reviewer.rules.shared.fixes import build_schema_rewrite
from reviewer.rules.shared.values.validity import iter_faults


@rule(
    Severity.ERROR,
    codes=("SCH-004",),
    cites=("tool definition rules: SCH-004", "JSON Schema 2020-12", "MCP 2026-07-28 server/tools, inputSchema"),
    when=lambda tool: find_argument_schema(tool) is not None,
    absent="no tool has an input schema that can be read",
    fixes=("safe",),
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each part of a schema that JSON Schema does not allow."""
    schema = find_argument_schema(tool)
    for fault in iter_faults(schema.document) if schema is not None else ():
        if schema is None or schema.hides(*fault.keys) or (fault.target and schema.hides(*fault.target)):
            continue
        at = ".".join(fault.keys) or "inputSchema"
        yield Flaw(
            tool.place(fault.keys),
            f"in the input schema of {tool.shown} `{at}` {fault.why}",
            "Fix it, and validate the schema with a JSON Schema validator in a test.",
            fix_plan=partial(_fix_plan, tool, schema.document, fault.keys),
        )


TYPES = {
    **dict.fromkeys(("str", "String", "text", "STRING"), "string"),
    **dict.fromkeys(("int", "Integer", "long", "INTEGER"), "integer"),
    **dict.fromkeys(("float", "double", "Number", "NUMBER"), "number"),
    **dict.fromkeys(("bool", "Boolean", "BOOLEAN"), "boolean"),
    **dict.fromkeys(("dict", "Object", "OBJECT"), "object"),
    **dict.fromkeys(("Array", "ARRAY"), "array"),
}
"""What other languages call the types of JSON Schema."""


def _fix_plan(tool: Tool, document: Json, keys: Path) -> FixPlan | None:
    """Call a type what JSON Schema calls it; take names out of `required` that stand there twice."""
    holder = find_at(document, keys[:-1])
    value = holder.get(keys[-1]) if isinstance(holder, dict) and keys else None
    if keys[-1:] == ("type",) and isinstance(value, str) and value in TYPES:
        rewrite = build_schema_rewrite(tool, "replace", keys, TYPES[value])
        return FixPlan(f'set `"type": "{TYPES[value]}"`', (rewrite,))
    if keys[-1:] == ("required",) and isinstance(value, list) and all(isinstance(each, str) for each in value):
        twice = tuple(str(at) for at, each in enumerate(value) if each in value[:at])
        return FixPlan("list each name once", (build_schema_rewrite(tool, "drop", keys, twice),)) if twice else None
    return None
