"""What is required is defined.

A name in `required` that no property has is an argument of which a model knows nothing but that it must be there: it makes one
up, or never gets a call through. Mostly the property was renamed and the list was not.

Departs from the original: objects within the arguments are looked at too, and properties that come through `$ref`, `allOf` and
alternatives count; where any name is allowed, by `patternProperties` or a schema for further properties, a required one is
defined; what is no string in the list is said once, as a schema that is not valid.

Bad:

```json
{"name": "move_note", "description": "Move a note.", "inputSchema": {"type": "object", "properties": {
  "id": {"type": "string"},
  "folder": {"type": "string"}
},
  "required": ["id", "target"] // flaw
}}
```

Good:

```json
{"name": "move_note", "description": "Move a note.", "inputSchema": {"type": "object", "properties": {
  "id": {"type": "string"},
  "target": {"type": "string"}
},
  "required": ["id", "target"]
}}
```
"""

from collections import defaultdict
from collections.abc import Iterator

from reviewer.facts import Json, Schema, Tool
from reviewer.facts.parts import Path, resolved
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.definitions import arguments_of
from reviewer.rules.words import listed
from reviewer.source import Span

WITHIN = ("allOf", "anyOf", "oneOf")
BESIDE = ("if", "then", "else", "not")


@rule(
    Severity.ERROR,
    codes=("SCH-008",),
    cites=("tool definition rules: SCH-008",),
    when=lambda tool: arguments_of(tool) is not None,
    absent="no tool has an input schema that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for required names that nothing defines."""
    schema = arguments_of(tool)
    if schema is None:
        return
    missing: defaultdict[Span, list[str]] = defaultdict(list)
    whole: tuple[Path, Json] = ((), schema.document)
    for path, each in (whole, *((part.path, part.schema) for part in tool.arguments)):
        for index, name in _missing(schema, path, each):
            missing[tool.place((*path, "required", str(index)))].append(name)
    for at, names in missing.items():
        are = "is" if len(names) == 1 else "are"
        message = f"{listed(names)} {are} required by the input schema of {tool.shown} and not defined in `properties`"
        yield Flaw(at, message, "Define it, or take it out of `required`.")


def _missing(schema: Schema, path: Path, each: Json) -> Iterator[tuple[int, str]]:
    required = each.get("required")
    if not isinstance(required, list) or schema.hides(*path, "properties"):
        return
    known = _known(each, schema.document, frozenset())
    for index, name in enumerate(required):
        if isinstance(name, str) and known is not None and name not in known:
            yield index, name


def _known(schema: Json, root: Json, entered: frozenset[str]) -> set[str] | None:
    """Collect the names that a schema defines anywhere; None if it allows ones that it does not name."""
    if "patternProperties" in schema or isinstance(schema.get("additionalProperties"), dict) or len(entered) > 50:
        return None
    named = schema.get("properties")
    known = {str(key) for key in named} if isinstance(named, dict) else set()
    several = [schema[key] for key in WITHIN if isinstance(schema.get(key), list)]
    below = [one for each in several for one in each if isinstance(one, dict)]
    below += [schema[key] for key in BESIDE if isinstance(schema.get(key), dict)]
    target = schema.get("$ref")
    if isinstance(target, str) and target not in entered:
        found = resolved(target, root)
        if not isinstance(found, dict):
            return None
        below.append(found)
        entered |= {target}
    for each in below:
        names = _known(each, root, entered)
        if names is None:
            return None
        known |= names
    return known
