"""Every input field has an example.

A type shows what is legal; a real value shows what is meant: the form of an id, the unit of a number, the syntax of a query. An
empty value shows nothing. A field that is an object is illustrated by the examples of its own fields.

Bad:

```json
{"tools": [
  {
    "name": "task.get",
    "description": "Get a task",
    "inputSchema": {"type": "object", "properties": {
      "task_id": {"type": "string", "description": "The task"}  // flaw
    }}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "task.get",
    "description": "Get a task",
    "inputSchema": {"type": "object", "properties": {
      "task_id": {"type": "string", "description": "The task", "examples": ["86p9w7x49"]}
    }}
  }
]}
```
"""

from collections.abc import Iterator
from typing import Any

from reviewer.facts import Part, Tool
from reviewer.rules import Flaw, Severity, rule

NOTHING: tuple[Any, ...] = (None, "", [], {})


def _is_field(part: Part) -> bool:
    """Return whether a part is a value that a client chooses, and not an object whose fields are parts of their own."""
    return (
        not part.element and part.find_keyword("const") is None and not any("properties" in form for form in part.forms)
    )


def _is_shown(part: Part) -> bool:
    given = part.find_keyword("examples")
    shown = given if isinstance(given, list) else [given]
    return any(each not in NOTHING for each in (*shown, part.find_keyword("example")))


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: input models",),
    when=lambda tool: any(map(_is_field, tool.arguments)),
    absent="no tool takes a field that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each field without a meaningful example."""
    for part in filter(_is_field, tool.arguments):
        at = tool.place(part.path)
        if not _is_shown(part):
            empty = part.find_keyword("examples") is not None
            message = f"field `{part.name}` of {tool.shown} has {'an empty example' if empty else 'no example'}"
            yield Flaw(at, message, "Add a realistic value to `examples`.")
