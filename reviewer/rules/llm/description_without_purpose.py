"""Tool descriptions say what the tool does.

A model chooses tools by what they do. A text without a verb names a thing, and leaves open whether it is read, created or
removed.

Bad:

```json
[
  {
    "name": "user",
    "description": "User account management endpoint.", // flaw
    "inputSchema": {"type": "object"}
  }
]
```

Good:

```json
[
  {
    "name": "create-user",
    "description": "Creates a user account with an e-mail address and a password.",
    "inputSchema": {"type": "object"}
  }
]
```

Departs from the original: a word that begins a sentence and has an article behind it is a verb, whether a list has it or not
("Frobnicate the widget"). The list of verbs is ours. A placeholder such as `TODO: describe` says nothing.

A judge is asked where the only verbs fit everything (`Manages users`), and of a text in another language than English.
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.asking import find_judgeable_text, is_foreign
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.purpose import does_something, does_something_clear, without_asides
from reviewer.rules.shared.words.substance import extract_substance


@rule(
    Severity.SUGGESTION,
    codes=("LLM-003",),
    cites=("tool definition rules: LLM-003",),
    when=lambda tool: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool) -> Iterator[Flaw | Question]:
    """Yield a finding for each description without a verb, and a question if its verbs say little."""
    said = extract_substance(tool.said) if tool.said is not None else ""
    message = f"description of {tool.shown} does not say what it does"
    help = "Start with a verb: `Creates a user account`."
    if tool.said is not None and is_english(said) and not does_something(without_asides(said)):
        yield Flaw(tool.said, message, help)
    elif tool.said is not None and find_judgeable_text(tool) and (is_foreign(said) or not does_something_clear(said)):
        yield Question(tool.said, tool, message, help)
