'''Long-running tools report progress or document how long they take.

A client that hears nothing for a minute assumes that the call is dead: it gives up, retries and starts the work a second time.
If a tool waits until a job is done, progress keeps the client waiting; without progress, only the description can say how long
a call may take, or that it sends no progress. The same applies if the code allows a wait of a minute or more. Progress that a
description promises but the code never sends is worse than none.

Bad:

```python
import asyncio

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(clay: str) -> str:
    """Fire a piece of clay."""
    job = await kiln.start(clay)
    while not await kiln.is_done(job):
        await asyncio.sleep(5)  # flaw
    return job
```

Good:

```python
import asyncio

from mcp.server import MCPServer

mcp = MCPServer("kiln")

@mcp.tool()
async def fire(clay: str) -> str:
    """Fire a piece of clay. Takes up to ten minutes, and sends no progress."""
    job = await kiln.start(clay)
    while not await kiln.is_done(job):
        await asyncio.sleep(5)
    return job
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.handler_effects import format_way, iter_acts
from reviewer.rules.shared.words.identifiers import shorten_code, split_words
from reviewer.rules.shared.words.promises import iter_top_level
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern

SAYS = pattern(
    r"\b(?:progress|poll\w*|(?:milli)?seconds?|secs?|minutes?|mins?|hours?|long|slow\w*|wait\w*|block(?:s|ing)|time-?\s?outs?"
    r"|tim(?:es|ed)\s+out|duration|until|background|(?:a)?synchronous\w*|complet\w+|finish\w*|delay\w*|sleep\w*|watch\w*|a\s+while"
    r"|tak(?:e|es|ing)\s+(?:some\s+time|time|up\s+to|a\s+(?:while|few|moment))|expensive)\b",
    re.IGNORECASE,
)
"""Any word that speaks of time, read generously: a client that was told anything about it knows that it has to wait."""

PROMISE = pattern(
    r"\b(?:report|send|give|tell|stream|emit|show|notif(?:y|ie))(?:s|ing)?\s+(?:\w+\s+){0,2}?progress\b"
    r"|\bwith\s+progress\s+(?:notifications|reports|updates)\b"
    r"|\bprogress\s+(?:is|notifications\s+are)\s+(?:reported|told|sent|streamed|shown)\b",
    re.IGNORECASE,
)
"""What promises progress; `sends no progress` does not."""

PLEDGE = pattern(
    r"\bprogress\s+(?:is|notifications\s+are)\s+(?:reported|told|sent|streamed)\b(?!\s+(?:in|as|by)\b)"
    r"|\b(?:report|send|stream|emit)s?\s+progress\s+(?:notifications|while|as\s+it|on\s+the\s+way|during|to\s+the\s+client)\b"
    r"|\b(?:report|send|stream|emit)s?\s+(?:an?\s+|its\s+)?progress\s+(?:updates?|messages?)\b"
    r"(?!\s+(?:of|about|on|by|via|from)\b|\s+to\s+(?!the\s+client\b))"
    r"|\b(?:report|send|stream|emit)s?\s+progress\s+(?:after|for|at|with)\s+(?:each|every)\s+step\b"
    r"|\b(?:get|receive)s?\s+progress\s+(?:notifications|updates|reports)\b"
    r"|\bwith\s+progress\s+(?:notifications|on\s+the\s+way)\b",
    re.IGNORECASE,
)
"""Texts that promise progress of the call itself: `shows progress` may be about a job that the client asks for, and
`sends a progress update to the team` is what the tool is for.
"""

DENIAL = pattern(r"\b(?:no|not|never|without|n't)\b(?:\s+\w+){0,3}\s+progress\b", re.IGNORECASE)
"""Up to three words between: "does not send any progress"."""

NAMES = frozenset("wait waits poll sleep watch timeout timeouts deadline interval delay await".split())
"""Words in a name by which it says that the call lasts, or that the client says how long: `wait_for_build`,
`timeout_seconds`."""


def _mentions_duration(tool: Tool) -> bool:
    """Return whether a tool says anywhere that it takes its time, or leaves it to the client how long."""
    parts = list(iter_top_level(tool.arguments))
    texts = [tool.said or "", *(part.description for part in parts)]
    called = [str(tool.name), *(part.name for part in parts)]
    return any(map(SAYS.search, texts)) or any(NAMES & set(split_words(each)) for each in called)


def _promises(tool: Tool) -> bool:
    said = tool.said or ""
    return PROMISE.search(said) is not None and DENIAL.search(said) is None


def _iter_broken(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding if a tool promises progress or takes the client's token, and its code certainly sends none."""
    said = tool.description if isinstance(tool.description, Text) else None
    if "progress" in split_words(str(tool.name)) or (said is not None and DENIAL.search(said)):
        return
    is_pledged = said is not None and PLEDGE.search(said) is not None
    silent = next(iter_acts(tool.code, "tells no progress"), None) if is_pledged or tool.code is not None else None
    if silent is None:
        return
    if not is_pledged and silent.about is not None:
        yield Flaw(
            silent.about,
            f"{tool.shown} takes the client's progress token but sends no progress",
            "Send progress with the token, or leave the token out.",
            tool,
        )
    elif is_pledged and said is not None:
        yield Flaw(
            said,
            f"{tool.shown} sends no progress, although its description promises it",
            "Send progress with the client's token, or say in the description that there is none.",
            tool,
        )


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R4", "MCP 2026-07-28 basic/patterns/progress"),
    when=lambda tool: tool.code is not None,
    absent="no tool's code was found",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Yield a finding for each tool that takes long, sends no progress and does not say so."""
    if tool.code is None or isinstance(tool.description, Opaque):
        return
    act = next(iter_acts(tool.code, "waits"), None)
    if act is None:
        yield from _iter_broken(tool)
        return
    lasts = f"{tool.shown} waits for `{shorten_code(act.text)}`{format_way(act, tool.code)}"
    if _promises(tool):
        yield Flaw(
            act.text,
            f"{lasts} and sends no progress, although its description promises it",
            "Send progress with the client's token, or say in the description that there is none, and how long a call may take.",
            tool,
        )
        return
    if _mentions_duration(tool):
        return
    yield Flaw(
        act.text,
        f"{lasts}, sends no progress and does not say how long it takes",
        "Send progress with the client's token, or say in the description how long a call may take.",
        tool,
    )
