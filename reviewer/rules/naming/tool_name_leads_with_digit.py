"""Tool names do not start with a digit.

Clients turn tool names into functions, variables and commands, and none of these may start with a digit; Gemini rejects such a
tool.

Bad:

```json
{"tools": [
  {
    "name": "2fa-verify",  // flaw
    "description": "Verify a one-time code",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "verify-2fa",
    "description": "Verify a one-time code",
    "inputSchema": {"type": "object"}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text


@rule(
    Severity.SUGGESTION,
    codes=("NAM-004",),
    cites=("tool definition rules: NAM-004",),
    when=lambda tool: isinstance(tool.name, Text),
    absent="no tool has a name that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look at the first character."""
    if isinstance(tool.name, Text) and "0" <= tool.name[:1] <= "9":
        yield Flaw(tool.name, f"tool name `{tool.name}` starts with a digit", "Start the name with a verb.")
