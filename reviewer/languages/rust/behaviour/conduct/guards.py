"""Locks that are held over an await, where the compiler does not refuse it: in futures that need not be `Send`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.reach import Stretch, is_local
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.items import Items

LOCKING = frozenset({"lock", "read", "write", "lock_arc", "read_arc", "write_arc", "upgradable_read"})
OPENING = frozenset({"unwrap", "expect", "unwrap_or_else", "map_err", "ok", "unwrap_or_default"})
LOCAL = frozenset({"spawn_local", "block_on", "run_until", "spawn_local_on"})
KEEPS_GUARDS = re.compile(r"parking_lot[\w-]*\s*=\s*\{[^}]*send_guard|parking_lot\][^\[]*send_guard")
OWN = frozenset({"closure_expression", "async_block", "function_item"})


def guards(stretch: Stretch) -> Iterator[Act]:
    """Find the locks that are alive at an await; `about` is where the lock is taken."""
    waits = stretch.code.of("await_expression")
    for call in stretch.calls if waits else ():
        if called(call) not in LOCKING or receiver(call) is None or arguments_of(call):
            continue
        flavour = _flavour(stretch, call)
        if flavour is None or not _may_be_kept(stretch, call, flavour):
            continue
        for wait in _alive_at(stretch, call, waits):
            yield Act("holds guard", stretch.code.text(wait), about=stretch.code.text(call))
            break


def _flavour(stretch: Stretch, call: Node) -> str | None:
    """Tell whose lock a call takes: the standard library's, whose result is looked into, or parking_lot's, which has none."""
    above = stretch.code.above(call)
    if above is None or above.type == "await_expression":
        return None
    of = stretch.types.of(receiver(call) or call)
    field = of is not None and re.search(r"tokio|async_lock|futures", of.text) is not None
    uses = stretch.items.uses(stretch.code.path)
    brought = "::".join(part for name in ("Mutex", "RwLock", "ReentrantMutex") for part in uses.names.get(name, ()))
    if field or "tokio" in brought:
        return None
    opened = above.type == "field_expression" and string_of(child(above, "field") or above) in OPENING
    if opened or above.type == "try_expression":
        return "std" if called(call) == "lock" or "std" in brought or (of is not None and "std" in of.text) else None
    return "parking_lot" if "parking_lot" in brought or (of is not None and "parking_lot" in of.text) else None


def _may_be_kept(stretch: Stretch, call: Node, flavour: str) -> bool:
    """Tell whether the compiler lets the guard live over an await."""
    if flavour == "parking_lot" and any(
        KEEPS_GUARDS.search(each) for each in _manifests(stretch.items, stretch.code.path)
    ):
        return True
    for each in stretch.code.around(call):
        if each.type == "call_expression" and called(each) in LOCAL:
            return True
        if each.type == "call_expression" and called(each) == "spawn":
            return False
    return stretch.local or is_local(stretch.function)


def _manifests(items: Items, path: str) -> Iterator[str]:
    parts = path.split("/")[:-1]
    for end in range(len(parts), -1, -1):
        found = items.manifests.get("/".join((*parts[:end], "Cargo.toml")))
        if found is not None:
            try:
                yield found.read_text("utf-8", "replace")
            except OSError:
                continue


def _alive_at(stretch: Stretch, call: Node, waits: list[Node]) -> Iterator[Node]:
    """Give the awaits over which the guard of a lock lives: that of a `let`, or that of a head of `if let`, `match`, `while`."""
    whole = _opened(stretch, call)
    above = stretch.code.above(whole)
    if above is not None and above.type == "let_declaration":
        name = string_of(child(above, "pattern") or above).removeprefix("mut ")
        block = stretch.code.above(above)
        if block is not None and name != "_":
            end = _dropped(block, name, above.end_byte)
            yield from (
                each for each in waits if above.end_byte <= each.start_byte < end and _same_frame(stretch, each, block)
            )
        return
    for each in stretch.code.around(call):
        if each.type in OWN or each.type in ("block", "expression_statement", "let_declaration"):
            return
        head = child(each, "condition") if each.type == "if_expression" else child(each, "value")
        if each.type in ("if_expression", "match_expression", "for_expression", "while_expression"):
            if each.type == "if_expression" and (head is None or "let_" not in head.type):
                return
            if each.type == "while_expression" and "let_" not in (child(each, "condition") or each).type:
                return
            yield from (
                wait
                for wait in waits
                if call.end_byte < wait.start_byte < each.end_byte and _same_frame(stretch, wait, each)
            )
            return


def _opened(stretch: Stretch, call: Node) -> Node:
    """Give a lock with what only looks into its result: `.unwrap()`, `?`."""
    node = call
    while True:
        above = stretch.code.above(node)
        if above is None:
            return node
        if above.type == "try_expression":
            node = above
        elif above.type == "field_expression" and string_of(child(above, "field") or above) in OPENING:
            outer = stretch.code.above(above)
            if outer is None:
                return node
            node = outer
        else:
            return node


def _dropped(block: Node, name: str, since: int) -> int:
    """Give the byte where a guard is let go: at `drop(guard)` in its own block, or at the block's end."""
    for each in block.named_children:
        if each.start_byte >= since and re.match(
            rf"(?:std::mem::|mem::)?drop\s*\(\s*{re.escape(name)}\s*\)", string_of(each)
        ):
            return each.start_byte
    return block.end_byte


def _same_frame(stretch: Stretch, node: Node, block: Node) -> bool:
    """Tell whether an await is one of the code around a block itself, not of a closure or a task within it."""
    for each in stretch.code.around(node):
        if each.start_byte <= block.start_byte and each.end_byte >= block.end_byte:
            return True
        if each.type in OWN:
            return False
    return True
