"""What a guard leaves of a list, and whether anything is done with it by who calls the guard."""

from typing import NamedTuple

from reviewer.behaviour.arguments.inputs import is_length
from reviewer.code.events import Assigned, Awaited, Called, Event, Indexed, Tested
from reviewer.code.ir import Site
from reviewer.code.values import Term, Value

MOST = 320
"""Values waiting to be searched: beyond them the list counts as kept, which is the answer without a finding.

The tests of the rules have up to 22.
"""


class Kept(NamedTuple):
    """What is left of a list by a guard that is called at a place: under which keys it is given, and as what."""

    guard: Site
    keys: frozenset[str]
    terms: frozenset[Term]

    def is_used(self, event: Event) -> bool:
        """Return whether something is done with it: it is read, handed over, gone through, and not only measured."""
        match event:
            case Tested() | Awaited() | Assigned():
                return False
            case Indexed(owner=owner) if _is_via(owner.term, self.guard):
                return False
            case Called(result=result) if is_length(result):
                return False
        return any(map(self._derives_from_rest, event.values))

    def _derives_from_rest(self, value: Value) -> bool:
        """Return whether a value is what is left, holds it, or is made of it; or may be, of so many parts."""
        pending, seen = [value], {value}
        for each in pending:
            if self._names(each.term):
                return True
            parts = (
                ()
                if is_length(each) or self._find_part_key(each.term)
                else (*each.sources, *(each.contents or {}).values())
            )
            pending += [part for part in parts if part not in seen]
            seen.update(parts)
            if len(pending) > MOST:
                return True
        return False

    def _find_part_key(self, term: Term) -> str:
        """Return under which key a guard gives what has a term, empty if it is no part of that."""
        match term:
            case ("item" | "field" | "entry", owner, ("constant", _, key) | (key,) | key) if _is_via(owner, self.guard):
                return str(key)
        return ""

    def _names(self, term: Term) -> bool:
        """Return whether a term is of what is left, and of nothing that is said of the rest."""
        match term:
            case ("length", *_):
                return False
            case _ if self._find_part_key(term):
                return self._find_part_key(term) in self.keys
            case ("via", site, inner) if site == self.guard:
                return inner in self.terms or _is_joined(inner)
            case tuple():
                return any(map(self._names, term))
        return False


def _is_via(term: Term, at: Site) -> bool:
    """Return whether a term is what a call at a place gives as a whole."""
    match term:
        case ("via", site, *_):
            return site == at
    return False


def _is_joined(term: Term) -> bool:
    """Return whether a term is what a function of several returns gives."""
    match term:
        case ("join", ((("returns", *_), _), *_), *_) | ("join", (("returns", *_), *_), *_):
            return True
    return False
