'''The exception mapping covers every exception that tools raise.

An exception without a branch becomes an internal error, and the client learns neither what was wrong with its call nor that
another call would work.

Bad:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

class NotThereError(Exception):
    """There is no such letter."""

def issue(error):
    if isinstance(error, NotThereError):
        return {"ok": False, "issues": [{"code": "NOT_FOUND"}]}
    return {"ok": False, "issues": [{"code": "INTERNAL"}]}

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

@mcp.tool(name="letter.get")
@answering
async def letter_get(id: str) -> dict:
    """Get a letter."""
    if not id:
        raise ValueError("which letter?")  # flaw
    raise NotThereError(id)
```

Good:

```python
import functools

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("letters")

class NotThereError(Exception):
    """There is no such letter."""

def issue(error):
    if isinstance(error, NotThereError):
        return {"ok": False, "issues": [{"code": "NOT_FOUND"}]}
    return {"ok": False, "issues": [{"code": "INTERNAL"}]}

def answering(function):
    @functools.wraps(function)
    async def answered(*args, **kwargs):
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            return issue(error)
    return answered

@mcp.tool(name="letter.get")
@answering
async def letter_get(id: str) -> dict:
    """Get a letter."""
    raise NotThereError(id)
```
'''

import builtins
from collections.abc import Iterator

from reviewer.facts import ErrorMapping, Handler, Project, Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.acts.wrapping import collect_catching_wrappers
from reviewer.source import Span

BUGS = frozenset({"AssertionError", "NotImplementedError"})
"""What tells of a mistake in the server itself: an internal error is what it is."""

BUILTIN = frozenset(
    name for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, Exception)
)
"""What Python itself may raise, asked of the Python that runs. Of other exceptions only those of the mapping are known."""


def _collect_decorators(tool: Tool) -> set[Span | None]:
    return {each.definition for each in collect_catching_wrappers(tool)}


def _find_mapping(project: Project, server: Server, tool: Tool) -> ErrorMapping | None:
    """Return the mapping that a tool's exceptions come to; that of its server's other tools if it has no decorator.

    One that tells no exceptions apart maps none.
    """
    places = _collect_decorators(tool) or {place for other in server.tools for place in _collect_decorators(other)}
    found = [each for each in project.mappings if each.decorator in places]
    return found[0] if len(found) == 1 and found[0].covered and found[0].coded else None


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: centralized error handling",),
    when=lambda project: bool(project.mappings),
    absent="no decorator maps the exceptions of tools",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each exception of the language or the project that is raised and that no branch of the
    mapping handles.
    """
    for server in project.servers:
        for tool in server.tools:
            mapping = _find_mapping(project, server, tool)
            yield from (
                _iter_unmapped_flaws(tool, tool.handler, mapping)
                if mapping is not None and tool.handler is not None
                else ()
            )


def _iter_unmapped_flaws(tool: Tool, handler: Handler, mapping: ErrorMapping) -> Iterator[Flaw]:
    """Find what a tool raises that a mapping does not know; of a class from elsewhere nothing is known."""
    known = BUILTIN | {str(each.name) for each in mapping.exceptions}
    for act in iter_acts(handler, "raises"):
        name = str(act.about or "").rpartition(".")[2]
        if name in known - BUGS - mapping.covered:
            message = f"`{name}` has no branch in `{mapping.name}`{format_way(act, handler)}: the client gets an internal error"
            yield Flaw(act.text, message, "Add a branch for it, or raise an exception that has one.", tool)
