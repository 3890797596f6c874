'''Every branch of a tool uses the arguments it is given.

Where two branches make nearly the same call, and only one hands over an argument of the tool, whoever comes the other way has it
ignored without a word: a seed that does not repeat anything, a limit that limits nothing.

It counts where both calls are of one method, or of one and another whose name goes on after it, share two arguments at least, and
nothing else is done with the argument or decided by it.

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
from reviewer.rules.conduct import acts, handlers
from reviewer.rules.words import clipped

HELP = "Pass the argument here as well, or reject the call if the argument cannot be used."


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Look for calls that lack what the same call has in the other branch."""
    for handler in handlers(holder):
        for act in acts(handler, "leaves out argument"):
            left = f"`{act.about}`" if act.about is not None else "an argument"
            message = f"`{handler.name}` omits {left} in `{clipped(act.text, 60)}`, but passes it in the other branch"
            yield Flaw(act.text, message, HELP)
