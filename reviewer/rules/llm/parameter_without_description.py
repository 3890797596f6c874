'''Every parameter has a description.

A name alone does not give the unit, the format, or what happens if the parameter is left out. The description belongs in the
schema, where every client shows it; a tool description that explains the parameter is accepted unless the profile is strict.

Bad:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("files")

@mcp.tool()
def read(
    path: str,
    mode: str,  # flaw
    encoding: Annotated[str, Field(description="TODO: describe")],  # flaw
) -> str:
    """Read the file at a path."""
```

Good:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("files")

@mcp.tool()
def read(path: str, mode: Annotated[str, Field(description="`text`, or `base64` for binary files")]) -> str:
    """Read the file at a path."""
```

Departs from the original: a description has to say something. A placeholder, the mere name, the tool's own description, or
one text for three or more parameters of other names says nothing. What lies within an object or an array is looked at too, and
a description counts where a reference leads to it, and that of the object right around which names the property, or of the
alternative whose only value it is. A constant says what it is, and so do the fields of a parameter that only holds them together,
unless the profile is strict.
'''

from collections import defaultdict
from collections.abc import Iterator
from heapq import nsmallest
from typing import Literal

from reviewer.facts import Json, Schema, Tool
from reviewer.facts.parts import CHOICES, Part, find_at
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.literal_mode import collect_arguments
from reviewer.rules.shared.words.identifiers import contains_word, format_names, shorten_code, split_words
from reviewer.rules.shared.words.substance import extract_substance, is_name
from reviewer.source import Opaque

FOREMOST = 6
"""Parameters that share a description and are looked at: a message names four of the others, and says whether there are more."""

SEVERAL = 3
"""So many parameters of different names with one text: it speaks of none of them."""

PAGING = frozenset({"limit", "offset", "page", "size", "max", "results"})
"""Words of which the name of a page's size or place is made; of eight in a server a reader would have described none."""

ALTERNATIVE = tuple((each,) for each in CHOICES)
"""How the path to an alternative ends, before its number."""

HELP = "Describe it in the schema: its meaning, its unit or format, and what happens if it is left out."
INJECTED = (
    "If it is the SDK's context, annotate it with the `Context` class of the package that the server uses, so that "
    "clients are not asked for it; else describe it."
)


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )
    described_in: Literal["schema", "schema-or-text"] = declare_option(
        "schema-or-text", "Where a description counts; `schema-or-text` also accepts the tool's description."
    )
    together: bool = declare_option(False, "Whether all undescribed parameters are one finding.")
    accept_wrapper: bool = declare_option(
        False,
        "Whether the single parameter `input`, which contains all others, needs no description of its own.",
    )
    restated: bool = declare_option(True, "Whether a description that only repeats the name counts as none.")
    apparent: bool = declare_option(
        True, "Whether a page size or position with a default, such as `limit: int = 100`, needs a description."
    )


def _get_help(name: str) -> str:
    return INJECTED if name in ("ctx", "context") else HELP


def _is_told(name: str, tool: Tool, options: Options) -> bool:
    """Return whether the tool's own text speaks of a parameter, where that counts."""
    if options.described_in == "schema":
        return False
    return isinstance(tool.description, Opaque) or _is_mentioned(name, extract_substance(tool.description or ""))


def _is_mentioned(name: str, text: str) -> bool:
    """Return whether a text speaks of a parameter: by its name, or by all the words of its name."""
    if contains_word(text, name):
        return True
    said = {form for word in split_words(text) for form in (word, word.removesuffix("s"))}
    return all(word.removesuffix("s") in said for word in split_words(name)) and bool(split_words(name))


def _is_told_around(part: Part, tool: Tool, options: Options) -> bool:
    """Return whether the object right around speaks of a property, or the alternative does that holds nothing else."""
    parameters = (
        2 if options.accept_wrapper and _find_wrapper(tool, options) is not None else 1
    )  # the fields of `input` are them
    if not isinstance(tool.input_schema, Schema) or (part.depth <= parameters and options.described_in == "schema"):
        return False
    path = part.path[:-2]
    around = find_at(tool.input_schema.document, path)
    text = around.get("description") if isinstance(around, dict) else None
    said = extract_substance(text) if isinstance(text, str) else ""
    return bool(said) and (_is_mentioned(part.name, said) or (path[-2:-1] in ALTERNATIVE and _is_alone(around)))


def _is_alone(around: Json) -> bool:
    """Return whether an object holds one value beside constants."""
    named = around.get("properties")
    held = named.values() if isinstance(named, dict) else ()
    return sum(not (isinstance(each, dict) and _is_constant(each)) for each in held) == 1


def _says_itself(part: Part) -> bool:
    """Return whether a value can only be what it is, so that there is nothing to describe."""
    values = part.find_keyword("enum")
    return part.element or part.find_keyword("const") is not None or (isinstance(values, list) and len(values) == 1)


def _is_apparent(part: Part) -> bool:
    """Return whether readers would not miss a description: `limit: int = 100`."""
    return set(split_words(part.name)) <= PAGING and part.find_keyword("default") is not None


def _find_wrapper(tool: Tool, options: Options) -> Part | None:
    """Find the parameter that only holds all others together: what there is to say, its fields say."""
    top = [part for part in tool.arguments if part.depth == 1]
    spared = options.described_in != "schema" or (options.accept_wrapper and top[:1] != [] and top[0].name == "input")
    wraps = spared and len(top) == 1 and top[0].find_keyword("properties") is not None
    return top[0] if wraps else None


def _is_constant(schema: Json) -> bool:
    values = schema.get("enum")
    return schema.get("const") is not None or (isinstance(values, list) and len(values) == 1)


def _find_fault(part: Part, tool: Tool, sharing: dict[tuple[str, ...], list[str]]) -> str | None:
    """Say what is wrong with what the schema says of a parameter; None if nothing is.

    `sharing` names the first parameters of those that share a description.
    """
    said = extract_substance(part.description)
    if not part.description.strip():
        return "has no description"
    if not said or is_name(said, part.name):
        what = "only repeats its name" if said else "has no content"
        return f"has a description that {what}: `{shorten_code(part.description)}`"
    if tool.said is not None and split_words(said) == split_words(extract_substance(tool.said)):
        return "has the description of the tool itself"
    others = [name for name in sharing[split_words(said)] if name != part.name]
    return (
        f"has the same description as {format_names(others)}: `{shorten_code(said)}`"
        if len(others) + 1 >= SEVERAL
        else None
    )


@rule(
    Severity.SUGGESTION,
    codes=("LLM-006",),
    cites=("tool definition rules: LLM-006",),
    when=lambda tool, options: isinstance(tool.parameters, tuple) and bool(tool.parameters or tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each parameter without a description."""
    if options.literal:
        for part in collect_arguments(tool, True):
            said = part.schema.get("description")
            if not (isinstance(said, str) and said.strip()):
                message = f"parameter `{part.dotted}` of {tool.shown} has no description"
                yield Flaw(tool.place(part.path), message, _get_help(part.name))
        return
    wrapper = _find_wrapper(tool, options)
    named = [part for part in tool.arguments if part is not wrapper and not _says_itself(part)]
    sharing: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for part in named:
        sharing[split_words(extract_substance(part.description))].add(part.name)
    first = {said: nsmallest(FOREMOST, names) for said, names in sharing.items()}
    for part in named:
        fault = _find_fault(part, tool, first)
        own = extract_substance(part.description)
        is_again = (bool(own) and is_name(own, part.name)) or split_words(part.description) == split_words(part.name)
        is_left = not options.restated and is_again
        told = is_left or _is_told(part.name, tool, options) or _is_told_around(part, tool, options)
        if fault is not None and not told and (options.apparent or part.description or not _is_apparent(part)):
            at = tool.place((*part.path, "description") if part.description.strip() else part.path)
            cause = "parameters" if options.together else ""
            yield Flaw(at, f"parameter `{part.dotted}` of {tool.shown} {fault}", _get_help(part.name), cause=cause)
    top = {part.name for part in tool.arguments if part.depth == 1}
    # A parameter whose schema cannot be read in full is known by its name and its description.
    for parameter in tool.parameters if isinstance(tool.parameters, tuple) else ():
        if parameter.name not in top:
            text = parameter.description
            said = isinstance(text, Opaque) or extract_substance(text or "", parameter.name)
            if not said and not _is_told(parameter.name, tool, options):
                message = f"parameter `{parameter.name}` of {tool.shown} has no description"
                cause = "parameters" if options.together else ""
                yield Flaw(parameter.span, message, _get_help(parameter.name), cause=cause)
