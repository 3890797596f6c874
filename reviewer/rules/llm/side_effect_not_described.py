"""Tool descriptions mention side effects.

A client asks its user before a call that changes something, and the user decides by the description. So does a model that looks
for a way without side effects.

Bad:

```json
[
  {
    "name": "delete-user",
    "description": "Manages the lifecycle of an account.", // flaw
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "delete-user",
    "description": "Permanently deletes an account and all that belongs to it.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: a name tells an effect by whole words, so `settings`, `newsletter` and `address` do not, and not where
it reads (`get_import_status`) or speaks of a thing (`list_changes`). What is said counts in any form: "deletes", "removal",
"overwritten". Where a name says that something is gone for good (`delete`), the text has to tell of a loss; that it
"removes" something leaves open from where.

A judge is asked, where the name tells an effect, of a text that may tell it by another word than the name does, or in another
language than English.
"""

import re
from collections.abc import Iterator
from typing import Literal

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, declare_option, rule
from reviewer.rules.shared.acts.destruction import find_destructive_verb
from reviewer.rules.shared.acts.effects import FINAL, find_effect_verb, stem_verbs, tells_effect, tells_loss, warns
from reviewer.rules.shared.asking import find_judgeable_text, is_foreign
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.purpose import without_asides
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Text
from reviewer.text.patterns import pattern

FINALLY = pattern(r"\b(?:permanent|irreversible|destroy|cannot\s+be\s+undone)\b", re.IGNORECASE)
"""By the letter, words that say of a loss that it is one for good."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )
    effects: Literal["any", "loss"] = declare_option(
        "loss", "Which effects must be described: all, or only permanent loss."
    )


def _find_fault(tool: Tool, said: str, options: Options) -> str | None:
    """Say what the text keeps quiet; None if nothing."""
    name = tool.name if isinstance(tool.name, Text) else ""
    if options.effects == "loss":
        verb = find_destructive_verb(name, surely=True)
        return (
            f"does not describe the effect of `{verb}`" if verb is not None and not tells_effect(said, verb) else None
        )
    said = without_asides(said.replace(name, " ") if name else said)
    verb = find_effect_verb(name)
    if verb is not None and not (tells_loss(said) if verb in FINAL else tells_effect(said, verb)):
        return f"does not describe the effect of `{verb}`"
    marked = isinstance(tool.annotations, dict) and tool.annotations.get("destructiveHint") is True
    warned = FINALLY.search(said) if options.literal else warns(said)
    return "does not say what is lost, although the tool is marked destructive" if marked and not warned else None


def _is_name_alone(tool: Tool, said: str, options: Options) -> bool:
    """Return whether a text only says the name again, of which `purpose-not-told` tells, and not all effects are asked for."""
    return options.effects == "loss" and bool(said) and find_judgeable_text(tool) is None


def _find_told_otherwise(tool: Tool, said: str, options: Options) -> str | None:
    """Return the verb of the name if the text, which may tell its effect, does not say it by that verb."""
    name = tool.name if isinstance(tool.name, Text) else ""
    verb = find_destructive_verb(name, surely=True) if options.effects == "loss" else find_effect_verb(name)
    told = verb in stem_verbs(said) or tells_loss(said)
    return verb if verb is not None and (is_foreign(said) or not told) else None


@rule(
    Severity.SUGGESTION,
    codes=("LLM-011",),
    cites=("tool definition rules: LLM-011",),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool, options: Options) -> Iterator[Flaw | Question]:
    """Yield a finding for each effect that the description does not mention, and a question if it may describe another
    one.
    """
    said = extract_substance(tool.said) if tool.said is not None else ""
    fault = _find_fault(tool, said, options) if is_english(said) and not _is_name_alone(tool, said, options) else None
    help = "Say what changes, and whether it can be undone."
    if tool.said is not None and fault is not None:
        yield Flaw(tool.said, f"description of {tool.shown} {fault}", help)
        return
    verb = _find_told_otherwise(tool, said, options)
    if tool.said is not None and verb is not None and find_judgeable_text(tool):
        yield Question(
            tool.said, tool, f"description of {tool.shown} does not describe the effect of `{verb}`", help, about=verb
        )
