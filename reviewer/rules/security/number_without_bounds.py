"""Number parameters are bounded.

A page size of minus one or of a billion is a mistake that the schema can reject. Without bounds it reaches the code, as an
overflow, an empty answer or a query that never ends.

Departs from the original: exclusive bounds, `enum`, `const` and the small integer formats bound as well; numbers in objects and
arrays, and those that may be null, are seen.

Bad:

```json
{"name": "list_notes", "description": "List notes.", "inputSchema": {"type": "object", "properties": {
  "limit": {"type": "integer"} // flaw
}}}
```

Good:

```json
{"name": "list_notes", "description": "List notes.", "inputSchema": {"type": "object", "properties": {
  "limit": {"type": "integer", "minimum": 1, "maximum": 100}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments
from reviewer.rules.shared.values.limits import format_part, has_size_bound, iter_parts_of_types


def _has_end(part: Part) -> bool:
    return "minimum" in part.schema or "maximum" in part.schema


@rule(
    Severity.SUGGESTION,
    codes=("SEC-003",),
    cites=("tool definition rules: SEC-003",),
    when=lambda tool, options: any(
        part for part, _ in iter_parts_of_types(collect_arguments(tool, options.literal), "integer", "number")
    ),
    absent="no tool takes a number that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each number without any bound."""
    for part, forms in iter_parts_of_types(collect_arguments(tool, options.literal), "integer", "number"):
        if not (_has_end(part) if options.literal else all(map(has_size_bound, forms))):
            message = f"{format_part(part)} of {tool.shown} has no bounds"
            yield Flaw(tool.place(part.path), message, "Set a sensible `minimum` and `maximum`.")
