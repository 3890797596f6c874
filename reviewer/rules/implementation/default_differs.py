'''Documented defaults match the defaults in the code.

A model leaves an argument out because it knows what happens then. If the description states one value, the schema another and
the code uses a third, the result is not what the model expects, and nothing in the answer shows it. If several defaults apply
in different cases, they are reported only if none of them is the documented one.

Bad:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("ropes")

@mcp.tool()
def longest_ropes(
    count: Annotated[int, Field(description="How many ropes (default 5)")] = 10,  # flaw
) -> list[dict]:
    """Give the longest ropes."""
    return sorted(ROPES, key=length)[-count:]
```

Good:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("ropes")

@mcp.tool()
def longest_ropes(
    count: Annotated[int, Field(description="How many ropes (default 10)")] = 10,
) -> list[dict]:
    """Give the longest ropes."""
    return sorted(ROPES, key=length)[-count:]
```
'''

from collections.abc import Iterator

from reviewer.facts import GivenValue, Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.argument_uses import iter_arguments, read
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.promises import Plain, differs, find_told_default, read_default, with_description

HELP = "Make the schema, the description and the code agree on one default."

SIZES = frozenset({"limit", "results", "size", "per"})
"""Words of the names of page sizes: of these another rule tells by default that description and code differ."""

SIGNS = (0, -1, "")
"""Defaults of a schema that may only say that nothing was given."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    page_sizes: bool = declare_option(
        True, "Whether to check page sizes, for which a profile may prescribe the default."
    )


def _collect_given(tool: Tool, part: Part) -> list[GivenValue]:
    return [each for one in read(tool, part) for each in one.defaults]


def _show(value: Plain) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


@rule(
    Severity.WARNING,
    cites=("protocol page R2", "Tool trait: what not to do"),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes an argument that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each default on which the code, the schema and the description disagree."""
    for part in iter_arguments(tool.arguments):
        if not options.page_sizes and SIZES & set(split_words(part.name)):
            continue
        promised, told = read_default(part), find_told_default(with_description(tool, part))
        if told is not None and promised in SIGNS and not isinstance(promised, bool):
            promised = None
        if promised is not None and told is not None and differs(promised, told):
            at = tool.place((*part.path, "description") if part.description else part.path)
            message = f"`{part.name}` of {tool.shown} has the default {_show(told)} in its description but"
            yield Flaw(at, f"{message} {_show(promised)} in its schema", HELP, tool)
            continue
        value = told if promised is None else promised
        does = _collect_given(tool, part)
        if value is not None and does and all(differs(value, each.value) for each in does):
            yield Flaw(
                does[0].text,
                f"`{part.name}` of {tool.shown} has the documented default {_show(value)}, but the code uses "
                f"{_show(does[0].value)}: `{shorten_code(does[0].text)}`",
                HELP,
                tool,
            )
