"""What the makers of Rust's schemas share: the definitions of one document, and what a type that is written means.

No maker is imported here, so that each may import this; `rust_schemars.py` puts them together.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from tree_sitter import Node

from reviewer.budget import get_budget
from reviewer.languages.nodes import decode_node, find_child, list_field_children, parse
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.schema.rust.known_types import GENERIC, SCALARS, TRANSPARENT
from reviewer.schema.rust.marks import DeclarationMarks, read_marks
from reviewer.schema.rust.parts import Type, build_missing
from reviewer.source import Opaque, Source, Span

ALIASES = 100
"""How many names of one type are followed: aliases of aliases, parameters of types that are given parameters."""

SHARE = 10_000
"""Nodes that one schema may take. The largest honest ones found have hundreds; one takes about 0.1 ms."""


class Generator(ABC):
    """Makes the schemas of one document, with the definitions they refer to.

    `written` for what is written, not read; `before` for schemars 0.8.
    """

    def __init__(self, items: RustItems, *, written: bool = False, before: bool = False) -> None:
        self.items = items
        self.folder = ConstantFolder(items)
        self.written = written
        self.before = before
        self.definitions: dict[str, Any] = {}
        self.declarations: dict[str, tuple[RustItem, Mapping[str, Type]]] = {}

    @abstractmethod
    def build_root(self, type_: Type) -> Any:
        """Return the schema of a type without a reference to itself."""

    @abstractmethod
    def build_schema(self, type_: Type) -> Any:
        """Return the schema of a type that is written somewhere; a declared one is referred to."""

    @abstractmethod
    def name_of(self, type_: Type) -> str:
        """Name a type as schemars does in titles and in other names. Raises ExhaustedError for one that leads too deep."""

    def find_passed_through(self, type_: Type) -> Type | None:
        """Return T of `Box<T>` and the like."""
        if type_.node.type != "generic_type" or read_segments(type_.node)[-1] not in TRANSPARENT:
            return None
        given = type_.arguments
        return given[0] if given else None

    def forbids(self, type_: Type) -> bool:
        """Return whether a declared type forbids unknown fields, or holds nothing."""
        found = self.resolve_declaration(type_)
        if not isinstance(found, tuple):
            return False
        read = self.get_marks(found[0])
        return read.has("deny_unknown_fields", "inline") or find_child(found[0].node, "body") is None

    def get_marks(self, item: RustItem) -> DeclarationMarks:
        """Read the attributes over a declaration."""
        return read_marks(self.folder, item.path, item.node, written=self.written, before=self.before)

    def locate(self, type_: Type) -> Span:
        """Return the place of a type."""
        return self.items.locate_node(type_.path, type_.node)

    def resolve_declaration(self, type_: Type) -> "tuple[RustItem, dict[str, Type]] | Opaque | None":
        """Find the struct or enum of the project that a type means, and what its parameters stand for."""
        for _ in range(ALIASES):
            found = self._resolve_step(type_)
            if not isinstance(found, Type):
                return found
            type_ = found
        return Opaque("its type is an alias of an alias, and so on", self.locate(type_))

    def _resolve_step(self, type_: Type) -> "tuple[RustItem, dict[str, Type]] | Type | Opaque | None":
        """Take one step towards what a type means: the declaration, or the type that it is another name of."""
        get_budget().spend("nodes")
        names = read_segments(type_.node)
        if names[-1] in SCALARS or type_.node.type not in NAMED_TYPES:
            return None
        if len(names) == 1 and names[0] in type_.given:
            return type_.given[names[0]]
        if names[-1] in GENERIC and type_.node.type == "generic_type":
            return None
        found = self.items.resolve(names, type_.path, "struct", "enum", "type", near=type_.node)
        if not isinstance(found, RustItem):
            return found
        given = self.collect_arguments(found, type_)
        target = find_child(found.node, "type") if found.node.type == "type_item" else None
        if target is None:
            return found, given
        alias = Type(target, found.path, given)
        return alias if target.type in NAMED_TYPES and target != type_.node else None

    def collect_arguments(self, item: RustItem, type_: Type) -> dict[str, Type]:
        """Return the types of a declaration's type parameters in a written type."""
        names = [
            decode_node(find_child(part, "name") or part)
            for part in list_field_children(item.node, "type_parameters")
            if part.type
            in ("type_parameter", "type_identifier", "constrained_type_parameter", "optional_type_parameter")
        ]
        return dict(zip(names, type_.arguments, strict=False))

    def is_option(self, type_: Type) -> bool:
        """Return whether a type is an `Option`, under whatever name."""
        for _ in range(ALIASES):
            found = self._resolve_option(type_)
            if not isinstance(found, Type):
                return found
            type_ = found
        return False

    def _resolve_option(self, type_: Type) -> "bool | Type":
        """Return whether a type is an `Option`, or give the type that it is another name of."""
        get_budget().spend("nodes")
        names = read_segments(type_.node)
        if len(names) == 1 and names[0] in type_.given:
            return type_.given[names[0]]
        if (passed := self.find_passed_through(type_)) is not None:
            return passed
        if names[-1:] == ("Option",) or type_.node.type not in NAMED_TYPES or names[-1] in SCALARS:
            return names[-1:] == ("Option",)
        found = self.items.resolve(names, type_.path, "type", near=type_.node)
        target = find_child(found.node, "type") if isinstance(found, RustItem) else None
        if not isinstance(found, RustItem) or target is None or target == type_.node:
            return False
        return Type(target, found.path, self.collect_arguments(found, type_))

    def find_named_type(self, read: DeclarationMarks, name: str, given: Mapping[str, Type]) -> Type | None:
        """Return the type that an attribute names; serde's own `with` names a module."""
        argument = next((each for crate, each in read.arguments if _names_a_type(crate, each.name, name)), None)
        if argument is None or not argument.tokens:
            return None
        text = evaluate_string(argument.tokens[0]) or "".join(decode_node(token) for token in argument.tokens)
        return Type(type_node(text), read.path, given)

    def build_replacement(self, read: DeclarationMarks, node: Node, given: Mapping[str, Type]) -> Any:
        """Return the schema of the type or function that attributes of a field name in the place of its own."""
        type_ = self.find_named_type(read, "with", given)
        if type_ is not None:
            return self.build_schema(type_)
        argument = read.find("schema_with")
        if argument is not None:
            return self._build_by_function(read, decode_node(argument.tokens[0]) if argument.tokens else "", node)
        return None

    def _build_by_function(self, read: DeclarationMarks, function: str, node: Node) -> Any:
        name = tuple(function.strip('"').split("::"))
        found = self.items.resolve(name, read.path, "fn", near=node)
        body = find_child(found.node, "body") if isinstance(found, RustItem) else None
        if isinstance(found, RustItem) and body is not None:
            value = self.folder.fold(body, ExpressionPlace(found.path, {}))
            if isinstance(value, dict):
                return dict(value)
        return build_missing(f"it is made by `{function.strip(chr(34))}`", self.items.locate_node(read.path, node))


# The kinds of nodes by which the grammar names a type.
NAMED_TYPES = frozenset(
    "type_identifier scoped_type_identifier generic_type primitive_type identifier scoped_identifier".split()
)


def type_node(text: str) -> Node:
    """Parse a type that an attribute gives in a string, or a macro in tokens."""
    root = parse(Source("", f"type T = {text};".encode()), "rust")
    item = root.named_children[0] if root.named_children else root
    return find_child(item, "type") or item


def _names_a_type(crate: str, argument: str | None, name: str) -> bool:
    return argument == name and (name != "with" or crate == "schemars")
