"""File path parameters restrict the paths they accept.

`../../etc/passwd` is a path, too. A pattern rejects the simplest traversals and tells the model what is expected; it does not
replace the check in the code.

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

from reviewer.facts import Part, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments, names_path
from reviewer.rules.shared.values.limits import format_part, has_named_values, iter_parts_of_types
from reviewer.rules.shared.values.meanings import holds_path


def _takes_path(part: Part, options: LiteralMode) -> bool:
    return names_path(part) if options.literal else holds_path(part)


@rule(
    Severity.SUGGESTION,
    codes=("SEC-004",),
    cites=("tool definition rules: SEC-004",),
    when=lambda tool, options: any(
        _takes_path(part, options)
        for part, _ in iter_parts_of_types(collect_arguments(tool, options.literal), "string")
    ),
    absent="no tool takes a file path that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each path without a pattern."""
    for part, forms in iter_parts_of_types(collect_arguments(tool, options.literal), "string"):
        told = (
            "pattern" in part.schema
            if options.literal
            else all("pattern" in form or has_named_values(form) for form in forms)
        )
        if _takes_path(part, options) and not told:
            message = f"{format_part(part)} of {tool.shown} accepts any path"
            yield Flaw(
                tool.place(part.path), message, "Add a `pattern` for the accepted paths, and check them in the code."
            )
