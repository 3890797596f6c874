"""Bounds, patterns, formats and examples that attributes put into a schema, each only where its type takes it."""

from collections.abc import Mapping
from typing import Any

from reviewer.facts import Json
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.syntax import tokens
from reviewer.languages.rust.syntax.tokens import AttributeArgument
from reviewer.schema.rust.marks import DeclarationMarks
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

RANGE = {"min": "minimum", "max": "maximum", "exclusive_min": "exclusiveMinimum", "exclusive_max": "exclusiveMaximum"}
"""The arguments of `range(..)` in the `validator` crate, and the keywords that schemars makes of them."""

SIZES = {"string": "Length", "array": "Items"}
"""The end of the keywords that `length(..)` becomes, by the type that has a length."""

FORMATS = {"email": "email", "url": "uri", "ip": "ip", "ipv4": "ipv4", "ipv6": "ipv6"}
"""The attributes that are a format by themselves."""

SPECIAL = pattern(r"([\\.+*?()|\[\]{}^$#&\-~])")
"""What schemars puts a backslash before to make a pattern of `contains = "…"`: `is_meta_character` in
schemars_derive/src/regex_syntax.rs."""


def apply_validation(schema: Any, read: DeclarationMarks) -> Any:
    """Put bounds, patterns and examples into a schema."""
    arguments = [each for _, each in read.arguments]
    extra: Json = _get_bounds(schema, arguments, read)
    inner = read.find("inner")
    if inner is not None and inner.nested is not None and isinstance(schema, dict) and "items" in schema:
        within = schema["items"]
        found = _get_bounds(within, list(tokens.parse_arguments(inner.nested)), read)
        extra["items"] = {**within, **found} if isinstance(within, dict) else within
    return apply_extensions({**(schema if isinstance(schema, dict) else {}), **extra} if extra else schema, read)


def apply_extensions(schema: Any, read: DeclarationMarks) -> Any:
    """Put examples and what `extend` says into a schema."""
    extra: Json = {}
    arguments = [each for _, each in read.arguments]
    examples = [read.read_value(each) for each in arguments if each.name in ("example", "examples") and each.tokens]
    if examples:
        extra["examples"] = examples
    extra |= read.read_nested_values("extend")
    for name in ("transform", "examples"):
        argument = read.find(name)
        if argument is not None and not (name == "examples" and argument.tokens):
            extra[""] = Opaque(f"`{name}` is not followed", read.items.locate_node(read.path, argument.node))
    return {**(schema if isinstance(schema, dict) else {}), **extra} if extra else schema


def _get_bounds(schema: Any, arguments: list[AttributeArgument], read: DeclarationMarks) -> Json:
    """Return the keywords that a schema of its type takes."""
    given = schema.get("type", []) if isinstance(schema, dict) else []
    types = {given} if isinstance(given, str) else set(given)
    unknown = isinstance(schema, dict) and "" in schema
    extra: Json = {}
    for each in arguments:
        values = _read_nested_values(each, read)
        if each.name == "range" and (unknown or types & {"number", "integer"}):
            extra |= {RANGE[key]: value for key, value in values.items() if key in RANGE}
        elif each.name == "length":
            extra |= _get_sizes(types, values)
        elif each.name in ("regex", "pattern", "contains") and (unknown or "string" in types):
            extra |= _get_pattern(each, values, read)
        elif each.name in FORMATS and not each.tokens and each.nested is None:
            extra["format"] = FORMATS[each.name]
    return extra


def _get_sizes(types: set[str], values: Mapping[str, Any]) -> Json:
    found: Json = {}
    for type_, size in SIZES.items():
        if type_ in types:
            for key, value in values.items():
                names = {"min": [f"min{size}"], "max": [f"max{size}"], "equal": [f"min{size}", f"max{size}"]}
                found |= dict.fromkeys(names.get(key, []), value)
    return found


def _get_pattern(argument: AttributeArgument, values: Mapping[str, Any], read: DeclarationMarks) -> Json:
    value = values.get("pattern", read.read_value(argument) if argument.tokens else None)
    if value is None:
        return {}
    if argument.name == "contains" and isinstance(value, str):
        return {"pattern": SPECIAL.sub(r"\\\1", value)}
    return {"pattern": value}


def _read_nested_values(argument: AttributeArgument, read: DeclarationMarks) -> dict[str, Any]:
    """Return the values of `name(a = 1, b = 2)`."""
    if argument.nested is None:
        return {}
    found: dict[str, Any] = {}
    for inner in tokens.parse_arguments(argument.nested):
        if inner.name is None and len(inner.tokens) == 1 and argument.name in ("contains", "regex"):
            found["pattern"] = evaluate_string(inner.tokens[0])
        elif inner.name is not None:
            found[inner.name] = read.read_value(inner)
    return found
