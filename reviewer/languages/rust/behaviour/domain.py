"""The types that a Rust server serializes into answers."""

import re
from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from reviewer.facts import DomainField, DomainType, Flag
from reviewer.languages.nodes import decode_node, find_child, find_descendants
from reviewer.languages.rust.behaviour.handling import build_handling
from reviewer.languages.rust.behaviour.tracing import trace_of
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, iter_attributes_before
from reviewer.languages.rust.project.name_resolution import read_last_segment
from reviewer.source import Text
from reviewer.text.patterns import pattern

# serde writes what gets into an answer. A file with neither form is not parsed for domain types.
SERIALIZED = pattern(rb"derive\([^)]*\bSerialize\b|\bSerialize\s+for\s+\w")
# Such an impl decides what is written of each field, whatever the attributes of the fields say.
BY_HAND = pattern(rb"\bSerialize\s+for\s+\w")
# As the first half of `SERIALIZED`, for one attribute at a time.
DERIVES = pattern(r"derive\([^)]*\bSerialize\b")
# serde's `with` and `serialize_with` and serde_with's `as` name the code that writes a field: it may cut.
WITH = pattern(r"\b(?:serialize_)?(?:with|as)\s*=\s*\"(?P<path>[^\"]*)\"")
# Which features a build has is not known, so an attribute under a condition counts as given.
CONDITIONAL = pattern(r"cfg_attr\s*\(.*[,(]\s*(?:\w+\s*::\s*)*truncate\b", re.DOTALL)
# `untruncated` and `no_truncate` say the opposite.
TRUNCATES = pattern(r"(?:^|_|::|\b)(?<!un)(?<!no_)(?<!not_)truncate|Truncate")
# Rules ask for the type that is sent, which `Option` hides: an absent field is no large one.
OPTION = pattern(r"^(?:(?:::)?(?:std|core)::option::)?Option\s*<(?P<inner>.*)>$", re.DOTALL)
# What two spellings of one type differ in: paths of the standard library and of `bytes`, lifetimes, blanks.
PLAIN = pattern(r"\b(?:std|alloc|core|bytes)(?:::\w+)*::|'\w+\s*,?\s*|\s+")
# serde writes what these point to, so a `Box<String>` is as long as its text.
HOLDER = pattern(r"^(?:Box|Arc|Rc|Cow)<(?P<inner>String|str)>$")
# Types that come in: parameters of rmcp's tools, and forms of its questions to the user. Their texts fill no answer,
# even where they derive `Serialize` for a log.
ASKED = pattern(rb"\b(?:Parameters|elicit(?:_with_\w+)?\s*::|elicit_safe!)\s*[<(]\s*(?:\w+\s*::\s*)*(\w+)")
MARK = "truncate"
# A field through a call other than these may have been cut on the way.
OWN_FIELD = pattern(r"&?\s*self\s*\.\s*(\w+)(?:\s*\.\s*(?:as_str|as_ref|as_deref|clone)\(\))*")
FULL_ACTION = "full_action"
DEPTH = 4
"""Type aliases that are followed one to the next; one that refers to itself ends here. The tests of the rules have one."""


def iter_domain_types(items: RustItems) -> Iterator[DomainType]:
    """Find the structs and the enum variants with named fields that derive `Serialize`, those that only tools take left out."""
    run = build_handling(items)
    files = [items.sources[path].data for path in items.find_matching(ASKED)]
    asked = {name.decode() for data in files for name in ASKED.findall(data)}
    for path in items.find_matching(SERIALIZED):
        own = _collect_by_hand(items, path) if BY_HAND.search(items.sources[path].data) else {}
        for holder, at in _with_fields(items, path):
            name, body = find_child(at, "name"), find_child(at, "body")
            if (
                name is None
                or body is None
                or decode_node(find_child(holder, "name") or name) in asked
                or is_in_test(holder)
            ):
                continue
            marks = [decode_node(each) for each in iter_attributes_before(holder)]
            written = own.get(decode_node(find_child(holder, "name") or name))
            if written is not None or any(DERIVES.search(mark) for mark in marks):
                whole = any(_bounds(items, mark, path) for mark in marks)
                fields = tuple(_iter_fields(items, path, body, whole, written))
                given = Flag(partial(run.holds, path, holder))
                yield DomainType(items.locate_text(path, name), items.locate_node(path, at), fields, given=given)


def _collect_by_hand(items: RustItems, path: str) -> dict[str, frozenset[str]]:
    """Return the types of a file that say by code how they are serialized, and the fields that this hands over as they are.

    Where that code cuts, or what it calls makes an envelope, no field is.
    """
    found = {}
    for block in items.find_nodes(path, "impl_item"):
        trait, kind, body = find_child(block, "trait"), find_child(block, "type"), find_child(block, "body")
        if trait is None or kind is None or body is None or read_last_segment(trait) != "Serialize":
            continue
        functions = [each for each in body.named_children if each.type == "function_item"]
        codes = [
            one
            for each in functions
            for one in trace_of(items, RustItem(path, each, items.sources[path])).collect_codes()
        ]
        cuts = any("truncat" in str(each.extract_text(each.at)) for each in codes)
        found[read_last_segment(kind)] = frozenset() if cuts else frozenset(_iter_handed_over(body))
    return found


def _iter_handed_over(body: Node) -> Iterator[str]:
    """Yield the fields that calls of a serializer are handed as they are: `out.serialize_field("notes", &self.notes)`."""
    for call in find_descendants(body, "rust", "call_expression"):
        function, given = find_child(call, "function"), find_child(call, "arguments")
        name = find_child(function, "field") if function is not None else None
        if name is not None and given is not None and decode_node(name).startswith("serialize_"):
            for each in given.named_children:
                field = OWN_FIELD.fullmatch(decode_node(each))
                if field is not None:
                    yield field[1]


def _with_fields(items: RustItems, path: str) -> Iterator[tuple[Node, Node]]:
    """Yield the structs and the variants of enums that have named fields, each after the type it belongs to."""
    for holder in items.find_nodes(path, "struct_item", "enum_item"):
        body = find_child(holder, "body")
        parts = body.named_children if body is not None and holder.type == "enum_item" else [holder]
        for part in parts:
            fields = find_child(part, "body")
            if fields is not None and fields.type == "field_declaration_list":
                yield holder, part


def _iter_fields(
    items: RustItems, path: str, body: Node, whole: bool, handed_over: frozenset[str] | None
) -> Iterator[DomainField]:
    for part in body.named_children:
        name, kind = find_child(part, "name"), find_child(part, "type")
        if part.type != "field_declaration" or name is None or kind is None:
            continue
        attributes = list(iter_attributes_before(part))
        marks = [decode_node(each) for each in attributes]
        if any(SKIPPED.search(mark) for mark in marks):
            continue
        shown = _show(items, decode_node(kind), path)
        if decode_node(kind).startswith("Option") and _is_left_out(items, decode_node(name), path):
            continue
        is_shown = handed_over is None or decode_node(name) in handed_over
        bounded = (
            whole or not is_shown or "Truncat" in decode_node(kind) or any(_bounds(items, mark, path) for mark in marks)
        )
        action = next((each for at in attributes for each in _iter_actions(items, path, at)), None)
        yield DomainField(items.locate_text(path, name), shown, items.locate_node(path, part), bounded, action)


def _iter_actions(items: RustItems, path: str, attribute: Node) -> Iterator[Text]:
    """Yield the actions that an attribute names for the whole text: `#[truncate(full_action = "note.get")]`."""
    for each in find_descendants(attribute, "rust", "string_literal"):
        sign = each.prev_sibling
        name = sign.prev_sibling if sign is not None and decode_node(sign) == "=" else None
        value = evaluate_string(each)
        if name is not None and decode_node(name) == FULL_ACTION and value is not None:
            yield Text(value, items.locate_node(path, each))


def _is_left_out(items: RustItems, name: str, path: str) -> bool:
    """Return whether the request beside an answer's type asks for a field to be left out: `return_text: None`."""
    if b"_" + name.encode() not in items.sources[path].data:
        return False
    wish = re.compile(rb"\b(?:return|include|with|fetch)_" + re.escape(name.encode()) + rb"\"?\s*:\s*([^,;}\n]+)")
    if wish.search(items.sources[path].data) is None:
        return False
    given = {value.strip() for each in items.find_matching(wish) for value in wish.findall(items.sources[each].data)}
    given -= {b"bool", b"Option<bool>"}
    return bool(given) and given <= {b"None", b"false", b"Some(false)"}


# `skip_serializing_if` leaves a field out only sometimes, and `skip_deserializing` not at all: such a field still
# counts.
SKIPPED = pattern(r"#\[\s*serde\s*\(.*\bskip(?:_serializing)?\b(?!_)", re.DOTALL)


def _bounds(items: RustItems, mark: str, path: str) -> bool:
    """Return whether an attribute bounds what it stands over: `truncate` by any path or name, or a serializer that does."""
    named = re.match(r"#\[\s*((?:\w+\s*::\s*)*\w+)", mark)
    segments = re.split(r"\s*::\s*", named[1]) if named is not None else []
    used = items.read_uses(path).names.get(segments[0]) if len(segments) == 1 else None
    if segments[-1:] == [MARK] or (used is not None and used[-1] == MARK) or CONDITIONAL.search(mark):
        return True
    given = WITH.search(mark)
    return given is not None and (TRUNCATES.search(given["path"]) is not None or _shortens(items, given["path"]))


def _shortens(items: RustItems, written: str) -> bool:
    """Return whether a serializer of the project builds truncation envelopes."""
    parts = written.split("::")
    found = [
        *items.find_functions(parts[-1]),
        *(each for each in items.find_functions("serialize") if parts[-1] in each.path),
    ]
    return any(b"_truncated" in (each.node.text or b"") for each in found)


def _show(items: RustItems, kind: str, path: str, depth: int = 0) -> str:
    """Return a type as written, without `Option`; the text that it is under another name, or on the heap, by that text's type."""
    found = OPTION.match(kind.strip())
    inner = found["inner"].strip() if found else kind
    bare = PLAIN.sub("", inner)
    holder = HOLDER.match(bare)
    if holder is not None:
        return "Box<str>" if holder["inner"] == "str" else "String"
    if re.fullmatch(r"String|Vec<u8>|Bytes|str|&str", bare):
        return "Vec<u8>" if bare == "Bytes" else bare
    meant = _find_meant(items, bare, path) if depth < DEPTH else None
    return _show(items, meant, path, depth + 1) if meant is not None else inner


def _find_meant(items: RustItems, name: str, path: str) -> str | None:
    """Return the type that an alias stands for, or that a newtype holds if it is a text."""
    if not re.fullmatch(r"(?:\w+::)*\w+", name):
        return None
    item = items.resolve(tuple(name.split("::")), path, "type", "struct")
    if not isinstance(item, RustItem):
        return None
    if item.node.type == "type_item":
        meant = find_child(item.node, "type")
        return decode_node(meant) if meant is not None else None
    body = find_child(item.node, "body")
    parts = body.named_children if body is not None and body.type == "ordered_field_declaration_list" else []
    held = [part for part in parts if part.type not in ("visibility_modifier", "attribute_item")]
    if len(held) != 1 or not any(DERIVES.search(decode_node(each)) for each in iter_attributes_before(item.node)):
        return None
    if any(_bounds(items, decode_node(each), item.path) for each in iter_attributes_before(item.node)):
        return None
    return decode_node(held[0]) if PLAIN.sub("", decode_node(held[0])) in ("String", "Vec<u8>") else None
