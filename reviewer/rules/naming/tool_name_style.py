'''All tool names of a server use one naming style.

A model guesses the next tool's name from those it has seen. If `create_issue` stands next to `list-repos`, it guesses wrong. By
default the style is the most frequent one among the server's own names; names with a dot, which clients reject, are then left
to `tool-name-refused`.

Departs from the original: it wants kebab-case from everybody (`style = "kebab-case"`, as the profile `validator-46` sets it);
the protocol allows every style, and what helps a model is that there is one.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def create_issue(title: str) -> str:
    """Create an issue."""

@mcp.tool()
def close_issue(number: int) -> str:
    """Close an issue."""

@mcp.tool(name="listIssues")  # flaw
def list_issues(limit: int) -> str:
    """List issues."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def create_issue(title: str) -> str:
    """Create an issue."""

@mcp.tool()
def list_issues(limit: int) -> str:
    """List issues."""
```
'''

from collections.abc import Iterator
from typing import Literal

from reviewer.facts import Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.styles import STYLES, NameStyle, find_commonest_style
from reviewer.source import Text
from reviewer.text.patterns import pattern

PLAIN = pattern(r"[A-Za-z0-9_-]+")
"""A name with other signs has to be renamed anyway, or has a dot or slash that parts its domain off: of it no style is
taken."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    style: Literal["consistent", "snake_case", "kebab-case", "camelCase", "object.operation"] = declare_option(
        "consistent", "The style; `consistent` uses the most frequent style among the server's tools."
    )


def _collect_names(server: Server, options: Options) -> dict[Text, Tool]:
    """Return the tools by name, each name once; of what has to be renamed anyway no style is taken."""
    found: dict[Text, Tool] = {}
    for tool in server.tools:
        if isinstance(tool.name, Text) and tool.name.strip():
            if options.style != "consistent" or PLAIN.fullmatch(tool.name):
                found.setdefault(tool.name, tool)
    return found


def _find_style(server: Server, options: Options) -> NameStyle | None:
    if options.style != "consistent":
        return options.style
    style = find_commonest_style(_collect_names(server, options))
    return style[0] if style is not None and style[1] else None


@rule(
    Severity.SUGGESTION,
    codes=("NAM-002",),
    cites=(
        "tool definition rules: NAM-002",
        "authoring guidelines: object.operation",
        "MCP 2026-07-28 server/tools, Tool Names",
    ),
    when=lambda server, options: bool(_collect_names(server, options)),
    absent="no tool has a name that can be read",
    compares=True,
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each tool name in another style than the server's."""
    style = _find_style(server, options)
    if style is None:
        return
    for name, tool in _collect_names(server, options).items():
        if not STYLES[style].fullmatch(name.strip("_") or name):
            others = ", unlike the server's other tool names" if options.style == "consistent" else ""
            yield Flaw(name, f"tool name `{name}` is not {style}{others}", f"Rename it to {style}.", tool)
