"""Where handlers shorten a text or an answer for its size, though a guard of the project does that for all of them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Dispatch, Guard, Handler, Server
from reviewer.languages.cuts import ORDER, SHORTEST, SMALLEST, put_in
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.cutting import Cut, cut_at
from reviewer.languages.python.behaviour.following import (
    assigned,
    below,
    bound,
    called,
    callee,
    enclosing,
    number,
    scope,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Span, Text

LARGE = frozenset(
    "text body content string json html markdown raw payload log logs output stdout stderr diff patch snippet "
    "transcript serialized rendered preview message summary description excerpt report notes readme dump".split()
)
MADE = re.compile(r"dumps\(|\.read_text\(|\.text\b|\.decode\(|model_dump_json\(|\bstr\(|\.join\(|^f?[\"']|\.strip\(")
SERIALIZED = re.compile(r"dumps\(|model_dump_json\(|\bstr\(|\.encode\(")


def with_cuts(
    run: Evaluator,
    choices: tuple[Dispatch, ...],
    servers: tuple[Server, ...],
    handlers: tuple[Handler, ...],
    bounds: tuple[Guard, ...],
) -> tuple[tuple[Dispatch, ...], tuple[Server, ...], tuple[Handler, ...]]:
    """Give dispatches, servers and other handlers with what they cut; nothing is looked for where there is no guard."""
    if not bounds:
        return choices, servers, handlers
    return put_in(_Cuts(run, bounds), choices, servers, handlers)


class _Cuts:
    """Reads the handlers of a project that has a guard."""

    def __init__(self, run: Evaluator, bounds: tuple[Guard, ...]) -> None:
        self.run = run
        self.guards = {str(guard.name) for guard in bounds}
        inside = [node for guard in bounds if (node := self._node(guard.span)) is not None]
        self.central = self.guards | {called(each) for node in inside for each in below(node) if each.type == "call"}

    def handler(self, handler: Handler) -> Handler:
        """Give a handler with its cuts."""
        module, node = self.run.modules.by_path.get(handler.span.path), self._node(handler.span)
        if module is None or node is None or str(handler.name) in self.guards:
            return handler
        body = child(node, "consequence") or node
        return replace(handler, cuts=tuple(dict.fromkeys(self._cuts(module, body, {}))))

    def _node(self, span: Span) -> Node | None:
        """Find the node of a place."""
        module = self.run.modules.by_path.get(span.path)
        return None if module is None else module.root.descendant_for_byte_range(*module.source.reach(span))

    def _cuts(self, module: Module, root: Node, names: Mapping[str, int], depth: int = 0) -> Iterator[Text]:
        for node in below(root):
            cut = cut_at(self.run, module, node, names)
            if cut is not None and cut.length is not None and cut.length >= SHORTEST and _is_text(cut):
                yield Text(string_of(node), module.span(node))
            elif node.type in ("if_statement", "conditional_expression") and self._bounds_size(module, node):
                test = child(node, "condition") or node
                yield Text(string_of(test), module.span(test))
            elif node.type == "call" and depth < 2 and called(node) not in self.central:
                yield from self._of_callee(module, node, depth)

    def _of_callee(self, module: Module, call: Node, depth: int) -> Iterator[Text]:
        """Give a call of a project's function that itself cuts; one that builds truncation envelopes is not this rule's."""
        within = scope(self.run, module)
        place = callee(self.run, call, within)
        body = child(place.node, "body") if place is not None else None
        if place is None or body is None or b"_truncated" in (place.node.text or b""):
            return
        names = bound(self.run, call, place, within)
        if depth == 0 and any(called(each) in self.guards for each in below(body) if each.type == "call"):
            yield from self._cuts(place.module, body, names, 1)  # the handler itself, under a name of its own
        elif any(True for _ in self._cuts(place.module, body, names, 2)):
            yield Text(string_of(call), module.span(call))

    def _bounds_size(self, module: Module, node: Node) -> bool:
        """Tell whether a branch compares the size of a serialized answer and does something else than refuse."""
        test, body = child(node, "condition"), child(node, "consequence")
        parts = children(test) if test is not None and test.type == "comparison_operator" else []
        if test is None or len(parts) != 2 or not any(string_of(part) in ORDER for part in test.children):
            return False
        limits = [value for part in parts if (value := number(self.run, part, scope(self.run, module))) is not None]
        if len(limits) != 1 or limits[0] < SMALLEST or _only_refuses(body):
            return False
        return any(_is_size(part) for part in parts)


def _is_size(node: Node) -> bool:
    """Tell whether an expression is the length of something serialized, also by a name."""
    size = assigned(string_of(node), node) if node.type == "identifier" else node
    if size is None or called(size) != "len":
        return False
    inner = string_of(size)[4:-1]
    given = assigned(inner, size) if inner.isidentifier() else None
    return SERIALIZED.search(string_of(given) if given is not None else inner) is not None


def _only_refuses(body: Node | None) -> bool:
    return body is not None and any(part.type == "raise_statement" for part in children(body))


def _is_text(cut: Cut) -> bool:
    """Tell whether what is cut is surely a text: by how it is made, declared or named."""
    base = cut.base
    if cut.certain:
        return True
    if base is None:
        return False
    written = string_of(base)
    given = assigned(written, base) if base.type == "identifier" else None
    if MADE.search(written) or (given is not None and MADE.search(string_of(given))):
        return True
    if base.type == "identifier" and _declared(written, base):
        return True
    last = re.findall(r"[A-Za-z]+", written)
    plain = base.type in ("identifier", "attribute", "subscript")
    return (
        plain and bool(last) and last[-1].lower() in LARGE and not (given is not None and given.type.startswith("list"))
    )


def _declared(name: str, node: Node) -> bool:
    """Tell whether a parameter or a variable is declared as a text."""
    unit = enclosing(node)
    word = re.escape(name)
    told = rf"\b{word}\s*:\s*(?:str|bytes)\b|isinstance\(\s*{word}\s*,\s*(?:str|bytes)\b"
    return unit is not None and re.search(told, string_of(unit)) is not None
