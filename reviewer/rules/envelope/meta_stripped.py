"""Answers keep the `_meta` that the response guard adds.

A wrapper that removes `_meta` before it returns undoes the work of the guard: the client gets no request id.

Bad:

```python
from mcp.server.fastmcp import FastMCP

app = FastMCP("lamps")

def respond(action, value):
    return {**value, "_meta": {"request_id": new_id()}}

@app.tool(description="Read one lamp.")
def lamp(number: int) -> dict:
    answer = respond("lamp.get", lamps[number])
    answer.pop("_meta")  # flaw
    return answer
```

Good:

```python
from mcp.server.fastmcp import FastMCP

app = FastMCP("lamps")

def respond(action, value):
    return {**value, "_meta": {"request_id": new_id()}}

@app.tool(description="Read one lamp.")
def lamp(number: int) -> dict:
    answer = respond("lamp.get", lamps[number])
    log.debug("lamp read", extra={key: part for key, part in answer.items() if key != "_meta"})
    return answer
```

What is taken out of the arguments of a call, or out of a copy that only a log gets, is not the answer's.
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.fixes.model import Rewrite
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.fixes import plan_rewrite
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.ERROR,
    cites=("checklist §7",),
    when=lambda project: bool(project.guards),
    absent="no response guard",
    fixes=("unsafe",),
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each place that removes `_meta` from an answer."""
    for strip in project.strips if project.guards else ():
        yield Flaw(
            strip,
            f"`_meta` is removed from the answer: `{shorten_code(strip)}`",
            "Keep `_meta`: it carries the request id to the client.",
            fix_plan=plan_rewrite("remove the statement", Rewrite("drop statement", strip.span), safe=False),
        )
