"""Object parameters restrict or explain additional properties.

An undeclared property reaches the code unchecked: a model adds a field that it invented, an attacker one that a merge carries
into a record. If arbitrary keys are intended, the description explains them.

Departs from the original: a description that speaks of the free keys is the justification that the rule's title asks for;
`patternProperties`, `unevaluatedProperties` and the objects in objects and arrays are seen.

Bad:

```json
{"name": "set_up", "description": "Set it up.", "inputSchema": {"type": "object", "properties": {
  "config": {"type": "object", "properties": {"timeout": {"type": "integer"}}} // flaw
}}}
```

Good:

```json
{"name": "set_up", "description": "Set it up.", "inputSchema": {"type": "object", "properties": {
  "config": {"type": "object", "properties": {"timeout": {"type": "integer"}}, "additionalProperties": false}
}}}
```
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from reviewer.facts import Json, Part, Tool
from reviewer.facts.parts import list_types
from reviewer.fixes.model import FixPlan
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.fixes import build_schema_rewrite
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments, open_parts
from reviewer.rules.shared.values.limits import format_part, has_named_values, iter_parts_of_types
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Span

OPEN: tuple[object, ...] = (None, True, {})
"""What leaves an object open: nothing at all, the word, and a schema that anything fits, which is the same."""


@rule(
    Severity.SUGGESTION,
    codes=("SEC-009",),
    cites=("tool definition rules: SEC-009",),
    when=lambda tool, options: any(
        part for part, _ in iter_parts_of_types(collect_arguments(tool, options.literal), "object")
    ),
    absent="no tool takes an object that can be read",
    fixes=("safe", "unsafe"),
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each object that accepts any property."""
    beside: defaultdict[Span, list[Part]] = defaultdict(list)
    for part, forms in open_parts(tool) if options.literal else iter_parts_of_types(tool.arguments, "object"):
        if options.literal or (any(map(_is_open, forms)) and not any(map(_is_justified, _iter_texts(part, tool)))):
            at = tool.place(part.path)
            beside[at].append(part)
            message = f"{format_part(part)} of {tool.shown} accepts undeclared properties"
            help = "Set `additionalProperties` to false or to a schema, or describe the additional keys."
            yield Flaw(at, message, help, fix_plan=partial(_fix_plan, tool, beside[at]))


def _fix_plan(tool: Tool, parts: list[Part]) -> FixPlan | None:
    """Close the objects that share a place, if all of them name their properties and none is open on purpose."""
    if not all(_is_closable(part.schema) for part in parts):
        return None
    rewrites = [build_schema_rewrite(tool, "set key", part.path, False, "additionalProperties") for part in parts]
    safe = tool.code is not None and bool(tool.code.followed)  # code that is not seen may read what is not declared
    return FixPlan("set `additionalProperties` to false", tuple(rewrites), safe)


def _is_closable(schema: Json) -> bool:
    return bool(schema.get("properties")) and list_types(schema) == ("object",) and "additionalProperties" not in schema


def _iter_texts(part: Part, tool: Tool) -> Iterator[str]:
    """Yield the texts about a part and about the array whose element it is."""
    yield extract_substance(part.description, part.name)
    for other in tool.arguments if part.element else ():
        if other.name == part.name and other.path == part.path[: len(other.path)]:
            yield extract_substance(other.description, other.name)


def _is_open(form: Json) -> bool:
    closed = any(form.get(key) not in OPEN for key in ("additionalProperties", "unevaluatedProperties"))
    return not (closed or has_named_values(form) or form.get("maxProperties") == 0)


def _is_justified(text: str) -> bool:
    return any(to_singular(word) in load_lexicon("free_keys") for word in split_words(text))
