"""Texts: what Python's own functions and methods make of text that can be told."""

import inspect
import json
import re
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reviewer.facts import Condition
from reviewer.languages.python.values import (
    Arguments,
    Const,
    Instance,
    Items,
    Mapping,
    Method,
    Unknown,
    Value,
    bare,
    text_of_value,
)
from reviewer.source import Span

if TYPE_CHECKING:
    from reviewer.languages.python.evaluator import Evaluator

METHODS = frozenset(
    "strip lstrip rstrip lower upper title capitalize replace removeprefix removesuffix join split rsplit splitlines startswith"
    " endswith swapcase casefold partition rpartition format isidentifier isupper islower isdigit isalpha isalnum isspace"
    " count find rfind index".split()
)
LONGEST = 1_000_000
"""Characters. A longer text is not made."""
PATTERN, SUBJECT = 80, 200
"""Characters of a regular expression and of what it is matched against; longer ones are left to run time."""
REPEATED = re.compile(r"\)[*+?{]|\{\d{3}|(?:[*+}].*){3}")
"""A repeated group, a long repetition, or a third one: what may take for ever."""


def form(transform: Callable[[str], str]) -> Callable[["Evaluator", Arguments], Value | None]:
    """Make a built-in of a function from text to text."""

    def applied(_run: "Evaluator", arguments: Arguments) -> Value | None:
        text = text_of_value(arguments.positional[0]) if arguments.positional else None
        return Const(transform(text), text.span) if text is not None else None

    return applied


def string(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Take `str(x)`."""
    first = arguments.get("", 0)
    if first is None:
        return Const("", arguments.span)
    text = text_of_value(first)
    if text is not None:
        return Const(str(text), text.span)
    if not isinstance(first, Const) or not _is_shown(first.value):
        return None
    try:
        return Const(str(first.value), arguments.span)
    except ValueError:
        return None


def number(kind: type) -> Callable[["Evaluator", Arguments], Value | None]:
    """Make a built-in of `int`, `float` or `bool`."""

    def converted(_run: "Evaluator", arguments: Arguments) -> Value | None:
        first = arguments.get("", 0)
        if not isinstance(first, Const) or (isinstance(first.value, str) and len(first.value) > 40):
            return None
        try:
            return Const(kind(first.value), arguments.span)
        except (TypeError, ValueError, OverflowError):
            return None

    return converted


def _is_shown(value: object) -> bool:
    return not isinstance(value, bytes | complex)


def substituted(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Take `re.sub(pattern, replacement, text)` for short patterns that surely end."""
    given = [text_of_value(each) for each in arguments.positional[:3]]
    if len(given) < 3 or None in given or arguments.keywords:
        return None
    pattern, replacement, text = (str(each) for each in given)
    if len(pattern) > PATTERN or len(text) > SUBJECT or REPEATED.search(pattern):
        return None
    try:
        return Const(re.sub(pattern, replacement, text), arguments.span)
    except (re.error, IndexError, OverflowError, RecursionError):
        return None


def dumped(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Take `json.dumps(x, indent=...)`."""
    indent = arguments.keywords.get("indent")
    try:
        first = plain(arguments.positional[0]) if arguments.positional else None
        if first is None or _holds_unknown(first) or set(arguments.keywords) - {"indent"}:
            return None
    except RecursionError:
        return None
    width = indent.value if isinstance(indent, Const) and isinstance(indent.value, int) else None
    if width is not None and width > 16:
        return None
    try:
        return Const(json.dumps(first, indent=width), arguments.span)
    except (TypeError, ValueError, RecursionError):
        return None


def loaded(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Take `json.loads(text)`."""
    text = text_of_value(arguments.positional[0]) if arguments.positional else None
    if text is None or len(text) > LONGEST:
        return None
    try:
        return as_value(json.loads(text), arguments.span)
    except (ValueError, RecursionError):
        return None


def as_value(document: Any, span: Span, under: tuple[Condition, ...] = ()) -> Value:
    """Give data as a value, made under conditions."""
    if isinstance(document, dict):
        entries: list[tuple[Value, Value]] = [
            (Const(str(name), span), as_value(each, span, under)) for name, each in document.items()
        ]
        return Mapping(entries, span, under=under)
    if isinstance(document, list):
        return Items("list", [as_value(each, span, under) for each in document], span, under=under)
    if isinstance(document, str | int | float | bool | None):
        return Const(document, span)
    return Unknown("data of another kind", span)


def method(called: Method, arguments: Arguments) -> Value | None:
    """Call a method of a text."""
    receiver = called.receiver
    if called.name not in METHODS or not isinstance(receiver, Const) or not isinstance(receiver.value, str):
        return None
    handed = [plain(_keys(each)) for each in arguments.positional]
    keywords = {name: plain(each) for name, each in arguments.keywords.items()}
    if _holds_unknown([*handed, *keywords.values()]) or arguments.open:
        return None
    if called.name == "join" and arguments.positional and _is_unordered(arguments.positional[0]):
        return Unknown("the order of a set differs from run to run", arguments.span)
    if (called.name == "format" and _formats(receiver.value)) or _grows(called.name, receiver.value, handed):
        return None
    try:
        result = getattr(receiver.value, called.name)(*handed, **keywords)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return None
    if isinstance(result, list | tuple):
        return Items("list", [Const(part, receiver.span) for part in result], receiver.span)
    return Const(result, receiver.span) if not isinstance(result, str) or len(result) < LONGEST else None


def _keys(value: Value) -> Value:
    """Give what a loop over a dict meets; other values as they are."""
    if isinstance(value, Mapping) and not value.open:
        return Items("list", [key for key, _ in value.entries], value.span)
    return value


def _grows(name: str, text: str, handed: list[object]) -> bool:
    """Tell whether a result would be too long to be made."""
    sizes = [len(each) for each in handed if isinstance(each, str)]
    if name == "replace" and len(sizes) == 2:
        return (text.count(str(handed[0])) + 1) * sizes[1] > LONGEST
    if name == "join" and handed:
        parts = handed[0] if isinstance(handed[0], list | str) else []
        return len(parts) * len(text) + sum(len(each) for each in parts if isinstance(each, str)) > LONGEST
    return name == "format" and len(text) * (max(sizes, default=0) + 1) > LONGEST


def _is_unordered(value: Value) -> bool:
    return isinstance(value, Items) and value.kind == "set" and len(value.items) > 1


def _formats(template: str) -> bool:
    """Tell whether a template's fields hold more than plain names: a width could ask for gigabytes."""
    fields = [part.partition("}")[0] for part in template.replace("{{", "").split("{")[1:]]
    return any(sign in field for field in fields for sign in ":!.[")


def plain(value: Value) -> object:
    """Give data that is written as Python data; Unknown for anything else."""
    if isinstance(value, Const):
        return value.value
    text = text_of_value(value)
    if text is not None:
        return str(text)
    if isinstance(value, Items) and not value.open:
        return [plain(item) for item in value.items]
    if isinstance(value, Mapping) and not value.open:
        return {str(plain(key)): plain(each) for key, each in value.entries}
    if isinstance(value, Instance) and "value" in value.attributes:
        return Unknown("a member of an enumeration", value.span)
    return Unknown("not a constant", getattr(bare(value), "span", None) or Span("", 1, 1, 1, 1))


def same_data(one: Value, other: Value) -> bool | None:
    """Tell whether two containers hold equal data, None where a part of them only a run can tell."""
    left, right = plain(one), plain(other)
    return None if _holds_unknown(left) or _holds_unknown(right) else left == right


def _holds_unknown(document: object) -> bool:
    if isinstance(document, list):
        return any(_holds_unknown(each) for each in document)
    if isinstance(document, dict):
        return any(_holds_unknown(each) for each in document.values())
    return isinstance(document, Unknown)


FUNCTIONS: dict[str, Callable[["Evaluator", Arguments], Value | None]] = {
    "inspect.cleandoc": form(inspect.cleandoc),
    "textwrap.dedent": form(textwrap.dedent),
    "re.escape": form(re.escape),
    "re.sub": substituted,
    "json.dumps": dumped,
    "json.loads": loaded,
    "builtins.str": string,
    "builtins.int": number(int),
    "builtins.float": number(float),
    "builtins.bool": number(bool),
}
