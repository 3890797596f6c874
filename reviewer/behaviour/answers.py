"""What a handler answers: whether it tells of a failure, and whether what a helper returns is the answer."""

import re
from collections.abc import Mapping

from reviewer.behaviour.texts import beginnings, parts
from reviewer.code.events import Occurrence, Returned, Trace
from reviewer.code.models import Models
from reviewer.code.values import Key, Made, Value

FAILED = re.compile(
    r"\W*(?:an? )?(?:\w+ )?(?:error\b|exception\b|failed\b|failure\b|could not\b|unable to\b|cannot\b)", re.IGNORECASE
)
"""How a text begins that tells of a failure which was caught."""

REFUSED = re.compile(r"\W*(?:error|invalid|failed)\b", re.IGNORECASE)
"""How one begins where nothing was caught."""

KEYS = frozenset({"error", "err", "error_message", "errorMessage"})
FLAGS = frozenset({"isError", "is_error"})
STATES: dict[str, tuple[object, ...]] = {"status": ("error", "failed", "failure"), "success": (False,), "ok": (False,)}
WELL: dict[str, tuple[object, ...]] = {"status": ("success", "ok"), "success": (True,), "ok": (True,)}
"""What says that the call succeeded: an error beside it is what the call was to find out."""


def tells_failure(occurrence: Occurrence, value: Value, models: Models) -> bool:
    """Return whether an answer tells of a failure: by its text, or by a field."""
    pattern = FAILED if occurrence.is_under("handles") else REFUSED
    for here, part in parts(occurrence, value):
        if part.contents and _says_failure(part.contents):
            return True
        if part.text is not None or (isinstance(part.meaning, Made) and part.meaning.by == "text"):
            if any(pattern.match(each) for each in beginnings(here, part, models)):
                return True
    return False


def _says_failure(held: Mapping[Key, Value]) -> bool:
    said = {key[0] if isinstance(key, tuple) else key: value for key, value in held.items()}
    if any(_is(said.get(name), values) for name, values in WELL.items()):
        return False
    flagged = any(_is(said.get(name), (True,)) for name in FLAGS)
    return flagged or not KEYS.isdisjoint(said) or any(_is(said.get(name), values) for name, values in STATES.items())


def _is(value: Value | None, values: tuple[object, ...]) -> bool:
    return value is not None and value.constant is not None and value.constant[1] in values


def is_answer(trace: Trace, occurrence: Occurrence) -> bool:
    """Return whether what a function returns is what the handler answers: each caller returns it, or something made of it."""
    while occurrence.caller is not None:
        call = occurrence.caller
        found = (each for each in trace.occurrences() if isinstance(each.event, Returned))
        given = (each for each in found if each.event.code is call.event.code and _holds(each, call))
        after = next(given, None)
        if after is None:
            return False
        occurrence = after
    return True


def _holds(returned: Occurrence, call: Occurrence) -> bool:
    assert isinstance(returned.event, Returned)
    pending = ("awaits", call.event.code, call.event.at)  # the SDK waits for what the handler returns
    terms = (part.term for _, part in parts(returned, returned.event.value))
    return any(term == pending or (isinstance(term, tuple) and term[:2] == ("via", call.event.at)) for term in terms)
