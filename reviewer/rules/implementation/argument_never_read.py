'''Tools read every argument they declare.

A model fills in what a schema asks for, and assumes that the answer takes it into account. An argument that no code reads is
worse than a missing one: a filter that does not filter returns all rows as if they were selected. Reported only if the use of
the entire input could be traced, and not if the description says that the argument is ignored. Several tools that ignore the
same argument are reported once. Under `core` it is a warning for optional arguments, which a client sets on purpose; it is a
suggestion for required ones (an id that the service turned out not to need), for tools that read no argument at all, and for
arguments that only make the model explain itself.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    length: int,
    colour: str = "white",  # flaw
) -> list[dict]:
    """Find the ropes of a length, of one colour only if it is given."""
    return [rope for rope in ROPES if rope["length"] == length]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def find_ropes(
    length: int,
    colour: str = "white",
) -> list[dict]:
    """Find the ropes of a length, of one colour only if it is given."""
    return [rope for rope in ROPES if rope["length"] == length and rope["colour"] == colour]
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Json, Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.argument_uses import collect_declared_names, collect_uses, iter_arguments, read
from reviewer.rules.shared.lists import PAGES
from reviewer.rules.shared.words.promises import iter_top_level, with_description
from reviewer.text.patterns import pattern

HELP = "Use the argument in the code, or remove it from the input schema."
PARTS = PAGES | {"fields"}
"""The arguments that choose a page, or fields."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    page_arguments: bool = declare_option(
        True, "Whether to report arguments that choose a page or fields, which other rules of a profile may cover."
    )
    required_as_suggestion: bool = declare_option(
        False,
        "Whether to report required arguments as suggestions only: clients set optional ones on purpose.",
        formerly="heed-choice",
    )


def _is_followed(tool: Tool) -> bool:
    return tool.code is not None and bool(tool.code.followed) and collect_declared_names(tool) is not None


def _holds_nothing(form: Json) -> bool:
    return form.get("properties") == {} and not form.get("additionalProperties")


def _empty(tool: Tool) -> set[str]:
    """Name the arguments in which nothing can be given: models without fields."""
    return {part.name for part in iter_top_level(tool.arguments) if part.forms and all(map(_holds_nothing, part.forms))}


def _is_kept(tool: Tool, part: Part) -> bool:
    """Return whether the description of an argument, or the tool's where it has none, says that nothing heeds it."""
    return KEPT.search(with_description(tool, part).description) is not None


def _confirms(part: Part) -> bool:
    """Return whether an argument can only be one value, which the schema asks for: `confirmed: Literal["DELETE"]`."""
    return bool(part.forms) and all("const" in form or len(form.get("enum") or ()) == 1 for form in part.forms)


KEPT = pattern(
    r"\b(?:ignored|unused|deprecated|reserved|obsolete)\b|\bno (?:longer|effect)\b"
    r"|\b(?:not|never)\b[^.;]{0,20}\b(?:used|read|supported|implemented|forwarded|sent|evaluated)\b"
    r"|\bcompatib(?:le|ility)\b",
    re.IGNORECASE,
)
"""How a description says that an argument is declared on purpose though nothing heeds it: older clients give it, or it is asked
for so that a model thinks of it (`user_prompt` of the Blender servers: "never forwarded to the addon")."""


THOUGHT = pattern(
    r"\b(?:reason(?:ing)?|rationale|thoughts?|justification|explanation|intent(?:ion)?|benefit|user prompt)\b"
    r"|\b(?:why|what) (?:you|this|the (?:call|tool|search))\b",
    re.IGNORECASE,
)
"""How an argument is called, or described, that is asked for so that a model thinks, or a log tells of it: `call_benefit` of a
server for papers, `user_prompt` of one for Blender."""


def _is_wanted(tool: Tool, name: str) -> bool:
    """Return whether a client that gives an argument wants something by it: no call has to, and the tool reads others."""
    part = next((each for each in iter_arguments(tool.arguments) if each.depth == 1 and each.name == name), None)
    if part is None or part.required or THOUGHT.search(f"{name.replace('_', ' ')}: {part.description}") is not None:
        return False
    return len(tool.arguments) == 1 or any(not each.idle for each in collect_uses(tool))


@rule(
    Severity.WARNING,
    cites=("Tool trait: what not to do", "MCP 2026-07-28 server/tools"),
    when=lambda tool, options: isinstance(tool.parameters, tuple) and bool(tool.parameters) and _is_followed(tool),
    absent="no tool's code could be followed with all of its arguments",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each argument that is declared and never read; several tools that declare the same one share
    a cause.
    """
    known = {str(each.name) for each in collect_uses(tool) if not each.idle} | _empty(tool)
    known |= {part.name for part in iter_arguments(tool.arguments) if _is_kept(tool, part) or _confirms(part)}
    if not options.page_arguments:
        known |= PARTS
    for parameter in tool.parameters if isinstance(tool.parameters, tuple) else ():
        if parameter.name not in known:
            message = f"{tool.shown} never reads its argument `{parameter.name}`"
            is_minor = options.required_as_suggestion and not _is_wanted(tool, str(parameter.name))
            yield Flaw(parameter.name, message, HELP, tool, cause=str(parameter.name), minor=is_minor)
    for part in iter_arguments(tool.arguments):
        if part.depth > 1 and part.name not in known and any(each.idle for each in read(tool, part)):
            message = f"{tool.shown} never reads `{part.name}` of its arguments"
            is_minor = options.required_as_suggestion and part.required
            yield Flaw(tool.place(part.path), message, HELP, tool, cause=part.dotted, minor=is_minor)
