'''Path arguments cannot escape their base directory.

`../../.ssh/authorized_keys` is a name too, and a name that begins with `/` takes the place of the folder before it. What a tool
reads, writes or deletes below a folder of the server lies then anywhere, and the name comes from a model that read somebody
else's text (CWE-22).

An argument that is checked before is none: by a path that was resolved and compared with the folder, by a list or a pattern of
what is allowed, by the schema, by a function that is not there and whose name says that it checks. Neither is one of which only
the last part is taken, nor a number. A tool whose argument *is* the path, in no folder of the server's, does what it is for.

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

from reviewer.facts import Project, Reach
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.reached import UNSURE, has_code, named, reached

HELP = {
    "py": "Use only `Path(name).name`, or resolve the path and reject it unless `path.resolve().is_relative_to(root)`.",
    "rs": "Use only `Path::new(name).file_name()`, or `canonicalize()` the path and reject it unless it `starts_with(root)`.",
}


@rule(
    Severity.WARNING,
    cites=("CWE-22: path traversal",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Look for paths that an argument leads out of a folder."""
    yield from reached(project, "path", _tells, HELP, lambda each, _: not each.whole)


def _tells(reach: Reach) -> str:
    return f"{named(reach)} may escape the directory that is {DONE[reach.effect]}"


DONE = {"reads": "read from", "writes": "written to", "deletes": "deleted from", "": "used"}
