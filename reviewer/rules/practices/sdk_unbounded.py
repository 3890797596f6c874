'''SDK requirements exclude incompatible releases.

`pip install` and `uvx` use the newest release that the requirements of a package allow, whatever a lock file in its repository
says. `mcp>=1.2` allows mcp 2, which no longer has `mcp.server.fastmcp`: users who install the server today get a traceback
instead of a server. A lock file counts if the documentation installs only with it (`uv run`, `uv sync`).

Bad:

```python server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
    return "hemp"
```

```toml pyproject.toml
[project]
name = "ropes"
dependencies = ["mcp>=1.2"]  # flaw
```

Good:

```python server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("ropes")

@mcp.tool()
def list_ropes() -> str:
    """List the ropes."""
    return "hemp"
```

```toml pyproject.toml
[project]
name = "ropes"
dependencies = ["mcp>=1.2,<2"]
```
'''

from collections.abc import Iterator

from reviewer.facts import LooseRequirement
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Exclude it, as in `mcp>=1.2,<2`, until the code is migrated."


@rule(
    Severity.WARNING,
    cites=("MCP Python SDK: migration from v1 to v2", "Python packaging: version specifiers"),
    absent="no requirement allows an SDK release that lacks what the code imports",
)
def check(requirement: LooseRequirement) -> Iterator[Flaw]:
    """Yield a finding for each requirement that allows a release of the SDK without the names that the server imports."""
    said = f"`{shorten_code(requirement.text)}` allows {requirement.release}, which has no {requirement.missing}"
    yield Flaw(requirement.text, f"{said}; `{requirement.path}` needs it, so a new installation does not start", HELP)
