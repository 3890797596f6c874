"""Tool names are neither too short nor too long.

A model reads all names at once and writes the chosen one letter by letter. Two letters mean nothing to it, and in a name of
sixty it drops or swaps a word.

Bad:

```json
{"tools": [
  {
    "name": "gu",  // flaw
    "description": "Get a user by id",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "get-user",
    "description": "Get a user by id",
    "inputSchema": {"type": "object"}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    least: int = declare_option(3, "The fewest characters of a name.")
    most: int = declare_option(50, "The most characters of a name.")


@rule(
    Severity.SUGGESTION,
    codes=("NAM-003",),
    cites=("tool definition rules: NAM-003",),
    when=lambda tool, options: isinstance(tool.name, Text),
    absent="no tool has a name that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Count the characters of the name."""
    if not isinstance(tool.name, Text) or not tool.name.strip():
        return
    length = len(tool.name)
    if length < options.least:
        help = "Name the action and its object."
    elif length > options.most:
        help = "Remove what the description already says."
    else:
        return
    bound = f"at least {options.least}" if length < options.least else f"at most {options.most}"
    few = "one character" if length == 1 else f"{length} characters"
    yield Flaw(tool.name, f"tool name `{shorten_code(tool.name)}` has {few}; it should have {bound}", help)
