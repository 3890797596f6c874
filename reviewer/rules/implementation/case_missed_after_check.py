'''Values validated case-insensitively are compared case-insensitively.

`MAX` passes a check of `kind.lower()`, but `kind == "max"` is false a line later. The call then takes the last branch: another
way to count, another order, no filter. It succeeds, and nothing in the answer shows the mistake.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def sum_up(kind: str) -> float:
    """Sum up the lengths of the ropes."""
    if kind.lower() not in ("max", "sum"):
        raise ValueError("kind is max or sum")
    if kind == "max":  # flaw
        return max(LENGTHS)
    return sum(LENGTHS)
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def sum_up(kind: str) -> float:
    """Sum up the lengths of the ropes."""
    kind = kind.lower()
    if kind not in ("max", "sum"):
        raise ValueError("kind is max or sum")
    if kind == "max":
        return max(LENGTHS)
    return sum(LENGTHS)
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Normalise the case before the check, and use the normalised value afterwards."


@rule(
    Severity.WARNING,
    cites=("CWE-178: Improper Handling of Case Sensitivity",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each comparison of an argument that misses a value which an earlier check accepts."""
    for handler, act in collect_distinct_acts(holder, "misses case"):
        checked = f", although the check ignores case (`{shorten_code(act.about)}`)" if act.about is not None else ""
        message = f"`{shorten_code(act.text)}` compares the client's value case-sensitively{checked}"
        yield Flaw(act.text, message + format_way(act, handler), HELP)
