"""Expressions that make one tool: `Tool::new(..)` with its builder calls, struct literals, JSON objects."""

import re
from dataclasses import replace
from typing import Any

from tree_sitter import Node

from reviewer.facts import Condition, Json, Tool
from reviewer.languages.nodes import decode_node, find_child, find_parent, list_field_children
from reviewer.languages.rust.evaluation.folding import WAYS, ConstantFolder
from reviewer.languages.rust.evaluation.literals import evaluate_string
from reviewer.languages.rust.evaluation.structs import map_initializers, type_of
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded, OfType, find_unread
from reviewer.languages.rust.project.def_use import find_result, list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems, iter_attributes_before
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import tokens
from reviewer.records import dataclass
from reviewer.schema.rust import tools as schemas
from reviewer.source import Opaque, Span, Text
from reviewer.text.patterns import pattern

# rmcp's `Tool`, and the structs of servers that write JSON-RPC themselves (tirith's `ToolDefinition`). Endings are
# listed, for `ToolResult`, `ToolCall` and `ToolError` are no tools.
MADE = pattern(r"\w*Tool(?:Definition|Def|Info|Spec|Descriptor|Schema|Entry|Metadata|Meta)?$")
HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
    "title": "title",
    "with_title": "title",
    "from_title": "title",
}
# The order is that of the arguments of rmcp's `ToolAnnotations::from_raw`.
RAW_HINTS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
FIELDS = {
    "name": ("name",),
    "description": ("description",),
    "title": ("title",),
    "input": ("input_schema", "inputSchema", "parameters", "schema"),
    "output": ("output_schema", "outputSchema"),
    "annotations": ("annotations",),
}


@dataclass(frozen=True, slots=True)
class ToolExpression:
    """One expression that makes a tool, and what its parts come to. A part that is not given is not in `parts`."""

    span: Span
    parts: dict[str, Folded]

    def build_tool(self, items: RustItems, conditions: tuple[Condition, ...]) -> Tool | Opaque:
        """Return the tool, or say that its name is not known."""
        name = self.parts.get("name")
        if not isinstance(name, Text):
            reason = name.reason if isinstance(name, Opaque) else "it is not a string"
            return Opaque(f"a tool is listed whose name cannot be read: {reason}", self.span)
        lacks_schema = "input" in self.parts and self.parts["input"] is None
        schema, parameters = (
            (None, ()) if lacks_schema else schemas.build_value_schema(items, self.parts.get("input"), self.span)
        )
        output = self.parts.get("output")
        return Tool(
            name=name,
            span=self.span,
            description=self.read_text("description"),
            title=self.read_text("title"),
            input_schema=schema,
            output_schema=schemas.build_value_schema(items, output, self.span, output=True)[0]
            if output is not None
            else None,
            annotations=self.read_annotations(),
            parameters=parameters,
            conditions=conditions,
        )

    def read_text(self, part: str) -> Text | Opaque | None:
        """Return a part that is a string."""
        value = self.parts.get(part)
        return value if value is None or isinstance(value, Text | Opaque) else Opaque("not a string", self.span)

    def read_annotations(self) -> Json | Opaque | None:
        """Return the annotations."""
        value = self.parts.get("annotations")
        if value is None or isinstance(value, Opaque):
            return value
        if not isinstance(value, dict):
            return Opaque("the annotations are created in code", self.span)
        return find_unread(value, self.span) or {str(key): part for key, part in value.items()}


@dataclass(frozen=True, slots=True)
class Maker:
    """Recognizes the expressions that make tools."""

    items: RustItems

    def read_constructor(self, call: Node, place: ExpressionPlace) -> ToolExpression | None:
        """Read `Tool::new(..)` and the builder calls on it; `call` is the innermost of them."""
        function = find_child(call, "function")
        names = read_segments(function) if function is not None else ()
        if len(names) < 2 or names[-1] not in ("new", "new_with_raw") or not self._is_tool(names[-2], place.path):
            return None
        arguments = list_arguments(call)
        if len(arguments) not in (2, 3):
            return None
        folder = ConstantFolder(self.items)
        keys = ("name", "description", "input") if len(arguments) == 3 else ("name", "input")
        parts = {key: folder.fold(argument, place) for key, argument in zip(keys, arguments, strict=True)}
        outer = call
        while (step := find_next_call(outer)) is not None:
            self.build(step, parts, place)
            outer = step
        return ToolExpression(self.items.locate_node(place.path, outer), parts)

    def _is_tool(self, name: str, path: str) -> bool:
        used = self.items.read_uses(path).names.get(name)
        return MADE.fullmatch(used[-1] if used else name) is not None

    def build(self, call: Node, parts: dict[str, Folded], place: ExpressionPlace) -> None:
        """Put into the parts of a tool what a builder call sets."""
        function = find_child(call, "function")
        if function is None:
            return
        generic = function.type == "generic_function"
        field = find_child(function, "function") if generic else function
        name = decode_node(find_child(field, "field") or call)
        arguments = list_arguments(call)
        if generic and name in ("with_input_schema", "with_output_schema"):
            types = find_child(function, "type_arguments")
            if types is not None and types.named_children:
                parts[name.split("_")[1]] = OfType(
                    types.named_children[0], place.path, WAYS[f"schema_for_{name.split('_')[1]}"]
                )
        elif name in ("annotate", "with_annotations") and arguments:
            parts["annotations"] = self.read_annotations(arguments[0], place)
        elif arguments and (key := BUILDERS.get(name)) is not None:
            parts[key] = ConstantFolder(self.items).fold(arguments[0], place)

    def read_literal(self, literal: Node, place: ExpressionPlace) -> ToolExpression | None:
        """Read `Tool { name: .., .. }` and the like.

        A literal names every field of its type. One without a schema is of a type of the project's own that has none, or takes
        it with `..other`: then it is not known here, for the protocol's type does not compile without.
        """
        names = type_of(literal, place.anchor)
        if not names or MADE.fullmatch(names[-1]) is None:
            return None
        parts = self._collect_parts(literal, place)
        if "name" not in parts and (key := self._get_key(literal, place)) is not None:
            parts["name"] = key
        if "name" not in parts or not parts.keys() & {"description", "input"}:
            return None
        span = self.items.locate_node(place.path, literal)
        parts.setdefault("input", Opaque(f"`{names[-1]}` gets its schema in another place", span))
        return ToolExpression(span, parts)

    def _collect_parts(self, literal: Node, place: ExpressionPlace) -> dict[str, Folded]:
        """Read the fields of a literal that describe a tool, with those that it takes over by `..other`."""
        values = map_initializers(literal)
        parts = self._collect_base(literal, place)
        for key, fields in FIELDS.items():
            value = next((values[name] for name in fields if name in values), None)
            if value is not None:
                parts[key] = self._read_part(key, value, place)
        return parts

    def _read_part(self, key: str, value: Node, place: ExpressionPlace) -> Folded:
        if key == "annotations":
            return self.read_annotations(value, place)
        read = ConstantFolder(self.items).fold(value, place)
        if key in TEXTS and read == {}:  # what `Default::default()` gives is a text where one is wanted
            return Text("", self.items.locate_node(place.path, value))
        if key == "input" and isinstance(read, Opaque) and value.type in ("identifier", "scoped_identifier"):
            return self._read_function_schema(value, place) or read
        return read

    def _read_function_schema(self, named: Node, place: ExpressionPlace) -> Folded:
        """Read the schema that a function makes whose name is given in its place: `schema: lending`."""
        found = self.items.resolve(read_segments(named), place.path, "fn", near=place.anchor or named)
        body = find_child(found.node, "body") if isinstance(found, RustItem) else None
        if not isinstance(found, RustItem) or body is None or list_field_children(found.node, "parameters"):
            return None
        return ConstantFolder(self.items).fold(body, ExpressionPlace(found.path, {}, None, place.depth + 1))

    def _collect_base(self, literal: Node, place: ExpressionPlace) -> dict[str, Folded]:
        """Return the fields that a literal takes from `..Default::default()` or another default of its type."""
        base = next(
            (part for part in list_field_children(literal, "body") if part.type == "base_field_initializer"), None
        )
        function = find_child(base.named_children[0], "function") if base is not None and base.named_children else None
        if base is None or function is None or read_segments(function)[-1:] != ("default",):
            return {}
        near = place.anchor or literal
        type_ = type_of(literal, place.anchor)
        declared = self.items.resolve(type_, place.path, "struct", near=near)
        if not isinstance(declared, RustItem):
            return {}
        if any("Default" in decode_node(each) for each in iter_attributes_before(declared.node)):
            fields = {
                decode_node(find_child(part, "name") or part) for part in list_field_children(declared.node, "body")
            }
            return {key: None for key in ("description", "input") if fields.intersection(FIELDS[key])}
        made = self.items.resolve((*type_, "default"), place.path, "fn", near=near)
        body = find_child(made.node, "body") if isinstance(made, RustItem) else None
        given = find_result(body) if body is not None else None
        if given is None or not isinstance(made, RustItem) or given.type != "struct_expression":
            return {}
        return (
            {**self._collect_parts(given, ExpressionPlace(made.path, {}, None, place.depth + 1))}
            if place.depth < LEVELS
            else {}
        )

    def _get_key(self, literal: Node, place: ExpressionPlace) -> Folded:
        """Return the name that a description without one is kept under: `("lend", ..)`, `insert("lend", ..)`, `"lend" => ..`."""
        node, around = literal, literal.parent
        while around is not None and around.type in AROUND and not _has_two(around):
            node, around = around, around.parent
        if around is None:
            return None
        if around.type == "match_arm":
            text = evaluate_string(_unwrap_pattern(find_child(around, "pattern") or around))
            return Text(text, self.items.locate_node(place.path, around)) if text is not None else None
        parts = [part for part in around.named_children if part.type not in tokens.BESIDE]
        if around.type not in ("tuple_expression", "arguments") or len(parts) != 2 or parts[1] != node:
            return None
        key = ConstantFolder(self.items).fold(parts[0], place)
        return key if isinstance(key, Text) else None

    def read_json(self, value: Any, span: Span, *, listed: bool = False) -> list[ToolExpression]:
        """Find the tools in a JSON value: objects with a name and a schema, or a description where `tools` are `listed`."""
        if isinstance(value, list):
            return [made for part in value for made in self.read_json(part, span, listed=listed)]
        if not isinstance(value, dict):
            return []
        telling = {"inputSchema", "input_schema", *(("description",) if listed else ())}
        if "name" in value and not telling.isdisjoint(value):
            parts = {
                key: value[name]
                for key, names in FIELDS.items()
                for name in names[:2]
                if name in value and name != "parameters"
            }
            parts.setdefault("input", None)
            name = parts["name"]
            return [ToolExpression(name.span if isinstance(name, Text | Opaque) else span, parts)]
        return [made for key, part in value.items() for made in self.read_json(part, span, listed=key == "tools")]

    def read_annotations(self, node: Node, place: ExpressionPlace) -> Folded:
        """Read `ToolAnnotations` in its forms: builder, literal, constructor, JSON."""
        if node.type == "call_expression":
            function, arguments = find_child(node, "function"), list_arguments(node)
            if function is not None and function.type == "field_expression":
                return self._read_hint_call(node, function, arguments, place)
            names = read_segments(function) if function is not None else ()
            if names[-1:] in (("Some",), ("from",)) and len(arguments) == 1:
                return self.read_annotations(arguments[0], place)
            if names[-2:-1] == ("ToolAnnotations",):
                return self._read_hint_constructor(names[-1], arguments, place)
        if node.type == "struct_expression":
            return self._get_literal_hints(node, place)
        return ConstantFolder(self.items).fold(node, place)

    def _read_hint_call(self, node: Node, function: Node, arguments: list[Node], place: ExpressionPlace) -> Folded:
        value, name = find_child(function, "value"), decode_node(find_child(function, "field") or node)
        before = self.read_annotations(value, place) if value is not None else None
        if not isinstance(before, dict) or name not in HINTS or len(arguments) != 1:
            return before if name in ("into", "clone") else ConstantFolder(self.items).build_unknown(node, place)
        return {**before, HINTS[name]: ConstantFolder(self.items).fold(arguments[0], place)}

    def _read_hint_constructor(self, name: str, arguments: list[Node], place: ExpressionPlace) -> Folded:
        folder = ConstantFolder(self.items)
        values = [folder.fold(argument, place) for argument in arguments]
        if name in ("new", "default"):
            return {}
        if name == "from_raw" and len(values) == len(RAW_HINTS):
            return {key: value for key, value in zip(RAW_HINTS, values, strict=True) if value is not None}
        if name in HINTS and len(values) == 1:
            return {HINTS[name]: values[0]}
        return (
            Opaque("the annotations are created in code", self.items.locate_node(place.path, arguments[0]))
            if arguments
            else {}
        )

    def _get_literal_hints(self, node: Node, place: ExpressionPlace) -> Folded:
        folder = ConstantFolder(self.items)
        found = {}
        for name, value in map_initializers(node).items():
            key = re.sub(r"_(\w)", lambda hit: hit[1].upper(), name)
            read = folder.fold(value, place)
            if key in RAW_HINTS and read is not None:
                found[key] = read
        return found


LEVELS = 12
"""Defaults that are followed one to the next; one that refers to itself ends here. No server of 35 had any."""

# `Default::default()` reads as an empty map; in these fields it is an empty text.
TEXTS = frozenset({"name", "description", "title"})
AROUND = frozenset("arguments call_expression block expression_statement parenthesized_expression".split())
"""What may stand between a description and what keeps it under its name: `Some(..)`, `Box::new(..)`, a block."""


def _has_two(node: Node) -> bool:
    return (
        node.type == "arguments" and len([part for part in node.named_children if part.type not in tokens.BESIDE]) == 2
    )


def _unwrap_pattern(node: Node) -> Node:
    """Return the only element of a pattern; the pattern itself if it has several."""
    return node.named_children[0] if node.type == "match_pattern" and len(node.named_children) == 1 else node


BUILDERS = {
    "with_title": "title",
    "with_description": "description",
    "with_raw_output_schema": "output",
    "with_raw_input_schema": "input",
    "with_input_schema": "input",
}


def find_next_call(call: Node) -> Node | None:
    """Return the method call that is made on a call's result."""
    field = call.parent
    if field is None or field.type != "field_expression" or find_child(field, "value") != call:
        return None
    around = field.parent
    if around is not None and around.type == "generic_function":
        around = find_parent(around)
    return around if around is not None and around.type == "call_expression" else None


def move_to(making: ToolExpression, span: Span | None) -> ToolExpression:
    """Move a tool to the call that asks a function of the project to make it."""
    return replace(making, span=span) if span is not None else making
