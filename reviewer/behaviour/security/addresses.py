"""Whether an address is the loopback interface's."""

import re

from reviewer.behaviour.values.possible_texts import PossibleTexts
from reviewer.code.events import Occurrence
from reviewer.code.values import ConditionalValue, Library, Made, Value
from reviewer.text.patterns import pattern

# By address or by name, with or without a port, and the constants that languages have for it.
LOOPBACK = pattern(r"^(?:127\.\d+\.\d+\.\d+|localhost|\[?::1\]?|.*\bLOCALHOST\b.*)(?::|$)", re.IGNORECASE)
# What looks like an address at all; a text that does not may be anything, and nothing is said of it.
ADDRESS = pattern(r"\b(?:LOCALHOST|UNSPECIFIED)\b|\d+\.\d+\.\d+\.\d+|\[?::|^[\w.-]*[a-z][\w.-]*(?::|$)", re.IGNORECASE)
DEEPEST = 6
"""How many values inside values are looked through: a parsed text of a format of an option has four."""


def is_loopback(occurrence: Occurrence, value: Value, possible: PossibleTexts, deep: int = DEEPEST) -> bool | None:
    """Return whether an address is the loopback interface's only, None if nothing tells."""
    texts = {each for each in possible.evaluate(occurrence, value).found if ADDRESS.search(each)}
    if texts:
        return all(LOOPBACK.search(each) is not None for each in texts)
    outer, value = occurrence.trace_source(value)
    numbers = [each.constant[1] for each in (value.contents or {}).values() if each.constant is not None]
    if len(numbers) == 4 and all(type(each) is int for each in numbers):
        return numbers[0] == 127
    names = {each.path.rpartition(".")[2] for each in value.things if isinstance(each, Library)}
    match value.term:
        case ("global", *_, (*_, str(name))):
            names.add(name)
    if not names.isdisjoint(("UNSPECIFIED", "LOCALHOST")):
        return "LOCALHOST" in names
    inner: tuple[Value, ...] = tuple((value.contents or {}).values())
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            inner += (then, otherwise)
        case Made(by, of) if by not in ("item", "element") and not possible.is_setting(by):
            inner += of
    found = [is_loopback(outer, each, possible, deep - 1) for each in inner] if deep else []
    return False if False in found else True if True in found else None
