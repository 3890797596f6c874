"""What calls of TypeBox build: JSON Schema itself, as `Type.Object({ path: Type.String({ description: "…" }) })`."""

from collections.abc import Callable, Mapping

from reviewer.languages.typescript.evaluation.builtin import list_entries, spread_into
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    SYMBOL,
    Arr,
    Const,
    Lib,
    Obj,
    TsMade,
    TsPlace,
    TsUnknown,
    TsValue,
    settle,
)

MODULES = ("@sinclair/typebox", "typebox")
"""The names of the package: the second is that of release 1."""
OPTIONAL = SYMBOL + "optional"
"""The key by which TypeBox marks what may be left out: a symbol, which is not sent."""
PLAIN = {
    "String": "string", "Number": "number", "Integer": "integer", "Boolean": "boolean", "Null": "null", "Any": "", "Unknown": "",
}  # fmt: skip
"""Functions that take options alone, and the type that each says."""


def call(run: Evaluator, callee: Lib, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the JSON Schema that a function of TypeBox builds; what is not read stays the call that it is."""
    name = callee.name
    if name in PLAIN:
        told: dict[str, TsValue] = {"type": Const(PLAIN[name], place)} if PLAIN[name] else {}
        return _build(run, told, args, 0, place)
    build = _BUILDERS.get(name)
    if build is not None:
        return build(run, args, place)
    return TsMade(callee, tuple(args), place) if not _is_type(callee) else TsUnknown(f"Type.{name} is not read", place)


def _is_type(callee: Lib) -> bool:
    return len(callee.names) > 1 and callee.names[-2] in ("Type", "t")


def _build(run: Evaluator, told: Mapping[str, TsValue], args: list[TsValue], at: int, place: TsPlace) -> Obj:
    """Return an object of what a function says, and of the options that are its argument at a place."""
    made = Obj({}, place, conditions=run.conditions)
    if len(args) > at:
        spread_into(run, made, args[at], place)
    made.entries = {**told, **made.entries}
    return made


def _build_object(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    given = args[0] if args else Obj(place=place)
    entries, hidden = list_entries(run, given, place)
    properties = Obj(dict(entries), place, hidden, conditions=run.conditions)
    plain = settle(given)[0]
    properties.place = plain.place if isinstance(plain, Obj) else place
    required = [Const(key, place) for key, each in entries if not _is_optional(each)]
    told: dict[str, TsValue] = {"type": Const("object", place), "properties": properties}
    if required:
        told["required"] = Arr(list(required), place, conditions=run.conditions)
    return _build(run, told, args, 1, place)


def _is_optional(value: TsValue) -> bool:
    value = settle(value)[0]
    return isinstance(value, Obj) and OPTIONAL in value.entries


def _mark_optional(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    value = settle(args[0])[0] if args else TsUnknown(ONLY_A_RUN, place)
    if not isinstance(value, Obj):
        return value
    return Obj({**value.entries, OPTIONAL: Const(True)}, value.place, value.hidden, conditions=run.conditions)


def _build_array(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    items = args[0] if args else Obj(place=place)
    return _build(run, {"type": Const("array", place), "items": items}, args, 1, place)


def _build_parts(key: str) -> Callable[[Evaluator, list[TsValue], TsPlace], TsValue]:
    return lambda run, args, place: _build(run, {key: args[0] if args else Arr([], place)}, args, 1, place)


def _build_literal(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    value = settle(args[0])[0] if args else TsUnknown(ONLY_A_RUN, place)
    told: dict[str, TsValue] = {"const": value}
    if isinstance(value, Const) and isinstance(value.value, str | bool | int | float):
        kind = "string" if isinstance(value.value, str) else "boolean" if isinstance(value.value, bool) else "number"
        told["type"] = Const(kind, place)
    return _build(run, told, args, 1, place)


def _build_record(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    pattern = Obj({"^(.*)$": args[1] if len(args) > 1 else Obj(place=place)}, place, conditions=run.conditions)
    return _build(run, {"type": Const("object", place), "patternProperties": pattern}, args, 2, place)


def _build_enum(run: Evaluator, args: list[TsValue], place: TsPlace) -> TsValue:
    entries, hidden = list_entries(run, args[0] if args else Obj(place=place), place)
    parts: list[TsValue] = [_build_literal(run, [each], place) for _, each in entries]
    return _build(run, {"anyOf": Arr(parts, place, hidden, run.conditions)}, args, 1, place)


_BUILDERS: dict[str, Callable[[Evaluator, list[TsValue], TsPlace], TsValue]] = {
    "Object": _build_object,
    "Optional": _mark_optional,
    "Array": _build_array,
    "Union": _build_parts("anyOf"),
    "Intersect": _build_parts("allOf"),
    "Literal": _build_literal,
    "Record": _build_record,
    "Enum": _build_enum,
    "Unsafe": lambda run, args, place: _build(run, {}, args, 0, place),
    "Readonly": lambda run, args, place: args[0] if args else TsUnknown(ONLY_A_RUN, place),
}
