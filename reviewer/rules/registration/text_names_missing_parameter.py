r'''Parameter lists in descriptions match the input schema.

A model that reads about `list_id` and `name` sends them, whatever the schema says, and the call is rejected or the values are
dropped. Such lists remain when separate arguments were merged into one object, or when one was renamed. Parameter lists in the
usual docstring styles are read: under `Args:` or `Parameters:`, in numpydoc, or as `:param name:`.

Bad:

```python
from mcp.server import MCPServer
from pydantic import BaseModel

mcp = MCPServer("ropes")

class Cut(BaseModel):
    rope: str
    metres: float

@mcp.tool()
def cut_rope(cut: Cut) -> str:
    """Cut a rope.\n\nArgs:\n    rope: Its name.\n    length: How many metres to cut off."""  # flaw
```

Good:

```python
from mcp.server import MCPServer
from pydantic import BaseModel

mcp = MCPServer("ropes")

class Cut(BaseModel):
    rope: str
    metres: float

@mcp.tool()
def cut_rope(cut: Cut) -> str:
    """Cut a rope.\n\nArgs:\n    cut: The name of the rope, and how many metres to cut off."""
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Schema, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_items
from reviewer.text.patterns import pattern

HEADING = pattern(r"[ \t]*\W{0,3}(?:args|arguments|parameters|params|inputs?)\b\W{0,3}[ \t]*", re.IGNORECASE)
"""A line that begins a list of parameters: `Args:`, `**Parameters**`."""

ENTRY = pattern(
    r"(?P<margin>[ \t]*)(?P<mark>[-*•][ \t]+)?[`*\"']{0,3}(?P<name>[A-Za-z_]\w*)[`*\"']{0,3}"
    r"[ \t]*(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])?[ \t]*[`*]{0,2}(?:(?P<typed>[ \t]:[ \t])|:|[ \t][–—-]+[ \t])"
)
"""A line of one, with its type in brackets or not."""

SPHINX = pattern(r"^[ \t]*:param(?:eter)?[ \t]+(?:[\w.\[\], |]+[ \t]+)?(?P<name>\w+)[ \t]*:", re.MULTILINE)
"""The field of Sphinx, which may have the type before the name: `:param str | None name:`."""

RULE = pattern(r"[ \t]*-{3,}[ \t]*")
"""What numpydoc has under a heading."""

INJECTED = frozenset("ctx context self cls request".split())
"""What docstrings list, and the SDKs hand over: the names that the SDKs' own examples have for it."""

HELP = (
    "Describe the parameters that the schema has, or add these to the schema: a client can only send what it declares."
)
SHOWN = 6
"""Names in one message."""


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: documentation", "MCP 2026-07-28 server/tools, inputSchema"),
    when=lambda tool: tool.said is not None and isinstance(tool.input_schema, Schema),
    absent="no tool has a description and a schema that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each parameter that a text lists and the schema lacks, at any depth."""
    schema = tool.input_schema
    if tool.said is None or not isinstance(schema, Schema) or schema.absent or schema.hides("properties"):
        return
    if schema.document.get("additionalProperties") not in (None, False) or "properties" not in schema.document:
        return
    known = {_format_plain(each.name) for each in tool.arguments} | {_format_plain(each) for each in INJECTED}
    missing = [each for each in dict.fromkeys(iter_listed_names(tool.said)) if _format_plain(each) not in known]
    if missing:
        names = format_items((f"`{each}`" for each in missing), SHOWN)
        taken = format_items((f"`{each.name}`" for each in tool.arguments if each.depth == 1), SHOWN)
        as_ = "parameters" if len(missing) > 1 else "a parameter"
        told = f"the tool takes {taken}" if taken else "the tool takes none"
        yield Flaw(tool.said, f"description of {tool.shown} lists {names} as {as_}, but {told}", HELP)


def iter_listed_names(text: str) -> Iterator[str]:
    """Yield the names that a text lists as parameters."""
    yield from (found["name"] for found in SPHINX.finditer(text))
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if HEADING.fullmatch(line):
            is_ruled = number + 1 < len(lines) and RULE.fullmatch(lines[number + 1]) is not None
            yield from _iter_entries(lines[number + 1 + is_ruled :])


def _iter_entries(lines: list[str]) -> Iterator[str]:
    """Yield the names of a list's entries: what stands as the first does, with a text, down to where something else stands."""
    form: tuple[int, bool] | None = None
    for line in lines:
        begun = len(line) - len(line.lstrip())
        found = ENTRY.match(line)
        own = (begun, found is not None and found["mark"] is not None)
        is_deeper = form is not None and begun > form[0]
        if not line.strip() or is_deeper:
            continue
        if found is None or not line[found.end() :].strip() or own != (form or own):
            return
        form = own
        yield found["name"]


def _format_plain(name: str) -> str:
    return name.replace("_", "").lower()
