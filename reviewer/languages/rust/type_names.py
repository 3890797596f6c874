"""Which type a written type names: without references and boxes, and without what may be absent or a failure around it."""

from tree_sitter import Node

from reviewer.languages.nodes import child
from reviewer.languages.rust.scopes import Declared, Member, Outside, Place, Scopes
from reviewer.languages.rust.uses import segments

AROUND = frozenset(
    "Box Arc Rc Cow Pin Ref RefMut Option Result State Parameters Json Extension MutexGuard RwLockReadGuard "
    "RwLockWriteGuard".split()
)
"""Types that stand for what lies within: boxes, guards, what may be absent, what frameworks hand over. By the last part of
their names, because each framework has its own."""

THROUGH = frozenset(
    {"reference_type", "pointer_type", "dynamic_type", "abstract_type", "bracketed_type", "bounded_type", "tuple_type"}
)
BESIDE = frozenset({"lifetime", "mutable_specifier", "removed_trait_bound", "line_comment", "block_comment"})
DEEPEST = 20
"""Types in each other. `Result<Option<Arc<dyn Store>>, E>` has four."""


def type_named(scopes: Scopes, node: Node, place: Place) -> Declared | Member | Outside | None:
    """Return the type that a written type names; None for a number, a slice, a tuple of several and what is not known."""
    current: Node | None = node
    for _ in range(DEEPEST):
        if current is None:
            return None
        if current.type == "self_parameter":
            return scopes.owner(place)
        if current.type in THROUGH:
            parts = [each for each in current.named_children if each.type not in BESIDE]
            current = parts[0] if parts and (current.type != "tuple_type" or len(parts) == 1) else None
        elif current.type == "generic_type" and segments(current)[-1:] and segments(current)[-1] in AROUND:
            current = _first_argument(current)
        else:
            return _plain(scopes, current, place)
    return None


def _first_argument(node: Node) -> Node | None:
    inside = child(node, "type_arguments")
    return next((each for each in inside.named_children if each.type not in BESIDE), None) if inside else None


def _plain(scopes: Scopes, node: Node, place: Place) -> Declared | Member | Outside | None:
    if node.type not in ("type_identifier", "scoped_type_identifier", "generic_type", "identifier"):
        return None
    found = scopes.resolve(segments(node), place)
    if isinstance(found, Declared) and found.kind == "type":
        inner = child(found.node, "type")
        around = scopes.place_of(found.path, found.node)
        return type_named(scopes, inner, around) if inner is not None and around is not place else None
    return found if isinstance(found, Declared | Member | Outside) else None
