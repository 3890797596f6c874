'''Responses use the envelope `ok`, `result` and `issues`.

An envelope of the same three fields, with `code`, `message` and `retry_after_ms` in each issue, is read in the same way for
every server of the organisation. An envelope with other names needs its own code.

Bad:

```python
from typing import Literal

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class Issue(BaseModel):
    code: Literal["NOT_FOUND", "RATE_LIMIT"]
    message: str
    retry_after_ms: int | None = None

class Answer(BaseModel):
    success: bool
    result: str | None
    issues: list[Issue]

@mcp.tool(name="letter.get")
def letter_get(id: str) -> Answer:  # flaw
    """Get a letter."""
```

Good:

```python
from typing import Literal

from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class Issue(BaseModel):
    code: Literal["NOT_FOUND", "RATE_LIMIT"]
    message: str
    retry_after_ms: int | None = None

class Answer(BaseModel):
    ok: bool
    result: str | None
    issues: list[Issue]

@mcp.tool(name="letter.get")
def letter_get(id: str) -> Answer:
    """Get a letter."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.wrapping import is_handled
from reviewer.rules.shared.outputs import AnswerObject, has_answer, is_envelope, iter_answer_objects, locate_declaration
from reviewer.rules.shared.words.identifiers import format_names

WANTED = ("ok", "result", "issues")
"""The envelope of the guidelines: `ToolResponse[T]` with a success flag, the result and the issues."""

ISSUE = ("code", "message", "retry_after_ms")
"""An issue of the guidelines: an agent tells by `code` what to do, and by `retry_after_ms` when to try again."""


def _find_envelope(tool: Tool) -> AnswerObject | None:
    """Return the object that a tool answers with, if it is an envelope."""
    outermost = next(iter_answer_objects(tool), None)
    return outermost if outermost is not None and is_envelope(outermost) else None


def _iter_envelope_faults(tool: Tool, envelope: AnswerObject) -> Iterator[str]:
    """Say what an envelope has otherwise than the unified one."""
    names = {part.name for part in envelope.fields}
    lacking = [name for name in WANTED if name not in names]
    if lacking:
        yield f"has no {format_names(lacking)}"
    issues = next((part for part in envelope.fields if part.name == "issues"), None)
    if issues is not None and any(form.get("items") for form in issues.iter_forms_of("array")):
        fields = next(
            ({part.name for part in each.fields} for each in iter_answer_objects(tool) if _is_issue(each)), set()
        )
        absent = [name for name in ISSUE if name not in fields]
        if absent:
            yield f"has issues without {format_names(absent)}"


def _is_issue(model: AnswerObject) -> bool:
    return not is_envelope(model) and bool({part.name for part in model.fields} & {"code", "message"})


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: unified output envelope",),
    when=lambda server: any(_find_envelope(tool) for tool in server.tools),
    absent="no tool returns an envelope whose fields can be read",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each envelope with other fields than most, and for each tool that returns none."""
    answering = [tool for tool in server.tools if has_answer(tool)]
    told: set[str] = set()
    for tool in answering:
        envelope = _find_envelope(tool)
        for fault in _iter_envelope_faults(tool, envelope) if envelope is not None else ():
            if fault not in told:
                told.add(fault)
                yield Flaw(
                    locate_declaration(tool),
                    f"the envelope of {tool.shown} {fault}",
                    "Return `ok`, `result` and `issues`.",
                )
    enveloped = sum(_find_envelope(tool) is not None for tool in answering)
    for tool in answering if enveloped * 2 > len(answering) else ():
        if _find_envelope(tool) is None and is_handled(tool) is not False:
            message = f"{tool.shown} does not return the envelope of the other tools"
            yield Flaw(locate_declaration(tool), message, "Return `ok`, `result` and `issues`.", tool)
