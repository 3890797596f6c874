"""What the signature of a `#[tool]` function says that it takes and gives: types with fields, or such as name none."""

from tree_sitter import Node

from reviewer.code.primitives import PRIMITIVES
from reviewer.facts import HandlerArgument, ReturnedValue
from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.source import Text

FREE = frozenset(
    {
        ("serde_json", "Value"),
        ("serde_json", "Map"),
        ("serde_json", "value", "Value"),
        ("serde_json", "map", "Map"),
        ("rmcp", "model", "JsonObject"),
        ("std", "collections", "HashMap"),
        ("std", "collections", "BTreeMap"),
    }
)
"""Types that hold fields of any name."""

PLAIN = frozenset({"String", *PRIMITIVES})
"""Types of the language without fields."""

CARRIERS = frozenset({"Json", "Result", "Option", "Vec", "Box", "Arc", "Parameters"})
"""What says nothing of fields itself and holds what does: of `Result` the first argument."""

DEEPEST = 6
"""Types within types; `Arc<Vec<Result<Json<T>, E>>>` is as deep as return types are, an alias of itself has no end."""


def read_return(items: RustItems, function: Node, path: str) -> ReturnedValue | None:
    """Return the declared result of a function; None if its type has no fields of its own, such as `CallToolResult`."""
    type_ = find_child(function, "return_type")
    if type_ is None:
        return None
    found = _find_plain(items, type_, path)
    return None if found is None else ReturnedValue(items.locate_text(path, type_), not found, found)


def find_free_type(items: RustItems, type_: Node, path: str) -> Text | None:
    """Return a type that a tool takes its arguments in, if it names none of them."""
    return items.locate_text(path, type_) if _find_plain(items, type_, path) else None


def read_argument(
    items: RustItems, parameter: Node, type_: Node, path: str, struct: Text | None = None
) -> HandlerArgument | None:
    """Return a parameter of a tool's function; None if it has no name, or its type may have fields or not.

    `type_` is the type of what a client sends, `struct` its declaration: then all arguments of the tool are its fields.
    """
    plain, name = _find_plain(items, type_, path), _find_bound_name(find_child(parameter, "pattern"))
    if name is None or plain is None:
        return None
    called = items.locate_text(path, name)
    bare = Text(called.lstrip("_"), called.span)  # what is not used has to begin so
    of = f"{struct.span.path}:{struct.span.line}" if struct is not None else ""
    is_model = not plain
    return HandlerArgument(bare, items.locate_text(path, type_), is_model, checks=is_model or None, of=of)


def _find_bound_name(form: Node | None) -> Node | None:
    """Return the one name that the pattern of a parameter binds to all of it: `input`, `mut input`, `Parameters(input)`."""
    while form is not None and form.type in ("tuple_struct_pattern", "mut_pattern"):
        inner = [part for part in form.named_children if part.type != "mutable_specifier"]
        inner = inner[1:] if form.type == "tuple_struct_pattern" else inner  # the first is the wrapper
        form = inner[0] if len(inner) == 1 else None
    return form if form is not None and form.type == "identifier" else None


def _find_plain(items: RustItems, type_: Node, path: str, depth: int = 0) -> str | None:
    """Return the part of a type that names no fields: empty if every part does, None if that cannot be told."""
    if depth > DEEPEST:
        return None
    if type_.type == "reference_type":
        inner = find_child(type_, "type")
        return _find_plain(items, inner, path, depth + 1) if inner is not None else None
    if type_.type == "primitive_type":
        return decode_node(type_)
    names = read_segments(type_)
    if not names:
        return None
    given = [part for part in list_field_children(type_, "type_arguments") if part.type != "lifetime"]
    if names[-1] in CARRIERS and given:
        return _find_plain(items, given[0], path, depth + 1)
    used = items.read_uses(path).names.get(names[0], names[:1])
    if (*used, *names[1:]) in FREE:
        return names[-1]
    found = items.resolve(names, path, "struct", "enum", "type", near=type_)
    if isinstance(found, RustItem) and found.node.type == "type_item":
        target = find_child(found.node, "type")
        return _find_plain(items, target, found.path, depth + 1) if target is not None else None
    if isinstance(found, RustItem):
        parts = (_find_free(items, each, path) for each in given)
        return next((each for each in parts if each), "") if _has_fields(found.node) else None
    return names[-1] if found is None and len(names) == 1 and names[0] in PLAIN else None


def _find_free(items: RustItems, type_: Node, path: str) -> str:
    """Return the part of an argument of a struct that may hold any field, empty if none is seen: a number is a field there."""
    found = _find_plain(items, type_, path, 1)
    return found if found and found not in PLAIN else ""


def _has_fields(item: Node) -> bool:
    """Return whether a struct has named fields; an enum has those of its variants."""
    body = find_child(item, "body")
    return item.type == "enum_item" or (body is not None and body.type == "field_declaration_list")
