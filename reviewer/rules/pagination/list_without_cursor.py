'''List operations take a paging parameter.

A list without a bound returns everything there is. It fits the context window on the author's machine, but not on the user's.
Any parameter that pages or caps is accepted: `limit`, `cursor`, `page`, `offset`, `max_results` and the like, of the operation
itself or of the tool that dispatches to it. A parameter that only the handler knows does not count: clients never learn of it.
A tool whose own code truncates the list counts as bounded. With `accept-short`, so does a list that is short by nature.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def list_issues(project: str) -> list[str]:  # flaw
    """List the issues of a project."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("tracker")

@mcp.tool()
def list_issues(project: str, limit: int = 20, cursor: str | None = None) -> list[str]:
    """List the issues of a project, a page at a time."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Action, Project, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.lists import FILTERS, is_bounded, is_dispatching, is_list, is_of_one, is_short, sets_going
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.source import Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    verbs: tuple[str, ...] = declare_option(("list",), "The words at the start or end of a name that mean a list.")

    accept_cap: bool = declare_option(
        True, "Whether a tool counts as bounded if its own code always truncates the list."
    )

    accept_short: bool = declare_option(
        False, "Whether lists of few items, such as regions, and lists with optional filters need no bound."
    )

    together: bool = declare_option(False, "Whether all unbounded lists are one finding.")


def _lists(operation: Tool | Action, options: Options) -> bool:
    if options.accept_short and (is_short(operation.name) or is_of_one(operation) or _narrows(operation)):
        return False
    return is_list(operation.name, options.verbs) and not sets_going(operation)


NARROWING = FILTERS | frozenset("name label labels prefix pattern status type".split())
"""Words of optional parameters by which a client gets fewer: three readers found lists with such ones well enough bounded."""


def _narrows(operation: Tool | Action) -> bool:
    """Return whether a client may say of which things it wants a list."""
    given = operation.parameters if isinstance(operation.parameters, tuple) else ()
    return any(each.required is False and not NARROWING.isdisjoint(split_words(each.name)) for each in given)


def _is_bounded(operation: Tool | Action, options: Options) -> bool:
    """Return whether a parameter pages or caps, or the code itself does."""
    if options.accept_cap and isinstance(operation, Tool) and operation.handler is not None:
        return bool(operation.handler.capped) or is_bounded(operation)
    return is_bounded(operation)


def _collect_operations(project: Project) -> list[Tool | Action]:
    """Return tools and actions; not the actions where their tool takes the page for all of them, whatever some rows say."""
    tools = [tool for server in project.servers for tool in server.tools]
    actions = [action for catalog in project.catalogs for action in catalog.actions]
    if any(is_dispatching(tool) and is_bounded(tool) for tool in tools):
        return [*tools]
    return [*tools, *actions]


def _is_when(project: Project, options: Options) -> bool:
    return any(_lists(each, options) for each in _collect_operations(project))


@rule(
    Severity.SUGGESTION,
    cites=("checklist §1", "MCP 2026-07-28 server/utilities/pagination"),
    when=_is_when,
    absent="no operation lists things",
)
def check(project: Project, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each list operation whose parameters are read and bound nothing."""
    for operation in _collect_operations(project):
        if _lists(operation, options) and not _is_bounded(operation, options):
            lacks = "list action `{}` takes" if isinstance(operation, Action) else "list tool `{}` takes"
            yield Flaw(
                operation.name if isinstance(operation.name, Text) else operation.span,
                f"{lacks.format(operation.name)} neither `limit` nor `cursor`",
                "Add `limit` (default 20, clamped to 100) and an opaque `cursor`, and return `next_cursor`.",
                cause="lists" if options.together else "",
            )
