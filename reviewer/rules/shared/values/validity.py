"""What is wrong with a JSON Schema as such.

Ordinary schemas are proved valid here, keyword by keyword. The library judges what is left, one level at a time, so that no
depth is too much for it. Nothing is fetched: a reference that leads out of the document is a fault of its own.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

from reviewer.facts.parts import Json, Path, parse_pointer, resolve_reference
from reviewer.rules.shared.values.validating import build_bounded_validator
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.text.patterns import pattern

TYPES = frozenset("string number integer boolean object array null".split())
"""The seven types of JSON Schema, in all its drafts from 4 on."""

ONE = frozenset(
    "items additionalProperties additionalItems not if then else contains propertyNames unevaluatedItems"
    " unevaluatedProperties contentSchema".split()
)
"""Keywords of which the value is one schema, in any draft; a draft that lacks one of them ignores it."""

SEVERAL = frozenset("anyOf oneOf allOf prefixItems items".split())
"""Keywords of which the value is a list of schemas; of `items` only up to draft 2019-09."""

NAMED = frozenset("properties patternProperties $defs definitions dependentSchemas dependencies".split())
"""Keywords of which the value is a map of schemas; `dependencies` of draft 7 may hold lists of names beside them."""

RARE = frozenset(
    "additionalItems contains contentEncoding contentMediaType contentSchema dependencies dependentRequired dependentSchemas"
    " disallow divisibleBy else extends id if maxContains minContains multipleOf not propertyNames then unevaluatedItems"
    " unevaluatedProperties".split()
)
"""Keywords that some draft gives a meaning, and `KEYWORDS` does not check: schemas with one of them go to the library, which is
slower. A word of no draft is ignored by all validators, and proves nothing wrong."""

SEVENTH = "http://json-schema.org/draft-07/schema"
PROVED = ("https://json-schema.org/draft/2020-12/schema", SEVENTH)

PUBLISHED = pattern(r"https?://json-schema\.org/")
"""The metaschemas, which every validator contains, so that no client has to fetch them."""


class SchemaFault(NamedTuple):
    """What is wrong at some keys of a schema; `why` completes "`properties.count` …", `target` is where a reference leads."""

    keys: Path
    why: str
    target: Path = ()


def iter_faults(document: Json) -> Iterator[SchemaFault]:
    """Yield the faults that make a schema invalid: keywords of a wrong type, dangling references, broken patterns."""
    every = list(iter_subschemas(document))
    known = _Names(document, [schema for _, schema in every])
    dialect = document.get("$schema")
    named = dialect.rstrip("#") if isinstance(dialect, str) else None
    provable = dialect is None or named in PROVED
    keywords = KEYWORDS_OF_SEVENTH if named == SEVENTH else KEYWORDS
    for keys, schema in every:
        if not (provable and _is_ordinary(schema, keywords)):
            yield from _iter_judged_faults(keys, schema, dialect)
        if isinstance(target := schema.get("$ref"), str) and (why := known.explain_dangling(target)):
            yield SchemaFault((*keys, "$ref"), f"refers to `{shorten_code(target)}`, {why}", parse_pointer(target))
        for where, written in _iter_patterns(schema):
            if why := _find_broken(written):
                yield SchemaFault((*keys, *where), f"is not a regular expression: {why}")


def iter_subschemas(document: Json) -> Iterator[tuple[Path, Json]]:
    """Walk the schemas in a schema; what `enum`, `default` and their like hold is no schema."""
    waiting: list[tuple[Path, Json]] = [((), document)]
    while waiting:
        keys, schema = waiting.pop()
        yield keys, schema
        for key, value in schema.items():
            if key in ONE and isinstance(value, dict):
                waiting.append(((*keys, key), value))
            elif key in SEVERAL and isinstance(value, list):
                waiting += (((*keys, key, str(at)), one) for at, one in enumerate(value) if isinstance(one, dict))
            elif key in NAMED and isinstance(value, dict):
                waiting += (((*keys, key, str(name)), one) for name, one in value.items() if isinstance(one, dict))


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _are_named(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_schema(each) for each in value.values())


def _are_several(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_schema(each) for each in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_type(value: Any) -> bool:
    """Return whether a value of `type` names types of JSON Schema."""
    if isinstance(value, str):
        return value in TYPES
    return _are_texts(value) and bool(value) and TYPES.issuperset(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value) and len({*value}) == len(value)


Keywords = dict[str, Callable[[Any], bool]]

KEYWORDS: Keywords = {
    "type": is_type,
    "required": _are_texts,
    **dict.fromkeys("properties patternProperties $defs definitions".split(), _are_named),
    **dict.fromkeys("items additionalProperties".split(), _is_schema),
    **dict.fromkeys("anyOf oneOf allOf prefixItems".split(), _are_several),
    **dict.fromkeys("title description format pattern $ref $schema $comment".split(), _is_text),
    **dict.fromkeys("minimum maximum exclusiveMinimum exclusiveMaximum".split(), _is_number),
    **dict.fromkeys("minLength maxLength minItems maxItems minProperties maxProperties".split(), _is_count),
    **dict.fromkeys("uniqueItems readOnly writeOnly deprecated".split(), lambda value: isinstance(value, bool)),
    **dict.fromkeys("enum examples".split(), lambda value: isinstance(value, list)),
    **dict.fromkeys("default const".split(), lambda _: True),
}
KEYWORDS_OF_SEVENTH: Keywords = {**KEYWORDS, "items": lambda value: _is_schema(value) or _are_several(value)}


def _is_ordinary(schema: Json, keywords: Keywords) -> bool:
    """Prove that the keywords of one schema have values of their kind; False says only that it is not proved."""
    return all(
        keywords[key](value) if key in keywords else not (key in RARE or str(key).startswith("$"))
        for key, value in schema.items()
    )


def _iter_judged_faults(keys: Path, schema: Json, dialect: Any) -> Iterator[SchemaFault]:
    """Let the library judge one schema, what lies in it left out. Raises ExhaustedError: judging one takes it up to 1 ms."""
    meant = build_bounded_validator(dialect if isinstance(dialect, str) else "", is_reviewed=False)
    errors = {tuple(error.absolute_path): error for error in meant(meant.META_SCHEMA).iter_errors(_get_alone(schema))}
    for path, error in errors.items():
        shown = f"`{shorten_code(json.dumps(error.instance, default=str))}`"
        if path[-1:] == ("type",):
            why = f"is {shown}, which is not a JSON Schema type"
        elif error.validator == "type":
            wanted = error.validator_value
            kinds = wanted if isinstance(wanted, list) else [wanted]
            why = f"is {shown}, not of type {' or '.join(f'`{kind}`' for kind in kinds)}"
        else:
            why = f"is not valid JSON Schema: {shorten_code(error.message, 120)}"
        yield SchemaFault((*keys, *map(str, path)), why)


def _get_alone(schema: Json) -> Json:
    """Return a schema with an empty one in the place of each that lies in it."""

    def empty_nested(key: str, value: Any) -> Any:
        if key in ONE and isinstance(value, dict):
            return {}
        if key in SEVERAL and isinstance(value, list):
            return [{} if isinstance(each, dict) else each for each in value]
        if key in NAMED and isinstance(value, dict):
            return {name: {} if isinstance(each, dict) else each for name, each in value.items()}
        return value

    return {key: empty_nested(key, value) for key, value in schema.items()}


class _Names:
    """What references inside one document may lead to."""

    def __init__(self, document: Json, every: list[Json]) -> None:
        self._document = document
        self._base = document.get("$id") if isinstance(document.get("$id"), str) else ""
        given = [each[key] for each in every for key in ("$id", "id") if isinstance(each.get(key), str)]
        self._bases = {_join(self._base or "", each).partition("#")[0] for each in given}
        called = (each.get(key) for each in every for key in ("$anchor", "$dynamicAnchor"))
        self._anchors = {name for name in called if isinstance(name, str)}
        self._anchors |= {each.partition("#")[2] for each in given if "#" in each}
        self._is_one = all("$id" not in each for each in every if each is not document)

    def explain_dangling(self, target: str) -> str | None:
        """Return why a reference leads nowhere; None if it leads somewhere, or that cannot be told."""
        base, _, fragment = target.partition("#")
        if base:
            inside = _join(self._base or "", base) in self._bases or PUBLISHED.match(base)
            return None if inside else "which is outside the schema: clients do not fetch it"
        if not self._is_one:
            return None
        if fragment and not fragment.startswith("/"):
            return None if unquote(fragment) in self._anchors else "but the schema has no such anchor"
        found = resolve_reference(target, self._document)
        if not _is_schema(found):
            return "which does not exist" if found is None else "which is not a schema"
        return "which refers back to itself" if self._is_circular(found, target) else None

    def _is_circular(self, found: Any, target: str) -> bool:
        """Return whether references lead only to one another."""
        seen = {target}
        while isinstance(found, dict) and isinstance(further := found.get("$ref"), str):
            if further in seen:
                return True
            seen.add(further)
            found = resolve_reference(further, self._document)
        return False


def _join(base: str, reference: str) -> str:
    """Resolve a reference against a base; one that is no URL stays as it is written."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _iter_patterns(schema: Json) -> Iterator[tuple[Path, str]]:
    if isinstance(pattern := schema.get("pattern"), str):
        yield ("pattern",), pattern
    named = schema.get("patternProperties")
    for pattern in named if isinstance(named, dict) else ():
        yield ("patternProperties", str(pattern)), str(pattern)


_ESCAPED = pattern(r"\\.", re.DOTALL)
r"""Taken whole, so that `\[` opens no class and `\*` repeats nothing."""

_CLASS = pattern(r"\[\^?\]|\[[^\]]*\]")
"""The signs in a class stand for themselves. `[]` and `[^]` are classes in ECMA 262, where a `]` first is part of it
elsewhere."""

_LOOSE = pattern(r"(?:^|[(|])(?:[*+]|\{\d+(?:,\d*)?\})|(?:^|\|)\?|[*+]\*")
"""A repetition with nothing to repeat. `++` and `+?` mean something in some dialect and are let pass."""


def _find_broken(pattern: str) -> str | None:
    """Return why a pattern is a regular expression in no dialect; None if it may be one in some."""
    plain = _CLASS.sub("x", _ESCAPED.sub("x", pattern))
    if "(?x" in plain or "(?#" in plain:  # what stands in a comment is no pattern
        return None
    if "[" in plain:
        return "a `[` is not closed"
    if plain.endswith("\\"):
        return "it ends with a backslash"
    opened = 0
    for each in plain:
        opened += (each == "(") - (each == ")")
        if opened < 0:
            break
    if opened:
        return "a `(` is not closed" if opened > 0 else "a `)` closes nothing"
    return "a repetition has nothing before it" if _LOOSE.search(plain) else None
