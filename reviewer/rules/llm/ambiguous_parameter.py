"""A parameter that could be anything says what it is.

`data` and `value` fit every parameter of every tool. A model fills them with what is at hand, unless the description, or
the name of the tool, says what is wanted.

Bad:

```json
[
  {
    "name": "process",
    "description": "Processes it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "data": { // flaw
          "type": "object",
          "description": "The data to process"
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
    "name": "process",
    "description": "Processes it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "userData": {
          "type": "object",
          "description": "Profile data with name and e-mail address"
        }
      }
    }
  }
]
```

Departs from the original: names are split into words (`inputData`), a name with any clearer word is clear (`userData`), and so
is `value` beside a `key`, `content` of `write_file`, or what is chosen from a list. Any word counts as context that is neither
a function word nor a verb nor as ambiguous itself; "to" and "from" are none. A parameter is reported once. A text in another
language than English counts as context.
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.ambiguity import ambiguous, clear, is_ambiguous, is_bounded, repeats, stands_alone
from reviewer.rules.english import is_english
from reviewer.rules.substance import substance
from reviewer.rules.words import clipped, words


@rule(
    Severity.SUGGESTION,
    codes=("LLM-008",),
    cites=("tool definition rules: LLM-008",),
    when=lambda tool: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for parameters whose name and description fit anything."""
    names = frozenset(word for part in tool.arguments for word in words(part.name))
    for part in tool.arguments:
        said = substance(part.description)
        if part.element or clear(words(said)) or is_bounded(part) or not is_english(said):
            continue
        if is_ambiguous(words(part.name)):
            if not stands_alone(part, tool, names):
                continue
            yield Flaw(
                tool.place(part.path),
                f"parameter `{part.name}` of {tool.shown} could be anything",
                "Name what it holds, or describe it: whose data, in which form.",
            )
        elif ambiguous(words(part.description)) and not repeats(said, part.name):
            yield Flaw(
                tool.place((*part.path, "description")),
                f"description of parameter `{part.name}` of {tool.shown} fits anything: `{clipped(part.description)}`",
                "Say whose data it is, and in which form.",
            )
