"""Texts: what Python's own functions and methods make of text that can be told."""

import inspect
import json
import re
import textwrap
from collections.abc import Callable
from typing import Any

from reviewer.facts import Condition
from reviewer.languages.python.evaluation.amounts import LONGEST, TOO_LARGE, is_sendable
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    CallArguments,
    Const,
    Method,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    strip_conditions,
    to_text,
)
from reviewer.source import Span
from reviewer.text.patterns import pattern

# Methods that give the same for the same text anywhere. Those that encode, translate, or make a text as long as they
# are told are left to a run.
METHODS = frozenset(
    "strip lstrip rstrip lower upper title capitalize replace removeprefix removesuffix join split rsplit splitlines startswith"
    " endswith swapcase casefold partition rpartition format isidentifier isupper islower isdigit isalpha isalnum isspace"
    " count find rfind index".split()
)
MOST = 50_000
"""Values in data that is written out: as many as a schema may have."""
DEEPEST = 100
"""Lists in lists."""
LOADED = 20
"""Bytes, about, that the values of a JSON document take for each of its characters."""
PATTERN, SUBJECT = 80, 200
"""Characters of a regular expression and of what it is matched against; longer ones are left to run time."""
REPEATED = pattern(r"\)[*+?{]|\{\d{3}|(?:[*+}].*){3}")
"""A repeated group, a long repetition, or a third one: what may take for ever."""


def build_text_function(transform: Callable[[str], str]) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a built-in of a function from text to text."""

    def evaluate_transform(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
        text = to_text(arguments.positional[0]) if arguments.positional else None
        return Const(transform(text), text.span) if text is not None else None

    return evaluate_transform


def evaluate_str(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `str(x)`."""
    first = arguments.get("", 0)
    if first is None:
        return Const("", arguments.span)
    text = to_text(first)
    if text is not None:
        return Const(str(text), text.span)
    if not isinstance(first, Const) or not _is_shown(first.value):
        return None
    try:
        return Const(str(first.value), arguments.span)
    except ValueError:
        return None


def number(kind: type) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a built-in of `int`, `float` or `bool`."""

    def evaluate_number(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
        first = arguments.get("", 0)
        if not isinstance(first, Const) or (isinstance(first.value, str) and len(first.value) > 40):
            return None
        try:
            return Const(kind(first.value), arguments.span)
        except (TypeError, ValueError, OverflowError):
            return None

    return evaluate_number


def _is_shown(value: object) -> bool:
    return not isinstance(value, bytes | complex)


def evaluate_sub(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `re.sub(pattern, replacement, text)` for short patterns that surely end."""
    given = [to_text(each) for each in arguments.positional[:3]]
    if len(given) < 3 or None in given or arguments.keywords:
        return None
    pattern, replacement, text = (str(each) for each in given)
    if len(pattern) > PATTERN or len(text) > SUBJECT or REPEATED.search(pattern):
        return None
    try:
        return Const(re.sub(pattern, replacement, text), arguments.span)
    except (re.error, IndexError, OverflowError, RecursionError):
        return None


def evaluate_dumps(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `json.dumps(x, indent=...)`."""
    indent = arguments.keywords.get("indent")
    first = to_plain(arguments.positional[0]) if arguments.positional else None
    if first is None or _holds_unknown(first) or set(arguments.keywords) - {"indent"}:
        return None
    width = indent.value if isinstance(indent, Const) and isinstance(indent.value, int) else None
    if width is not None and width > 16:
        return None
    try:
        return Const(json.dumps(first, indent=width), arguments.span)
    except (TypeError, ValueError, RecursionError):
        return None


def evaluate_loads(run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `json.loads(text)`."""
    text = to_text(arguments.positional[0]) if arguments.positional else None
    if text is None or not run.budget.affords("bytes", LOADED * len(text)):
        return None
    try:
        return as_value(json.loads(text), arguments.span)
    except (ValueError, RecursionError):
        return None


def as_value(document: Any, span: Span, under: tuple[Condition, ...] = ()) -> PyValue:
    """Return data as a value, made under conditions."""
    if isinstance(document, dict) and all(map(is_sendable, document)):
        entries: list[tuple[PyValue, PyValue]] = [
            (Const(str(name), span), as_value(each, span, under)) for name, each in document.items()
        ]
        return PyMapping(entries, span, under=under)
    if isinstance(document, list):
        return PyItems("list", [as_value(each, span, under) for each in document], span, under=under)
    if isinstance(document, int | float | bool | None) or (isinstance(document, str) and is_sendable(document)):
        return Const(document, span)
    return PyUnknown("data of another kind", span)


def call_method(called: Method, arguments: CallArguments) -> PyValue | None:
    """Call a method of a text."""
    receiver = called.receiver
    if called.name not in METHODS or not isinstance(receiver, Const) or not isinstance(receiver.value, str):
        return None
    handed = [to_plain(_evaluate_keys(each)) for each in arguments.positional]
    keywords = {name: to_plain(each) for name, each in arguments.keywords.items()}
    if _holds_unknown([*handed, *keywords.values()]) or arguments.open:
        return None
    if called.name == "join" and arguments.positional and _is_unordered(arguments.positional[0]):
        return PyUnknown("the order of a set differs from run to run", arguments.span)
    if _is_oversized(called.name, receiver.value, [*handed, *keywords.values()]):
        return None
    try:
        result = getattr(receiver.value, called.name)(*handed, **keywords)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return None
    if isinstance(result, list | tuple):
        return PyItems("list", [Const(part, receiver.span) for part in result], receiver.span)
    return Const(result, receiver.span)


def _evaluate_keys(value: PyValue) -> PyValue:
    """Return the keys that a loop over a dict visits; other values unchanged."""
    if isinstance(value, PyMapping) and not value.open:
        return PyItems("list", [key for key, _ in value.entries], value.span)
    return value


def _is_oversized(name: str, text: str, handed: list[object]) -> bool:
    """Return whether a result would be too long to be made."""
    sizes = [len(each) for each in handed if isinstance(each, str)]
    if name == "replace" and len(sizes) == 2:
        return (text.count(str(handed[0])) + 1) * sizes[1] > LONGEST
    if name == "join" and handed:
        parts = handed[0] if isinstance(handed[0], list | str) else []
        return len(parts) * len(text) + sum(len(each) for each in parts if isinstance(each, str)) > LONGEST
    if name != "format":
        return False
    widths = [len(str(each)) if isinstance(each, str | int | float | None) else LONGEST for each in handed]
    return _formats(text) or len(text) * (max(widths, default=0) + 1) > LONGEST


def _is_unordered(value: PyValue) -> bool:
    return isinstance(value, PyItems) and value.kind == "set" and len(value.items) > 1


def _formats(template: str) -> bool:
    """Return whether a template's fields hold more than plain names: a width could ask for gigabytes."""
    fields = [part.partition("}")[0] for part in template.replace("{{", "").split("{")[1:]]
    return any(sign in field for field in fields for sign in ":!.[")


def to_plain(value: PyValue) -> object:
    """Return data that is written as Python data; Unknown for anything else, and for what is too large."""
    return _Plain().convert(value)


class _Plain:
    """Reads one value as data. What stands in many places is read in each, so all of it is bounded."""

    def __init__(self) -> None:
        self._values, self._length, self._depth = MOST, LONGEST, DEEPEST

    def convert(self, value: PyValue) -> object:
        """Return a value, or a part of it, as Python data."""
        self._values -= 1
        if self._values < 0 or self._length < 0 or self._depth < 0:
            return PyUnknown(TOO_LARGE, _locate_value(value))
        self._depth -= 1
        try:
            return self._convert_part(value)
        finally:
            self._depth += 1

    def _convert_part(self, value: PyValue) -> object:
        text = to_text(value)
        if text is not None:
            self._length -= len(text)
            return str(text)
        match value:
            case Const(value=constant):
                return constant
            case PyItems(items=items, open=False):
                return [self.convert(item) for item in items]
            case PyMapping(entries=entries, open=False):
                return {_format_key(self.convert(key)): self.convert(each) for key, each in entries}
            case PyInstance(attributes={"value": _}):
                return PyUnknown("a member of an enumeration", value.span)
            case _:
                return PyUnknown("not a constant", _locate_value(value))


def _format_key(data: object) -> str:
    """Write a key as text; one that is no constant only has to differ from others."""
    return str(data) if isinstance(data, str | int | float | bool | None) else f"{type(data)} {id(data)}"


def _locate_value(value: PyValue) -> Span:
    return getattr(strip_conditions(value), "span", None) or Span("", 1, 1, 1, 1)


def has_same_data(one: PyValue, other: PyValue) -> bool | None:
    """Return whether two containers hold equal data, None where a part of them only a run can tell."""
    left, right = to_plain(one), to_plain(other)
    return None if _holds_unknown(left) or _holds_unknown(right) else left == right


def _holds_unknown(document: object) -> bool:
    if isinstance(document, list):
        return any(_holds_unknown(each) for each in document)
    if isinstance(document, dict):
        return any(_holds_unknown(each) for each in document.values())
    return isinstance(document, PyUnknown)


FUNCTIONS: dict[str, Callable[[Evaluator, CallArguments], PyValue | None]] = {
    "inspect.cleandoc": build_text_function(inspect.cleandoc),
    "textwrap.dedent": build_text_function(textwrap.dedent),
    "re.escape": build_text_function(re.escape),
    "re.sub": evaluate_sub,
    "json.dumps": evaluate_dumps,
    "json.loads": evaluate_loads,
    "builtins.str": evaluate_str,
    "builtins.int": number(int),
    "builtins.float": number(float),
    "builtins.bool": number(bool),
}
