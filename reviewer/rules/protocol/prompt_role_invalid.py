'''Prompt messages have the role `user` or `assistant`.

The protocol has these two roles and no `system`. The SDK rejects a message with another role when it is created, so every
request for the prompt gets an error.

Bad:

```python
from mcp.server import MCPServer
from mcp.types import GetPromptResult, PromptMessage, TextContent

mcp = MCPServer("kiln")

@mcp.tool()
def fire(plan: str) -> str:
    """Fire the kiln."""
    return plan

def plan_prompt() -> GetPromptResult:
    text = TextContent(type="text", text="You plan firings.")
    return GetPromptResult(messages=[PromptMessage(role="system", content=text)])  # flaw
```

Good:

```python
from mcp.server import MCPServer
from mcp.types import GetPromptResult, PromptMessage, TextContent

mcp = MCPServer("kiln")

@mcp.tool()
def fire(plan: str) -> str:
    """Fire the kiln."""
    return plan

def plan_prompt() -> GetPromptResult:
    text = TextContent(type="text", text="You plan firings.")
    return GetPromptResult(messages=[PromptMessage(role="user", content=text)])
```
'''

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.reached import has_code

HELP = "Use `user`, or move the text to the server's `instructions`."


@rule(
    Severity.ERROR,
    cites=("MCP 2026-07-28 server/prompts, PromptMessage",),
    when=has_code,
    absent="no server's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each prompt message with an invalid role."""
    for each in project.prompt_faults:
        if each.kind == "role":
            message = f"a prompt message has the role `{each.value}`, which the SDK rejects: the prompt always fails"
            yield Flaw(each.text, message, HELP)
