'''Every tool is distinguishable from the other tools of its server.

An agent that sees two tools for the same thing takes the first, or tries both. The descriptions have to say what one does and
the other does not, or when to use which. Code selects the pairs: names whose verbs do the same kind of thing, and descriptions
that share half of their words. Code reports identical descriptions; a judge is asked about other pairs, once for each pair.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("orders")

@mcp.tool()
def find_orders(customer: str) -> str:
    """Finds the orders of a customer."""

@mcp.tool()
def get_orders(customer: str) -> str:  # flaw
    """Finds the orders of a customer."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("orders")

@mcp.tool()
def find_orders(customer: str) -> str:
    """Finds the orders of a customer by name, at most ten."""

@mcp.tool()
def cancel_order(number: str) -> str:
    """Cancels one order that has not been shipped yet."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.words.likeness import find_alike_pairs
from reviewer.source import Text


def _is_several(server: Server) -> bool:
    return sum(tool.said is not None for tool in server.tools) > 1


@rule(
    Severity.SUGGESTION,
    cites=("arXiv 2602.18914: tools that cannot be told apart", "checklist §9"),
    when=_is_several,
    absent="no server has two tools with descriptions that can be read",
    judged=True,
)
def check(server: Server) -> Iterator[Flaw | Question]:
    """Yield a finding for each pair of tools with the same text, and a question for each pair with much in common."""
    for pair in find_alike_pairs(server.tools):
        one, other = pair.one, pair.other
        at = one.name if isinstance(one.name, Text) else one.span
        if pair.same:
            message = f"{one.shown} has the same description as `{other.name}`, word for word"
            yield Flaw(at, message, "Say in each description what only this tool does.", one)
        else:
            message = f"{one.shown} and `{other.name}` have descriptions that do not distinguish them"
            help = "Say in each description what only this tool does, or when to use it instead of the other."
            yield Question(at, one, message, help, frozenset({"siblings", "schema"}), str(other.name), (other,))
