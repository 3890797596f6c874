"""The arguments of a call, checked as the tool's schema says: nothing is converted, and each misfit is said in our words."""

import json
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from reviewer.serve.refusals import RefusalError
from reviewer.text.tables import format_unknown

MOST_MISFITS = 3
"""Misfits that one message names: a caller corrects them at once, and the text stays short."""

LONGEST_SHOWN = 60
"""Characters of a value or a name that a caller gave and a message repeats."""

OWN = frozenset({"self", "context"})
"""Parameters of a tool's method that no client gives."""

KINDS = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}

EXPECTED = {
    "string_type": "a string",
    "string_unicode": "a string of Unicode characters",
    "int_type": "an integer",
    "list_type": "an array",
    "model_type": "an object",
    "literal_error": "{expected}",
    "string_too_short": "a string of at least {min_length} character",
    "string_too_long": "at most {max_length}",
    "string_pattern_mismatch": "a string without control characters",
    "too_long": "at most {max_length} items",
    "greater_than": "a number over {gt}",
    "less_than_equal": "a number of at most {le}",
}
"""What is expected, by the kinds of errors of pydantic that the annotations in `arguments` can lead to."""


def list_parameters(tool: Callable[..., Any]) -> frozenset[str]:
    """Return the names of what a client may give to a tool."""
    return frozenset(signature(tool).parameters) - OWN


class Validator:
    """Checks the arguments of one tool."""

    def __init__(self, tool: Callable[..., Any]) -> None:
        hints = get_type_hints(tool, include_extras=True)
        given = {name: each for name, each in signature(tool).parameters.items() if name not in OWN}
        self._names = sorted(given)
        taken: dict[str, Any] = {name: (hints[name], _get_default(each)) for name, each in given.items()}
        self._reread = frozenset(name for name, (annotation, _) in taken.items() if get_args(annotation)[0] is not str)
        strict = ConfigDict(strict=True, extra="forbid")
        self._model: type[BaseModel] = create_model(tool.__name__, __config__=strict, **taken)

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Raise RefusalError for arguments that are missing, unknown or of another type or size than the schema says."""
        try:
            self._model.model_validate(arguments, strict=True)
        except ValidationError as error:
            misfits = [each for each in error.errors(include_url=False) if not _is_integer(each)]
            if misfits:
                raise self._build_refusal(misfits) from None
        odd = [name for name, each in arguments.items() if name in self._reread and _is_reread(each)]
        if odd:
            raise _refuse_arguments(
                f"`{odd[0]}` is the string {_show(arguments[odd[0]])}; expected one that is not JSON"
            )

    def _build_refusal(self, misfits: list[Any]) -> RefusalError:
        said = [self._format_said(each) for each in misfits[:MOST_MISFITS]]
        more = len(misfits) - len(said)
        return _refuse_arguments("; ".join([*said, *([f"and {more} more"] if more else [])]))

    def _format_said(self, misfit: Any) -> str:
        kind, place, given = misfit["type"], misfit["loc"], misfit["input"]
        if kind == "missing":
            return f"{_format_place(place)} is required and missing"
        if kind == "extra_forbidden" and len(place) == 1:
            return format_unknown("argument", place[0][:LONGEST_SHOWN], self._names)
        if kind == "extra_forbidden":
            return f"{_format_place(place)} is unknown"
        expected = EXPECTED.get(kind, "another value").format(**misfit.get("ctx", {}))
        if kind == "literal_error":
            expected = expected.replace("'", "`")
        shown = _format_typed(given) if kind.endswith("_type") else _show(given)
        return f"{_format_place(place)} is {shown}; expected {expected}"


def _refuse_arguments(message: str) -> RefusalError:
    return RefusalError("invalid_arguments", message, "See the tool's `inputSchema`.")


def _is_reread(given: Any) -> bool:
    """Return whether the SDK takes a string for JSON and hands on what it spells, where not only strings are allowed."""
    try:
        return isinstance(given, str) and isinstance(json.loads(given), list | dict | None)
    except (ValueError, RecursionError):
        return False


def _get_default(parameter: Parameter) -> Any:
    return ... if parameter.default is Parameter.empty else parameter.default


def _is_integer(misfit: Any) -> bool:
    """Return whether a number that is said to be none is an integer: in JSON Schema 5.0 is one."""
    given = misfit["input"]
    return misfit["type"] == "int_type" and isinstance(given, float) and given.is_integer()


def _format_place(place: tuple[str | int, ...]) -> str:
    """Write a place in arguments, as in `verdicts[2].why`."""
    first, *others = place
    path = str(first) + "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in others)
    return f"`{path[:LONGEST_SHOWN]}`"


def _format_typed(given: Any) -> str:
    """Write a value that was given with its type, as in `the number 5`."""
    return f"the {KINDS[type(given)]} {_show(given)}" if isinstance(given, str | int | float) else _show(given)


def _show(given: Any) -> str:
    """Write a value that was given; of a long one its size."""
    if isinstance(given, list | dict):
        return f"an {KINDS[type(given)]} of {len(given)}"
    if isinstance(given, str) and len(given) > LONGEST_SHOWN:
        return f"{len(given)} characters long"
    return json.dumps(given)[: 6 * LONGEST_SHOWN]
