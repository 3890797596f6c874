"""Rust types → JSON Schema as schemars 1 makes it in the dialect of 2020-12, which rmcp sends since 0.17."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tree_sitter import Node

from reviewer.budget import REASONS, ExhaustedError, get_budget
from reviewer.facts import Json
from reviewer.languages.nodes import decode_node, find_child, parse
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.project.def_use import find_impl_type
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema import rust_foreign, rust_names, rust_objects, rust_variants
from reviewer.schema.rust_bounds import apply_extensions
from reviewer.schema.rust_marks import DeclarationMarks, fold_expression, read_marks
from reviewer.schema.rust_names import MAPS
from reviewer.schema.rust_parts import Type, allow_null, apply_description, build_missing
from reviewer.source import Opaque, Source, Span

DEFINITIONS = "$defs"
DEPTH = 40
"""How many types may stand within one another."""

ALIASES = 100
"""How many names of one type are followed: aliases of aliases, parameters of types that are given parameters."""

SHARE = 10_000
"""Nodes that one schema may take. The largest honest ones found have hundreds; one takes about 0.1 ms."""

LONG = 100
"""Characters of a name that are as much work as one node of a schema: names of generic types double with each parameter."""


def _build_integer(name: str, low: int | None, high: int | None = None) -> Json:
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer", "format": name, **{key: value for key, value in bounds.items() if value is not None}}


def _build_string(form: str | None = None) -> Json:
    return {"type": "string", "format": form} if form is not None else {"type": "string"}


SCALARS: dict[str, Json] = {
    "i8": _build_integer("int8", -128, 127),
    "i16": _build_integer("int16", -32768, 32767),
    "i32": _build_integer("int32", None),
    "i64": _build_integer("int64", None),
    "i128": _build_integer("int128", None),
    "isize": _build_integer("int", None),
    "u8": _build_integer("uint8", 0, 255),
    "u16": _build_integer("uint16", 0, 65535),
    "u32": _build_integer("uint32", 0),
    "u64": _build_integer("uint64", 0),
    "u128": _build_integer("uint128", 0),
    "usize": _build_integer("uint", 0),
    "f32": {"type": "number", "format": "float"},
    "f64": {"type": "number", "format": "double"},
    "bool": {"type": "boolean"},
    "char": {"type": "string", "minLength": 1, "maxLength": 1},
    "str": _build_string(),
    "String": _build_string(),
}
KNOWN: dict[str, Json] = {
    **{
        f"NonZero{name.upper()}": {**SCALARS[name], "minimum": 1}
        for name in ("u8", "u16", "u32", "u64", "u128", "usize")
    },
    "NonZeroUsize": {**SCALARS["usize"], "minimum": 1},
    "Path": _build_string(),
    "PathBuf": _build_string(),
    "IpAddr": _build_string("ip"),
    "Ipv4Addr": _build_string("ipv4"),
    "Ipv6Addr": _build_string("ipv6"),
    "Uuid": _build_string("uuid"),
    "Url": _build_string("uri"),
    "DateTime": _build_string("date-time"),
    "NaiveDate": _build_string("date"),
    "NaiveDateTime": _build_string("partial-date-time"),
    "NaiveTime": _build_string("partial-time"),
    "JsonObject": {"type": "object", "additionalProperties": True},
    "CompactString": _build_string(),
    "SmolStr": _build_string(),
}
# Types whose schema is that of what they hold, as serde writes nothing for them; `Parameters` and `Json` are rmcp's.
TRANSPARENT = frozenset("Box Rc Arc RefCell Cell Mutex RwLock Cow Parameters Json Wrapping Reverse".split())
# Types that serde writes as an array in order.
LISTS = frozenset("Vec VecDeque LinkedList SmallVec ArrayVec BinaryHeap".split())
# Types that serde writes as an array, and schemars marks with `uniqueItems`.
SETS = frozenset("HashSet BTreeSet IndexSet".split())
SCALAR_NAMES = frozenset((name,) for name in SCALARS)
INTEGERS = frozenset(name for name, schema in SCALARS.items() if schema["type"] == "integer")


class Generator:
    """Makes the schemas of one document, with the definitions they refer to.

    `written` for what is written, not read; `before` for schemars 0.8.
    """

    def __init__(self, items: RustItems, *, written: bool = False, before: bool = False) -> None:
        self.items = items
        self.written = written
        self.before = before
        self.definitions: dict[str, Any] = {}
        self.declarations: dict[str, tuple[RustItem, Mapping[str, Type]]] = {}
        self._names: dict[tuple[str, int, str], str] = {}
        self._depth = 0
        self._naming = 0

    def build_root(self, type_: Type) -> Any:
        """Return the schema of a type without a reference to itself."""
        return self._build_within_bounds(type_, self._get_root)

    def _build_within_bounds(self, type_: Type, make: Callable[[Type], Any]) -> Any:
        """Make a schema within the bounds of depth and of work; types within types may double at each level."""
        if self._depth > DEPTH:
            return build_missing("its type stands within itself", self.locate(type_))
        if not get_budget().affords("nodes"):
            return build_missing(REASONS["nodes"], self.locate(type_))
        self._depth += 1
        try:
            return make(type_)
        finally:
            self._depth -= 1

    def _get_root(self, type_: Type) -> Any:
        found = self.resolve_declaration(type_)
        if isinstance(found, tuple):
            inner = self._find_transparent(found[0], self._get_marks(found[0]), found[1])
            return self.build_root(inner) if inner is not None else self.build_item_schema(*found)
        held = self._find_passed_through(type_)
        return self.build_root(held) if held is not None else self.build_schema(type_)

    def _find_passed_through(self, type_: Type) -> Type | None:
        """Return T of `Box<T>` and the like."""
        if type_.node.type != "generic_type" or read_segments(type_.node)[-1] not in TRANSPARENT:
            return None
        given = [
            part for part in _collect_children(find_child(type_.node, "type_arguments")) if part.type != "lifetime"
        ]
        return type_.with_node(given[0]) if given else None

    def forbids(self, type_: Type) -> bool:
        """Return whether a declared type forbids unknown fields, or holds nothing."""
        found = self.resolve_declaration(type_)
        if not isinstance(found, tuple):
            return False
        read = self._get_marks(found[0])
        return read.has("deny_unknown_fields", "inline") or find_child(found[0].node, "body") is None

    def _get_marks(self, item: RustItem) -> DeclarationMarks:
        return read_marks(self.items, item.path, item.node, written=self.written, before=self.before)

    def build_schema(self, type_: Type) -> Any:
        """Return the schema of a type that is written somewhere; a declared one is referred to."""
        return self._build_within_bounds(type_, self._build_schema)

    def locate(self, type_: Type) -> Span:
        """Return the place of a type."""
        return self.items.span(type_.path, type_.node)

    def _build_schema(self, type_: Type) -> Any:
        node = type_.node
        if node.type in ("reference_type", "bracketed_type"):
            inner = find_child(node, "type") or (node.named_children[-1] if node.named_children else None)
            return self.build_schema(type_.with_node(inner)) if inner is not None else self._build_unknown(type_)
        if node.type == "array_type":
            return self._get_array(type_)
        if node.type in ("tuple_type", "unit_type"):
            return self.build_tuple_schema([type_.with_node(part) for part in node.named_children if part.is_named])
        names = read_segments(node)
        if names[-1] in type_.given and len(names) == 1:
            return self.build_schema(type_.given[names[-1]])
        found = self.resolve_declaration(type_)
        if isinstance(found, Opaque):
            return build_missing(found.reason, self.locate(type_))
        if found is not None:
            return self._get_reference(*found)
        return self._get_foreign(type_, names[-1])

    def resolve_declaration(self, type_: Type) -> "tuple[RustItem, dict[str, Type]] | Opaque | None":
        """Find the struct or enum of the project that a type means, and what its parameters stand for."""
        for _ in range(ALIASES):
            found = self._resolve_step(type_)
            if not isinstance(found, Type):
                return found
            type_ = found
        return Opaque("its type is an alias of an alias, and so on", self.locate(type_))

    def _resolve_step(self, type_: Type) -> "tuple[RustItem, dict[str, Type]] | Type | Opaque | None":
        """Take one step towards what a type means: the declaration, or the type that it is another name of."""
        get_budget().spend("nodes")
        names = read_segments(type_.node)
        if names[-1] in SCALARS or type_.node.type not in NAMED_TYPES:
            return None
        if len(names) == 1 and names[0] in type_.given:
            return type_.given[names[0]]
        if names[-1] in STANDARD and type_.node.type == "generic_type":
            return None
        found = self.items.resolve(names, type_.path, "struct", "enum", "type", near=type_.node)
        if not isinstance(found, RustItem):
            return found
        given = self._collect_arguments(found, type_)
        target = find_child(found.node, "type") if found.node.type == "type_item" else None
        if target is None:
            return found, given
        alias = Type(target, found.path, given)
        return alias if target.type in NAMED_TYPES and target != type_.node else None

    def _collect_arguments(self, item: RustItem, type_: Type) -> dict[str, Type]:
        names = [
            decode_node(find_child(part, "name") or part)
            for part in _collect_children(find_child(item.node, "type_parameters"))
            if part.type
            in ("type_parameter", "type_identifier", "constrained_type_parameter", "optional_type_parameter")
        ]
        types = [
            part for part in _collect_children(find_child(type_.node, "type_arguments")) if part.type != "lifetime"
        ]
        return {name: type_.with_node(node) for name, node in zip(names, types, strict=False)}

    def build_item_schema(self, item: RustItem, given: Mapping[str, Type]) -> Any:
        """Return the schema of a declaration."""
        read = self._get_marks(item)
        instead = self._get_for_another(read, given)
        if instead is not None:
            return apply_extensions(apply_description(instead, read), read)
        if (body := _find_by_hand(item, self.items)) is not None:
            value = fold_expression(self.items, body, item.path)
            if isinstance(value, dict):
                return dict(value)
            return build_missing(f"`JsonSchema` of `{item.name}` is written by hand", item.span)
        schema = rust_variants.build_enum_schema(self, item, read, given) if item.node.type == "enum_item" else None
        if schema is None:
            schema = rust_objects.build_struct_schema(self, item, read, given)
        return apply_extensions(apply_description(schema, read), read)

    def is_option(self, type_: Type) -> bool:
        """Return whether a type is an `Option`, under whatever name."""
        for _ in range(ALIASES):
            found = self._resolve_option(type_)
            if not isinstance(found, Type):
                return found
            type_ = found
        return False

    def _resolve_option(self, type_: Type) -> "bool | Type":
        """Return whether a type is an `Option`, or give the type that it is another name of."""
        get_budget().spend("nodes")
        names = read_segments(type_.node)
        if len(names) == 1 and names[0] in type_.given:
            return type_.given[names[0]]
        if (passed := self._find_passed_through(type_)) is not None:
            return passed
        if names[-1:] == ("Option",) or type_.node.type not in NAMED_TYPES or names[-1:] in SCALAR_NAMES:
            return names[-1:] == ("Option",)
        found = self.items.resolve(names, type_.path, "type", near=type_.node)
        target = find_child(found.node, "type") if isinstance(found, RustItem) else None
        if not isinstance(found, RustItem) or target is None or target == type_.node:
            return False
        return Type(target, found.path, self._collect_arguments(found, type_))

    def _get_for_another(self, read: DeclarationMarks, given: Mapping[str, Type]) -> Any:
        """Return the schema of the type that attributes of a declaration name in its place."""
        instead = () if self.before else ("into",) if self.written else ("from", "try_from")
        for name in ("with", *instead):
            type_ = self.find_named_type(read, name, given)
            if type_ is not None:
                return self.build_root(type_)
        return None

    def find_named_type(self, read: DeclarationMarks, name: str, given: Mapping[str, Type]) -> Type | None:
        """Return the type that an attribute names; serde's own `with` names a module."""
        argument = next((each for crate, each in read.arguments if _names_a_type(crate, each.name, name)), None)
        if argument is None or not argument.tokens:
            return None
        text = evaluate_string(argument.tokens[0]) or "".join(decode_node(token) for token in argument.tokens)
        return Type(type_node(text), read.path, given)

    def build_replacement(self, read: DeclarationMarks, node: Node, given: Mapping[str, Type]) -> Any:
        """Return the schema of the type or function that attributes of a field name in the place of its own."""
        type_ = self.find_named_type(read, "with", given)
        if type_ is not None:
            return self.build_schema(type_)
        argument = read.find("schema_with")
        if argument is not None:
            return self._build_by_function(read, decode_node(argument.tokens[0]) if argument.tokens else "", node)
        return None

    def _build_by_function(self, read: DeclarationMarks, function: str, node: Node) -> Any:
        name = tuple(function.strip('"').split("::"))
        found = self.items.resolve(name, read.path, "fn", near=node)
        body = find_child(found.node, "body") if isinstance(found, RustItem) else None
        if isinstance(found, RustItem) and body is not None:
            value = fold_expression(self.items, body, found.path)
            if isinstance(value, dict):
                return dict(value)
        return build_missing(f"it is made by `{function.strip(chr(34))}`", self.items.span(read.path, node))

    def _get_reference(self, item: RustItem, given: dict[str, Type]) -> Any:
        read = self._get_marks(item)
        if read.has("inline"):
            return self.build_item_schema(item, given)
        if (held := self._find_transparent(item, read, given)) is not None:
            return self.build_schema(held)
        arguments = "_and_".join(self.name_of(each) for each in given.values())
        key = (item.path, item.node.start_byte, arguments)
        if key not in self._names:
            wanted = self._format_declared_name(item, read, given)
            name, number = wanted, 1
            while name in self.definitions:
                number += 1
                name = f"{wanted}{number}"
            self._names[key] = name
            self.declarations[name] = (item, given)
            self.definitions[name] = {}
            self.definitions[name] = self.build_item_schema(item, given)
        return {"$ref": f"#/{DEFINITIONS}/{self._names[key]}"}

    def _find_transparent(self, item: RustItem, read: DeclarationMarks, given: Mapping[str, Type]) -> Type | None:
        """Return the type that a `#[serde(transparent)]` struct stands for, if nothing is said of the struct itself."""
        if not read.has("transparent") or item.node.type != "struct_item" or (read.has_metadata and not self.before):
            return None
        held = rust_objects.find_only_field(item, read, given)
        if self.before:
            return held[0] if held is not None else None
        return held[0] if held is not None and not held[1].has_metadata and not held[1].arguments else None

    def _format_declared_name(self, item: RustItem, read: DeclarationMarks, given: Mapping[str, Type]) -> str:
        """Name a declaration; a name that is given may hold the names of its parameters: `Page_of_{T}`."""
        name = read.read_string("rename") or item.name
        if self.before and given:
            return f"{name}_for_{'_and_'.join(self.name_of(each) for each in given.values())}"
        return re.sub(r"\{(\w+)\}", lambda hit: self.name_of(given[hit[1]]) if hit[1] in given else hit[0], name)

    def name_of(self, type_: Type) -> str:
        """Name a type as schemars does in titles and in other names. Raises ExhaustedError for one that leads too deep."""
        self._naming += 1
        try:
            if self._naming > DEPTH:
                raise ExhaustedError("nodes")
            name = self._name_of(type_)
        finally:
            self._naming -= 1
        get_budget().spend("nodes", 1 + len(name) // LONG)
        return name

    def _name_of(self, type_: Type) -> str:
        found = self.resolve_declaration(type_)
        if isinstance(found, tuple):
            read = self._get_marks(found[0])
            held = self._find_transparent(*found[:1], read, found[1])
            return self.name_of(held) if held is not None else self._format_declared_name(found[0], read, found[1])
        passed = self._find_passed_through(type_)
        if passed is not None:
            return self.name_of(passed)
        name = rust_names.name_foreign_type(self, type_)
        return name[:1].upper() + name[1:] if self.before and name in rust_names.CAPITAL_BEFORE else name

    def _build_unknown(self, type_: Type) -> Json:
        text = " ".join(decode_node(type_.node).split())
        return build_missing(f"its type `{text}` is not declared in the reviewed files", self.locate(type_))

    def _get_array(self, type_: Type) -> Json:
        element, length = find_child(type_.node, "element"), find_child(type_.node, "length")
        if element is None:
            return self._build_unknown(type_)
        schema = {"type": "array", "items": self.build_schema(type_.with_node(element))}
        if length is None:
            return schema
        size = fold_expression(self.items, length, type_.path)
        if not isinstance(size, int):
            return build_missing("its length is known at run time only", self.locate(type_))
        return {**schema, "minItems": size, "maxItems": size}

    def build_tuple_schema(self, parts: list[Type]) -> Json:
        """Return the schema of a tuple."""
        if not parts:
            return {"type": "null"}
        length = len(parts)
        return {
            "type": "array",
            "prefixItems": [self.build_schema(each) for each in parts],
            "minItems": length,
            "maxItems": length,
        }

    def _get_foreign(self, type_: Type, name: str) -> Any:
        if name in SCALARS:
            return dict(SCALARS[name])
        arguments = [
            type_.with_node(part)
            for part in _collect_children(find_child(type_.node, "type_arguments"))
            if part.type != "lifetime"
        ]
        if name == "Value":
            return True
        if name in KNOWN:
            return dict(KNOWN[name])
        if name == "Option" and arguments:
            schema = self.build_schema(arguments[0])
            return {"nullable": True} if self.before and schema is True else allow_null(schema)
        if name in TRANSPARENT and arguments:
            return self.build_schema(arguments[0])
        if name in LISTS and arguments:
            return {"type": "array", "items": self.build_schema(arguments[0])}
        if name in SETS and arguments:
            return {"type": "array", "uniqueItems": True, "items": self.build_schema(arguments[0])}
        if name in MAPS and len(arguments) > 1:
            return self._map(arguments[0], arguments[1])
        target = self.items.resolve(read_segments(type_.node), type_.path, "type", near=type_.node)
        if isinstance(target, RustItem) and (aliased := find_child(target.node, "type")) is not None:
            return self.build_schema(Type(aliased, target.path, self._collect_arguments(target, type_)))
        known = rust_foreign.define_type(self, name, arguments)
        return known if known is not None else self._build_unknown(type_)

    def _map(self, key: Type, value: Type) -> Json:
        name = decode_node(key.node)
        if name in INTEGERS:
            sign = "" if name.startswith("u") else "-?"
            return {
                "type": "object",
                "patternProperties": {rf"^{sign}\d+$": self.build_schema(value)},
                "additionalProperties": False,
            }
        return {"type": "object", "additionalProperties": self.build_schema(value)}


# The kinds of nodes by which the grammar names a type.
NAMED_TYPES = frozenset(
    "type_identifier scoped_type_identifier generic_type primitive_type identifier scoped_identifier".split()
)
# Generic types with a schema of their own, which are not looked up in the project.
STANDARD = TRANSPARENT | LISTS | SETS | MAPS | {"Option"}


def _collect_children(node: Node | None) -> list[Node]:
    return node.named_children if node is not None else []


def type_node(text: str) -> Node:
    """Parse a type that an attribute gives in a string, or a macro in tokens."""
    root = parse(Source("", f"type T = {text};".encode()), "rust")
    item = root.named_children[0] if root.named_children else root
    return find_child(item, "type") or item


def _names_a_type(crate: str, argument: str | None, name: str) -> bool:
    return argument == name and (name != "with" or crate == "schemars")


def _find_by_hand(item: RustItem, items: RustItems) -> Node | None:
    """Return the body of `json_schema` in a type's own `impl JsonSchema`."""
    if b"JsonSchema for " + item.name.encode() not in item.source.data:
        return None
    for made in items.list_declarations(item.path).get(("fn", "json_schema"), ()):
        if find_impl_type(made.node) == item.name:
            return find_child(made.node, "body")
    return None
