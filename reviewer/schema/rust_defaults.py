"""What `#[serde(default)]` puts into a schema: the value, if its type can be serialized and the value can be read."""

from typing import TYPE_CHECKING, Any

from tree_sitter import Node

from reviewer.languages.nodes import child, named_in, string_of
from reviewer.languages.rust.bindings import result_of
from reviewer.languages.rust.items import Item
from reviewer.languages.rust.uses import segments
from reviewer.schema.rust_marks import Marks, derives, has_attribute, marks, name_of, value_of
from reviewer.schema.rust_parts import Type
from reviewer.source import Opaque

if TYPE_CHECKING:
    from reviewer.schema.rust_generator import Generator
    from reviewer.schema.rust_objects import Member

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


def default_of(run: "Generator", member: "Member", container: Marks, item: Item | None) -> Any:
    """Give a field's default, ABSENT if it has none."""
    argument = member.read.find("default")
    if member.read.has("skip_serializing"):
        return ABSENT
    if argument is None and member.read.has("skip_deserializing") and not container.has("default"):
        return zero(run, member.type)
    if argument is None and (item is None or not container.has("default")):
        return ABSENT
    if not _serializes(run, member.type):
        return ABSENT
    if argument is None and item is not None:
        value = _of_container(run, member, item)
    elif argument is not None and argument.tokens:
        value = _called(run, string_of(argument.tokens[0]).strip('"'), member)
    else:
        value = zero(run, member.type)
    skipping = member.read.string("skip_serializing_if")
    if skipping is None or isinstance(value, Opaque) or value is ABSENT:
        return value
    short = "::".join(skipping.split("::")[-2:])
    if short not in EMPTY:
        return Opaque(f"`{skipping}` decides whether it is shown", run.span(member.type))
    return ABSENT if value == EMPTY[short] else value


def _serializes(run: "Generator", type_: Type) -> bool:
    """Tell whether a value of the type can be written as JSON, which the project's own types must derive."""
    found = run.declared(type_)
    if isinstance(found, tuple):
        item = found[0]
        return "Serialize" in derives(item.node) or b"Serialize for " + item.name.encode() in item.source.data
    inner = [part for part in named_in(type_.node, "type_arguments") if part.type != "lifetime"]
    return all(_serializes(run, type_.inner(part)) for part in inner)


def _called(run: "Generator", function: str, member: "Member") -> Any:
    found = run.items.resolve(tuple(function.split("::")), member.read.path, "fn", near=member.node)
    body = child(found.node, "body") if isinstance(found, Item) else None
    if not isinstance(found, Item) or body is None:
        return Opaque(f"`{function}` gives it at run time", run.span(member.type))
    value = _value(run, result_of(body), found.path)
    return value if not isinstance(value, Opaque) else Opaque(value.reason, run.span(member.type))


def _value(run: "Generator", node: Node | None, path: str) -> Any:
    if node is None:
        return Opaque("it is made at run time", run.items.sources[path].line_span(1))
    if node.type == "scoped_identifier":
        variant = _variant(run, segments(node), path)
        if variant is not None:
            return variant
    return value_of(run.items, node, path)


def _variant(run: "Generator", names: tuple[str, ...], path: str) -> str | None:
    """Give the wire name of a unit variant that a path means."""
    found = run.items.resolve(names[:-1], path, "enum") if len(names) > 1 else None
    if not isinstance(found, Item):
        return None
    read = marks(run.items, found.path, found.node)
    for part in child(found.node, "body").named_children if child(found.node, "body") else ():  # type: ignore[union-attr]
        if part.type == "enum_variant" and string_of(child(part, "name") or part) == names[-1]:
            return str(name_of(part, marks(run.items, found.path, part), read.string("rename_all"), variant=True))
    return None


def zero(run: "Generator", type_: Type) -> Any:
    """Give `Default::default()` of a type as JSON."""
    found = run.declared(type_)
    if isinstance(found, tuple):
        return _zero_of_item(run, *found)
    if segments(type_.node)[-1:] == ("Option",):
        return None
    schema = run.of(type_)
    kind = schema.get("type") if isinstance(schema, dict) else "null" if schema is True else None
    if isinstance(kind, str) and kind in ZEROES and "prefixItems" not in schema_keys(schema):
        return ZEROES[kind]
    return Opaque("its default is made at run time", run.span(type_))


def schema_keys(schema: Any) -> frozenset[str]:
    """Name the keywords of a schema."""
    return frozenset(schema) if isinstance(schema, dict) else frozenset()


def _zero_of_item(run: "Generator", item: Item, given: dict[str, Type]) -> Any:
    from reviewer.schema.rust_objects import members  # a struct's zero is made of its fields' zeroes

    body, read = child(item.node, "body"), marks(run.items, item.path, item.node)
    if "Default" not in derives(item.node) or body is None:
        return Opaque(f"`Default` of `{item.name}` is written by hand", item.span)
    if item.node.type == "enum_item":
        for part in body.named_children:
            own = marks(run.items, item.path, part)
            if part.type == "enum_variant" and _is_default(part):
                return str(name_of(part, own, read.string("rename_all"), variant=True))
        return Opaque("its default is made at run time", item.span)
    if body.type != "field_declaration_list":
        return Opaque("its default is made at run time", item.span)
    return {str(each.name): zero(run, each.type) for each in members(body, read, given, read.string("rename_all"))}


def _is_default(variant: Node) -> bool:
    return has_attribute(variant, "default")


def _of_container(run: "Generator", member: "Member", item: Item) -> Any:
    """Give a field's value in the `Default` of its struct."""
    if "Default" in derives(item.node):
        return zero(run, member.type)
    plain = string_of(child(member.node, "name") or member.node)
    for function in run.items.of_file(item.path).get(("fn", "default"), ()):
        block = function.node.parent.parent if function.node.parent is not None else None
        owner = child(block, "type") if block is not None and block.type == "impl_item" else None
        body = child(function.node, "body")
        if owner is None or segments(owner)[-1] != item.name or body is None:
            continue
        value = _initial(result_of(body), plain)
        if value is not None:
            return _value(run, value, item.path)
    return Opaque(f"`Default` of `{item.name}` gives it at run time", run.span(member.type))


def _initial(made: Node | None, name: str) -> Node | None:
    """Find what a struct literal gives a field."""
    fields = child(made, "body") if made is not None and made.type == "struct_expression" else None
    for part in fields.named_children if fields is not None else ():
        if part.type == "field_initializer" and string_of(child(part, "field") or part) == name:
            return child(part, "value")
    return None
