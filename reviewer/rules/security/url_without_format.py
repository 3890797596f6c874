"""URL parameters declare their format.

A server that fetches any URL reaches what the caller cannot: `file:`, the metadata service of a cloud, a port of the machine
itself. `format: uri` is the minimum that a client can check; a pattern with the scheme is better.

Departs from the original: a name is read by its words, so that `security` and `during` hold no `uri`; any format of the URI and
IRI family, a pattern, an `enum` or a `const` is an answer; names in objects and arrays are seen.

Bad:

```json
{"name": "add_hook", "description": "Add a hook.", "inputSchema": {"type": "object", "properties": {
  "webhookUrl": {"type": "string"} // flaw
}}}
```

Good:

```json
{"name": "add_hook", "description": "Add a hook.", "inputSchema": {"type": "object", "properties": {
  "webhookUrl": {"type": "string", "format": "uri"}
}}}
```
"""

from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.fixes import build_schema_rewrite, plan_rewrite
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments, names_url
from reviewer.rules.shared.values.limits import format_part, has_named_values, is_format, iter_parts_of_types
from reviewer.rules.shared.values.meanings import URLS, holds_url


def _takes_url(part: Part, options: LiteralMode) -> bool:
    return names_url(part) if options.literal else holds_url(part)


@rule(
    Severity.SUGGESTION,
    codes=("SEC-005",),
    cites=("tool definition rules: SEC-005",),
    when=lambda tool, options: any(
        _takes_url(part, options) for part, _ in iter_parts_of_types(collect_arguments(tool, options.literal), "string")
    ),
    absent="no tool takes a URL that can be read",
    fixes=("unsafe",),
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each URL parameter that accepts any text."""
    for part, forms in iter_parts_of_types(collect_arguments(tool, options.literal), "string"):
        told = all("pattern" in form or has_named_values(form) or is_format(form, URLS) for form in forms)
        if options.literal:
            told = part.schema.get("format") == "uri"
        if _takes_url(part, options) and not told:
            message = f"{format_part(part)} of {tool.shown} takes a URL but accepts any text"
            set_format = build_schema_rewrite(tool, "set key", part.path, "uri", "format")
            fix_plan = (
                plan_rewrite('set `"format": "uri"`', set_format, safe=False)
                if list_types(part.schema) == ("string",)
                else None
            )
            help = 'Set `"format": "uri"`, and check scheme and host in the code.'
            yield Flaw(tool.place(part.path), message, help, fix_plan=fix_plan)
