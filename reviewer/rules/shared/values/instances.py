"""Values that stand in a schema, and the schema beside them: examples and defaults, and why one does not fit.

What is plainly right is proved here; the library, which takes its time to load, judges what is left.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from reviewer.budget import ExhaustedError
from reviewer.facts.parts import Json, Path, list_types
from reviewer.rules.shared.values import validating
from reviewer.rules.shared.values.validity import iter_subschemas
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.text.matching import UnknownMatchError

NAMES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
SAYING = frozenset(
    "type title description examples example default $comment deprecated readOnly writeOnly format items properties".split()
)
"""Keywords that reject no text, number, boolean or null of the right type. Formats are not checked here."""

FAIR_DEFAULTS: tuple[Any, ...] = ({}, [])
"""Defaults that are filled in from the fields' own defaults, whatever the schema requires."""


class UncheckedValue(NamedTuple):
    """A value that may or may not be valid against its schema: its place, the name of the field, its kind, and the
    reason.
    """

    keys: Path
    name: str
    kind: str
    value: Any
    why: str


class Misfit(NamedTuple):
    """A value that its schema refuses: where it stands, the name of the field, `example` or `default`, and why."""

    keys: Path
    name: str
    kind: str
    value: Any
    why: str


def iter_misfits(document: Json) -> Iterator[Misfit | UncheckedValue]:
    """Yield the examples and defaults in a schema that do not fit where they stand, and those that cannot be checked."""
    within = validating.DocumentSchemas(document)
    for keys, schema in iter_subschemas(document):
        for kind, value in _iter_values(schema):
            if _fits_plainly(value, schema):
                continue
            try:
                why = _find_refusal(value, schema, within, kind)
            except (validating.UncheckedError, UnknownMatchError, ExhaustedError) as error:
                yield UncheckedValue(keys, _get_property_name(keys), kind, value, str(error))
                continue
            if why is not None:
                yield Misfit(keys, _get_property_name(keys), kind, value, why)


def shows(document: Json) -> bool:
    """Return whether there is an example or a default anywhere in a schema."""
    return any(any(_iter_values(schema)) for _, schema in iter_subschemas(document))


def _iter_values(schema: Json) -> Iterator[tuple[str, Any]]:
    given = schema.get("examples")
    for value in given if isinstance(given, list) else ():
        yield "example", value
    if "example" in schema:
        yield "example", schema["example"]
    if "default" in schema:
        yield "default", schema["default"]


def _get_property_name(keys: Path) -> str:
    """Return the name of the property that a schema is of, itself or as one of its types; empty if it is none."""
    while keys[-1:] and keys[-1].isdigit() and keys[-2:-1] != ("properties",):
        keys = keys[:-2]
    return keys[-1] if keys[-2:-1] == ("properties",) else ""


def _fits_plainly(value: Any, schema: Json) -> bool:
    """Prove that a simple value is of a simple schema; False says only that it is not proved."""
    choice = schema.get("anyOf")
    if isinstance(choice, list) and schema.keys() - {"anyOf"} <= SAYING - {"type"}:
        return any(isinstance(each, dict) and _fits_plainly(value, each) for each in choice)
    if isinstance(value, dict | list) and (value or schema.keys() - SAYING):
        return False
    return _is_one_of(value, schema) and all(_accepts_value(key, limit, value) for key, limit in schema.items())


def _is_one_of(value: Any, schema: Json) -> bool:
    if isinstance(value, list):
        return list_types(schema) == ("array",)
    return any(isinstance(value, NAMES.get(name, ())) and not _is_disguised(value, name) for name in list_types(schema))


def _is_disguised(value: Any, name: str) -> bool:
    return isinstance(value, bool) and name != "boolean"


def _accepts_value(key: str, limit: Any, value: Any) -> bool:
    """Prove that a keyword accepts a simple value."""
    if key in SAYING:
        return True
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    sized = len(value) if isinstance(value, str) else None
    match key:
        case "enum":
            return isinstance(value, str) and isinstance(limit, list) and value in limit
        case "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" if number is None:
            return True
        case "minimum" | "exclusiveMinimum":
            return isinstance(limit, int | float) and number is not None and limit < number
        case "maximum" | "exclusiveMaximum":
            return isinstance(limit, int | float) and number is not None and number < limit
        case "minLength" | "maxLength" if sized is None:
            return True
        case "minLength":
            return isinstance(limit, int) and sized is not None and limit <= sized
        case "maxLength":
            return isinstance(limit, int) and sized is not None and sized <= limit
        case _:
            return False


def _find_refusal(value: Any, schema: Json, within: validating.DocumentSchemas, kind: str) -> str | None:
    """Return why a schema refuses a value; None if it accepts it, or is none that can be followed.

    Raises UncheckedError, UnknownMatchError or ExhaustedError where a bound of ours keeps the value from being checked.
    """
    from jsonschema.exceptions import best_match

    plain = {key: each for key, each in schema.items() if key not in ("default", "examples", "example")}
    try:
        errors = within.collect_errors(value, plain)
    except (validating.UncheckedError, UnknownMatchError, ExhaustedError):
        raise
    except (
        Exception
    ):  # a pattern of another dialect, a reference that leads nowhere: the library has many names for them
        return None
    errors = [error for error in errors if not _is_nullable(error.instance, error.schema)]
    if kind == "default" and value in FAIR_DEFAULTS and all(error.validator == "required" for error in errors):
        return None
    found = best_match(errors)
    return shorten_code(found.message, 120) if found is not None else None


def _is_nullable(value: Any, schema: Any) -> bool:
    """Return whether a value is the null that a schema allows as `nullable`, not as a type.

    JSON Schema has no such keyword: OpenAPI 3.0 has it, and schemars writes it for an `Option` when rmcp before 0.17 asks it to.
    Whoever reads the schema is told that null may be sent, and serde takes it.
    """
    return value is None and isinstance(schema, dict) and schema.get("nullable") is True
