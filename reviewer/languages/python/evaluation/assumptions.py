"""What is supposed while code is evaluated that reads requests itself: that a client asks for one method of the protocol.

How the name of the method comes in does not matter: whatever is compared with one, or looked up among some, is taken for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    Method,
    Partial,
    PyFunction,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    to_text,
)
from reviewer.text.patterns import pattern

# The three methods of the protocol whose answers make a server of tools.
BEGINNING, LISTING, CALLING = "initialize", "tools/list", "tools/call"

METHODS = pattern(
    r"initialized?|ping|shutdown|(?:tools|resources|prompts|notifications|completion|logging|sampling|roots|elicitation|tasks)/\w.*"
)
"""The methods of the protocol, and two that servers know beside them. They are told from other texts: `application/json`."""


@contextmanager
def asked(run: Evaluator, method: str) -> Iterator[None]:
    """Evaluate as if a client asked for a method."""
    before, run.supposed.asking = run.supposed.asking, method
    try:
        yield
    finally:
        run.supposed.asking = before


def decide_comparison(asking: str, left: PyValue, right: PyValue, sign: str) -> bool | None:
    """Return how a comparison of something unknown with the name of a method ends, or with several."""
    if sign in ("in", "not in"):
        names = {each for value in _list_candidates(right) if (each := _find_method(value)) is not None}
        return (asking in names) == (sign == "in") if names and to_text(left) is None else None
    named = [each for each in map(_find_method, (left, right)) if each is not None]
    known = any(isinstance(each, Const) and _find_method(each) is None for each in (left, right))
    if sign not in ("==", "!=") or len(named) != 1 or known:
        return None
    return (named[0] == asking) == (sign == "==")


def choose_key(run: Evaluator, table: PyValue, key: PyValue) -> PyValue:
    """Return the key under which a table is asked for something unknown: the method, if it has an entry for that."""
    is_asked = (
        run.supposed.asking is not None and isinstance(table, PyMapping) and table.get(run.supposed.asking) is not None
    )
    return Const(run.supposed.asking, key.span) if is_asked and isinstance(key, PyUnknown | PyInstance) else key


def note(run: Evaluator, key: PyValue, value: PyValue) -> None:
    """Keep what is told under `tools`, and what is put under the names of methods."""
    name = key.value if run.supposed.asking is not None and isinstance(key, Const) else None
    if name == "tools" and run.supposed.asking == LISTING:
        run.supposed.told.append(value)
    elif name in (run.supposed.asking, CALLING) and isinstance(value, PyFunction | Method | Partial):
        (run.supposed.calling if name == CALLING else run.supposed.answering).append(value)


def note_call(run: Evaluator, arguments: CallArguments) -> None:
    """Keep what a call tells under `tools`, and what it is handed beside the name of the method."""
    if run.supposed.asking is None:
        return
    told = arguments.keywords.get("tools")
    if told is not None and run.supposed.asking == LISTING:
        run.supposed.told.append(told)
    names = {each.value for each in arguments.positional if isinstance(each, Const)} & {run.supposed.asking, CALLING}
    for value in arguments.positional if names else ():
        if isinstance(value, PyFunction | Method | Partial):
            (run.supposed.calling if CALLING in names else run.supposed.answering).append(value)


def _find_method(value: PyValue) -> str | None:
    text = to_text(value)
    return str(text) if text is not None and METHODS.fullmatch(text) else None


def _list_candidates(value: PyValue) -> list[PyValue]:
    match value:
        case PyItems():
            return list(value.items)
        case PyMapping():
            return [key for key, _ in value.entries]
        case _:
            return []
