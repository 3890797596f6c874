"""Parameter descriptions state the constraints of the schema.

Not every client shows a model the full schema, and a call that violates a constraint is rejected. A constraint in the
description is respected in the first call.

Bad:

```json
[
  {
    "name": "search",
    "description": "Searches the index.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "pageSize": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "description": "Number of results per page" // flaw
        }
      }
    }
  }
]
```

Good:

```json
[
  {
    "name": "search",
    "description": "Searches the index.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "pageSize": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "description": "Number of results per page (1-100)"
        }
      }
    }
  }
]
```

Departs from the original: a bound is told where its number stands in the text ("1-100", "0..=5", "1,000", "at least one"), a
least of zero or one in words too ("non-negative", "not empty"), the values of an enum where they stand there, a format in its
own words. Bounds that a type brings along, like zero for an unsigned number, are none that somebody set, and neither are the
formats of numbers. Exclusive bounds, the number of elements, and bounds beside `null` count too, and what lies within an
object is looked at. A text in another language than English is not judged.
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments
from reviewer.rules.shared.values.bounds import iter_untold_bounds
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.substance import extract_substance


@rule(
    Severity.SUGGESTION,
    codes=("LLM-009",),
    cites=("tool definition rules: LLM-009",),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each bound of the schema that the description does not mention."""
    for part in collect_arguments(tool, options.literal):
        said = extract_substance(part.description)
        lacking = [] if part.element else list(iter_untold_bounds(part, said, literally=options.literal))
        if lacking and is_english(said):
            yield Flaw(
                tool.place((*part.path, "description") if part.description else part.path),
                f"description of parameter `{part.name}` of {tool.shown} does not state {', '.join(lacking)}",
                "State the constraints in the description: `1-100`, `one of …`.",
            )
