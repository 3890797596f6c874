"""Names and paths: variables of the function, what a `use` in it says, and everything else."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.frame import VALUES, ModulePath, RustFrame, list_children
from reviewer.languages.rust.project.name_resolution import SCOPED
from reviewer.text.patterns import pattern

# Most paths are written so, without type arguments or blanks: they are split without a look at the tree.
PLAIN = pattern(r"\w+(?:::\w+)*")
WRAPPED = {
    "generic_type": "type",
    "generic_type_with_turbofish": "type",
    "generic_function": "function",
    "qualified_type": "type",
}


def read_path(frame: RustFrame, node: Node) -> ModulePath:
    """Return the parts of a path, without its generic arguments."""
    text = frame.decode_text(node)
    if PLAIN.fullmatch(text):
        return tuple(text.split("::"))
    return tuple(reversed(list(_iter_backwards(frame, node))))


def _iter_backwards(frame: RustFrame, node: Node | None) -> Iterator[str]:
    while node is not None:
        kind = node.type
        if kind in SCOPED:
            name = node.child_by_field_name("name")
            if name is not None:
                yield frame.name(name)
            node = node.child_by_field_name("path")
        elif kind in WRAPPED:
            node = node.child_by_field_name(WRAPPED[kind])
        elif kind in ("bracketed_type", "reference_type", "dynamic_type"):
            node = next(
                (each for each in reversed(list_children(node)) if each.type not in ("lifetime", "mutable_specifier")),
                None,
            )
        else:
            yield frame.name(node)
            node = None


def expand_path(frame: RustFrame, written: ModulePath) -> ModulePath:
    """Return a path with what a `use` in the function says its first name is."""
    known = frame.names.get(written[0]) if written else None
    return known + written[1:] if isinstance(known, tuple) else written


def lower_global(frame: RustFrame, node: Node) -> ir.Expression:
    """Lower a path that is no variable: a type, a variant, a function."""
    return ir.Global(to_site(node), expand_path(frame, read_path(frame, node)))


def lower_name(frame: RustFrame, name: str, at: ir.Site) -> ir.Expression:
    """Return the expression for a name."""
    known = frame.names.get(name)
    if type(known) is ir.Variable:
        return ir.Read(at, known)
    if known is not None:
        return ir.Global(at, known)  # type: ignore[arg-type]  # else a path
    return ir.Constant(at, None) if name == "None" else ir.Global(at, (name,))


def _lower_identifier(frame: RustFrame, node: Node) -> ir.Expression:
    name = frame.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    if not name:
        return frame.lower_unknown(node, "MISSING")
    return lower_name(frame, name.removeprefix("r#"), to_site(node))


NOTHING = frozenset({("Option", "None"), ("Value", "Null")})
"""Paths of values that say that nothing is there; the one of JSON is what `json!(null)` gives."""


def _lower_scoped(frame: RustFrame, node: Node) -> ir.Expression:
    found = expand_path(frame, read_path(frame, node))
    if found[-2:] in NOTHING:
        return ir.Constant(to_site(node), None)
    return ir.Global(to_site(node), found)


def iter_imported_names(frame: RustFrame, node: Node) -> Iterator[tuple[str, ModulePath]]:
    """Yield the names that a `use` gives, and what they stand for; what a `*` gives is not known."""
    pending: list[tuple[Node, ModulePath]] = [
        (each, ()) for each in list_children(node) if each.type != "visibility_modifier"
    ]
    while pending:
        each, before = pending.pop()
        kind = each.type
        if kind == "scoped_use_list":
            start = each.child_by_field_name("path")
            inner = each.child_by_field_name("list")
            around = before + read_path(frame, start) if start is not None else before
            pending += [(part, around) for part in list_children(inner)] if inner is not None else []
        elif kind == "use_list":
            pending += [(part, before) for part in list_children(each)]
        elif kind == "use_as_clause":
            alias, meaning = each.child_by_field_name("alias"), each.child_by_field_name("path")
            if alias is not None and meaning is not None:
                yield frame.name(alias), _join(before, read_path(frame, meaning))
        elif kind in ("identifier", "self", "crate", *SCOPED):
            found = _join(before, read_path(frame, each))
            if found:
                yield found[-1], found


def _join(before: ModulePath, rest: ModulePath) -> ModulePath:
    return before if before and rest == ("self",) else before + rest


VALUES["identifier"] = _lower_identifier
VALUES["type_identifier"] = _lower_identifier
VALUES["shorthand_field_identifier"] = _lower_identifier
VALUES["self"] = _lower_identifier
VALUES["crate"] = _lower_identifier
VALUES["super"] = _lower_identifier
VALUES["scoped_identifier"] = _lower_scoped
VALUES["scoped_type_identifier"] = _lower_scoped
