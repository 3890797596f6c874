"""What a call of a library's function does, by its row in the tables of models and by what it is given."""

from functools import cache

from reviewer.code.events import Called
from reviewer.code.models import Act, Model, Models
from reviewer.code.state import Facts, constants_of
from reviewer.code.values import Library, Value


def acts_of(event: Called, models: Models) -> frozenset[Act]:
    """Return what a call does: nothing where an argument sends it elsewhere, as `file=sys.stderr` does with what is printed."""
    model = models.of(event.path) if event.path else None
    if model is None or not (model.acts or model.also):
        return NO_ACTS
    if model.unless and any(_is_otherwise(_given(event, name), kept) for name, kept in model.unless):
        return NO_ACTS
    found = _together(model.acts)
    for place, constant, acts in model.also:
        given = event.argument(place, *([model.keyword] if place == model.of else []))
        if given is not None and _holds(given, constant, event.facts):
            found |= frozenset(acts)
    return found


def argument_of(event: Called, model: Model) -> Value | None:
    """Return the argument of a call that its row names, None if the call does not hand it over."""
    return event.argument(model.of, *([model.keyword] if model.keyword else []))


def returns_of(event: Called, models: Models) -> str:
    """Return what the row of a library's function says that a call gives; empty for one of the project or without a row."""
    model = models.of(event.path) if event.path and not event.followed else None
    return model.returns if model is not None else ""


def _holds(value: Value, constant: str, facts: Facts) -> bool:
    """Return whether a value surely is a constant or something of a library, or holds it."""
    known = constants_of(value, facts)
    if known is not None:
        return {str(each) for _, each in known} == {constant}
    if value.things and all(isinstance(each, Library) and each.path == constant for each in value.things):
        return True
    return any(_holds(each, constant, facts) for each in (value.contents or {}).values())


NO_ACTS = frozenset[Act]()


@cache
def _together(acts: tuple[Act, ...]) -> frozenset[Act]:
    return frozenset(acts)


def _given(event: Called, name: str) -> Value | None:
    """Return an argument of the call, or of what made its receiver, by its name or its position."""
    if name in event.named:
        return event.named[name]
    held = event.receiver.contents or {} if event.receiver is not None else {}
    return held.get((name,)) or (event.argument(int(name)) if name.isdigit() and not held else None)


def _is_otherwise(value: Value | None, kept: tuple[str, ...]) -> bool:
    """Return whether an argument is given, and is none of the values with which a function acts as without it."""
    if value is None or value.constant in ((type(None), None), (bool, False)):
        return False
    return not any(isinstance(each, Library) and each.path in kept for each in value.things)
