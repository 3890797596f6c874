"""What a text is made of, as far as the code says it: the parts that are written, and those that only a run tells."""

import re
from collections.abc import Iterator

from reviewer.code.events import Occurrence
from reviewer.code.models import Models
from reviewer.code.state import constants_of
from reviewer.code.values import Choice, Made, Plain, Value

Spelling = tuple[str | None, ...]
"""A text part by part; None is a part that only a run tells."""

UNKNOWN: Spelling = (None,)

MOST = 8
"""Texts that one value may be. A statement or an address that is one of more is put together at run time."""
DEEPEST = 8
"""How many values inside values are looked through. A path is joined of four or five; no more was seen."""

JOINING = {"+": "", "text": "", "/": "/"}
"""What stands between the parts of a text, or of a path, that an operator puts together."""


def spellings(occurrence: Occurrence, value: Value, models: Models, deep: int = DEEPEST) -> list[Spelling]:
    """Return the texts that a value may be, also by what the callers hand over."""
    here, value = occurrence.source(value)
    constants = constants_of(value, here.event.facts)
    if constants is not None:
        return [(text_of(each),) for _, each in sorted(constants, key=repr)[:MOST]]
    if not deep:
        return [UNKNOWN]
    match value.meaning:
        case Choice(then=then, otherwise=otherwise):
            sides = (spellings(here, each, models, deep - 1) for each in (then, otherwise))
            return [each for side in sides for each in side][:MOST]
        case Made("%", (form, *_)) if form.text is not None:
            return [tuple(part or None for part in FILLED.split(form.text))]
        case Made(by, (separator, joined)) if by.endswith(".join") and separator.text is not None:
            return _separated(here, separator, joined, models, deep)
        case Made(by, of) if by in JOINING:
            return _joined(here, of, JOINING[by], models, deep)
        case Made(by, of) if is_text(by, models):
            return _joined(here, of, "/" if "path" in by.lower() else "", models, deep)
    return [UNKNOWN]


FILLED = re.compile(r"%(?:\(\w*\))?[-+ #0-9.*]*[a-zA-Z]()")
"""What is filled in where a text is a form for `%`."""


def _separated(here: Occurrence, separator: Value, joined: Value, models: Models, deep: int) -> list[Spelling]:
    """Return the texts that the elements of a sequence may be with a separator between each two."""
    held = here.source(joined)[1].contents or {}
    if not held or not all(isinstance(key, int) for key in held):
        return [UNKNOWN]
    between = [part for each in held.values() for part in (separator, each)][1:]
    return _joined(here, tuple(between), "", models, deep)


def text_of(constant: Plain) -> str:
    """Return a constant as it stands in a text."""
    return constant.decode("utf-8", "replace") if isinstance(constant, bytes) else str(constant)


def is_text(path: str, models: Models) -> bool:
    """Return whether a library's function gives its operands as a text, or as the path that they name."""
    model = models.of(path)
    return model is not None and (model.returns == "text" or (model.returns == "new" and model.type.endswith(".Path")))


def _joined(here: Occurrence, parts: tuple[Value, ...], between: str, models: Models, deep: int) -> list[Spelling]:
    found: list[Spelling] = [()]
    for number, each in enumerate(parts):
        start: Spelling = (between,) if number and between else ()
        inner = spellings(here, each, models, deep - 1)
        found = [(*before, *start, *after) for before in found for after in inner][:MOST]
    return found


def beginnings(occurrence: Occurrence, value: Value, models: Models) -> Iterator[str]:
    """Yield what a text begins with, up to the first part that only a run tells: one for each text that it may be."""
    for each in spellings(occurrence, value, models):
        known = next((place for place, part in enumerate(each) if part is None), len(each))
        yield "".join(part for part in each[:known] if part is not None)


def written(occurrence: Occurrence, value: Value) -> Iterator[str]:
    """Yield what is written of a value: its constants, those that it is made of or holds, and the names of fields."""
    for here, part in parts(occurrence, value):
        constants = constants_of(part, here.event.facts) or ()
        yield from (text_of(constant) for _, constant in constants)
        if isinstance(part.meaning, Made) and part.meaning.by.startswith("."):
            yield part.meaning.by


LARGEST = 40
"""Values that one value is looked through for. A path or a command is made of ten; a larger one is data."""


def parts(occurrence: Occurrence, value: Value) -> Iterator[tuple[Occurrence, Value]]:
    """Yield a value and what it is made of or holds, each with the call whose function has it, the nearest first."""
    waiting = [(occurrence, value)]
    for number in range(LARGEST):
        if number >= len(waiting):
            return
        here, found = waiting[number]
        here, found = here.source(found)
        yield here, found
        inner = list(found.contents.values())[:LARGEST] if found.contents else []
        match found.meaning:
            case Choice(then=then, otherwise=otherwise):
                inner += (then, otherwise)
            case Made(of=of):
                inner += of
        waiting += [(here, each) for each in inner]
