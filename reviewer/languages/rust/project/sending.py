"""What may be sent between threads: futures that need not be `Send`, and lock guards that are."""

from tree_sitter import Node

from reviewer.code.ir import Site
from reviewer.files.storage import read_manifest
from reviewer.languages.nodes import decode_node, find_child, find_parent
from reviewer.languages.rust.project.items import RustItems, iter_attributes_before
from reviewer.text.patterns import pattern

# `#[async_trait(?Send)]`: the future stays on its thread.
NOT_SEND = pattern(r"async_trait[^\]]*\(\s*\?\s*Send\s*\)")
KEEPS_GUARDS = pattern(r"parking_lot[\w-]*\s*=\s*\{[^}]*send_guard|parking_lot\][^\[]*send_guard")
"""The feature of parking_lot that makes its guards `Send`, in either form of a dependency in a manifest."""


def is_local(items: RustItems, path: str, at: Site) -> bool:
    """Return whether a function's future need not be `Send`, by its attribute, its block's, or its return type."""
    current: Node | None = items.parse_root(path).descendant_for_byte_range(at.start, at.end)
    given = find_child(current, "return_type")
    text = decode_node(given) if given is not None else ""
    if "LocalBoxFuture" in text or ("dyn Future" in text and "Send" not in text):
        return True
    while current is not None:
        if any(NOT_SEND.search(decode_node(each)) for each in iter_attributes_before(current)):
            return True
        current = find_parent(current)
    return False


def sends_guards(items: RustItems, path: str) -> bool:
    """Return whether a manifest in a folder above a file enables parking_lot's feature `send_guard`."""
    parts = path.split("/")[:-1]
    manifests = (items.manifests.get("/".join((*parts[:end], "Cargo.toml"))) for end in range(len(parts), -1, -1))
    return any(each is not None and KEEPS_GUARDS.search(read_manifest(each)) is not None for each in manifests)
