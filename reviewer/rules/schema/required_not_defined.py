"""Every name in `required` is a defined property.

For a name in `required` that is not a property, a model knows only that it must be present: it invents a value, or no call ever
succeeds. Usually the property was renamed and the list was not.

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
from difflib import get_close_matches
from functools import partial

from reviewer.facts import Json, Schema, Tool
from reviewer.facts.parts import Path, find_at, resolve_reference
from reviewer.fixes.model import FixPlan
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.argument_uses import collect_uses
from reviewer.rules.shared.definitions import find_argument_schema
from reviewer.rules.shared.fixes import build_schema_rewrite
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.identifiers import format_names
from reviewer.source import Span

WITHIN = ("allOf", "anyOf", "oneOf")
"""Keywords with lists of schemas that apply to the same object: what one of them defines, all may require."""

BESIDE = ("if", "then", "else", "not")
"""Keywords with one schema that applies to the same object in some case: it may define what the other requires."""


@rule(
    Severity.ERROR,
    codes=("SCH-008",),
    cites=("tool definition rules: SCH-008",),
    when=lambda tool, options: find_argument_schema(tool) is not None,
    absent="no tool has an input schema that can be read",
    fixes=("safe", "unsafe"),
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each required name that the schema does not define."""
    schema = find_argument_schema(tool)
    if schema is None:
        return
    missing: defaultdict[Span, list[str]] = defaultdict(list)
    faults: defaultdict[Span, list[_Fault]] = defaultdict(list)
    whole: tuple[Path, Json] = ((), schema.document)
    for path, each in (whole, *((part.path, part.schema) for part in tool.arguments)):
        for index, name in _iter_undefined_names(schema, path, each):
            at = tool.place((*path, "required", str(index)))
            missing[at].append(name)
            faults[at].append((path, index, name))
    listing = schema.document.get("required")
    for index, entry in enumerate(listing if options.literal and isinstance(listing, list) else ()):
        if not isinstance(entry, str) and not schema.hides("required", str(index)):
            message = f"`{entry}` in `required` of the input schema of {tool.shown} is not a property name"
            yield Flaw(tool.place(("required", str(index))), message, "Use the name of a property.")
    for at, names in missing.items():
        are = "is" if len(names) == 1 else "are"
        message = (
            f"{format_names(names)} {are} required by the input schema of {tool.shown} but not defined in `properties`"
        )
        help = "Define it, or remove it from `required`."
        yield Flaw(at, message, help, fix_plan=partial(_fix_plan, tool, schema.document, faults[at]))


_Fault = tuple[Path, int, str]
"""Where a schema lies in the whole, and the index and the name in its `required`."""


def _fix_plan(tool: Tool, document: Json, faults: list[_Fault]) -> FixPlan | None:
    """Take names out that no code reads, or write them as the property that is called nearly so."""
    read = {str(each.name) for each in collect_uses(tool)}
    followed = tool.code is not None and bool(tool.code.followed)
    gone: defaultdict[Path, list[str]] = defaultdict(list)
    rewrites = []
    for path, index, name in faults:
        own = find_at(document, path)
        named = own.get("properties") if isinstance(own, dict) else None
        free = [key for key in named if key not in own["required"]] if isinstance(named, dict) else []
        near = get_close_matches(name, free, 1, 0.75)
        if near:
            rewrites.append(build_schema_rewrite(tool, "replace", (*path, "required", str(index)), near[0]))
        elif name in read:
            return None
        else:
            gone[path].append(str(index))
    rewrites += [
        build_schema_rewrite(tool, "drop", (*path, "required"), tuple(indexes)) for path, indexes in gone.items()
    ]
    safe = followed and [*gone] == [()] and len(rewrites) == 1
    return FixPlan("require only defined properties", tuple(rewrites), safe)


def _iter_undefined_names(schema: Schema, path: Path, each: Json) -> Iterator[tuple[int, str]]:
    required = each.get("required")
    if not isinstance(required, list) or schema.hides(*path, "properties"):
        return
    known = _collect_defined_names(each, schema.document, set())
    for index, name in enumerate(required):
        if isinstance(name, str) and known is not None and name not in known:
            yield index, name


def _collect_defined_names(schema: Json, root: Json, entered: set[str]) -> set[str] | None:
    """Collect the names that a schema defines anywhere; None if it allows ones that it does not name.

    `entered` are the references that were followed by now: each adds its names once, however many refer to it.
    """
    if "patternProperties" in schema or isinstance(schema.get("additionalProperties"), dict) or len(entered) > 50:
        return None
    named = schema.get("properties")
    known = {str(key) for key in named} if isinstance(named, dict) else set()
    several = [schema[key] for key in WITHIN if isinstance(schema.get(key), list)]
    below = [one for each in several for one in each if isinstance(one, dict)]
    below += [schema[key] for key in BESIDE if isinstance(schema.get(key), dict)]
    target = schema.get("$ref")
    if isinstance(target, str) and target not in entered:
        found = resolve_reference(target, root)
        if not isinstance(found, dict):
            return None
        below.append(found)
        entered.add(target)
    for each in below:
        names = _collect_defined_names(each, root, entered)
        if names is None:
            return None
        known |= names
    return known
