'''The exit status of a command is checked before its output is used.

A program that fails writes nothing, or half of its output, to standard output, and explains the reason on standard error and by
its exit status. If neither is checked, the tool returns an empty text, as if there were no data, or fails later with an error
that does not explain the reason (CWE-252).

`check=True`, `check_output`, a check of `returncode` or `status`, and a check of standard error are all accepted. A command
that is always the same counts as a probe.

Bad:

```python
import subprocess

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def log(kiln: str) -> str:
    """Give the log of a kiln."""
    result = subprocess.run(["kilnctl", "log", "--", kiln], capture_output=True, text=True, timeout=30)
    return result.stdout  # flaw
```

Good:

```python
import subprocess

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
def log(kiln: str) -> str:
    """Give the log of a kiln."""
    result = subprocess.run(["kilnctl", "log", "--", kiln], capture_output=True, text=True, timeout=30)
    if result.returncode:
        raise ToolError(f"kilnctl failed: {result.stderr[:500]}")
    return result.stdout
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, UncheckedAnswer
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.reached import has_code, index_tools_by_name
from reviewer.rules.shared.words.helps import choose_help
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = {
    "py": "Pass `check=True`, or check `returncode` and return an error that includes `stderr`.",
    "rs": "Check `status.success()` first, and return an error that includes `stderr`.",
    "ts": "Check `status` first, and return an error that includes `stderr`.",
}


@rule(
    Severity.SUGGESTION,
    cites=("CWE-252: unchecked return value", "CWE-754: improper check for unusual or exceptional conditions"),
    when=has_code,
    absent="no tool's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each command whose output is used without checking its exit status."""
    tools = index_tools_by_name(project)
    found: dict[object, UncheckedAnswer] = {}
    for each in project.unchecked:
        if each.of_command:
            found.setdefault(each.text.span, each)
    for each in found.values():
        path = each.text.span.path
        asked = shorten_code(each.request, 60)
        said = f"`{shorten_code(each.text)}` uses the output without checking the exit status of `{asked}`"
        help = choose_help(HELP, path)
        yield Flaw(each.text, said, help, tools.get(each.tool), cause=f"{each.request.span.path} command")
