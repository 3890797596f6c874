"""Which types a guard of lists has for what it left out: by their fields, which are what a client is told."""

from collections.abc import Iterator

from reviewer.behaviour.answer_size.overflows import TOLD
from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.project.items import RustItems, is_in_test
from reviewer.source import Text
from reviewer.text.patterns import pattern

FEWEST = 3
"""How many of the four fields that the text on the Tool trait names such a type needs.

Two of them, a total and the next offset, are in every API with pages; if all four were needed, a guard that lacks one
would not be recognised, and so not be reported.
"""

NAMED = pattern(rb"\b(?:shown|hint|next_offset)\s*:")
"""What a file holds that declares such a type: of any three fields one is among these."""


def iter_remainders(items: RustItems) -> Iterator[Text]:
    """Yield the names of these types."""
    for path in items.find_matching(NAMED):
        for struct in items.find_nodes_near(path, NAMED, "struct_item"):
            parts = (part for part in list_field_children(struct, "body") if part.type == "field_declaration")
            fields = {decode_node(find_child(part, "name") or part) for part in parts}
            name = find_child(struct, "name")
            if name is not None and len(fields.intersection(TOLD)) >= FEWEST and not is_in_test(struct):
                yield items.locate_text(path, name)
