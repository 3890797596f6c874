"""Parameters described as optional are not required.

A client that validates its calls, and a model that follows the schema, have to invent a value that they could leave out: a
filter that filters, an id that does not exist. One that believes the description leaves it out, and the call is rejected.

Bad:

```json
{"tools": [
  {
    "name": "list-beds",
    "description": "List the beds",
    "inputSchema": {
      "type": "object",
      "properties": {
        "crop": {"type": "string", "description": "Only beds of this crop (optional)"}  // flaw
      },
      "required": ["crop"]
    }
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "list-beds",
    "description": "List the beds",
    "inputSchema": {
      "type": "object",
      "properties": {
        "crop": {"type": "string", "description": "Only beds of this crop (optional)"}
      },
      "required": []
    }
  }
]}
```
"""

import re
from collections.abc import Iterator

from reviewer.facts import Part, Schema, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.text.patterns import pattern

OPTIONAL = pattern(r"\A\W*(?:\w+, ?)?optional(?!ly|-)\b|[(\[]optional[)\],;:. ]|[,;.] optional\.?\Z", re.IGNORECASE)
"""How a description says of its parameter that it may be left out: as its first word, perhaps after a type, in brackets, as its
last word. A type in brackets further on is that of a part: `List of players: usage (dict, optional)`."""

PARTS = pattern(r"\s+(?:[-*•]|\d+[.)])\s+[`\"']?\w+[`\"']?\s*[(:]")
"""How a list begins of what the parameter's value consists of, each with a text of its own."""

NEEDED = pattern(r"\b(?:required|mandatory|must be (?:given|provided|set)|null|none)\b", re.IGNORECASE)
"""What says that it may not, at least not always, or what to give instead."""

HELP = "Remove it from `required`: in Python give it a default (`= None`), in Rust an `Option` or `#[serde(default)]`."


def _collect_required_names(tool: Tool) -> list[str]:
    schema = tool.input_schema
    if not isinstance(schema, Schema) or schema.absent or schema.hides("required"):
        return []
    listed = schema.document.get("required")
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def _collect_optional(tool: Tool) -> list[Part]:
    """Return the required parameters whose descriptions say that they are optional."""
    required = set(_collect_required_names(tool))
    return [
        part
        for part in tool.arguments
        if part.depth == 1
        and not part.element
        and part.name in required
        and part.description
        and OPTIONAL.search(PARTS.split(part.description, maxsplit=1)[0])
        and not NEEDED.search(part.description)
    ]


@rule(
    Severity.WARNING,
    cites=("MCP 2026-07-28 server/tools, inputSchema", "JSON Schema 2020-12, required"),
    when=lambda server: any(map(_collect_required_names, server.tools)),
    absent="no tool requires a parameter",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield one finding for each server with required parameters that are described as optional."""
    found = [(tool, part) for tool in server.tools for part in _collect_optional(tool)]
    if found:
        tool, part = found[0]
        more = f" (and {len(found) - 1} more parameter{'s' * (len(found) > 2)})" if len(found) > 1 else ""
        message = f"`{part.name}` of {tool.shown} is described as optional, but the schema requires it{more}"
        yield Flaw(tool.place(part.path), message, HELP, tool)
