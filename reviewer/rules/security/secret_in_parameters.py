"""A parameter that holds a secret is looked at by a person.

What is given to a tool has passed through the model, and stands in its context, in the client's log and in every transcript. A
secret is better kept where the server runs. Where it must be a parameter, somebody should have decided so.

Departs from the original: a name is read by its words, so that `author`, `pageToken`, `maxTokens` and `token_count` hold no
secret, nor do the name, place, kind or length of one; numbers and switches hold none; names in objects are seen.

Bad:

```json
{"name": "log_in", "description": "Log in.", "inputSchema": {"type": "object", "properties": {
  "user": {"type": "string"},
  "password": {"type": "string"} // flaw
}}}
```

Good:

```json
{"name": "list_pages", "description": "List pages.", "inputSchema": {"type": "object", "properties": {
  "author": {"type": "string"},
  "pageToken": {"type": "string"}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.limits import shown
from reviewer.rules.meanings import holds_secret


@rule(
    Severity.SUGGESTION,
    codes=("SEC-007",),
    cites=("tool definition rules: SEC-007",),
    when=lambda tool: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for names of secrets."""
    for part in tool.arguments:
        if holds_secret(part):
            message = (
                f"{shown(part)} of {tool.shown} holds a secret, which the model and every log of the call will see"
            )
            yield Flaw(
                tool.place(part.path), message, "Take it from the server's environment or an authorized session."
            )
