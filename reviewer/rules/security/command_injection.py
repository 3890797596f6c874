'''Arguments are never inserted into a shell command line.

`; rm -rf ~`, `$(…)` or a line break in the argument is a command of its own, with the rights of the server (CWE-78). A list of
arguments is not read by a shell, and a quoted argument is a single word. Some programs pass their words to a shell, though:
`adb shell`, `ssh`, `docker exec … sh -c`, `find -exec sh -c`. There a list is as dangerous as a command line.

A tool whose purpose is to run a command line takes all of it and says so; `code-without-warning` checks its description.
Arguments that were checked, and numbers, are not reported.

Bad:

```python
import subprocess

from mcp.server import MCPServer

mcp = MCPServer("network")

@mcp.tool()
def ping(host: str) -> str:
    """Ping a host."""
    return subprocess.run(f"ping -c 1 {host}", shell=True, capture_output=True, text=True).stdout  # flaw
```

Good:

```python
import subprocess

from mcp.server import MCPServer

mcp = MCPServer("network")

@mcp.tool()
def ping(host: str) -> str:
    """Ping a host."""
    return subprocess.run(["ping", "-c", "1", "--", host], capture_output=True, text=True).stdout
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, UncheckedReach
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, format_subject, has_code, iter_reach_flaws

HELP = {
    "py": "Run the program with a list of arguments and without a shell, or quote the argument with `shlex.quote`.",
    "rs": 'Run the program itself: `Command::new("ping").arg(host)`, without `sh -c`; or quote it: `shell_words::quote`.',
    "ts": 'Run the program itself with a list of arguments: `execFile("ping", [host])`, without a shell.',
}


@rule(
    Severity.ERROR,
    cites=("CWE-78: OS command injection",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each command line that contains arguments."""
    yield from iter_reach_flaws(
        project,
        "command line",
        _format_message,
        HELP,
        lambda each, _: not each.whole,
    )


def _format_message(reach: UncheckedReach) -> str:
    reader = f"`{reach.by}` passes to a shell" if reach.by else "a shell reads"
    return f"{format_subject(reach, 'is', 'are')} inserted into a command line that {reader}"
