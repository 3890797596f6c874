"""Enums that list their own variants: `KilnTool::ALL.iter().map(|each| each.name())`, where `name` matches on `self`."""

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.evaluation.folder import Folder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded
from reviewer.languages.rust.project.def_use import find_impl_type
from reviewer.languages.rust.project.items import RustItem, iter_attributes_before
from reviewer.languages.rust.project.uses import read_segments
from reviewer.source import Opaque, Text

SELF = "self"
"""The name under which a method is given the variant that it is called on."""


@dataclass(frozen=True, slots=True)
class UnitVariant(Opaque):
    """One variant of an enum of the project that holds nothing. It is no JSON, so it is opaque to all who want a value."""

    enum: str = ""
    path: str = ""
    name: str = ""


def resolve_variant(folder: Folder, names: tuple[str, ...], node: Node, place: ExpressionPlace) -> UnitVariant | None:
    """Return the variant that a path names: `KilnTool::List`, `Self::List`."""
    found = _find_enum(folder, names[:-1], node, place)
    if found is None or names[-1] not in _iter_plain_variants(found.node):
        return None
    unknown = folder.build_unknown(node, place)
    return UnitVariant(unknown.reason, unknown.span, found.name, found.path, names[-1])


def enumerate_variants(
    folder: Folder, names: tuple[str, ...], node: Node, place: ExpressionPlace
) -> list[Folded] | None:
    """Return the variants that `KilnTool::iter()` goes through, where strum derives it."""
    found = _find_enum(folder, names[:-1], node, place) if names[-1] == "iter" else None
    if found is None or not any("EnumIter" in decode_node(each) for each in iter_attributes_before(found.node)):
        return None
    plain = list(_iter_plain_variants(found.node))
    unknown = folder.build_unknown(node, place)
    held = [UnitVariant(unknown.reason, unknown.span, found.name, found.path, name) for name in plain]
    return [*held] if len(plain) == len(list_field_children(found.node, "body")) else None


def _find_enum(folder: Folder, names: tuple[str, ...], node: Node, place: ExpressionPlace) -> RustItem | None:
    if not names or not names[-1][:1].isupper():
        return None
    near = place.anchor or node
    if names == ("Self",):
        names = (find_impl_type(near) or "Self",)
    found = folder.items.resolve(names, place.path, "enum", near=near)
    return found if isinstance(found, RustItem) else None


def _iter_plain_variants(enum: Node) -> Iterator[str]:
    """Yield the variants that hold nothing."""
    for each in list_field_children(enum, "body"):
        if each.type == "enum_variant" and find_child(each, "body") is None:
            yield decode_node(find_child(each, "name") or each)


def resolve_method(folder: Folder, held: UnitVariant, name: str) -> RustItem | None:
    """Return the method of a variant's enum that has a name."""
    found = folder.items.resolve((held.enum, name), held.path, "fn")
    return found if isinstance(found, RustItem) and find_child(found.node, "body") is not None else None


def select_arm(match: Node, value: Folded) -> Node | None:
    """Return the arm that a `match` selects for a known variant or text; None if a guard or a pattern leaves it open."""
    if not isinstance(value, UnitVariant | Text):
        return None
    for arm in list_field_children(match, "body"):
        if arm.type != "match_arm":
            continue
        pattern = find_child(arm, "pattern")
        answer = _fits(pattern, value) if pattern is not None else None
        if answer is None:
            return None
        if answer:
            return find_child(arm, "value")
    return None


def _fits(pattern: Node, value: UnitVariant | Text) -> bool | None:
    """Return whether a pattern takes a value, None if that is not known."""
    parts = [part for part in pattern.children if part.is_named or part.type == "_"]
    if pattern.type == "match_pattern":
        if find_child(pattern, "condition") is not None or len(parts) != 1:
            return None
        return _fits(parts[0], value)
    if pattern.type in ("or_pattern", "reference_pattern"):
        answers = [_fits(part, value) for part in parts]
        return None if None in answers else any(answers)
    if pattern.type == "_" or decode_node(pattern) == "_":
        return True
    if isinstance(value, Text):
        text = evaluate_string(pattern)
        return str(value) == text if text is not None else None
    if pattern.type in ("scoped_identifier", "tuple_struct_pattern", "struct_pattern"):
        named = find_child(pattern, "type") or pattern
        return read_segments(named)[-1] == value.name
    return True if pattern.type == "identifier" and decode_node(pattern) == value.name else None
