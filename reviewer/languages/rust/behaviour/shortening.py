"""Where handlers shorten a text or an answer for its size, though a guard of the project does that for all of them."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Dispatch, Guard, Handler, Server
from reviewer.languages.cuts import ORDER, SHORTEST, SMALLEST, put_in
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour import outcomes
from reviewer.languages.rust.behaviour.cutting import CUTTING, SERIALIZED, cut_at, declaration, is_text, number
from reviewer.languages.rust.behaviour.written import base_of, expanded
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, targets
from reviewer.languages.rust.folding import Place, bound
from reviewer.languages.rust.items import Item, Items
from reviewer.source import Span, Text


def with_cuts(
    items: Items,
    choices: tuple[Dispatch, ...],
    servers: tuple[Server, ...],
    handlers: tuple[Handler, ...],
    bounds: tuple[Guard, ...],
) -> tuple[tuple[Dispatch, ...], tuple[Server, ...], tuple[Handler, ...]]:
    """Give dispatches, servers and other handlers with what they cut; nothing is looked for where there is no guard."""
    if not bounds:
        return choices, servers, handlers
    return put_in(_Cuts(items, bounds), choices, servers, handlers)


class _Cuts:
    """Reads the handlers of a project that has a guard."""

    def __init__(self, items: Items, bounds: tuple[Guard, ...]) -> None:
        self.items = items
        self.guards = {str(guard.name) for guard in bounds}
        inside = [node for guard in bounds if (node := self._node(guard.span)) is not None]
        self.central = self.guards | {called(each) or "" for node in inside for each in below(node)}

    def handler(self, handler: Handler) -> Handler:
        """Give a handler with its cuts."""
        node = self._node(handler.span)
        if node is None or str(handler.name) in self.guards:
            return handler
        return replace(handler, cuts=tuple(dict.fromkeys(self._cuts(node, Place(handler.span.path, {})))))

    def _node(self, span: Span) -> Node | None:
        """Find the node of a place."""
        if span.path not in self.items.sources:
            return None
        return self.items.root(span.path).descendant_for_byte_range(*self.items.sources[span.path].reach(span))

    def _cuts(self, node: Node, place: Place, depth: int = 0) -> Iterator[Text]:
        for each, anchor in expanded(self.items, place.path, node):
            if each.type not in CUTTING and each.type != "if_expression":
                continue
            inside = replace(place, anchor=anchor or place.anchor)
            cut = cut_at(self.items, each, inside)
            if cut is not None and cut.length is not None and cut.length >= SHORTEST and is_text(cut, inside.anchor):
                yield self.items.text(place.path, each)
            elif each.type == "if_expression" and self._bounds_size(each, inside):
                yield self.items.text(place.path, child(each, "condition") or each)
            elif each.type == "call_expression" and depth < 2 and called(each) not in self.central:
                yield from self._of_callee(each, inside, depth)

    def _of_callee(self, call: Node, place: Place, depth: int) -> Iterator[Text]:
        """Give a call of a project's function that itself cuts; one that builds truncation envelopes is not this rule's."""
        for target in targets(self.items, call, place.path):
            body = child(target.node, "body")
            unfit = b"_truncated" in (target.node.text or b"") or target.name in self.central or _is_handler(target)
            if body is None or unfit:
                continue
            given = [number(self.items, part, place) for part in arguments_of(call)]
            names = {name: value for name, value in bound(target.node, given).items() if value is not None}
            inside = Place(target.path, names)
            if depth == 0 and any(called(each) in self.guards for each in below(body)):
                yield from self._cuts(body, inside, 1)  # the handler itself, under a name of its own
            elif any(True for _ in self._cuts(body, inside, 2)):
                yield self.items.text(place.path, call)
                return

    def _bounds_size(self, node: Node, place: Place) -> bool:
        """Tell whether a branch compares the size of a serialized answer and does something else than refuse."""
        condition, consequence = child(node, "condition"), child(node, "consequence")
        if condition is None or consequence is None or condition.type != "binary_expression":
            return False
        sides = [child(condition, "left"), child(condition, "right")]
        if string_of(child(condition, "operator") or condition) not in ORDER or None in sides:
            return False
        limits = [value for side in sides if (value := number(self.items, side, place)) is not None]
        if len(limits) != 1 or limits[0] < SMALLEST or _only_refuses(consequence):
            return False
        return any(side is not None and _is_size(side, place.anchor) for side in sides)


def _is_size(node: Node, anchor: Node | None) -> bool:
    """Tell whether an expression is the length of something serialized, also by a name."""
    text = string_of(node)
    if node.type == "identifier":
        text = declaration(text, node, anchor) or ""
    if ".len()" not in text:
        return False
    declared = declaration(base_of(node), node, anchor) if node.type != "identifier" else None
    return SERIALIZED.search(text) is not None or (declared is not None and SERIALIZED.search(declared) is not None)


def _only_refuses(block: Node) -> bool:
    """Tell whether a branch gives an error and nothing else."""
    exits = [value for each in below(block) if each.type == "return_expression" for value in each.named_children[:1]]
    ends = [end for value in (exits or [block]) for end in outcomes.tails(value)]
    return not ends and (bool(exits) or "Err(" in string_of(block) or "bail!" in string_of(block))


def _is_handler(target: Item) -> bool:
    return target.name in ("dispatch", "run", "run_with_client", "dispatch_with_client", "call_tool")
