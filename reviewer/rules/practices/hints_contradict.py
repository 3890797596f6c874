"""The annotations of a tool do not contradict each other.

A read-only tool destroys nothing. If both hints are true, one client runs the tool without asking and another asks each time,
and it is unclear which of the two the author meant.

Bad:

```json
{"tools": [
  {
    "name": "archive-notes",  // flaw
    "description": "Archive the notes",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": true, "destructiveHint": true}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "archive-notes",
    "description": "Archive the notes",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": false, "destructiveHint": true}
  }
]}
```
"""

from collections.abc import Iterator
from functools import partial

from reviewer.facts import Tool
from reviewer.fixes.model import FixPlan
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.claims import must_change
from reviewer.rules.shared.acts.destruction import find_destructive_verb
from reviewer.rules.shared.fixes import plan_hints
from reviewer.rules.shared.hints import place, read_hints, reads_only
from reviewer.source import Text


@rule(
    Severity.WARNING,
    cites=("MCP 2026-07-28 ToolAnnotations", "authoring guidelines: annotations"),
    when=lambda tool: bool(read_hints(tool)),
    absent="no tool has annotations that can be read",
    fixes=("unsafe",),
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool marked both read-only and destructive, unless `destructive-not-marked` reports it
    by its name.
    """
    given = read_hints(tool) or {}
    if isinstance(tool.name, Text) and find_destructive_verb(tool.name, surely=True):
        return
    if reads_only(tool) and given.get("destructiveHint") is True:
        message = f"{tool.shown} sets both `readOnlyHint: true` and `destructiveHint: true`"
        yield Flaw(place(tool), message, "Remove the one that is wrong.", fix_plan=partial(_fix_plan, tool))


def _fix_plan(tool: Tool) -> FixPlan | None:
    """Believe name and code, where they say the same."""
    return plan_hints(tool, safe=False, readOnlyHint=False) if must_change(tool) else None
