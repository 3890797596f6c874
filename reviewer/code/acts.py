"""What a call of a library's function does, by its row in the tables of models and by what it is given."""

from reviewer.code.events import Called
from reviewer.code.models import Act, Models
from reviewer.code.state import constants_of
from reviewer.code.values import Library, Value


def acts_of(event: Called, models: Models) -> frozenset[Act]:
    """Return what a call does: nothing where an argument sends it elsewhere, as `file=sys.stderr` does with what is printed."""
    model = models.of(event.path) if event.path else None
    if model is None or any(_is_otherwise(_given(event, name), kept) for name, kept in model.unless):
        return frozenset()
    found = frozenset[Act](model.acts)
    for place, constant, acts in model.also:
        given = event.argument(place)
        known = constants_of(given, event.facts) if given is not None else None
        if known is not None and {str(each) for _, each in known} == {constant}:
            found |= frozenset(acts)
    return found


def _given(event: Called, name: str) -> Value | None:
    """Return an argument of the call, or of what made its receiver: by its name, there also by its position."""
    if name in event.named or event.receiver is None:
        return event.named.get(name)
    return (event.receiver.contents or {}).get((name,))


def _is_otherwise(value: Value | None, kept: tuple[str, ...]) -> bool:
    """Return whether an argument is given, and is none of the values with which a function acts as without it."""
    if value is None or value.constant in ((type(None), None), (bool, False)):
        return False
    return not any(isinstance(each, Library) and each.path in kept for each in value.things)
