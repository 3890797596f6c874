'''Tool annotations show which tools change something.

A tool without annotations counts as destructive: the defaults are `destructiveHint: true` and `readOnlyHint: false`. So a
client asks its user before each search as before each delete, or before neither.

Reported once: for the largest server whose tools have no hints, or if some tools have hints and destructive ones have none.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("notes")
notes = {}

@mcp.tool()
def read_note(name: str) -> str:
    """Give a note."""
    return notes[name]

@mcp.tool()
def delete_note(name: str) -> str:  # flaw
    """Delete a note for good."""
    return notes.pop(name)
```

Good:

```python
from mcp.server import MCPServer
from mcp.types import ToolAnnotations

mcp = MCPServer("notes")
notes = {}

@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
def read_note(name: str) -> str:
    """Give a note."""
    return notes[name]

@mcp.tool(annotations=ToolAnnotations(destructiveHint=True))
def delete_note(name: str) -> str:
    """Delete a note for good."""
    return notes.pop(name)
```
'''

from collections.abc import Iterator, Sequence

from reviewer.facts import Project, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.destruction import READING, find_destructive_verb
from reviewer.rules.shared.acts.effects import find_effect_verb
from reviewer.rules.shared.acts.handler_effects import CHANGING, iter_acts
from reviewer.rules.shared.hints import place, read_hints
from reviewer.rules.shared.words.identifiers import format_names, split_words
from reviewer.rules.shared.words.verbs import Words, find_shared_openings
from reviewer.rules.shared.words.verbs import find_verbs as verbs
from reviewer.source import Text

HELP = "Annotate each tool: `readOnlyHint: true` if it only reads, else `destructiveHint` true or false."
RENAMED = "Name them `readOnlyHint` and `destructiveHint`: clients know no other names."
STANDARD = frozenset({"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
"""What the protocol has of annotations; a server with `readOnly` and `destructive` believes that clients know them."""

FEW = 3
"""Tools that a message names. Readers of unseen servers named two or three where they wrote this down."""

UNSURE = frozenset("call download execute export invoke log request run".split())
"""Verbs of which only the code says whether they change something: `run-select-query` and `request-pipe-data` read, a
`reference_export` answers what it was asked for in another format (seen in a server for papers), and a `download_patent_pdf` with
the file itself (seen in a server for patents)."""


def _collect_readable_tools(server: Server) -> list[Tool]:
    tools = server.tools if server.annotates else ()
    return [tool for tool in tools if isinstance(tool.name, Text) and read_hints(tool) is not None]


def _declares_changes(tool: Tool) -> bool:
    """Return whether the annotations say whether it changes something, or may do so where they cannot be read."""
    given = read_hints(tool)
    return given is None or "readOnlyHint" in given or "destructiveHint" in given


def _changes(tool: Tool, shared: frozenset[Words]) -> bool:
    """Return whether the name says that something is otherwise after a call, by its own verb, or the code where it says nothing.

    A `read_query` that runs what it is handed may change something, and is not what to name first; `add` may add two numbers,
    a `rename_symbol` whose code only makes a text renames nothing, and `verify_edit` speaks of an edit.
    """
    name = str(tool.name)
    said = frozenset(verbs(name, shared)[:1]) & {find_effect_verb(name)}
    if find_destructive_verb(name) or (said - UNSURE and len(split_words(name)) > 1):
        return tool.code is None or any(True for _ in iter_acts(tool.code, "may change"))
    return not READING.intersection(split_words(name)) and any(True for _ in iter_acts(tool.code, *CHANGING))


def _collect_worst_first(tools: Sequence[Tool]) -> list[Tool]:
    """Return those first whose names say a loss, then those whose names say a change, then those of which only the code does."""
    return sorted(
        tools,
        key=lambda tool: (find_destructive_verb(str(tool.name)) is None, find_effect_verb(str(tool.name)) is None),
    )


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2026-07-28 ToolAnnotations",),
    when=lambda project: any(map(_collect_readable_tools, project.servers)),
    absent="no tool has annotations that can be read, or could",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for servers whose tools have no hints, and for destructive tools without one among tools that
    have some.
    """
    bare = [
        server
        for server in project.servers
        if _collect_readable_tools(server) and not any(map(_declares_changes, server.tools))
    ]
    for server in project.servers:
        silent = [
            tool
            for tool in _collect_readable_tools(server)
            if not _declares_changes(tool) and find_destructive_verb(str(tool.name))
        ]
        if silent and server not in bare:
            names = format_names([str(tool.name) for tool in silent], FEW)
            message = (
                f"{names} {'has' if len(silent) == 1 else 'have'} no annotations, although other tools of the server do"
            )
            yield Flaw(place(silent[0]), message, HELP, silent[0])
    if bare:
        yield _build_bare(max(bare, key=lambda server: len(server.tools)), len(bare) - 1)


def _build_bare(server: Server, others: int) -> Flaw:
    """Return the finding about the largest server whose tools have no hints: its fix shows what to do about the others."""
    tools = _collect_readable_tools(server)
    shared = find_shared_openings(str(tool.name) for tool in tools)
    changing = _collect_worst_first([tool for tool in tools if _changes(tool, shared)])
    first = (changing or tools)[0]
    count, help = _count(tools)
    told = ", so clients must treat every call as possibly destructive"
    if changing:
        names = format_names([str(tool.name) for tool in changing], FEW)
        # not their number: of others that is not always told, as of a POST that may only ask
        told = f", though {names} change{'s' * (len(changing) == 1)} something"
    more = f" (the same applies to {others} more server{'s' * (others > 1)})" if others else ""
    return Flaw(place(first), f"{count}{told}{more}", help, first, key="server")


def _count(tools: list[Tool]) -> tuple[str, str]:
    """Return the message about hints that the annotations of a server's tools lack, and the advice."""
    given = dict.fromkeys(key for tool in tools for key in read_hints(tool) or ())
    others = [key for key in given if key not in STANDARD]
    if not given:
        none = (
            f"none of the {len(tools)} tools has annotations" if len(tools) > 1 else "the only tool has no annotations"
        )
        return none, HELP
    none = f"none of the {len(tools)} tools has" if len(tools) > 1 else "the only tool does not have"
    said = f"{none} a `readOnlyHint` or `destructiveHint` annotation"
    return (f"{said}, but {format_names(others, FEW)}, which no client knows", RENAMED) if others else (said, HELP)
