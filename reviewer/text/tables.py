"""A TOML table → a dataclass of settings, or one clause that says what is wrong with it in terms of TOML."""

import dataclasses
from collections.abc import Iterable
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from reviewer.caching import cache
from reviewer.text.excerpts import quote_excerpt

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def fill_settings(kind: type[T], table: dict[str, Any]) -> T:
    """Make a dataclass of settings from a TOML table. Raises ValueError, in one clause, for unknown keys and wrong values."""
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    names = {each.name.replace("_", "-"): each.name for each in fields}
    former = {each.metadata["formerly"]: each.name for each in fields if each.metadata.get("formerly")}
    keys = former | names
    for key in table:
        if key not in keys:
            raise ValueError(format_unknown("key", key, names))
    given = {keys[key]: value for key, value in table.items()}
    hints = get_type_hints(kind) if given else {}
    if all(_is_plain(hints[name], value) for name, value in given.items()):
        return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
    for name, value in given.items():
        if _is_of_another_type(hints[name], value):  # which would be taken for what it might mean: "yes" for true
            raise ValueError(_format_fault(hints, given, (name,)))
    from pydantic import ValidationError  # a tenth of a second, which a table as it should be does not need

    try:
        made: T = _build_adapter(kind).validate_python(given)
    except ValidationError as error:
        raise ValueError(_format_fault(hints, given, error.errors(include_url=False)[0]["loc"])) from None
    return made


@cache
def _build_adapter(kind: type[Any]) -> "TypeAdapter[Any]":
    """Return the validator of settings of a type.

    Making it takes longer than the rest of a configuration, so it is kept.
    """
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _is_plain(hint: Any, value: Any) -> bool:
    """Return whether a value certainly is of a type: a bool, int, str, one of a Literal, or a list for a tuple of
    those.
    """
    if hint in (bool, int, str):
        return type(value) is hint
    if get_origin(hint) is Literal:
        return isinstance(value, str) and value in get_args(hint)
    of = get_args(hint)
    return (
        get_origin(hint) is tuple
        and of[1:] == (...,)
        and type(value) is list
        and all(_is_plain(of[0], each) for each in value)
    )


def _is_of_another_type(hint: Any, value: Any) -> bool:
    """Return whether a value is not of the plain types that are wanted; of other types nothing is said."""
    wanted = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = {bool: (bool,), int: (int,), float: (int, float), str: (str,), NoneType: (NoneType,)}
    if not all(each in kinds for each in wanted):
        return False
    return not any(type(value) in kinds[each] for each in wanted)


def _format_fault(hints: dict[str, Any], given: dict[str, Any], place: tuple[int | str, ...]) -> str:
    """Say which value is wrong, what it is and what is wanted. `place` leads to it from the name of its field."""
    name, *below = map(str, place)
    hint, value, key = hints[name], given[name], name.replace("_", "-")
    if get_origin(hint) is dict and isinstance(value, dict) and below and below[0] in value:
        hint, value, key = get_args(hint)[1], value[below[0]], f"{key}.{below[0]}"
    return f"{quote_excerpt(key)}: give {describe_type(hint)}, not {quote_excerpt(value)}"


def describe_type(hint: Any) -> str:
    """Return the name of values of a type in TOML: "a list of strings"."""
    if get_origin(hint) is Literal:
        return f"one of {', '.join(f'`{each}`' for each in get_args(hint))}"
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(describe_type(each) for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is tuple:
        return f"a list of {_format_plural(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        return "a table"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}.get(hint, "another value")


def _format_plural(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"any of {', '.join(f'`{each}`' for each in get_args(hint))}"
    return {int: "whole numbers", float: "numbers", str: "strings"}.get(hint, "values")


def format_unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that there is no such thing, with the nearest one there is, whatever the case of its letters."""
    spelt = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), spelt, n=1)
    return f"unknown {what} {quote_excerpt(name)}" + (f"; did you mean `{spelt[near[0]]}`?" if near else "")
