"""Patterns of the reviewed schemas, matched against reviewed values in linear time.

The engine of Python takes exponential time for some patterns: `(a+)+$` and forty letters never end. The one of pydantic-core,
which pydantic itself uses, takes time in proportion to the states of the pattern and the length of the text; where a pattern
has many states, because counted repetitions are nested, it is not run.
"""

import re

from reviewer.budget import get_budget
from reviewer.text.patterns import pattern

WORK = 5_000_000
"""States of a pattern times characters of a text. The engine does about ten million a second at its slowest; an honest pattern of
an identifier takes some hundred states, and its example some dozen characters."""
CHARGE = 20
"""How much of that work counts as one visit of a syntax node, which takes about as long."""
LONGEST_SHOWN = 60
"""Characters of a pattern that a message shows."""

_TOKEN = pattern(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<flags>\(\?[a-zA-Z-]+\))|(?P<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:|[=!]))?)|\{\d*,?\d*\}|.",
    re.DOTALL,
)
"""An escape, a class, flags, what opens a group, a repetition by number, or one character: what costs states, and how many
times."""


class UnknownMatchError(Exception):
    """Says that it is not known whether a pattern matches a text, and why."""


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches somewhere in a text.

    Raises UnknownMatchError for a pattern that the engine does not read or that is too much work.
    """
    from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema

    work = count_states(pattern) * (len(text) + 1)
    if work > WORK or not get_budget().affords("visits", 1 + work // CHARGE):
        raise UnknownMatchError(f"the pattern {_show(pattern)} would take too long")
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")).validate_python(text)
    except ValidationError as error:
        if error.errors()[0]["type"] != "string_pattern_mismatch":
            raise UnknownMatchError("a lone surrogate is no text") from None
        return False
    except (SchemaError, ValueError):
        why = "with lookaround, back references or a fault"
        raise UnknownMatchError(f"the pattern {_show(pattern)} is one {why}") from None
    return True


def _show(pattern: str) -> str:
    return f"`{pattern if len(pattern) <= LONGEST_SHOWN else pattern[: LONGEST_SHOWN - 3] + '...'}`"


def count_states(pattern: str) -> int:
    """Return at most how many states a pattern takes: its atoms, each as often as it is repeated by number."""
    sizes, atoms = [0], [0]  # what each open group holds, and the last atom of it
    for token in _TOKEN.finditer(pattern):
        said = token.group()
        if token["flags"]:
            continue
        if token["open"]:
            sizes.append(0)
            atoms.append(0)
        elif said == ")" and len(sizes) > 1:
            inner = sizes.pop() + 1
            atoms.pop()
            sizes[-1] += inner
            atoms[-1] = inner
        elif said.startswith("{") and len(said) > 1:
            times = max((int(each[:9]) for each in re.findall(r"\d+", said)), default=1)
            sizes[-1] += atoms[-1] * max(times - 1, 0)
            atoms[-1] *= max(times, 1)
        elif said not in "*+?|^$":
            sizes[-1] += 1
            atoms[-1] = 1
    return sum(sizes) + 1
