"""Arguments of calls: whether a schema takes them, and whether they say the same as those that were expected."""

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from reviewer.budget import ExhaustedError
from reviewer.facts.parts import Json
from reviewer.judge.quotes import normalize_text
from reviewer.rules.shared.values import validating
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.text.matching import UnknownMatchError

LONGEST = 20_000
"""Characters of a call's arguments as JSON. A task's values stand in a sentence or two."""

MOST_SAID = 120
"""Characters of a reason that are kept."""

DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?")
"""A date, or one with a time, of ISO 8601: two spellings of one moment are the same argument."""

REFERENCE = re.compile(r'"\$ref": "#/(?:\$defs|definitions)/([^"]+)"')
"""The references of a schema that was written as JSON, to definitions that have to be shown with it."""


class Validity(NamedTuple):
    """Whether a schema takes arguments, and why it does not, or why that is not known."""

    said: Literal["valid", "invalid", "unknown"]
    why: str = ""


def check_arguments(arguments: Json | None, schema: Json | None) -> Validity:
    """Check arguments against a tool's input schema, in bounded time. None are arguments that are no JSON object."""
    if arguments is None:
        return Validity("invalid", "the arguments are no JSON object")
    if schema is None:
        return Validity("unknown", "the input schema cannot be read")
    from jsonschema.exceptions import best_match

    try:
        found = best_match(validating.DocumentSchemas(schema).collect_errors(arguments, schema))
    except (validating.UncheckedError, UnknownMatchError, ExhaustedError) as error:
        return Validity("unknown", str(error))
    except Exception as error:  # a schema that is none: the library has many names for it
        return Validity("unknown", f"the input schema is none that can be followed ({type(error).__name__})")
    if found is not None:
        where = ".".join(map(str, found.absolute_path))
        return Validity("invalid", (f"{where}: " if where else "") + shorten_code(found.message, MOST_SAID))
    return Validity("valid")


def parse_arguments(given: Any) -> Json | None:
    """Read arguments that a model wrote as an object or as the text of one; None if they are neither."""
    if isinstance(given, str):
        try:
            given = (
                json.loads(given) if given.strip() and len(given) <= LONGEST else ({} if not given.strip() else None)
            )
        except (ValueError, RecursionError):
            return None
    return given if isinstance(given, dict) and len(json.dumps(given, default=str)) <= LONGEST else None


def iter_differences(expected: Json, given: Json, schema: Json | None) -> Iterator[str]:
    """Say where arguments differ from those that were expected.

    Every argument that was expected must be there and say the same. One beside them is no difference if it is null, or
    the default that its schema tells: the call does the same without it.
    """
    properties = (schema or {}).get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name, value in expected.items():
        own = known.get(name)
        if name not in given:
            if not _is_default(value, own):
                yield f"`{name}` is missing"
        elif not are_equivalent(value, given[name], choices=_chooses(own, schema)):
            yield f"`{name}` is another"
    for name in given.keys() - expected.keys():
        if not _is_default(given[name], known.get(name)):
            yield f"`{name}` was not asked for"


def are_equivalent(one: Any, other: Any, *, choices: bool = False) -> bool:
    """Return whether two values say the same.

    Numbers are compared as numbers, also where one is written as a text; texts without regard to white space, and to case where
    the schema lists the values (`choices`); dates and times as moments, midnight being the date; true and false also as texts; a
    single value is the same as a list of it. The order of a list counts.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            are_equivalent(each, other[key], choices=choices) for key, each in one.items()
        )
    if isinstance(one, list) != isinstance(other, list):
        one, other = (each if isinstance(each, list) else [each] for each in (one, other))
    if isinstance(one, list):
        return len(one) == len(other) and all(
            are_equivalent(each, its, choices=choices) for each, its in zip(one, other, strict=True)
        )
    return bool(_to_plain(one, choices=choices) == _to_plain(other, choices=choices))


def _to_plain(value: Any, *, choices: bool) -> Any:
    """Return a value in the one form in which it is compared."""
    if isinstance(value, bool) or value is None:
        return "null" if value is None else str(value).lower()
    if isinstance(value, int | float):
        return _normalize_number(value)
    if not isinstance(value, str):
        return value
    text = normalize_text(value)
    if text.lower() in ("true", "false"):
        return text.lower()
    if re.fullmatch(r"[+-]?\d{1,15}(?:\.\d{1,15})?", text) and not re.match(r"[+-]?0\d", text):
        return _normalize_number(float(text))
    moment = _find_moment(text)
    return moment if moment is not None else text.casefold() if choices else text


def _normalize_number(value: float) -> tuple[str, float]:
    return "number", value if isinstance(value, int) and abs(value) > 2**53 else float(value)


def _find_moment(text: str) -> tuple[str, str] | None:
    if not DATE.fullmatch(text):
        return None
    try:
        found = (
            datetime.fromisoformat(text)
            if len(text) > 10
            else datetime.combine(date.fromisoformat(text), datetime.min.time())
        )
    except ValueError:
        return None
    return "moment", found.isoformat().removesuffix("+00:00")


def _chooses(own: Any, schema: Json | None) -> bool:
    """Return whether the schema of an argument lists the values that it takes, itself or where it refers to."""
    text, named = json.dumps(own, default=str), (schema or {}).get("$defs") or (schema or {}).get("definitions")
    known = named if isinstance(named, dict) else {}
    met: set[str] = set()
    while open_ := {name for name in REFERENCE.findall(text) if name in known} - met:
        met |= open_
        text += "".join(json.dumps(known[name], default=str) for name in sorted(open_))
    return '"enum"' in text or '"const"' in text


def _is_default(value: Any, schema: Any) -> bool:
    return value is None or (
        isinstance(schema, dict) and "default" in schema and are_equivalent(value, schema["default"])
    )


def iter_untold(arguments: Json, schema: Json | None, task: str) -> Iterator[str]:
    """Name the arguments whose value a task does not tell: nobody who reads it could give just these.

    What is chosen from a list, true and false, and dates need not stand in it letter for letter.
    """
    properties = (schema or {}).get("properties")
    known = properties if isinstance(properties, dict) else {}
    said = normalize_text(task).casefold()
    for name, value in arguments.items():
        if not _chooses(known.get(name), schema) and not all(_is_told(each, said) for each in _iter_leaves(value)):
            yield name


NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
"""Numbers that a task may have in words; larger ones are looked for in digits alone."""


def _is_told(value: Any, said: str) -> bool:
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        written = {f"{value:g}", str(value), *(NUMBERS[int(value) : int(value) + 1] if value in range(13) else ())}
        bare = re.sub(r"(?<=\d),(?=\d{3})", "", said)
        return any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w]|\.\d)", bare) for each in written)
    text = normalize_text(value).casefold()
    return text in said or _find_moment(normalize_text(value)) is not None


def _iter_leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _iter_leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _iter_leaves(each)
    else:
        yield value
