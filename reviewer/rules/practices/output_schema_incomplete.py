"""Every tool has an output schema with a type and descriptions.

With an output schema a client can validate and parse the answer, and a model knows before the call what it will get. Properties
without descriptions leave it guessing as much as no schema.

Departs from the original: what a tool's output schema lacks is one finding, the original makes up to three of it.
Departs from the original: a root that refers to a definition or offers alternatives has the type of those.
Departs from the original: rmcp leaves the description of the root out of what it sends, and none is asked of its users.
Departs from the original: a description that is a placeholder or only repeats the property's name is none.

Bad:

```json
{"tools": [
  {
    "name": "get-user",  // flaw
    "description": "Get a user by id",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "get-user",
    "description": "Get a user by id",
    "inputSchema": {"type": "object"},
    "outputSchema": {
      "type": "object",
      "description": "The user",
      "properties": {"mail": {"type": "string", "description": "The address that notices go to"}}
    }
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Part, Schema, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_fault, is_entry
from reviewer.rules.shared.hints import place
from reviewer.rules.shared.values.shapes import resolve_reference
from reviewer.rules.shared.words.identifiers import format_names
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Opaque

TYPED = ("type", "anyOf", "oneOf", "allOf")
"""What says of which type an answer is; the type may stand in the branches."""


def _is_readable(tool: Tool) -> bool:
    wrong = not is_entry(tool) or find_fault(tool, "outputSchema") is not None
    return not wrong and not isinstance(tool.output_schema, Opaque)


@rule(
    Severity.SUGGESTION,
    codes=("BP-009",),
    cites=("tool definition rules: BP-009", "MCP 2026-07-28 server/tools, Output Schema"),
    when=lambda server: any(_is_readable(tool) for tool in server.tools),
    absent="no tool has an output schema that can be read",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each missing output schema, and for what the others lack."""
    for tool in server.tools:
        schema = tool.output_schema
        if not _is_readable(tool) or isinstance(schema, Opaque):
            continue
        if schema is None or schema.absent:
            help = "Declare an output schema, or give the function a return type."
            yield Flaw(place(tool), f"{tool.shown} has no output schema", help, tool)
        else:
            yield from _iter_incomplete_flaws(tool, schema, server.framework == "rmcp")


def _iter_incomplete_flaws(tool: Tool, schema: Schema, bare: bool) -> Iterator[Flaw]:
    """Name what an output schema lacks; `bare` tells that the SDK leaves the root's description out."""
    root = [each for each in _iter_root(schema) if not (bare and each == "a description")]
    silent = [part for part in schema.parts if part.depth == 1 and not part.element and not _is_said(part)]
    missing = [*root, *([f"descriptions of {format_names([part.name for part in silent])}"] if silent else [])]
    if missing:
        at = schema.places.get((), place(tool)) if root else schema.places.get(silent[0].path, place(tool))
        message = f"the output schema of {tool.shown} lacks {', '.join(missing)}"
        yield Flaw(at, message, "Describe each part.", tool)


def _iter_root(schema: Schema) -> Iterator[str]:
    """Name what the root lacks, unless it cannot be read."""
    root = resolve_reference(schema.document, schema.document)
    if not any(key in root for key in TYPED) and not schema.hides("type"):
        yield "a type"
    said = schema.document.get("description") or root.get("description")
    if not (isinstance(said, str) and extract_substance(said)) and not schema.hides("description"):
        yield "a description"


def _is_said(part: Part) -> bool:
    return bool(extract_substance(part.description, part.name))
