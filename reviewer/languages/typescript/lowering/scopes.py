"""What a name means: the scopes of JavaScript.

A block's names are those that are declared in it, wherever: `let`, `const`, classes and functions. What `var` declares is the
function's. A name of the module is a variable where the module itself runs, and a global in the functions of it.
"""

from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from reviewer.code import ir

ScopeKind = Literal["module", "function", "block"]
FUNCTIONS = frozenset(
    {
        "arrow_function", "function_declaration", "function_expression", "generator_function",
        "generator_function_declaration", "method_definition", "class", "class_declaration", "abstract_class_declaration",
    }
)  # fmt: skip
"""What has names of its own that no code around sees."""
DECLARED = frozenset(
    {
        "class_declaration", "abstract_class_declaration", "function_declaration", "generator_function_declaration",
        "enum_declaration", "internal_module",
    }
)  # fmt: skip
"""Statements that declare the name that they have."""
_PATTERNS = frozenset({"identifier", "shorthand_property_identifier_pattern"})
"""The nodes within a pattern that are names it binds."""
_WRITTEN = frozenset({"member_expression", "subscript_expression", "type_annotation"})
"""What stands within a pattern and binds no name."""


class LoweredScope:
    """One scope: the names that it declares, and the scope around it. `level` counts the functions around."""

    __slots__ = ("_found", "around", "kind", "level", "variables")

    def __init__(self, kind: ScopeKind, around: "LoweredScope | None") -> None:
        self.kind = kind
        self.around = around
        self.level: int = (around.level if around is not None else 0) + (kind == "function")
        self.variables: dict[str, ir.Variable] = {}
        self._found: dict[str, ir.Variable | None] = {}

    def find(self, name: str) -> ir.Variable | None:
        """Return the variable that a name reads; None is a global."""
        found = self.variables.get(name)
        if found is None:
            if name not in self._found:
                self._found[name] = self._find_around(name)
            found = self._found[name]
        return found

    def _find_around(self, name: str) -> ir.Variable | None:
        scope: LoweredScope | None = self
        is_inside = False
        while scope is not None:
            if name in scope.variables and not (is_inside and scope.kind == "module"):
                return scope.variables[name]
            is_inside = is_inside or scope.kind == "function"
            scope = scope.around
        return None

    def declare(self, name: str) -> ir.Variable:
        """Return the variable of this scope that a name is bound to."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = ir.Variable(name)
        return found

    def find_function(self) -> "LoweredScope":
        """Return the scope of the function, or the module, that this one is in."""
        scope = self
        while scope.kind == "block" and scope.around is not None:
            scope = scope.around
        return scope


def iter_bound(pattern: Node | None, data: bytes) -> Iterator[str]:
    """Yield the names that a pattern binds."""
    pending = [pattern]
    while pending:
        node = pending.pop()
        if node is None or node.type in _WRITTEN:
            continue
        if node.type in _PATTERNS:
            yield data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            pending.append(node.child_by_field_name("left"))
        elif node.type == "pair_pattern":
            pending.append(node.child_by_field_name("value"))
        else:
            pending += node.named_children


def declare_block(scope: LoweredScope, block: Node, data: bytes) -> None:
    """Let a scope have the names that the statements of a block declare."""
    for each in block.named_children:
        statement: Node | None = each
        if each.type == "export_statement":
            statement = each.child_by_field_name("declaration")
        elif each.type == "expression_statement" and _holds_namespace(each):
            statement = each.named_children[0]
        if statement is None:
            continue
        if statement.type in ("switch_case", "switch_default"):
            declare_block(scope, statement, data)
        for name in _iter_declared(statement, data):
            scope.declare(name)


def _iter_declared(statement: Node, data: bytes) -> Iterator[str]:
    """Yield the names that a statement declares in its block."""
    name = statement.child_by_field_name("name")
    if statement.type in DECLARED and name is not None:
        yield data[name.start_byte : name.end_byte].decode("utf-8", "replace")
    elif statement.type == "lexical_declaration":
        for part in statement.named_children:
            yield from iter_bound(part.child_by_field_name("name"), data)
    elif statement.type == "import_statement":
        yield from _iter_imported(statement, data)


def _holds_namespace(statement: Node) -> bool:
    return bool(statement.named_children) and statement.named_children[0].type == "internal_module"


def _iter_imported(statement: Node, data: bytes) -> Iterator[str]:
    pending = [each for each in statement.named_children if each.type in ("import_clause", "import_require_clause")]
    while pending:
        node = pending.pop()
        if node.type == "import_specifier":
            node = node.child_by_field_name("alias") or node.child_by_field_name("name") or node
        if node.type == "identifier":
            yield data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        else:
            pending += node.named_children


def declare_vars(scope: LoweredScope, body: Node, data: bytes) -> None:
    """Let a function's scope have the names that `var` declares anywhere in it."""
    if data.find(b"var", body.start_byte, body.end_byte) < 0:
        return
    pending = [body]
    while pending:
        node = pending.pop()
        if node.type == "variable_declaration":
            for part in node.named_children:
                for name in iter_bound(part.child_by_field_name("name"), data):
                    scope.declare(name)
        if node.type == "for_in_statement" and any(each.type == "var" for each in node.children):
            for name in iter_bound(node.child_by_field_name("left"), data):
                scope.declare(name)
        pending += [each for each in node.named_children if each.type not in FUNCTIONS]
