"""Input schemas are at most four levels deep.

Every level is one more bracket to open and close, and one more place to put a value in the wrong spot. Models fill in flat
arguments more reliably, and some clients truncate a schema below a few levels.

Departs from the original: it does not follow references; here they are followed, each once, so that a tree of conditions counts
with the levels that are written.

Bad:

```json
{"tools": [
  {
    "name": "search",
    "description": "Search",
    "inputSchema": {"type": "object", "properties": {
      "where": {"type": "object", "properties": {
        "created": {"type": "object", "properties": {
          "range": {"type": "object", "properties": {
            "from": {"type": "object", "properties": {
              "date": {"type": "string"}  // flaw
            }}
          }}
        }}
      }}
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
    "inputSchema": {"type": "object", "properties": {"created_from": {"type": "string", "format": "date"}}}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False,
        "Whether to count only levels that are written out, and to report at the tool instead of the deepest part.",
        formerly="letter",
    )
    most: int = declare_option(4, "The most levels of a schema; the elements of an array are one level below it.")


NAMED = frozenset({"properties", "$defs", "definitions"})
"""Keywords behind which a name follows in a path; the message shows the name alone."""

LISTED = frozenset({"items", "additionalProperties"})
"""Keywords whose schema has no name: the message shows `[]` for it."""


def _is_shared(part: Part) -> bool:
    """Return whether a part is written in a definition, to which others refer."""
    return part.path[:1] != ("properties",)


def _write(part: Part) -> str:
    """Return the way to a part as code has it: `where.any[].field`."""
    keys = iter(part.path)
    steps = []
    for key in keys:
        name = "" if key in LISTED else next(keys, "")
        steps.append(f".{name}" if key in NAMED else "[]" if key in LISTED else "")
    return "".join(steps).removeprefix(".") or part.name


@rule(
    Severity.SUGGESTION,
    codes=("BP-007",),
    cites=("tool definition rules: BP-007",),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for the deepest part of a schema that is nested too deep."""
    written = [
        part for part in tool.arguments if not options.literal or ("$ref" not in part.schema and not _is_shared(part))
    ]
    deepest = max(written, key=lambda part: part.depth, default=None)
    if deepest is not None and deepest.depth > options.most:
        message = f"`{shorten_code(_write(deepest))}` of {tool.shown} is {deepest.depth} levels deep, more than {options.most}"
        yield Flaw(
            tool.place(() if options.literal else deepest.path), message, "Flatten the schema, or split the tool."
        )
