'''Temporary files are deleted when the call ends.

`NamedTemporaryFile(delete=False)`, `mkstemp` and `mkdtemp` leave deletion to the caller. A server that deletes the file only
after a failure, or never, fills the disk call by call, and keeps clients' data where other users may read it (CWE-459).

Bad:

```python
import subprocess
import tempfile

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def check_plan(plan: str) -> int:
    """Check a plan."""
    with tempfile.NamedTemporaryFile("w", suffix=".plan", delete=False) as file:  # flaw
        file.write(plan)
    return subprocess.run(["kiln", "check", file.name], timeout=10).returncode
```

Good:

```python
import subprocess
import tempfile
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def check_plan(plan: str) -> int:
    """Check a plan."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fire.plan")
        path.write_text(plan)
        return subprocess.run(["kiln", "check", str(path)], timeout=10).returncode
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Delete it in a `finally` block, or create it in a `with tempfile.TemporaryDirectory()`."


@rule(
    Severity.SUGGESTION,
    cites=("CWE-459: incomplete cleanup",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each temporary file that is not deleted even if nothing fails."""
    for handler, act in collect_distinct_acts(holder, "leaves temporary"):
        yield Flaw(
            act.text, f"`{shorten_code(act.text)}` creates a file that is never deleted{format_way(act, handler)}", HELP
        )
