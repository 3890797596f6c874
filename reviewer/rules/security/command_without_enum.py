'''Parameters such as `action` and `mode` list their values in an enum.

A model reliably chooses a value from an `enum`, and guesses one from a sentence. A client can reject a wrong value before the
call, and the code needs no branch for unintended values.

Departs from the original: `query` and `command` count only where their values are listed in the text, for mostly they are free
text; a pattern and a `const` name the values as well; names in objects are seen.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("services")

@mcp.tool()
def control(
    service: str,
    action: str,  # flaw
) -> str:
    """Control a service. action: one of "start", "stop" and "restart"."""
```

Good:

```python
from typing import Literal

from mcp.server import MCPServer

mcp = MCPServer("services")

@mcp.tool()
def control(service: str, action: Literal["start", "stop", "restart"]) -> str:
    """Control a service."""
```
'''

import re
from collections.abc import Iterator
from typing import Literal

from reviewer.facts import Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.literal_mode import CHOICES, collect_arguments
from reviewer.rules.shared.values.choices import extract_choices
from reviewer.rules.shared.values.limits import format_part, has_named_values, iter_parts_of_types
from reviewer.rules.shared.values.meanings import collect_lines
from reviewer.text.patterns import pattern

FREE = frozenset("command query".split())
"""Those that take any text as well: a command of a shell, a query in SQL. The option `likely` leaves them out."""

WORD = r"""(?:"[\w./-]{1,40}"|'[\w./-]{1,40}'|`[\w./-]{1,40}`)"""
"""A value in quotation marks without spaces."""

PAIR = pattern(rf"{WORD}\s*(?:\([^()]*\)\s*)?(?:,\s*(?:or|and)?|or|and|/|\|)\s*{WORD}")
"""Two values in quotation marks with no more than a comma, `or`, `/` or an aside between: a list of all of them, if nothing
says that there are more. Up to 40 letters: what is longer is a sentence."""

CLOSED = pattern(
    r"\b[a-z_]+(?:\|[a-z_]+)+\b|\bone of:?\s+\S+,|\b(?:valid|allowed|possible|supported|accepted) "
    r"(?:values?|options?|actions?|modes?|types?|kinds?|methods?|operations?|commands?)\b\W{1,3}\w",
    re.IGNORECASE,
)
"""How a text says without quotation marks that a few values are all: `start|stop`, "one of start, stop", "valid modes: …"."""

OPEN = pattern(
    r"\be\.g\b|\betc\b|\.\.\.|…"
    r"|\b(?:such as|for example|for instance|examples?|custom|any|common(?:ly)?|typical(?:ly)?|vary|varies)\b",
    re.IGNORECASE,
)
"""What says that there are other values: then an `enum` would refuse some."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )
    values: Literal["listed", "likely"] = declare_option(
        "listed", "When the values count as known: `listed` in the text, or `likely` because of the name."
    )


@rule(
    Severity.SUGGESTION,
    codes=("SEC-006",),
    cites=("tool definition rules: SEC-006",),
    when=lambda tool, options: any(part.name.lower() in CHOICES for part in tool.arguments),
    absent="no tool takes an action, a mode or a kind",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each parameter that takes one of a few words, which its schema does not enumerate."""
    for part, forms in iter_parts_of_types(collect_arguments(tool, options.literal), "string"):
        name = part.name.lower()
        if options.literal:
            faulty = name in CHOICES and "enum" not in part.schema
        elif part.element or name not in CHOICES or all("pattern" in form or has_named_values(form) for form in forms):
            continue
        else:
            faulty = _lists(part, tool) or (options.values == "likely" and name not in FREE)
        if faulty:
            message = (
                f"{format_part(part)} of {tool.shown} takes one of a few values, but the schema does not list them"
            )
            yield Flaw(tool.place(part.path), message, "List the values in `enum`.")


def _lists(part: Part, tool: Tool) -> bool:
    """Return whether the text of the parameter, or the line that the tool's text has for it, names all values."""
    forms = (CLOSED,) if part.name.lower() in FREE else (CLOSED, PAIR)
    return any(
        not OPEN.search(text) and (extract_choices(text, unannounced=True) or any(form.search(text) for form in forms))
        for text in collect_lines(part, tool)
    )
