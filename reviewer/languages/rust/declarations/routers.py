"""rmcp's attributes: `#[tool]` functions in the impl blocks that collect them."""

from collections.abc import Iterator
from typing import Any

from tree_sitter import Node

from reviewer.facts import Condition, Flag, Handler, Json, Schema, Tool
from reviewer.failures import contained
from reviewer.languages.nodes import child, named_in, string_of
from reviewer.languages.rust.behaviour.argument_use import RustFunctionReading
from reviewer.languages.rust.behaviour.blocks import collecting
from reviewer.languages.rust.behaviour.effects import acts_of
from reviewer.languages.rust.behaviour.settled import is_cut
from reviewer.languages.rust.declarations import descriptions
from reviewer.languages.rust.evaluation.folding import ConstantFolder, ExpressionPlace, Folded, unread
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.name_resolution import parameters_of
from reviewer.languages.rust.project.uses import segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.languages.rust.syntax.attributes import Attribute
from reviewer.languages.rust.syntax.tokens import AttributeArgument
from reviewer.records import dataclass
from reviewer.schema import rust as schemas
from reviewer.source import Opaque, Source, Text
from reviewer.text.patterns import pattern

HINTS = pattern(r"_(\w)")
RESULTS_SINCE = (0, 4)
"""The version of rmcp that first reads a result's schema off the return type."""


@dataclass(frozen=True, slots=True)
class Router:
    """An impl block that collects `#[tool]` functions. `maker` is the function that gives them; `type` the block's type."""

    path: str
    node: Node
    type: str
    maker: str | None
    tools: tuple[Tool, ...]


def routers(items: RustItems) -> Iterator[Router]:
    """Find the impl blocks that collect tools."""
    for block in collecting(items):
        outer = attributes.conditions(items.sources[block.path], block.node)
        tools: list[Tool] = []
        for part, mark in block.functions():
            with contained("a tool was not reviewed", items.span(block.path, part)):
                tools.append(RouterReader(items, block.path, part, mark, block.is_old).tool(outer))
        yield Router(block.path, block.node, block.type, block.maker, tuple(tools))


@dataclass(frozen=True, slots=True)
class RouterReader:
    """Reads one `#[tool]` function."""

    items: RustItems
    path: str
    node: Node
    mark: Attribute
    old: bool

    @property
    def source(self) -> Source:
        """The file that the function stands in."""
        return self.items.sources[self.path]

    def tool(self, outer: tuple[Condition, ...]) -> Tool:
        """Return the tool that the function is; `outer` are the conditions of its block."""
        schema, parameters = self.input()
        function = child(self.node, "name") or self.node
        own, named = self.items.text(self.path, function), self.text("name")
        type_ = self.parameter_type()
        taken = RustFunctionReading(self.items, self.node, self.path, (), self.loose() if type_ is None else ())
        return Tool(
            name=own if named is None else named,  # an empty text is the name that a client is told
            span=self.source.span(attributes.gap(self.node)[0].start_point, self.node.end_point),
            description=self.description(),
            title=self.text("title"),
            input_schema=schema,
            output_schema=self.output(),
            annotations=self.annotations(),
            parameters=parameters,
            conditions=(*outer, *attributes.conditions(self.source, self.node)),
            handler=taken.added_to(
                Handler(
                    own,
                    self.items.span(self.path, self.node),
                    capped=Flag(lambda: is_cut(self.items, self.node, self.path)),
                    acts=acts_of(self.items, self.node, self.path),
                    struct=None if type_ is None else schemas.struct(self.items, type_, self.path),
                    documentation=descriptions.documentation(self.items, self.node, self.path),
                )
            ),
        )

    def fold(self, argument: AttributeArgument) -> Folded:
        """Read the value of an argument of the attribute; one without a value is true."""
        if not argument.tokens:
            return True
        node = tokens.expression(self.source, argument.tokens)
        return ConstantFolder(self.items).fold(node, ExpressionPlace(self.path, {}, self.node))

    def text(self, name: str) -> Text | Opaque | None:
        """Return an argument of the attribute that is a string."""
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
        """Return what the tool is said to do."""
        given = self.text("description")
        if given is None:
            given = descriptions.of_docs(self.items, self.node, self.path, until_attribute=not self.old)
        if given is None and self.old:
            return Text("", self.items.span(self.path, child(self.node, "name") or self.node))
        return given

    def annotations(self) -> Json | Opaque | None:
        """Return the hints that the attribute sets."""
        argument = self.mark.argument("annotations")
        if argument is None:
            return None
        tree = argument.nested or (argument.tokens[0] if argument.tokens else None)
        if tree is None or tree.type != "token_tree":
            return Opaque("the annotations are created in code", self.items.span(self.path, argument.node))
        found: dict[str, Any] = {}
        pairs = tokens.arguments(tree) if argument.nested is not None else _iter_colon_pairs(tree)
        for each in pairs:
            value = self.fold(each)
            opaque = unread(value, self.items.span(self.path, each.node))
            if opaque is not None:
                return opaque
            found[HINTS.sub(lambda hit: hit[1].upper(), each.name or "")] = value
        return found

    def input(self) -> schemas.Input:
        """Return the schema of the arguments, and the arguments."""
        given = self.mark.argument("input_schema")
        if given is not None:
            return schemas.of_value(self.items, self.fold(given), self.items.span(self.path, given.node))
        type_ = self.parameter_type()
        if type_ is not None:
            return schemas.of_type(self.items, type_, self.path), schemas.parameters(self.items, type_, self.path)
        if self.old:
            name = string_of(child(self.node, "name") or self.node)
            return schemas.of_loose(self.items, self.loose(), self.path, name)
        return schemas.nothing(self.items, self.path, old=self.old), ()

    def loose(self) -> list[Node]:
        """Return the parameters of 0.1's `#[tool(param)]`."""
        return [part for part in self.parameters() if attributes.named(attributes.before(part), "tool") is not None]

    def parameters(self) -> list[Node]:
        """Return the parameters of the function, without `self`."""
        return parameters_of(self.node)

    def parameter_type(self) -> Node | None:
        """Return T of the first `Parameters<T>`, or of 0.1's `#[tool(aggr)]`."""
        for part in self.parameters():
            type_ = child(part, "type")
            if type_ is not None and (inner := argument_of(type_, "Parameters")) is not None:
                return inner
            mark = attributes.named(attributes.before(part), "tool")
            if mark is not None and (mark.argument("aggr") or mark.argument("req")) is not None:
                return type_
        return None

    def output(self) -> Schema | Opaque | None:
        """Return the schema of the result."""
        given = self.mark.argument("output_schema")
        if given is not None:
            return schemas.of_value(self.items, self.fold(given), self.items.span(self.path, given.node), output=True)[
                0
            ]
        version = self.items.version(self.path, "rmcp")
        if self.old or (version is not None and version < RESULTS_SINCE):
            return None
        type_ = child(self.node, "return_type")
        inner = argument_of(type_, "Json") if type_ is not None else None
        if type_ is not None and inner is None and (first := argument_of(type_, "Result")) is not None:
            inner = argument_of(first, "Json")
        return schemas.of_type(self.items, inner, self.path, way="output") if inner is not None else None


def argument_of(type_: Node, name: str) -> Node | None:
    """Return the first argument of a generic type of a name."""
    if type_.type != "generic_type" or segments(type_)[-1:] != (name,):
        return None
    return next((part for part in named_in(type_, "type_arguments") if part.type != "lifetime"), None)


def _iter_colon_pairs(tree: Node) -> Iterator[AttributeArgument]:
    """Read rmcp 0.1's `annotations = { title: "T", readOnlyHint: true }`."""
    for part in tokens.split(tokens.inner(tree)):
        if len(part) > 2 and part[1].type == ":":
            yield AttributeArgument(string_of(part[0]), part[0], tuple(part[2:]))
