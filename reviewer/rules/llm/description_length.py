"""Tool descriptions are neither too short nor too long.

Two words do not distinguish the tool from its neighbours. A very long text is paid for in every request, and clients truncate
it silently.

Bad:

```json
[
  {
    "name": "get-user",
    "description": "Gets user", // flaw
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "get-user",
    "description": "Gets a user's profile: name, e-mail address, preferences.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: placeholders, and sentences that stand twice, do not make a short text longer.
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.substance import count_sentences, extract_substance


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    least: int = declare_option(10, "The fewest characters, without placeholders and repetitions.")
    most: int = declare_option(2048, "The most characters.")
    sentences: int = declare_option(0, "The most sentences; 0 means any number.")


SHORTER = "Keep what helps to choose the tool; move explanations of parameters to the parameters."


@rule(
    Severity.SUGGESTION,
    codes=("LLM-002",),
    cites=("tool definition rules: LLM-002",),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each description that is too short or too long, in characters."""
    if tool.said is None:
        return
    short, long = len(extract_substance(tool.said)), len(tool.said.strip())
    if short < options.least:
        yield Flaw(
            tool.said,
            f"description of {tool.shown} has {short} meaningful characters, fewer than {options.least}",
            "Say what it does, to what, and when to use it.",
        )
    elif long > options.most:
        yield Flaw(
            tool.said,
            f"description of {tool.shown} has {long} characters, more than {options.most}",
            SHORTER,
        )
    elif options.sentences and (count := count_sentences(tool.said)) > options.sentences:
        yield Flaw(
            tool.said,
            f"description of {tool.shown} has {count} sentences, more than {options.sentences}",
            SHORTER,
        )
