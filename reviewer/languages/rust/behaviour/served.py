"""Which of the routers that rmcp makes are reached from what a server answers with."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, find_parent, list_field_children
from reviewer.languages.rust.behaviour.blocks import DEFAULT, ImplBlock, find_handler_blocks, find_router_blocks
from reviewer.languages.rust.project.def_use import find_impl_type
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test, memoize
from reviewer.languages.rust.syntax import attributes
from reviewer.languages.rust.syntax.tokens import COMMENTS
from reviewer.text.patterns import pattern

# These put names together of parts. A router may then be called by a name that stands nowhere, so none is taken for
# unserved.
PASTED = pattern(rb"\bpaste!|\bconcat_idents!")
# With the type before the name, if it is written: several types have a function `tool_router`.
CALLED = pattern(r"(?:\b(\w+)\s*::\s*)?\b(\w+)\s*\(")
DEPTH = 4
"""Functions that are followed from a handler's expression to its routers, which may call each other."""


@memoize
def find_unserved_blocks(items: RustItems) -> tuple[ImplBlock, ...]:
    """Find the impl blocks whose router nothing serves: neither the handler of their type nor any other code asks for it."""
    return tuple(_iter_unserved_blocks(items))


def _iter_unserved_blocks(items: RustItems) -> Iterator[ImplBlock]:
    blocks = [each for each in find_router_blocks(items) if each.maker is not None]
    if not blocks or items.find_matching(PASTED):
        return
    handlers = list(find_handler_blocks(items))
    for block in blocks:
        if _serves_itself(block):
            continue
        reached = _find_reached_functions(items, block, handlers)
        if reached is not None and block.maker in reached:
            continue
        if block.maker == DEFAULT and reached is None:
            continue
        if not any(_is_live(items, block, path, place, reached) for path, place in _iter_mentions(items, block)):
            yield block


def _serves_itself(block: ImplBlock) -> bool:
    """Return whether `#[tool_router(server_handler)]` makes the handler too."""
    return block.mark.find_argument("server_handler") is not None


def _find_reached_functions(items: RustItems, block: ImplBlock, handlers: list[ImplBlock]) -> frozenset[str] | None:
    """Name the functions that the type's handlers go through, or None where an expression goes beyond functions."""
    folder = items.find_package_folder(block.path)
    own = [each for each in handlers if each.type == block.type and items.find_package_folder(each.path) == folder]
    found: set[str] = set()
    for each in own:
        text = _find_expression(items, each)
        if text is None or not _follow(items, each, text, found, 0):
            return None
    return frozenset(found) if own else None


def _find_expression(items: RustItems, handler: ImplBlock) -> str | None:
    """Return the router that a handler serves, as written or as its version of rmcp takes it; None if a field holds it."""
    given = handler.mark.find_argument("router")
    if given is not None and given.tokens:
        text = "".join(decode_node(token) for token in given.tokens)
    else:
        version = items.find_version(handler.path, "rmcp")
        text = f"Self::{DEFAULT}()" if version is not None and version >= (1, 4) else "self"
    return None if re.search(r"\bself\b", text) or _lists_by_hand(handler) else text


def _lists_by_hand(handler: ImplBlock) -> bool:
    return any(
        decode_node(find_child(part, "name") or part) in ("list_tools", "call_tool")
        for part in list_field_children(handler.node, "body")
        if part.type == "function_item"
    )


def _follow(items: RustItems, handler: ImplBlock, text: str, found: set[str], depth: int) -> bool:
    """Add the functions that an expression calls, and those they call; False if it calls nothing that is known."""
    called = [(owner, name) for owner, name in CALLED.findall(text) if name not in found]
    if not CALLED.search(text):
        return False
    for owner, name in called:
        found.add(name)
        names = (handler.type if owner in ("Self", "") else owner, name)
        function = items.resolve(names if owner else (name,), handler.path, "fn", near=handler.node)
        body = find_child(function.node, "body") if isinstance(function, RustItem) else None
        if body is not None and depth < DEPTH:
            _follow(items, handler, decode_node(body), found, depth + 1)
    return True


def _iter_mentions(items: RustItems, block: ImplBlock) -> Iterator[tuple[str, Node]]:
    """Find where code names the function that gives a block's router; tests and comments do not count."""
    name = (block.maker or "").encode()
    pattern = re.compile(rb"::\s*" + re.escape(name) + rb"\b")
    for path in items.find_matching(pattern):
        for found in pattern.finditer(items.sources[path].data):
            node = items.parse_root(path).descendant_for_byte_range(found.end() - len(name), found.end())
            if node is None or "comment" in node.type or "string" in node.type or is_in_test(node):
                continue
            if _may_be_of(node, block, path):
                yield path, node


def _may_be_of(node: Node, block: ImplBlock, path: str) -> bool:
    """Return whether a path may name a function of the block's type: only another type's name, or a path in `use`, rules it
    out."""
    before = node.prev_sibling
    qualifier = before.prev_sibling if before is not None else None
    owner = decode_node(qualifier).rpartition("::")[2].partition("<")[0] if qualifier is not None else ""
    if owner == "Self":
        return _find_owner(node) in (None, block.type)
    return owner == block.type or not owner[:1].isupper() or path != block.path


def _find_owner(node: Node) -> str | None:
    """Name the type that `Self` stands for, in the attributes over an impl block too."""
    over = find_nearest_of_kinds(node, "attribute_item")
    while over is not None and (over.type == "attribute_item" or over.type in COMMENTS):
        over = over.next_sibling
    return find_impl_type(over if over is not None else node)


def _is_live(items: RustItems, block: ImplBlock, path: str, place: Node, reached: frozenset[str] | None) -> bool:
    """Return whether a mention may lead to an answer; not if it fills a field that nothing reads, or stands in dead code."""
    around: Node | None = place.parent
    field = ""
    while around is not None and around.type not in ("function_item", "impl_item", "source_file"):
        if around.type == "field_initializer":
            field = decode_node(find_child(around, "field") or around)
        around = find_parent(around)
    if field and reached is not None and not _is_read(items, block, field):
        return False
    return around is None or around.type != "function_item" or not _is_dead(items, around)


def _is_read(items: RustItems, block: ImplBlock, field: str) -> bool:
    """Return whether the package reads a field of that name."""
    folder = items.find_package_folder(block.path)
    files = items.find_matching(re.compile(rb"\.\s*" + re.escape(field.encode()) + rb"\b"))
    return any(items.find_package_folder(path) == folder for path in files)


def _is_dead(items: RustItems, function: Node) -> bool:
    """Return whether a private function is named nowhere but where it is declared."""
    block = function.parent.parent if function.parent is not None else None
    if any(part.type == "visibility_modifier" for part in function.named_children):
        return False
    if find_child(block, "trait") is not None or list(attributes.read_before(function)):
        return False
    name = decode_node(find_child(function, "name") or function).encode()
    pattern = re.compile(rb"\b" + re.escape(name) + rb"\b")
    uses = sum(len(pattern.findall(items.sources[each].data)) for each in items.find_matching(pattern))
    return name != b"main" and uses == 1
