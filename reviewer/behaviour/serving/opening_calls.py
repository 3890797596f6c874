"""Switches that open a server to any host or any page, found in what is passed to where it is served."""

from collections.abc import Mapping

from reviewer.code.events import Called, Occurrence
from reviewer.code.models import ActName
from reviewer.code.values import Made, Term, Value, find_original_term

LETTING = frozenset[ActName]({"lets in any host", "lets in any page"})
"""What opens a server by a switch of its own."""

OpeningCalls = Mapping[Term, Called]
"""What calls gave that let something in, each with the call."""


def find_opening_call(here: Occurrence, value: Value, letting: OpeningCalls, deep: int = 8) -> Called | None:
    """Return the call that opens what a value is, on all ways: the one that made it, or one that it was told before others."""
    here, value = here.trace_source(value)
    known = letting.get(find_original_term(value.term))
    if known is not None or not deep:
        return known
    if value.ways:
        found = [find_opening_call(here, each, letting, deep - 1) for each in value.ways]
        return found[0] if all(found) else None
    told = value.meaning.of[:1] if isinstance(value.meaning, Made) else ()
    for each in (*told, *(value.contents or {}).values()):
        within = find_opening_call(here, each, letting, deep - 1)
        if within is not None:
            return within
    return None
