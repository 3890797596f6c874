"""The texts by which variants of an enum are asked for: `"item.list"` of `Action::List`, by code that reads texts or by serde."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_descendants, list_field_children
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.schema.rust.marks import collect_derived_traits, name_of, read_marks

PATTERNS = {"tuple_struct_pattern": "type", "struct_pattern": "type"}


def read_variant_text(items: RustItems, pattern: Node, path: str) -> str | None:
    """Return the text that a pattern's variant is made of, None if it is of no enum of the project or of several texts."""
    named = find_child(pattern, PATTERNS[pattern.type]) if pattern.type in PATTERNS else pattern
    if named is None or named.type != "scoped_identifier":
        return None
    *_, owner, variant = decode_node(named).split("::")
    found = items.resolve((owner,), path, "enum")
    if not isinstance(found, RustItem):
        return None
    told = [text for text, made in _read_by_hand(items, found) if made == variant]
    if not told:
        told = [text for text, made in _read_by_serde(items, found) if made == variant]
    return told[0] if len(told) == 1 else None


def _read_by_hand(items: RustItems, enum: RustItem) -> Iterator[tuple[str, str]]:
    """Yield texts and variants as code of the enum's own file turns the one into the other: `"list" => Ok(Self::List)`."""
    for block in items.find_nodes(enum.path, "impl_item"):
        if decode_node(find_child(block, "type") or block) != enum.name:
            continue
        for arm in find_descendants(block, "rust", "match_arm"):
            pattern, value = find_child(arm, "pattern"), find_child(arm, "value")
            made = {decode_node(each).rpartition("::")[2] for each in _iter_variants_in(value, enum.name)}
            if pattern is not None and len(made) == 1:
                for text in find_descendants(pattern, "rust", "string_literal"):
                    spelled = evaluate_string(text)
                    if isinstance(spelled, str):
                        yield spelled, next(iter(made))


def _iter_variants_in(value: Node | None, enum: str) -> Iterator[Node]:
    for each in find_descendants(value, "rust", "scoped_identifier") if value is not None else ():
        if decode_node(each).rpartition("::")[0] in ("Self", enum):
            yield each


def _read_by_serde(items: RustItems, enum: RustItem) -> Iterator[tuple[str, str]]:
    if "Deserialize" not in collect_derived_traits(enum.node):
        return
    read = read_marks(ConstantFolder(items), enum.path, enum.node)
    case = read.read_string("rename_all")
    for part in list_field_children(enum.node, "body"):
        # With a value of its own a variant is an object on the wire, unless its name is an entry beside that.
        if part.type == "enum_variant" and (find_child(part, "body") is None or read.has("tag")):
            yield (
                str(name_of(part, read.read_inner(part), case, variant=True)),
                decode_node(find_child(part, "name") or part),
            )
