"""Array parameters have a maximum length.

One call with a hundred thousand elements costs memory, time and often as many calls to an upstream service. A limit in the
schema rejects it, and tells the model to work in batches.

Departs from the original: arrays in objects and in arrays, and those that may be null, are seen; distinct elements of an `enum`
and tuples are bounded without `maxItems`.

Bad:

```json
{"name": "tag_notes", "description": "Tag notes.", "inputSchema": {"type": "object", "properties": {
  "tags": {"type": "array", "items": {"enum": ["red", "green"]}} // flaw
}}}
```

Good:

```json
{"name": "tag_notes", "description": "Tag notes.", "inputSchema": {"type": "object", "properties": {
  "tags": {"type": "array", "items": {"enum": ["red", "green"]}, "maxItems": 50}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments
from reviewer.rules.shared.values.limits import count_bounded, format_part, iter_parts_of_types


@rule(
    Severity.SUGGESTION,
    codes=("SEC-002",),
    cites=("tool definition rules: SEC-002",),
    when=lambda tool, options: any(
        part for part, _ in iter_parts_of_types(collect_arguments(tool, options.literal), "array")
    ),
    absent="no tool takes an array that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each array without a maximum length."""
    for part, forms in iter_parts_of_types(collect_arguments(tool, options.literal), "array"):
        if not ("maxItems" in part.schema if options.literal else all(map(count_bounded, forms))):
            message = f"{format_part(part)} of {tool.shown} has no maximum length"
            yield Flaw(
                tool.place(part.path), message, "Set `maxItems` to the most elements that one call should carry."
            )
