"""What calls of zod build: `z.string().min(1).optional()`, `z.object({…}).extend({…})`, `Schema.shape`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.jsonable import to_json
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    Arr,
    Const,
    Either,
    Func,
    Lib,
    Maybe,
    Obj,
    TsMade,
    TsPlace,
    TsSchema,
    TsUnknown,
    TsValue,
    iter_options,
    join,
    settle,
    strip_conditions,
    to_text_or_opaque,
)
from reviewer.schema.typescript.zod import ZOD as OF_ZOD
from reviewer.schema.typescript.zod import ZodType
from reviewer.source import Opaque, Text

ZOD = frozenset({"zod", "zod/v4", "zod/v3", "zod/v4-mini", "zod/mini", "zod/v4/core"})
"""The modules of zod."""

PLAIN = frozenset("string number boolean any unknown null undefined void never date bigint file symbol nan".split())
"""Functions of zod that make a schema of a kind, and take no other schema."""
FORMATS = frozenset(
    "email url uuid guid cuid cuid2 ulid nanoid emoji base64 base64url jwt ipv4 ipv6 cidrv4 cidrv6 ip cidr datetime time "
    "duration httpUrl hostname".split()
)
"""Texts of one form, each a method of `z.string()` in zod 3 and a function of its own in zod 4."""
NUMBERS = {"int": "int", "int32": "int", "float32": "", "float64": "", "uint32": "int"}
CHECKS = (
    frozenset(
        "min max length nonempty regex startsWith endsWith includes int gt gte lt lte positive negative nonnegative nonpositive "
        "multipleOf step safe finite size trim toLowerCase toUpperCase normalize".split()
    )
    | FORMATS
)
"""Methods that restrict a schema and leave its kind as it is."""
SAME = frozenset(
    "refine superRefine brand check overwrite register clone with_ finite trim toLowerCase toUpperCase normalize".split()
)
"""Methods of which the schema says nothing."""


def call_zod(run: Evaluator, callee: Lib, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the schema that a function of zod builds."""
    names = [each for each in callee.names if each not in ("z", "default")]
    name = names[-1] if names else ""
    first = strip_conditions(args[0]) if args else None
    is_coerced = "coerce" in names[:-1]
    span = place.span
    if name in PLAIN:
        zod = ZodType(name, span, data="coerce" if is_coerced else None)
        return TsSchema(_with_message(zod, first), place)
    if "iso" in names[:-1] or name in FORMATS:
        return TsSchema(ZodType("string", span, checks=((name, True),)), place)
    if name in NUMBERS:
        return TsSchema(ZodType("number", span, checks=((NUMBERS[name], True),) if NUMBERS[name] else ()), place)
    build = BUILDERS.get(name)
    if build is not None:
        return TsSchema(build(run, args, place), place)
    if name in ("toJSONSchema",):
        return TsMade(callee, tuple(args), place)
    if name in ("lazy",) and isinstance(first, Func):
        return TsSchema(build_lazy(run, first, place), place)
    return TsSchema(_build_opaque(f"z.{name} is not read", place), place)


def _with_message(zod: ZodType, given: TsValue | None) -> ZodType:
    """Return a schema with the description that it is given as it is made: `z.string({description: "…"})` of zod 3."""
    if isinstance(given, Obj) and "description" in given.entries:
        return replace(zod, description=to_text_or_opaque(given.entries["description"], zod.span))
    return zod


def _build_opaque(reason: str, place: TsPlace) -> ZodType:
    return ZodType("opaque", place.span, hole=Opaque(reason, place.span))


def to_zod(run: Evaluator, value: TsValue | None, place: TsPlace) -> ZodType:
    """Return the schema that a value is; one that cannot be read if it is none."""
    value = strip_conditions(value) if value is not None else None
    if isinstance(value, TsSchema):
        return value.zod
    if isinstance(value, Either):
        schemas = [each for _, each in iter_options(value) if isinstance(each, TsSchema)]
        test = next((told[-1].text for told, _ in value.options if told), "")
        if schemas:
            return replace(schemas[0].zod, hole=Opaque(f"it depends on `{test}`", place.span))
    reason = value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN
    return _build_opaque(reason, place)


def read_shape(run: Evaluator, value: TsValue | None, place: TsPlace) -> ZodType:
    """Return the object that a raw shape is: a schema for each of its keys."""
    either = strip_conditions(value) if value is not None else None
    value, _ = settle(value) if value is not None else (None, "")
    if isinstance(value, TsUnknown) and isinstance(either, Either):
        value = _join_shapes(run, either, value.reason, place)
    if isinstance(value, TsUnknown) and either is not None:
        return to_zod(run, either, place)
    if isinstance(value, TsSchema):
        return value.zod
    if not isinstance(value, Obj):
        reason = value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN
        return _build_opaque(reason, place)
    shape, places = dict[str, ZodType](), {}
    hole = Opaque(value.hidden, place.span) if value.hidden else None
    for name, each in value.entries.items():
        plain = strip_conditions(each)
        if isinstance(plain, Const) and plain.is_undefined:
            continue
        shape[name] = to_zod(run, each, _place_of(plain) or place)
        places[name] = shape[name].span
        if each is not plain:
            shape[name] = replace(shape[name], unsure=Opaque(f"`{name}` may be absent", shape[name].span))
    library = next((each.library for each in shape.values() if each.library != OF_ZOD), OF_ZOD)
    return ZodType("object", place.span, shape=shape, hole=hole, places=places, library=library)


def _join_shapes(run: Evaluator, either: Either, reason: str, place: TsPlace) -> TsValue:
    """Return the object that may be any of several: a key that not all of them have may be absent."""
    options = [
        (conditions, read_member(run, each, "shape", place) if isinstance(each, TsSchema) else each)
        for conditions, each in iter_options(either)
    ]
    shapes = [each for _, each in options if isinstance(each, Obj)]
    if not shapes or len(shapes) < len(options):
        return TsUnknown(reason, place)
    entries: dict[str, TsValue] = {}
    for name in dict.fromkeys(key for each in shapes for key in each.entries):
        held = [
            (told, each.entries[name]) for (told, _), each in zip(options, shapes, strict=True) if name in each.entries
        ]
        value = join(held)
        entries[name] = value if len(held) == len(shapes) else Maybe(strip_conditions(value), held[0][0])
    hidden = next((each.hidden for each in shapes if each.hidden), "")
    return Obj(entries, shapes[0].place, hidden, conditions=run.conditions)


def _place_of(value: TsValue) -> TsPlace | None:
    return value.place if isinstance(value, TsSchema | Obj | Arr | Const | TsUnknown | TsMade) else None


def _build_object(run: Evaluator, args: list[TsValue], place: TsPlace, rest: str = "") -> ZodType:
    return replace(read_shape(run, args[0] if args else Obj(place=place), place), rest=rest)


def list_constants(value: TsValue) -> list[Const]:
    """Return the constants of an array."""
    items = map(strip_conditions, value.items) if isinstance(value, Arr) else ()
    return [each for each in items if isinstance(each, Const)]


def list_schemas(run: Evaluator, value: TsValue | None, place: TsPlace) -> list[ZodType]:
    """Return the schemas of an array."""
    value = strip_conditions(value) if value is not None else None
    if isinstance(value, Arr):
        found = [to_zod(run, each, place) for each in value.items]
        return found if not value.hidden else [*found, _build_opaque(value.hidden, place)]
    return [to_zod(run, value, place)]


def _build_enum(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    value, _ = settle(args[0]) if args else (TsUnknown(ONLY_A_RUN), "")
    if isinstance(value, Obj) and not value.hidden:
        items = [strip_conditions(each) for each in value.entries.values()]
    elif isinstance(value, Arr) and not value.hidden:
        items = [strip_conditions(each) for each in value.items]
    else:
        reason = value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN
        return ZodType("enum", place.span, data=Opaque(reason, place.span))
    if not all(isinstance(each, Const) for each in items):
        return ZodType("enum", place.span, data=Opaque(ONLY_A_RUN, place.span))
    return ZodType("enum", place.span, data=[each.value for each in items if isinstance(each, Const)])


def _build_literal(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    value, _ = settle(args[0]) if args else (TsUnknown(ONLY_A_RUN), "")
    if isinstance(value, Arr) and len(value.items) != 1:
        return replace(_build_enum(run, args, place), kind="enum")
    value = strip_conditions(value.items[0]) if isinstance(value, Arr) else value
    if isinstance(value, Const):
        return ZodType("literal", place.span, data=value.value)
    return ZodType("literal", place.span, data=Opaque(ONLY_A_RUN, place.span))


def _build_record(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    return ZodType("record", place.span, parts=tuple(to_zod(run, each, place) for each in args[:2]))


def _build_wrapper(kind: str, at: int = 0) -> Callable[[Evaluator, list[TsValue], TsPlace], ZodType]:
    def build(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
        inner = to_zod(run, args[at] if len(args) > at else None, place)
        return ZodType(kind, place.span, inner.description if kind != "array" else None, inner=inner)

    return build


def _build_several(kind: str, at: int = 0, data: Any = None) -> Callable[[Evaluator, list[TsValue], TsPlace], ZodType]:
    def build(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
        parts = list_schemas(run, args[at] if len(args) > at else None, place)
        return ZodType(kind, place.span, parts=tuple(parts), data=data)

    return build


def _build_intersection(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    return ZodType("intersection", place.span, parts=tuple(to_zod(run, each, place) for each in args[:2]))


def build_lazy(run: Evaluator, function: TsValue | None, place: TsPlace) -> ZodType:
    """Return the schema that a function gives."""
    return to_zod(run, run.call(function, [], place) if function is not None else None, place)


BUILDERS: Mapping[str, Callable[[Evaluator, list[TsValue], TsPlace], ZodType]] = {
    "object": _build_object,
    "strictObject": lambda run, args, place: _build_object(run, args, place, "strict"),
    "looseObject": lambda run, args, place: _build_object(run, args, place, "passthrough"),
    "enum": _build_enum,
    "nativeEnum": _build_enum,
    "literal": _build_literal,
    "array": _build_wrapper("array"),
    "set": _build_wrapper("set"),
    "optional": _build_wrapper("optional"),
    "nullable": _build_wrapper("nullable"),
    "promise": _build_wrapper("brand"),
    "preprocess": _build_wrapper("effects", 1),
    "record": _build_record,
    "union": _build_several("union"),
    "discriminatedUnion": _build_several("union", 1, "discriminated"),
    "tuple": _build_several("tuple"),
    "intersection": _build_intersection,
}


def read_member(run: Evaluator, schema: TsSchema, name: str, place: TsPlace) -> TsValue | None:
    """Return the member of a schema that is no method."""
    zod = schema.zod
    if name in ("shape", "entries"):  # valibot calls it so
        while zod.shape is None and zod.inner is not None:
            zod = zod.inner
        if zod.shape is None:
            return TsUnknown(zod.hole.reason if zod.hole is not None else ONLY_A_RUN, place)
        entries: dict[str, TsValue] = {key: TsSchema(each, place) for key, each in zod.shape.items()}
        return Obj(entries, place, zod.hole.reason if zod.hole is not None else "", conditions=run.conditions)
    if name == "element" and zod.inner is not None:
        return TsSchema(zod.inner, place)
    if name == "description" and isinstance(zod.description, Text):
        return Const(str(zod.description), place)
    if name in ("options", "enum", "Values", "Enum") and zod.kind == "enum" and isinstance(zod.data, list):
        values: list[TsValue] = [Const(each, place) for each in zod.data]
        if name == "options":
            return Arr(values, place, conditions=run.conditions)
        return Obj(
            {str(each.value): each for each in values if isinstance(each, Const)}, place, conditions=run.conditions
        )
    return None


def call_method(run: Evaluator, schema: TsSchema, name: str, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the result of a method of a schema."""
    zod, span = schema.zod, place.span
    first, _ = settle(args[0]) if args else (None, "")

    def wrap(kind: str, **parts: Any) -> TsValue:
        return TsSchema(ZodType(kind, span, zod.description, inner=zod, **parts), place)

    if name == "describe":
        return TsSchema(replace(zod, description=to_text_or_opaque(args[0], span) if args else None), place)
    if name == "meta" and isinstance(first, Obj):
        return TsSchema(_with_meta(zod, first, place), place)
    if name in ("optional", "exactOptional", "nullable", "readonly", "nonoptional"):
        return wrap("optional" if name == "exactOptional" else name)
    if name == "nullish":
        nullable = ZodType("nullable", span, zod.description, inner=zod)
        return TsSchema(ZodType("optional", span, zod.description, inner=nullable), place)
    if name in ("default", "prefault", "catch", "_default"):
        given = run.call(first, [], place) if isinstance(first, Func) else first
        told, holes = to_json(given, span) if given is not None else (None, ())
        return wrap(name.lstrip("_"), data=holes[0].opaque if holes else told)
    if name in ("transform", "pipe"):
        return wrap("effects" if name == "transform" else "pipe")
    if name in SAME:
        return TsSchema(replace(zod), place) if zod.kind != "object" else wrap("effects")
    return _change(run, schema, name, args, place)


def _with_meta(zod: ZodType, given: Obj, place: TsPlace) -> ZodType:
    told, _ = to_json(given, place.span)
    text = to_text_or_opaque(given.entries.get("description"), place.span)
    rest = {key: each for key, each in (told or {}).items() if key not in ("description", "id")}
    return replace(zod, description=text or zod.description, meta={**zod.meta, **rest})


def _change(run: Evaluator, schema: TsSchema, name: str, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the result of a method that only one kind of schema has, or that gives no schema."""
    zod, span = schema.zod, place.span
    first, _ = settle(args[0]) if args else (None, "")
    if name == "array":
        return TsSchema(ZodType("array", span, inner=zod), place)
    if name in ("or", "and"):
        other = to_zod(run, args[0] if args else None, place)
        return TsSchema(ZodType("union" if name == "or" else "intersection", span, parts=(zod, other)), place)
    if zod.kind == "object" or (zod.inner is not None and zod.kind in ("effects", "brand")):
        found = change_object(run, zod, name, args, place)
        if found is not None:
            return TsSchema(found, place)
    if zod.kind == "enum" and name in ("exclude", "extract") and isinstance(first, Arr) and isinstance(zod.data, list):
        names = [each.value for each in map(strip_conditions, first.items) if isinstance(each, Const)]
        kept = [each for each in zod.data if (each in names) == (name == "extract")]
        return TsSchema(replace(zod, data=kept), place)
    if name in CHECKS:
        return TsSchema(replace(zod, checks=(*zod.checks, (name, read_check(name, first, place)))), place)
    if name in ("parse", "parseAsync"):
        return args[0] if args else TsUnknown(ONLY_A_RUN, place)
    if name in ("toJSONSchema", "safeParse", "safeParseAsync", "isOptional", "isNullable"):
        return TsMade(Lib("zod", (name,)), tuple(args), place, schema)
    if name in ("unwrap", "removeDefault", "innerType", "sourceType", "promise"):
        return TsSchema(zod.inner if zod.inner is not None and name != "promise" else zod, place)
    reason = zod.hole or Opaque(f"what .{name}() makes of it is not read", span)
    return TsSchema(replace(zod, hole=reason), place)


def read_check(name: str, given: TsValue | None, place: TsPlace) -> Any:
    """Return the bound or the pattern that a check asks for."""
    if name in FORMATS or given is None:
        return True
    if isinstance(given, Const):
        return given.value
    if isinstance(given, Obj) and name == "regex":
        source = given.entries.get("source")
        return source.value if isinstance(source, Const) else Opaque(ONLY_A_RUN, place.span)
    return (
        True
        if name in ("int", "positive", "nonnegative", "nonempty", "safe", "finite", "negative", "nonpositive")
        else Opaque(ONLY_A_RUN, place.span)
    )


def change_object(run: Evaluator, zod: ZodType, name: str, args: list[TsValue], place: TsPlace) -> ZodType | None:
    """Return an object with other properties, None if the method is no such."""
    while zod.shape is None and zod.inner is not None:
        zod = zod.inner
    shape = dict(zod.shape or {})
    span = place.span
    plain = replace(zod, span=span, description=None, places=dict(zod.places))
    match name:
        case "strict" | "passthrough" | "strip" | "loose":
            rest = {"strip": "", "loose": "passthrough"}.get(name, name)
            return replace(zod, rest=rest)
        case "catchall":
            return replace(zod, rest=to_zod(run, args[0] if args else None, place))
        case "extend" | "merge" | "safeExtend" | "augment":
            other = read_shape(run, args[0] if args else None, place)
            made = replace(
                plain,
                shape={**shape, **(other.shape or {})},
                hole=zod.hole or other.hole,
                places={**zod.places, **other.places},
            )
            return replace(made, rest=other.rest) if name == "merge" else made
        case "pick" | "omit":
            given = strip_conditions(args[0]) if args else None
            if not isinstance(given, Obj) or given.hidden:
                return replace(plain, hole=Opaque(ONLY_A_RUN, span))
            names = set(given.entries)
            return replace(
                plain, shape={key: each for key, each in shape.items() if (key in names) == (name == "pick")}
            )
        case "partial" | "required":
            given = strip_conditions(args[0]) if args else None
            names = set(given.entries) if isinstance(given, Obj) else set(shape)
            return replace(
                plain,
                shape={key: _make_optional_or_not(each, name) if key in names else each for key, each in shape.items()},
            )
        case "keyof":
            return ZodType("enum", span, data=list(shape))
    return None


def _make_optional_or_not(zod: ZodType, name: str) -> ZodType:
    if name == "partial":
        return zod if zod.kind == "optional" else ZodType("optional", zod.span, zod.description, inner=zod)
    while zod.kind == "optional" and zod.inner is not None:
        zod = replace(zod.inner, description=zod.description or zod.inner.description)
    return zod
