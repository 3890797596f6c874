'''All tool names of a server follow one style.

A model guesses the next tool's name from those it has seen. Where `create_issue` stands beside `list-repos`, it guesses
wrong. By default the style is the one that most of the server's own names have.

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

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from reviewer.facts import Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.source import Text

Style = Literal["snake_case", "kebab-case", "camelCase", "object.operation"]
STYLES: dict[Style, re.Pattern[str]] = {
    "snake_case": re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*"),
    "kebab-case": re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*"),
    "camelCase": re.compile(r"[a-z][a-z0-9]*([A-Z][a-z0-9]*)*"),
    "object.operation": re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+"),
}


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    style: Literal["consistent", "snake_case", "kebab-case", "camelCase", "object.operation"] = field(
        default="consistent",
        metadata={"doc": "The style; `consistent` takes the one that most of the server's names have."},
    )


def _names(server: Server) -> list[Text]:
    return [tool.name for tool in server.tools if isinstance(tool.name, Text) and tool.name.strip()]


def _majority(names: list[Text]) -> Style | None:
    """Give the style of more than half of the names that show one; a single lower-case word shows none."""
    fitting = [[style for style, form in STYLES.items() if form.fullmatch(name)] for name in names]
    shown = [styles[0] for styles in fitting if len(styles) == 1]
    style = max(STYLES, key=shown.count)
    return style if shown.count(style) * 2 > len(shown) else None


def _style(server: Server, options: Options) -> Style | None:
    return _majority(_names(server)) if options.style == "consistent" else options.style


@rule(
    Severity.WARNING,
    codes=("NAM-002",),
    cites=(
        "tool definition rules: NAM-002",
        "authoring guidelines: object.operation",
        "MCP 2026-07-28 server/tools, Tool Names",
    ),
    when=lambda server, options: bool(_names(server)),
    absent="no tool has a name that can be read",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Look for names of another style than the server's."""
    style = _style(server, options)
    if style is None:
        return
    for name in dict.fromkeys(_names(server)):
        if not STYLES[style].fullmatch(name.strip("_") or name):
            others = ", as the server's other names are" if options.style == "consistent" else ""
            yield Flaw(name, f"tool name `{name}` is not {style}{others}", f"Rename it in the style {style}.")
