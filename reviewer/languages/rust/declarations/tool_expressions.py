"""Expressions that make one tool: `Tool::new(..)` with its builder calls, struct literals, JSON objects."""

import re
from dataclasses import replace
from typing import Any

from tree_sitter import Node

from reviewer.facts import Condition, Json, Tool
from reviewer.languages.nodes import child, named_in, parent_of, string_of
from reviewer.languages.rust.evaluation.folding import WAYS, ConstantFolder, ExpressionPlace, Folded, OfType, unread
from reviewer.languages.rust.evaluation.literals import string_value
from reviewer.languages.rust.evaluation.structs import initializers, type_of
from reviewer.languages.rust.project.def_use import IGNORED, arguments_of, result_of
from reviewer.languages.rust.project.items import RustItem, RustItems, attributes_before
from reviewer.languages.rust.project.uses import segments
from reviewer.records import dataclass
from reviewer.schema import rust as schemas
from reviewer.source import Opaque, Span, Text
from reviewer.text.patterns import pattern

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

    def tool(self, items: RustItems, conditions: tuple[Condition, ...]) -> Tool | Opaque:
        """Return the tool, or say that its name is not known."""
        name = self.parts.get("name")
        if not isinstance(name, Text):
            reason = name.reason if isinstance(name, Opaque) else "it is not a string"
            return Opaque(f"a tool is listed whose name cannot be read: {reason}", self.span)
        lacks_schema = "input" in self.parts and self.parts["input"] is None
        schema, parameters = (None, ()) if lacks_schema else schemas.of_value(items, self.parts.get("input"), self.span)
        output = self.parts.get("output")
        return Tool(
            name=name,
            span=self.span,
            description=self.text("description"),
            title=self.text("title"),
            input_schema=schema,
            output_schema=schemas.of_value(items, output, self.span, output=True)[0] if output is not None else None,
            annotations=self.annotations(),
            parameters=parameters,
            conditions=conditions,
        )

    def text(self, part: str) -> Text | Opaque | None:
        """Return a part that is a string."""
        value = self.parts.get(part)
        return value if value is None or isinstance(value, Text | Opaque) else Opaque("not a string", self.span)

    def annotations(self) -> Json | Opaque | None:
        """Return the annotations."""
        value = self.parts.get("annotations")
        if value is None or isinstance(value, Opaque):
            return value
        if not isinstance(value, dict):
            return Opaque("the annotations are created in code", self.span)
        return unread(value, self.span) or {str(key): part for key, part in value.items()}


@dataclass(frozen=True, slots=True)
class Maker:
    """Recognizes the expressions that make tools."""

    items: RustItems

    def made_by_call(self, call: Node, place: ExpressionPlace) -> ToolExpression | None:
        """Read `Tool::new(..)` and the builder calls on it; `call` is the innermost of them."""
        function = child(call, "function")
        names = segments(function) if function is not None else ()
        if len(names) < 2 or names[-1] not in ("new", "new_with_raw") or not self._is_tool(names[-2], place.path):
            return None
        arguments = arguments_of(call)
        if len(arguments) not in (2, 3):
            return None
        folder = ConstantFolder(self.items)
        keys = ("name", "description", "input") if len(arguments) == 3 else ("name", "input")
        parts = {key: folder.fold(argument, place) for key, argument in zip(keys, arguments, strict=True)}
        outer = call
        while (step := next_call(outer)) is not None:
            self.build(step, parts, place)
            outer = step
        return ToolExpression(self.items.span(place.path, outer), parts)

    def _is_tool(self, name: str, path: str) -> bool:
        used = self.items.uses(path).names.get(name)
        return MADE.fullmatch(used[-1] if used else name) is not None

    def build(self, call: Node, parts: dict[str, Folded], place: ExpressionPlace) -> None:
        """Put into the parts of a tool what a builder call sets."""
        function = child(call, "function")
        if function is None:
            return
        generic = function.type == "generic_function"
        field = child(function, "function") if generic else function
        name = string_of(child(field, "field") or call)
        arguments = arguments_of(call)
        if generic and name in ("with_input_schema", "with_output_schema"):
            types = child(function, "type_arguments")
            if types is not None and types.named_children:
                parts[name.split("_")[1]] = OfType(
                    types.named_children[0], place.path, WAYS[f"schema_for_{name.split('_')[1]}"]
                )
        elif name in ("annotate", "with_annotations") and arguments:
            parts["annotations"] = self.annotations(arguments[0], place)
        elif arguments and (key := BUILDERS.get(name)) is not None:
            parts[key] = ConstantFolder(self.items).fold(arguments[0], place)

    def made_by_literal(self, literal: Node, place: ExpressionPlace) -> ToolExpression | None:
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
        span = self.items.span(place.path, literal)
        parts.setdefault("input", Opaque(f"`{names[-1]}` gets its schema in another place", span))
        return ToolExpression(span, parts)

    def _collect_parts(self, literal: Node, place: ExpressionPlace) -> dict[str, Folded]:
        """Read the fields of a literal that describe a tool, with those that it takes over by `..other`."""
        values = initializers(literal)
        parts = self._collect_base(literal, place)
        for key, fields in FIELDS.items():
            value = next((values[name] for name in fields if name in values), None)
            if value is not None:
                parts[key] = self._part(key, value, place)
        return parts

    def _part(self, key: str, value: Node, place: ExpressionPlace) -> Folded:
        if key == "annotations":
            return self.annotations(value, place)
        read = ConstantFolder(self.items).fold(value, place)
        if key in TEXTS and read == {}:  # what `Default::default()` gives is a text where one is wanted
            return Text("", self.items.span(place.path, value))
        if key == "input" and isinstance(read, Opaque) and value.type in ("identifier", "scoped_identifier"):
            return self._get_pointed(value, place) or read
        return read

    def _get_pointed(self, named: Node, place: ExpressionPlace) -> Folded:
        """Read the schema that a function makes whose name is given in its place: `schema: lending`."""
        found = self.items.resolve(segments(named), place.path, "fn", near=place.anchor or named)
        body = child(found.node, "body") if isinstance(found, RustItem) else None
        if not isinstance(found, RustItem) or body is None or named_in(found.node, "parameters"):
            return None
        return ConstantFolder(self.items).fold(body, ExpressionPlace(found.path, {}, None, place.depth + 1))

    def _collect_base(self, literal: Node, place: ExpressionPlace) -> dict[str, Folded]:
        """Return what a literal takes over by `..Default::default()` or from another default of its type."""
        base = next((part for part in named_in(literal, "body") if part.type == "base_field_initializer"), None)
        function = child(base.named_children[0], "function") if base is not None and base.named_children else None
        if base is None or function is None or segments(function)[-1:] != ("default",):
            return {}
        near = place.anchor or literal
        type_ = type_of(literal, place.anchor)
        declared = self.items.resolve(type_, place.path, "struct", near=near)
        if not isinstance(declared, RustItem):
            return {}
        if any("Default" in string_of(each) for each in attributes_before(declared.node)):
            fields = {string_of(child(part, "name") or part) for part in named_in(declared.node, "body")}
            return {key: None for key in ("description", "input") if fields.intersection(FIELDS[key])}
        made = self.items.resolve((*type_, "default"), place.path, "fn", near=near)
        body = child(made.node, "body") if isinstance(made, RustItem) else None
        given = result_of(body) if body is not None else None
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
            text = string_value(_only(child(around, "pattern") or around))
            return Text(text, self.items.span(place.path, around)) if text is not None else None
        parts = [part for part in around.named_children if part.type not in IGNORED]
        if around.type not in ("tuple_expression", "arguments") or len(parts) != 2 or parts[1] != node:
            return None
        key = ConstantFolder(self.items).fold(parts[0], place)
        return key if isinstance(key, Text) else None

    def made_of_json(self, value: Any, span: Span, *, listed: bool = False) -> list[ToolExpression]:
        """Find the tools in a JSON value: objects with a name and a schema, or a description where `tools` are `listed`."""
        if isinstance(value, list):
            return [made for part in value for made in self.made_of_json(part, span, listed=listed)]
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
        return [made for key, part in value.items() for made in self.made_of_json(part, span, listed=key == "tools")]

    def annotations(self, node: Node, place: ExpressionPlace) -> Folded:
        """Read `ToolAnnotations` in its forms: builder, literal, constructor, JSON."""
        if node.type == "call_expression":
            function, arguments = child(node, "function"), arguments_of(node)
            if function is not None and function.type == "field_expression":
                return self._get_hinted(node, function, arguments, place)
            names = segments(function) if function is not None else ()
            if names[-1:] in (("Some",), ("from",)) and len(arguments) == 1:
                return self.annotations(arguments[0], place)
            if names[-2:-1] == ("ToolAnnotations",):
                return self._get_constructed(names[-1], arguments, place)
        if node.type == "struct_expression":
            return self._get_literal_hints(node, place)
        return ConstantFolder(self.items).fold(node, place)

    def _get_hinted(self, node: Node, function: Node, arguments: list[Node], place: ExpressionPlace) -> Folded:
        value, name = child(function, "value"), string_of(child(function, "field") or node)
        before = self.annotations(value, place) if value is not None else None
        if not isinstance(before, dict) or name not in HINTS or len(arguments) != 1:
            return before if name in ("into", "clone") else ConstantFolder(self.items).unknown(node, place)
        return {**before, HINTS[name]: ConstantFolder(self.items).fold(arguments[0], place)}

    def _get_constructed(self, name: str, arguments: list[Node], place: ExpressionPlace) -> Folded:
        folder = ConstantFolder(self.items)
        values = [folder.fold(argument, place) for argument in arguments]
        if name in ("new", "default"):
            return {}
        if name == "from_raw" and len(values) == len(RAW_HINTS):
            return {key: value for key, value in zip(RAW_HINTS, values, strict=True) if value is not None}
        if name in HINTS and len(values) == 1:
            return {HINTS[name]: values[0]}
        return (
            Opaque("the annotations are created in code", self.items.span(place.path, arguments[0]))
            if arguments
            else {}
        )

    def _get_literal_hints(self, node: Node, place: ExpressionPlace) -> Folded:
        folder = ConstantFolder(self.items)
        found = {}
        for name, value in initializers(node).items():
            key = re.sub(r"_(\w)", lambda hit: hit[1].upper(), name)
            read = folder.fold(value, place)
            if key in RAW_HINTS and read is not None:
                found[key] = read
        return found


LEVELS = 12
"""How many defaults are followed one through another."""

TEXTS = frozenset({"name", "description", "title"})
AROUND = frozenset("arguments call_expression block expression_statement parenthesized_expression".split())
"""What may stand between a description and what keeps it under its name: `Some(..)`, `Box::new(..)`, a block."""


def _has_two(node: Node) -> bool:
    return node.type == "arguments" and len([part for part in node.named_children if part.type not in IGNORED]) == 2


def _only(node: Node) -> Node:
    """Return what a pattern holds, if it holds nothing else."""
    return node.named_children[0] if node.type == "match_pattern" and len(node.named_children) == 1 else node


BUILDERS = {
    "with_title": "title",
    "with_description": "description",
    "with_raw_output_schema": "output",
    "with_raw_input_schema": "input",
    "with_input_schema": "input",
}


def next_call(call: Node) -> Node | None:
    """Return the method call that is made on a call's result."""
    field = call.parent
    if field is None or field.type != "field_expression" or child(field, "value") != call:
        return None
    around = field.parent
    if around is not None and around.type == "generic_function":
        around = parent_of(around)
    return around if around is not None and around.type == "call_expression" else None


def at(making: ToolExpression, span: Span | None) -> ToolExpression:
    """Move a tool to the call that asks a function of the project to make it."""
    return replace(making, span=span) if span is not None else making
