"""The types that a Rust server serializes into answers."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import DomainType, Field
from reviewer.languages.nodes import child, matches, span_of, string_of, text_of
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Source

SERIALIZED = re.compile(rb"derive\([^)]*\bSerialize\b")
DERIVES = re.compile(r"derive\([^)]*\bSerialize\b")
BOUNDED = re.compile(r"#\[\s*(\w+\s*::\s*)*truncate\b|\b(serialize_)?with\s*=\s*\"[^\"]*truncate")
OPTION = re.compile(r"^(?:(?:::)?(?:std|core)::option::)?Option\s*<(?P<inner>.*)>$", re.DOTALL)


def domain_types(items: Items) -> Iterator[DomainType]:
    """Find the structs that derive `Serialize`."""
    for path in items.mentioning(SERIALIZED):
        source = items.sources[path]
        for found in matches(items.root(path), "rust", "domain"):
            struct = found["struct"]
            if any(DERIVES.search(string_of(each)) for each in attributes(struct)) and not in_test(struct):
                yield DomainType(
                    text_of(source, found["name"]), span_of(source, struct), tuple(_fields(source, found["body"]))
                )


def attributes(node: Node) -> list[Node]:
    """Give the attributes that stand before an item or a field."""
    found = []
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        if before.type == "attribute_item":
            found.append(before)
        before = before.prev_named_sibling
    return found


def _fields(source: Source, body: Node) -> Iterator[Field]:
    for part in body.named_children:
        name, kind = child(part, "name"), child(part, "type")
        if part.type == "field_declaration" and name is not None and kind is not None:
            bounded = any(BOUNDED.search(string_of(each)) for each in attributes(part))
            yield Field(text_of(source, name), _shown(string_of(kind)), span_of(source, part), bounded)


def _shown(kind: str) -> str:
    found = OPTION.match(kind)
    return found["inner"].strip() if found else kind
