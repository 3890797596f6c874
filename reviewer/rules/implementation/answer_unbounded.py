'''Tools limit the size of what they read before returning it.

How large a file, a page, a search result or the output of a command is, is known only when it is there. If a tool returns all
of it, one large file fills the context of the model, or the client truncates it somewhere. A limit with a maximum, or a
truncation that the answer mentions, costs nothing.

Reported once for a server: tools whose names say that they search or return long texts, files and pages that the client names,
and commands. Not reported: tools that take a limit, a page, a range or a time, and code that truncates or measures what it
reads, or requests a limited amount.

Bad:

```python
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("letters")

@mcp.tool()
def read_letter(path: str) -> str:
    """Read a letter."""
    return Path(path).read_text("utf-8")  # flaw
```

Good:

```python
from pathlib import Path

from mcp.server import MCPServer

mcp = MCPServer("letters")

@mcp.tool()
def read_letter(path: str, first_line: int = 1) -> str:
    """Read a letter, 200 lines from `first_line` on; the last line says how many there are."""
    lines = Path(path).read_text("utf-8").splitlines()
    return "\n".join([*lines[first_line - 1 : first_line + 199], f"({len(lines)} lines)"])
```
'''

from collections.abc import Iterator
from itertools import islice

from reviewer.facts import Act, ActKind, Server, Tool, ToolParameter
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, gives_list, iter_acts
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.lists import BOUNDS, IDENTIFYING, SPANS, is_list, is_of_one, is_short
from reviewer.rules.shared.words.identifiers import format_rest, shorten_code, split_words, to_singular
from reviewer.rules.shared.words.likeness import KINDS

HELP = "Take a `limit` or a range, truncate at a maximum size, and say in the answer that there is more."

LONG = frozenset(
    "article changelog code content diff document dump file html log manifest markdown note output page patch readme report "
    "snapshot source transcript tree".split()
)
"""Last words of names of things whose length only their author determines."""

ADDRESSES = frozenset({"url", "uri", "link", "href"})
"""Parameters by which a client names the page that it wants."""

FILES = frozenset({"file", "path", "filepath", "filename"})
"""Parameters by which a client names the file that it wants. A file of the server's own is as long as the author knows."""

CUTTING = frozenset(
    "line lines length char chars characters bytes token tokens depth level range from to end date time section fields field "
    "select columns max min summary brief preview truncate compact latest recent day week month year output save".split()
)
"""Parameters by which a client gets less, or gets it elsewhere, besides those of a page and of a span of time."""

READING = KINDS[0] | frozenset("crawl download dump export extract grep open scrape".split())
"""Verbs by which a tool says that it gives what there is."""

RUNNING = frozenset({"run", "execute", "exec", "shell", "bash", "terminal", "command", "cmd", "eval", "script"})
"""Words by which a tool says that it runs what the client likes."""

FIXED = frozenset({"run", "execute", "exec"})
"""Those that say nothing of what is run: `run_jobset` and `run_tests` run one program, which says as much as it says."""

OUTPUT: ActKind = "answers whole output"
EVERYTHING = frozenset({"all", "search", "find", "grep"})
"""Words by which a tool says that it gives all that there is of something, or all that is like something."""


@rule(
    Severity.SUGGESTION,
    cites=("MCP 2025-11-25 server/utilities/pagination", "CWE-770"),
    when=lambda server: any(each.code is not None for each in server.tools),
    absent="no tool's code was found",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield one finding, at the first place, for all tools that return everything they read."""
    tools = [each for each in server.tools if not _is_bounded(each)]
    prints = [tool for tool in tools if any(True for _ in iter_acts(tool.code, OUTPUT))]
    found = [(tool, act) for tool in tools for act in _iter_wholes(tool, prints=len(prints) >= SEVERAL)]
    much = [_is_named(tool, act) or (len(found) > 1 and _gives_much(tool)) for tool, act in found]
    if not any(much):
        return
    found = [found[at] for at in sorted(range(len(found)), key=lambda at: not much[at])]  # what it is told for is first
    first, act = found[0]
    names = list(dict.fromkeys(str(tool.name) for tool, _ in found))
    said = ", ".join(f"`{each}`" for each in names[:SHOWN]) + format_rest(len(names) - SHOWN, "tool")
    verb = "returns" if len(names) == 1 else "return"
    way = format_way(act, first.code) if first.code is not None else ""
    message = f"{said} {verb} everything that was read, without a size limit: `{shorten_code(act.text)}`{way}"
    places = dict.fromkeys((each.through or (each.text,))[-1].span for _, each in found)
    related = tuple(each for each in places if each != act.text.span)
    yield Flaw(act.text, message, HELP, first, related=related)


SEVERAL = 3
"""Tools that answer with what commands print, of which one prints much whatever they are called."""

SHOWN = 6
"""Tools that the message names: who bounds these finds the others beside them."""


def _iter_wholes(tool: Tool, *, prints: bool) -> Iterator[Act]:
    """Yield the first thing that a tool answers with all of, if it may be large; `prints`: also what commands print."""
    name, asks = str(tool.name), _collect_words_of(tool)
    said, last = set(split_words(name)), to_singular((split_words(name) or [""])[-1])
    is_list_ = gives_list(name) and not is_list(tool.name) and not is_short(tool.name) and not is_of_one(tool)
    if not said.isdisjoint(load_lexicon("changing")):
        return
    kinds: list[ActKind] = [OUTPUT] if prints else []
    if not READING.isdisjoint(said):
        kinds += ["answers whole file"] if not FILES.isdisjoint(asks) else []
        kinds += ["answers whole page"] if not ADDRESSES.isdisjoint(asks) else []
        kinds += (
            ["answers whole page", "answers whole object", "answers whole list"] if is_list_ or last in LONG else []
        )
        kinds += ["answers whole file", OUTPUT] if last in LONG else []
    elif RUNNING & asks and not (RUNNING & asks <= FIXED and len(said) > 1):
        kinds += [OUTPUT]
    if kinds and next(iter_acts(tool.code, "answers all rows"), None) is None:
        meant = (
            each
            for each in iter_acts(tool.code, *kinds)
            if each.kind != "answers whole file" or each.about is not None or last in LONG
        )
        yield from islice(meant, 1)


def _is_named(tool: Tool, act: Act) -> bool:
    """Return whether a client names what it gets, so that it is of any size: a file, a command, the address of a page."""
    is_page = act.kind == "answers whole page" and not ADDRESSES.isdisjoint(_collect_words_of(tool))
    return is_page or act.kind in ("answers whole file", OUTPUT)


def _collect_words_of(tool: Tool) -> set[str]:
    """Return the words of a tool's name and of the names of its parameters."""
    taken = tool.parameters if isinstance(tool.parameters, tuple) else ()
    return {word for each in (str(tool.name), *(str(each.name) for each in taken)) for word in split_words(each)}


def _gives_much(tool: Tool) -> bool:
    """Return whether a tool gives more than a list that may be short: of replies of other hosts, many are."""
    said = split_words(str(tool.name))
    return not EVERYTHING.isdisjoint(said) or to_singular(said[-1]) in LONG


def _is_bounded(tool: Tool) -> bool:
    """Return whether a client may ask for less of what a tool gives, as far as its parameters tell."""
    if not isinstance(tool.parameters, tuple):
        return True
    numbers = {
        part.name
        for part in tool.arguments
        if any({"integer", "number"} & set(list_types(form)) for form in part.forms)
    }
    return any(_bounds(each, each.name in numbers) for each in tool.parameters)


def _bounds(parameter: ToolParameter, is_number: bool) -> bool:
    said = set(split_words(parameter.name))
    if parameter.free or not said.isdisjoint(SPANS | CUTTING):
        return True
    if parameter.required is True and said & IDENTIFYING:
        return False
    return bool(BOUNDS & said) or (is_number and parameter.required is not True)
