"""Departures of the practices. The reasons are in the TOML file beside it."""

from collections.abc import Iterator
from typing import Any

from cases import Difference

from reviewer.facts.parts import iter_schema_parts
from reviewer.rules.practices.complex_parameter_without_example import EXAMPLE
from reviewer.rules.practices.schema_repeated import TYPE_BOUNDS
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.substance import extract_substance

NULLS = ({"type": "null"}, {"const": None, "nullable": True}, {"const": None})


def _hints(difference: Difference) -> dict[str, Any]:
    return difference.tool.get("annotations") or {}


def title_above(difference: Difference) -> bool:
    return bool(extract_substance(difference.tool.get("title") or ""))


def verb_inside_or_not_listed(difference: Difference) -> bool:
    listed = difference.case.oracle.RX["BP-003.MODIFYING_PATTERNS"]
    name = str(difference.tool.get("name"))
    return bool(set(split_words(name)) & load_lexicon("changing")) and not any(each.search(name) for each in listed)


def says_read_only(difference: Difference) -> bool:
    return _hints(difference).get("readOnlyHint") is True


def _bare(schema: Any, within: str = "") -> Any:
    """Leave out what is said in words."""
    if isinstance(schema, list):
        return sorted((_bare(each) for each in schema), key=str)
    if not isinstance(schema, dict):
        return schema
    inner = schema if within == "properties" else {key: each for key, each in schema.items() if key not in SAID}
    return {key: _bare(each, "" if within == "properties" else key) for key, each in inner.items()}


SAID = ("description", "title", "examples")


def _twins(difference: Difference) -> list[tuple[int, str]]:
    """Return the arguments of the server with the same schema but for words: the tool's index and the name."""
    same = _bare(_not_null(difference.schema))
    return [
        (index, name)
        for index, tool in enumerate(difference.tools)
        for name, schema in ((tool.get("inputSchema") or {}).get("properties") or {}).items()
        if isinstance(schema, dict) and _bare(_not_null(schema)) == same
    ]


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out the alternative null, with the default that mostly goes with it."""
    some = [each for each in schema.get("anyOf", ()) if each not in NULLS]
    shared = {key: each for key, each in schema.items() if key not in ("anyOf", "default")}
    return {**shared, **some[0]} if len(some) == 1 else schema


def other_words(difference: Difference) -> bool:
    twins = _twins(difference)
    exact = [
        name for index, name in twins if difference.tools[index]["inputSchema"]["properties"][name] == difference.schema
    ]
    return len(twins) > 1 and (len(exact) < len(twins) or "anyOf" in difference.schema)


def first_of_copies(difference: Difference) -> bool:
    twins = _twins(difference)
    first = next((twin for twin in twins if twin[1] == difference.name), None)
    return (difference.seen.tool, difference.name) in (first, twins[0])


def bounds_of_the_type(difference: Difference) -> bool:
    """Whether no bound is left that is not the end of a type of number: of one that is named, or of JavaScript's integers."""
    bounds = [abs(difference.schema[key]) for key in ("minimum", "maximum") if key in difference.schema]
    named = "format" in difference.schema and all(bound in TYPE_BOUNDS for bound in bounds)
    return named or (len(bounds) == 2 and bounds[1] == 2**53 - 1)


def deepest_place(difference: Difference) -> bool:
    return not difference.seen.part


def deepest_part(difference: Difference) -> bool:
    return len(difference.seen.part) > 3


def example_in_words(difference: Difference) -> bool:
    return any(
        EXAMPLE.search(said) for part in _parts(difference) for said in _descriptions([part.schema, *part.forms])
    )


def _descriptions(schema: Any) -> Iterator[str]:
    """Yield the descriptions in a schema."""
    for key, each in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "description" and isinstance(each, str):
            yield each
        elif isinstance(each, dict | list):
            yield from _descriptions(each)


def values_listed(difference: Difference) -> bool:
    return any("enum" in form or "const" in form for part in _parts(difference) for form in part.forms)


def parts_show(difference: Difference) -> bool:
    """Whether each part of an object or of elements, or one of the alternatives, shows its values itself."""
    schema = difference.schema
    if null_beside(difference):
        return False
    forms = [
        each
        for held in (schema, *_dicts([schema.get("items")]))
        for key in ("anyOf", "oneOf")
        for each in _dicts(held.get(key))
    ]
    return _pieces_show(schema) or any(map(_shows, forms))


def _pieces_show(schema: Any) -> bool:
    pieces = [*_dicts(schema.get("properties")), *_dicts([schema.get("items")])]
    return bool(pieces) and all(map(_shows, pieces))


def _shows(schema: Any) -> bool:
    said = str(schema.get("description") or "")
    values = any(
        schema.get(key) not in (None, [], {}, "") for key in ("default", "enum", "const", "examples", "example")
    )
    return values or schema.get("type") == "boolean" or EXAMPLE.search(said) is not None or _pieces_show(schema)


def _dicts(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [each for each in held if isinstance(each, dict)]


def _parts(difference: Difference) -> list[Any]:
    """Return the part that a difference stands at, and the elements of its array."""
    held = iter_schema_parts(difference.tool.get("inputSchema"))
    path = difference.seen.part[1:]
    return [part for part in held if part.path == path or (part.element and part.path[: len(path)] == path)]


def null_beside(difference: Difference) -> bool:
    return any(each in NULLS for each in difference.schema.get("anyOf", ()))


def empty_default(difference: Difference) -> bool:
    return "default" in difference.schema and difference.schema["default"] in (None, [], {}, "")


def behind_reference(difference: Difference) -> bool:
    return "$ref" in difference.schema


def type_list(difference: Difference) -> bool:
    return isinstance(difference.schema.get("type"), list)


def repeats_its_name(difference: Difference) -> bool:
    output = difference.tool.get("outputSchema") or {}
    return any(
        each.get("description") and not extract_substance(each["description"], name)
        for name, each in (output.get("properties") or {}).items()
    )
