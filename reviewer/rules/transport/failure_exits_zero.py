'''A server that cannot serve exits with a non-zero status.

Docker, systemd and agents that start the server all check the exit status of the process. A server that exits with status 0
after a port conflict, a failed bind or a broken setting counts as one that finished its work: nothing restarts it, nothing
reports it, and the reason stays in an unread log.

Reported is code that catches any failure of the serving call, prints or logs it, and runs to its end, and code that drops the
result of the serving call. Not reported: failures that are retried, raised again, turned into an exit status, or followed by
another way of serving.

Bad:

```python
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
def fire(kiln: str) -> str:
    """Fire a kiln."""
    return kiln

def main() -> None:
    try:
        mcp.run()
    except Exception as error:  # flaw
        print(f"Error: {error}")

if __name__ == "__main__":
    main()
```

Good:

```python
import sys

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kiln")

@mcp.tool()
def fire(kiln: str) -> str:
    """Fire a kiln."""
    return kiln

def main() -> None:
    try:
        mcp.run()
    except Exception as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(1)

if __name__ == "__main__":
    main()
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import merge_into_flaw
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "py": "Let it propagate, or exit with another status: `sys.exit(1)`.",
    "rs": "Let it propagate, or exit with another status: `Err` from `main` or `process::exit(1)`.",
    "ts": "Let it propagate, or exit with another status: `process.exit(1)`.",
}


@rule(
    Severity.SUGGESTION,
    cites=("CWE-390: detection of error condition without action", "POSIX.1-2024: exit status"),
    when=lambda project: bool(project.transports),
    absent="no code that serves was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each failure of the server that is caught and followed by exit code 0."""
    ends = {each.quiet_end.span: each for each in project.transports if each.quiet_end is not None}
    places = [each.quiet_end for each in ends.values() if each.quiet_end is not None]
    if places:
        served = shorten_code(next(iter(ends.values())).text, 60)
        message = f"a failure of `{served}` is caught here, and the process exits with status 0"
        yield merge_into_flaw(places, message, choose_help(HELP, places[0].span.path))
