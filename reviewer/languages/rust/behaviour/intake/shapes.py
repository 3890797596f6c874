"""The structs that inputs are made into: which argument each of their fields holds."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Optional

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.items import Item, Items
from reviewer.schema.rust_generator import Generator
from reviewer.schema.rust_marks import marks, name_of
from reviewer.schema.rust_objects import DEPTH, Member, held_type, members
from reviewer.schema.rust_parts import Type
from reviewer.source import Text


class Shape(NamedTuple):
    """A struct: the arguments by the names of the fields, and the structs whose own fields stand in the place of one."""

    name: str
    fields: Mapping[str, Text]
    parts: Mapping[str, Optional["Shape"]]

    @property
    def arguments(self) -> Iterator[Text]:
        """Give all arguments that it holds."""
        yield from self.fields.values()
        for each in self.parts.values():
            yield from each.arguments if each is not None else ()


def shape_of(items: Items, type_: Node, path: str) -> Shape | None:
    """Read the struct that a type means; None for whatever has no fields of names."""
    return _shape(Generator(items), Type(type_, path), 0)


def argument_of(items: Items, parameter: Node, path: str) -> Text:
    """Give the argument that fills a parameter by itself."""
    return name_of(child(parameter, "pattern") or parameter, marks(items, path, parameter), None)


def _shape(run: Generator, type_: Type, depth: int) -> Shape | None:
    found = run.declared(type_)
    if found is None or not isinstance(found, tuple) or depth > DEPTH:
        return None
    item, given = found
    body = child(item.node, "body")
    if item.node.type != "struct_item" or body is None or body.type != "field_declaration_list":
        return None
    read = marks(run.items, item.path, item.node)
    listed = list(members(body, read, given, read.string("rename_all")))
    fields = {_written(each): each.name for each in listed if not each.is_flat}
    parts = {_written(each): _shape(run, held_type(run, each), depth + 1) for each in listed if each.is_flat}
    return Shape(_named(item), fields, parts)


def _written(member: Member) -> str:
    return string_of(child(member.node, "name") or member.node)


def _named(item: Item) -> str:
    return string_of(child(item.node, "name") or item.node)
