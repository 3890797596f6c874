"""Frameworks that find tools by where their files lie: xmcp and mcp-framework take each file of a folder for a tool."""

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from reviewer.failures import contained
from reviewer.files.discovery import is_aside
from reviewer.languages.typescript.declarations.sdk import MCP_FRAMEWORK, XMCP, Registration, Survey
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    UNDEFINED,
    Cls,
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
from reviewer.languages.typescript.evaluation.zod import to_zod
from reviewer.languages.typescript.lowering.statements import DEFAULT
from reviewer.languages.typescript.project.modules import ScriptModule
from reviewer.schema.typescript.zod import ZodType
from reviewer.source import Opaque, Text

TOOLS = "src/tools"
"""Where both look for tools, unless they are told another folder."""
UNDESCRIBED = "No description provided"
"""What xmcp answers for a tool without a description."""
CONFIG = "xmcp.config.ts"
BASE = "MCPTool"
"""The class of mcp-framework that tools are derived from."""
READ = ("description", "title", "annotations", "schema", "outputSchema")
"""What a tool of mcp-framework says as members of its class."""
TYPED = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "array": "array",
    "object": "object",
    "null": "null",
}
"""Schemas of zod that mcp-framework knows, and their types; it takes others for texts."""
KEPT = frozenset({"min", "max", "int", "regex", "email", "url", "uuid"})
"""The checks that mcp-framework converts."""


def find_by_convention(run: Evaluator, found: Survey) -> None:
    """Record the tools of the files that a framework takes for tools."""
    for config in list(run.modules.by_path.values()):
        if posixpath.basename(config.path) == CONFIG and not is_aside(config.path):
            with contained("a server was not evaluated", config.source.find_line_span(1)):
                _find_of_xmcp(run, found, config)
    for server in list(found.servers):
        if server.by.module == MCP_FRAMEWORK and server.place is not None:
            _find_of_mcp_framework(run, found, server, server.place)


def _iter_files(run: Evaluator, folder: str) -> Iterator[ScriptModule]:
    within = folder.strip("/") + "/" if folder.strip("/") else ""
    return (each for each in run.modules.iter_own() if each.path.startswith(within))


# xmcp.


def _find_of_xmcp(run: Evaluator, found: Survey, config: ScriptModule) -> None:
    folder = posixpath.dirname(config.path)
    told = settle(run.export(config, DEFAULT) or UNDEFINED)[0]
    paths = settle(told.entries.get("paths", UNDEFINED))[0] if isinstance(told, Obj) else UNDEFINED
    given = settle(paths.entries.get("tools", UNDEFINED))[0] if isinstance(paths, Obj) else UNDEFINED
    within = given.value if isinstance(given, Const) and isinstance(given.value, str) else TOOLS
    if isinstance(given, Const) and given.value is False:
        return
    place = _locate_start(config)
    template = settle(told.entries.get("template", UNDEFINED))[0] if isinstance(told, Obj) else UNDEFINED
    server = TsMade(Lib(XMCP, (XMCP,)), (template,) if isinstance(template, Obj) else (), place)
    found.servers.append(server)
    if isinstance(told, Obj) and "stdio" in told.entries:
        found.stdio.append(place)
    for module in _iter_files(run, posixpath.normpath(posixpath.join(folder, within))):
        with contained("a file was not evaluated", module.source.find_line_span(1)):
            made = _read_file_of_xmcp(run, server, module)
            if made is not None:
                found.registrations.append(made)


def _read_file_of_xmcp(run: Evaluator, server: TsMade, module: ScriptModule) -> Registration | None:
    """Return the tool that a file is; None if it has no function to call."""
    handler = run.export(module, DEFAULT)
    if handler is None:
        return None
    metadata = settle(run.export(module, "metadata") or UNDEFINED)[0]
    plain = strip_conditions(handler)
    place = metadata.place if isinstance(metadata, Obj) and metadata.place is not None else None
    place = place or (plain.place if isinstance(plain, Func) else _locate_start(module))
    parts = dict(metadata.entries) if isinstance(metadata, Obj) else {}
    name = parts.pop("name", Const(posixpath.splitext(posixpath.basename(module.path))[0], place))
    parts.setdefault("description", Const(UNDESCRIBED, place))
    annotations = settle(parts.get("annotations", Obj(place=place)))[0]
    if isinstance(annotations, Obj):
        parts["annotations"] = Obj({"title": name, **annotations.entries}, annotations.place, annotations.hidden)
    for key, of in (("inputSchema", "schema"), ("outputSchema", "outputSchema")):
        schema = run.export(module, of)
        if schema is not None:
            parts[key] = schema
    is_unread = not isinstance(metadata, Obj) and not isinstance(metadata, Const)
    unread = (metadata.reason if isinstance(metadata, TsUnknown) else ONLY_A_RUN) if is_unread else ""
    if unread:
        name, parts["description"] = TsUnknown(unread, place), TsUnknown(unread, place)
    return Registration(server, name, parts, handler, place, (), unread, framework=XMCP)


def _locate_start(module: ScriptModule) -> TsPlace:
    return TsPlace(module.source, module.code.at)


# mcp-framework.


def _find_of_mcp_framework(run: Evaluator, found: Survey, server: TsMade, place: TsPlace) -> None:
    package = run.modules.find_package(place.source.path)
    folder = package[0] if package is not None else posixpath.dirname(place.source.path)
    for module in _iter_files(run, posixpath.join(folder, TOOLS)):
        with contained("a file was not evaluated", module.source.find_line_span(1)):
            made = strip_conditions(run.export(module, DEFAULT) or UNDEFINED)
            base = made.library_base if isinstance(made, Cls) else None
            if isinstance(made, Cls) and base is not None and base.name == BASE:
                found.registrations.append(_read_class(run, server, made))


def _read_class(run: Evaluator, server: TsMade, cls: Cls) -> Registration:
    """Return the tool that a class is, by what an object of it holds."""
    place = TsPlace(cls.code.source, cls.code.at)
    made = run.make(cls, [], place)
    parts: dict[str, TsValue] = {}
    for key in READ:
        value = run.read(made, key, place)
        if not isinstance(value, Const | TsUnknown) or (isinstance(value, Const) and not value.is_undefined):
            parts[key] = value
    schema = parts.pop("schema", None)
    if schema is not None:
        parts["inputSchema"] = _read_schema(run, schema, place)
    return Registration(
        server, run.read(made, "name", place), parts, cls.find("execute"), place, (), framework=MCP_FRAMEWORK
    )


def _read_schema(run: Evaluator, given: TsValue, place: TsPlace) -> TsValue:
    """Return the schema that mcp-framework makes of one of zod, or of an object of types and descriptions."""
    given = settle(given)[0]
    if isinstance(given, TsSchema):
        return TsSchema(reduce_schema(given.zod), given.place)
    if not isinstance(given, Obj):
        return given
    shape: dict[str, ZodType] = {}
    for key, each in given.entries.items():
        field = settle(each)[0]
        if not isinstance(field, Obj):
            continue
        where = field.place or place
        schema = reduce_schema(to_zod(run, field.entries.get("type"), where))
        text = to_text_or_opaque(field.entries.get("description"), where.span)
        shape[key] = _keep_type(schema, text)
    places = {key: each.span for key, each in shape.items()}
    return TsSchema(ZodType("object", place.span, shape=shape, places=places), given.place or place)


def _keep_type(schema: ZodType, text: Text | Opaque | None) -> ZodType:
    """Return a schema of which only the type is told, and whether it may be left out."""
    inner = schema.inner if schema.kind in ("optional", "defaulted") and schema.inner is not None else schema
    kind = {"object": "record", "enum": "string", "literal": "string"}.get(inner.kind, inner.kind)
    plain = ZodType(kind, inner.span, hole=inner.hole)
    if schema.kind in ("optional", "defaulted"):
        plain = ZodType("optional", schema.span, inner=plain)
    return replace(plain, description=text)


def reduce_schema(zod: ZodType) -> ZodType:
    """Return a schema of zod with the parts that mcp-framework reads: its type, and a few of its checks."""
    text, is_optional, default = zod.description, False, None
    inner = zod
    while inner.kind in ("optional", "nullable", "default") and inner.inner is not None:
        is_optional = is_optional or inner.kind != "default"
        default = inner if inner.kind == "default" else default
        inner = inner.inner
        text = text or inner.description
    if inner.kind == "opaque":
        return replace(inner, description=text)
    if inner.kind == "enum":
        made = replace(inner, description=text)
    elif inner.kind == "object":
        made = replace(
            inner, description=text, rest="", shape={k: reduce_schema(v) for k, v in (inner.shape or {}).items()}
        )
    elif inner.kind == "array":
        made = replace(inner, description=text, checks=(), inner=reduce_schema(inner.inner) if inner.inner else None)
    else:
        kind = TYPED.get(inner.kind, "string")
        if inner.kind == "literal":
            kind = (
                "boolean"
                if isinstance(inner.data, bool)
                else "number"
                if isinstance(inner.data, int | float)
                else "string"
            )
        checks = tuple(each for each in inner.checks if each[0] in KEPT) if inner.kind == kind else ()
        made = ZodType(kind, inner.span, text, checks=checks, hole=inner.hole)
    if default is not None:
        made = ZodType("defaulted", zod.span, text, inner=made, data=default.data)
    return ZodType("optional", zod.span, text, inner=made) if is_optional else made
