"""Tool names use only the characters and lengths that MCP allows.

MCP allows 1 to 128 letters, digits, `_`, `-` and `.`. Because of a space, a slash or a letter outside ASCII, clients reject the
tool, and some the entire tool list of the server.

Bad:

```json
{"tools": [
  {
    "name": "list shares",  // flaw
    "description": "List the shares of a volume",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "list_shares",
    "description": "List the shares of a volume",
    "inputSchema": {"type": "object"}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text
from reviewer.text.patterns import pattern

# The limit of the specification for tool names (server/tools, Tool Names).
LONGEST = 128

FOREIGN = pattern(r"[^A-Za-z0-9_.-]")
"""The characters of server/tools, Tool Names, in MCP 2025-11-25: ASCII letters, digits, `_`, `-` and `.`."""


@rule(
    Severity.ERROR,
    cites=("MCP 2026-07-28 server/tools, Tool Names",),
    when=lambda tool: isinstance(tool.name, Text),
    absent="no tool has a name that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool name with forbidden characters or too many characters."""
    if not isinstance(tool.name, Text) or not tool.name.strip():
        return
    foreign = FOREIGN.search(tool.name)
    if foreign is not None:
        what = f"contains {foreign[0]!r}"
    elif len(tool.name) > LONGEST:
        what = f"has {len(tool.name)} characters"
    else:
        return
    yield Flaw(
        tool.name,
        f"tool name `{shorten_code(tool.name)}` {what}",
        f"Use only letters, digits, `_` and `-`, and at most {LONGEST} characters.",
    )
