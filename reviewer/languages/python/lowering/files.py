"""What is known of a file while its codes are lowered, and the codes of Python."""

from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

from tree_sitter import Node

from reviewer.budget import ExhaustedError
from reviewer.code import ir
from reviewer.languages.lowering import LoweredFile, to_site
from reviewer.languages.nodes import BESIDE, decode_node, find_descendants
from reviewer.languages.python.lowering.scopes import LoweredScope
from reviewer.source import Source

_new = tuple.__new__


def place_of(start: int, end: int) -> ir.Site:
    """Return the place of some bytes."""
    return _new(ir.Site, (start, end, 0))


def list_children(node: Node) -> list[Node]:
    """Return the named nodes directly in one, without comments."""
    return [each for each in node.named_children if each.type not in BESIDE]


class Names(NamedTuple):
    """The names in a file that functions write though they are bound around, and those that imports bind."""

    written: frozenset[str]
    imported: frozenset[str]


_names: WeakKeyDictionary[Source, Names] = WeakKeyDictionary()
# Names that a function writes outside of itself.
_DECLARATIONS = ("global_statement", "nonlocal_statement")
# Names that stand for a module or for what is in one.
_IMPORTS = ("import_statement", "import_from_statement")


def _build_names_of(source: Source, root: Node) -> Names:
    """Return the facts about the names in a file, found once."""
    found = _names.get(source)
    if found is None:
        written: list[str] = []
        imported: list[str] = []
        try:
            statements = find_descendants(root, "python", *_DECLARATIONS, *_IMPORTS)
        except ExhaustedError:  # nothing is going to be lowered
            return Names(frozenset(), frozenset())
        for each in statements:
            if each.type in _DECLARATIONS:
                written += map(decode_node, list_children(each))
                continue
            for name in each.children_by_field_name("name"):
                alias = name.child_by_field_name("alias")
                imported.append(decode_node(alias or name).partition(".")[0])
        found = _names[source] = Names(frozenset(written), frozenset(imported))
    return found


class File(LoweredFile):
    """What the codes of one file share."""

    __slots__ = ("codes", "names")

    def __init__(self, source: Source, root: Node) -> None:
        super().__init__(source)
        self.codes: dict[ir.Site, PythonCode] = {}
        """The functions and classes that were met, by their place."""
        self.names = _build_names_of(source, root)


class PythonCode(ir.Code):
    """A code of Python, with the file that it is in and the names of its body."""

    __slots__ = ("_make_scope", "_scope", "file")

    def __init__(
        self,
        file: File,
        node: Node,
        name: str,
        kind: ir.CodeKind,
        around: ir.Code | None,
        make_scope: Callable[[], LoweredScope],
        lower: Callable[[ir.Code], ir.Body],
    ) -> None:
        super().__init__(name, kind, file.source, to_site(node), lower, around=around)
        self.file = file
        self._make_scope = make_scope
        self._scope: LoweredScope | None = None
        file.codes[self.at] = self

    @property
    def scope(self) -> LoweredScope:
        """The names of its body, which are looked for when they are first asked for."""
        if self._scope is None:
            self._scope = self._make_scope()
        return self._scope
