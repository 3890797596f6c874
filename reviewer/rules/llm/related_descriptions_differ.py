"""Descriptions of related tools follow the same pattern.

A model compares the tools of a family by their descriptions. If one starts with its verb and the next with a noun, the
difference it sees is only one of wording.

Bad:

```json
[
  {
    "name": "user-create",
    "description": "Creates a user account.",
    "inputSchema": {"type": "object"}
  },
  {
    "name": "user-update",
    "description": "User modification endpoint.", // flaw
    "inputSchema": {"type": "object"}
  },
  {
    "name": "user-get",
    "description": "Gets a user account.",
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "user-create",
    "description": "Creates a user account.",
    "inputSchema": {"type": "object"}
  },
  {
    "name": "user-update",
    "description": "Updates a user account.",
    "inputSchema": {"type": "object"}
  },
  {
    "name": "user-get",
    "description": "Gets a user account.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: how long a text is makes no pattern, for a tool with more to say says more. A text that does not
begin with a verb stands out where half of the others do; every verb counts, not some thirty, and a mark or an adverb may
stand before it. "e.g." and "examples" show an example. A placeholder has no pattern.

A judge is asked where as many of the others have a part as lack it, so that there is no pattern to count, and of a text in
another language than English.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.asking import find_judgeable_text, is_foreign
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.purpose import begins_with_verb
from reviewer.rules.shared.words.substance import extract_openings, extract_substance
from reviewer.source import Text
from reviewer.text.patterns import pattern

FAMILY = 2
"""So many others, each with something to say, make a family."""

SPLIT = 4
"""So many others, of which half can have something that the other half lacks."""

LINE, SENTENCES = 50, 150
"""Characters of a description that is one line, and of one that is a sentence or two."""

WHEN = pattern(r"\b(?:when|if|for|used\s+to|use\s+this)\b", re.IGNORECASE)
"""LLM-012 of the original validator, word for word."""

SHOWN = pattern(r"\bexamples?\b|\be\.g\.|\bfor\s+instance\b|\bsuch\s+as\b", re.IGNORECASE)
"""LLM-012 of the original validator, and the plural: "Examples:" shows as much as "Example:"."""


@dataclass(frozen=True)
class _DescribedTool:
    """A tool with the features of its text: certain ones, and possible ones if a sentence of it may be a repetition."""

    tool: Tool
    text: str
    surely: tuple[bool, bool, bool]
    perhaps: tuple[bool, bool, bool]


FAULTS = ("does not begin with a verb", "does not say when to use it", "shows no example")
"""The parts that LLM-012 of the original validator compares in addition to the length, in the order of `_DescribedTool.surely`.
"""


def _tell(tool: Tool) -> _DescribedTool:
    said = tool.said or ""
    text = extract_substance(said)
    begins = [begins_with_verb(opening) for opening in extract_openings(said)]
    others = (WHEN.search(text) is not None, SHOWN.search(text) is not None)
    return _DescribedTool(tool, text, (bool(begins) and all(begins), *others), (any(begins), *others))


def _get_size(said: str) -> str:
    """Return how much a text says: so much as a line, as a sentence or two, or more."""
    return "short" if len(said) < LINE else "medium" if len(said) < SENTENCES else "long"


def _is_outlier(one: _DescribedTool, family: list[_DescribedTool]) -> bool:
    """Return whether most others of a family have another length than one has."""
    sizes = [_get_size(each.tool.said or "") for each in family if each is not one]
    usual = max(sizes, key=sizes.count, default="")
    return sizes.count(usual) * 2 > len(sizes) and _get_size(one.tool.said or "") != usual


def _is_undecided(one: _DescribedTool, having: list[int], others: int) -> bool:
    """Return whether half of the others have a part that this one lacks, so that it may stand out or not."""
    return others >= SPLIT and any(
        not one.surely[at] and having[at] * 2 in (others, others - 1) for at in range(1, len(FAULTS))
    )


def _collect_families(server: Server) -> dict[str, list[Tool]]:
    """Return the tools whose names begin alike; those without any text are left out."""
    families: defaultdict[str, list[Tool]] = defaultdict(list)
    for tool in server.tools:
        if isinstance(tool.name, Text) and tool.said is not None and len(split_words(tool.name)) > 1:
            families[split_words(tool.name)[0]].append(tool)
    return {prefix: tools for prefix, tools in families.items() if len({str(each.name) for each in tools}) > FAMILY}


@rule(
    Severity.SUGGESTION,
    codes=("LLM-012",),
    cites=("tool definition rules: LLM-012",),
    when=lambda server, options: bool(_collect_families(server)),
    absent="no three tools of a server have names that begin alike",
    judged=True,
)
def check(server: Server, options: LiteralMode) -> Iterator[Flaw | Question]:
    """Yield a finding for each description unlike those of its family of tools, and a question if the family has no
    pattern.
    """
    for prefix, tools in _collect_families(server).items():
        told = [_tell(each) for each in tools]
        having = [sum(each.perhaps[at] for each in told if each.text) for at in range(len(FAULTS))]
        solid = sum(bool(each.text) for each in told)
        for one in told:
            others = solid - bool(one.text)
            # Of what only some texts need, most of the others must have it; of the verb, half of them.
            faults = [
                fault
                for at, fault in enumerate(FAULTS)
                if not one.surely[at] and (having[at] - (one.perhaps[at] and bool(one.text))) * 2 >= others + (at > 0)
            ]
            if options.literal and _is_outlier(one, told):
                faults.append("has a different length")
            at, help = one.tool.said or one.tool.span, "Describe related tools in the same way."
            if others < FAMILY:
                continue
            if faults and is_english(one.text):
                message = f"description of {one.tool.shown} {' and '.join(faults)}, unlike the other `{prefix}` tools"
                yield Flaw(at, message, help, one.tool)
            elif find_judgeable_text(one.tool) and (is_foreign(one.text) or _is_undecided(one, having, others)):
                message = f"description of {one.tool.shown} follows a different pattern from the other `{prefix}` tools"
                yield Question(at, one.tool, message, help, frozenset({"siblings"}), prefix, tuple(tools))
