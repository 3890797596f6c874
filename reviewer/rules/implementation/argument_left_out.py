'''Every branch of a tool uses the arguments it is given.

If two branches make nearly the same call, but only one passes an argument of the tool, the other branch silently ignores it: a
seed that does not make anything repeatable, a limit that limits nothing.

Reported if both calls are of one method, or of one and another whose name extends it, share at least two arguments, and the
argument is not otherwise used or checked.

Bad:

```python
import os

from kilns import Client
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")
client = Client(os.environ["KILN_KEY"])

@mcp.tool()
def glaze(color: str, coats: int, seed: int | None = None, detailed: bool = False) -> str:
    """Make up a glaze; the same seed gives the same glaze."""
    if detailed:
        found = client.glaze_detailed(color=color, coats=coats)  # flaw
    else:
        found = client.glaze(color=color, coats=coats, seed=seed)
    return f"made up: {found}"
```

Good:

```python
import os

from kilns import Client
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")
client = Client(os.environ["KILN_KEY"])

@mcp.tool()
def glaze(color: str, coats: int, seed: int | None = None, detailed: bool = False) -> str:
    """Make up a glaze; the same seed gives the same glaze."""
    if detailed:
        found = client.glaze_detailed(color=color, coats=coats, seed=seed)
    else:
        found = client.glaze(color=color, coats=coats, seed=seed)
    return f"made up: {found}"
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import iter_acts, iter_handlers
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Pass the argument here as well, or reject the call if the argument cannot be used."


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each call that lacks an argument which the same call has in the other branch."""
    for handler in iter_handlers(holder):
        for act in iter_acts(handler, "leaves out argument"):
            left = f"`{act.about}`" if act.about is not None else "an argument"
            message = (
                f"`{handler.name}` omits {left} in `{shorten_code(act.text, 60)}`, but passes it in the other branch"
            )
            yield Flaw(act.text, message, HELP)
