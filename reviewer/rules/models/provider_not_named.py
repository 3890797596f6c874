'''The first sentence of a tool description names the provider.

A model sees the tools of many servers at once. "Create a task" may belong to any of five; "Create a task in Acme Tasks" to one.
The first sentence is what every client shows. The provider is the server's name, or else its package; `provider` sets it. If
most first sentences contain the same proper name, that is the provider.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("Acme Tasks")

@mcp.tool()
def task_create(title: str) -> str:
    """Create a task."""  # flaw
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("Acme Tasks")

@mcp.tool()
def task_create(title: str) -> str:
    """Create a task in Acme Tasks."""
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Server
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.words.english import is_english
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.substance import extract_openings, extract_substance
from reviewer.source import Text
from reviewer.text.patterns import pattern

KINDS = frozenset(
    "mcp fastmcp server servers service tool tools toolset api app application main src lib py python rs rust client sdk the my "
    "example demo test local remote stdio http sse core common shared package packages project integration plugin agent model "
    "context protocol official unofficial for of and a an by".split()
)
"""Words that say what kind of thing it is and not whose."""


PROPER = pattern(r"(?<=[a-z,] )([A-Z][A-Za-z0-9]{2,})\b")
"""A word with a capital letter behind another word."""

KNOWN = frozenset("API URL JSON HTML HTTP SQL UUID CSV XML PDF MCP ISO UTC English Use When Returns".split())
"""Words with a capital letter that name no provider."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    provider: str = declare_option("", "The provider's name; by default the server's name or that of its package.")


def _find_provider(server: Server, options: Options) -> str | None:
    """Return the provider's name as it is written, without what only says what kind of thing the server is."""
    folders = server.span.path.split("/")[:-1]
    for written in (options.provider, server.name, *folders):
        said = re.findall(r"[A-Za-z0-9]+", written) if isinstance(written, str) else []
        kept = [part for part in said if not KINDS.issuperset(split_words(part))]
        if kept:
            return " ".join(kept)
    return None


def _find_shared_name(server: Server) -> str | None:
    """Return the proper name that most first sentences have, if there is one: a server may be called otherwise than its
    vendor."""
    firsts = [extract_openings(extract_substance(tool.said)) for tool in server.tools if isinstance(tool.said, Text)]
    told = [{*PROPER.findall(each[0])} - KNOWN for each in firsts if each]
    names = [name for each in told for name in sorted(each)]
    usual = max(names, key=names.count, default=None)
    return usual if usual is not None and names.count(usual) > 1 and names.count(usual) * 2 > len(told) else None


def _get_pattern(provider: str) -> re.Pattern[str]:
    """Find the name in whatever case and with whatever between its words; of several words the first alone will do."""
    first = provider.partition(" ")[0]
    ways = {provider, first if len(first) > 2 else provider}
    found = "|".join(r"[\W_]*".join(split_words(way)) for way in sorted(ways))
    return re.compile(rf"(?<![^\W_])(?:{found})(?![^\W_])", re.IGNORECASE)


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: description",),
    when=lambda server, options: (
        _find_provider(server, options) is not None and any(tool.said for tool in server.tools)
    ),
    absent="no server has a name and a tool with a description that can be read",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each description whose first sentence does not name the provider."""
    provider = None if options.provider else _find_shared_name(server)
    provider = provider or _find_provider(server, options)
    named = _get_pattern(provider) if provider is not None else None
    for tool in server.tools:
        said = extract_substance(tool.said) if isinstance(tool.said, Text) else ""
        if tool.said is None or named is None or not said or not is_english(said):
            continue
        if not any(map(named.search, extract_openings(said))):
            first = shorten_code(extract_openings(said)[0]) if extract_openings(said) else ""
            message = f"the first sentence of {tool.shown} does not name `{provider}`: `{first}`"
            yield Flaw(tool.said, message, "Name the provider: `Create a task in …`.", tool)
