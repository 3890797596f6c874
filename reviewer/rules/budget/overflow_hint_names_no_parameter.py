'''A "too many results" hint names a parameter that narrows the search.

"Narrow your search" tells a model that there is more, but not how to get it. It guesses, and the next call is as broad as the
one before. A hint that names a parameter, ideally with a value, is followed at once.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(colour: str) -> dict:
    """Find the ropes of a colour."""
    ropes = [rope for rope in ROPES if rope["colour"] == colour]
    answer = {"ropes": ropes[:50], "total": len(ropes)}
    if len(ropes) > 50:
        answer["hint"] = "Too many results, narrow your search."  # flaw
    return answer
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(colour: str) -> dict:
    """Find the ropes of a colour."""
    ropes = [rope for rope in ROPES if rope["colour"] == colour]
    answer = {"ropes": ropes[:50], "total": len(ropes)}
    if len(ropes) > 50:
        answer["hint"] = "Too many results: ask for one shade, such as colour=navy."
    return answer
```
'''

from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import iter_acts
from reviewer.rules.shared.words.identifiers import contains_word, shorten_code
from reviewer.source import Text


@rule(
    Severity.SUGGESTION,
    cites=("Tool trait: bounded output",),
    when=lambda tool: any(True for _ in _iter_hints(tool)) and bool(tool.parameters),
    absent="no tool returns an overflow hint",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each hint that names no parameter of its own tool."""
    names = [str(each.name) for each in tool.parameters] if isinstance(tool.parameters, tuple) else []
    for hint in _iter_hints(tool) if names else ():
        if not any(contains_word(hint, name) for name in names):
            yield Flaw(
                hint,
                f"the overflow hint of {tool.shown} names none of its parameters: `{shorten_code(hint)}`",
                f"Name one, with an example value: `{names[0]}=..`.",
                tool,
            )


def _iter_hints(tool: Tool) -> Iterator[Text]:
    """Yield the hints of a tool: texts that read like one, and what stands where a guard has its hint, each once."""
    said = list(tool.code.hints) if tool.code is not None else []
    given = [each.about for each in iter_acts(tool.code, "hints at rest") if each.about is not None]
    yield from said
    yield from (each for each in given if each not in map(str, said))
