"""String parameters have a maximum length.

A model can send a string as long as its context. A limit in the schema rejects a runaway answer before the server holds it in
memory, and tells the model what to shorten.

Departs from the original: strings that are bounded otherwise need no `maxLength`, by `enum`, `const`, a format of which no value
is long or a pattern without endless repetition; parts of objects, elements of arrays and strings that may be null are seen; text
that is meant to be long is told by the word its name ends on.

Bad:

```json
{"name": "find_user", "description": "Find a user.", "inputSchema": {"type": "object", "properties": {
  "username": {"type": "string"} // flaw
}}}
```

Good:

```json
{"name": "find_user", "description": "Find a user.", "inputSchema": {"type": "object", "properties": {
  "username": {"type": "string", "maxLength": 100}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments, names_text
from reviewer.rules.shared.values.limits import format_part, has_length_bound, iter_parts_of_types
from reviewer.rules.shared.values.meanings import holds_text


@rule(
    Severity.SUGGESTION,
    codes=("SEC-001",),
    cites=("tool definition rules: SEC-001",),
    when=lambda tool, options: any(
        part for part, _ in iter_parts_of_types(collect_arguments(tool, options.literal), "string")
    ),
    absent="no tool takes a string that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each string without a maximum length."""
    for part, forms in iter_parts_of_types(collect_arguments(tool, options.literal), "string"):
        if options.literal:
            faulty = not names_text(part) and "maxLength" not in part.schema
        else:
            faulty = not holds_text(part) and not all(map(has_length_bound, forms))
        if faulty:
            message = f"{format_part(part)} of {tool.shown} has no maximum length"
            yield Flaw(tool.place(part.path), message, "Set a sensible `maxLength`.")
