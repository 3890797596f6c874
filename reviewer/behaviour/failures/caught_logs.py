"""What logs a failure that was caught, under which target and at which level, and the one text that answers it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.values.texts import DEEPEST, TextPiece, collect_compositions, is_put_together
from reviewer.code.events import Called, Occurrence, Returned
from reviewer.code.models import Models
from reviewer.code.values import Library, Made, Value
from reviewer.source import Opaque, Text
from reviewer.text.patterns import pattern


class Log(NamedTuple):
    """What logs, the target that it names, and its level, empty if that is not known."""

    text: Text
    target: Text | Opaque | None
    level: str = ""


LEVELS = pattern(r"(?:^|[._])(trace|debug|info|warn(?:ing)?|error|exception|critical|fatal)!?$", re.IGNORECASE)
"""How the path ends of what logs at a level, or of a level that is handed over."""

ALIKE = {"warning": "warn", "exception": "error", "critical": "error", "fatal": "error"}
"""Levels that count as another: other names of it, and those above errors."""


def log_of(event: Called, models: Models) -> Log:
    """Return the target that a log call names, or the name of its logger."""
    level, target = _level(event), event.named.get("target")
    unseen = Opaque("only a run tells the target", event.text.span)
    if target is None:
        made = event.receiver.meaning if event.receiver is not None else None
        if not isinstance(made, Made):
            return Log(event.text, None, level)
        is_told = models.has_trait(made.by, "named log") and not event.named.keys() & {"extra"} and made.of
        target = made.of[0] if is_told else None
    found = target.text if target is not None else None
    return Log(event.text, Text(found, event.text.span) if found is not None else unseen, level)


def _level(event: Called) -> str:
    """Return the level of a log event: what the macro or the method is called, or what it is handed."""
    handed = (each.path for value in event.arguments for each in value.things if isinstance(each, Library))
    found = next(filter(None, map(LEVELS.search, (event.path, *handed))), None)
    level = found[1].lower() if found is not None else ""
    return ALIKE.get(level, level)


def find_constant_text(occurrence: Occurrence, value: Value, models: Models) -> Text | None:
    """Return the text that an answer tells, None if a run makes it, or if it tells several."""
    found = [
        [each.text for each in pieces] for pieces in answer_texts(occurrence, value.failure or value, models, DEEPEST)
    ]
    whole = ["".join(map(str, pieces)) for pieces in found if None not in pieces]
    texts = list(dict.fromkeys(each for each in whole if " " in each.strip()))
    event = occurrence.event
    site = event.given if isinstance(event, Returned) else event.at
    return Text(texts[0], event.code.extract_text(site).span) if len(texts) == 1 and len(whole) == len(found) else None


def answer_texts(occurrence: Occurrence, value: Value, models: Models, deep: int) -> Iterator[tuple[TextPiece, ...]]:
    """Yield the texts that an answer may hold, each part by part: those that are written, and those that are put together."""
    here, value = occurrence.trace_source(value)
    found = (
        collect_compositions(here, value, models)
        if value.constants is not None or is_put_together(value, models)
        else []
    )
    if any(map(_is_told, found)):
        yield from filter(_is_told, found)
    elif deep:
        for each in (*(value.contents or {}).values(), *value.sources):
            yield from answer_texts(here, each, models, deep - 1)


def _is_told(pieces: tuple[TextPiece, ...]) -> bool:
    """Return whether a part of a text is written as one: a sum of numbers has none, and neither has a list of two lists."""
    return any(each.text is not None and isinstance((each.value.constant or (None, ""))[1], str) for each in pieces)


def is_of_call(occurrence: Occurrence, value: Value, models: Models) -> bool:
    """Return whether an answer has a text in it of which a part is of the call that is answered: what it asks, or its failure."""
    texts = answer_texts(occurrence, value.failure or value, models, DEEPEST)
    return any(each.text is None and _is_of_call(each) for pieces in texts for each in pieces)


def _is_of_call(piece: TextPiece) -> bool:
    return any(each.origin in CALLING for each in piece.here.resolve_labels(piece.value))


CALLING = frozenset({"argument", "request", "parameter", "exception"})
"""Where what differs from call to call comes from."""
