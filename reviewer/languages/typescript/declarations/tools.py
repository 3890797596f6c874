"""A registration, or an entry of a list of tools → a Tool fact: name, texts, parameters and schemas as the SDK makes them."""

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.facts import Condition, Handler, Hole, Json, Places, Schema, Tool, ToolParameter
from reviewer.facts.parts import Path
from reviewer.languages.typescript.declarations.releases import Releases
from reviewer.languages.typescript.declarations.sdk import FASTMCP, Registration
from reviewer.languages.typescript.evaluation import values
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.jsonable import to_json
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    Const,
    Func,
    Obj,
    TsMade,
    TsPlace,
    TsUnknown,
    TsValue,
    iter_options,
    settle,
    strip_conditions,
    to_text_or_opaque,
)
from reviewer.languages.typescript.evaluation.zod import read_shape, to_zod
from reviewer.schema.typescript.zod import ZodDialect, ZodType, build_schema, fit_dialect, is_optional
from reviewer.source import Opaque, Span, Text

NO_PARAMETERS: Json = {"type": "object", "properties": {}}
NO_OTHERS: Json = {**NO_PARAMETERS, "additionalProperties": False}
"""What FastMCP answers for a tool that takes nothing."""
HINT = "Hint"
"""How the annotations end by which clients decide whom they ask: `readOnlyHint`, `destructiveHint`."""

CONVERTERS = frozenset({"zodToJsonSchema", "toJSONSchema", "toJsonSchema", "toJsonSchemaCompat"})
"""Functions that make a JSON Schema of a schema of zod, valibot or arktype; the last is the SDK's own."""


class ToolReader:
    """Reads the tools of one evaluation."""

    def __init__(self, run: Evaluator, releases: Releases) -> None:
        self._run, self._releases = run, releases
        self._assumptions: list[Hole] = []

    def read(self, made: Registration) -> Tool:
        """Read one registration."""
        self._assumptions = []
        span, parts = made.place.span, made.parts
        dialect = self._releases.find_framework_dialect(made.framework, made.place.source.path)
        none = NO_OTHERS if made.framework == FASTMCP else NO_PARAMETERS
        name = self._read_text("name", made.name, span)
        handler = find_handler(made.handler, name)
        unread = Opaque(made.unread, span) if made.unread else None
        schema, parameters = self._read_input(parts.get("inputSchema"), made.place, dialect, none)
        if unread is not None and "inputSchema" not in parts:
            schema, parameters = unread, unread
        description = self._read_text("description", parts.get("description"), span)
        annotations = self._read_annotations(parts.get("annotations"), span)
        return Tool(
            name=name,
            span=span,
            description=description if description is not None else unread,
            title=self._read_text("title", parts.get("title"), span),
            input_schema=schema,
            output_schema=self._read_output(parts.get("outputSchema"), made.place, dialect),
            annotations=annotations,
            meta=self._read_json(parts.get("_meta"), span),
            parameters=parameters,
            conditions=made.conditions,
            handler=handler,
            assumptions=tuple(self._assumptions),
        )

    def read_listed(self, entry: TsValue, place: TsPlace, conditions: tuple[Condition, ...]) -> Tool | Opaque:
        """Read an entry of a list of tools that a handler of `tools/list` gives."""
        self._assumptions = []
        entry = settle(entry)[0]
        if not isinstance(entry, Obj):
            return Opaque(entry.reason if isinstance(entry, TsUnknown) else ONLY_A_RUN, place.span)
        span = entry.place.span if entry.place is not None else place.span
        where = entry.place or place
        dialect = self._releases.find_dialect(where.source.path)
        hidden = Opaque(entry.hidden, span) if entry.hidden else None
        schema, parameters = self._read_listed_schema(entry.entries.get("inputSchema"), where, dialect)
        if hidden is not None and "inputSchema" not in entry.entries:
            schema, parameters = hidden, hidden
        output, _ = self._read_listed_schema(entry.entries.get("outputSchema"), where, dialect)
        name = self._read_text("name", entry.entries.get("name"), span)
        return Tool(
            name=name if name is not None else hidden,
            span=span,
            description=self._read_text("description", entry.entries.get("description"), span) or hidden,
            title=self._read_text("title", entry.entries.get("title"), span),
            input_schema=schema,
            output_schema=output,
            annotations=self._read_annotations(entry.entries.get("annotations"), span),
            meta=self._read_json(entry.entries.get("_meta"), span),
            parameters=parameters,
            conditions=conditions,
            assumptions=tuple(self._assumptions),
        )

    def _read_text(self, part: str, value: TsValue | None, span: Span) -> Text | Opaque | None:
        if value is None:
            return None
        _, reason = settle(value)
        found = to_text_or_opaque(value, span)
        if reason and isinstance(found, Text):
            self._assumptions.append(Hole(part, Opaque(reason, span), assumed=True))
        return found

    def _read_annotations(self, value: TsValue | None, span: Span) -> Json | Opaque | None:
        """Return the annotations; unreadable where only a run tells a hint, or whether it is there: it is not absent then."""
        found = self._read_json(value, span)
        if isinstance(found, dict) and value is not None:
            holes = [each for each in to_json(value, span)[1] if not each.path or each.path.endswith(HINT)]
            unsure = [each.opaque for each in holes if not each.assumed or each.path not in found]
            return unsure[0] if unsure else found
        return found

    def _read_json(self, value: TsValue | None, span: Span) -> Json | Opaque | None:
        if value is None or (isinstance(value, Const) and value.value is None):
            return None
        found, holes = to_json(value, span)
        sure = [each for each in holes if not each.assumed]
        if not isinstance(found, dict) or (sure and not found):
            return sure[0].opaque if sure else None
        return found

    def _read_input(
        self, given: TsValue | None, place: TsPlace, dialect: ZodDialect, none: Json
    ) -> tuple[Schema | Opaque, tuple[ToolParameter, ...] | Opaque]:
        """Return the input schema and the parameters of a raw shape, or a schema; of none, where it is absent."""
        plain = settle(given)[0] if given is not None else None
        if given is None or (isinstance(plain, Const) and plain.value is None):
            return Schema.from_document(dict(none)), ()
        zod = read_shape(self._run, given, place)
        if zod.kind == "opaque":
            opaque = zod.hole or Opaque(ONLY_A_RUN, place.span)
            return opaque, opaque
        return self._build(zod, dialect)

    def _build(self, zod: ZodType, dialect: ZodDialect) -> tuple[Schema | Opaque, tuple[ToolParameter, ...] | Opaque]:
        whole = zod
        while zod.shape is None and zod.inner is not None:
            zod = zod.inner
        if zod.shape is None and dialect.sdk >= (1, 23):
            return Schema.from_document(dict(NO_PARAMETERS)), ()
        whole = zod if zod.shape is not None else whole
        return Schema(lambda: build_schema(whole, dialect), Places(lambda: _iter_places(zod))), _list_parameters(
            zod, dialect
        )

    def _read_output(self, given: TsValue | None, place: TsPlace, dialect: ZodDialect) -> Schema | Opaque | None:
        plain = settle(given)[0] if given is not None else None
        if plain is None or isinstance(plain, Const):
            return None
        if isinstance(plain, TsUnknown):
            return Opaque(plain.reason, place.span)
        zod = read_shape(self._run, plain, place)
        outward = dialect._replace(io="output")
        return Schema(lambda: build_schema(zod, outward)) if zod.kind != "opaque" else zod.hole

    def _read_listed_schema(
        self, given: TsValue | None, place: TsPlace, dialect: ZodDialect
    ) -> tuple[Schema | Opaque | None, tuple[ToolParameter, ...] | Opaque]:
        plain = settle(given)[0] if given is not None else None
        if plain is None or (isinstance(plain, Const) and plain.value is None):
            return None, ()
        if isinstance(plain, TsMade) and plain.by.name in CONVERTERS:
            zod = to_zod(self._run, plain.on if isinstance(plain.on, values.TsSchema) else plain.args[0], place)
            if zod.kind == "opaque":
                opaque = zod.hole or Opaque(ONLY_A_RUN, place.span)
                return opaque, opaque
            return self._build(zod, _choose_converter(plain, dialect))
        if isinstance(plain, Obj):
            document, holes = to_json(plain, place.span)
            schema = Schema.from_document(document if isinstance(document, dict) else {}, holes, _find_places(plain))
            return schema, _list_written(plain, document if isinstance(document, dict) else {}, place)
        opaque = Opaque(plain.reason if isinstance(plain, TsUnknown) else ONLY_A_RUN, place.span)
        return opaque, opaque


def _choose_converter(made: TsMade, dialect: ZodDialect) -> ZodDialect:
    """Return how a converter that is called itself makes a schema."""
    if made.by.name == "toJsonSchemaCompat":
        return dialect
    if made.by.name == "zodToJsonSchema":
        return dialect._replace(zod=(3, 25), sdk=(1, 0))
    at = 0 if isinstance(made.on, values.TsSchema) else 1
    options = strip_conditions(made.args[at]) if len(made.args) > at else None
    told = (
        {key: each.value for key, each in options.entries.items() if isinstance(each, Const)}
        if isinstance(options, Obj)
        else {}
    )
    io, target = told.get("io", "output"), str(told.get("target", "draft-2020-12"))
    return dialect._replace(io=str(io), is_draft_2020="2020" in target, sdk=(1, 0), zod=max(dialect.zod, (4, 0)))


def _iter_places(zod: ZodType) -> Iterator[tuple[Path, Span]]:
    for name, each in (zod.shape or {}).items():
        yield ("properties", name), each.span


def _list_parameters(zod: ZodType, dialect: ZodDialect) -> tuple[ToolParameter, ...]:
    dialect = fit_dialect(zod, dialect)
    return tuple(
        ToolParameter(
            Text(name, each.span),
            each.span,
            each.description,
            required=not is_optional(each, dialect),
            free=each.kind in ("any", "unknown", "record"),
        )
        for name, each in (zod.shape or {}).items()
    )


def _find_places(schema: Obj, path: Path = (), deep: int = 12) -> Mapping[Path, Span]:
    found: dict[Path, Span] = {}
    for key, each in schema.entries.items():
        plain = strip_conditions(each)
        if isinstance(plain, Obj | Const) and plain.place is not None:
            found[(*path, key)] = plain.place.span
        if isinstance(plain, Obj) and deep:
            found |= _find_places(plain, (*path, key), deep - 1)
    return found


def _list_written(schema: Obj, document: dict[str, Any], place: TsPlace) -> tuple[ToolParameter, ...] | Opaque:
    """Return the parameters that a JSON Schema says."""
    properties = settle(schema.entries["properties"])[0] if "properties" in schema.entries else None
    if not isinstance(properties, Obj):
        return Opaque(ONLY_A_RUN, place.span) if properties is not None else ()
    told = document.get("required")
    required = told if isinstance(told, list) else []
    found = []
    for name, each in properties.entries.items():
        plain = settle(each)[0]
        span = plain.place.span if isinstance(plain, Obj) and plain.place is not None else place.span
        said = plain.entries.get("description") if isinstance(plain, Obj) else None
        found.append(ToolParameter(Text(name, span), span, to_text_or_opaque(said, span), required=name in required))
    return tuple(found)


def find_handler(value: TsValue | None, tool: Text | Opaque | None) -> Handler | None:
    """Return the function of a tool, named after the tool if it has no name; None if it is unknown which one it is."""
    functions = [each for _, each in iter_options(value)] if value is not None else []
    if len(functions) != 1 or not isinstance(functions[0], Func):
        return None
    function = functions[0]
    span = function.place.span
    called = function.code.name or (str(tool) if isinstance(tool, Text) else "handler")
    return Handler(Text(called, span), span, raises=True)
