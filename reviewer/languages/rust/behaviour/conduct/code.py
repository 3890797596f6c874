"""A piece of code as the kinds of its parts, with what stands in its macros read as code too."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from reviewer.budget import current
from reviewer.languages.nodes import TOGETHER, child, of_kinds, parent_of, string_of, text_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.behaviour.written import expanded
from reviewer.languages.rust.callees import last_segment
from reviewer.languages.rust.items import Items
from reviewer.source import Text

KINDS = (
    "call_expression",
    "macro_invocation",
    "index_expression",
    "let_declaration",
    "let_condition",
    "if_expression",
    "match_expression",
    "while_expression",
    "loop_expression",
    "for_expression",
    "await_expression",
    "assignment_expression",
    "return_expression",
    "try_expression",
    "match_arm",
    "closure_expression",
    "async_block",
    "function_item",
    "identifier",
)
SELECTING = frozenset({"select", "select_biased"})
CODE = frozenset(b"([")
"""What a macro's tokens hold if they call or index anything."""

TOPS = frozenset({"source_file", "ERROR"})


class Code:
    """A function's body, an arm or a closure, without the functions that are declared in it."""

    def __init__(self, items: Items, path: str, node: Node) -> None:
        self.items = items
        self.path = path
        self.node = node

    @cached_property
    def _parts(self) -> dict[str, list[Node]]:
        found: defaultdict[str, list[Node]] = defaultdict(list)
        inner: list[Node] = []
        for each in of_kinds(self.node, "rust", *KINDS):
            if each.type == "function_item" and each != self.node:
                inner.append(each)
            elif not any(one.start_byte <= each.start_byte < one.end_byte for one in inner):
                found[each.type].append(each)
        for macro in tuple(found["macro_invocation"]):
            for each in self._written(macro):
                if each.type in KINDS:
                    found[each.type].append(each)
        return {kind: sorted(each, key=lambda node: (node.start_byte, -node.end_byte)) for kind, each in found.items()}

    def _written(self, macro: Node) -> Iterator[Node]:
        """Give the nodes that the tokens of a macro read as."""
        tree = next((part for part in macro.named_children if part.type == "token_tree"), None)
        if tree is None or CODE.isdisjoint((tree.text or b"")[1:-1]):
            return
        if last_segment(child(macro, "macro") or macro) in SELECTING:
            for part in self._selected(tree):
                yield from (each for each, _ in expanded(self.items, self.path, part))
            return
        yield from (each for each, anchor in expanded(self.items, self.path, macro) if anchor is not None)

    def _selected(self, tree: Node) -> Iterator[Node]:
        """Read `pattern = future => { .. }`: the futures and what follows them."""
        source, part = self.items.sources[self.path], list[Node]()
        for token in [*tokens.inner(tree), None]:
            if token is not None and token.type not in (",", "=>", "="):
                part.append(token)
                if token.type != "token_tree" or not string_of(token).startswith("{") or len(part) > 1:
                    continue
            if part:
                block = len(part) == 1 and string_of(part[0]).startswith("{")
                read = tokens.statements(source, part[0]) if block else tokens.expression(source, part)
                part = []
                if read is not None:
                    yield read

    def of(self, *kinds: str) -> list[Node]:
        """Give the parts of some kinds, in the order of the source."""
        found = [each for kind in kinds for each in self._parts.get(kind, ())]
        return found if len(kinds) == 1 else sorted(found, key=lambda each: (each.start_byte, -each.end_byte))

    def text(self, node: Node) -> Text:
        """Give the source of a part."""
        return text_of(self.items.sources[self.path], node)

    def above(self, node: Node) -> Node | None:
        """Give what a part stands in, out of a macro too; None at the top of the code."""
        if node.start_byte <= self.node.start_byte and node.end_byte >= self.node.end_byte:
            return None
        above = parent_of(node)
        if above is None or above.type in TOPS or (above.type == "expression_statement" and _is_top(parent_of(above))):
            return self._macro_around(node)
        return above

    def around(self, node: Node) -> Iterator[Node]:
        """Give all that a part stands in, innermost first."""
        steps, above = 0, self.above(node)
        while above is not None:
            yield above
            steps += 1
            if steps % TOGETHER == 0:
                current().spend("visits", TOGETHER)
            above = self.above(above)

    @cached_property
    def _starts(self) -> list[int]:
        return [each.start_byte for each in self._parts.get("macro_invocation", ())]

    def _macro_around(self, node: Node) -> Node | None:
        macros = self._parts.get("macro_invocation", [])
        for at in range(bisect_right(self._starts, node.start_byte) - 1, -1, -1):
            each = macros[at]
            if each.end_byte >= node.end_byte and (each.end_byte - each.start_byte) > (node.end_byte - node.start_byte):
                return each
        return None


def _is_top(node: Node | None) -> bool:
    return node is None or node.type in TOPS
