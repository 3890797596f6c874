'''Every tool name is accepted by the common MCP clients.

The protocol allows dots and 128 characters; the APIs behind the clients often do not. A client that passes on such a name has
its entire request rejected, or drops the tool, and the user sees a server that is connected but does nothing. Which client
accepts which names is listed with source and date in `reviewer/rules/shared/clients.toml`.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="issue.create")  # flaw
def create_issue(title: str) -> str:
    """Create an issue."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool(name="issue_create")
def create_issue(title: str) -> str:
    """Create an issue."""
```
'''

import re
from collections import defaultdict
from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.naming.tool_name_not_allowed import FOREIGN, LONGEST
from reviewer.rules.shared.clients import Naming, collect_namings
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Text

SAFE = 58
"""A length that every client takes."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    apart: int = declare_option(
        3,
        "How many names are reported individually; more that the same clients reject are reported once, at the first.",
    )


@rule(
    Severity.WARNING,
    cites=("clients.toml: what clients refuse, with sources and dates",),
    when=lambda server, options: any(_iter_names(server)),
    absent="no tool has a name that can be read",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each valid name that a client rejects; names that the same clients reject share one."""
    refused: defaultdict[tuple[Naming, ...], list[Tool]] = defaultdict(list)
    for tool, name in _iter_names(server):
        refusing = tuple(client for client in collect_namings() if not client.takes.fullmatch(name))
        if refusing and not FOREIGN.search(name) and len(name) <= LONGEST:
            refused[refusing].append(tool)
    for refusing, tools in refused.items():
        together = len(tools) > options.apart
        for tool in tools[:1] if together else tools:
            yield _build_flaw(tool, len(tools) if together else 1, refusing)


def _iter_names(server: Server) -> Iterator[tuple[Tool, Text]]:
    return ((tool, tool.name) for tool in server.tools if isinstance(tool.name, Text) and tool.name.strip())


def _build_flaw(tool: Tool, count: int, refusing: tuple[Naming, ...]) -> Flaw:
    name = str(tool.name)
    who = ", ".join(client.name for client in refusing)
    length = f" of {len(name)} characters" if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", name) else ""
    more = f", like those of {count - 1} other tools," if count > 1 else ""
    return Flaw(
        tool.name if isinstance(tool.name, Text) else tool.span,
        f"tool name `{shorten_code(name)}`{length}{more} is rejected by {who}",
        f"With {refusing[0].name} {refusing[0].then}. "
        f"Use only letters, digits, `_` and `-`, no digit first, and at most {SAFE} characters.",
        tool,
    )
