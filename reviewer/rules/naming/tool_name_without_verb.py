"""Tool names contain a verb.

A model chooses by the name first. `user_profile` may show a profile, change it or delete it; `get_user_profile` leaves no doubt.

Departs from the original: it compares the beginning of the name's first part, up to a hyphen, with a list, so that
`settings-panel` has the verb `set`; here names are split into words, and only a whole word is a verb.
Departs from the original: in `issue.create` the verb stands in the last part, in `browser_click` after what all tools of the
server begin with, in `note_delete` at the end; it is found there too.
Departs from the original: its list lacks verbs that tools do have, `click`, `navigate`, `ask`, `think`; a name that asks,
`is_connected`, says what it does as well.
Departs from the original: a tool that takes an `action` is named for its domain and has its verbs there.
Departs from the original: `cache` and `queue` at the beginning of a name are things; `cache_stats` caches nothing.

A judge is asked where the only verb of a name is as often a noun: `report_status`, `log`.

Bad:

```json
{"tools": [
  {
    "name": "settings-panel",  // flaw
    "description": "Get the settings",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "get-settings",
    "description": "Get the settings",
    "inputSchema": {"type": "object"}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.actions import takes_action
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.verbs import extract_operation, find_shared_openings, find_verbs, is_noun_too, is_verb
from reviewer.source import Text

QUESTIONS = frozenset({"is", "are", "has", "can"})
"""A name that begins so says what is asked, as `has_access` does, though no action verb begins it."""


def _collect_names(server: Server) -> list[Text]:
    return [tool.name for tool in server.tools if isinstance(tool.name, Text) and _speaks(tool.name)]


def _speaks(name: Text) -> bool:
    """Return whether a name has words of which the list of verbs may know one."""
    return any(word.isascii() for word in extract_operation(name))


@rule(
    Severity.SUGGESTION,
    codes=("NAM-005",),
    cites=("tool definition rules: NAM-005",),
    when=lambda server, options: bool(_collect_names(server)),
    absent="no tool has a name that can be read",
    judged=True,
)
def check(server: Server, options: LiteralMode) -> Iterator[Flaw | Question]:
    """Yield a finding for each tool name without a verb where one belongs, and a question if a word may be a noun."""
    shared = find_shared_openings(_collect_names(server))
    for tool in server.tools:
        name = tool.name
        if not isinstance(name, Text) or not _speaks(name) or (takes_action(tool) and not options.literal):
            continue
        verbs = tuple(filter(is_verb, split_words(name)[:1])) if options.literal else find_verbs(name, shared)
        message = f"tool name `{name}` has no verb"
        help = "Start the name with a verb, followed by its object."
        if verbs and not options.literal and all(map(is_noun_too, verbs)):
            yield Question(name, tool, message, help)
        elif not verbs and (options.literal or extract_operation(name)[0] not in QUESTIONS):
            yield Flaw(name, message, help, tool)
