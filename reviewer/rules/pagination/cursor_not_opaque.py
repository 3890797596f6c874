'''Cursors are opaque to clients.

A client that knows that a cursor is an offset, a page number or the base64 of something builds its own: it skips pages,
guesses, and continues after the data has changed, and the server can never change the format. Clients only need to know where a
cursor comes from: the `next_cursor` of the previous page. For pages that clients may choose freely, use `offset` or `page`. A
cursor that is a plain number reveals its format, too, whatever the description says.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(cursor: str | None = None, limit: int = 20) -> dict:
    """List the ropes, a page at a time. The cursor is the offset of the first rope."""  # flaw
    return page(cursor, limit)
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(cursor: str | None = None, limit: int = 20) -> dict:
    """List the ropes, a page at a time. Hand in the next_cursor of the page before as cursor."""
    return page(cursor, limit)
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Cursor, Part, Tool
from reviewer.facts.parts import is_number
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.lists import BOUNDS, is_list
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.promises import iter_top_level
from reviewer.text.patterns import pattern

CURSORS = frozenset(
    {"cursor", "next_cursor", "page_cursor", "pagination_cursor", "start_cursor", "after_cursor", "page_token"}
    | {"next_page_token", "continuation_token", "cursor_token"}
)
"""Whole names: `cursor_position` is one on a screen, and `access_token` and `page` alone are no cursors."""

NAME = r"\b(?:cursors?|page[_\s]?tokens?|continuation[_\s]?tokens?)\b[`'\"]*"
"""What a text calls a cursor, between words of any kind."""

PLACE = r"(?:(?:(?:page|row|record|item|line)[\s_-]?)?(?:number|index|offset)|position|number\s+of\s+\w+\s+to\s+skip)"
"""A place that a client can count itself."""

KIND = (
    r"(?:(?:an?|the|its|numeric\w*|integer|zero-based|[01]-based|plain|stringified|starting|start|next|current|raw|row|item"
    r"|decimal)\s+){0,6}"
)
"""Up to six words before it: "the next zero-based integer offset"."""

ENCODED = r"(?:the\s+|an?\s+)?(?:base\s?64|hex)\w*(?:[\s-]+(?:encoded|of|encoding|json|string))+[^.;]{0,40}?\b"
"""A place that is only written otherwise, of which the text tells how: a client that can undo it can make one."""

MADE = rf"(?:(?:{KIND}|{ENCODED}){PLACE}\b)"
"""Of what a cursor is said to be made."""

TELLS = pattern(
    rf"{NAME}\s*\((?:i\.e\.\s*)?{MADE}"
    rf"|{NAME}\s*(?:is|are|=|:|means|equals|holds|contains|encodes|as|into|-|–|—)\s*(?:(?:just|simply|really)\s+)?{MADE}"
    rf"|{MADE}(?:\s+\w+){{0,2}}\s+(?:as|serves\s+as)\s+(?:an?\s+|the\s+)?{NAME}"
    rf"|\b(?:comput|calculat|build|construct|increment|add)\w*\b[^.;\n]{{0,40}}\b{NAME}"
    rf"|{NAME}\s*(?:\+|plus)\s*`?(?:limit|page_size)|{NAME}\s*(?:=|is|:)\s*`?(?:offset|page)\s*(?:\+|\*|plus|times)",
    re.IGNORECASE,
)
"""What says of what a cursor is made: in brackets behind it, by a verb, the other way round (`the offset as cursor`), as a
recipe (`add limit to the cursor`), as a formula (`cursor + limit`). A client that is told so makes cursors itself."""

OWN = pattern(rf"^\s*(?:optional\s+|pagination\s+)*{MADE}", re.IGNORECASE)
"""As `MADE`, at the beginning of the cursor's own description, which does not repeat its name: "Offset of the first
row".
"""

NOT = pattern(
    r"\bopaque|\b(?:not|never|n't|nor|rather\s+than|instead\s+of|without)\b|\b(?:returned|given|from)\b[^.;]{0,40}\b(?:previous|before|last|prior|earlier)\b",
    re.IGNORECASE,
)
"""What takes it back: "not an offset", "opaque", "returned by the previous call"."""

HELP = "Only say where it comes from: the `next_cursor` of the previous page, an opaque string."


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    numbers: bool = declare_option(
        False, "Whether to report a cursor of a numeric type even if no text says how to construct it."
    )


def _iter_cursors(tool: Tool) -> Iterator[Part]:
    """Yield the arguments that are cursors of pages; a cursor on a screen or in a text has no page beside it."""
    parts = list(iter_top_level(tool.arguments))
    sized = is_list(tool.name, ("list", "search", "find", "query")) or any(
        BOUNDS - {"cursor"} & set(split_words(part.name))
        for part in parts
        if "_".join(split_words(part.name)) not in CURSORS
    )
    yield from (part for part in parts if sized and "_".join(split_words(part.name)) in CURSORS)


def _find_telling_sentence(text: str, pattern: re.Pattern[str]) -> str | None:
    """Return the sentence of a text that tells how a cursor is made."""
    sentences = re.split(r"(?<=[.;!?])\s+|\n", text)
    return next((each for each in sentences if pattern.search(each) and not NOT.search(each)), None)


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R2", "MCP 2026-07-28 server/utilities/pagination"),
    when=lambda subject, options: isinstance(subject, Cursor) or any(True for _ in _iter_cursors(subject)),
    absent="no tool takes a cursor",
)
def check(subject: Tool | Cursor, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each text or type that says what a cursor consists of, and for each cursor that shows it."""
    if isinstance(subject, Cursor):
        if subject.plain is not None and subject.bare is None:  # one that is bare has to become another anyway
            message = (
                f"the cursor is a plain number, which clients can compute themselves: `{shorten_code(subject.plain)}`"
            )
            yield Flaw(
                subject.plain,
                message,
                "Encode it together with the list it belongs to: `base64(json({kind, offset}))`.",
            )
        if subject.composed is not None:
            yield Flaw(
                subject.composed,
                f"the cursor consists of parts that clients can read: `{shorten_code(subject.composed)}`",
                "Encode it as a whole: `base64(json({scope, key}))`.",
            )
        return
    tool = subject
    for part in _iter_cursors(tool):
        own = _find_telling_sentence(part.description, TELLS) or _find_telling_sentence(part.description, OWN)
        said = _find_telling_sentence(tool.said or "", TELLS) if own is None else None
        if own is not None or (said is not None and tool.said is not None):
            at = tool.place((*part.path, "description")) if own is not None else tool.said.span  # type: ignore[union-attr]
            yield Flaw(
                at,
                f"the description of {tool.shown} reveals the format of the cursor: `{shorten_code(own or said or '')}`",
                HELP,
                tool,
            )
        elif options.numbers and is_number(part):
            yield Flaw(
                tool.place(part.path),
                f"`{part.name}` of {tool.shown} is a number, which clients can compute themselves",
                HELP,
                tool,
            )
