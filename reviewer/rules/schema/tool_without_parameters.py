"""Tools without parameters say so in the description or with `additionalProperties: false`.

An empty schema is as often forgotten as intended. A model that reads "takes no parameters" does not look for the ones it would
expect, and a reader knows that nothing was lost.

Departs from the original: a description that says so, or `additionalProperties: false` beside no property, is an answer, as
the page itself has it; parameters that come through `$ref` or `allOf` are seen.

Bad:

```json
{"name": "get_status", "description": "Get the status of the server.",
  "inputSchema": {"type": "object", "properties": {}} // flaw
}
```

Good:

```json
{"name": "get_status", "description": "Get the status of the server. Takes no parameters.",
  "inputSchema": {"type": "object", "properties": {}}
}
```
"""

import re
from collections.abc import Iterator

from reviewer.facts import Json, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_argument_schema
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.text.patterns import pattern

SAID = pattern(
    r"\b(?:no|without|zero|not (?:take|need|require|accept)s? any|n't (?:take|need|require|accept)s? any)"
    r" (?:\w+ ){0,2}(?:parameter|argument|input|option|param|arg)s?\b"
    r"|\b(?:parameter|argument|input|param|arg)s?(?: required)?\W{1,3}none\b"
    r"|\b(?:takes|needs|requires|accepts) nothing\b|\bparameterless\b",
    re.IGNORECASE,
)
"""How a text says so. SCH-006 of the page accepts tools without parameters that are documented: "Takes no parameters" is its
example."""

ELSEWHERE = ("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "patternProperties", "if")
"""Keywords that may define parameters without `properties`."""


@rule(
    Severity.SUGGESTION,
    codes=("SCH-006",),
    cites=("tool definition rules: SCH-006",),
    when=lambda tool, options: find_argument_schema(tool) is not None,
    absent="no tool has an input schema that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each schema without properties, if the tool does not say that it takes none."""
    schema = find_argument_schema(tool)
    if schema is None or schema.hides("properties"):
        return
    bare = not schema.document.get("properties") if options.literal else _is_empty(schema.document)
    if not bare:
        return
    if not SAID.search(extract_substance(tool.said or "")):
        at = tool.place(("properties",))
        yield Flaw(
            at,
            f"{tool.shown} has no parameters but does not say so",
            "Say in the description that it takes none, or define them.",
        )


def _is_empty(document: Json) -> bool:
    """Return whether a schema has no properties, from nowhere else either, and is open to any."""
    further = document.get("additionalProperties")
    if further is False or isinstance(further, dict) or any(key in document for key in ELSEWHERE):
        return False
    return bool(document.get("properties", {}) == {})
