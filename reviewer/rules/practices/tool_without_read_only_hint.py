"""Every tool sets `readOnlyHint`.

Clients run a tool with `readOnlyHint: true` without a question, and treat one without the hint as one that changes something. A
search server without the hint asks its user at every step.

Bad:

```json
{"tools": [
  {
    "name": "list-users",  // flaw
    "description": "List the users",
    "inputSchema": {"type": "object"},
    "annotations": {"title": "List users"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "list-users",
    "description": "List the users",
    "inputSchema": {"type": "object"},
    "annotations": {"title": "List users", "readOnlyHint": true}
  }
]}
```
"""

from collections.abc import Iterator
from functools import partial

from reviewer.facts import Tool
from reviewer.fixes.model import FixPlan
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.claims import must_change
from reviewer.rules.shared.fixes import plan_hints
from reviewer.rules.shared.hints import lacks, place, read_hints
from reviewer.rules.shared.words.operations import changes, find_verb
from reviewer.source import Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    verbs: tuple[str, ...] = declare_option(
        (), "The verbs whose tools need the hint set to true; if empty, every tool needs it."
    )


def _reads(tool: Tool, options: Options) -> bool:
    """Return whether a tool's name says by one of the verbs that it only reads."""
    return isinstance(tool.name, Text) and find_verb(tool.name) in options.verbs and not changes(tool.name)


@rule(
    Severity.SUGGESTION,
    codes=("BP-002",),
    cites=("tool definition rules: BP-002", "MCP 2026-07-28 ToolAnnotations"),
    when=lambda tool, options: read_hints(tool) is not None,
    absent="no tool has annotations that can be read",
    fixes=("safe",),
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each tool without `readOnlyHint`."""
    given = read_hints(tool)
    if options.verbs and (given is None or given.get("readOnlyHint") is True or not _reads(tool, options)):
        return
    if options.verbs and not lacks(tool, "readOnlyHint"):
        message = f"{tool.shown} sets `readOnlyHint: false`, but its name says that it reads"
        yield Flaw(place(tool), message, "Set it to true if the tool changes nothing, else rename the tool.")
    elif lacks(tool, "readOnlyHint"):
        help = "Set it to true if the tool changes nothing, else to false."
        yield Flaw(place(tool), f"{tool.shown} has no `readOnlyHint`", help, fix_plan=partial(_fix_plan, tool))


def _fix_plan(tool: Tool) -> FixPlan | None:
    """Say what name and code say: false is also what a client takes for granted. That it changes nothing cannot be seen."""
    return plan_hints(tool, readOnlyHint=False) if must_change(tool) else None
