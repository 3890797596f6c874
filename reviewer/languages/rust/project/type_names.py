"""Which objects a written type is of: without references and boxes, and without what may be absent or a failure around it."""

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from reviewer.code.library_types import find_type_names
from reviewer.code.primitives import LIBRARY_INTEGERS
from reviewer.code.values import TUPLE, Class, Instance, Library
from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.meanings import Declared, Outside, PathPlace
from reviewer.languages.rust.project.scopes import Scopes
from reviewer.languages.rust.project.uses import read_segments

AROUND = frozenset(
    "Box Arc Rc Cow Pin Ref RefMut Option Result State Parameters Json Extension MutexGuard RwLockReadGuard "
    "RwLockWriteGuard OwnedMutexGuard OwnedRwLockReadGuard OwnedRwLockWriteGuard Reverse Wrapping ManuallyDrop "
    "Into TryInto AsRef AsMut Borrow BorrowMut".split()
)
"""Types that stand for what lies within: boxes, guards, what may be absent, what frameworks hand over, and the traits of what
becomes it. By the last part of their names, because each framework has its own."""

OPEN = frozenset({"ToString", "Display", "Debug"})
"""Traits that texts have as well as all else: an object of one may be any."""

GIVING = frozenset({"Item", "Output"})
"""The associated types whose values an object of a trait gives: iterators and streams one after another, futures one."""

# References, `dyn`, `impl` and brackets around a type; its methods are those of the type within.
THROUGH = frozenset(
    {"reference_type", "pointer_type", "dynamic_type", "abstract_type", "bracketed_type", "bounded_type"}
)
# Kinds of a type that has a name; any other, such as a function's, has no declaration.
NAMING = frozenset({"type_identifier", "scoped_type_identifier", "generic_type", "identifier", "self"})
# What the grammar puts among the parts of a type, and is none.
BESIDE = frozenset({"lifetime", "mutable_specifier", "removed_trait_bound", "line_comment", "block_comment"})
DEEPEST = 12
"""Types in each other. `Result<Option<Arc<dyn Store>>, E>` has four."""


TypeBindings = Mapping[str, Instance | None]
"""What the type parameters of an alias stand for."""


PRIMITIVES = {
    "str": Instance(Library("str")),
    **{name: Instance(Library(path)) for name, path in LIBRARY_INTEGERS.items()},
}
"""Types without a declaration that are told apart: whether a number is an integer, a division by zero depends on."""


def type_named(
    scopes: Scopes, node: Node | None, place: PathPlace, known: TypeBindings | None = None, deep: int = 0
) -> Instance | None:
    """Return an object of the type that a written type names; None for other numbers than integers, and for what is not known."""
    while node is not None and node.type in THROUGH:
        node = next(_iter_parts(node), None)
    if node is None or deep > DEEPEST:
        return None
    if node.type in ("self_parameter", "self"):  # `&self`, and `self` alone
        return _build_instance(scopes.resolve_self_type(place))
    if node.type in ("array_type", "slice_type"):
        return Instance(Library("list"), (type_named(scopes, find_child(node, "element"), place, known, deep + 1),))
    if node.type == "tuple_type":
        return _find_tuple(scopes, list(_iter_parts(node)), place, known, deep)
    if node.type == "primitive_type":
        return PRIMITIVES.get(decode_node(node))
    if node.type not in NAMING:
        return None
    names = read_segments(node)
    if known is not None and len(names) == 1 and names[0] in known:
        return known[names[0]]
    bound = place.bounds.get(names[0]) if len(names) == 1 else None
    if bound is not None:
        return type_named(scopes, bound, place, known, deep + 1)
    if names[-1:] and names[-1] in OPEN:
        return None
    given = [each for each in _iter_given(node) if each.type != "type_binding"]
    if names[-1:] and names[-1] in AROUND and given:
        return type_named(scopes, given[0], place, known, deep + 1)
    return _find_plain(scopes, node, place, known, deep)


def _iter_parts(node: Node) -> Iterator[Node]:
    return (each for each in node.named_children if each.type not in BESIDE)


def _iter_given(node: Node) -> Iterator[Node]:
    """Yield the type arguments of a generic type."""
    inside = find_child(node, "type_arguments") if node.type == "generic_type" else None
    return _iter_parts(inside) if inside is not None else iter(())


def _find_tuple(
    scopes: Scopes, parts: list[Node], place: PathPlace, known: TypeBindings | None, deep: int
) -> Instance | None:
    if len(parts) < 2:
        return type_named(scopes, parts[0], place, known, deep + 1) if parts else None
    return Instance(TUPLE, tuple(type_named(scopes, each, place, known, deep + 1) for each in parts))


def _find_plain(scopes: Scopes, node: Node, place: PathPlace, known: TypeBindings | None, deep: int) -> Instance | None:
    found = scopes.resolve(read_segments(node), place)
    arguments = list(_iter_given(node))
    if isinstance(found, Declared) and found.kind == "type":
        given = [type_named(scopes, each, place, known, deep + 1) for each in arguments]
        bound = dict(zip(iter_type_parameters(found.node), given, strict=False))
        around = scopes.place_of(found.path, found.node)
        return (
            type_named(scopes, find_child(found.node, "type"), around, bound, deep + 1) if around is not place else None
        )
    name = read_segments(node)[-1]
    made = _build_instance(found)
    if made is None and found is None and name in find_type_names("guard") and arguments:
        made = Instance(Library(name))  # of a module of which all is imported
    if made is None or isinstance(made.of, Class):
        return made
    bindings = [find_child(each, "type") for each in arguments if _is_giving(each)]
    parts = tuple(type_named(scopes, each, place, known, deep + 1) for each in bindings or arguments)
    if name == "Future":
        return parts[0] if parts else made
    if name in find_type_names("guard") and parts:
        return Instance(made.of, within=parts[0])
    return Instance(made.of, parts)


def iter_type_parameters(node: Node) -> Iterator[str]:
    """Yield the names of the type parameters of an item."""
    for each in list_field_children(node, "type_parameters"):
        name = find_child(each, "name") if each.type == "type_parameter" else None
        if name is not None:
            yield decode_node(name)


def _is_giving(argument: Node) -> bool:
    name = find_child(argument, "name") if argument.type == "type_binding" else None
    return name is not None and decode_node(name) in GIVING


def _build_instance(found: object) -> Instance | None:
    match found:
        case Declared() if found.kind in ("struct", "enum", "trait"):
            return Instance(build_class(found))
        case Outside() if not is_plain(found.path):
            return Instance(Library(".".join(found.path)))
    return None


def build_class(declared: Declared, variant: str = "") -> Class:
    """Return the class that a struct, an enum or a trait is."""
    return Class(declared.name, declared, variant, is_abstract=declared.kind == "trait")


def is_plain(path: tuple[str, ...]) -> bool:
    """Return whether a type is one of numbers, truth values or texts, whose methods any value may have."""
    return len(path) == 2 and path[0] == "std" and path[1][:1].islower()
