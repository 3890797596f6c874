"""Connections whose other end is not verified: neither by its certificate nor by its host key."""

import re
from collections.abc import Callable, Iterator

from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Called, Event, Occurrence, Stored, Trace
from reviewer.code.models import ActName, Model, Models
from reviewer.code.values import ConditionalValue, Library, Made, Negation, Plain, Relation, Value
from reviewer.facts import Trust
from reviewer.source import Span
from reviewer.text.patterns import pattern

TRUSTS: ActName = "trusts anyone"


def iter_trusts(entry_points: EntryPoints) -> Iterator[Trust]:
    """Yield the connections that trust any other end, always or unless a setting says otherwise."""
    models = entry_points.program.models
    seen, left = set[Span](), set[Span]()
    for trace in entry_points.iter_traces_around(*_collect_words(models)):
        for each in trace.events:
            found = _find_trust(Occurrence(each), models)
            if found is None and _is_left_to_callers(each, models):
                left.add(each.text.span)
            elif found is not None and found.text.span not in seen:
                seen.add(found.text.span)
                if _is_done(each, entry_points):
                    yield found
    for found in _iter_trusts_by_callers(left, entry_points) if left else ():
        if found.text.span not in seen:
            seen.add(found.text.span)
            yield found
    for name, installed in ASKED.items():
        places = [each for by in installed for each in _iter_calls(by, entry_points)]
        if places and not any(_is_done(each, entry_points) for each in places):
            continue
        for span in entry_points.iter_methods(name):
            asked = entry_points.trace(span)
            if asked is not None and _accepts_anyone(asked):
                yield Trust(asked.code.extract_text(asked.code.at), name)


CHOOSING = pattern(
    r"verif|ssl|tls|secure|cert|trust|danger|strict|host_?key|known_?host|polic|auto_?add|dev|debug|local|test",
    re.IGNORECASE,
)
"""What a condition speaks of by which somebody chooses whether the other end is checked."""


def _is_chosen(here: Occurrence) -> bool:
    """Return whether somebody has to choose that a connection trusts anyone: a test asks for it, and is false by default."""
    for outer in here.iter_outwards():
        for each in outer.event.iter_outwards():
            if (
                each.condition == "test"
                and each.value is not None
                and CHOOSING.search(outer.event.code.extract_text(each.at))
            ):
                if _find_unset(each.value, DEEPEST) != (each.holds,):
                    return True
    return False


MAKING = frozenset({"", "__init__", "__post_init__", "new", "<module>"})
"""The names of code that runs whenever a module is read or an object is made."""


def _is_done(event: Event, entry_points: EntryPoints) -> bool:
    """Return whether something always happens, where it is written and on the way there, whatever a user chooses."""
    return not _is_chosen(Occurrence(event)) and _is_met(event, entry_points)


def _is_met(event: Event, entry_points: EntryPoints) -> bool:
    """Return whether a place is reached from an entry point or at start without a choice by a user.

    Methods that only a library calls, such as those of an adapter, are used where the object is passed to it, which is
    not seen.
    """
    if event.code.kind == "module" or event.code.name in MAKING:
        return True
    for entry_point in entry_points.find_entry_points(event.code):
        is_own = entry_point.trace.code is event.code
        if is_own and not any(entry_point.trace.code is trace.code for _, trace in entry_points.iter_calls()):
            continue
        for each in entry_point.trace.iter_occurrences(kinds=(type(event),)):
            if each.event.code is event.code and each.event.at == event.at and not _is_chosen(each):
                return True
    return False


ASKED = {
    "check_server_key": (),
    "verify_server_cert": ("with_custom_certificate_verifier", "set_certificate_verifier"),
}
"""The methods by which a library asks the project whether to trust the other end, with the calls that enable them:
russh asks any handler about the host's key, rustls asks about a certificate only a verifier that was set.
"""


def _iter_calls(name: str, entry_points: EntryPoints) -> Iterator[Called]:
    """Yield the calls of methods of a name."""
    for trace in entry_points.iter_traces_around(name):
        for each in trace.events:
            if isinstance(each, Called) and each.path.rpartition(".")[2] == name:
                yield each


def _accepts_anyone(trace: Trace) -> bool:
    """Return whether a function says yes whatever it is asked about: it gives the one answer on every way."""
    result = trace.result
    if result is None or trace.unreached:
        return False
    if result.constants is not None:
        return result.constants == {(bool, True)}
    calls = [each for each in trace.events if isinstance(each, Called)]
    return (
        len(calls) == 1
        and calls[0].path.endswith("ServerCertVerified.assertion")
        and result.term == calls[0].result.term
    )


def _collect_words(models: Models) -> frozenset[str]:
    """Return the words that stand wherever something is told to trust anyone, by the rows."""
    found = set[str]()
    for model in models.iter_models_naming(frozenset((TRUSTS,))):
        name = model.path.rpartition(".")[2]
        if TRUSTS in model.acts:
            found.add(name)
        for place, constant, acts in model.also:
            if TRUSTS in acts:
                is_path = "." in constant
                found.add(constant.rpartition(".")[2] if is_path else place if isinstance(place, str) else name)
    return frozenset(found)


def _find_row(event: Event, models: Models) -> Model | None:
    """Return the row of what a connection is told by an event; None if it is told nothing."""
    match event:
        case Called(followed=False, path=path):
            return models.find_model(path)
        case Stored(key=key) if key is not None and key.text is not None:
            kinds = event.owner.library_types
            return models.find_model(f"{kinds[0]}.{key.text}" if kinds else f".{key.text}")
    return None


def _is_left_to_callers(event: Event, models: Models) -> bool:
    """Return whether a connection is told to trust anyone or not by a value that only the callers of its function know.

    It may be a field of an object: `verify=self.verify`, by the default of a parameter of the constructor.
    """
    model = _find_row(event, models)
    if model is None:
        return False
    for place, _, acts in model.also:
        given = _find_given(event, place) if TRUSTS in acts else None
        if given is not None and given.constants is None and not given.things:
            return True
    return False


def _iter_trusts_by_callers(places: set[Span], entry_points: EntryPoints) -> Iterator[Trust]:
    """Yield the settings that trust anyone at some places when a tool comes there and nobody chooses it.

    A function inside another is lowered once by itself and once in it, so the places tell that events are the same.
    """
    models = entry_points.program.models
    for entry_point in entry_points.iter_tools():
        for each in entry_point.trace.iter_occurrences(kinds=(Called, Stored)):
            found = _find_trust(each, models)
            if found is not None and found.text.span in places and each.is_possible() and not _is_chosen(each):
                yield found


def _find_trust(here: Occurrence, models: Models) -> Trust | None:
    """Return the certificates that an event makes a connection trust unchecked; None if it makes it trust none, or check."""
    event = here.event
    model = _find_row(event, models)
    if model is None:
        return None
    if TRUSTS in model.acts and isinstance(event, Called):
        return Trust(event.text, model.path)
    for place, constant, acts in model.also:
        given = _find_given(event, place) if TRUSTS in acts else None
        if given is None:
            continue
        _, given = here.trace_source(given)
        if _is_certainly(given, constant):
            return Trust(event.text, model.path)
        if constant in ("True", "False") and _find_unset(given, DEEPEST) == (constant == "True",):
            return Trust(event.text, model.path, by_default=True)
    return None


def _find_given(event: Event, place: int | str) -> Value | None:
    if isinstance(event, Stored):
        return event.value
    assert isinstance(event, Called)
    return event.named.get(place) if isinstance(place, str) else event.find_argument(place)


def _is_certainly(value: Value, constant: str) -> bool:
    """Return whether a value is certainly a constant, or a library's value or object."""
    if value.constants is not None:
        return {str(each) for _, each in value.constants} == {constant}
    paths = [each.path for each in value.things if isinstance(each, Library)]
    if isinstance(value.meaning, Made):
        paths.append(value.meaning.by)
    name = constant.rpartition(".")[2]
    return "." in constant and any(each == constant or each.endswith(f".{name}") for each in paths)


DEEPEST = 10
"""How many values inside values are looked through: `os.getenv("VERIFY", "false").strip().lower() in ("1", "true")` has five."""


def _find_unset(value: Value, deep: int) -> tuple[Plain] | None:
    """Return the value without any setting, in a tuple: its default; None if there is none."""
    known = value.constants  # and not what a test told of it: that is what is asked
    if known is not None:
        return (next(iter(known))[1],) if len(known) == 1 else None
    if not deep:
        return None
    match value.meaning:
        case Negation(operand):
            found = _find_unset(operand, deep - 1)
            return (not found[0],) if found is not None else None
        case Relation("present", left):
            is_entry = isinstance(left.term, tuple) and left.term[0] == "item"
            return (False,) if is_entry else None
        case Relation("==", left, right) if right is not None:
            one, other = _find_unset(left, deep - 1), _find_unset(right, deep - 1)
            return (one == other,) if one is not None and other is not None else None
        case Relation("in", left, right) if right is not None:
            found = _find_unset(left, deep - 1)
            listed = [_find_unset(each, deep - 1) for each in (right.contents or {}).values()]
            return (found in listed,) if found is not None and listed and None not in listed else None
        case ConditionalValue(test, then, otherwise):
            found = _find_unset(test, deep - 1)
            return _find_unset(then if found[0] else otherwise, deep - 1) if found is not None else None
        case Made(by, of) if of:
            return _find_for_made(by, of, deep)
    return None


CASES: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "strip": str.strip,
    "upper": str.upper,
    "casefold": str.casefold,
}


def _find_for_made(by: str, of: tuple[Value, ...], deep: int) -> tuple[Plain] | None:
    name = by.rpartition(".")[2]
    is_named = by.startswith("os.")
    if name in ("getenv", "get") and len(of) >= (2 if is_named else 3):
        return _find_unset(of[-1], deep - 1)
    if name in ("getenv", "get"):
        return (None,) if is_named else None
    found = _find_unset(of[0], deep - 1)
    if found is not None and name in CASES and isinstance(found[0], str):
        return (CASES[name](found[0]),)
    return found if name in ("text", "str") else None
