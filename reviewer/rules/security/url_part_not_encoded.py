'''Arguments are encoded before they become part of a URL.

Inserted into the path, `../users` or `x?admin=1` leads to another endpoint of the same host, with the server's own credentials;
inserted into the query, `a&page=9` adds parameters. Names with a slash, a space or a `#` simply fail. Encode each segment and
value where it is inserted, or let the HTTP client do it.

Bad:

```python
import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def firing(name: str) -> str:
    """Show a firing."""
    return httpx.get(f"https://kilns.example/firings/{name}").text  # flaw
```

Good:

```python
from urllib.parse import quote

import httpx

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def firing(name: str) -> str:
    """Show a firing."""
    return httpx.get(f"https://kilns.example/firings/{quote(name, safe='')}").text
```
'''

from collections.abc import Iterable, Iterator

from reviewer.facts import Project, Tool, UncheckedReach
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Question, Severity, rule
from reviewer.rules.shared.acts.reached import UNSURE, format_subject, has_code, index_tools_by_name, iter_reach_flaws
from reviewer.rules.shared.words.identifiers import split_words

HELP = {
    "py": "Encode it: `quote(value, safe='')` for a path segment, `params={..}` for the query.",
    "rs": "Encode it: `Url::path_segments_mut().push(..)` for a path segment, `.query(&[..])` for the query.",
    "ts": "Encode it: `encodeURIComponent(value)` for a path segment, `URLSearchParams` for the query.",
}


PATHS = frozenset({"path", "endpoint", "route"})
"""Words of the names of arguments that are asked for as a path, so that slashes belong there: `path` of a tool that calls any
endpoint of an add-on."""


def _counts(reach: UncheckedReach, tools: Iterable[Tool]) -> bool:
    """Return whether an argument is a text, as far as schemas tell, and none that is to hold a path."""
    return all(PATHS.isdisjoint(split_words(each)) and not _is_number(each, tools) for each in reach.arguments)


def _is_number(name: str, tools: Iterable[Tool]) -> bool:
    parts = [part for tool in tools for part in tool.arguments if part.name == name and part.depth == 1]
    return bool(parts) and all({*list_types(each.schema)} <= {"integer", "number", "boolean", "null"} for each in parts)


@rule(
    Severity.SUGGESTION,
    cites=("CWE-74: injection",),
    when=has_code,
    absent="no tool's code was found",
    unsure=UNSURE,
)
def check(project: Project) -> Iterator[Flaw | Question]:
    """Yield a finding for each URL into which arguments are inserted unencoded."""
    tools = index_tools_by_name(project).values()
    yield from iter_reach_flaws(
        project,
        "address part",
        lambda each: f"{format_subject(each, 'is', 'are')} inserted into a URL without encoding",
        HELP,
        lambda each, tool: _counts(each, (tool,) if tool is not None else tools),
        cause="addresses",
    )
