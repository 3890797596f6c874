"""Servers report their own name and version, not the SDK's.

Clients show name and version, and write them to logs and bug reports. rmcp, fastmcp and mcp insert their own if a server sets
none, so clients cannot tell which server, or which release of it, a client is connected to. `Implementation::from_build_env()`
sounds as if it used the calling crate, but uses rmcp.

Bad:

```rust
use rmcp::{ServerHandler, model::*};

impl ServerHandler for Kiln {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { server_info: Implementation::from_build_env(), ..Default::default() } // flaw
    }
}
```

```python
from mcp.server.lowlevel import Server

server = Server("kiln")  # flaw
```

Good:

```rust
use rmcp::{ServerHandler, model::*};

impl ServerHandler for Kiln {
    fn get_info(&self) -> ServerInfo {
        let own = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ServerInfo { server_info: own, ..Default::default() }
    }
}
```

```python
from importlib.metadata import version

from mcp.server.lowlevel import Server

server = Server("kiln", version=version("kiln"))
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2026-07-28 basic/lifecycle",),
    when=lambda project: any(each.framework for each in project.servers) or bool(project.identities),
    absent="no server is built with an SDK",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each server that leaves its name or version to its SDK."""
    for each in project.identities:
        if "name" in each.parts:
            message = (
                f"the server reports the name and version of {each.sdk} instead of its own: `{shorten_code(each.text)}`"
            )
            help_ = (
                'Set `env!("CARGO_PKG_NAME")` and `env!("CARGO_PKG_VERSION")` in the `Implementation` of the server.'
            )
        else:
            seen = f"clients see no version, or that of {each.sdk}"
            message = f"the server sets no version of its own, so {seen}: `{shorten_code(each.text)}`"
            help_ = "Pass `version=`, for example that of the installed distribution (`importlib.metadata.version`)."
        # a project of several servers leaves it out of all of them
        yield Flaw(each.text, message, help_, cause=f"{each.sdk} {'name' in each.parts}")
