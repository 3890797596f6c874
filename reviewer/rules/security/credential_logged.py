'''Credentials are not written to logs.

Logs are kept, copied to other systems and pasted into issues, by people who may not use what they contain (CWE-532). A level
that is off by default is on when somebody debugs. Headers that are logged completely include `Authorization`.

Reported if a logged value certainly is a password, a key or a token: by the name of its variable, field or header, or by the
text before it. Its first characters, its length, and whether it is set are not reported.

Bad:

```python
import logging
import os

import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")
logger = logging.getLogger(__name__)

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    headers = {"Authorization": f"Bearer {os.environ['KILN_TOKEN']}"}
    logger.debug("asking with %s", headers)  # flaw
    return httpx.get("https://kilns.example/temperature", params={"kiln": kiln}, headers=headers).text
```

Good:

```python
import logging
import os

import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")
logger = logging.getLogger(__name__)

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    headers = {"Authorization": f"Bearer {os.environ['KILN_TOKEN']}"}
    logger.debug("asking for %s", kiln)
    return httpx.get("https://kilns.example/temperature", params={"kiln": kiln}, headers=headers).text
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Do not log it; at most log whether it is set."


@rule(
    Severity.WARNING,
    cites=("CWE-532: insertion of sensitive information into log file",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each credential that is logged."""
    for handler, act in collect_distinct_acts(holder, "logs credential"):
        message = f"`{act.about}` is written to the log: `{shorten_code(act.text)}`{format_way(act, handler)}"
        yield Flaw(act.text, message, HELP, cause="logged credentials")
