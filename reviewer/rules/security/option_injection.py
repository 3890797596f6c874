'''Arguments cannot act as command-line options.

A list of arguments is read by no shell, but by the program: what begins with `-` is an option to it. `--upload-pack=…` in the
place of a branch has `git fetch` run any command, `--output=…` has `git diff` write any file (CWE-88).
Behind `--` nothing is an option any more; where a program does not know that, refuse what begins with `-`.

Told are programs of which an option is known that does more than the program is run for, where the command has what it needs
without that word, and only arguments that are a whole word, or its beginning, with nothing that checks them. A path from the root
is none, nor what begins with text of the server's.

Bad:

```python
import subprocess

from mcp.server import MCPServer

mcp = MCPServer("repositories")

@mcp.tool()
def changes(branch: str) -> str:
    """Show what a branch changes."""
    return subprocess.run(["git", "diff", branch], capture_output=True, text=True).stdout  # flaw
```

Good:

```python
import subprocess

from mcp.server import MCPServer

mcp = MCPServer("repositories")

@mcp.tool()
def changes(branch: str) -> str:
    """Show what a branch changes."""
    command = ["git", "diff", "--end-of-options", branch, "--"]
    return subprocess.run(command, capture_output=True, text=True).stdout
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Reach
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.reached import UNSURE, arguments, has_code, reached

HELP = {
    "py": 'Put `"--"` before it (git: `"--end-of-options"` before a revision), or reject values that start with `-`.',
    "rs": 'Put `.arg("--")` before it (git: `"--end-of-options"` before a revision), or reject values that start with `-`.',
}


@rule(
    Severity.WARNING,
    cites=("CWE-88: argument injection",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Look for arguments that a program takes for options."""
    yield from reached(
        project, "option", _tells, HELP, cause="options", is_minor=lambda each: "command" not in each.does
    )


def _tells(reach: Reach) -> str:
    told = arguments(reach, "may act as an option", "may act as options")
    return f"{told} of `{reach.by}`, such as `{reach.option}`, which {reach.does}"
