'''A time that is a number has its unit in its name: `due_date_ms`.

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
from reviewer.facts.parts import types
from reviewer.patterns import pattern
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.outputs import has_answer, models, place
from reviewer.rules.words import words

TIMES = frozenset("date time at timestamp created updated deadline due expires modified deleted started ended".split())
UNITS = frozenset(
    "ms millis milliseconds s sec secs second seconds us ns min mins minute minutes hour hours day days week weeks month "
    "months year years epoch unix iso utc count id ids number zone".split()
)
UNIT = pattern(r"\b(milli|micro|nano)?seconds?\b|\bms\b|\bminutes?\b|\bhours?\b|\bdays?\b", re.IGNORECASE)
NUMBERS = frozenset({"integer", "number"})


def _is_time(part: Part) -> bool:
    """Tell whether a field is a number that is called after a moment, without a unit."""
    named = words(part.name)
    kinds = {kind for form in part.forms for kind in types(form)}
    if not named or not kinds & NUMBERS or set(named) & UNITS:
        return False
    return named[-1] in TIMES or (named[0] in ("date", "time", "timestamp") and len(named) > 1)


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: milliseconds epoch for times, suffix _ms",),
    when=has_answer,
    absent="no tool has an output schema with fields that can be read",
)
def check(tool: Tool) -> Iterator[Flaw]:
    """Look for numbers that are called after a moment."""
    for model in models(tool):
        for part in filter(_is_time, model.fields):
            said = UNIT.search(part.description)
            unit = f"; its description says `{said.group()}`" if said is not None else ""
            yield Flaw(
                place(tool, part.path, model.name),
                f"the time `{part.name}` in the answer of {tool.shown} is a number without its unit{unit}",
                f"Give milliseconds since 1970, and call it `{part.name}_ms`.",
            )
