'''Limits set by the client have a server-side maximum.

`limit` keeps a list short only as long as clients ask for short lists. A model in a hurry asks for a million, and if the code
accepts that, the answer is the entire list. The bound belongs in the code; a maximum in the schema, which most SDKs check, is
accepted as well. Limits without which the entire list is returned anyway are not reported.

Bad:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[tuple]:
    """List the ropes, the longest first."""
    db = sqlite3.connect("ropes.db")
    return db.execute("SELECT * FROM ropes LIMIT ?", (limit,)).fetchall()  # flaw
```

Good:

```python
import sqlite3

from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[tuple]:
    """List the ropes, the longest first."""
    db = sqlite3.connect("ropes.db")
    return db.execute("SELECT * FROM ropes LIMIT ?", (min(limit, 100),)).fetchall()
```
'''

from collections.abc import Iterator
from functools import partial

from reviewer.facts import ArgumentUse, Part, Tool
from reviewer.fixes.model import FixPlan, Rewrite
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, ShownContext, declare_option, rule
from reviewer.rules.shared.acts.argument_uses import iter_arguments, read
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.promises import find_told_maximum, read_maximum
from reviewer.source import Span, Text


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    together: bool = declare_option(False, "Whether all unbounded limits are one finding.")
    held: bool = declare_option(True, "Whether to report a limit that only shortens a list already in memory.")
    sent: bool = declare_option(
        True, "Whether to report a limit that only shortens what another host or a database returned."
    )
    handed: bool = declare_option(
        False, "Whether to report a limit that is passed on, unbounded, to the source of the list."
    )
    left_out: bool = declare_option(
        False, "Whether to report a limit whose default is the greatest number of its type, so that it limits nothing."
    )


# Words by which an argument says how many things are wanted; `OTHERS` takes back what counts something else.
SIZES = frozenset("limit count top results size max maximum k n num number".split())
OTHERS = frozenset(
    "char chars character characters length line lines byte bytes token tokens depth width height tail head word words text "
    "content body output snippet snippets excerpt preview window sentence sentences paragraph paragraphs".split()
)
"""What is counted that is no list of things."""


def _iter_sizes(tool: Tool) -> Iterator[tuple[Part, ArgumentUse]]:
    """Yield the reads of arguments that set a number of items and have no bound in the schema."""
    for part in iter_arguments(tool.arguments):
        said = set(split_words(part.name))
        if SIZES & said and not OTHERS & said and read_maximum(part) is None and part.find_keyword("enum") is None:
            yield from ((part, each) for each in read(tool, part))


UNSURE = "unsure-bound"
"""The rubric of whether a bound holds that only a run tells."""

SHOWN = frozenset[ShownContext](("schema", "code"))
"""What bounds a size stands in code or in the schema."""


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R2", "Tool trait: bounded output"),
    when=lambda tool, options: any(True for _ in _iter_sizes(tool)),
    absent="no tool takes a limit for a list that its own code truncates",
    fixes=("safe",),
    unsure=UNSURE,
)
def check(tool: Tool, options: Options) -> Iterator[Flaw | Question]:
    """Yield a finding for each list whose length the client chooses without a maximum."""
    for part, given in _iter_sizes(tool):
        if (given.held and not options.held) or (given.sent and not options.sent):
            continue
        if options.handed and given.cut is None and given.handed is not None and not given.caps:
            yield Flaw(
                given.handed,
                f"`{part.name}` of {tool.shown} is passed on without an upper bound: `{shorten_code(given.handed)}`",
                "Clamp it before passing it on: `.clamp(1, 100)` in Rust, `max(1, min(limit, 100))` in Python.",
                tool,
                cause="limits" if options.together else "",
            )
        if given.cut is not None and not given.caps and not (given.spares and _may_be_left_out(part)):
            yield Flaw(
                given.cut,
                f"`{part.name}` of {tool.shown} has no upper bound where it limits the list: `{shorten_code(given.cut)}`",
                "Clamp it first: `.clamp(1, 100)` in Rust, `max(1, min(limit, 100))` in Python.",
                tool,
                partial(_fix_plan, part, given.cut),
                cause="limits" if options.together else "",
            )
        endless = _find_endless_default(tool, part, given) if options.left_out and not given.caps else None
        if endless is not None and given.cut is not None:
            at, default = endless
            yield Flaw(
                at,
                f"`{part.name}` of {tool.shown} limits nothing where it is left out: its default is {default}",
                "Give it a default that a client can read, such as 50, and say in the answer that there is more.",
                tool,
                cause="endless defaults" if options.together else "",
            )
        if given.unsure is not None:
            yield Question(
                given.unsure,
                tool,
                f"`{part.name}` of {tool.shown} may have no upper bound where it limits the list: `{shorten_code(given.unsure)}`",
                "Clamp it to a constant, or give the setting that bounds it a default.",
                SHOWN,
                f"{part.name}: {shorten_code(given.unsure)}",
                rubric=UNSURE,
            )


ENDLESS = 2**31 - 1
"""The greatest number of the smallest type that counts things: `i32::MAX`, `usize::MAX`, `sys.maxsize`. No list is as long."""


def _find_endless_default(tool: Tool, part: Part, given: ArgumentUse) -> tuple[Text | Span, int] | None:
    """Return a default that no list reaches, with its place in the code or in the schema; None if there is none."""
    for each in given.defaults:
        if isinstance(each.value, int) and each.value >= ENDLESS:
            return each.text, each.value
    written = part.find_keyword("default")
    is_endless = isinstance(written, int) and written >= ENDLESS
    return (tool.place((*part.path, "default")), int(written)) if is_endless else None


def _may_be_left_out(part: Part) -> bool:
    """Return whether a call may do without an argument, and no default stands for it."""
    return not part.required and part.find_keyword("default") is None


def _fix_plan(part: Part, cut: Text) -> FixPlan | None:
    """Cut at the greatest value that the description promises."""
    most = find_told_maximum(part)
    if most is None or most < 1:
        return None
    return FixPlan(f"cut at {most} at most", (Rewrite("clamp", cut.span, key=part.name, value=most),))
