'''No call in a tool's code is certain to fail.

A function that gets an argument it does not accept, or lacks one it needs, fails before it does anything; so does a call of a
method that the object does not have. A tool that reaches such a call never works, and no test of the project covers it. Only
functions and classes of the project are checked, and only if nothing wraps, replaces or extends them.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

def load(firing: str, cone: int) -> str:
    return f"{firing} at cone {cone}"

@mcp.tool()
def fire(name: str, cone: int) -> str:
    """Fire the kiln."""
    return load(name, heat=cone)  # flaw
```

Good:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

def load(firing: str, cone: int) -> str:
    return f"{firing} at cone {cone}"

@mcp.tool()
def fire(name: str, cone: int) -> str:
    """Fire the kiln."""
    return load(name, cone=cone)
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Correct the arguments or the name of the call, and test the tool once."


@rule(
    Severity.WARNING,
    cites=("https://docs.python.org/3/reference/expressions.html#calls",),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each call whose arguments the function does not accept, or whose method the object does not
    have.
    """
    for handler, act in collect_distinct_acts(holder, "cannot work"):
        yield Flaw(act.text, f"`{shorten_code(act.text)}` always fails: {act.about}{format_way(act, handler)}", HELP)
