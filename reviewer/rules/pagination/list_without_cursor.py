'''Every operation that lists things takes a parameter that bounds a page.

A list without a bound answers with all there is. It fits the context window on the author's machine and not on the user's.
Accepted is any parameter that pages or caps: `limit`, `cursor`, `page`, `offset`, `max_results` and the like, of the operation
itself or of the tool that dispatches to it. A tool whose own code cuts the list is bounded too.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def list_issues(project: str) -> list[str]:  # flaw
    """List the issues of a project."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def list_issues(project: str, limit: int = 20, cursor: str | None = None) -> list[str]:
    """List the issues of a project, a page at a time."""
```
'''

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reviewer.facts import Action, Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.words import words
from reviewer.source import Text

BOUNDS = frozenset(
    [
        "limit",
        "cursor",
        "page",
        "pages",
        "offset",
        "skip",
        "max",
        "maximum",
        "count",
        "top",
        "first",
        "last",
        "size",
        "per",
        "start",
        "after",
        "before",
        "since",
        "until",
        "n",
        "num",
        "number",
    ]
)


OTHER_VERBS = frozenset("add create delete edit get remove rename reset set update".split())


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    verbs: tuple[str, ...] = field(
        default=("list",), metadata={"doc": "The words at a name's start or end that mean a list."}
    )


def _lists(operation: Tool | Action, options: Options) -> bool:
    """Tell whether a name says that it lists: `list_x`, `x_list`, `x.list`; in `list.create` the list is the object."""
    name = operation.name if isinstance(operation.name, Text) else ""
    parts = words(re.split(r"[./]", name)[-1])
    if not parts:
        return False
    begins = parts[0] in options.verbs and not (len(parts) > 1 and parts[1] in OTHER_VERBS)
    return begins or parts[-1] in options.verbs


def _bounded(operation: Tool | Action) -> bool:
    """Tell whether a parameter pages or caps, or the code itself does; parameters that cannot be read may."""
    if isinstance(operation, Tool) and operation.handler is not None and operation.handler.capped:
        return True
    if not isinstance(operation.parameters, tuple):
        return True
    return any(BOUNDS & set(words(parameter.name)) for parameter in operation.parameters)


def _dispatching(tool: Tool) -> bool:
    return isinstance(tool.parameters, tuple) and any(parameter.name == "action" for parameter in tool.parameters)


def _operations(project: Project) -> list[Tool | Action]:
    tools = [tool for server in project.servers for tool in server.tools]
    if any(_dispatching(tool) and _bounded(tool) for tool in tools):
        return [*tools]
    return [*tools, *(action for catalog in project.catalogs for action in catalog.actions)]


def _when(project: Project, options: Options) -> bool:
    return any(_lists(each, options) for each in _operations(project))


@rule(
    Severity.SUGGESTION,
    cites=("checklist §1", "MCP 2026-07-28 server/utilities/pagination"),
    when=_when,
    absent="no operation lists things",
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Look for list operations whose parameters are read and bound nothing."""
    for operation in _operations(project):
        if _lists(operation, options) and not _bounded(operation):
            what = "list action" if isinstance(operation, Action) else "list tool"
            yield Flaw(
                operation.name if isinstance(operation.name, Text) else operation.span,
                f"{what} `{operation.name}` takes neither `limit` nor `cursor`",
                "Take `limit` (default 20, clamped to 100) and an opaque `cursor`, and answer with `next_cursor`.",
            )
