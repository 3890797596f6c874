"""Tools take at most ten parameters.

With each parameter there is one more to leave out, to confuse with its neighbour or to fill with a guess. A tool with many
parameters is usually several tools in one.

Departs from the original: where all arguments lie in one object (`input: IssueInput`), those in it are counted; the original
counts one.

Bad:

```json
{"tools": [
  {
    "name": "search",
    "description": "Search",
    "inputSchema": {"type": "object", "properties": {  // flaw
      "query": {"type": "string"}, "author": {"type": "string"}, "editor": {"type": "string"}, "label": {"type": "string"},
      "state": {"type": "string"}, "team": {"type": "string"}, "since": {"type": "string"}, "until": {"type": "string"},
      "sort": {"type": "string"}, "limit": {"type": "integer"}, "cursor": {"type": "string"}
    }}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "search",
    "description": "Search",
    "inputSchema": {"type": "object", "properties": {
      "query": {"type": "string", "description": "What to look for: `author:ada state:open`"},
      "limit": {"type": "integer"},
      "cursor": {"type": "string"}
    }}
  }
]}
```
"""

from collections import Counter
from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    most: int = declare_option(10, "The most parameters of a tool.")


def _count(tool: Tool) -> tuple[int, tuple[str, ...]]:
    """Count the arguments, and say where they are listed; of alternatives the longest counts."""
    level = [part for part in tool.arguments if part.depth == 1 and not part.element]
    if len(level) == 1:
        level = [part for part in tool.arguments if part.depth == 2 and not part.element] or level
    lists = Counter(part.path[:-1] for part in level)
    most, count = next(iter(lists.most_common(1)), ((), 0))
    return count, most


@rule(
    Severity.SUGGESTION,
    codes=("BP-005",),
    cites=("tool definition rules: BP-005",),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Count the parameters."""
    count, listing = _count(tool)
    if count > options.most:
        message = f"{tool.shown} takes {count} parameters, more than {options.most}"
        yield Flaw(tool.place(listing), message, "Split the tool, or group parameters that belong together.")
