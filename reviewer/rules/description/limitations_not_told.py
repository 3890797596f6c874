'''Tool descriptions explain the limitations that matter to the caller.

What a tool does not do, cannot reach, truncates or costs is something an agent otherwise learns by failing. One sentence saves
calls, and wrong conclusions from half an answer. A judge is asked about every description with content of its own. Bounds in
the schema count.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("mail")

@mcp.tool()
def search_mail(query: str) -> str:
    """Searches the mailbox by words of subject, body and sender. Fast, simple and reliable."""  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("mail")

@mcp.tool()
def search_mail(query: str) -> str:
    """Searches the mailbox by words of subject, body and sender. Mail older than 90 days is not found."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Question, Severity, rule
from reviewer.rules.shared.asking import Labels, find_text_for_element


@rule(
    Severity.SUGGESTION,
    cites=("checklist §9", "arXiv 2602.14878: Limitation"),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool, options: Labels) -> Iterator[Question]:
    """Ask whether the text tells what the tool does not do."""
    said = find_text_for_element(tool, "limitations", options)
    if said is not None:
        help = "State what the tool does not do, what it truncates, and what it requires."
        message = f"description of {tool.shown} does not state its limitations"
        yield Question(said, tool, message, help, frozenset({"schema"}))
