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

from reviewer.facts import GivenValue, Part, Schema, Tool
from reviewer.facts.parts import list_types
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.argument_uses import iter_arguments, read
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.promises import Plain, differs, find_told_default, read_default, with_description

HELP = "Make the schema, the description and the code agree on one default."

MISSING = "Return an error that names the missing argument, or take it out of `required` and document the default."

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
    required: bool = declare_option(
        False, "Whether to report defaults of required arguments, where the SDK does not check that they are given."
    )


OF_TYPES: dict[str, str | int] = {"string": "", "integer": 0, "number": 0, "boolean": False}
"""What the default of a type is: Rust's `unwrap_or_default`."""


def _collect_given(tool: Tool, part: Part) -> list[GivenValue]:
    return [each for one in read(tool, part) for each in one.defaults]


def _find_blank(tool: Tool, part: Part) -> GivenValue | None:
    """Return the default of its type that stands in for an argument, None if none does or its type is not known."""
    kinds = list_types(part.schema)
    blank = OF_TYPES.get(kinds[0]) if len(kinds) == 1 else None
    at = next((each.of_type for each in read(tool, part) if each.of_type is not None), None)
    return GivenValue(blank, at) if blank is not None and at is not None else None


def _is_required(tool: Tool, part: Part) -> bool:
    """Return whether the schema certainly asks every call for an argument, and no text speaks of a default of it."""
    is_read = isinstance(tool.input_schema, Schema) and not tool.input_schema.hides("required")
    is_told = "default" in str(with_description(tool, part).description or "").lower()
    return is_read and part.required and part.depth == 1 and not part.element and not is_told


def _build_hidden_absence(tool: Tool, part: Part, does: list[GivenValue]) -> Flaw | None:
    """Return the finding for a call that goes on without an argument; None if the code refuses what stands in for it."""
    if not does or tool.code is None or tool.code.refuses(part.dotted, does[0].value) is not None:
        return None
    message = f"`{part.name}` of {tool.shown} is required in the schema, but without it the code uses"
    at = does[0].text
    return Flaw(at, f"{message} {_show(does[0].value)}: `{shorten_code(at)}`", MISSING, tool)


def _show(value: Plain) -> str:
    if value == "":
        return "an empty text"
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
        if options.required and value is None and _is_required(tool, part):
            flaw = _build_hidden_absence(tool, part, [*does[:1], *filter(None, (_find_blank(tool, part),))])
            if flaw is not None:
                yield flaw
        if value is not None and does and all(differs(value, each.value) for each in does):
            yield Flaw(
                does[0].text,
                f"`{part.name}` of {tool.shown} has the documented default {_show(value)}, but the code uses "
                f"{_show(does[0].value)}: `{shorten_code(does[0].text)}`",
                HELP,
                tool,
            )
