'''Numeric time fields include the unit in their name, such as `due_date_ms`.

Seconds and milliseconds look alike until a date is off by a factor of a thousand. A name is read with every value; a
description is read once, if at all.

Bad:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    due_date: int  # flaw

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```

Good:

```python
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel

mcp = FastMCP("letters")

class LetterResult(BaseModel):
    id: str
    due_date_ms: int

@mcp.tool(name="letter.get")
def letter_get(id: str) -> LetterResult:
    """Get a letter."""
```
'''

import re
from collections.abc import Iterator

from reviewer.facts import Part, Tool
from reviewer.facts.parts import list_types
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.outputs import has_answer, iter_answer_objects, place
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.text.patterns import pattern

TIMES = frozenset("date time at timestamp created updated deadline due expires modified deleted started ended".split())
"""Words that a moment is called by. `start`, `end` and `last` are left out: a place in a list has these names, too."""

STAMPS = frozenset({"date", "date-time"})
"""Formats of a moment that is written as text."""

UNITS = frozenset(
    "ms millis milliseconds s sec secs second seconds us ns min mins minute minutes hour hours day days week weeks month "
    "months year years epoch unix iso utc count id ids number zone".split()
)
"""Words that tell the unit, or that it is no moment (`update_count`, `time_zone`). More hide a fault, fewer are false
alarms."""

WRITTEN = pattern(r"\bISO[- ]?8601\b|\bRFC[- ]?3339\b|^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:)")
"""How a description or an example tells that a text is a moment."""

UNIT = pattern(r"\b(milli|micro|nano)?seconds?\b|\bms\b|\bminutes?\b|\bhours?\b|\bdays?\b", re.IGNORECASE)
"""The unit that only the description tells: the message repeats it, for the guidelines want it in the name (`due_date_ms`)."""

EPOCH = pattern(r"\bepoch\b|\bunix\s+time|\bsince\s+1970\b", re.IGNORECASE)
"""How a description tells that a number is a moment."""

NUMBERS = frozenset({"integer", "number"})
"""A moment as a text has its own form and is looked at by the option `texts`."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    texts: bool = declare_option(False, "Whether to report times in text form, such as ISO 8601, as well.")


def _is_text(part: Part) -> bool:
    """Return whether a field is text that is called after a moment, or whose format says that it is one."""
    texts = [form for form in part.forms if "string" in list_types(form) and "enum" not in form]
    named = split_words(part.name)
    called = named[-1:] != () and (named[-1] in TIMES or named[0] in TIMES) and not set(named) & {"zone", "id", "name"}
    shown = [part.description, *(str(each) for each in part.find_keyword("examples") or () if isinstance(each, str))]
    told = any(map(WRITTEN.search, shown))
    return any(form.get("format") in STAMPS or called or told for form in texts)


def _is_time(part: Part) -> bool:
    """Return whether a field is a number that is called after a moment, or told to be one, without a unit."""
    named = split_words(part.name)
    kinds = {kind for form in part.forms for kind in list_types(form)}
    if not named or not kinds & NUMBERS:
        return False
    if EPOCH.search(part.description):
        return named[-1] not in ("ms", "millis", "milliseconds")
    if set(named) & UNITS:
        return False
    return named[-1] in TIMES or (named[0] in ("date", "time", "timestamp") and len(named) > 1)


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: milliseconds epoch for times, suffix _ms",),
    when=lambda tool, options: has_answer(tool),
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each numeric time without a unit in its name, and for each time that is text."""
    for model in iter_answer_objects(tool):
        for part in filter(_is_text, model.fields) if options.texts else ():
            yield Flaw(
                place(tool, part.path, model.name),
                f"the time `{part.name}` in the answer of {tool.shown} is a string",
                f"Return milliseconds since 1970 as a number, and name it `{part.name}_ms`.",
            )
        for part in filter(_is_time, model.fields):
            said = UNIT.search(part.description)
            unit = f"; its description says `{said.group()}`" if said is not None else ""
            yield Flaw(
                place(tool, part.path, model.name),
                f"the time `{part.name}` in the answer of {tool.shown} is a number without a unit{unit}",
                f"Return milliseconds since 1970, and name it `{part.name}_ms`.",
            )
