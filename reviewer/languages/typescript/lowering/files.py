"""What is known of a file while its codes are lowered, and the codes of TypeScript."""

from collections.abc import Callable
from typing import Literal
from weakref import WeakKeyDictionary

from tree_sitter import Node

from reviewer.budget import ExhaustedError
from reviewer.code import ir
from reviewer.languages.lowering import LoweredFile, to_site
from reviewer.languages.nodes import choose_script_grammar, find_descendants
from reviewer.languages.typescript.lowering.scopes import LoweredScope
from reviewer.source import Source

_new = tuple.__new__
BESIDE = frozenset({"comment", "html_comment", "empty_statement"})
"""What may stand anywhere, and does nothing."""
_WRITES = ("assignment_expression", "augmented_assignment_expression", "update_expression")
"""The expressions that give a variable another value."""
MemberRole = Literal["", "method", "getter", "setter", "constructor"]


def list_children(node: Node) -> list[Node]:
    """Return the named nodes directly in one, without comments."""
    return [each for each in node.named_children if each.type not in BESIDE]


def has_token(node: Node, *words: str) -> bool:
    """Return whether one of some words stands directly in a node."""
    return any(each.type in words for each in node.children)


_written: WeakKeyDictionary[Source, frozenset[str]] = WeakKeyDictionary()


def _find_written(source: Source, root: Node) -> frozenset[str]:
    """Return the names in a file that something is assigned to after they are declared, looked for once."""
    found = _written.get(source)
    if found is None:
        names: set[str] = set()
        try:
            for each in find_descendants(root, choose_script_grammar(source.path), *_WRITES):
                pending = [each.child_by_field_name("left") or each.child_by_field_name("argument")]
                while pending:
                    node = pending.pop()
                    if node is None or node.type in ("member_expression", "subscript_expression"):
                        continue
                    if node.child_count == 0:
                        names.add((node.text or b"").decode("utf-8", "replace"))
                    pending += node.named_children
        except ExhaustedError:  # nothing is going to be lowered
            return frozenset()
        found = _written[source] = frozenset(names)
    return found


class File(LoweredFile):
    """What the codes of one file share."""

    __slots__ = ("codes", "written")

    def __init__(self, source: Source, root: Node) -> None:
        super().__init__(source)
        self.codes: dict[ir.Site, TypeScriptCode] = {}
        """The functions and classes that were met, by their place."""
        self.written = _find_written(source, root)


class TypeScriptCode(ir.Code):
    """A code of TypeScript, with the file that it is in, its syntax, and the names of its body.

    `role` says what it is in a class, `is_static` that it is of the class and not of its objects. `made` is the constructor of a
    class, None if it has neither one nor fields that are given something.
    """

    __slots__ = ("_make_scope", "_scope", "file", "is_static", "made", "node", "role")

    def __init__(
        self,
        file: File,
        node: Node,
        name: str,
        kind: ir.CodeKind,
        around: ir.Code | None,
        make_scope: Callable[[], LoweredScope],
        lower: Callable[[ir.Code], ir.Body],
        at: ir.Site | None = None,
    ) -> None:
        super().__init__(name, kind, file.source, to_site(node) if at is None else at, lower, around=around)
        self.file = file
        self.node = node
        self.role: MemberRole = ""
        self.is_static = False
        self.made: TypeScriptCode | None = None
        self._make_scope = make_scope
        self._scope: LoweredScope | None = None
        file.codes[self.at] = self

    @property
    def scope(self) -> LoweredScope:
        """The names of its body, which are looked for when they are first asked for."""
        if self._scope is None:
            self._scope = self._make_scope()
        return self._scope
