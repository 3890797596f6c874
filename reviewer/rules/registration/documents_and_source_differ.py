'''The documentation lists the tools that the source registers.

People choose a server, and write rules for agents, by the table in its README. A tool that was renamed or removed stays listed
there and fails when it is called; a new one is never found. The README and `docs/` of the reviewed folder are read; if the
README links to some of the documents, only those, and no analyses, plans or changelogs. Only lists in which most names are
tools of the server are compared, and statements of how many tools there are.

Bad:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""

@mcp.tool()
def cut_rope(name: str) -> str:
    """Cut a rope."""

@mcp.tool()
def tie_knot(name: str) -> str:
    """Tie a knot."""
```

```markdown README.md
| Tool | What it does |
| --- | --- |
| `list_ropes` | Lists the ropes |
| `cut_rope` | Cuts one |
| `tie_knot` | Ties a knot |
| `untie_knot` | Unties it |  # flaw
```

Good:

```python server.py
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""

@mcp.tool()
def cut_rope(name: str) -> str:
    """Cut a rope."""

@mcp.tool()
def tie_knot(name: str) -> str:
    """Tie a knot."""
```

```markdown README.md
| Tool | What it does |
| --- | --- |
| `list_ropes` | Lists the ropes |
| `cut_rope` | Cuts one |
| `tie_knot` | Ties a knot |
```
'''

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from reviewer.facts import DocumentListing
from reviewer.facts.documents import find_nearest
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_items
from reviewer.source import Text

HELP = "List the registered tools in the documentation, under the same names."
SHOWN = 8
"""Names in one message."""


def _is_listed(listing: DocumentListing) -> bool:
    return bool(listing.listed or listing.unknown or listing.parameters or listing.counts)


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: documentation", "Tool trait: documentation"),
    absent="no documentation lists the tools",
    when=_is_listed,
)
def check(listing: DocumentListing) -> Iterator[Flaw]:
    """Yield a finding for each tool name that only the document has, and for each tool and parameter that only the
    source has.
    """
    unlisted = [str(each) for each in listing.tools if each not in listing.listed]
    near = {name: each for name in listing.unknown for each in find_nearest(name, unlisted)}
    if listing.unknown:
        names = (
            f"`{each}` (the source has `{near[each]}`)" if each in near else f"`{each}`" for each in listing.unknown
        )
        told = format_items(names, SHOWN)
        are, they = ("are listed as tools", "them") if len(listing.unknown) > 1 else ("is listed as a tool", "it")
        yield _build_flaw(listing.unknown, f"{told} {are}, but no code registers {they}")
    missing = [each for each in listing.missing if str(each) not in near.values()]
    if missing:
        told = format_items((f"`{each}`" for each in missing), SHOWN)
        yield _build_flaw(
            missing, f"`{listing.path}` lists {len(listing.listed)} tools, but no document mentions {told}"
        )
    if listing.counts:
        told = format_items((f"`{each}`" for each in dict.fromkeys(map(str, listing.counts))), SHOWN)
        yield _build_flaw(
            listing.counts,
            f"the documentation says {told}, but the source registers {len(listing.tools)}",
            "Correct the number, or leave it out.",
        )
    if listing.parameters:
        read = [name for name, _, _ in listing.parameters]
        yield _build_flaw(read, format_items(map(_format_parameter, listing.parameters), SHOWN))


def _build_flaw(names: Iterable[Text], message: str, help: str = HELP) -> Flaw:
    first, *others = names
    return Flaw(first, message, help, related=tuple(each.span for each in others))


def _format_parameter(told: tuple[Text, str, tuple[str, ...]]) -> str:
    name, tool, known = told
    near = get_close_matches(name, known, 1, 0.75)
    return f"`{name}` is listed as a parameter of `{tool}`, which has {f'`{near[0]}`' if near else 'none of that name'}"
