"""`use` declarations → which name stands for which path."""

from dataclasses import field

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.records import dataclass

UsePath = tuple[str, ...]

DEPTH = 50
"""Segments that a path may have."""


@dataclass(slots=True)
class Uses:
    """What one module brings into its scope: names, and modules whose every name it takes."""

    names: dict[str, UsePath] = field(default_factory=dict)
    globs: list[UsePath] = field(default_factory=list)


def read_use(node: Node, into: Uses) -> None:
    """Add one `use` declaration."""
    argument = find_child(node, "argument")
    if argument is not None:
        _add(argument, (), into)


def read_segments(node: Node) -> UsePath:
    """Return the segments of a path without generic arguments: one without a name where broken code has none, as in `::`."""
    return _get_segments(node) or ("",)


def _get_segments(node: Node) -> UsePath:
    if node.type in ("scoped_identifier", "scoped_type_identifier"):
        head, tail = find_child(node, "path"), find_child(node, "name")
        return (*(_get_segments(head) if head is not None else ()), *(_get_segments(tail) if tail is not None else ()))
    if node.type in ("generic_type", "generic_type_with_turbofish", "generic_function"):
        bare = find_child(node, "type") or find_child(node, "function")
        return _get_segments(bare) if bare is not None else ()
    if node.type in ("bracketed_type", "qualified_type"):
        return _get_segments(node.named_children[0]) if node.named_children else ()
    return (decode_node(node).removeprefix("r#"),)


def _add(node: Node, prefix: UsePath, into: Uses) -> None:
    if len(prefix) > DEPTH:
        return
    if node.type == "use_as_clause":
        path, alias = find_child(node, "path"), find_child(node, "alias")
        if path is not None and alias is not None:
            into.names[decode_node(alias)] = (*prefix, *read_segments(path))
    elif node.type == "scoped_use_list":
        path, names = find_child(node, "path"), find_child(node, "list")
        if names is not None:
            _add(names, (*prefix, *(read_segments(path) if path is not None else ())), into)
    elif node.type == "use_list":
        for part in node.named_children:
            _add(part, prefix, into)
    elif node.type == "use_wildcard":
        into.globs.append((*prefix, *(read_segments(node.named_children[0]) if node.named_children else ())))
    elif node.type == "self":
        if prefix:
            into.names[prefix[-1]] = prefix
    elif node.type in ("identifier", "scoped_identifier", "crate", "super"):
        whole = (*prefix, *read_segments(node))
        into.names[whole[-1]] = whole
