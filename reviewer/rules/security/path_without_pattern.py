"""Every parameter that holds a file path says which paths it takes.

`../../etc/passwd` is a path too. A pattern keeps the plainest traversals out and tells the model what is expected; it is no
replacement for the check in the code.

Departs from the original: a name is read by its words, so that `profile`, `direction` and `file_type` are no paths and a path to
a value in a document is none; names in objects and arrays are seen; an `enum` or a `const` names the paths themselves.

Bad:

```json
{"name": "read_file", "description": "Read a file.", "inputSchema": {"type": "object", "properties": {
  "filePath": {"type": "string"} // flaw
}}}
```

Good:

```json
{"name": "read_file", "description": "Read a file.", "inputSchema": {"type": "object", "properties": {
  "filePath": {"type": "string", "pattern": "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.limits import chosen, each, shown
from reviewer.rules.meanings import holds_path


@rule(
    Severity.SUGGESTION,
    codes=("SEC-004",),
    cites=("tool definition rules: SEC-004",),
    when=lambda tool: any(holds_path(part) for part, _ in each(tool.arguments, "string")),
    absent="no tool takes a file path that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for paths without a pattern."""
    for part, forms in each(tool.arguments, "string"):
        if holds_path(part) and not all("pattern" in form or chosen(form) for form in forms):
            message = f"{shown(part)} of {tool.shown} may be any path"
            yield Flaw(
                tool.place(part.path), message, "Give it a `pattern` of the paths it takes, and check them in the code."
            )
