"""Tools whose names suggest a change set `destructiveHint`.

Without `destructiveHint` a client has to assume the worst. It asks before `add_comment` as it does before `delete_account`, and
the user learns to say yes to both.

Departs from the original: it takes `settings` for `set` and `address` for `add`, and sees the end of a name only after a hyphen;
here the words of a name are looked at, wherever a verb may stand in it.
Departs from the original: its list lacks verbs that change things, `edit`, `rename`, `overwrite`, `kill`.
Departs from the original: of a tool with `readOnlyHint: true` nothing is asked, for the protocol gives the hint no meaning there.

Bad:

```json
{"tools": [
  {
    "name": "delete-account",  // flaw
    "description": "Delete an account",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "delete-account",
    "description": "Delete an account",
    "inputSchema": {"type": "object"},
    "annotations": {"destructiveHint": true}
  }
]}
```
"""

from collections.abc import Iterator
from functools import partial

from reviewer.facts import Server, Tool
from reviewer.fixes.model import FixPlan
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.claims import must_delete
from reviewer.rules.shared.fixes import plan_hints
from reviewer.rules.shared.hints import lacks, reads_only
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.verbs import find_shared_openings, find_verbs
from reviewer.source import Text

PLAIN = frozenset(
    "create update delete remove set add insert drop clear reset modify change write destroy purge".split()
)
"""Verbs that say a change by themselves, whatever stands behind them."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally: read-only tools need the hint, too.", formerly="letter"
    )
    verbs: tuple[str, ...] = declare_option(
        (), "The verbs whose tools need the hint; by default every verb that changes something."
    )


def _collect_names(server: Server) -> list[Text]:
    return [tool.name for tool in server.tools if isinstance(tool.name, Text)]


@rule(
    Severity.SUGGESTION,
    codes=("BP-003",),
    cites=("tool definition rules: BP-003", "MCP 2026-07-28 ToolAnnotations"),
    when=lambda server, options: bool(_collect_names(server)),
    absent="no tool has a name that can be read",
    fixes=("safe",),
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each tool with a destructive name and no `destructiveHint`."""
    verbs = options.verbs or load_lexicon("changing")
    shared = find_shared_openings(_collect_names(server))
    for tool in server.tools:
        if (
            not isinstance(tool.name, Text)
            or not lacks(tool, "destructiveHint")
            or (reads_only(tool) and not options.literal)
        ):
            continue
        done = (
            (*split_words(tool.name)[:1], *split_words(tool.name)[-1:])
            if options.literal
            else find_verbs(tool.name, shared)
        )
        verb = next((verb for verb in done if verb in (PLAIN if options.literal else verbs)), None)
        if verb is not None:
            message = f"{tool.shown} has no `destructiveHint`, but its name contains `{verb}`"
            help = "Set it to true if the tool can destroy something, to false if it only adds."
            yield Flaw(tool.name, message, help, tool, partial(_fix_plan, tool))


def _fix_plan(tool: Tool) -> FixPlan | None:
    """Say what name and code say: true is also what a client takes for granted."""
    return plan_hints(tool, destructiveHint=True) if must_delete(tool) else None
