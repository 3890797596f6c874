"""Cursors that are put together of several parts as anybody reads them: a client can take one apart and write one itself."""

from collections.abc import Iterator

from reviewer.behaviour.paging.bare_cursors import ADDING, PUTTING, RENDERING
from reviewer.behaviour.paging.pages import is_next_cursor
from reviewer.behaviour.security.checks import is_field
from reviewer.code.events import Occurrence
from reviewer.code.models import Models
from reviewer.code.values import ConditionalValue, Made, Value, find_original_term, get_term_head

PICKING = frozenset({"element", "nth", "element or else"})
"""What models call functions that give an element of a list as it is."""

ELSEWHERE = frozenset({"network", "random", "secret"})
"""Where parts come from that say nothing of their own: what another service calls its place, a salt, a signature."""

READABLE = frozenset({"argument", "field", "entry", "element", "item", "input", "join"})
"""How the terms of values begin of which it is seen that no call makes them."""

CODING = frozenset({"encodes", "hashes"})
"""What makes of a part something that nobody reads."""

DEEPEST = 10
"""Values inside values that are looked through: a text of a field of an element has four."""


def is_composed(here: Occurrence, cursor: Value, models: Models, deep: int = DEEPEST) -> bool:
    """Return whether a cursor is a text of several parts, or an object written as a text, and each part can be read.

    A single key is no such text: it says only which element was the last.
    """
    here, cursor = here.trace_source(cursor)
    match cursor.meaning:
        case ConditionalValue(_, then, otherwise):
            return deep > 0 and any(is_composed(here, each, models, deep - 1) for each in (then, otherwise))
        case Made(by, (written, *_)) if "serialises" in models.get_model(by).acts:
            held = here.trace_source(written)[1].contents
            parts = [each for each in held.values() if each.constants is None] if isinstance(held, dict) else []
            return bool(parts) and all(_is_readable(here, each, models, deep) for each in parts)
        case Made("text"):
            texts = list(_iter_text_parts(here, cursor, deep))
            varying = [(at, each) for at, each in texts if each.constants is None]
            is_parted = any(each.text for _, each in texts)
            return len(varying) > 1 and is_parted and all(_is_readable(at, each, models, deep) for at, each in varying)
    return False


def _iter_text_parts(here: Occurrence, value: Value, deep: int) -> Iterator[tuple[Occurrence, Value]]:
    """Yield the parts that a text is put together of, those of its parts included."""
    here, value = here.trace_source(value)
    match value.meaning:
        case Made(by, of) if deep and (by == "text" or by in ADDING):
            for each in of:
                yield from _iter_text_parts(here, each, deep - 1)
        case _:
            yield here, value


def _is_readable(here: Occurrence, value: Value, models: Models, deep: int) -> bool:
    """Return whether a part is certainly written as it is: no call that is not known makes it."""
    here, value = here.trace_source(value)
    if value.constants is not None:
        return True
    if not deep or any(each.origin in ELSEWHERE or is_next_cursor(each.name) for each in here.resolve_labels(value)):
        return False
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            return all(_is_readable(here, each, models, deep - 1) for each in (then, otherwise))
        case Made("length" | "counted"):
            return True
        case Made(by, (_, *_)) if (
            by in ("item", "element") or is_field(value) or models.get_model(by).returns in PICKING
        ):
            return True
        case Made(by, of) if by in PUTTING or models.get_model(by).returns in RENDERING:
            is_coded = not CODING.isdisjoint(models.get_model(by).acts)
            return not is_coded and all(_is_readable(here, each, models, deep - 1) for each in of)
        case Made():
            return False
    return get_term_head(find_original_term(value.term)) in READABLE
