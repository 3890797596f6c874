"""Parameter descriptions are neither too short nor too long.

A few letters only repeat the name. A page of text hides what the value has to look like, and every request pays for it.

Bad:

```json
[
  {
    "name": "get-user",
    "description": "Gets a user's profile.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "description": "User" // flaw
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
    "name": "get-user",
    "description": "Gets a user's profile.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "description": "The user's number, as `list-users` gives it"
        }
      }
    }
  }
]
```

Departs from the original: placeholders, and sentences that stand twice, do not make a short text longer. What lies within
an object or an array is looked at too, for a model has to fill it in as well.
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.literal_mode import collect_arguments
from reviewer.rules.shared.words.substance import extract_substance


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )
    least: int = declare_option(10, "The fewest characters, without placeholders and repetitions.")
    most: int = declare_option(200, "The most characters.")


@rule(
    Severity.SUGGESTION,
    codes=("LLM-007",),
    cites=("tool definition rules: LLM-007",),
    when=lambda tool, options: any(part.description for part in tool.arguments),
    absent="no tool describes a parameter",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each parameter description that is too short or too long, in characters."""
    for part in collect_arguments(tool, options.literal):
        said = part.description.strip()
        if part.element or not said:
            continue
        short = len(extract_substance(said))
        if short >= options.least and len(said) <= options.most:
            continue
        fault = f"{short} characters, fewer than {options.least}"
        if short >= options.least:
            fault = f"{len(said)} characters, more than {options.most}"
        yield Flaw(
            tool.place((*part.path, "description")),
            f"description of parameter `{part.name}` of {tool.shown} has {fault}",
            "Give its meaning, its unit or format, and what happens if it is left out.",
        )
