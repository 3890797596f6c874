"""The code that an input is followed through, with what its names stand for there."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Optional

from tree_sitter import Node

from reviewer.budget import current
from reviewer.languages.nodes import child, children, of_kinds, parent_of, parents, string_of
from reviewer.languages.python.behaviour.following import arguments, below, scope
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import SignatureParameter, signature
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Function, Scope
from reviewer.source import Text

DEEPEST = 3
"""How many calls into the project are followed with an input in hand."""

Keys = tuple[Text, ...]


class Code:
    """A block, of which `keep` may leave nodes out; looked through for one name after another."""

    def __init__(self, body: Node, keep: Callable[[Node], bool] = lambda _: True) -> None:
        self._body, self._keep = body, keep

    @cached_property
    def nodes(self) -> list[Node]:
        """All of it."""
        return [each for each in below(self._body) if self._keep(each)]

    def of(self, kind: str) -> list[Node]:
        """Give its nodes of a kind."""
        return [each for each in of_kinds(self._body, "python", kind) if self._keep(each)]

    @cached_property
    def names(self) -> dict[str, list[Node]]:
        """Its identifiers, by name."""
        found: dict[str, list[Node]] = {}
        for each in self.of("identifier"):
            found.setdefault(string_of(each), []).append(each)
        return found

    def uses(self, name: str, since: int = 0) -> list[Node]:
        """Give where a name stands as a value, from a byte on."""
        nodes, starts = self._values(name)
        found = nodes[bisect_left(starts, since) :]
        current().spend("visits", len(found))
        return found

    def _values(self, name: str) -> tuple[list[Node], list[int]]:
        """Return where a name stands as a value, and the first bytes of these places."""
        if name not in self._by_name:
            nodes = [each for each in self.names.get(name, ()) if self.is_value(each)]
            self._by_name[name] = nodes, [each.start_byte for each in nodes]
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, tuple[list[Node], list[int]]]:
        return {}

    @cached_property
    def _parents(self) -> dict[int, Node]:
        return parents(self._body)

    def is_value(self, name: Node) -> bool:
        """Return whether an identifier in it is a value, and not an attribute, a keyword, or what is assigned to."""
        above = self._parents.get(name.id)
        return above is not None and _holds_value(above, name)

    @cached_property
    def replaced(self) -> dict[str, list[Node]]:
        """The `if` statements that only give a name another value, by that name."""
        found: dict[str, list[Node]] = {}
        for each in self.of("if_statement"):
            block = child(each, "consequence")
            parts = children(block) if block is not None else []
            only = children(parts[0])[0] if len(parts) == 1 and parts[0].type == "expression_statement" else None
            if only is not None and only.type == "assignment":
                found.setdefault(string_of(child(only, "left") or only), []).append(each)
        return found


@lru_cache(maxsize=1024)
def _code(body: Node) -> Code:
    return Code(body)


class Frame:
    """One function, or a branch of it, on the way of an input.

    `objects` name the input there, `keys` the parameters that stand for keys; `call` is where the function `above` calls this.
    """

    def __init__(
        self,
        run: Evaluator,
        module: Module,
        body: Node,
        objects: frozenset[str] = frozenset(),
        keys: Mapping[str, Keys] | None = None,
        call: Node | None = None,
        above: Optional["Frame"] = None,
    ) -> None:
        self.run, self.module, self.body = run, module, body
        self.objects, self.keys, self.call, self.above = objects, keys or {}, call, above
        self.depth: int = 0 if above is None else above.depth + 1

    @cached_property
    def within(self) -> Scope:
        """The names that hold in it."""
        return scope(self.run, self.module)

    @cached_property
    def code(self) -> Code:
        """Its code."""
        return _code(self.body)

    @cached_property
    def function(self) -> Node | None:
        """The function that it is, or lies in."""
        above: Node | None = self.body
        while above is not None and above.type != "function_definition":
            above = parent_of(above)
        return above

    def runs(self, body: Node) -> bool:
        """Tell whether some code is on the way here already."""
        return self.body.id == body.id or (self.above is not None and self.above.runs(body))

    def text(self, node: Node) -> Text:
        """Give a node's source with its place."""
        return Text(string_of(node), self.module.span(node))


def parameters(run: Evaluator, node: Node, module: Module) -> list[SignatureParameter]:
    """Read the parameters of a function without the object that a method is called on."""
    found = signature(Function("", node, scope(run, module)))
    return [each for each in found if each.name not in ("self", "cls")]


def handed(run: Evaluator, node: Node, module: Module, call: Node) -> dict[str, Node]:
    """Pair the parameters of a function with what a call hands them."""
    positional, keywords = arguments(call)
    plain = [each for each in positional if each.type not in ("list_splat", "dictionary_splat")]
    named = [each.name for each in parameters(run, node, module) if each.kind in ("normal", "positional-only")]
    return {**dict(zip(named, plain, strict=False)), **keywords}


def _holds_value(above: Node, name: Node) -> bool:
    """Return whether an identifier right below a node is a value there."""
    if above.type == "attribute":
        return child(above, "object") == name
    if above.type == "keyword_argument":
        return child(above, "value") == name
    if above.type in ("assignment", "named_expression", "for_statement", "for_in_clause"):
        return child(above, "left") != name and child(above, "name") != name
    return above.type not in (
        "parameters",
        "default_parameter",
        "typed_parameter",
        "typed_default_parameter",
        "as_pattern_target",
    )


def inner_of(node: Node) -> Node | None:
    """Give the expression that another only stands around."""
    return next(iter(children(node)), None)
