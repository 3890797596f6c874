'''TLS certificates and SSH host keys are verified.

Without verification of the certificate, or of the key of an SSH host, an attacker on the network reads the token that a server
sends and answers in place of the host (CWE-295). The code either always turns verification off, or does so for almost everybody
by the default of a setting. A setting that turns verification off, but leaves it on by default, is fine.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    return httpx.get(f"https://kilns.example/{kiln}", verify=False).text  # flaw
```

Good:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    return httpx.get(f"https://kilns.example/{kiln}", verify="/etc/kilns/ca.pem").text
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Trust
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.reached import has_code
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Verify by default with your own CA certificate or known hosts, and let a setting turn verification off."


@rule(
    Severity.WARNING,
    cites=("CWE-295: improper certificate validation",),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each connection that does not verify certificates."""
    causes: dict[str, list[Trust]] = {}
    for each in project.trusts:
        causes.setdefault(each.by.split(".")[0] or each.by, []).append(each)
    for first, *others in causes.values():
        unless = " unless a setting changes that" if first.by_default else ""
        related = tuple(each.text.span for each in others)
        yield Flaw(
            first.text,
            f"`{shorten_code(first.text)}` does not verify the server's identity{unless}",
            HELP,
            related=related,
        )
