"""Tool descriptions have a sentence on when to use the tool.

If several tools would work, a model takes the one whose description fits the situation. What the tool does is only half of
that; the other half is when to use it.

Bad:

```json
[
  {
    "name": "list-users",
    "description": "Lists all users in a workspace, for administrators.", // flaw
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "list-users",
    "description": "Lists all users in a workspace. Use this when you look for a member.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: a bare "to" or "for" is no occasion, since nearly every sentence has one, and neither is what a tool
enables, allows or helps to do. More ways to name an occasion count ("before running", "every time",
"use cases"), and all of them as whole words only.

A judge is asked where the only sign is a word that may speak of something else (`if`, `when`, `use it to`), and of a text in
another language than English; where the profile looks at the first sentence alone, it is not asked.
"""

import re
from collections.abc import Iterator
from typing import Literal

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, declare_option, rule
from reviewer.rules.shared.asking import find_judgeable_text, is_foreign
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.substance import extract_openings, extract_substance
from reviewer.text.patterns import pattern

OCCASION = pattern(
    r"""\b(?:
        when(?:ever)? | if | (?:every|each)\s+time | in\s+case | cases?\s+where | use\s+cases?
        | as\s+soon\s+as | (?:before|after)\s+(?:\w+ing|execution|you)
        | us(?:e|ed|eful)\s+(?:(?:this|it|the)\s+)?(?:(?:tool|function|command|action)\s+)?(?:for|to|once)
        | (?:designed|intended|meant|made|best|better|ideal|suit(?:able|ed)|suits|appropriate|good|great|perfect)\s+(?:for|to)
        | (?:recommended|essential|helpful|handy|reserved)\s+(?:for|to)
        | (?:should|must|can)\s+be\s+used | must\s+be\s+(?:called|run|invoked)
        | (?:typically|commonly|primarily|mainly|often|usually|generally)\s+(?:used|called)
        | (?:call|run|invoke|use)\s+(?:this|it)\b(?:\s+\w+)?\s+(?:first|once) | prefer(?:red)?\s+(?:this|it|over|for|to)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""The phrases of LLM-004 of the original validator without `to` and `for` alone, `enables` and `helps to`, which nearly every
purpose has in it. Added is what other authors write: "reserved for", "in case"."""


LETTER = pattern(
    r"""\b(?:when(?:ever)? | (?:if|to|for)\s | enables | lets\s+you | helps\s+with
        | (?:can|should)\s+be\s+used | (?:typically|commonly|primarily|mainly|often)\s+used
        | (?:especially|particularly)\s+useful)""",
    re.IGNORECASE | re.VERBOSE,
)
"""By the letter, what a tool is for is an occasion as well."""

SURELY = pattern(
    r"""\b(?:
        (?:use|call|run|invoke|choose|prefer)\s+(?:this|it)\b(?:\s+(?:tool|function|command))?\s+(?:only\s+)?(?:when(?:ever)?|if|before|after)
        | (?:best|ideal|useful|handy|recommended|appropriate|suitable)\s+(?:when(?:ever)?|if)
        | when\s+(?:you|the\s+user|an?\s+user|someone)\s+(?:want|need|ask|wish|must|mention)s?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that speak of the occasion and of nothing else."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )
    within: Literal["text", "first-sentence"] = declare_option(
        "text", "Where the description must say when to use the tool: anywhere, or in the first sentence."
    )


@rule(
    Severity.SUGGESTION,
    codes=("LLM-004",),
    cites=("tool definition rules: LLM-004",),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool, options: Options) -> Iterator[Flaw | Question]:
    """Yield a finding for each description that does not say when to use the tool, and a question if it may."""
    said = extract_substance(tool.said) if tool.said is not None else ""
    told = said if options.within == "text" else " ".join(extract_openings(said))
    where = "" if options.within == "text" else " in its first sentence"
    message = f"description of {tool.shown} does not say{where} when to use it"
    help = "Name the situation: `Use this when …`."
    if tool.said is not None and is_english(said) and not (LETTER if options.literal else OCCASION).search(told):
        yield Flaw(tool.said, message, help)
    elif (
        tool.said is not None
        and not options.literal
        and options.within == "text"
        and find_judgeable_text(tool)
        and (is_foreign(said) or not SURELY.search(said))
    ):
        yield Question(tool.said, tool, message, help)
