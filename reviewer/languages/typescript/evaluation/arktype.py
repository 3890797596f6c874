"""What calls of arktype build: `type({ name: "string", "size?": "number > 0" })`, `type.string.describe("…").array()`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.languages.typescript.evaluation import zod
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    Arr,
    Const,
    Lib,
    Obj,
    TsMade,
    TsPlace,
    TsSchema,
    TsUnknown,
    TsValue,
    settle,
    strip_conditions,
)
from reviewer.schema.typescript.zod import ARKTYPE, ZodType
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

KEYWORDS: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {
    **{each: (each, ()) for each in ("string", "number", "boolean", "unknown", "null", "undefined", "never", "bigint")},
    "any": ("unknown", ()), "Date": ("date", ()),
    "number.integer": ("number", (("int", True),)),
    **{f"string.{each}": ("string", ((each, True),)) for each in ("email", "url", "uuid", "date")},
}  # fmt: skip
"""Names of types, the kind of schema that each is, and what it asks of the value."""
TOKEN = pattern(
    r"""\s*(?:(?P<text>'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][\w.]*)"""
    r"""|(?P<sign>\[\]|[<>]=?|==|[|()%]))"""
)
"""A part of a definition that is written as a text."""
BOUNDS = {
    "number": {">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "%": "multipleOf"},
    "string": {">=": "min", "<=": "max", ">": "min", "<": "max", "==": "length"},
    "array": {">=": "min", "<=": "max", ">": "min", "<": "max", "==": "length"},
}
"""What a comparison asks of a value of a kind, as zod calls it."""


class _UnreadDefinitionError(Exception):
    """Says that a definition holds what is not read."""


def call(run: Evaluator, callee: Lib, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the schema that a function of arktype builds; what is no schema stays the call that it is."""
    names = callee.names
    if names[:1] != ("type",):
        return TsMade(callee, tuple(args), place)
    if len(names) == 1:
        return _wrap(_read_definition(run, args, place), place)
    if names[-1] == "enumerated" and len(names) == 2:
        return _wrap(ZodType("enum", place.span, data=_list_values(args, place)), place)
    inner = read_member(Lib(callee.module, names[:-2]), names[-2], place) if len(names) > 2 else None
    if inner is not None:
        return zod.call_method(run, inner, names[-1], args, place)
    return TsMade(callee, tuple(args), place)


def read_member(owner: Lib, name: str, place: TsPlace) -> TsSchema | None:
    """Return the schema that a name of arktype means, as `type.string` does; None if it means none."""
    names = (*owner.names, name)
    if names[:1] != ("type",):
        return None
    keyword = KEYWORDS.get(".".join(names[1:]))
    return _wrap(ZodType(keyword[0], place.span, checks=keyword[1]), place) if keyword is not None else None


def _wrap(made: ZodType, place: TsPlace) -> TsSchema:
    return TsSchema(replace(made, library=ARKTYPE), place)


def _list_values(args: list[TsValue], place: TsPlace) -> Any:
    plain = [settle(each)[0] for each in args]
    told = [each.value for each in plain if isinstance(each, Const)]
    return told if len(told) == len(plain) else Opaque(ONLY_A_RUN, place.span)


def _read_definition(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    """Return the schema of `type(definition)`, or of a definition in several arguments: `type(Item, "[]")`."""
    if len(args) > 1:
        return _read_value(run, Arr(list(args), place), place)
    return _read_value(run, args[0] if args else TsUnknown(ONLY_A_RUN), place)


def _read_value(run: Evaluator, given: TsValue, place: TsPlace) -> ZodType:
    given = settle(given)[0]
    match given:
        case Const(value=str() as text):
            return read_text(text, given.place or place)
        case Obj():
            return _read_object(run, given, place)
        case Arr() if len(given.items) == 2 and not given.hidden:
            sign = strip_conditions(given.items[1])
            if isinstance(sign, Const) and sign.value == "[]":
                return ZodType("array", place.span, inner=_read_value(run, given.items[0], place))
    return zod.to_zod(run, given, place)


def _read_object(run: Evaluator, given: Obj, place: TsPlace) -> ZodType:
    shape: dict[str, ZodType] = {}
    rest = ""
    for key, each in given.entries.items():
        if key == "+":
            told = settle(each)[0]
            rest = "strict" if isinstance(told, Const) and told.value == "reject" else rest
            continue
        found = _read_value(run, each, place)
        name = key.removesuffix("?")
        shape[name] = found if name == key else ZodType("optional", found.span, found.description, inner=found)
    hole = Opaque(given.hidden, place.span) if given.hidden else None
    places = {name: each.span for name, each in shape.items()}
    return ZodType("object", place.span, shape=shape, rest=rest, hole=hole, places=places, library=ARKTYPE)


def read_text(text: str, place: TsPlace) -> ZodType:
    """Return the schema that a definition means which is written as a text: `string[]`, `'a' | 'b'`, `1 < number <= 9`."""
    try:
        definition, _, default = text.partition(" = ")
        tokens = list(_tokenize(definition))
        found, rest = _parse_union(tokens, place)
        if rest:
            raise _UnreadDefinitionError
        if not default:
            return found
        literal, more = _parse_term(list(_tokenize(default)), place)
        if more or literal.kind != "literal":
            raise _UnreadDefinitionError
        return ZodType("default", place.span, inner=found, data=literal.data)
    except _UnreadDefinitionError:
        return ZodType("opaque", place.span, hole=Opaque(f"the type {text[:60]!r} is not read", place.span))


def _tokenize(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise _UnreadDefinitionError
        yield found.lastgroup, found[found.lastgroup]
        at = found.end()


Tokens = list[tuple[str, str]]


def _parse_union(tokens: Tokens, place: TsPlace) -> tuple[ZodType, Tokens]:
    first, rest = _parse_compared(tokens, place)
    parts = [first]
    while rest and rest[0] == ("sign", "|"):
        one, rest = _parse_compared(rest[1:], place)
        parts.append(one)
    if len(parts) == 1:
        return first, rest
    if all(each.kind == "literal" for each in parts):
        return ZodType("enum", place.span, data=[each.data for each in parts]), rest
    return ZodType("union", place.span, parts=tuple(parts)), rest


def _parse_compared(tokens: Tokens, place: TsPlace) -> tuple[ZodType, Tokens]:
    """Parse a type with the bounds before and behind it."""
    before: list[tuple[str, str]] = []
    if len(tokens) > 2 and tokens[0][0] == "number" and tokens[1][1] in ("<", "<="):
        before, tokens = [(tokens[1][1].replace("<", ">"), tokens[0][1])], tokens[2:]
    found, tokens = _parse_term(tokens, place)
    bounds = list(before)
    while len(tokens) > 1 and tokens[0][0] == "sign" and tokens[0][1] in (">", ">=", "<", "<=", "==", "%"):
        bounds.append((tokens[0][1], tokens[1][1]))
        tokens = tokens[2:]
    for sign, given in bounds:
        check = BOUNDS.get(found.kind, {}).get(sign)
        number = _to_number(given)
        if check is None or number is None:
            raise _UnreadDefinitionError
        if found.kind != "number" and sign in (">", "<"):
            number += 1 if sign == ">" else -1
        found = replace(found, checks=(*found.checks, (check, number)))
    return found, tokens


def _parse_term(tokens: Tokens, place: TsPlace) -> tuple[ZodType, Tokens]:
    if not tokens:
        raise _UnreadDefinitionError
    (group, text), rest = tokens[0], tokens[1:]
    if (group, text) == ("sign", "("):
        found, rest = _parse_union(rest, place)
        if not rest or rest.pop(0) != ("sign", ")"):
            raise _UnreadDefinitionError
    elif group == "text":
        found = ZodType("literal", place.span, data=text[1:-1])
    elif group == "number":
        found = ZodType("literal", place.span, data=_to_number(text))
    elif text in ("true", "false"):
        found = ZodType("literal", place.span, data=text == "true")
    elif text in KEYWORDS:
        kind, checks = KEYWORDS[text]
        found = ZodType(kind, place.span, checks=checks)
    else:
        raise _UnreadDefinitionError
    while rest and rest[0] == ("sign", "[]"):
        found, rest = ZodType("array", place.span, inner=found), rest[1:]
    return found, rest


def _to_number(text: str) -> int | float | None:
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return None
