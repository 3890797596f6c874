"""rmcp's attributes: `#[tool]` functions in the impl blocks that collect them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tree_sitter import Node

from reviewer.facts import Condition, Handler, Json, Parameter, Schema, Tool
from reviewer.languages.caps import is_capped
from reviewer.languages.nodes import child, matches, string_of
from reviewer.languages.rust import attributes, descriptions, tokens
from reviewer.languages.rust.attributes import Attribute
from reviewer.languages.rust.folding import Folded, Folder, Place
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.outcomes import exits_of
from reviewer.languages.rust.tokens import Argument
from reviewer.languages.rust.uses import segments
from reviewer.schema import rust as schemas
from reviewer.source import Opaque, Source, Text

COLLECTING = re.compile(rb"tool_(?:router|box)\b")
HINTS = re.compile(r"_(\w)")


@dataclass(frozen=True, slots=True)
class Router:
    """An impl block that collects `#[tool]` functions. `maker` is the function that gives them; `type` the block's type."""

    path: str
    node: Node
    type: str
    maker: str | None
    tools: tuple[Tool, ...]


def routers(items: Items) -> Iterator[Router]:
    """Find the impl blocks that collect tools."""
    for path in items.mentioning(COLLECTING):
        for found in matches(items.root(path), "rust", "impls"):
            block = found["impl"]
            mark = _mark(block)
            type_ = child(block, "type")
            if mark is None or type_ is None or child(block, "trait") is not None or in_test(block):
                continue
            yield Router(
                path, block, segments(type_)[-1], _maker(mark), tuple(_tools(items, path, block, old=_is_old(mark)))
            )


def _mark(block: Node) -> Attribute | None:
    """Give the attribute that makes an impl block collect tools."""
    for each in attributes.before(block):
        if each.name == "tool_router" or _is_old(each):
            return each
    return None


def _is_old(mark: Attribute) -> bool:
    """Tell whether an attribute is rmcp 0.1's `#[tool(tool_box)]`."""
    return mark.name == "tool" and mark.argument("tool_box") is not None


def _maker(mark: Attribute) -> str | None:
    if mark.name != "tool_router":
        return None
    given = mark.argument("router")
    return string_of(given.tokens[0]) if given is not None and given.tokens else "tool_router"


def _tools(items: Items, path: str, block: Node, *, old: bool) -> Iterator[Tool]:
    body = child(block, "body")
    outer = attributes.conditions(items.sources[path], block)
    for part in body.named_children if body is not None else ():
        mark = attributes.named(attributes.before(part), "tool") if part.type == "function_item" else None
        if mark is not None and child(part, "name") is not None:
            yield _Reader(items, path, part, mark, old).tool(outer)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one `#[tool]` function."""

    items: Items
    path: str
    node: Node
    mark: Attribute
    old: bool

    @property
    def source(self) -> Source:
        return self.items.sources[self.path]

    def tool(self, outer: tuple[Condition, ...]) -> Tool:
        schema, parameters = self.input()
        function = child(self.node, "name") or self.node
        own = self.items.text(self.path, function)
        return Tool(
            name=self.text("name") or own,
            span=self.source.span(attributes.gap(self.node)[0].start_point, self.node.end_point),
            description=self.description(),
            title=self.text("title"),
            input_schema=schema,
            output_schema=self.output(),
            annotations=self.annotations(),
            parameters=parameters,
            conditions=(*outer, *attributes.conditions(self.source, self.node)),
            handler=Handler(
                own,
                self.items.span(self.path, self.node),
                exits_of(self.items, self.node, self.path),
                is_capped(self.node.text),
            ),
        )

    def fold(self, argument: Argument) -> Folded:
        if not argument.tokens:
            return True
        node = tokens.expression(self.source, argument.tokens)
        return Folder(self.items).fold(node, Place(self.path, {}, self.node))

    def text(self, name: str) -> Text | Opaque | None:
        argument = self.mark.argument(name)
        if argument is None:
            return None
        value = self.fold(argument)
        return (
            value
            if isinstance(value, Text | Opaque)
            else Opaque("not a string", self.items.span(self.path, argument.node))
        )

    def description(self) -> Text | Opaque | None:
        given = self.text("description")
        if given is None:
            given = descriptions.of_docs(self.items, self.node, self.path, until_attribute=not self.old)
        return given

    def annotations(self) -> Json | Opaque | None:
        argument = self.mark.argument("annotations")
        if argument is None:
            return None
        tree = argument.nested or (argument.tokens[0] if argument.tokens else None)
        if tree is None or tree.type != "token_tree":
            return Opaque("the annotations are made by code", self.items.span(self.path, argument.node))
        found: dict[str, Any] = {}
        pairs = tokens.arguments(tree) if argument.nested is not None else _colon_pairs(tree)
        for each in pairs:
            value = self.fold(each)
            if isinstance(value, Opaque):
                return value
            found[HINTS.sub(lambda hit: hit[1].upper(), each.name or "")] = value
        return found

    def input(self) -> tuple[Schema | Opaque | None, tuple[Parameter, ...] | Opaque]:
        given = self.mark.argument("input_schema")
        if given is not None:
            return schemas.of_value(self.items, self.fold(given), self.items.span(self.path, given.node))
        type_ = self.parameter_type()
        if type_ is not None:
            return schemas.of_type(self.items, type_, self.path), schemas.parameters(self.items, type_, self.path)
        if self.old:
            loose = [
                part for part in self.parameters() if attributes.named(attributes.before(part), "tool") is not None
            ]
            return schemas.of_loose(self.items, loose, self.path)
        return schemas.nothing(self.items, self.path, old=self.old), ()

    def parameters(self) -> list[Node]:
        found = child(self.node, "parameters")
        return [part for part in found.named_children if part.type == "parameter"] if found is not None else []

    def parameter_type(self) -> Node | None:
        """Give T of the first `Parameters<T>`, or of 0.1's `#[tool(aggr)]`."""
        for part in self.parameters():
            type_ = child(part, "type")
            if type_ is not None and (inner := argument_of(type_, "Parameters")) is not None:
                return inner
            mark = attributes.named(attributes.before(part), "tool")
            if mark is not None and (mark.argument("aggr") or mark.argument("req")) is not None:
                return type_
        return None

    def output(self) -> Schema | Opaque | None:
        given = self.mark.argument("output_schema")
        if given is not None:
            return schemas.of_value(self.items, self.fold(given), self.items.span(self.path, given.node), output=True)[
                0
            ]
        type_ = child(self.node, "return_type")
        inner = argument_of(type_, "Json") if type_ is not None else None
        if type_ is not None and inner is None and (first := argument_of(type_, "Result")) is not None:
            inner = argument_of(first, "Json")
        return schemas.of_type(self.items, inner, self.path) if inner is not None else None


def argument_of(type_: Node, name: str) -> Node | None:
    """Give the first argument of a generic type of a name."""
    if type_.type != "generic_type" or segments(type_)[-1:] != (name,):
        return None
    given = child(type_, "type_arguments")
    return next((part for part in given.named_children if part.type != "lifetime"), None) if given is not None else None


def _colon_pairs(tree: Node) -> Iterator[Argument]:
    """Read rmcp 0.1's `annotations = { title: "T", readOnlyHint: true }`."""
    for part in tokens.split(tokens.inner(tree)):
        if len(part) > 2 and part[1].type == ":":
            yield Argument(string_of(part[0]), part[0], tuple(part[2:]))
