"""Values that say that nothing is there, and texts that say that something was done or failed."""

import re

from reviewer.behaviour.failures.empties import NOTHING, SEQUENCES
from reviewer.behaviour.results.answers import classify_telling_field, index_by_name
from reviewer.code.values import Made, Value
from reviewer.text.patterns import pattern

DONE = pattern(
    r"\b(?:successfully|saved|created|deleted|removed|updated|sent|added|stored|written|uploaded|moved|copied|inserted|done)\b",
    re.IGNORECASE,
)
"""Words of a text that says that something was done."""


def is_nothing(value: Value) -> bool:
    """Return whether a value says that nothing is there: none, an empty text or container, or an object of such."""
    if isinstance(value.term, tuple) and value.term[1:] == ("default",):
        return True
    if value.constant is not None:
        given = value.constant[1]
        return given is not False and (not given or (isinstance(given, str) and says_nothing(given)))
    if not is_new(value) or classify_telling_field(value):
        return False
    held = (value.contents or {}).values()
    well = (each.constant == (bool, True) for each in held)
    return all(is_nothing(each) or is_well or _is_asked(each) for each, is_well in zip(held, well, strict=True)) and (
        not held or any(map(is_nothing, held))
    )


def says_nothing(text: str) -> bool:
    """Return whether a text says that nothing was found, and not that something failed."""
    return NOTHING.search(text) is not None and WHY.search(text) is None


def says_well(value: Value) -> bool:
    """Return whether an answer says in so many words that something was done."""
    said = index_by_name(value)
    if said:
        return any((each := said.get(name)) is not None and each.constant == (bool, True) for name in ("success", "ok"))
    texts = [
        value.text or "",
        *(each.text or "" for each in (value.meaning.of if isinstance(value.meaning, Made) else ())),
    ]
    return any(DONE.search(each) for each in texts) and not any(WHY.search(each) for each in texts)


def may_be_nothing(value: Value) -> bool:
    """Return whether a value is nothing, or still is where what came between failed."""
    sides = value.ways if isinstance(value.meaning, Made) else ()
    return is_nothing(value) or any(map(is_nothing, sides))


def _is_asked(value: Value) -> bool:
    """Return whether a value only says again what the call was given."""
    return bool(value.labels) and all(each.origin == "argument" for each in value.labels)


WHY = pattern(
    r"\b(?:error|fail(?:ed|ure)?|could ?n[o']t|cannot|can't|unable|unavailable|invalid|denied|try)\b", re.IGNORECASE
)
"""Words of a text that says that something failed."""


def is_new(value: Value) -> bool:
    """Return whether a value is a container that the function makes, with nothing in it at first."""
    if not isinstance(value.term, tuple) or value.term[:1] not in (("new",), ("call",)):
        return False
    kinds = value.library_types
    is_bare = (
        value.meaning is None if value.term[0] == "new" else isinstance(value.meaning, Made) and not value.meaning.of
    )
    return is_bare and bool(kinds) and all(each.rpartition(".")[2] in EMPTIED for each in kinds)


EMPTIED = SEQUENCES | {"dict", "String"}
"""How the types are called of what may be empty."""
