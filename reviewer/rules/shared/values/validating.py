"""Reviewed values checked against reviewed schemas by the library, in bounded time, and without a look outside the document."""

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from reviewer.budget import ExhaustedError, get_budget
from reviewer.caching import cache
from reviewer.text.matching import matches

Json = dict[str, Any]

LONGEST = 20_000
"""Characters of a value as JSON. Nobody reads a longer example, and every message of the library repeats it."""
KEYWORD = 10
"""How many visits of a syntax node checking one keyword counts as, for a short value."""


class UncheckedError(Exception):
    """Says that a value is not checked, and why."""


class DocumentSchemas:
    """The schemas of a document, in which values stand."""

    def __init__(self, document: Json) -> None:
        self._document = document

    def collect_errors(self, value: Any, schema: Json) -> list[Any]:
        """Return the library's errors for a value that stands in a schema of the document.

        Raises UncheckedError, UnknownMatchError, ExhaustedError, or what the library has for a schema that is none.
        """
        length = len(json.dumps(value, default=str))
        if length > LONGEST:
            raise UncheckedError(f"it has more than {LONGEST:,} characters")
        found = []
        for error in self._validator.evolve(schema=schema).iter_errors(value):
            _spend(length)
            found.append(error)
        return found

    @cached_property
    def _validator(self) -> Any:
        """The library's validator of the document, which knows all that references may lead to.

        Left to itself the library goes through the whole document for each reference, and fetches others from the network.
        """
        from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012, specification_with

        dialect = self._document.get("$schema")
        kind = build_bounded_validator(dialect if isinstance(dialect, str) else "", is_reviewed=True)
        specification = specification_with(kind.META_SCHEMA["$schema"], default=DRAFT202012)
        root = specification.create_resource(self._document)
        address = root.id() or ""
        try:
            registry = REGISTRY.with_resource(address, root).crawl()
        except Exception:  # an address that is none: references lead to places, and to no names
            registry = REGISTRY.combine(Registry({address: root}))  # type: ignore[call-arg]  # which attrs renames
        return kind(self._document, registry=registry, _resolver=registry.resolver(address))


def build_bounded_validator(dialect: str, *, is_reviewed: bool) -> Any:
    """Return the library's validator for a dialect, the latest if it is none, with keywords that take from the budget.

    The patterns of a schema that `is_reviewed` are matched in linear time; those of the dialects' own schemas are known.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    kind = validator_for({"$schema": dialect}, default=Draft202012Validator)
    return _with_budget(kind, is_reviewed=is_reviewed)


@cache
def _with_budget(meant: Any, *, is_reviewed: bool) -> Any:
    from jsonschema.validators import extend

    keywords = {name: _count(check) for name, check in meant.VALIDATORS.items()}
    own = {"uniqueItems": _get_unique(keywords["uniqueItems"])}
    if is_reviewed:
        own |= {
            "pattern": _iter_pattern,
            "patternProperties": _iter_pattern_properties,
            "additionalProperties": _get_additional(keywords["additionalProperties"]),
            "unevaluatedProperties": _reject_unevaluated,
        }
    checks = {**keywords, **{name: own[name] for name in own.keys() & keywords.keys()}}
    kind: Any = extend(meant, validators=checks)  # type: ignore[no-untyped-call]
    kind.evolve = _get_within_budget(kind.evolve)
    return kind


def _get_within_budget(evolve: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the library's step into a schema that lies within: for one with a `$schema` it would take a validator of its own."""

    def evolve_within(validator: Any, **changes: Any) -> Any:
        schema = changes.get("schema")
        if isinstance(schema, dict) and "$schema" in schema:
            changes["schema"] = {key: value for key, value in schema.items() if key != "$schema"}
        return evolve(validator, **changes)

    return evolve_within


class TooLongError(ExhaustedError):
    """Says that the budget does not afford to check a value against a schema."""

    def __init__(self) -> None:
        super().__init__("visits")
        self.reason = "checking the schema takes too long"
        self.args = (self.reason,)


def _spend(amount: int) -> None:
    if not get_budget().affords("visits", amount):
        raise TooLongError


KeywordCheck = Callable[[Any, Any, Any, Any], Iterator[Any] | None]


def _count(check: KeywordCheck) -> KeywordCheck:
    def iter_counted_errors(validator: Any, limit: Any, value: Any, schema: Any) -> Iterator[Any]:
        _spend(KEYWORD + (len(limit) if isinstance(limit, list | dict) else 0))
        yield from check(validator, limit, value, schema) or ()

    return iter_counted_errors


def _iter_pattern(_validator: Any, limit: Any, value: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(value, str) and not matches(limit, value):
        yield ValidationError(f"{value!r} does not match {limit!r}")


def _iter_pattern_properties(validator: Any, limit: Any, value: Any, _schema: Any) -> Iterator[Any]:
    for pattern, schema in limit.items() if isinstance(value, dict) else ():
        for name, each in value.items():
            if matches(pattern, name):
                yield from validator.descend(each, schema, path=name, schema_path=pattern)


def _get_additional(check: KeywordCheck) -> KeywordCheck:
    def iter_additional_errors(validator: Any, limit: Any, value: Any, schema: Any) -> Iterator[Any]:
        """Leave what the patterns match to their schemas, and the rest to the library, which would match them itself."""
        patterns = schema.get("patternProperties", {})
        if not isinstance(value, dict) or not patterns:
            yield from check(validator, limit, value, schema) or ()
            return
        rest = {name: each for name, each in value.items() if not any(matches(pattern, name) for pattern in patterns)}
        plain = {key: each for key, each in schema.items() if key != "patternProperties"}
        yield from check(validator, limit, rest, plain) or ()

    return iter_additional_errors


def _get_unique(check: KeywordCheck) -> KeywordCheck:
    def iter_unique_errors(validator: Any, limit: Any, value: Any, schema: Any) -> Iterator[Any]:
        _spend(len(value) ** 2 if isinstance(value, list) else 1)  # each with each, if they have no order
        yield from check(validator, limit, value, schema) or ()

    return iter_unique_errors


def _reject_unevaluated(_validator: Any, _limit: Any, _value: Any, _schema: Any) -> Iterator[Any]:
    """Leave the value unchecked: the library finds what is evaluated with the patterns of other schemas."""
    raise UncheckedError("`unevaluatedProperties` is not followed")
