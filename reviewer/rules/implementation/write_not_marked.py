'''Every tool that changes something is annotated or registered as a write.

Clients ask the user, and servers take locks, according to the marks of a tool. A tool that writes without a mark runs where
only reading was allowed.

Bad:

```python
import os

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def delete_plan(path: str) -> str:  # flaw
    """Delete a firing plan."""
    os.remove(path)
    return "gone"
```

Good:

```python
import os

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

mcp = MCPServer("kiln")

@mcp.tool(annotations=ToolAnnotations(destructiveHint=True))
def delete_plan(path: str) -> str:
    """Delete a firing plan."""
    os.remove(path)
    return "gone"
```
'''

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from reviewer.facts import Act, ActKind, Server, Tool
from reviewer.fixes.model import FixPlan
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.claims import must_change, must_delete
from reviewer.rules.shared.acts.handler_effects import CHANGING, iter_acts
from reviewer.rules.shared.fixes import plan_hints
from reviewer.rules.shared.hints import read_hints
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.rules.shared.words.workflow import is_read_only
from reviewer.source import Span, Text

MEMORY: ActKind = "changes memory"

CHANGED: dict[ActKind, str] = {**CHANGING, MEMORY: "changes state shared by all calls"}
"""What a tool does, as a message says it."""

HELP = "Set the annotation `destructiveHint` or `readOnlyHint: false`, or the project's own mark for writes."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    kinds: tuple[ActKind, ...] = declare_option(
        ("deletes", "writes", "runs"), "The kinds of changes that must be marked."
    )
    destructive: bool = declare_option(False, "Whether nothing but `destructiveHint: true` marks a tool that deletes.")


def _is_marked(tool: Tool, act: Act, options: Options) -> bool:
    given = read_hints(tool)
    if given is None or given.get("destructiveHint") is True:
        return True
    if options.destructive:
        return False
    if act.kind == MEMORY and given.get("readOnlyHint") is True:
        return False  # that a claim is untrue is told of what outlives the process
    told = given.get("destructiveHint") is not None or given.get("readOnlyHint") is not None
    return told or (tool.code is not None and tool.code.write_mark is not None)


@rule(
    Severity.WARNING,
    cites=("Tool trait: is_write", "authoring guidelines: annotations", "MCP 2026-07-28 ToolAnnotations"),
    when=lambda server, options: any(tool.code is not None for tool in server.tools),
    absent="no tool's code was found",
    fixes=("safe",),
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each tool that changes something and has no annotation that says so."""
    known = _collect_known_changes(server, options)
    for tool in server.tools:
        # what a search remembers is no change to anybody, unless another tool calls that a change; its name and its text say
        # that it is a search, and not its claim
        reads = partial(is_read_only, replace(tool, annotations=None), tool.said or "")
        changes = iter_acts(tool.code, *options.kinds)
        act = next(
            (
                each
                for each in changes
                if each.kind != MEMORY or not known.isdisjoint(_iter_memory(each)) or not reads()
            ),
            None,
        )
        if act is None or _is_marked(tool, act, options):
            continue
        place = f"{act.text.span.path}:{act.text.span.line}"
        message = (
            f"{tool.shown} is not marked as writing, but {CHANGED[act.kind]} at {place}: `{shorten_code(act.text)}`"
        )
        at = tool.code.name if tool.code is not None else tool.span
        yield Flaw(at, message, HELP, tool, partial(_fix_plan, tool, options))


def _collect_known_changes(server: Server, options: Options) -> frozenset[Span | Text]:
    """Return the places of the shared memory that a marked tool changes: for this server a change of it counts in any
    tool.
    """
    if MEMORY not in options.kinds:
        return frozenset()
    marked = (tool for tool in server.tools if _is_marked_as_write(tool))
    return frozenset(each for tool in marked for act in iter_acts(tool.code, MEMORY) for each in _iter_memory(act))


def _iter_memory(act: Act) -> Iterator[Span | Text]:
    """Yield by what memory is known that is changed: the place that does so, and the field that it lies in."""
    yield act.text.span
    if act.about is not None:
        yield act.about


def _is_marked_as_write(tool: Tool) -> bool:
    given = read_hints(tool) or {}
    by_hint = given.get("destructiveHint") is True or given.get("readOnlyHint") is False
    return by_hint or (tool.code is not None and tool.code.write_mark is not None)


def _fix_plan(tool: Tool, options: Options) -> FixPlan | None:
    """Say what name and code say; both hints are what a client takes for granted."""
    if must_delete(tool):
        return plan_hints(tool, destructiveHint=True)
    return plan_hints(tool, readOnlyHint=False) if must_change(tool) and not options.destructive else None
