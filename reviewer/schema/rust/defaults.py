"""What `#[serde(default)]` puts into a schema: the value, if its type can be serialized and the value can be read."""

from typing import Any

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import find_result
from reviewer.languages.rust.project.items import RustItem
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust.fields import WireField, iter_members
from reviewer.schema.rust.generator import Generator
from reviewer.schema.rust.marks import (
    DeclarationMarks,
    collect_derived_traits,
    has_attribute,
    name_of,
    read_marks,
)
from reviewer.schema.rust.parts import Type
from reviewer.source import Opaque

ABSENT = object()
"""There is no default."""

ZEROES: dict[str, Any] = {
    "integer": 0,
    "number": 0.0,
    "boolean": False,
    "string": "",
    "array": [],
    "object": {},
    "null": None,
}
EMPTY: dict[str, Any] = {
    "Option::is_none": None,
    "Vec::is_empty": [],
    "String::is_empty": "",
    "HashMap::is_empty": {},
    "BTreeMap::is_empty": {},
}


def find_default(run: Generator, member: WireField, container: DeclarationMarks, item: RustItem | None) -> Any:
    """Return a field's default, ABSENT if it has none."""
    argument = member.read.find("default")
    if member.read.has("skip_serializing"):
        return ABSENT
    if argument is None and member.read.has("skip_deserializing") and not container.has("default"):
        return build_zero(run, member.type)
    if argument is None and (item is None or not container.has("default")):
        return ABSENT
    if not _serializes(run, member.type):
        return ABSENT
    if argument is None and item is not None:
        value = _build_for_container(run, member, item)
    elif argument is not None and argument.tokens:
        value = _build_called(run, decode_node(argument.tokens[0]).strip('"'), member)
    else:
        value = build_zero(run, member.type)
    skipping = member.read.read_string("skip_serializing_if")
    if skipping is None or isinstance(value, Opaque) or value is ABSENT:
        return value
    short = "::".join(skipping.split("::")[-2:])
    if short not in EMPTY:
        return Opaque(f"`{skipping}` decides whether it is shown", run.locate(member.type))
    return ABSENT if value == EMPTY[short] else value


def _serializes(run: Generator, type_: Type) -> bool:
    """Return whether a value of the type can be written as JSON, which the project's own types must derive."""
    found = run.resolve_declaration(type_)
    if isinstance(found, tuple):
        item = found[0]
        return (
            "Serialize" in collect_derived_traits(item.node)
            or b"Serialize for " + item.name.encode() in item.source.data
        )
    return all(_serializes(run, each) for each in type_.arguments)


def _build_called(run: Generator, function: str, member: WireField) -> Any:
    found = run.items.resolve(tuple(function.split("::")), member.read.path, "fn", near=member.node)
    body = find_child(found.node, "body") if isinstance(found, RustItem) else None
    if not isinstance(found, RustItem) or body is None:
        return Opaque(f"`{function}` gives it at run time", run.locate(member.type))
    value = _build_value(run, find_result(body), found.path, member.type)
    return value if not isinstance(value, Opaque) else Opaque(value.reason, run.locate(member.type))


def _build_value(run: Generator, node: Node | None, path: str, type_: Type) -> Any:
    """Read an expression of a type as JSON."""
    if node is None:
        return Opaque("it is made at run time", run.items.sources[path].find_line_span(1))
    found = run.resolve_declaration(type_)
    if _is_zero(node):
        return build_zero(run, type_)
    if isinstance(found, tuple):
        made = _build_for_item(run, node, path, *found)
        if made is not ABSENT:
            return made
    if node.type == "scoped_identifier":
        variant = _find_variant(run, read_segments(node), path)
        if variant is not None:
            return variant
    return run.folder.fold(node, ExpressionPlace(path, {}))


MADE_EMPTY = frozenset("Vec VecDeque String HashMap HashSet BTreeMap BTreeSet".split())
"""The types whose `new()` gives what their `default()` gives."""


def _is_zero(node: Node) -> bool:
    """Return whether an expression asks for the default of its type: `Default::default()`, `Vec::new()`."""
    function, given = find_child(node, "function"), find_child(node, "arguments")
    if node.type != "call_expression" or function is None or given is None or given.named_children:
        return False
    *owner, name = read_segments(function)
    return name == "default" if name != "new" else owner[-1:] != [] and owner[-1] in MADE_EMPTY


def _build_for_item(run: Generator, node: Node, path: str, item: RustItem, given: dict[str, Type]) -> Any:
    """Read a variant or a struct literal of a type of the project, ABSENT if the expression is neither."""
    body, read = find_child(item.node, "body"), read_marks(run.folder, item.path, item.node)
    if node.type == "scoped_identifier" and item.node.type == "enum_item":
        *owner, name = read_segments(node)
        own = _find_variant(run, (item.name, name), item.path) if owner in (["Self"], [item.name]) else None
        is_plain = not (read.has("tag") or read.has("untagged"))
        return own if own is not None and is_plain else ABSENT
    if node.type != "struct_expression" or body is None or body.type != "field_declaration_list":
        return ABSENT
    made: dict[str, Any] = {}
    for each in iter_members(body, read, given, read.read_string("rename_all")):
        value = _find_initial(node, decode_node(find_child(each.node, "name") or each.node))
        if value is None or each.is_flat or each.read.has("skip_serializing_if"):
            return Opaque("its default is made at run time", item.span)
        made[str(each.name)] = _build_value(run, value, path, each.type)
    return next((each for each in made.values() if isinstance(each, Opaque)), made)


def _find_variant(run: Generator, names: tuple[str, ...], path: str) -> str | None:
    """Return the wire name of a unit variant that a path means."""
    found = run.items.resolve(names[:-1], path, "enum") if len(names) > 1 else None
    if not isinstance(found, RustItem):
        return None
    read = read_marks(run.folder, found.path, found.node)
    for part in find_child(found.node, "body").named_children if find_child(found.node, "body") else ():  # type: ignore[union-attr]
        is_meant = part.type == "enum_variant" and decode_node(find_child(part, "name") or part) == names[-1]
        if is_meant and find_child(part, "body") is None:
            return str(
                name_of(part, read_marks(run.folder, found.path, part), read.read_string("rename_all"), variant=True)
            )
    return None


def build_zero(run: Generator, type_: Type) -> Any:
    """Return `Default::default()` of a type as JSON."""
    found = run.resolve_declaration(type_)
    if isinstance(found, tuple):
        return _build_zero_of_item(run, *found)
    if read_segments(type_.node)[-1:] == ("Option",):
        return None
    schema = run.build_schema(type_)
    kind = schema.get("type") if isinstance(schema, dict) else "null" if schema is True else None
    if isinstance(kind, str) and kind in ZEROES and "prefixItems" not in collect_keywords(schema):
        return ZEROES[kind]
    return Opaque("its default is made at run time", run.locate(type_))


def collect_keywords(schema: Any) -> frozenset[str]:
    """Name the keywords of a schema."""
    return frozenset(schema) if isinstance(schema, dict) else frozenset()


def _build_zero_of_item(run: Generator, item: RustItem, given: dict[str, Type]) -> Any:
    body, read = find_child(item.node, "body"), read_marks(run.folder, item.path, item.node)
    if "Default" not in collect_derived_traits(item.node) or body is None:
        made = _write(run, item)
        value = _build_for_item(run, made, item.path, item, given) if made is not None else ABSENT
        return value if value is not ABSENT else Opaque(f"`Default` of `{item.name}` is written by hand", item.span)
    if item.node.type == "enum_item":
        for part in body.named_children:
            own = read_marks(run.folder, item.path, part)
            if part.type == "enum_variant" and _is_default(part):
                return str(name_of(part, own, read.read_string("rename_all"), variant=True))
        return Opaque("its default is made at run time", item.span)
    if body.type != "field_declaration_list":
        return Opaque("its default is made at run time", item.span)
    return {
        str(each.name): build_zero(run, each.type)
        for each in iter_members(body, read, given, read.read_string("rename_all"))
    }


def _is_default(variant: Node) -> bool:
    return has_attribute(variant, "default")


def _build_for_container(run: Generator, member: WireField, item: RustItem) -> Any:
    """Return a field's value in the `Default` of its struct."""
    if "Default" in collect_derived_traits(item.node):
        return build_zero(run, member.type)
    value = _find_initial(_write(run, item), decode_node(find_child(member.node, "name") or member.node))
    if value is not None:
        return _build_value(run, value, item.path, member.type)
    return Opaque(f"`Default` of `{item.name}` gives it at run time", run.locate(member.type))


def _write(run: Generator, item: RustItem) -> Node | None:
    """Return the result of a type's hand-written `Default` implementation."""
    for function in run.items.list_declarations(item.path).get(("fn", "default"), ()):
        block = function.node.parent.parent if function.node.parent is not None else None
        owner = find_child(block, "type") if block is not None and block.type == "impl_item" else None
        body = find_child(function.node, "body")
        if owner is not None and read_segments(owner)[-1] == item.name and body is not None:
            return find_result(body)
    return None


def _find_initial(made: Node | None, name: str) -> Node | None:
    """Find what a struct literal gives a field."""
    fields = find_child(made, "body") if made is not None and made.type == "struct_expression" else None
    for part in fields.named_children if fields is not None else ():
        if part.type == "field_initializer" and decode_node(find_child(part, "field") or part) == name:
            return find_child(part, "value")
    return None
