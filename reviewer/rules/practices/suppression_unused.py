'''Every suppression matches a finding.

A suppression that matches nothing hides the next finding that it does match. Remove it together with its finding. Suppressions
of rules that did not run are not reported.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

# mcp-review: ignore[suppression-unusual] no such rule  # flaw
@mcp.tool()
def read(path: str) -> str:
    """Read a file."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("files")

@mcp.tool()
def read(path: str) -> str:
    """Read a file."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Ignore
from reviewer.fixes.model import FixPlanner, Rewrite
from reviewer.rules import Flaw, Severity, load, rule
from reviewer.rules.shared.fixes import plan_rewrite


@rule(
    Severity.WARNING,
    cites=("mcp-review: suppression",),
    absent="no suppression comment in the reviewed files",
    fixes=("safe", "unsafe"),
)
def check(ignore: Ignore) -> Iterator[Flaw]:
    """Yield a finding for each suppression that matched no finding."""
    if ignore.used is False:
        message = f"suppression of `{', '.join(ignore.slugs)}` matches no finding"
        yield Flaw(ignore.span, message, "Remove the comment.", fix_plan=_fix_plan(ignore))


def _fix_plan(ignore: Ignore) -> FixPlanner:
    """Remove the comment; of one that names several rules, or whom a judge asks, another run may find it of use."""
    named = load().get(ignore.slugs[0]) if len(ignore.slugs) == 1 else None
    sure = named is not None and not (named.judged or named.unsure)
    return plan_rewrite("remove the comment", Rewrite("drop comment", ignore.span), safe=sure)
