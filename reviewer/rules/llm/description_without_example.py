"""A tool's description shows an example.

One example says more about the form of a call than a sentence does: which quotes, which date format, how much in one go.

Bad:

```json
[
  {
    "name": "search-files",
    "description": "Searches files by the user's pattern.", // flaw
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "search-files",
    "description": "Searches files by pattern, e.g. *.json for all JSON files.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: an apostrophe is no quotation, a lone quotation mark is none, and "including" lists what is there
instead of showing how to ask for it. "Would like" shows nothing, a "sample" of rows neither; a parameter with a value
does (`depth=1`). A text in another language than
English is not judged.
"""

import re
from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.english import is_english
from reviewer.rules.substance import substance

EXAMPLE = re.compile(
    r"""\bexamples?\b | \be\.?g\.? (?=[\s,:(]|$) | \beg[.:,] | \bfor\s+instance\b | \bsuch\s+as\b | \bex[.:]\s
        | \bsample\s+(?:usage|call|query|queries|input|request)s?\b | \bsamples?\s*:
        | (?<!would\s)(?<!you\s)(?<!looks\s)(?<!look\s)\blike\s+\S
        | ```|>>>\s | `[^`\n]+` | "[^"\n]+" | “[^”\n]+” | «[^»\n]+» | (?<![\w'])'[^'\n]+'(?!\w)
        | \b\w+\s*[=:]\s*["'][^"'\n]+["'] | \b[a-z]\w*=\w""",
    re.VERBOSE | re.IGNORECASE,
)
"""A word that announces an example, something in quotation marks or in code, or a parameter with a value."""


@rule(
    Severity.SUGGESTION,
    codes=("LLM-005",),
    cites=("tool definition rules: LLM-005",),
    when=lambda tool: tool.said is not None,
    absent="no tool has a description that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for descriptions that show nothing."""
    said = substance(tool.said) if tool.said is not None else ""
    if tool.said is not None and is_english(said) and not EXAMPLE.search(said):
        yield Flaw(tool.said, f"description of {tool.shown} shows no example", 'Add one: `Example: pattern="*.json"`.')
