'''A search without matches returns an empty result, not an error.

That nothing was found is an answer. Returned as an error, it makes a model try again with other words, or report a failure that
did not happen.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def search_glazes(color: str) -> list[str]:
    """Search the glazes by color."""
    glazes = [each for each in ("celadon", "tenmoku") if color in each]
    if not glazes:
        raise ValueError("no glazes found")  # flaw
    return glazes
```

Good:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def search_glazes(color: str) -> list[str]:
    """Search the glazes by color."""
    return [each for each in ("celadon", "tenmoku") if color in each]
```
'''

from collections.abc import Iterator

from reviewer.facts import Act, Handler, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.effects import find_effect_verb
from reviewer.rules.shared.acts.handler_effects import iter_acts, lists
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Return an empty list, and say in the result that nothing matched."


def _find_code(subject: Tool | Handler) -> Handler | None:
    return subject.code if isinstance(subject, Tool) else subject


def _iter_found(subject: Tool | Handler) -> Iterator[Act]:
    """Return the failures of what surely is a list or a search: by its own name, by its function's, by what it looks for.

    What changes something needs what it is to change: where its search finds none, it has failed.
    """
    code, name = _find_code(subject), str(subject.name)
    known = code is not None and (lists(name) or lists(code.name))
    looks = find_effect_verb(name) is None
    return (act for act in iter_acts(code, "fails empty") if known or (looks and act.about is not None))


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: what not to do",),
    when=lambda subject: (lists(str(subject.name)) and _find_code(subject) is not None) or any(_iter_found(subject)),
    absent="no tool's code was found that lists or searches",
)
def check(subject: Tool | Handler) -> Iterator[Flaw]:
    """Yield a finding for each error that is returned because nothing was found."""
    for act in _iter_found(subject):
        yield Flaw(act.text, f"`{subject.name}` fails if nothing is found: `{shorten_code(act.text)}`", HELP)
