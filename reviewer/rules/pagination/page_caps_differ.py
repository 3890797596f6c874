'''All lists of a server have the same default and maximum page size.

An agent that has learned how much one list returns expects the same of the next. If one stops at 100 and another at 50, or one
returns 20 by default and another 10, it takes a full page for the end of the list. If a size differs for a reason, such as the
limit of an upstream API, the description says so.

Bad:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: Annotated[int, Field(ge=1, le=100, description="How many")] = 20) -> list[dict]:
    """List the ropes."""

@mcp.tool()
def search_ropes(word: str, limit: Annotated[int, Field(ge=1, le=50, description="How many")] = 20) -> list[dict]:  # flaw
    """Search the ropes."""
```

Good:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: Annotated[int, Field(ge=1, le=100, description="How many")] = 20) -> list[dict]:
    """List the ropes."""

@mcp.tool()
def search_ropes(word: str, limit: Annotated[int, Field(ge=1, le=100, description="How many")] = 20) -> list[dict]:
    """Search the ropes."""
```
'''

import re
from collections import Counter
from collections.abc import Iterator

from reviewer.facts import Part, Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.page_sizes import find_only_number, iter_page_sizes
from reviewer.rules.shared.words.promises import (
    Plain,
    find_told_default,
    find_told_maximum,
    read_default,
    read_maximum,
)
from reviewer.text.patterns import pattern


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    defaults: bool = declare_option(True, "Whether to compare default page sizes, too.")
    together: bool = declare_option(False, "Whether all differing sizes are one finding.")


REASON = pattern(
    r"\b(?:because|since|due\s+to|so\s+that|API|upstream|backend|expensive|costly|heavy|heavier|large[rs]?|long|slow|cheap|small|budget"
    r"|tokens?|context|provider|(?:hard|server)[\s-]?(?:limit|cap)|allows?|only\s+\d+|semantic|ranked|previews?|full\s+text)\b",
    re.IGNORECASE,
)
"""What a text says where a size is another for a reason."""

ABOUT = pattern(r"\d|\b(?:limit|page|most|results|size)", re.IGNORECASE)
"""What a sentence says that speaks of a size."""

FEW = 3
"""Lists. What fewer have in common is no custom of the server."""

HELP = "Use one default and one maximum for all lists, or say in the description why this one differs."


def _find_most(tool: Tool, part: Part) -> Plain | None:
    found = read_maximum(part)
    if found is not None:
        return found
    told, done = find_told_maximum(part), find_only_number(tool, part, "caps")
    known = [each for each in (told, done) if isinstance(each, int)]
    return (
        min(known) if known else None
    )  # a text that several tools share does not lift what the code of one lets through


def _find_default(tool: Tool, part: Part) -> Plain | None:
    found = read_default(part)
    value = find_told_default(part) if found in (None, 0, -1) else found
    return find_only_number(tool, part, "defaults") if value is None else value


def _has_reason(tool: Tool, part: Part) -> bool:
    sentences = [each for each in re.split(r"(?<=[.;!?])\s+|\n", tool.said or "") if ABOUT.search(each)]
    return any(REASON.search(each) for each in (part.description, *sentences))


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R2", "checklist §1"),
    when=lambda server, options: sum(1 for _ in iter_page_sizes(server)) > 1,
    absent="no server has several lists whose pages have sizes",
)
def check(server: Server, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each maximum and default page size that differs from those of most lists of the server."""
    told: set[str] = set()
    looked_at = ((_find_most, "at most"), *(((_find_default, "by default"),) if options.defaults else ()))
    for of, says in looked_at:
        plain = [(tool, part) for tool, part in iter_page_sizes(server) if not _has_reason(tool, part)]
        read = [(tool, part, value) for tool, part in plain if (value := of(tool, part)) is not None]
        usual, times = next(iter(Counter(value for _, _, value in read).most_common(1)), (None, 0))
        for tool, part, value in read:
            if value == usual or tool.shown in told:
                continue
            told.add(tool.shown)
            other = next(each for each, _, number in read if number == usual)
            message = f"{tool.shown} has {value} for `{part.name}` {says}, but {other.shown} has {usual}"
            yield Flaw(tool.place(part.path), message, HELP, tool, cause="page sizes" if options.together else "")
            if times < FEW and times * 2 < len(read):
                break  # there is no size that many have: one place tells it
