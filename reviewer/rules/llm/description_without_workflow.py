"""A tool that needs others says what comes before, after or instead of it.

A model sees a list of tools and no order in it. Where one wants an identifier that another gives, or changes what another reads,
the text says which comes first.

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
item", "the following fields" and "use this to" speak of no order. A text in another language than English is not judged.
"""

from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.english import is_english
from reviewer.rules.substance import substance
from reviewer.rules.workflow import ORDER, mentions, stands_alone
from reviewer.source import Text


@rule(
    Severity.SUGGESTION,
    codes=("LLM-013",),
    cites=("tool definition rules: LLM-013",),
    when=lambda server: any(tool.said is not None for tool in server.tools),
    absent="no tool has a description that can be read",
)
def check(server: Server) -> Iterator[Flaw]:
    """Look for descriptions that name no other step."""
    names = {tool.name.lower() for tool in server.tools if isinstance(tool.name, Text) and len(tool.name) > 2}
    for tool in server.tools:
        said = substance(tool.said) if tool.said is not None else ""
        if tool.said is None or not is_english(said) or stands_alone(tool, said) or ORDER.search(said):
            continue
        own = tool.name.lower() if isinstance(tool.name, Text) else ""
        if not mentions(said, names - {own}):
            yield Flaw(
                tool.said,
                f"description of {tool.shown} says nothing of what comes before, after or instead of it",
                "Name the tools to call first, next, or in its place.",
                tool,
            )
