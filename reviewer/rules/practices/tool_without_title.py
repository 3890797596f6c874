"""Every tool has a title.

A client shows the title to the user who decides whether the tool may run. Without a title it shows the name, which is written
for models: `kb_upd_rec`.

Departs from the original: a top-level `title` counts, which the protocol has had since 2025-06-18 and prefers to the one among
the annotations; the original knows the latter only.
Departs from the original: a title that is a placeholder is none.

Bad:

```json
{"tools": [
  {
    "name": "kb_upd_rec",  // flaw
    "description": "Update a record",
    "inputSchema": {"type": "object"}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "kb_upd_rec",
    "title": "Update a record",
    "description": "Update a record",
    "inputSchema": {"type": "object"}
  }
]}
```
"""

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_fault
from reviewer.rules.shared.hints import place, read_hints
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Opaque


@rule(
    Severity.SUGGESTION,
    codes=("BP-001",),
    cites=("tool definition rules: BP-001", "MCP 2026-07-28 server/tools, Tool"),
    absent="no tool is registered in the reviewed files",
)
def check(tool: Tool, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each tool that has a title neither of its own nor in its annotations."""
    noted = read_hints(tool)
    if isinstance(tool.title, Opaque) or find_fault(tool, "title") is not None:
        return
    if noted is None or (not options.literal and extract_substance(tool.title or "")):
        return
    beside = noted.get("title", "")
    if isinstance(beside, str) and not extract_substance(beside):
        yield Flaw(
            place(tool),
            f"{tool.shown} has no title{' among its annotations' if options.literal and tool.title else ''}",
            "Add a title that tells a user what the tool does.",
        )
