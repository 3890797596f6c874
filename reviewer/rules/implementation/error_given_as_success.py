'''Failed calls return an error, not a success with an error message.

A text such as `Error: not found` in a normal result is a success to the client, to whoever counts failures, and to a model that
only reads `isError`. The SDKs turn raised exceptions into errors.

Bad:

```python
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
def read(path: str) -> str:
    """Read a firing plan."""
    try:
        return open(path).read()
    except OSError as error:
        return f"Error: {error.strerror}"  # flaw
```

Good:

```python
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("kiln")

@mcp.tool()
def read(path: str) -> str:
    """Read a firing plan."""
    try:
        return open(path).read()
    except OSError as error:
        raise ToolError(f"The plan cannot be read: {error.strerror}") from error
```
'''

import re
from collections import Counter
from collections.abc import Iterator

from reviewer.facts import Act, Dispatch, Handler, Server, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.handler_effects import (
    is_about_health,
    iter_false_successes,
    iter_handlers,
    merge_into_flaw,
)
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.text.patterns import pattern

HELP = "Set `isError` in the result: raise the SDK's `ToolError` in Python, return `CallToolResult::error` in Rust."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    envelopes: bool = declare_option(
        True, "Whether to report an object that signals the failure in a field: `success`, `ok`, `status`."
    )
    contracts: bool = declare_option(
        True, "Whether to report a failure that the description or the docstring documents as a successful answer."
    )
    apart: int = declare_option(
        0, "How many tools, and places of one tool, are reported individually; more are reported once. 0 reports all."
    )


@rule(
    Severity.WARNING,
    cites=("Tool trait: error handling", "MCP 2026-07-28 server/tools, Error Handling"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each error that is returned as a plain result; one finding if the whole server does so."""
    asked = iter_handlers(holder, lambda tool: not options.contracts and _is_contract(tool))
    found = [(handler, given) for handler in asked if (given := _collect_given(handler, options))]
    noun = "action" if isinstance(holder, Dispatch) else "tool"
    if 0 < options.apart < len(found):
        handler, given = found[0]
        places = {act.text.span: act.text for _, acts in found for act in acts}
        names = len({str(each.name) for each, _ in found})
        message = f"{_format_answering(handler, names, noun)}: `{shorten_code(given[0].text)}`"
        yield merge_into_flaw(list(places.values()), message, HELP)
        return
    sharing = Counter(act.text.span for _, given in found for act in given)
    for handler, given in found:
        if 0 < options.apart < len(given):
            often = f"`{handler.name}` returns failures as successes in {len(given)} places: `{shorten_code(given[0].text)}`"
            yield merge_into_flaw([act.text for act in given], often, HELP)
            continue
        for act in given:
            tools = sharing.pop(act.text.span, 0)  # told of the first of those that come there
            if tools:
                yield Flaw(act.text, f"{_format_answering(handler, tools, noun)}: `{shorten_code(act.text)}`", HELP)


def _format_answering(handler: Handler, count: int, noun: str) -> str:
    if count == 1:
        return f"`{handler.name}` returns a failure as a success"
    others = f"{count - 1} more {noun if count == 2 else f'{noun}s'}"
    return f"`{handler.name}` and {others} return failures as successes"


CONTRACT = pattern(
    r"\b(?:still|also) (?:succeed|a success)"
    r"|\b(?:rather than|instead of) (?:rais|throw|an? (?:raised |thrown )?exception|handling)"
    r"|\b(?:never|not|n't) (?:raise|throw)",
    re.IGNORECASE,
)
"""What a description says of failures that are answered as successes on purpose."""


def _is_contract(tool: Tool) -> bool:
    """Return whether the description or the docstring says that a call succeeds with an error."""
    written = tool.handler.documentation if tool.handler is not None else None
    return any("error" in each.lower() and CONTRACT.search(each) is not None for each in (tool.said, written) if each)


VALIDATING = frozenset("validate validates validator validation verify lint preflight".split())
"""What a tool does whose answer may be that something is not valid: seen in a server for SQL, `validate_sql`."""


def _is_verdict(handler: Handler, act: Act) -> bool:
    """Return whether an answer is what a tool is there to find: that what it was given is not valid."""
    return not VALIDATING.isdisjoint(split_words(handler.name)) and "invalid" in act.text.lower()


def _collect_given(handler: Handler, options: Options) -> list[Act]:
    if is_about_health(handler):
        return []
    found = (
        act
        for act in iter_false_successes(handler)
        if (act.about is None or options.envelopes) and not _is_verdict(handler, act)
    )
    return list({act.text.span: act for act in found}.values())  # one that answers for several is told for each
