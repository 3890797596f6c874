'''Error messages do not reveal the server's credentials.

The error of a failed request contains its URL with the full query: a server that sends a key as `?key=…` reveals it to everyone
who gets `str(error)` (CWE-209, CWE-598). An exception that leaves a tool is such an answer, too: FastMCP returns its text. From
there it reaches the model, transcripts and logs. `answer.json()` of aiohttp does the same if the response is not JSON.

A credential in a header is not part of the error. If the service accepts it only in the query, an error with the server's own
text, the status and the service's message, tells the client more than the URL does.

Bad:

```python
import os

import httpx

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    params = {"kiln": kiln, "key": os.environ["KILN_API_KEY"]}
    answer = httpx.get("https://kilns.example/temperature", params=params)
    answer.raise_for_status()  # flaw
    return answer.text
```

Good:

```python
import os

import httpx

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
def temperature(kiln: str) -> str:
    """Read the temperature of a kiln."""
    headers = {"X-Api-Key": os.environ["KILN_API_KEY"]}
    answer = httpx.get("https://kilns.example/temperature", params={"kiln": kiln}, headers=headers)
    answer.raise_for_status()
    return answer.text
```
'''

from collections.abc import Iterator

from reviewer.facts import Handler
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "py": 'Send it in a header, or answer with a message of your own: `f"the service answered {error.response.status_code}"`.',
    "rs": "Send it in a header, or remove the URL from the error: `error.without_url()`.",
    "ts": "Send it in a header, or answer with a message of your own that has the status alone.",
}


@rule(
    Severity.WARNING,
    cites=("CWE-209: sensitive information in an error message", "CWE-598: sensitive query strings"),
    absent="no tool's code was found",
)
def check(handler: Handler) -> Iterator[Flaw]:
    """Yield a finding for each request with a credential in its URL whose failure is shown to the client."""
    for act in iter_acts(handler, "tells credential"):
        name = f"`{act.about}`" if act.about is not None else "a credential"
        message = f"{name} is part of a URL that reaches the client when this fails: `{shorten_code(act.text)}`"
        yield Flaw(
            act.text,
            f"{message}{format_way(act, handler)}",
            choose_help(HELP, act.text.span.path),
            cause="credentials",
        )
