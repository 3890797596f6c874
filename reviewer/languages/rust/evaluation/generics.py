"""Type parameters of the project's functions: `schema_of::<Query>()` asks `fn schema_of<T>()` for the schema of `Query`.

Where a call names no types they follow from its arguments, as the compiler infers them: `entry("lend", lend)` asks
`fn entry<I, O>(name: &str, act: fn(I) -> O)` with the types of `fn lend(ask: Lend) -> Lent`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, list_field_children
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import list_arguments, resolve_local
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.records import dataclass

MARK = "<{}>"
"""How a type parameter is told from an argument of the same name."""

TypePlace = tuple[Node, str]
"""A type as it is written, and the file in which it is."""


def bind_type_parameters(
    items: RustItems, call: Node, function: RustItem, place: ExpressionPlace
) -> dict[str, TypePlace]:
    """Pair the type parameters of a function, and of the `impl` around it, with the types that a call names or implies."""
    called = find_child(call, "function")
    block = find_nearest_of_kinds(function.node, "impl_item")
    wanted = [name for name, _ in _iter_parameters(function.node)]
    own = [name for name, _ in _iter_parameters(block)] if block is not None else []
    if not wanted and not own:
        return {}
    found: dict[str, TypePlace] = {}
    told = [part for part in list_field_children(called, "type_arguments") if part.type != "lifetime"] if called else []
    for name, part in zip(wanted, told, strict=False):
        if decode_node(part) != "_":
            found[MARK.format(name)] = (part, place.path)
    owner = find_child(called, "path") or find_child(find_child(called, "function"), "path")
    inference = _Inference(items, place, {**_map_bounds(block), **_map_bounds(function.node)}, found)
    if owner is not None and own:
        inference.unify_arguments(find_child(block, "type"), owner, place.path)
    inference.infer(function.node, list_arguments(call))
    return {name: resolve_type_parameter(part, place.names, path) for name, (part, path) in found.items()}


def resolve_type_parameter(type_: Node, names: Mapping[str, Any], path: str) -> TypePlace:
    """Return the type that stands for a type parameter, and any other type as it is; `(T)` is what a macro is given."""
    found = names.get(MARK.format(decode_node(type_).strip("() \n")))
    return (found[0], found[1]) if found is not None else (type_, path)


def resolve_type(items: RustItems, type_: Node, place: ExpressionPlace) -> TypePlace:
    """Return the type that stands for a type parameter or for a type that belongs to one, as `T::Input`; any other as it is."""
    names = tuple(part.strip("() \n") for part in decode_node(type_).split("::"))
    meant, path = find_meant_owner(names, place)
    declared = items.resolve(meant, path, "type") if meant != names else None
    inner = find_child(declared.node, "type") if isinstance(declared, RustItem) else None
    if isinstance(declared, RustItem) and inner is not None:
        return inner, declared.path
    return resolve_type_parameter(type_, place.names, place.path)


def find_meant_owner(names: tuple[str, ...], place: ExpressionPlace) -> tuple[tuple[str, ...], str]:
    """Return a path and its file, where it begins with a type parameter, as `T::NAME`, with the type that stands for that."""
    found = place.names.get(MARK.format(names[0])) if len(names) > 1 else None
    return ((*read_segments(found[0]), *names[1:]), found[1]) if found is not None else (names, place.path)


# The grammar's kinds of a type parameter, of which the version decides which one it gives; lifetimes take no type.
PARAMETERS = frozenset({"type_parameter", "constrained_type_parameter", "type_identifier"})


def _iter_parameters(declared: Node | None) -> Iterator[tuple[str, Node]]:
    """Yield the names of the type parameters of a function or an `impl`, with where they are declared."""
    for part in list_field_children(declared, "type_parameters") if declared is not None else ():
        if part.type in PARAMETERS:
            yield decode_node(find_child(part, "name") or find_child(part, "left") or part), part


def _map_bounds(declared: Node | None) -> dict[str, list[Node]]:
    """Return the bounds of each type parameter, there or in a `where`."""
    found: dict[str, list[Node]] = {
        name: list_field_children(part, "bounds") for name, part in _iter_parameters(declared)
    }
    clause = next((part for part in declared.named_children if part.type == "where_clause"), None) if declared else None
    for part in clause.named_children if clause is not None else ():
        name = decode_node(find_child(part, "left") or part)
        if name in found:
            found[name] += list_field_children(part, "bounds")
    return found


@dataclass(frozen=True, slots=True)
class _Inference:
    """What the arguments of a call tell of the type parameters of what it calls."""

    items: RustItems
    place: ExpressionPlace
    bounds: Mapping[str, list[Node]]
    found: dict[str, TypePlace]

    def infer(self, function: Node, arguments: list[Node]) -> None:
        """Go through the parameters of a function with what a call hands over for each."""
        given = [part for part in list_field_children(function, "parameters") if part.type == "parameter"]
        for parameter, argument in zip(given, arguments, strict=False):
            type_ = find_child(parameter, "type")
            if type_ is not None:
                self._match_argument(type_, argument)

    def _match_argument(self, type_: Node, argument: Node) -> None:
        while type_.type in ("abstract_type", "bounded_type") and type_.named_children:  # `impl Fn(I) -> O + Send`
            type_ = find_child(type_, "trait") or type_.named_children[0]
        if type_.type == "function_type":
            self._match_function(type_, argument)
        elif type_.type == "type_identifier" and (name := decode_node(type_)) in self.bounds:
            called = [each for each in self.bounds[name] if each.type == "function_type"]
            for each in called:
                self._match_function(each, argument)
            named = _find_type_of_value(argument) if not called else None
            if named is not None:
                self.found.setdefault(MARK.format(name), (named, self.place.path))

    def _match_function(self, demanded: Node, argument: Node) -> None:
        """Compare a type of functions with a function of the project, or with a closure that tells its types."""
        if argument.type == "identifier" and (given := resolve_local(argument)) is not None:
            argument = given
        asked = list_field_children(demanded, "parameters")
        if argument.type == "closure_expression":
            parts = list_field_children(argument, "parameters")
            self._unify_all(asked, [find_child(part, "type") for part in parts], self.place.path)
            back = find_child(argument, "return_type")
            if back is not None:
                self._unify_result(demanded, back, self.place.path)
            return
        if argument.type not in ("identifier", "scoped_identifier"):
            return
        meant = self.items.resolve(read_segments(argument), self.place.path, "fn", near=self.place.anchor or argument)
        if not isinstance(meant, RustItem):
            return
        taken = [
            part
            for part in list_field_children(meant.node, "parameters")
            if part.type in ("parameter", "self_parameter")
        ]
        self._unify_all(asked, [find_child(part, "type") for part in taken], meant.path)
        back = find_child(meant.node, "return_type")
        if back is not None:
            self._unify_result(demanded, back, meant.path)

    def _unify_all(self, asked: list[Node], given: list[Node | None], path: str) -> None:
        for one, other in zip(asked, given, strict=False):
            if other is not None:
                self._unify(one, other, path)

    def _unify_result(self, demanded: Node, back: Node, path: str) -> None:
        """Compare what functions give; of one that gives a future, what that comes to: `Fut: Future<Output = O>`."""
        wanted = find_child(demanded, "return_type")
        if wanted is None:
            return
        self._unify(wanted, back, path)
        for bound in self.bounds.get(decode_node(wanted), ()):
            for part in list_field_children(bound, "type_arguments"):
                output = find_child(part, "type") if part.type == "type_binding" else None
                if output is not None:
                    self._unify(output, back, path)

    def unify_arguments(self, wanted: Node | None, given: Node, path: str) -> None:
        """Compare the type arguments of two types of one name: `Row<I>` and `Row::<Lend>`."""
        asked, told = (
            (
                [part for part in list_field_children(each, "type_arguments") if part.type != "lifetime"]
                for each in (wanted, given)
            )
            if wanted is not None
            else ([], [])
        )
        self._unify_all(asked, list(told), path)

    def _unify(self, wanted: Node, given: Node, path: str) -> None:
        """Compare two types part by part, down to the type parameters."""
        if wanted.type == "type_identifier" and (name := decode_node(wanted)) in self.bounds:
            self.found.setdefault(MARK.format(name), (given, path))
        elif wanted.type == given.type and wanted.named_child_count == given.named_child_count:
            for one, other in zip(wanted.named_children, given.named_children, strict=True):
                self._unify(one, other, path)


def _find_type_of_value(value: Node) -> Node | None:
    """Return where the type of a value is written: in `Lend`, `Lend {}`, `Lend::new()`, `Box::new(Lend)`."""
    if value.type == "struct_expression":
        return find_child(value, "name")
    if value.type == "call_expression":
        names = read_segments(find_child(value, "function") or value)
        if names[-2:] in (("Box", "new"), ("Arc", "new"), ("Rc", "new")):
            inner = list_arguments(value)
            return _find_type_of_value(inner[0]) if len(inner) == 1 else None
        owner = find_child(find_child(value, "function"), "path")
        return owner if names[-1] in ("new", "default") and owner is not None else None
    if value.type in ("identifier", "scoped_identifier"):
        last = read_segments(value)[-1]
        return value if last[:1].isupper() and not last.isupper() else None
    return None
