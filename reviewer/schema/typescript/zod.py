"""Schemas of zod → JSON Schema, as the SDK of TypeScript answers them: by zod-to-json-schema for zod 3, by zod itself for zod 4.

Looked up in zod 3.25 and 4.0 to 4.6, zod-to-json-schema 3.24 and 3.25, and the SDK 1.12 to 1.32; both sides are the input side.
"""

from dataclasses import field, replace
from typing import Any, NamedTuple

from reviewer.budget import REASONS, get_budget
from reviewer.facts import Hole, Json
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text

ZOD, VALIBOT, ARKTYPE, MCP_FRAMEWORK = "zod", "valibot", "arktype", "mcp-framework"
"""The libraries whose schemas are read, and a framework that converts those of zod itself."""
DIALECT = "http://json-schema.org/draft-07/schema#"
SAFE = 2**53 - 1
"""The largest whole number that JavaScript tells from the next."""

DEEPEST = 40
"""Schemas in schemas. One that refers to itself has no end."""


@dataclass(eq=False, slots=True)
class ZodType:
    """One schema, as it was built: its kind, its parts, and what was asked of it since.

    `hole` says why something of it cannot be read: all of it for the kind `opaque`.
    """

    kind: str
    span: Span
    description: Text | Opaque | None = None
    checks: tuple[tuple[str, Any], ...] = ()
    inner: "ZodType | None" = None
    shape: dict[str, "ZodType"] | None = None
    parts: tuple["ZodType", ...] = ()
    data: Any = None
    rest: "str | ZodType" = ""
    """What an object does with other keys: `strict`, `passthrough`, or the schema of them; empty if it drops them."""
    hole: Opaque | None = None
    meta: Json = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    """Where the names of an object's properties stand."""
    unsure: Opaque | None = None
    """Why a property may be absent."""
    library: str = ZOD
    """Whose schema it is: each library makes a JSON Schema in its own way."""


class ZodDialect(NamedTuple):
    """How schemas are answered: the release of zod, and of what is asked to convert them."""

    zod: tuple[int, int] = (3, 25)
    sdk: tuple[int, int] = (1, 29)
    is_draft_2020: bool = False
    io: str = "input"
    is_strict: bool = False
    """Whether an object of which nothing is said has no other keys."""
    library: str = ZOD
    types_enums: bool = True
    """Whether an enumeration of a library that says no type gets one."""


def build_schema(zod: ZodType, dialect: ZodDialect) -> tuple[Json, tuple[Hole, ...]]:
    """Return the JSON Schema of a schema of zod, and what of it cannot be read."""
    dialect = fit_dialect(zod, dialect)
    made = _Converter(dialect)
    found = made.convert(zod, ())
    if "$ref" not in found and dialect.library != MCP_FRAMEWORK:
        found["$schema"] = "https://json-schema.org/draft/2020-12/schema" if dialect.is_draft_2020 else DIALECT
    return found, tuple(made.holes)


def fit_dialect(zod: ZodType, dialect: ZodDialect) -> ZodDialect:
    """Return how a schema is answered: only of zod do releases and sides make a difference."""
    library = zod.library if zod.library != ZOD else dialect.library
    if library == ZOD:
        return dialect
    return dialect._replace(library=library, zod=(4, 1), io="input", is_draft_2020=library == ARKTYPE)


def is_optional(zod: ZodType, dialect: ZodDialect) -> bool:
    """Return whether a property may be left out."""
    is_3 = dialect.zod[0] == 3
    match zod.kind:
        case "optional":
            return True
        case "default" | "prefault":
            return dialect.io == "input"
        case "catch":
            return is_3
        case "any" | "unknown":
            return is_3
        case "undefined" | "void":
            return True
        case "string" | "boolean" if zod.data == "coerce":
            return is_3
        case "union":
            return any(is_optional(each, dialect) for each in zod.parts)
        case "nullable" | "effects" | "readonly" | "brand" | "pipe" | "lazy" | "nonoptional" if zod.inner is not None:
            return zod.kind != "nonoptional" and is_optional(zod.inner, dialect)
    return False


class _Converter:
    def __init__(self, dialect: ZodDialect) -> None:
        self._dialect = dialect
        self._is_3 = dialect.zod[0] == 3
        self._is_zod = dialect.library == ZOD
        self._seen: dict[int, tuple[str, ...]] = {}
        self.holes: list[Hole] = []

    def convert(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        """Return the JSON Schema of one schema that stands at a place of the whole."""
        if len(path) > DEEPEST * 2 or not get_budget().affords("nodes"):
            self.holes.append(Hole(".".join(path), Opaque(REASONS["nodes"], zod.span)))
            return {}
        if zod.hole is not None:
            self.holes.append(Hole(".".join(path), zod.hole))
        before = self._seen.get(id(zod)) if self._is_3 else None
        if before is not None:
            found: Json = {"$ref": "/".join(("#", *before))}
        else:
            self._seen[id(zod)] = path
            found = self._convert(zod, path)
        if isinstance(zod.description, Opaque):
            self.holes.append(Hole(".".join((*path, "description")), zod.description))
            found.pop("description", None)
        elif zod.description is not None:
            found["description"] = str(zod.description)
        return {**found, **zod.meta} if not self._is_3 else found

    def _convert(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        build = getattr(self, f"_build_{zod.kind}", None)
        if build is not None:
            found: Json = build(zod, path)
            return found
        if zod.kind in _PLAIN:
            return dict(_PLAIN[zod.kind])
        if zod.inner is not None:
            return self.convert(zod.inner, path)
        if zod.hole is None:
            self.holes.append(Hole(".".join(path), Opaque(f"a schema of the kind {zod.kind} is not read", zod.span)))
        return {}

    def _build_opaque(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        return {}

    def _build_string(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        found: Json = {"type": "string"}
        for name, given in zod.checks:
            if name in ("min", "nonempty", "length"):
                found["minLength"] = 1 if name == "nonempty" else given
            if name in ("max", "length"):
                found["maxLength"] = given
            if name in _FORMATS:
                found["format"] = _FORMATS[name]
            if name in ("regex", "startsWith", "endsWith", "includes") and isinstance(given, str):
                found["pattern"] = self._build_pattern(name, given)
        return self._without_holes(zod, found, path)

    def _build_pattern(self, name: str, given: str) -> str:
        escaped = "".join(f"\\{each}" if each in ".*+?^${}()|[]\\/-" else each for each in given)
        match name:
            case "startsWith":
                return f"^{escaped}" if self._is_3 else f"^{escaped}.*"
            case "endsWith":
                return f"{escaped}$" if self._is_3 else f".*{escaped}$"
            case "includes":
                return escaped
        return given

    def _build_number(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        names = {name for name, _ in zod.checks}
        is_whole = not names.isdisjoint({"int", "safe"}) and "int" in names
        found: Json = {"type": "integer" if is_whole else "number"}
        for name, given in zod.checks:
            key, told = _BOUNDS.get(name, ("", None))
            if key:
                found[key] = given if told is None else told
        if is_whole and not self._is_3 and self._is_zod:
            if "minimum" not in found and "exclusiveMinimum" not in found:
                found["minimum"] = -SAFE
            if "maximum" not in found and "exclusiveMaximum" not in found:
                found["maximum"] = SAFE
        return self._without_holes(zod, found, path)

    def _without_holes(self, zod: ZodType, found: Json, path: tuple[str, ...]) -> Json:
        """Return a schema without the parts that cannot be read, which are named."""
        for key, value in list(found.items()):
            if isinstance(value, Opaque):
                self.holes.append(Hole(".".join((*path, key)), value))
                del found[key]
        return found

    def _build_enum(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        if isinstance(zod.data, Opaque):
            self.holes.append(Hole(".".join((*path, "enum")), zod.data))
            return {"type": "string"}
        if not self._is_zod and not self._dialect.types_enums:
            return {"enum": list(zod.data)}
        kinds = {"number" if isinstance(each, int | float) else "string" for each in zod.data}
        if len(kinds) > 1:
            return {"type": ["string", "number"], "enum": list(zod.data)} if self._is_3 else {"enum": list(zod.data)}
        return {"type": kinds.pop() if kinds else "string", "enum": list(zod.data)}

    def _build_literal(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        if isinstance(zod.data, Opaque):
            self.holes.append(Hole(".".join((*path, "const")), zod.data))
            return {}
        if zod.data is None:
            return {"type": "null"} if self._is_3 else {"type": "null", "const": None}
        if self._dialect.library in (VALIBOT, ARKTYPE):
            return {"const": zod.data}
        kind = _get_type(zod.data)
        return {"type": kind, "const": zod.data}

    def _build_array(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        found: Json = {"type": "array"}
        if zod.inner is not None and not (self._is_3 and zod.inner.kind == "any"):
            found["items"] = self.convert(zod.inner, (*path, "items"))
        for name, given in zod.checks:
            if name in ("min", "length", "nonempty"):
                found["minItems"] = 1 if name == "nonempty" else given
            if name in ("max", "length"):
                found["maxItems"] = given
        return self._without_holes(zod, found, path)

    def _build_set(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        return {**self._build_array(zod, path), "uniqueItems": True}

    def _build_tuple(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        items = [self.convert(each, (*path, "items", str(place))) for place, each in enumerate(zod.parts)]
        key = "prefixItems" if self._dialect.is_draft_2020 else "items"
        found: Json = {"type": "array", key: items}
        if self._is_3 or self._dialect.zod >= (4, 6):
            found |= {"minItems": len(items), "maxItems": len(items)}
        if self._dialect.zod >= (4, 6):
            found["additionalItems"] = False
        return found

    def _build_object(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        properties: Json = {}
        required: list[str] = []
        for name, each in (zod.shape or {}).items():
            if each.kind == "never" and self._is_3:
                continue
            properties[name] = self.convert(each, (*path, "properties", name))
            if each.unsure is not None:
                self.holes.append(Hole(".".join((*path, "properties", name)), each.unsure, assumed=True))
            if not is_optional(each, self._dialect):
                required.append(name)
        found: Json = {"type": "object", "properties": properties}
        if required or self._dialect.library == VALIBOT:
            found["required"] = required
        if isinstance(zod.rest, ZodType):
            found["additionalProperties"] = self.convert(zod.rest, (*path, "additionalProperties"))
        elif zod.rest == "passthrough":
            if self._is_zod:
                found["additionalProperties"] = True if self._is_3 else {}
        elif self._dialect.library == MCP_FRAMEWORK:
            pass
        elif zod.rest == "strict" or self._is_3 or self._dialect.io == "output" or self._dialect.is_strict:
            found["additionalProperties"] = False
        return found

    def _build_record(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        found: Json = {"type": "object"}
        key = zod.parts[0] if len(zod.parts) > 1 else None
        if not self._is_3 and self._is_zod:
            found["propertyNames"] = self.convert(key, (*path, "propertyNames")) if key else {"type": "string"}
        elif key is not None and key.kind == "enum" and isinstance(key.data, list):
            found["propertyNames"] = {"enum": list(key.data)}
        if zod.parts:
            found["additionalProperties"] = self.convert(zod.parts[-1], (*path, "additionalProperties"))
        return found

    def _build_union(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        parts = zod.parts
        if (self._is_3 or self._dialect.zod >= (4, 6)) and all(
            each.kind in _SIMPLE and not each.checks for each in parts
        ):
            if not any(each.description for each in parts):
                kinds = list(dict.fromkeys(_SIMPLE[each.kind] for each in parts))
                return {"type": kinds if len(kinds) > 1 else kinds[0]}
        is_constant = all(each.kind == "literal" and not each.description for each in parts)
        if self._is_3 and is_constant and parts:
            values = [each.data for each in parts if not isinstance(each.data, Opaque)]
            kinds = list(dict.fromkeys(_get_type(each) for each in values))
            return {"type": kinds if len(kinds) > 1 else kinds[0], "enum": values} if kinds else {}
        word = "oneOf" if zod.data == "discriminated" and self._dialect.zod >= (4, 1) else "anyOf"
        return {word: [self.convert(each, (*path, word, str(place))) for place, each in enumerate(parts)]}

    def _build_intersection(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        found = [self.convert(each, (*path, "allOf", str(place))) for place, each in enumerate(zod.parts)]
        for each in found if self._is_3 else ():
            each.pop("additionalProperties", None)
        return {"allOf": found}

    def _build_nullable(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        inner = zod.inner
        if inner is None:
            return {}
        is_joined = self._is_3 or self._dialect.zod >= (4, 6)
        if is_joined and inner.kind in _SIMPLE and (not inner.checks or not self._is_3):
            found = self.convert(inner, path)
            return (
                {**found, "type": [found.get("type"), "null"]}
                if "type" in found
                else {"anyOf": [found, {"type": "null"}]}
            )
        return {"anyOf": [self.convert(inner, (*path, "anyOf", "0")), {"type": "null"}]}

    def _build_default(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        found = self.convert(zod.inner, path) if zod.inner is not None else {}
        if isinstance(zod.data, Opaque):
            self.holes.append(Hole(".".join((*path, "default")), zod.data))
            return found
        return {**found, "default": zod.data}

    def _build_defaulted(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        return self._build_default(zod, path)

    def _build_prefault(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        return self._build_default(zod, path)

    def _build_catch(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        if self._is_3:
            return self.convert(zod.inner, path) if zod.inner is not None else {}
        return self._build_default(zod, path)

    def _build_readonly(self, zod: ZodType, path: tuple[str, ...]) -> Json:
        found = self.convert(zod.inner, path) if zod.inner is not None else {}
        return found if self._is_3 else {**found, "readOnly": True}


_PLAIN: dict[str, Json] = {
    "boolean": {"type": "boolean"},
    "any": {},
    "unknown": {},
    "null": {"type": "null"},
    "undefined": {"not": {}},
    "void": {},
    "never": {"not": {}},
    "date": {"type": "string", "format": "date-time"},
    "bigint": {"type": "integer", "format": "int64"},
    "file": {"type": "string", "format": "binary", "contentEncoding": "binary"},
}
_SIMPLE = {"string": "string", "number": "number", "boolean": "boolean", "bigint": "integer", "null": "null"}
_BOUNDS: dict[str, tuple[str, int | None]] = {
    "min": ("minimum", None), "gte": ("minimum", None), "max": ("maximum", None), "lte": ("maximum", None),
    "gt": ("exclusiveMinimum", None), "lt": ("exclusiveMaximum", None), "positive": ("exclusiveMinimum", 0),
    "negative": ("exclusiveMaximum", 0), "nonnegative": ("minimum", 0), "nonpositive": ("maximum", 0),
    "multipleOf": ("multipleOf", None), "step": ("multipleOf", None),
}  # fmt: skip
"""What a check of a number says in a JSON Schema, and the number if the check itself says it."""
_FORMATS = {
    "email": "email", "url": "uri", "uuid": "uuid", "datetime": "date-time", "date": "date", "time": "time",
    "duration": "duration", "ipv4": "ipv4", "ipv6": "ipv6", "guid": "uuid", "httpUrl": "uri",
}  # fmt: skip


def _get_type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "null" if value is None else "string"


def describe(zod: ZodType, text: Text | Opaque | None) -> ZodType:
    """Return a schema with another description."""
    return replace(zod, description=text)
