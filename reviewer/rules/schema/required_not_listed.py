"""Schemas with properties list the required ones.

Without `required` everything is optional: a model may leave out the one argument that the tool cannot work without, and only
learns so from an error.

Departs from the original: where each property is shown to be optional, by a default, by accepting null or in words, there is
nothing to list, wherever the tool says so; a `required` that is no array is said once, as a schema that is not valid.

Bad:

```json
{"name": "read_note", "description": "Read a note.",
  "inputSchema": {"type": "object", "properties": { // flaw
    "id": {"type": "string", "description": "Which note"},
    "format": {"type": "string", "default": "text"}
  }}
}
```

Good:

```json
{"name": "read_note", "description": "Read a note.", "inputSchema": {"type": "object", "properties": {
  "id": {"type": "string", "description": "Which note"},
  "format": {"type": "string", "default": "text"}
}, "required": ["id"]}}
```
"""

import re
from collections.abc import Iterator
from typing import Any

from reviewer.facts import Json, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_argument_schema, read_properties
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.identifiers import contains_word, format_names, split_words
from reviewer.text.patterns import pattern

SAID = pattern(
    r"\b(?:optional(?:ly)?|defaults?|omit(?:ted)?|leave (?:out|empty|blank)|if (?:not )?(?:given|set|provided|specified))\b",
    re.I,
)
"""How a parameter's description says that it may be left out. For lack of a phrase a clear text is told to say nothing of
it."""

LEFT_OUT = pattern(r"\b(?:without|optional(?:ly)?|omit(?:ted|ting)?|either|leave out)\b", re.I)
"""How a sentence begins to speak of what may be left out, beside the parameter's own description."""

SENTENCE = pattern(r"(?<=[.;])\s+|\n+")
"""Parts the text of a tool, for what "optionally" speaks of stands in the same sentence; a line of a list counts as one."""

ELSEWHERE = ("$ref", "allOf", "anyOf", "oneOf", "if", "minProperties")
"""Keywords that may require something without a `required` beside the properties."""


@rule(
    Severity.SUGGESTION,
    codes=("SCH-007",),
    cites=("tool definition rules: SCH-007",),
    when=lambda tool, options: (
        (schema := find_argument_schema(tool)) is not None and bool(read_properties(schema.document))
    ),
    absent="no tool has parameters that can be read",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each schema without `required` in which a property is not described as optional."""
    schema = find_argument_schema(tool)
    listing = schema.document.get("required") if schema is not None else None
    if (
        schema is None
        or schema.hides("required")
        or (isinstance(listing, list) if options.literal else listing is not None)
    ):
        return
    if options.literal and read_properties(schema.document):
        yield Flaw(
            tool.place(),
            f"the input schema of {tool.shown} lists no required property",
            "List the required properties in `required`.",
        )
        return
    if any(key in schema.document for key in ELSEWHERE):
        return
    named = read_properties(schema.document)
    open_ = [name for name, each in named.items() if not schema.hides("properties", name) and not _is_optional(each)]
    spared = _collect_optional_sentences(tool, named) if open_ else []
    open_ = [name for name in open_ if not any(_speaks_of(name, sentence) for sentence in spared)]
    if open_:
        yield Flaw(
            tool.place(),
            f"the input schema of {tool.shown} lists no required property, and nothing marks {format_names(open_)} as optional",
            "List the required properties in `required`; give the others a default.",
        )


def _collect_optional_sentences(tool: Tool, named: Json) -> list[str]:
    """Return the sentences that speak of what may be left out."""
    descriptions = (str(each.get("description", "")) for each in named.values() if isinstance(each, dict))
    told = (*SENTENCE.split(tool.said or ""), *descriptions)
    return [sentence for sentence in told if LEFT_OUT.search(sentence)]


def _speaks_of(name: str, sentence: str) -> bool:
    """Return whether a sentence has a name, or the words of one: `optionally scoped by project`."""
    return contains_word(sentence, name) or set(split_words(name)) <= set(split_words(sentence))


def _is_optional(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    if "default" in schema or schema.get("nullable") is True or SAID.search(str(schema.get("description", ""))):
        return True
    kind = schema.get("type")
    several = [schema[key] for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list)]
    null = any(isinstance(one, dict) and one.get("type") == "null" for each in several for one in each)
    return null or (isinstance(kind, list) and "null" in kind)
