"""Descriptions of tools that depend on other tools explain the workflow.

A model sees a list of tools without an order. If one needs an identifier that another returns, or changes what another reads,
the description has to say which comes first.

Bad:

```json
[
  {
    "name": "update-record",
    "description": "Updates a record's fields.", // flaw
    "inputSchema": {"type": "object"}
  },
  {
    "name": "get-record",
    "description": "Reads a record's fields.",
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "update-record",
    "description": "Updates a record's fields. Call get-record to learn them.",
    "inputSchema": {"type": "object"}
  },
  {
    "name": "get-record",
    "description": "Reads a record's fields.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: a tool that only reads, and takes no identifier that has to come from somewhere, stands alone. Names
of other tools count as whole words, those of one everyday word only where they are marked or called ("use `search`"). "The first
item", "the following fields" and "use this to" speak of no order.

A judge is asked where a word of order stands there and no other tool is named, for it may speak of something else, and of a
text in another language than English.
"""

import re
from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.asking import find_judgeable_text
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.rules.shared.words.workflow import ORDER, is_independent, mentions
from reviewer.source import Text
from reviewer.text.patterns import pattern

LETTER = pattern(rf"(?:{ORDER.pattern})|\b(?:first|next|following|once|then)\b", re.IGNORECASE | re.VERBOSE)
"""By the letter, any word of order is one, whatever it orders."""


@rule(
    Severity.SUGGESTION,
    codes=("LLM-013",),
    cites=("tool definition rules: LLM-013",),
    when=lambda server, options: any(tool.said is not None for tool in server.tools),
    absent="no tool has a description that can be read",
    judged=True,
)
def check(server: Server, options: LiteralMode) -> Iterator[Flaw | Question]:
    """Yield a finding for each description that names no other step, and a question if it may."""
    names = {tool.name.lower() for tool in server.tools if isinstance(tool.name, Text) and len(tool.name) > 2}
    for tool in server.tools:
        said = extract_substance(tool.said) if tool.said is not None else ""
        if tool.said is None or (not options.literal and is_independent(tool, said)):
            continue
        own = tool.name.lower() if isinstance(tool.name, Text) else ""
        if mentions(said, names - {own}):
            continue
        message = f"description of {tool.shown} does not say which tools come before, after or instead of it"
        help = "Name the tools to call before it, after it or instead of it."
        if is_english(said) and not (LETTER if options.literal else ORDER).search(said):
            yield Flaw(tool.said, message, help, tool)
        elif find_judgeable_text(tool) is not None:
            yield Question(tool.said, tool, message, help, frozenset({"siblings", "schema"}), siblings=server.tools)
