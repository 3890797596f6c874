"""What goes from thread to thread: which futures need not, and which guards of locks may."""

from tree_sitter import Node

from reviewer.code.ir import Site
from reviewer.files.storage import text_of
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.project.items import RustItems, attributes_before
from reviewer.text.patterns import pattern

NOT_SEND = pattern(r"async_trait[^\]]*\(\s*\?\s*Send\s*\)")
KEEPS_GUARDS = pattern(r"parking_lot[\w-]*\s*=\s*\{[^}]*send_guard|parking_lot\][^\[]*send_guard")
"""The feature with which parking_lot's guards may be sent."""


def is_local(items: RustItems, path: str, at: Site) -> bool:
    """Return whether the future of a function need not be sent: by its attribute, its block's, or what it gives."""
    current: Node | None = items.root(path).descendant_for_byte_range(at.start, at.end)
    given = child(current, "return_type")
    text = string_of(given) if given is not None else ""
    if "LocalBoxFuture" in text or ("dyn Future" in text and "Send" not in text):
        return True
    while current is not None:
        if any(NOT_SEND.search(string_of(each)) for each in attributes_before(current)):
            return True
        current = parent_of(current)
    return False


def sends_guards(items: RustItems, path: str) -> bool:
    """Return whether a manifest around a file has parking_lot's guards be sent."""
    parts = path.split("/")[:-1]
    manifests = (items.manifests.get("/".join((*parts[:end], "Cargo.toml"))) for end in range(len(parts), -1, -1))
    return any(each is not None and KEEPS_GUARDS.search(text_of(each)) is not None for each in manifests)
