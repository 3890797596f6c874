"""What a name means: Python's scopes.

A function's names are those that are bound anywhere in it. A class or a module binds them one after the other: before, and
in what is written inside of it, a name is one of the scopes around. A comprehension binds what it loops over, no more.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from tree_sitter import Node

from reviewer.budget import ExhaustedError
from reviewer.code import ir
from reviewer.languages.nodes import find_descendants

ScopeKind = Literal["module", "class", "function", "comprehension"]


class LoweredScope:
    """One scope: the names that it binds, and the scope around it. `level` counts the scopes around."""

    __slots__ = ("_found", "around", "declared", "kind", "level", "variables")

    def __init__(self, kind: ScopeKind, around: "LoweredScope | None") -> None:
        self.kind = kind
        self.around = around
        self.level: int = 0 if around is None else around.level + 1
        self.variables: dict[str, ir.Variable] = {}
        self.declared: dict[str, ir.Variable | None] = {}
        """What `global` and `nonlocal` say of names; None is a global."""
        self._found: dict[str, ir.Variable | None] = {}

    def find(self, name: str) -> ir.Variable | None:
        """Return the variable that a name reads; None is a global."""
        found = self.variables.get(name)
        if found is None:
            if name in self.declared:
                return self.declared[name]
            if name not in self._found:
                self._found[name] = self._lower_around(name)
            found = self._found[name]
        return found

    def _lower_around(self, name: str) -> ir.Variable | None:
        is_own = self.kind == "comprehension"  # a comprehension stands in the code around
        scope = self.around
        while scope is not None:
            if scope.kind in ("function", "comprehension") or (is_own and scope.kind == "module"):
                if name in scope.variables:
                    return scope.variables[name]
                if name in scope.declared:
                    return scope.declared[name]
            is_own = is_own and scope.kind == "comprehension"
            scope = scope.around
        return None

    def bind(self, name: str) -> ir.Variable | None:
        """Return the variable that a name is bound to; None is a global."""
        found = self.variables.get(name)
        if found is None:
            if name in self.declared:
                return self.declared[name]
            found = self.variables[name] = ir.Variable(name)
        return found

    def declare(self, name: str, *, is_global: bool) -> None:
        """Let a name be one of the scopes around."""
        if self.kind != "module" and name not in self.variables:
            self.declared[name] = None if is_global else self._lower_around(name)

    def find_binder(self) -> "LoweredScope":
        """Return the scope that `:=` binds in: the nearest that is no comprehension."""
        scope = self
        while scope.kind == "comprehension" and scope.around is not None:
            scope = scope.around
        return scope


def build_function_scope(
    around: LoweredScope | None, parameters: Iterable[ir.Variable], body: Node, data: bytes
) -> LoweredScope:
    """Return the scope of a function: what its parameters and what the statements of its body bind."""
    scope = LoweredScope("function", around)
    scope.variables = {each.name: each for each in parameters if each.name}
    text, bound = _Bindings(data), scope.variables
    names = list(text.iter_names(body))
    for name, is_global in text.declared:
        scope.declare(name, is_global=is_global)
    for name in names:
        if name not in bound and name not in scope.declared:
            bound[name] = ir.Variable(name)
    return scope


def iter_captures(case: Node, data: bytes) -> Iterator[str]:
    """Yield the names that the patterns of a case bind."""
    pending = [each for each in case.children if each.type == "case_pattern"]
    while pending:
        each = pending.pop()
        kind = each.type
        if kind == "identifier" or (kind == "dotted_name" and each.child_count == 1):
            start, end = each.byte_range
            yield data[start:end].decode("utf-8", "replace")
        elif kind != "dotted_name":
            pending += each.named_children[kind in ("class_pattern", "keyword_pattern") :]


class _Bindings:
    """Finds the names that the statements of a function bind, without those of the functions and classes in it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.declared: list[tuple[str, bool]] = []
        """The names of `global` and `nonlocal` statements, and whether it is the former."""

    def iter_names(self, body: Node) -> Iterator[str]:
        """Yield the names that a body binds."""
        pending = [body]
        while pending:
            node = pending.pop()
            kind = node.type
            if kind == "expression_statement":
                yield from self._iter_expression(node)
            elif kind in _BODIES:
                pending += node.children
            elif kind in _BINDERS:
                yield from _BINDERS[kind](self, node)
                if kind in _WITH_BODIES:
                    pending += node.children
        start, end = body.byte_range
        if self.data.find(b":=", start, end) >= 0:
            yield from self._iter_walruses(body)

    def _get_text(self, node: Node) -> str:
        start, end = node.byte_range
        return self.data[start:end].decode("utf-8", "replace")

    def _iter_expression(self, node: Node) -> Iterator[str]:
        found: Node | None = node.children[0] if node.children else None
        while found is not None and found.type in ("assignment", "augmented_assignment"):
            yield from self._iter_targets(found.children[0])
            found = found.children[-1]

    def _iter_targets(self, node: Node) -> Iterator[str]:
        pending = [node]
        while pending:
            each = pending.pop()
            kind = each.type
            if kind == "identifier":
                yield self._get_text(each)
            elif kind in TARGETS:
                pending += each.children

    def _iter_target(self, node: Node) -> Iterator[str]:
        left = node.child_by_field_name("left")
        if left is not None:
            yield from self._iter_targets(left)

    def _iter_name(self, node: Node) -> Iterator[str]:
        name = node.child_by_field_name("name")
        if name is not None:
            yield self._get_text(name)

    def _iter_decorated_name(self, node: Node) -> Iterator[str]:
        definition = node.child_by_field_name("definition")
        if definition is not None:
            yield from self._iter_name(definition)

    def _iter_alias(self, node: Node) -> Iterator[str]:
        alias = node.child_by_field_name("alias")
        if alias is not None:
            yield from self._iter_targets(alias)

    def _import(self, node: Node) -> Iterator[str]:
        for name in node.children_by_field_name("name"):
            alias = name.child_by_field_name("alias")
            yield self._get_text(alias if alias is not None else name).partition(".")[0]

    def _iter_deleted_names(self, node: Node) -> Iterator[str]:
        for each in node.children[1:]:
            yield from self._iter_targets(each)

    def _iter_declaration(self, node: Node) -> Iterator[str]:
        is_global = node.type == "global_statement"
        self.declared += [
            (self._get_text(each), is_global) for each in node.named_children if each.type == "identifier"
        ]
        yield from ()

    def _iter_captures(self, node: Node) -> Iterator[str]:
        return iter_captures(node, self.data)

    def _iter_walruses(self, body: Node) -> Iterator[str]:
        try:
            found = find_descendants(
                body, "python", "named_expression", "function_definition", "lambda", "class_definition"
            )
        except ExhaustedError:  # nothing is going to be lowered
            return
        inside = 0
        for each in found:
            if each.start_byte < inside:
                continue
            if each.type == "named_expression":
                yield from self._iter_name(each)
            else:
                inside = each.end_byte


TARGETS = frozenset(
    {
        "ERROR", "as_pattern_target", "expression_list", "list", "list_pattern", "list_splat", "list_splat_pattern",
        "parenthesized_expression", "pattern_list", "tuple", "tuple_pattern",
    }
)  # fmt: skip
"""What holds targets of an assignment."""
_BODIES = frozenset(
    {
        "ERROR", "block", "elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause",
        "if_statement", "match_statement", "parenthesized_expression", "try_statement", "tuple", "while_statement",
        "with_clause", "with_item", "with_statement",
    }
)  # fmt: skip
_BINDERS: dict[str, Callable[[_Bindings, Node], Iterator[str]]] = {
    "as_pattern": _Bindings._iter_alias,
    "case_clause": _Bindings._iter_captures,
    "class_definition": _Bindings._iter_name,
    "decorated_definition": _Bindings._iter_decorated_name,
    "delete_statement": _Bindings._iter_deleted_names,
    "for_statement": _Bindings._iter_target,
    "function_definition": _Bindings._iter_name,
    "future_import_statement": _Bindings._import,
    "global_statement": _Bindings._iter_declaration,
    "import_from_statement": _Bindings._import,
    "import_statement": _Bindings._import,
    "nonlocal_statement": _Bindings._iter_declaration,
}
# Both bind names by themselves and hold statements that bind more.
_WITH_BODIES = frozenset({"case_clause", "for_statement"})
