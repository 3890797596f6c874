'''Parameters with a fixed set of values use an enum.

A set of values that only the description lists is not enforced: the schema accepts every text, and a misspelled value fails in
the handler, if at all. As an enum (`Literal`, an `Enum` class, `enum`), clients show and validate the set.

Bad:

```python
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("tracker")

@mcp.tool()
def list_tasks(order: Annotated[str, Field(description="Sort order: 'asc' or 'desc'")]) -> str:  # flaw
    """List the tasks."""
```

Good:

```python
from typing import Annotated, Literal

from mcp.server import MCPServer
from pydantic import Field

mcp = MCPServer("tracker")

@mcp.tool()
def list_tasks(order: Annotated[Literal["asc", "desc"], Field(description="Sort order")]) -> str:
    """List the tasks."""
```
'''

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from reviewer.facts import ArgumentUse, Part, Tool
from reviewer.facts.parts import list_types
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.acts.argument_uses import read
from reviewer.rules.shared.values.choices import extract_choices
from reviewer.rules.shared.values.limits import has_named_values
from reviewer.rules.shared.words.identifiers import format_names, split_words
from reviewer.rules.shared.words.substance import extract_substance
from reviewer.rules.shared.words.text_lists import iter_entries, iter_following
from reviewer.text.patterns import pattern

HELP = "List the values in the schema: an `enum`, in Python `Literal[...]` or an `Enum` class."

WORD = pattern(r"[A-Za-z][\w.+-]{0,31}")
"""A value that has a name. What begins with a sign or is a number is mostly compared beside others that are no values."""

GOING_ON = (",", " or", " and", "/", "|")
"""What ends a line in the midst of a list."""

QUOTED = pattern(r"(?<![\w=])(['\"`])([\w.+-]{1,31})\1(?!\w)")
"""A value in quotation marks, of up to 31 letters: what is longer, or has spaces, is a sentence or an example. Behind a letter
or `=` stands an apostrophe, or the value of something else."""

BEFORE = pattern(r"[ \t*•`'\"-]*")
"""What stands before a name in a list of parameters."""

BEHIND = pattern(r"[`'\"*]*\s*(?:\([^()]*\))?[*`]*\s*(?::|[–—]|-\s)\s*")
"""What stands between a name in a list of parameters and what is said of it."""

LINE = pattern(r"`?\s*:\s*([^\n]*?)(?:\.\s|\n|$)")
"""What is said of a parameter behind its name and a colon, up to the end of the sentence."""

SHOWN = pattern(r"`?\s*=\s*(['\"][^'\"\n]*['\"])")
"""A value in quotes that a parameter is shown to have: `unit="m"`."""

BOUNDED = ("pattern", "format", "contentMediaType", "contentEncoding")
"""Keywords that say what a text looks like: then what code compares it with are not all values it may have."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    unannounced: bool = declare_option(
        False, "Whether a list of words counts as values even if no text says so: `Order: name, size or age`."
    )
    together: bool = declare_option(
        False, "Whether a parameter of several tools with the same documented values is one finding."
    )


def _is_free(part: Part) -> bool:
    """Return whether a part takes any text, and nothing but text."""
    texts = all({*list_types(form)} - {"null"} == {"string"} and not has_named_values(form) for form in part.forms)
    return bool(part.forms) and texts and not any(key in form for form in part.forms for key in BOUNDED)


def _iter_lines(part: Part, tool: Tool) -> Iterator[str]:
    """Yield the texts about a part: its description, and the tool's text after its name."""
    yield extract_substance(part.description, part.name)
    if part.depth == 1 and not part.element and part.name in (tool.said or ""):
        for found in iter_entries(tool.said or "", part.name, BEFORE, BEHIND):
            line, _, rest = (tool.said or "")[found.end() :].partition("\n")
            yield f"{line} {rest.splitlines()[0].strip()}" if rest and line.rstrip().endswith(GOING_ON) else line


def _tell(part: Part, tool: Tool, options: Options) -> tuple[str, ...]:
    """Return the values that are told of a part; none if its default or its examples are others."""
    told = next(
        (
            found
            for line in _iter_lines(part, tool)
            if (found := extract_choices(line, unannounced=options.unannounced))
        ),
        (),
    )
    shown = part.find_keyword("examples")
    others = [part.find_keyword("default"), *(shown if isinstance(shown, list) else ())]
    others += _collect_told_beside(part, tool) if told else []
    return told if all(each in (None, "", *told) for each in others) and not _are_shapes(told) else ()


def _collect_told_beside(part: Part, tool: Tool) -> list[str]:
    """Return the values in quotes that the tool's own text tells of a part in the midst of a line."""
    if part.depth > 1 or part.element:
        return []
    lines = (each[1] for each in iter_following(tool.said or "", part.name, LINE))
    shown = (each[1] for each in iter_following(tool.said or "", part.name, SHOWN))
    return [found[2] for text in (*lines, *shown) for found in QUOTED.finditer(text)]


def _are_shapes(told: tuple[str, ...]) -> bool:
    """Return whether what is told are the names of parts that a value is put together of: `bucket_id`, `bucket_id.table_id`."""
    return any(
        split_words(each)[-1:] == ("id",) or any(other != each and f"{other}." in each for other in told)
        for each in told
    )


def _are_others(told: tuple[str, ...], part: Part, tool: Tool) -> bool:
    """Return whether what is told are other parameters, as of which one may be given, or not all values that the code knows."""
    known = {value for each in read(tool, part) for value in each.values if value and each.refuses}
    return not {each.name for each in tool.arguments}.isdisjoint(told) or not known <= set(told)


@rule(
    Severity.SUGGESTION,
    cites=("authoring guidelines: input models", "MCP 2026-07-28 server/tools, inputSchema"),
    when=lambda tool, _options: any(map(_is_free, tool.arguments)),
    absent="no tool takes a free text",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each free text whose description lists a closed set of values."""
    for part in filter(_is_free, tool.arguments):
        told = _tell(part, tool, options)
        if told and _are_others(told, part, tool):
            continue
        if told:
            at = tool.place((*part.path, "description") if part.description else part.path)
            values = format_names(told, 6)
            message = (
                f"`{part.name}` of {tool.shown} is a plain string, although its documentation lists the values {values}"
            )
            yield Flaw(at, message, HELP, cause=f"{part.name}: {' '.join(told)}" if options.together else "")
        elif (found := _compare(part, tool)) and _are_told(found.values, part, tool):
            known = format_names(found.values, 6)
            message = f"`{part.name}` of {tool.shown} is a plain string, but the code only compares it with {known}"
            yield Flaw(tool.place(part.path), message, HELP)
        elif found:
            known, others = (
                format_names(found.values, 6),
                "rejects others" if found.refuses else "silently ignores others",
            )
            message = f"`{part.name}` of {tool.shown} is a plain string, but the code handles only {known} and {others}"
            yield Flaw(tool.place(part.path), message, HELP)


def _compare(part: Part, tool: Tool) -> ArgumentUse | None:
    """Return the use in which code compares a part with several words, if no text or schema lists them all; else None."""
    if part.depth > 1 or part.element:
        return None
    shown = part.find_keyword("examples")
    for each in read(tool, part):
        values = [value for value in each.values if value]
        words_only = all(WORD.fullmatch(value) for value in values)
        is_open = len(values) == 1 and not each.refuses and values[0] in _collect_defaults(part, each)
        if (len(values) > 1 or is_open) and words_only and shown is None:
            is_told = _are_told(values, part, tool)
            if is_told and not _are_in_a_row(values, part, tool):
                continue
            if not is_told and not each.refuses and _accepts_another(values, part, each):
                continue
            return replace(each, values=tuple(values))
    return None


def _accepts_another(values: Iterable[str], part: Part, taken: ArgumentUse) -> bool:
    """Return whether the default is none of some values: they only choose something, and any other text is fine as well."""
    known = {each.lower() for each in values}
    return any(isinstance(each, str) and each and each.lower() not in known for each in _collect_defaults(part, taken))


def _are_told(values: Iterable[str], part: Part, tool: Tool) -> bool:
    """Return whether a client is told all of some values."""
    said = f"{part.description} {tool.said or ''}".lower()
    return all(value.lower() in said for value in values)


def _collect_defaults(part: Part, taken: ArgumentUse) -> set[object]:
    """Return the values of an absent part: code that tests only these says nothing about other values."""
    return {part.find_keyword("default"), *(each.value for each in taken.defaults)}


BETWEEN = pattern(r"""['"`]?(?:\s*[,|/]\s*|\s+)(?:(?:or|and)\s+)?['"`]?""")
"""What stands between two values of a row."""


def _are_in_a_row(values: list[str], part: Part, tool: Tool) -> bool:
    """Return whether a line that is said of a part names values that code asks for one after another."""
    for line in _iter_lines(part, tool):
        names = "|".join(re.escape(each) for each in sorted(values, key=len, reverse=True))
        found = list(re.finditer(rf"(?<![\w-])(?:{names})(?![\w-])", line, re.IGNORECASE))
        gaps = [line[one.end() : other.start()] for one, other in pairwise(found)]
        if len({each[0].lower() for each in found}) == len(values) > 1 and all(map(BETWEEN.fullmatch, gaps)):
            return True
    return False
