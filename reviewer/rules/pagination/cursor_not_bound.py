'''A cursor is valid only for the list that issued it.

A bare offset points to another place as soon as an item is added or removed before it: the next page skips items or repeats
them, without any sign. If the cursor contains a version or checksum of the data, the server can reject a stale one; if it
contains the last key, it stays correct. Lists that never change need neither.

If several lists read their cursors in one place without checking which list a cursor belongs to, one list accepts the cursor of
another. If the cursor contains the name of the list, the server can reject it.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")
ropes: list[dict] = []

@mcp.tool()
def add_rope(name: str) -> str:
    """Add a rope."""
    ropes.append({"name": name})
    return name

@mcp.tool()
def list_ropes(cursor: str = "", limit: int = 20) -> dict:
    """List the ropes, a page at a time."""
    start = int(cursor or 0)
    end = start + min(limit, 100)
    return {"ropes": ropes[start:end], "next_cursor": str(end)}  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")
ropes: list[dict] = []

@mcp.tool()
def add_rope(name: str) -> str:
    """Add a rope."""
    ropes.append({"name": name})
    return name

@mcp.tool()
def list_ropes(cursor: str = "", limit: int = 20) -> dict:
    """List the ropes by name, a page at a time."""
    rest = [rope for rope in sorted(ropes, key=by_name) if rope["name"] > cursor]
    page = rest[:min(limit, 100)]
    return {"ropes": page, "next_cursor": page[-1]["name"] if len(rest) > len(page) else None}
```
'''

from collections.abc import Iterator

from reviewer.facts import Cursor, GivenCursor
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R2",),
    absent="no cursor is created in the reviewed files",
)
def check(cursor: Cursor | GivenCursor) -> Iterator[Flaw]:
    """Yield a finding for each cursor that is only a position in changing data, and for each that any list accepts."""
    if isinstance(cursor, GivenCursor):
        if cursor.unused:
            yield Flaw(
                cursor.text,
                f"the cursor contains `{cursor.unused}`, but no code uses it when the cursor comes back: "
                f"`{shorten_code(cursor.text)}`",
                "Compare it with the current value and reject a cursor that differs, or leave it out.",
            )
        if cursor.shared is not None:
            yield Flaw(
                cursor.shared,
                f"one list accepts another list's cursor: `{shorten_code(cursor.shared)}` does not check "
                "which list it belongs to",
                "Put the list's name, and its filter if there is one, into the cursor, and reject it for any other list.",
            )
    elif cursor.bare is not None:
        yield Flaw(
            cursor.bare,
            f"the cursor is a bare position in a list that may change before it is used: `{shorten_code(cursor.bare)}`",
            "Put a version or checksum of the data into the cursor and reject stale ones, or page by the last key.",
        )
