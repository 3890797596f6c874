"""Complex parameters have an example.

Types show what is legal, not what is meant. One acceptable value saves the model from guessing how the parts fit together.

Departs from the original: an example in the description counts, for a model reads both alike.
Departs from the original: an `enum` lists all values there are and is its own example.
Departs from the original: a value that may be null is no choice between types, and a default of null or of nothing shows nothing.
Departs from the original: an object whose properties all have examples, and an array whose elements have one, is shown by them.
Departs from the original: of what stands behind a reference or among several types it sees nothing; here it is looked at.

Bad:

```json
{"tools": [
  {
    "name": "search",
    "description": "Search",
    "inputSchema": {"type": "object", "properties": {
      "filters": {"type": "object", "properties": {"state": {"type": "string"}}}  // flaw
    }}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "search",
    "description": "Search",
    "inputSchema": {"type": "object", "properties": {
      "filters": {"type": "object", "properties": {"state": {"type": "string"}}, "examples": [{"state": "open"}]}
    }}
  }
]}
```
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from reviewer.facts import Json, Part, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.text.patterns import pattern

EXAMPLE = pattern(
    r"""\be\.\s?g\b | \bexamples?\b | \bfor\ instance\b | \bsuch\ as\b | \[\s*["'\d{\[] | \{\s*["'\w]+\s*:
    | (?P<quote>[`"'])[^`"'\n]+(?P=quote),?\s+(?:(?:or|and)\s+)?(?P=quote)[^`"'\n]+(?P=quote)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A word that announces one, a bracket that begins one, or two values in a row."""

FEW = 3
"""Values of an `enum`; more make a choice complex, by the letter of the page."""

SHOWN = ("enum", "const", "examples", "example", "default")
"""Keywords whose value shows one that is valid: what may be chosen, what is taken by default, an example."""


def _is_complex(part: Part) -> bool:
    """Return whether a part has pieces, or takes values of several types."""
    some = [form for form in part.forms if form.get("const", form) is not None]
    return len(some) > 1 or any(part.iter_forms_of("object")) or any(part.iter_forms_of("array"))


def _collect_repeated_texts(tool: Tool) -> frozenset[str]:
    """Return the texts that stand at several parameters, or at the tool too: they show nothing of any."""
    texts = {(part.name, part.description) for part in tool.arguments} | {("", tool.said or "")}
    counted = Counter(text for _, text in texts)
    return frozenset(text for text, count in counted.items() if count > 1)


def _shows(schema: Json, repeated: frozenset[str]) -> bool:
    """Return whether a value stands in the schema or its text, or in each of its pieces."""
    pieces = [*_collect_dicts(schema.get("properties")), *_collect_dicts([schema.get("items")])]
    said = str(schema.get("description") or "")
    return (
        any(schema.get(key) not in (None, [], {}, "") for key in SHOWN)
        or schema.get("type") == "boolean"
        or (said not in repeated and bool(EXAMPLE.search(extract_substance(said))))
        or (bool(pieces) and all(_shows(piece, repeated) for piece in pieces))
    )


def _collect_dicts(value: Any) -> list[Json]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [each for each in held if isinstance(each, dict)]


def _iter_bare(tool: Tool) -> Iterator[Flaw]:
    """Yield the complex parameters in whose own schema no example stands."""
    for part in collect_arguments(tool, True):
        values, kinds = part.schema.get("enum"), any(part.schema.get(key) for key in ("oneOf", "anyOf", "allOf"))
        several = isinstance(values, list) and len(values) > FEW
        types = part.schema.get("type")
        several |= isinstance(types, list) and len({*map(str, types)} - {"null"}) > 1
        if part.schema.get("type") in ("object", "array") or kinds or several:
            if not any(key in part.schema for key in ("examples", "example", "default")):
                message = f"parameter `{part.name}` of {tool.shown} has no example"
                yield Flaw(tool.place(part.path), message, "Add a complete value to `examples`.")


@rule(
    Severity.SUGGESTION,
    codes=("BP-008",),
    cites=("tool definition rules: BP-008",),
    when=lambda tool, options: options.literal or any(_is_complex(part) for part in tool.arguments),
    absent="no tool takes an object, an array or a value of several types",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each complex argument without an example."""
    if options.literal:
        yield from _iter_bare(tool)
        return
    repeated = _collect_repeated_texts(tool)
    elements = [part for part in tool.arguments if part.element and any(_shows(form, repeated) for form in part.forms)]
    shown = {part.path[:2] for part in elements if part.depth == 2}
    for part in tool.arguments:
        if part.depth == 1 and not part.element and _is_complex(part) and part.path not in shown:
            if not any(_shows(schema, repeated) for schema in (part.schema, *part.forms)):
                message = f"parameter `{part.name}` of {tool.shown} has no example"
                yield Flaw(tool.place(part.path), message, "Add a complete value to `examples` or to the description.")
