"""What a path may mean, and what stands where it is written: the items of a module, the type parameters of a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.project.items import NAMED, is_in_test
from reviewer.languages.rust.project.modules import build_crate_path, find_crate_folder
from reviewer.languages.rust.project.uses import UsePath, Uses, read_use
from reviewer.records import dataclass


@dataclass(frozen=True, slots=True)
class RustModule:
    """A module by the folder of its crate's source and its path in that crate."""

    crate: str
    names: UsePath = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """Something that the project declares, by the file and the byte where it begins."""

    path: str
    start: int
    name: str
    node: Node = field(compare=False, repr=False)

    @property
    def kind(self) -> str:
        """What it is, as `NAMED` says."""
        return NAMED[self.node.type]


@dataclass(frozen=True, slots=True)
class TypeMember:
    """What belongs to a type or a trait: a variant, a function, a constant."""

    of: Declared
    name: str


@dataclass(frozen=True, slots=True)
class Outside:
    """Something that is not of the project, by its whole path."""

    path: UsePath


Meaning = RustModule | Declared | TypeMember | Outside


@dataclass(frozen=True, slots=True, eq=False)
class RustScope:
    """The items of one file, one module in a file, or one function."""

    path: str
    module: RustModule
    items: dict[str, list[Node]]
    inner: dict[str, Node]
    """The bodies of the modules that are written in it."""
    uses: Uses


@dataclass(frozen=True, slots=True, eq=False)
class PathPlace:
    """Where a path is written. `around` is the `impl` or trait around, `bounds` has the first trait of each type parameter."""

    path: str
    module: RustModule
    local: tuple[RustScope, ...] = ()
    around: Node | None = None
    bounds: dict[str, Node | None] = field(default_factory=dict)


def resolve_module(path: str) -> RustModule:
    """Return the module that a file is."""
    return RustModule(find_crate_folder(path), build_crate_path(path))


def map_variants(node: Node) -> dict[str, Node]:
    """Return the variants of an enum, by name."""
    body = find_child(node, "body")
    parts = body.named_children if body is not None and node.type == "enum_item" else []
    return {decode_node(find_child(each, "name") or each): each for each in parts if each.type == "enum_variant"}


def read_scope(path: str, node: Node, module: RustModule, *, deep: bool) -> RustScope:
    """Return the items of a module; with `deep`, those of all blocks of a function."""
    found = RustScope(path, module, {}, {}, Uses())
    for each in _iter_parts(node, deep=deep):
        if each.type == "use_declaration":
            read_use(each, found.uses)
            continue
        name = find_child(each, "name")
        if name is None:
            continue
        if each.type == "mod_item":
            body = find_child(each, "body")
            if body is not None:
                found.inner[decode_node(name)] = body
        else:
            found.items.setdefault(decode_node(name).removeprefix("r#"), []).append(each)
    return found


def _iter_parts(node: Node, *, deep: bool) -> Iterator[Node]:
    """Yield the items and the `use` declarations of a module, or of all blocks of a function."""
    pending = list(reversed(node.named_children))
    while pending:
        each = pending.pop()
        if each.type in NAMED or each.type in ("use_declaration", "mod_item"):
            if not is_in_test(each):
                yield each
        elif each.type == "ERROR" or (deep and each.type not in ("impl_item", "token_tree")):
            pending += reversed(each.named_children)


def collect_bounds(node: Node) -> dict[str, Node | None]:
    """Return the first trait that each type parameter of an item must have, None for one that needs none."""
    found: dict[str, Node | None] = {}
    inside = find_child(node, "type_parameters")
    where = next((each for each in node.named_children if each.type == "where_clause"), None)
    for part in (*(inside.named_children if inside else ()), *(where.named_children if where else ())):
        name = find_child(part, "left") or find_child(part, "name")
        bounds = find_child(part, "bounds")
        if name is None or part.type not in ("type_parameter", "where_predicate"):
            continue
        traits = [each for each in bounds.named_children if each.type != "lifetime"] if bounds is not None else []
        if traits or part.type == "type_parameter":
            found[decode_node(name)] = traits[0] if traits else None
    return found
