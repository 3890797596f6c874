'''Tool descriptions say more than the tool's name does.

An agent chooses a tool by what it does, to which object, and what it returns. A text that only names a topic, or repeats the
name, leads it to the wrong tool or past the right one. Code detects descriptions that only repeat the tool's name; a judge
decides whether any other says what is done, to what, and with which result.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("invoices")

@mcp.tool()
def get_invoice(number: str) -> str:
    """Get an invoice."""  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("invoices")

@mcp.tool()
def get_invoice(number: str) -> str:
    """Give one invoice of the current tenant as JSON: its lines, taxes, payments and state."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, declare_option, rule
from reviewer.rules.shared.asking import Labels, find_judgeable_text, find_text_for_element
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.rules.shared.words.substance import extract_substance

HELP = "Say what it does, to which object, and what it returns."


@dataclass(frozen=True)
class Options(Labels):
    """What a profile may set."""

    accept_plain: bool = declare_option(
        False, "Whether a description may only repeat the tool's name if every parameter is described."
    )
    together: bool = declare_option(False, "Whether all descriptions that only repeat a name are one finding.")


@rule(
    Severity.SUGGESTION,
    cites=("checklist §9", "arXiv 2602.14878: Purpose"),
    when=lambda tool, options: tool.said is not None,
    absent="no tool has a description that can be read",
    judged=True,
)
def check(tool: Tool, options: Options) -> Iterator[Flaw | Question]:
    """Yield a finding for each text that only repeats the name, and a question about each other one."""
    said = find_text_for_element(tool, "purpose", options)
    if said is not None:
        yield Question(said, tool, f"description of {tool.shown} does not say what it does", HELP)
    elif tool.said is not None and find_judgeable_text(tool) is None and extract_substance(tool.said):
        if not (options.accept_plain and _is_described(tool)):
            message = f"description of {tool.shown} only repeats its name: `{shorten_code(tool.said)}`"
            yield Flaw(tool.said, message, HELP, cause="names said again" if options.together else "")


def _is_described(tool: Tool) -> bool:
    """Return whether the texts of all parameters say something: `Delete a customer` of a described one leaves nothing open."""
    return all(
        extract_substance(part.description, part.name)
        for part in tool.arguments
        if part.depth == 1 and not part.element
    )
