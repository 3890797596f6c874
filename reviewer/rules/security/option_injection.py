'''Arguments cannot act as command-line options.

A list of arguments is not read by a shell, but by the program: to it, a word that starts with `-` is an option.
`--upload-pack=…` in place of a branch makes `git fetch` run any command, `--output=…` makes `git diff` write any file (CWE-88).
After `--` nothing is an option; if a program does not support that, reject words that start with `-`.

Reported are programs with a known option that does more than the program is meant to do, if the command is complete without
that word, and only arguments that are an entire word, or its beginning, without a check. Absolute paths are not reported, nor
words that start with a fixed text.

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

from reviewer.facts import Project, UncheckedReach
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, format_subject, has_code, iter_reach_flaws

HELP = {
    "py": 'Put `"--"` before it (git: `"--end-of-options"` before a revision), or reject values that start with `-`.',
    "rs": 'Put `.arg("--")` before it (git: `"--end-of-options"` before a revision), or reject values that start with `-`.',
    "ts": 'Put `"--"` before it (git: `"--end-of-options"` before a revision), or reject values that start with `-`.',
}


@rule(
    Severity.WARNING,
    cites=("CWE-88: argument injection",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each argument that a program may take for an option."""
    yield from iter_reach_flaws(
        project, "option", _format_message, HELP, cause="options", is_minor=lambda each: "command" not in each.does
    )


def _format_message(reach: UncheckedReach) -> str:
    told = format_subject(reach, "may act as an option", "may act as options")
    return f"{told} of `{reach.by}`, such as `{reach.option}`, which {reach.does}"
