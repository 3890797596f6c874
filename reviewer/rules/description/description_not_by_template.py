'''Descriptions of tools with an `action` parameter follow the template.

The tools of all domains are described alike, so an agent finds everything in the same place: first the domain and one sentence
of purpose, then which of the five arguments are required. A deviation was written by hand, or the generator has changed.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("lamp")

@mcp.tool(description="Keeps lamps. Also keeps bulbs.\\nWhen to use: the user speaks of lamps.")  # flaw
def lamp(action: str, params: dict | None = None) -> str: ...
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("lamp")

@mcp.tool()
def lamp(action: str, params: dict | None = None) -> str:
    """lamp: Keep the lamps of a house.

    When to use: the user speaks of lamps.
    Parameters:
    - action (required): subject.verb. Call {action:"help"} for the full catalog.
    - params (optional): action-specific. Call {action:"schema", params:{action:"X"}} for shape.
    - fields, limit, cursor: standard pagination/projection.
    Limitations: 60 calls a minute.
    """
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import collect_domains, find_catalogs, iter_dispatching_tools
from reviewer.rules.shared.words.elements import extract_element, split_elements
from reviewer.rules.shared.words.identifiers import shorten_code, split_words, to_singular
from reviewer.source import Text
from reviewer.text.patterns import pattern

OPENING = pattern(r"\s*[*_`]*(?P<domain>[\w.\-]+)[*_`]*\s*:[*_`]*\s*(?P<purpose>\S.*)", re.DOTALL)
"""`{domain}: {one-sentence purpose}.` of the checklist, §9; marks of Markdown around the domain change nothing."""

SENTENCE = pattern(r"[.!?](?=[)\"'`*_]*(?:\s+[A-Z0-9\"'`(]|\s*$))")
"""Where a sentence ends: no abbreviation is followed by a capital that often that it would matter in one sentence of purpose."""

REQUIRED = pattern(r"\baction\b[`*_\"']*\s*[\[(][^)\]]*\brequired\b", re.IGNORECASE)
"""`- action (required): …` of the checklist, §9, whatever else the brackets say, as `(string, required)`."""

OPTIONAL = pattern(r"\bparams\b[`*_\"']*\s*[\[(][^)\]]*\boptional\b", re.IGNORECASE)
"""`- params (optional): …` of the checklist, §9, in the same spellings."""

COMMON = ("fields", "limit", "cursor")
"""The last line of the template in the checklist, §9: these three may share it or have lines of their own."""

LINE = "- fields, limit, cursor: standard pagination/projection."


@rule(
    Severity.WARNING,
    cites=("checklist §9",),
    when=lambda project: any(isinstance(tool.description, Text) for tool in iter_dispatching_tools(project)),
    absent="no tool that takes an action has a description that can be read",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each description whose purpose or parameters do not follow the template."""
    for tool in iter_dispatching_tools(project):
        if isinstance(tool.description, Text) and extract_element(tool.description, "purpose") is not None:
            names = {str(tool.name), *(name for each in find_catalogs(tool, project) for name in collect_domains(each))}
            yield from _iter_purpose(tool, tool.description, {_collect_key(name) for name in names})
        if isinstance(tool.description, Text) and "parameters" in split_elements(tool.description):
            yield from _iter_parameters(tool, tool.description)


def _iter_purpose(tool: Tool, text: Text, names: set[tuple[str, ...]]) -> Iterator[Flaw]:
    purpose = split_elements(text)["purpose"].strip()
    opening = OPENING.match(purpose)
    help = f"Begin with `{tool.name}: ` and one sentence that ends with a full stop."
    if opening is None or _collect_key(opening["domain"]) not in names:
        yield Flaw(
            text, f"description of `{tool.name}` does not begin with its domain: `{shorten_code(purpose, 60)}`", help
        )
        return
    sentences = len(SENTENCE.findall(opening["purpose"]))
    if sentences != 1 or SENTENCE.search(opening["purpose"].rstrip()[-3:]) is None:
        said = (
            "is not a sentence"
            if sentences == 0
            else f"is {sentences} sentences, not one"
            if sentences > 1
            else "continues after the sentence"
        )
        yield Flaw(text, f"the purpose in the description of `{tool.name}` {said}: `{shorten_code(purpose, 60)}`", help)


def _iter_parameters(tool: Tool, text: Text) -> Iterator[Flaw]:
    said = split_elements(text)["parameters"]
    if re.search(r"\baction\b", said) and REQUIRED.search(said) is None:
        yield Flaw(
            text,
            f"description of `{tool.name}` does not say that `action` is required",
            "Write `- action (required): ..`.",
        )
    if OPTIONAL.search(said) is None:
        told = "say that `params` is optional" if re.search(r"\bparams\b", said) else "mention `params`"
        yield Flaw(text, f"description of `{tool.name}` does not {told}", "Write `- params (optional): ..`.")
    lines = [line for line in said.splitlines() if any(re.search(rf"\b{name}\b", line) for name in COMMON)]
    lacking = [name for name in COMMON if not any(_is_about(line, name) for line in lines)]
    if lacking:
        names = ", ".join(f"`{name}`" for name in lacking)
        yield Flaw(text, f"description of `{tool.name}` does not mention {names}", f"Write `{LINE}`.")


def _is_about(line: str, name: str) -> bool:
    """Return whether a line is about an argument: it is named before the colon, alone or with others."""
    return re.search(rf"\b{name}\b", re.split(r":|—|–|\s-\s", line.strip(" \t-*•+"), maxsplit=1)[0]) is not None


def _collect_key(name: str) -> tuple[str, ...]:
    return tuple(map(to_singular, split_words(name)))
