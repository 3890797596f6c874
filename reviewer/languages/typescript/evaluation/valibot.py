"""What calls of valibot build: `v.object({…})`, `v.pipe(v.string(), v.description("…"))`, `v.optional(v.number(), 5)`."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from reviewer.languages.typescript.evaluation import zod
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.jsonable import to_json
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    Const,
    Func,
    Lib,
    Obj,
    TsMade,
    TsPlace,
    TsSchema,
    TsUnknown,
    TsValue,
    settle,
    strip_conditions,
    to_text_or_opaque,
)
from reviewer.schema.typescript.zod import VALIBOT, ZodType
from reviewer.source import Opaque

PLAIN = {
    **{each: each for each in "string number boolean any unknown null undefined void never date file".split()},
    "null_": "null", "nullType": "null", "undefined_": "undefined", "void_": "void", "bigint": "bigint",
}  # fmt: skip
"""Functions of valibot that make a schema of a kind, and the kind."""
CHECKS = {
    "minLength": "min", "maxLength": "max", "length": "length", "nonEmpty": "nonempty", "minValue": "min", "maxValue": "max",
    "gtValue": "gt", "ltValue": "lt", "integer": "int", "safeInteger": "int", "multipleOf": "multipleOf", "regex": "regex",
    "email": "email", "url": "url", "uuid": "uuid", "isoDate": "date", "isoDateTime": "datetime", "isoTimestamp": "datetime",
    "isoTime": "time", "ipv4": "ipv4", "ipv6": "ipv6",
}  # fmt: skip
"""Actions of a pipe that restrict a value, as zod calls them."""
SILENT = frozenset(
    "check checkAsync rawCheck transform rawTransform trim trimStart trimEnd toLowerCase toUpperCase brand readonly forward "
    "partialCheck normalize startsWith endsWith includes toMinValue toMaxValue filterItems mapItems reduceItems".split()
)
"""Actions of a pipe of which a JSON Schema says nothing."""

Builder = Callable[[Evaluator, list[TsValue], TsPlace], ZodType]


def call(run: Evaluator, callee: Lib, args: list[TsValue], place: TsPlace) -> TsValue:
    """Return the schema that a function of valibot builds; what is no schema stays the call that it is."""
    name = callee.name
    if name in PLAIN:
        return _wrap(ZodType(PLAIN[name], place.span), place)
    build = _BUILDERS.get(name)
    if build is not None:
        return _wrap(build(run, args, place), place)
    if name == "parse" and len(args) > 1:
        return args[1]
    return TsMade(callee, tuple(args), place)


def _wrap(made: ZodType, place: TsPlace) -> TsSchema:
    return TsSchema(replace(made, library=VALIBOT), place)


def _build_pipe(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    """Return a schema with what the actions after it say."""
    found = zod.to_zod(run, args[0] if args else None, place)
    for each in args[1:]:
        action = strip_conditions(each)
        if isinstance(action, TsMade):
            found = _apply(run, found, action, place)
        elif isinstance(action, TsUnknown):
            found = replace(found, hole=found.hole or Opaque(action.reason, place.span))
    return found


def _apply(run: Evaluator, schema: ZodType, action: TsMade, place: TsPlace) -> ZodType:
    given = settle(action.args[0])[0] if action.args else None
    match action.by.name:
        case "description":
            return replace(schema, description=to_text_or_opaque(action.args[0] if action.args else None, place.span))
        case "title" if isinstance(given, Const):
            return replace(schema, meta={**schema.meta, "title": given.value})
        case "metadata" if isinstance(given, Obj):
            told, _ = to_json(given, place.span)
            kept = {key: each for key, each in (told or {}).items() if key in ("title", "examples")}
            text = to_text_or_opaque(given.entries.get("description"), place.span)
            return replace(schema, description=text or schema.description, meta={**schema.meta, **kept})
        case name if name in CHECKS:
            check = (CHECKS[name], zod.read_check(CHECKS[name], given, place))
            return replace(schema, checks=(*schema.checks, check))
        case name if name in SILENT:
            return schema
        case name:
            return replace(schema, hole=schema.hole or Opaque(f"what v.{name}() makes of it is not read", place.span))


def _build_optional(kinds: tuple[str, ...]) -> Builder:
    """Return the builder of a schema that may be left out, or be null; a second argument is its default."""

    def build(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
        found = zod.to_zod(run, args[0] if args else None, place)
        text = found.description
        for kind in kinds:
            found = ZodType(kind, place.span, text, inner=found)
        given = settle(args[1])[0] if len(args) > 1 else None
        given = run.call(given, [], place) if isinstance(given, Func) else given
        if given is None or (isinstance(given, Const) and given.is_undefined):
            return found
        told, holes = to_json(given, place.span)
        kind = "default" if "optional" in kinds else "defaulted"
        return ZodType(kind, place.span, text, inner=found, data=holes[0].opaque if holes else told)

    return build


def _build_object(rest: str) -> Builder:
    return lambda run, args, place: replace(zod.read_shape(run, args[0] if args else None, place), rest=rest)


def _build_object_with_rest(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
    return replace(
        zod.read_shape(run, args[0] if args else None, place),
        rest=zod.to_zod(run, args[1] if len(args) > 1 else None, place),
    )


def _build_changed(name: str) -> Builder:
    """Return the builder of an object that is made of another: `v.partial(Schema)`, `v.pick(Schema, ["a"])`."""

    def build(run: Evaluator, args: list[TsValue], place: TsPlace) -> ZodType:
        schema = zod.to_zod(run, args[0] if args else None, place)
        keys = settle(args[1])[0] if len(args) > 1 else None
        names = {each.value for each in zod.list_constants(keys)} if keys is not None else set(schema.shape or {})
        if schema.shape is None or (len(args) > 1 and not names):
            return replace(schema, hole=schema.hole or Opaque(ONLY_A_RUN, place.span))
        given = Obj({str(each): Const(True) for each in names}, place)
        changed = zod.change_object(run, schema, name, [given], place)
        return changed if changed is not None else schema

    return build


_BUILDERS: Mapping[str, Builder] = {
    "pipe": _build_pipe,
    "object": _build_object(""),
    "looseObject": _build_object("passthrough"),
    "strictObject": _build_object("strict"),
    "objectWithRest": _build_object_with_rest,
    "partial": _build_changed("partial"),
    "required": _build_changed("required"),
    "pick": _build_changed("pick"),
    "omit": _build_changed("omit"),
    "optional": _build_optional(("optional",)),
    "exactOptional": _build_optional(("optional",)),
    "undefinedable": _build_optional(()),
    "nullable": _build_optional(("nullable",)),
    "nullish": _build_optional(("nullable", "optional")),
    **{
        name: zod.BUILDERS[of]
        for name, of in {
            "array": "array", "literal": "literal", "picklist": "enum", "enum": "enum", "enum_": "enum", "record": "record",
            "union": "union", "variant": "discriminatedUnion", "tuple": "tuple", "strictTuple": "tuple",
        }.items()
    },
    "intersect": lambda run, args, place: ZodType(
        "intersection", place.span, parts=tuple(zod.list_schemas(run, args[0] if args else None, place))
    ),
    "lazy": lambda run, args, place: zod.build_lazy(run, args[0] if args else None, place),
}  # fmt: skip
