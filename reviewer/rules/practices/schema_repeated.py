"""Input schemas do not repeat large subschemas.

Copies drift apart: bounds are widened in one tool and forgotten in the next, and a model that learned the shape once sends
values that the other rejects. A model class, a struct or a definition under `$defs` is written once and referenced.

Departs from the original: descriptions, titles and examples do not count for sameness.
Departs from the original: what refers to a definition is written once already, however often it is referred to.
Departs from the original: the first of several copies is the one to keep, and what lies in a copy is not told again.
Departs from the original: the same bounds under another name are no copy; of `limit` and `depth` only by chance both go to 50.
Departs from the original: the bounds of the number's type, 0 and 65535 for 16 bits, are no work of the author's.
Departs from the original: a value that may be null is compared as the value it is otherwise.

Bad:

```json
{"tools": [
  {
    "name": "list_open",
    "description": "List what is open",
    "inputSchema": {"type": "object", "properties": {
      "range": {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}}
    }}
  },
  {
    "name": "list_closed",
    "description": "List what is closed",
    "inputSchema": {"type": "object", "properties": {
      "range": {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}}  // flaw
    }}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "list",
    "description": "List what is open, or what is closed",
    "inputSchema": {"type": "object", "properties": {
      "state": {"enum": ["open", "closed"]},
      "range": {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}}
    }}
  }
]}
```
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from reviewer.facts import Json, Part, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments
from reviewer.rules.shared.words.identifiers import to_singular

SAID = frozenset({"description", "title", "examples", "example", "$comment"})
"""What says something to people: two schemas that differ in it alone accept the same, and one definition does for both."""

NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions"})
"""Keywords whose keys are names: a property may be called `title` or `description`, which is no text then."""

SHAPING = (
    "properties items oneOf anyOf allOf enum pattern minimum maximum minLength maxLength minItems maxItems"
).split()
"""The thirteen keywords of BP-006 of the original validator, of which two make a schema worth a definition."""

TYPE_BOUNDS = {0} | {2**bits - low for bits in (7, 8, 15, 16, 31, 32, 63, 64) for low in (0, 1)}
"""The ends of integer types, as parsers that know the type write them: such bounds were not chosen by an author."""


def _is_complex(part: Part) -> bool:
    """Return whether a part is worth a definition: an object, objects in an array, or two keywords that shape it."""
    if (
        len(part.forms) != 1
        or part.element
        or {"$defs", "definitions"} & {*part.path[::2]}
        or _is_referred(part.schema)
    ):
        return False
    form = part.forms[0]
    return _has_pieces(form) or sum(key in form and not _is_implied(form, key) for key in SHAPING) > 1


def _is_worth(part: Part) -> bool:
    return "type" in part.schema and (_has_pieces(part.schema) or sum(key in part.schema for key in SHAPING) > 1)


def _has_pieces(form: Json) -> bool:
    items = form.get("items")
    return bool(form.get("properties") or (isinstance(items, dict) and items.get("properties")))


def _get_key(part: Part, options: LiteralMode) -> str:
    """Return a key that is equal for two copies of a schema."""
    if options.literal:
        return json.dumps(part.schema, sort_keys=True, default=str)
    form = part.forms[0]
    name = "" if _has_pieces(form) else to_singular(part.name.lower())
    return json.dumps([name, _get_shape(form)], sort_keys=True, default=str)


def _is_implied(form: Json, key: str) -> bool:
    """Return whether a bound is that of the number's type: of 16 bits, of what JavaScript counts."""
    if key not in ("minimum", "maximum") or not isinstance(form[key], int | float):
        return False
    size = re.fullmatch(r"u?int(\d*)", str(form.get("format")))
    return abs(form[key]) == 2**53 - 1 or (size is not None and abs(form[key]) in TYPE_BOUNDS)


def _get_shape(schema: Any) -> Any:
    """Return the parts of a schema that count for equality."""
    if isinstance(schema, list):
        return sorted((_get_shape(each) for each in schema), key=lambda each: json.dumps(each, sort_keys=True))
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _get_shape(each) for name, each in value.items()}
        if key in NAMED and isinstance(value, dict)
        else _get_shape(value)
        for key, value in schema.items()
        if key not in SAID
    }


def _is_referred(schema: Any) -> bool:
    """Return whether a schema, its alternatives or the elements of its array stand under a name of their own."""
    if not isinstance(schema, dict):
        return False
    inner = [each for key in ("anyOf", "oneOf", "allOf") for each in _collect_entries(schema.get(key))]
    return "$ref" in schema or any(_is_referred(each) for each in (schema.get("items"), *inner))


def _collect_entries(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


@rule(
    Severity.SUGGESTION,
    codes=("BP-006",),
    cites=("tool definition rules: BP-006",),
    when=lambda server, options: any(
        _is_worth(part) if options.literal else _is_complex(part) for tool in server.tools for part in tool.arguments
    ),
    absent="no tool takes a parameter whose schema is large enough for a definition",
)
def check(server: Server, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each schema that is repeated with other descriptions only."""
    groups: defaultdict[str, list[tuple[Tool, Part]]] = defaultdict(list)
    for tool in server.tools:
        for part in collect_arguments(tool, options.literal):
            if _is_worth(part) if options.literal else _is_complex(part):
                groups[_get_key(part, options)].append((tool, part))
    copies = [copy for group in groups.values() if len(group) > 1 for copy in group]
    within = {(id(tool), part.path) for tool, part in copies}
    for group in groups.values():
        (first, original), *others = group
        for tool, part in group if options.literal and others else others:
            if not any((id(tool), part.path[:length]) in within for length in range(1, len(part.path))):
                message = f"the schema of `{part.name}` repeats the schema of `{original.name}` of {first.shown}"
                yield Flaw(tool.place(part.path), message, "Define it once and reference it.", tool)
