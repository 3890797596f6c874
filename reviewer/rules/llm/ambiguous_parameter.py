"""Parameters with a generic name have a specific description.

`data` and `value` fit every parameter of every tool. A model fills them with whatever is available, unless the description, or
the name of the tool, says what is wanted.

Bad:

```json
[
  {
    "name": "process",
    "description": "Processes it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "data": { // flaw
          "type": "object",
          "description": "The data to process"
        }
      }
    }
  }
]
```

Good:

```json
[
  {
    "name": "process",
    "description": "Processes it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "userData": {
          "type": "object",
          "description": "Profile data with name and e-mail address"
        }
      }
    }
  }
]
```

Departs from the original: names are split into words (`inputData`), a name with any clearer word is clear (`userData`), and so
is `value` beside a `key`, `content` of `write_file`, or what is chosen from a list. Any word counts as context that is neither
a function word nor a verb nor as ambiguous itself; "to" and "from" are none. A parameter is reported once.

A judge is asked where the name fits anything and its text has no more than three words that give a context, and where the text is
in another language than English.
"""

import re
from collections.abc import Iterator
from itertools import islice

from reviewer.facts import Part, Tool
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.asking import MOST
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.literal_mode import LiteralMode, collect_arguments
from reviewer.rules.shared.words.ambiguity import (
    clear,
    collect_ambiguous,
    is_ambiguous,
    is_bounded,
    is_scant,
    lacks_context,
    repeats,
)
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Text
from reviewer.text.patterns import pattern

PLAIN = frozenset(
    "user file path url name id email phone address date time status type size count number amount price index offset limit"
    " page filter sort order search message text title label tag category group list key token password session error code"
    " source target start end required optional query description array collection set map hash request reason destination"
    " origin min max default quantity success failure secret auth credential credentials format index dictionary".split()
)
"""By the letter, words that say what something generic is about."""

USED = frozenset("set required optional default min max description".split())
"""Those of them that say of a parameter with a generic name only how it is given, or what is done with it: `The value to set`."""

GENERIC = load_lexicon("ambiguous") - frozenset(
    "element entry information configuration conf context detail datum blob".split()
) | frozenset("options settings details".split())
"""By the letter, words that fit anything: `element` and its like, which name something, are none of them in a text."""

BOUND = pattern(
    r""",?\s*\(?\b(?:at\ (?:most|least)|(?:max|min)(?:imum)?(?:\ of)?|up\ to|no\ (?:more|less|fewer)\ than
        |from|between)\s+\d[\d.,]*
        (?:\s*(?:to|and|-|–)\s*\d[\d.,]*)?
        (?:\s+(?:characters?|chars?|digits?|letters?|items?|elements?|entries|of\ them|long))?\)?""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a text tells a bound, which says how much of something it is and not what."""


@rule(
    Severity.SUGGESTION,
    codes=("LLM-008",),
    cites=("tool definition rules: LLM-008",),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
    judged=True,
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw | Question]:
    """Yield a finding for each parameter whose name and description fit anything, and a question if the description
    says little.
    """
    yield from _iter_literally(tool) if options.literal else _iter_unclear(tool)
    for part in islice(() if options.literal else _iter_scant(tool), MOST):
        message = f"parameter `{part.name}` of {tool.shown} has a generic name and no specific description"
        help = "Describe what it contains and in which format."
        yield Question(tool.place(part.path), tool, message, help, frozenset({"schema"}), part.name)


def _iter_scant(tool: Tool) -> Iterator[Part]:
    """Yield the parameters whose name fits anything and whose text may say what is meant."""
    names = frozenset(word for part in tool.arguments for word in split_words(part.name))
    for part in tool.arguments:
        said = BOUND.sub(" ", extract_substance(part.description, part.name)).strip()
        if said and not part.element and is_ambiguous(split_words(part.name)) and not is_bounded(part):
            if not is_english(said) or (
                clear(split_words(said)) and is_scant(split_words(said)) and lacks_context(part, tool, names)
            ):
                yield part


def _iter_literally(tool: Tool) -> Iterator[Flaw]:
    """Yield each name and each description in which a word fits anything, and that has no plain word of what it is about."""
    called = str(tool.name) if isinstance(tool.name, Text) else ""
    for part in collect_arguments(tool, True):
        said = part.description
        help = "Use a specific name, or describe what it contains and in which format."
        own = set(part.name.lower().split("-"))
        if own & GENERIC and not (PLAIN - USED) & set(split_words(f"{called} {part.name} {said}")):
            yield Flaw(
                tool.place(part.path),
                f"parameter `{part.name}` of {tool.shown} has a generic name and no specific description",
                help,
            )
        elif set(re.findall(r"\w+", said.lower())) & GENERIC and not PLAIN & set(split_words(said)):
            message = f"description of parameter `{part.name}` of {tool.shown} is too generic: `{shorten_code(said)}`"
            yield Flaw(tool.place((*part.path, "description")), message, help)


def _iter_unclear(tool: Tool) -> Iterator[Flaw]:
    names = frozenset(word for part in tool.arguments for word in split_words(part.name))
    for part in tool.arguments:
        said = BOUND.sub(" ", extract_substance(part.description))
        if part.element or clear(split_words(said)) or is_bounded(part) or not is_english(said):
            continue
        if is_ambiguous(split_words(part.name)):
            if not lacks_context(part, tool, names):
                continue
            yield Flaw(
                tool.place(part.path),
                f"parameter `{part.name}` of {tool.shown} has a generic name and no specific description",
                "Use a specific name, or describe what it contains and in which format.",
            )
        elif collect_ambiguous(split_words(part.description)) and not repeats(said, part.name):
            yield Flaw(
                tool.place((*part.path, "description")),
                f"description of parameter `{part.name}` of {tool.shown} is too generic: `{shorten_code(part.description)}`",
                "Say what it contains and in which format.",
            )
