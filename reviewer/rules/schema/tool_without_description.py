'''Every tool has a description.

Apart from its name and parameters, the description is all that a model knows about a tool. A placeholder tells it nothing. For
stricter profiles, neither does the mere name, or a text that three tools share word for word.

Departs from the original: SCH-002 and LLM-001 are one violation, said once; a text that says nothing is no description.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:  # flaw
    return open(path).read()
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:
    """Read a text file and give its whole content."""
    return open(path).read()
```
'''

from collections import defaultdict
from collections.abc import Iterator

from reviewer.facts import Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.definitions import find_fault, is_entry
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.source import Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    own: bool = declare_option(
        False,
        "Whether a description must add information: more than the name, and not another tool's text word for word.",
    )
    empty: bool = declare_option(True, "Whether a text without content, such as `TODO`, counts as no description.")
    together: bool = declare_option(False, "Whether all tools without a description are one finding.")


SHARED = 3
"""Tools that say the same, from which on it says nothing of any of them."""


@rule(
    Severity.WARNING,
    codes=("SCH-002", "LLM-001"),
    cites=("tool definition rules: SCH-002, LLM-001",),
    when=lambda server, _options: any(is_entry(tool) for tool in server.tools),
    absent="no tool is registered in the reviewed files",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each description that is missing or empty."""
    names: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for tool in server.tools:
        if tool.said is not None and isinstance(tool.name, Text):
            names[split_words(extract_substance(tool.said))].add(tool.name)
    for tool in filter(is_entry, server.tools):
        why = _format_reason(tool, names, options)
        if why:
            at = tool.name if isinstance(tool.name, Text) else tool.span
            help = "Say what the tool does, when to use it, and what its limitations are."
            yield Flaw(at, f"{tool.shown} {why}", help, tool=tool, cause=server.span.path if options.together else "")


def _format_reason(tool: Tool, names: dict[tuple[str, ...], set[str]], options: Options) -> str:
    text = tool.description
    if text is None:
        wrong = find_fault(tool, "description")
        return f"has no description: the value is {wrong.why}" if wrong else "has no description"
    if not isinstance(text, Text):
        return ""
    if not text.strip():
        return "has no description"
    if options.empty and not extract_substance(text):
        return f"has a description without content: `{shorten_code(text)}`"
    if options.own and not extract_substance(text, tool.name if isinstance(tool.name, Text) else ""):
        return f"has a description that only repeats its name: `{shorten_code(text)}`"
    if not options.own:
        return ""
    several = len(names[split_words(extract_substance(text))])
    return f"has the same description, word for word, as {several - 1} other tools" if several >= SHARED else ""
