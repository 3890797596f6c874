'''All tools of a server use the same response envelope.

A client that knows one answer knows where the next one has its result and its errors. A tool with another envelope needs its
own code in every client.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class Answer(BaseModel):
    ok: bool
    result: str | None
    issues: list[str]

class Outcome(BaseModel):
    success: bool
    data: str | None
    error: str | None

@mcp.tool(name="letter.get")
def letter_get(id: str) -> Answer:
    """Get a letter."""

@mcp.tool(name="letter.send")
def letter_send(id: str) -> Answer:
    """Send a letter."""

@mcp.tool(name="letter.burn")
def letter_burn(id: str) -> Outcome:  # flaw
    """Burn a letter."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class Answer(BaseModel):
    ok: bool
    result: str | None
    issues: list[str]

@mcp.tool(name="letter.get")
def letter_get(id: str) -> Answer:
    """Get a letter."""

@mcp.tool(name="letter.send")
def letter_send(id: str) -> Answer:
    """Send a letter."""
```
'''

from collections.abc import Iterator
from itertools import takewhile

from reviewer.facts import Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.wrapping import collect_wrappers, is_handled
from reviewer.rules.shared.outputs import has_answer, is_envelope, iter_answer_objects, locate_declaration
from reviewer.rules.shared.words.identifiers import format_names

Fields = frozenset[str]


def _write(tool: Tool) -> Fields:
    """Name the fields of the envelope that a tool's own type is, none if it is no envelope; within another, the inner one."""
    around = list(takewhile(is_envelope, iter_answer_objects(tool)))
    return frozenset(part.name for part in around[-1].fields) if around else frozenset()


def _lay(project: Project, tool: Tool) -> Fields:
    """Name the fields of the envelope that a decorator lays around what a tool gives."""
    around = {each.definition for each in collect_wrappers(tool) if each.catches}
    return next((each.envelope for each in project.mappings if each.decorator in around), frozenset())


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: unified output envelope",),
    when=lambda project: sum(has_answer(tool) for server in project.servers for tool in server.tools) > 1,
    absent="no two tools have an output schema with fields that can be read",
)
def check(project: Project) -> Iterator[Flaw]:
    """Compare the envelope of every tool with the one that most of its server have."""
    for server in project.servers:
        shown = [(tool, _write(tool) or _lay(project, tool)) for tool in server.tools if has_answer(tool)]
        kinds = [fields for _, fields in shown if fields]
        usual = max(kinds, key=kinds.count, default=frozenset())
        for tool, fields in shown if 2 * kinds.count(usual) > len(shown) else ():
            if fields != usual and (fields or is_handled(tool) is False):
                what = f"returns {format_names(sorted(fields))}" if fields else "returns no envelope"
                if fields or not _is_laid_by_most(project, shown, usual):
                    message = f"{tool.shown} {what}, but other tools return {format_names(sorted(usual))}"
                    yield Flaw(locate_declaration(tool), message, "Use the same envelope as the other tools.", tool)


def _is_laid_by_most(project: Project, shown: list[tuple[Tool, Fields]], usual: Fields) -> bool:
    """Return whether it is a decorator that makes the envelope: a tool without it is told of by another rule."""
    return any(_lay(project, tool) == usual for tool, _ in shown)
