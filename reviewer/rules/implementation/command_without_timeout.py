'''Commands run by a tool have a timeout.

A command that asks for a password, waits for a lock or a host, or loops, keeps the call forever: the client waits, or leaves
and the command keeps running.

Bad:

```python
import subprocess

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def simulate(plan: str) -> str:
    """Simulate a firing plan."""
    return subprocess.run(["kilnsim", plan], capture_output=True, text=True).stdout  # flaw
```

Good:

```python
import subprocess

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def simulate(plan: str) -> str:
    """Simulate a firing plan."""
    return subprocess.run(["kilnsim", plan], capture_output=True, text=True, timeout=60).stdout
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.endless import iter_endless_flaws
from reviewer.rules.shared.acts.reached import has_code

HELP = {
    "py": "Pass `timeout=`, or wait for it under `asyncio.timeout` and kill it when the time is up.",
    "rs": "Wait for it in `tokio::time::timeout`, with `kill_on_drop(true)`; for `std::process`, use the crate "
    "`wait-timeout`.",
    "ts": "Pass `timeout`, or a `signal` of `AbortSignal.timeout(..)`.",
}


@rule(
    Severity.SUGGESTION,
    cites=("CWE-400: uncontrolled resource consumption",),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each command without a timeout."""
    yield from iter_endless_flaws(project, "command", HELP)
