"""Rust functions as the topologies see them: where they stand, what they take, and which names they use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

from topology.shapes import Edits, File, NotApplicableError, Target

PARSER = Parser(Language(tree_sitter_rust.language()))
OWNER = "owner"
"""What the receiver of a method is called in a function that is none."""
BINDINGS = ("identifier", "type_identifier", "field_identifier")
BEFORE = ("attribute_item", "line_comment", "block_comment")
"""What stands before an item and belongs to it."""


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything in it."""
    yield node
    for each in node.children:
        yield from walk(each)


@dataclass(frozen=True)
class Source(File):
    """A file of a tree and its syntax."""

    @cached_property
    def items(self) -> list[Node]:
        """Return what stands in the file itself, attributes and comments as items of their own."""
        return PARSER.parse(self.text).root_node.children

    def of(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.start_byte : node.end_byte].decode()

    def write(self, edits: Edits) -> None:
        """Write what edits make of it. Raises NotApplicableError if that is no Rust."""
        text = edits.done()
        if PARSER.parse(text).root_node.has_error:
            raise NotApplicableError(f"{self.path} would be no Rust")
        self.file.write_bytes(text)


class Parameter(NamedTuple):
    """A parameter of a function: its name, its type, and whether it is assigned to; `&self` has a reference before it."""

    name: str
    type: str
    mut: str = ""
    source: str = ""

    def __str__(self) -> str:
        return f"{self.mut}{self.name}: {self.type}"


@dataclass(frozen=True)
class Place:
    """A function in its file, and the `impl` that it stands in."""

    source: Source
    node: Node
    owner: Node | None

    def field(self, name: str) -> str:
        """Return the text of a part of the function."""
        found = self.node.child_by_field_name(name)
        return self.source.of(found) if found else ""

    @property
    def simple(self) -> str:
        """Return the name of the function."""
        return self.field("name")

    @property
    def name(self) -> str:
        """Return its name with that of its type."""
        return f"{self.type}.{self.simple}" if self.owner else self.simple

    @property
    def type(self) -> str:
        """Return the type that it is a method of."""
        found = self.owner and self.owner.child_by_field_name("type")
        return self.source.of(found) if found else ""

    @property
    def of_trait(self) -> bool:
        """Return whether it implements a function of a trait."""
        return bool(self.owner and self.owner.child_by_field_name("trait"))

    @property
    def body(self) -> Node:
        """Return its block."""
        found = self.node.child_by_field_name("body")
        assert found is not None
        return found

    @property
    def is_async(self) -> bool:
        """Return whether a call of it is awaited."""
        return "async" in self._modifiers.split()

    @property
    def _modifiers(self) -> str:
        return " ".join(self.source.of(each) for each in self.node.children if each.type == "function_modifiers")

    @property
    def head(self) -> str:
        """Return the keywords that begin such a function."""
        return "async fn" if self.is_async else "fn"

    @property
    def awaited(self) -> str:
        """Return what stands behind a call of such a function."""
        return ".await" if self.is_async else ""

    @property
    def generics(self) -> str:
        """Return its type parameters."""
        return self.field("type_parameters")

    @property
    def bounds(self) -> str:
        """Return its `where`."""
        return "".join(f" {self.source.of(each)}" for each in self.node.children if each.type == "where_clause")

    @property
    def returns(self) -> str:
        """Return what stands behind the parameters, the type written out."""
        kind = self.field("return_type")
        return f" -> {self.written_out(kind)}" if kind else ""

    def written_out(self, text: str) -> str:
        """Return a type with the name of the `impl`'s type in the stead of `Self`."""
        return re.sub(r"\bSelf\b", lambda _: self.type, text) if self.owner else text

    @cached_property
    def receiver(self) -> Parameter | None:
        """Return the parameter that `self` is in a function that is no method."""
        for each in self._listed:
            if each.type == "self_parameter":
                text = self.source.of(each).replace("self", "").strip()
                if "'" in text:
                    raise NotApplicableError("a lifetime of self")
                if text == "mut":
                    return Parameter(OWNER, self.type, "mut ", "self")
                return Parameter(OWNER, f"{text}{' ' if text.endswith('mut') else ''}{self.type}", source="self")
        return None

    @property
    def _listed(self) -> list[Node]:
        found = self.node.child_by_field_name("parameters")
        assert found is not None
        return found.named_children

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Return the parameters that the body reads, without `self`.

        Of `Parameters(request): Parameters<Wanted>` it is `request: Wanted`. Raises NotApplicableError of other patterns.
        """
        made = []
        for each in self._listed:
            pattern, kind = each.child_by_field_name("pattern"), each.child_by_field_name("type")
            if each.type != "parameter" or pattern is None or kind is None:
                continue
            text, bare = self.source.of(pattern), self.source.of(kind)
            inner = re.fullmatch(r"([\w:]+)\((?:mut )?(\w+)\)", text)
            if inner and (wrapped := re.fullmatch(rf"{inner[1]}<(.+)>", bare)):
                text, bare = inner[2], wrapped[1]
            mut = (
                "mut "
                if any(node.type == "mutable_specifier" for node in each.children) or text.startswith("mut ")
                else ""
            )
            name = text.removeprefix("mut ")
            if name == "_":
                continue
            if not name.isidentifier():
                raise NotApplicableError("a pattern among the parameters")
            if re.search(rf"\b{name}\b", self.source.of(self.body)):
                made.append(Parameter(name, self.written_out(bare), mut, name))
        return made

    @property
    def uses_self(self) -> bool:
        """Return whether the body reads `self`."""
        return any(node.type == "self" for node in walk(self.body))


def functions(source: Source) -> Iterator[Place]:
    """Yield the functions of a file and those of its `impl` blocks."""
    for item in source.items:
        if item.type == "function_item":
            yield Place(source, item, None)
        elif item.type == "impl_item" and (inside := item.child_by_field_name("body")):
            yield from (Place(source, each, item) for each in inside.children if each.type == "function_item")


def start_of(node: Node) -> Node:
    """Return the first attribute or comment that belongs to an item, or the item."""
    while (before := node.prev_sibling) and before.type in BEFORE:
        is_apart = before.end_point.row + 1 < node.start_point.row
        if is_apart or (before.text or b"").startswith(b"//!"):
            break
        node = before
    return node


def function_at(root: Path, path: str, line: int) -> Target:
    """Return the function in which a line stands. Raises NotApplicableError if it stands in none."""
    for place in functions(Source(root, path)):
        if start_of(place.node).start_point.row < line <= place.node.end_point.row + 1:
            return Target(path, place.name)
    raise NotApplicableError("the fault stands in no function")


def place_of(root: Path, target: Target) -> Place:
    """Return the function of a name. Raises NotApplicableError if there is none, or several."""
    if not (root / target.path).exists():
        raise NotApplicableError("there is no such file")
    found = [each for each in functions(Source(root, target.path)) if each.name == target.name]
    if len(found) != 1:
        raise NotApplicableError("there is no such function, or several")
    return found[0]


def movable(place: Place) -> Place:
    """Return a function if its body can stand in another. Raises NotApplicableError if that would change what it means."""
    if not place.body.named_children:
        raise NotApplicableError("nothing is done there")
    if place.owner and place.owner.child_by_field_name("type_parameters"):
        raise NotApplicableError("a generic type")
    if set(place._modifiers.split()) - {"async"}:
        raise NotApplicableError("a const, unsafe or extern function")
    text = place.source.of(place.body)
    if re.search(rf"\bsuper::|(?<!\.)\b{place.simple}\(|Self::{place.simple}\b", text):
        raise NotApplicableError("a path that means the place, or recursion")
    if place.of_trait and re.search(r"Self::[A-Z]\w*", text + place.field("return_type")):
        raise NotApplicableError("a type of the trait")
    borrowed = "&" in place.returns.replace("&'static", "") or "'_" in place.returns
    taken = sum("&" in each.type for each in place.parameters) + bool(place.receiver and place.uses_self)
    if borrowed and "'" not in place.generics and taken > 1:
        raise NotApplicableError("a lifetime that self decides")
    return place


def body_without_self(place: Place) -> str:
    """Return the block with the receiver and the type named."""
    edits = Edits(place.source.text)
    edits.text = place.source.text[: place.body.end_byte]
    for node in walk(place.body):
        if node.type == "self":
            if node.parent and node.parent.type in ("scoped_identifier", "use_list"):
                raise NotApplicableError("a path that means the place")
            edits.put(node.start_byte, node.end_byte, OWNER)
        elif node.type in ("identifier", "type_identifier") and node.text == b"Self":
            edits.put(node.start_byte, node.end_byte, place.type)
    return edits.done()[place.body.start_byte :].decode()
