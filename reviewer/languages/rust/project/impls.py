"""What the `impl` blocks of a project give its types: their own methods, those of traits, and what traits do by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.items import RustItems, is_in_test
from reviewer.languages.rust.project.meanings import Declared, Meaning, Outside
from reviewer.languages.rust.project.scopes import Scopes
from reviewer.languages.rust.project.uses import UsePath, read_segments
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

# A method without a body is declared in such a file only.
TRAIT = pattern(rb"\btrait\s")
# Up to the body: the names in it are the type, the trait and their arguments.
HEAD = pattern(rb"\bimpl\b([^{};]*)")
# Any name in a head may be the one that is looked up; the tree decides.
NAME = pattern(rb"\w+")
# An associated constant is asked for as a function is; a type has no code to run.
GIVEN = frozenset({"function_item", "const_item"})
HOLDING = frozenset({Outside(("std", "result", "Result")), Outside(("std", "option", "Option"))})
"""The types whose objects an abstract run has no values for: what they hold stands for them, whatever its type is."""

CONVERTING = {"into": ("From", "from"), "try_into": ("TryFrom", "try_from")}
"""The methods that every type has for which another has a trait, with that trait and its function."""

DEREF: Mapping[UsePath, tuple[UsePath, ...]] = {
    ("std", "string", "String"): (("std", "str"), ("str",)),
    ("str",): (("std", "str"),),
    ("std", "path", "PathBuf"): (("std", "path", "UsePath"),),
    ("std", "path", "UsePath"): (("std", "path", "PathBuf"),),
}
"""The types of the standard library that stand for others by `Deref`, with these; an abstract run has one type for both paths."""

MADE_BY = frozenset(function for _, function in CONVERTING.values())
"""The functions that a type may have several of, each of one impl."""


@dataclass(frozen=True, slots=True, eq=False)
class Impl:
    """One `impl` block: of which type, and of which trait, None if it is of none."""

    path: str
    node: Node
    of: Meaning | None
    trait: Meaning | None


class Impls:
    """The `impl` blocks of a project, by the names of their types and traits. A file is parsed when its text may have one."""

    def __init__(self, items: RustItems, scopes: Scopes) -> None:
        self._items = items
        self._scopes = scopes
        self._named: dict[str, list[Impl]] = {}
        self._extensions: dict[tuple[str, Outside | None], tuple[tuple[str, Node], ...]] = {}
        self._members: dict[tuple[Declared, str], tuple[tuple[str, Node], ...]] = {}

    def find_members(self, declared: Declared, name: str) -> tuple[tuple[str, Node], ...]:
        """Return the functions or constants that a type or a trait has under a name, each with its file."""
        key = (declared, name)
        if key not in self._members:
            self._members[key] = ()  # for types that stand for each other in a circle
            find = self._collect_for_trait if declared.kind == "trait" else self._collect_for_type
            self._members[key] = find(declared, name)
        return self._members[key]

    def _collect_for_type(self, declared: Declared, name: str) -> tuple[tuple[str, Node], ...]:
        blocks = [each for each in self._collect_impls(declared.name) if each.of == declared]
        several: list[tuple[str, Node]] = []
        for each in sorted(blocks, key=lambda block: block.trait is not None):
            found = _find_within(each.node, name)
            if found is not None and each.trait is not None and name in MADE_BY:
                several.append((each.path, found))
            elif found is not None and not several:
                return ((each.path, found),)
        if several:
            return tuple(several)
        for each in blocks:
            if isinstance(each.trait, Declared) and (found := _find_within(each.trait.node, name)) is not None:
                return ((each.trait.path, found),)
        given = [found for trait in self._iter_traits(name) for found in self._iter_given_to_all(trait, name)]
        return tuple(given) or self._collect_by_deref(blocks, name)

    def _iter_given_to_all(self, trait: Declared, name: str) -> Iterator[tuple[str, Node]]:
        """Yield the methods that a trait gives to every type, or to a result of any: `impl<T: Bound> Trait for T`."""
        for each in self._collect_impls(trait.name):
            if each.trait == trait and (each.of is None or each.of in HOLDING):
                yield from _as_given(each, trait, name)

    def _collect_by_deref(self, blocks: list[Impl], name: str) -> tuple[tuple[str, Node], ...]:
        """Return the members of the type to which another derefs, by a name."""
        for each in blocks:
            if isinstance(each.trait, Outside) and each.trait.path == ("std", "ops", "Deref"):
                body = find_child(each.node, "body")
                kinds = [
                    find_child(part, "type")
                    for part in (body.named_children if body else ())
                    if part.type == "type_item"
                ]
                place = self._scopes.place_of(each.path, each.node)
                target = (
                    self._scopes.resolve(read_segments(kinds[0]), place) if kinds and kinds[0] is not None else None
                )
                return self.find_members(target, name) if isinstance(target, Declared) else ()
        return ()

    def _collect_for_trait(self, declared: Declared, name: str) -> tuple[tuple[str, Node], ...]:
        """Return the candidates if only the trait is known: each type's implementation, and the default."""
        blocks = [each for each in self._collect_impls(declared.name) if each.trait == declared]
        found = [(each.path, node) for each in blocks if (node := _find_within(each.node, name)) is not None]
        default = _find_within(declared.node, name)
        if default is not None and (len(found) < len(blocks) or not blocks):
            found.append((declared.path, default))
        return tuple(found) or self._collect_for_supertraits(declared, name)

    def _collect_for_supertraits(self, declared: Declared, name: str) -> tuple[tuple[str, Node], ...]:
        place = self._scopes.place_of(declared.path, declared.node)
        for each in list_field_children(declared.node, "bounds"):
            trait = self._scopes.resolve(read_segments(each), place) if each.type != "lifetime" else None
            if isinstance(trait, Declared) and trait.kind == "trait" and (found := self.find_members(trait, name)):
                return found
        return ()

    def iter_parameter_names(self, declared: Declared, place: int) -> Iterator[tuple[str, Node, str]]:
        """Yield the blocks of a type, each with its file and what it calls the type's parameter at a place."""
        for each in self._collect_impls(declared.name):
            inside = find_child(find_child(each.node, "type"), "type_arguments")
            given = inside.named_children if inside is not None and each.of == declared else []
            if place < len(given):
                yield each.path, each.node, decode_node(given[place])

    def gives(self, declared: Declared, trait: str) -> bool:
        """Return whether a block is written that gives a type a trait of a name."""
        blocks = (each for each in self._collect_impls(declared.name) if each.of == declared)
        return any(read_segments(find_child(each.node, "trait") or each.node)[-1:] == (trait,) for each in blocks)

    def find_conversions(self, declared: Declared, name: str) -> tuple[tuple[str, Node], ...]:
        """Return the functions by which a method makes something else of an object of a type: `impl From<Search> for Wanted`."""
        return tuple((path, own) for path, own, _ in self.iter_conversions(declared, name))

    def iter_conversions(self, of: Declared | Outside, name: str) -> Iterator[tuple[str, Node, Node]]:
        """Yield the functions that a method runs on objects of a type, each with the file, and the type of what they make."""
        trait, made_by = CONVERTING.get(name, ("", ""))
        last = of.name if isinstance(of, Declared) else of.path[-1]
        for path in self._headed.get(last.encode(), ()) if trait else ():
            for node in self._items.find_nodes(path, "impl_item"):
                kind, made = find_child(node, "trait"), find_child(node, "type")
                inside = find_child(kind, "type_arguments")
                own = _find_within(node, made_by) if kind is not None and read_segments(kind)[-1:] == (trait,) else None
                if own is not None and made is not None and inside is not None and inside.named_children:
                    taken = self._scopes.resolve(
                        read_segments(inside.named_children[0]), self._scopes.place_of(path, node)
                    )
                    if taken == of:
                        yield path, own, made

    def find_extensions(self, name: str, of: Outside | None) -> tuple[tuple[str, Node], ...]:
        """Return the methods of a name that traits of the project give to a type that is not of the project, or to any such."""
        key = (name, of)
        if key not in self._extensions:
            found = (each for trait in self._iter_traits(name) for each in self._iter_given_methods(trait, name, of))
            self._extensions[key] = tuple(dict.fromkeys(found))
        return self._extensions[key]

    def _iter_traits(self, name: str) -> Iterator[Declared]:
        """Yield the traits of the project that have a method of a name."""
        paths = set(self._items.find_matching(TRAIT))
        for path in self._items.find_declaring(name, "fn", "signature"):
            for item in self._items.find_declared_in(path, name, "fn", "signature") if path in paths else ():
                block = item.node.parent.parent if item.node.parent is not None else None
                if block is not None and block.type == "trait_item":
                    yield Declared(path, block.start_byte, decode_node(find_child(block, "name") or block), block)

    def _iter_given_methods(self, trait: Declared, name: str, of: Outside | None) -> Iterator[tuple[str, Node]]:
        for each in self._collect_impls(trait.name):
            is_for = not isinstance(each.of, Declared) and (
                of is None or each.of in (*_collect_deref_targets(of), None, *HOLDING)
            )
            if each.trait == trait and is_for:
                yield from _as_given(each, trait, name)

    @cached_property
    def _headed(self) -> Mapping[bytes, list[str]]:
        """The files with a block whose head has a name, by the name: one pass over the text for all types and traits."""
        found: dict[bytes, dict[str, None]] = {}
        for path in self._items.find_matching(HEAD):
            for head in HEAD.findall(self._items.sources[path].data):
                for name in NAME.findall(head):
                    found.setdefault(name, {})[path] = None
        return {name: list(paths) for name, paths in found.items()}

    def _collect_impls(self, name: str) -> list[Impl]:
        """Return the blocks that are of a type or a trait of a name."""
        if name not in self._named:
            found = self._named[name] = []
            for path in self._headed.get(name.encode(), ()):
                for node in self._items.find_nodes(path, "impl_item"):
                    kind, trait = find_child(node, "type"), find_child(node, "trait")
                    named = {read_segments(each)[-1:] for each in (kind, trait) if each is not None}
                    if kind is not None and (name,) in named and not is_in_test(node):
                        place = self._scopes.place_of(path, node)
                        is_any = len(read_segments(kind)) == 1 and read_segments(kind)[0] in place.bounds
                        of = self._scopes.resolve(read_segments(kind), place) if not is_any else None
                        whose = self._scopes.resolve(read_segments(trait), place) if trait is not None else None
                        found.append(Impl(path, node, of, whose))
        return self._named[name]


def _as_given(block: Impl, trait: Declared, name: str) -> Iterator[tuple[str, Node]]:
    """Yield a method of a block that gives a type a trait: its own, or what the trait says of all."""
    own = _find_within(block.node, name)
    default = own or _find_within(trait.node, name)
    if default is not None:
        yield block.path if own is not None else trait.path, default


def _collect_deref_targets(of: Outside) -> tuple[Outside, ...]:
    """Return a type and what it stands for by `Deref`: a `String` has the methods of `str`."""
    return (of, *(Outside(each) for each in DEREF.get(of.path, ())))


def _find_within(block: Node, name: str) -> Node | None:
    for each in list_field_children(block, "body"):
        if (
            each.type in GIVEN
            and decode_node(find_child(each, "name") or each).removeprefix("r#") == name
            and not is_in_test(each)
        ):
            return each
    return None
