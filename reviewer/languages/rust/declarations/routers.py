"""rmcp's attributes: `#[tool]` functions in the impl blocks that collect them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tree_sitter import Node

from reviewer.facts import Condition, Flag, Handler, HandlerArgument, Json, Lazy, Schema, Tool
from reviewer.failures import contained
from reviewer.languages.nodes import decode_node, find_child, list_field_children
from reviewer.languages.rust.behaviour.argument_use import RustFunctionReading
from reviewer.languages.rust.behaviour.blocks import find_router_blocks
from reviewer.languages.rust.behaviour.effects import collect_acts, iter_returned_payloads
from reviewer.languages.rust.behaviour.settled import is_cut
from reviewer.languages.rust.declarations import descriptions, signatures
from reviewer.languages.rust.evaluation.folding import ConstantFolder
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded, find_unread
from reviewer.languages.rust.project.items import RustItems
from reviewer.languages.rust.project.name_resolution import list_parameters
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import attributes, tokens
from reviewer.languages.rust.syntax.attributes import Attribute
from reviewer.languages.rust.syntax.tokens import AttributeArgument
from reviewer.records import dataclass
from reviewer.schema.rust import tools as schemas
from reviewer.source import Opaque, Source, Text
from reviewer.text.patterns import pattern

# rmcp's attribute has the hints in snake case and sends them in camel case.
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


def iter_routers(items: RustItems) -> Iterator[Router]:
    """Find the impl blocks that collect tools."""
    for block in find_router_blocks(items):
        outer = attributes.read_conditions(items.sources[block.path], block.node)
        tools: list[Tool] = []
        for part, mark in block.iter_functions():
            with contained("a tool was not reviewed", items.locate_node(block.path, part)):
                tools.append(RouterReader(items, block.path, part, mark, block.is_old).read_tool(outer))
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

    def read_tool(self, outer: tuple[Condition, ...]) -> Tool:
        """Return the tool that the function is; `outer` are the conditions of its block."""
        schema, parameters = self.read_input()
        function = find_child(self.node, "name") or self.node
        own, named = self.items.locate_text(self.path, function), self.read_text("name")
        type_ = self.find_parameter_type()
        struct = None if type_ is None else schemas.find_struct_name(self.items, type_, self.path)
        given = signatures.read_return(self.items, self.node, self.path)
        is_model = given is None or given.model is not False
        taken = RustFunctionReading(
            self.items, self.node, self.path, (), self.list_loose_parameters() if type_ is None else ()
        )
        return Tool(
            name=own if named is None else named,  # an empty text is the name that a client is told
            span=self.source.to_span(attributes.list_preceding(self.node)[0].start_point, self.node.end_point),
            description=self.read_description(),
            title=self.read_text("title"),
            input_schema=schema,
            output_schema=self.read_output(),
            annotations=self.read_annotations(),
            parameters=parameters,
            conditions=(*outer, *attributes.read_conditions(self.source, self.node)),
            handler=taken.attach_to_handler(
                Handler(
                    own,
                    self.items.locate_node(self.path, self.node),
                    capped=Flag(lambda: is_cut(self.items, self.node, self.path)),
                    acts=collect_acts(self.items, self.node, self.path),
                    takes=self.list_arguments(struct),
                    struct=struct,
                    free=None if type_ is None else signatures.find_free_type(self.items, type_, self.path),
                    returns=given,
                    returned_payloads=Lazy(
                        lambda: () if is_model else iter_returned_payloads(self.items, self.node, self.path)
                    ),
                    unmapped_payloads=Lazy(
                        lambda: iter_returned_payloads(self.items, self.node, self.path, filling_models=True)
                    ),
                    documentation=descriptions.read_documentation(self.items, self.node, self.path),
                )
            ),
        )

    def fold(self, argument: AttributeArgument) -> Folded:
        """Read the value of an argument of the attribute; one without a value is true."""
        if not argument.tokens:
            return True
        node = tokens.parse_expression(self.source, argument.tokens)
        return ConstantFolder(self.items).fold(node, ExpressionPlace(self.path, {}, self.node))

    def read_text(self, name: str) -> Text | Opaque | None:
        """Return an argument of the attribute that is a string."""
        argument = self.mark.find_argument(name)
        if argument is None:
            return None
        value = self.fold(argument)
        return (
            value
            if isinstance(value, Text | Opaque)
            else Opaque("not a string", self.items.locate_node(self.path, argument.node))
        )

    def read_description(self) -> Text | Opaque | None:
        """Return the description of the tool."""
        given = self.read_text("description")
        if given is None:
            given = descriptions.join_docs(self.items, self.node, self.path, until_attribute=not self.old)
        if given is None and self.old:
            return Text("", self.items.locate_node(self.path, find_child(self.node, "name") or self.node))
        return given

    def read_annotations(self) -> Json | Opaque | None:
        """Return the hints that the attribute sets."""
        argument = self.mark.find_argument("annotations")
        if argument is None:
            return None
        tree = argument.nested or (argument.tokens[0] if argument.tokens else None)
        if tree is None or tree.type != "token_tree":
            return Opaque("the annotations are created in code", self.items.locate_node(self.path, argument.node))
        found: dict[str, Any] = {}
        pairs = tokens.parse_arguments(tree) if argument.nested is not None else _iter_colon_pairs(tree)
        for each in pairs:
            value = self.fold(each)
            opaque = find_unread(value, self.items.locate_node(self.path, each.node))
            if opaque is not None:
                return opaque
            found[HINTS.sub(lambda hit: hit[1].upper(), each.name or "")] = value
        return found

    def read_input(self) -> schemas.Input:
        """Return the schema of the arguments, and the arguments."""
        given = self.mark.find_argument("input_schema")
        if given is not None:
            return schemas.build_value_schema(
                self.items, self.fold(given), self.items.locate_node(self.path, given.node)
            )
        type_ = self.find_parameter_type()
        if type_ is not None:
            return schemas.build_type_schema(self.items, type_, self.path), schemas.collect_parameters(
                self.items, type_, self.path
            )
        if self.old:
            name = decode_node(find_child(self.node, "name") or self.node)
            return schemas.build_loose_schema(self.items, self.list_loose_parameters(), self.path, name)
        return schemas.build_empty_schema(self.items, self.path, old=self.old), ()

    def list_loose_parameters(self) -> list[Node]:
        """Return the parameters of 0.1's `#[tool(param)]`."""
        return [
            part
            for part in self.list_parameters()
            if attributes.find_named(attributes.read_before(part), "tool") is not None
        ]

    def list_parameters(self) -> list[Node]:
        """Return the parameters of the function, without `self`."""
        return list_parameters(self.node)

    def find_parameter_type(self) -> Node | None:
        """Return T of the first `Parameters<T>`, or of 0.1's `#[tool(aggr)]`."""
        found = self._find_whole_parameter()
        return found[1] if found is not None else None

    def _find_whole_parameter(self) -> tuple[Node, Node] | None:
        """Return the parameter that takes all arguments, with the type of these."""
        for part in self.list_parameters():
            type_ = find_child(part, "type")
            if type_ is not None and (inner := find_type_argument(type_, "Parameters")) is not None:
                return part, inner
            mark = attributes.find_named(attributes.read_before(part), "tool")
            if mark is not None and (mark.find_argument("aggr") or mark.find_argument("req")) is not None:
                return (part, type_) if type_ is not None else None
        return None

    def list_arguments(self, struct: Text | None) -> tuple[HandlerArgument, ...] | None:
        """Return the arguments that a client gives the function; None if its parameters may be such or not."""
        if self.mark.find_argument("input_schema") is not None:
            return None
        whole = self._find_whole_parameter()
        if whole is not None:
            found = signatures.read_argument(self.items, *whole, self.path, struct)
            return (replace(found, is_whole=True),) if found is not None else None
        loose = [(part, find_child(part, "type")) for part in self.list_loose_parameters()]
        read = [
            signatures.read_argument(self.items, part, type_, self.path) for part, type_ in loose if type_ is not None
        ]
        if len(loose) < len(self.list_parameters()) and not loose:
            return None  # an extractor of the project may take them
        known = tuple(each for each in read if each is not None)
        return known if len(known) == len(loose) else None

    def read_output(self) -> Schema | Opaque | None:
        """Return the schema of the result."""
        given = self.mark.find_argument("output_schema")
        if given is not None:
            return schemas.build_value_schema(
                self.items, self.fold(given), self.items.locate_node(self.path, given.node), output=True
            )[0]
        version = self.items.find_version(self.path, "rmcp")
        if self.old or (version is not None and version < RESULTS_SINCE):
            return None
        type_ = find_child(self.node, "return_type")
        inner = find_type_argument(type_, "Json") if type_ is not None else None
        if type_ is not None and inner is None and (first := find_type_argument(type_, "Result")) is not None:
            inner = find_type_argument(first, "Json")
        return schemas.build_type_schema(self.items, inner, self.path, way="output") if inner is not None else None


def find_type_argument(type_: Node, name: str) -> Node | None:
    """Return the first argument of a generic type of a name."""
    if type_.type != "generic_type" or read_segments(type_)[-1:] != (name,):
        return None
    return next((part for part in list_field_children(type_, "type_arguments") if part.type != "lifetime"), None)


def _iter_colon_pairs(tree: Node) -> Iterator[AttributeArgument]:
    """Read rmcp 0.1's `annotations = { title: "T", readOnlyHint: true }`."""
    for part in tokens.split(tokens.strip_brackets(tree)):
        if len(part) > 2 and part[1].type == ":":
            yield AttributeArgument(decode_node(part[0]), part[0], tuple(part[2:]))
