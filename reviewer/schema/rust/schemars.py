"""Rust types → JSON Schema as schemars 1 makes it in the dialect of 2020-12, which rmcp sends since 0.17."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tree_sitter import Node

from reviewer.budget import REASONS, ExhaustedError, get_budget
from reviewer.code.primitives import INTEGERS
from reviewer.facts import Json
from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import find_impl_type
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust import foreign, objects, variants
from reviewer.schema.rust import names as rust_names
from reviewer.schema.rust.bounds import apply_extensions
from reviewer.schema.rust.fields import find_only_field
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.known_types import KNOWN, LISTS, MAPS, SCALARS, SETS, TRANSPARENT
from reviewer.schema.rust.marks import DeclarationMarks
from reviewer.schema.rust.parts import Type, allow_null, apply_description, build_missing
from reviewer.source import Opaque

DEFINITIONS = "$defs"
DEPTH = 40
"""Types within one another: a deeper schema is left unread, and a circle ends here.

40 servers had up to 4, the tests of the rules 8.
"""

LONG = 100
"""Characters of a name that are as much work as one node of a schema: names of generic types double with each parameter."""


class SchemarsGenerator(Generator):
    """Makes the schemas of one document, with the definitions they refer to."""

    def __init__(self, items: RustItems, *, written: bool = False, before: bool = False) -> None:
        super().__init__(items, written=written, before=before)
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
            inner = self._find_transparent(found[0], self.get_marks(found[0]), found[1])
            return self.build_root(inner) if inner is not None else self.build_item_schema(*found)
        held = self.find_passed_through(type_)
        return self.build_root(held) if held is not None else self.build_schema(type_)

    def build_schema(self, type_: Type) -> Any:
        """Return the schema of a type that is written somewhere; a declared one is referred to."""
        return self._build_within_bounds(type_, self._build_schema)

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

    def build_item_schema(self, item: RustItem, given: Mapping[str, Type]) -> Any:
        """Return the schema of a declaration."""
        read = self.get_marks(item)
        instead = self._get_for_another(read, given)
        if instead is not None:
            return apply_extensions(apply_description(instead, read), read)
        if (body := _find_by_hand(item, self.items)) is not None:
            value = self.folder.fold(body, ExpressionPlace(item.path, {}))
            if isinstance(value, dict):
                return dict(value)
            return build_missing(f"`JsonSchema` of `{item.name}` is written by hand", item.span)
        schema = variants.build_enum_schema(self, item, read, given) if item.node.type == "enum_item" else None
        if schema is None:
            schema = objects.build_struct_schema(self, item, read, given)
        return apply_extensions(apply_description(schema, read), read)

    def _get_for_another(self, read: DeclarationMarks, given: Mapping[str, Type]) -> Any:
        """Return the schema of the type that attributes of a declaration name in its place."""
        instead = () if self.before else ("into",) if self.written else ("from", "try_from")
        for name in ("with", *instead):
            type_ = self.find_named_type(read, name, given)
            if type_ is not None:
                return self.build_root(type_)
        return None

    def _get_reference(self, item: RustItem, given: dict[str, Type]) -> Any:
        read = self.get_marks(item)
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
        held = find_only_field(item, read, given)
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
            read = self.get_marks(found[0])
            held = self._find_transparent(*found[:1], read, found[1])
            return self.name_of(held) if held is not None else self._format_declared_name(found[0], read, found[1])
        passed = self.find_passed_through(type_)
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
        size = self.folder.fold(length, ExpressionPlace(type_.path, {}))
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
        arguments = type_.arguments
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
            return self.build_schema(Type(aliased, target.path, self.collect_arguments(target, type_)))
        known = foreign.define_type(self, name, arguments)
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


def _find_by_hand(item: RustItem, items: RustItems) -> Node | None:
    """Return the body of `json_schema` in a type's own `impl JsonSchema`."""
    if b"JsonSchema for " + item.name.encode() not in item.source.data:
        return None
    for made in items.list_declarations(item.path).get(("fn", "json_schema"), ()):
        if find_impl_type(made.node) == item.name:
            return find_child(made.node, "body")
    return None
