'''Path arguments cannot escape their base directory.

`../../.ssh/authorized_keys` is a file name, too, and a name that starts with `/` replaces the directory before it. What a tool
reads, writes or deletes below a directory of the server can then be anywhere, and the name comes from a model that read
somebody else's text (CWE-22).

Not reported are arguments that are checked first: by comparing a resolved path with the directory, by a list or pattern of
allowed values, by the schema, or by an unknown function whose name says that it checks; arguments of which only the last
component is used; and numbers. A tool whose argument *is* the path, in no directory of the server, works as intended.

Bad:

```python
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("notes")
NOTES = Path("/srv/notes")

@mcp.tool()
def read_note(name: str) -> str:
    """Read a note."""
    return (NOTES / f"{name}.md").read_text()  # flaw
```

Good:

```python
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("notes")
NOTES = Path("/srv/notes")

@mcp.tool()
def read_note(name: str) -> str:
    """Read a note."""
    path = (NOTES / f"{name}.md").resolve()
    if not path.is_relative_to(NOTES):
        raise ValueError(f"`{name}` is no note")
    return path.read_text()
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, UncheckedReach
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, format_arguments, has_code, iter_reach_flaws

HELP = {
    "py": "Use only `Path(name).name`, or resolve the path and reject it unless `path.resolve().is_relative_to(root)`.",
    "rs": "Use only `Path::new(name).file_name()`, or `canonicalize()` the path and reject it unless it `starts_with(root)`.",
    "ts": "Use only `path.basename(name)`, or resolve the path and reject it unless it lies in the root: `path.relative`.",
}


@rule(
    Severity.WARNING,
    cites=("CWE-22: path traversal",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each path that an argument can lead out of its folder."""
    yield from iter_reach_flaws(project, "path", _format_message, HELP, lambda each, _: not each.whole)


def _format_message(reach: UncheckedReach) -> str:
    return f"{format_arguments(reach)} may escape the directory that is {DONE[reach.effect]}"


DONE = {"reads": "read from", "writes": "written to", "deletes": "deleted from", "": "used"}
