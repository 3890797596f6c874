"""Of which type an expression makes a value: `Lend`, `Lend::new(..)`, `Lend { .. }`, `Arc::new(Lend)`."""

from tree_sitter import Node

from reviewer.languages.nodes import find_child
from reviewer.languages.rust.project.def_use import list_arguments, resolve_local
from reviewer.languages.rust.project.uses import read_segments

# Pointers of the standard library that hold one value: `Arc::new(Lend)` stands for the `Lend` in it.
SHARED = frozenset({"Arc", "Box", "Rc"})
DEPTH = 6
"""Names and smart pointers around an object: `Arc<Mutex<Box<T>>>` has three. 40 servers had one."""


def type_of(value: Node, depth: int = DEPTH) -> tuple[str, ...]:
    """Return the path of a value's type as it is written; nothing where that does not show."""
    if depth == 0:
        return ()
    if value.type == "struct_expression":
        return _type(read_segments(name)) if (name := find_child(value, "name")) is not None else ()
    if value.type == "call_expression":
        function = find_child(value, "function")
        names = read_segments(function) if function is not None and function.type == "scoped_identifier" else ()
        arguments = list_arguments(value)
        if names[-1:] == ("new",) and names[-2:-1] and names[-2] in SHARED:
            return type_of(arguments[0], depth - 1) if len(arguments) == 1 else ()
        return _type(names[:-1]) if names[-1:] in (("new",), ("default",)) else ()
    if value.type == "identifier" and (given := resolve_local(value)) is not None:
        return type_of(given, depth - 1)
    if value.type in ("reference_expression", "parenthesized_expression") and value.named_children:
        return type_of(value.named_children[-1], depth - 1)
    return _type(read_segments(value)) if value.type in ("identifier", "scoped_identifier") else ()


def _type(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a path that ends as types are written: not `self`, not a constant."""
    last = names[-1] if names else ""
    return names if last[:1].isupper() and (not last.isupper() or len(last) == 1) and names[0] != "Self" else ()
