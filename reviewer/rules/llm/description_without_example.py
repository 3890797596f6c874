"""Tool descriptions contain an example.

An example shows the form of a call better than a sentence: which quotes, which date format, how much at once.

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
does (`depth=1`).

A judge is asked where the only sign is something in quotation marks or in code, which may be a name, and of a text in another
language than English.
"""

import re
from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.asking import find_judgeable_text, is_foreign
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.text.patterns import pattern

ANNOUNCED = r"""\bexamples?\b | \be\.?g\.? (?=[\s,:(]|$) | \beg[.:,] | \bfor\s+instance\b | \bsuch\s+as\b | \bex[.:]\s
        | \bsample\s+(?:usage|call|query|queries|input|request)s?\b | \bsamples?\s*:
        | \b\w+\s*[=:]\s*["'][^"'\n]+["'] | \b[a-z]\w*=\w"""
"""A word that announces an example, or a parameter with a value."""

SURELY = pattern(ANNOUNCED, re.VERBOSE | re.IGNORECASE)
"""Without what stands in quotation marks or code, which may be a name as well: of these a judge is asked."""

EXAMPLE = pattern(
    rf"""{ANNOUNCED} | (?<!would\s)(?<!you\s)(?<!looks\s)(?<!look\s)\blike\s+\S
        | ```|>>>\s | `[^`\n]+` | "[^"\n]+" | “[^”\n]+” | «[^»\n]+» | (?<![\w'])'[^'\n]+'(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""One that is announced, or anything in quotation marks or in code."""


LETTER = pattern(
    rf"""{ANNOUNCED} | ["'] | ``` | `[^`]+` | \b(?:sample|including\b|like\s)""", re.VERBOSE | re.IGNORECASE
)
"""By the letter, any quotation mark shows something, and so does a list of what is included."""


@rule(
    Severity.SUGGESTION,
    codes=("LLM-005",),
    cites=("tool definition rules: LLM-005",),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw | Question]:
    """Yield a finding for each description without an example, and a question if it may have one."""
    said = extract_substance(tool.said) if tool.said is not None else ""
    message = f"description of {tool.shown} has no example"
    help = 'Add one: `Example: pattern="*.json"`.'
    if tool.said is not None and is_english(said) and not (LETTER if options.literal else EXAMPLE).search(said):
        yield Flaw(tool.said, message, help)
    elif (
        tool.said is not None
        and not options.literal
        and find_judgeable_text(tool)
        and (is_foreign(said) or not SURELY.search(said))
    ):
        yield Question(tool.said, tool, message, help, frozenset({"schema"}))
