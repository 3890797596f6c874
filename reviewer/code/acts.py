"""What a call of a library's function does, by its row in the tables of models and by what it is given."""

from typing import cast

from reviewer.caching import cache
from reviewer.code.events import Called, Event
from reviewer.code.models import ActName, Model, Models
from reviewer.code.state import Facts, infer_constants
from reviewer.code.values import ABSENT, ELEMENT, Instance, Library, Made, Thing, Value, is_function

LOGGING = frozenset({"logs", "prints", "prints to stderr"})
"""Acts by which people read something, and no client: logs, and streams that are kept."""

SAYING = LOGGING | {"logs to client"}
"""Acts that only show something: logged values have no other use."""


LEFT_OUT = "left out"
"""What stands in a row for an argument that a call does not have."""


def collect_acts(event: Event, models: Models) -> frozenset[ActName]:
    """Return the effects of a call: none where an argument sends it elsewhere, as `file=sys.stderr` does with what is printed.

    An event that is no call has none.
    """
    if not isinstance(event, Called):
        return NO_ACTS
    if event.acts is None:
        event.acts = _read_acts(event, models)
    return cast("frozenset[ActName]", event.acts)


def _read_acts(event: Called, models: Models) -> frozenset[ActName]:
    model = models.find_model(event.path) if event.path else None
    if model is None or not (model.acts or model.also):
        return NO_ACTS
    if model.unless and any(_is_otherwise(_find_given(event, name), kept) for name, kept in model.unless):
        return NO_ACTS
    if not model.takes_function and any(map(is_function, event.arguments)):
        return NO_ACTS
    for at, constants in model.idle:
        given = _find_argument_at(event, at, model)
        if given is not None and any(_matches_constant(given, each, event.facts) for each in constants):
            return NO_ACTS
    found = _join_acts(model.acts)
    for place, constant, acts in model.also:
        given = _find_argument_at(event, place, model)
        is_left_out = given is None and constant == LEFT_OUT and not event.is_open
        if is_left_out or (given is not None and _matches_constant(given, constant, event.facts)):
            found |= frozenset(acts)
    if "waits endlessly" in found and _is_bounded(event, model, models) is not False:
        found -= ENDLESSLY
    return found


def find_modelled_argument(event: Called, model: Model) -> Value | None:
    """Return the argument of a call that its row names, None if the call does not hand it over."""
    return event.find_argument(model.of, *([model.keyword] if model.keyword else []))


def find_modelled_return(event: Called, models: Models) -> str:
    """Return the result of a call by the row of the library's function; empty for a project function or without a row."""
    model = models.find_model(event.path) if event.path and not event.followed else None
    return model.returns if model is not None else ""


def _matches_constant(value: Value, constant: str, facts: Facts) -> bool:
    """Return whether a value certainly is, or contains, a constant, a library's value or an object of its type."""
    known = infer_constants(value, facts)
    if known is not None:
        return {str(each) for _, each in known} == {constant}
    if value.things and all(_get_path(each) == constant for each in value.things):
        return True
    return any(_matches_constant(each, constant, facts) for each in (value.contents or {}).values())


def _get_path(thing: Thing) -> str:
    """Return the path of what is of a library, or of its type if it is an object; empty for anything else."""
    made = thing.of if isinstance(thing, Instance) else thing
    return made.path if isinstance(made, Library) else ""


def _is_bounded(event: Called, model: Model, models: Models) -> bool | None:
    """Return whether something that the call or its receiver was told bounds how long it waits, None if that is not known."""
    if event.is_open:
        return None
    told = (event.arguments[int(each)] for each in model.timeout if each.isdigit() and int(each) < len(event.arguments))
    if any(_is_bound(each, models, event.facts) for each in (*told, *map(event.named.get, model.timeout))):
        return True
    receiver = event.receiver
    is_object = receiver is not None and (
        _is_part(receiver) or any(isinstance(each, Instance) for each in receiver.things)
    )
    return bounds_of(receiver, model.timeout, models, event.facts) if receiver is not None and is_object else False


def bounds_of(value: Value, names: tuple[str, ...], models: Models, facts: Facts) -> bool | None:
    """Return whether an object was told one of some bounds, or that of which it was made; None if that is not known."""
    held = value.contents or {}
    if any(_is_bound(held.get((each,)), models, facts) for each in names):
        return True
    if value.ways:
        return _bounds_any(value.ways, names, models, facts)
    match value.meaning:
        case Made(_, (whole,)) if _is_part(value):
            return bounds_of(whole, names, models, facts)
        case Made(by, of):
            row = models.find_model(by)
            is_fixed = row is not None and "told once" in row.traits
            is_global = isinstance(value.term, tuple) and value.term[0] == "global"
            is_seen = value.contents is not None and (is_fixed or not is_global)
            if row is None or row.returns != "new" or not is_seen or (REST,) in held or ELEMENT in held:
                return None  # what a module or a constructor told it after it was made is not seen where it is used
            told = tuple(of[int(each)] for each in row.timeout if each.isdigit() and int(each) < len(of))
            if told:
                return _bounds_any(told, names, models, facts)
            owner = by.rpartition(".")[0]
            if of and _is_instance_of(of[0], owner):
                return bounds_of(of[0], names, models, facts)
            is_method = bool(of) and row.type not in ("", owner) and owner.rpartition(".")[2][:1].isupper()
            return None if is_method else False  # of what object is not known
    return None


def _is_part(value: Value) -> bool:
    """Return whether a value is a part of a library's object, of which no row tells what it is: `client.models`."""
    match value:
        case Value(meaning=Made(by, (_,)), things=(Library(path),)):
            return by == path
    return False


def _bounds_any(values: tuple[Value, ...], names: tuple[str, ...], models: Models, facts: Facts) -> bool | None:
    """Return whether any of some objects was told a bound, but for what is none; None if that is not known of one."""
    there = [each for each in values if each.failure is None and infer_constants(each, facts) != ABSENT]
    found = [bounds_of(each, names, models, facts) for each in there]
    return True if True in found else None if None in found or not found else False


def _is_bound(value: Value | None, models: Models, facts: Facts) -> bool:
    """Return whether what a call was told may bound how long it waits: it is something, or holds that, as `Timeout(5)` does."""
    if value is None or infer_constants(value, facts) == ABSENT:
        return False
    kinds = [each.of for each in value.things if isinstance(each, Instance)]
    rows = [models.find_model(each.path) for each in kinds if isinstance(each, Library)]
    names = {name for each in rows if each is not None for name in each.timeout}
    return not names or bounds_of(value, tuple(names), models, facts) is not False


def _is_instance_of(value: Value, path: str) -> bool:
    return any(isinstance(each, Instance) and each.of == Library(path) for each in value.things)


NO_ACTS = frozenset[ActName]()

ENDLESSLY = frozenset[ActName]({"waits endlessly"})
"""Taken away where the call, or what it is called on, bounds the wait."""

REST = "**"
"""The key under which an object holds constructor arguments of unknown names."""


@cache
def _join_acts(acts: tuple[ActName, ...]) -> frozenset[ActName]:
    return frozenset(acts)


def _find_argument_at(event: Called, place: int | str, model: Model) -> Value | None:
    """Return an argument by its position or its name."""
    if isinstance(place, str):
        return _find_given(event, place)
    return event.find_argument(place, *([model.keyword] if place == model.of else []))


def _find_given(event: Called, name: str) -> Value | None:
    """Return an argument of the call, or of what made its receiver, by its name or its position."""
    if name in event.named:
        return event.named[name]
    held = event.receiver.contents or {} if event.receiver is not None else {}
    return held.get((name,)) or (event.find_argument(int(name)) if name.isdigit() and not held else None)


def _is_otherwise(value: Value | None, kept: tuple[str, ...]) -> bool:
    """Return whether an argument is given, and is none of the values with which a function acts as without it."""
    if value is None or value.constant in ((type(None), None), (bool, False)):
        return False
    if value.constant is not None and str(value.constant[1]) in kept:
        return False
    return not any(isinstance(each, Library) and each.path in kept for each in value.things)
