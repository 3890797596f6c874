"""How many elements a cut leaves of a sequence, and whether what is cut or counted is a list or a text."""

from collections.abc import Iterator
from math import inf

from reviewer.behaviour.arguments.argument_values import is_itself
from reviewer.behaviour.values.names import names_a_text
from reviewer.code.events import Occurrence, Sliced
from reviewer.code.library_types import find_types
from reviewer.code.values import Instance, Library, Made, Value, find_original_term, get_term_head
from reviewer.text.patterns import pattern

DEEPEST = 3
"""How many objects inside objects an answer is looked through for a list: a result holds the page, which holds the list."""

OWNER = pattern(r"&?(?:\w+\.)*(\w+)\s*\[")
"""What is cut in `page.items[:limit]`, `&items[..limit]`, by its own name."""


def count_length(value: Value) -> float:
    """Return how many elements a sequence has that is written out, infinity if it is not."""
    held = value.contents or {}
    return len(held) if held and all(isinstance(key, int) for key in held) else inf


def cuts_text(event: Sliced) -> bool:
    """Return whether a slice is of a text, by the type or else the name of what is cut."""
    if any(isinstance(each, Instance) for each in event.owner.things):
        return is_text(event.owner)
    owner = OWNER.match(event.text)
    return is_text(event.owner) or (owner is not None and names_a_text(owner[1]))


def find_size(cut: Sliced) -> Value | None:
    """Return how many elements are taken, of `items[start : start + size]` and `items[-size:]` the size; else the end."""
    if cut.high is None:
        return _find_last(cut.low, cut.owner) if cut.low is not None else None
    made = cut.high.meaning
    if cut.low is not None and isinstance(made, Made) and made.by == "+":
        others = [each for each in made.of if each.term != cut.low.term]
        if len(others) == 1:
            return others[0]
    return cut.high


def iter_end_bounds(size: Value, most: float, deep: int = DEEPEST) -> Iterator[tuple[Value, float]]:
    """Yield the values that determine where a list ends, with their maximum: for `min(start + size, len(items))` those
    of the sum.
    """
    made = size.meaning if deep and not is_itself(size) else None
    if isinstance(made, Made) and made.by in ("+", "least"):
        numbers = [each.constant[1] for each in made.of if each.constant is not None] if made.by == "least" else []
        most = min([most, *(each for each in numbers if isinstance(each, int | float))])
        for each in made.of:
            if each.constant is None:
                yield from iter_end_bounds(each, most, deep - 1)
    else:
        yield size, most


def _find_last(start: Value, owner: Value) -> Value | None:
    """Return how many of the last elements are taken from a place on, None if that is no number of them."""
    match start.meaning:
        case Made("-", (whole, size)) if whole.constant == (int, 0) or whole.term == ("length", owner.term):
            return size
        case Made("greatest", of):
            parts = [each for each in of if each.constants is None]
            return _find_last(parts[0], owner) if len(parts) == 1 else None
    return None


def is_text(value: Value) -> bool:
    """Return whether a value is certainly a text, or may be one of the library's texts or bytes."""
    return get_term_head(find_original_term(value.term)) == "pieces" or any(
        isinstance(each, Instance) and isinstance(each.of, Library) and each.of.path in find_types("text", "bytes")
        for each in value.things
    )


def counts_elements(here: Occurrence, value: Value) -> bool:
    """Return whether a value is how many elements there are, or the place of one."""
    _, value = here.trace_source(value)
    made = value.meaning
    if isinstance(made, Made) and made.by == "counted":
        return isinstance(value.term, tuple) and value.term[-1:] == ("number",)  # the places of elements
    if not isinstance(made, Made) or made.by != "length":
        return get_term_head(value.term) == "length"
    return not any(is_text(each) for each in made.of)
