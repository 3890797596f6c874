"""Expressions whose value is known before any run: strings, JSON, constants, and the project's functions that give them."""

import json
import posixpath
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_nearest_of_kinds, list_field_children
from reviewer.languages.rust.declarations import variants
from reviewer.languages.rust.evaluation import fillings, generics, instances, iterations, structs
from reviewer.languages.rust.evaluation.folder import Folder
from reviewer.languages.rust.evaluation.literals import evaluate_scalar, evaluate_string
from reviewer.languages.rust.evaluation.values import ExpressionPlace, Folded, MethodAnswers, OfType
from reviewer.languages.rust.project.def_use import (
    UNCHANGING,
    find_binding,
    find_held_name,
    find_impl_type,
    find_object_branch,
    find_result,
    list_arguments,
)
from reviewer.languages.rust.project.items import RustItem, RustItems
from reviewer.languages.rust.project.uses import read_segments
from reviewer.languages.rust.syntax import tokens
from reviewer.source import Opaque, Span, Text
from reviewer.text.patterns import pattern

DEPTH = 12
"""Calls and constants that are followed one to the next; a deeper value is unknown. 40 servers had up to 3."""

LEVELS = 60
"""Nested expressions: each level takes several frames of Python's stack, which has 1,000. 40 servers had up to 22."""

# `literals.py` reads them.
LITERALS = frozenset(
    {"string_literal", "raw_string_literal", "integer_literal", "float_literal", "boolean_literal", "char_literal"}
)
OBJECT = "object"
"""The function of rmcp's `model` that gives a JSON object as a map, unless the project has one of that name."""

# These leave a value what it is, as far as JSON goes: a `?` only matters where the value is an error.
WRAPPERS = frozenset(
    {"reference_expression", "parenthesized_expression", "try_expression", "type_cast_expression", "await_expression"}
)

# Each gives its one argument in another form, and JSON has one form for all of them. By the last two parts of a path,
# since the module before them is mostly imported.
CONVERSIONS = frozenset(
    "Some Ok Arc::new Arc::from Rc::new Box::new Box::from String::from Cow::Borrowed Cow::Owned Cow::from "
    "Value::String Value::Object Value::Array Value::Bool Value::from Value::Number Map::from_iter serde_json::from_value "
    "serde_json::to_value from_value to_value Into::into String::into HashMap::from BTreeMap::from Vec::from ToString::to_string "
    "LazyLock::new Lazy::new Parameters Map::from Schema::from Schema::try_from".split()
)
# A brace that is meant, a place that is filled without a width or a precision, or text between them.
PLACEHOLDER = pattern(r"\{\{|\}\}|\{([^{}:]*)\}|\{[^{}]*\}|[^{}]+")
# What begins an object that `insert` fills.
EMPTY = frozenset(
    "Map::new JsonObject::new JsonObject::default Map::default HashMap::new BTreeMap::new Default::default".split()
)
# As `EMPTY`, for fields that are texts.
EMPTY_TEXTS = frozenset({"String::new", "String::default"})
PARSER = "serde_json::from_str"
"""What reads JSON out of a text."""
# rmcp's functions of a type, and those of projects that have such a name and call one of them.
SCHEMAS = frozenset(
    "schema_for_type schema_for_input schema_for_output schema_for schema_for_empty_input cached_schema_for_type".split()
)
WAYS: dict[str, Literal["input", "output"]] = {"schema_for_input": "input", "schema_for_output": "output"}
# serde_json's `json!`, rmcp's `object!`, and schemars' `json_schema!`: all take JSON.
JSON_MACROS = frozenset({"json", "object", "json_schema"})


class ConstantFolder(Folder):
    """Reads expressions with the declarations of one tree at hand."""

    def __init__(self, items: RustItems) -> None:
        super().__init__(items)
        self._level = 0

    def fold_text(self, node: Node, path: str) -> Text | Opaque:
        """Read an expression that gives a string."""
        value = self.fold(node, ExpressionPlace(path, {}))
        return value if isinstance(value, Text | Opaque) else Opaque("not a string", self.items.locate_node(path, node))

    def fold(self, node: Node | None, place: ExpressionPlace) -> Folded:
        """Read any expression."""
        if node is None:
            return None
        if place.depth > DEPTH or self._level > LEVELS:
            return self.build_unknown(node, place)
        self._level += 1
        try:
            return self._fold(node, place)
        finally:
            self._level -= 1

    def _fold(self, node: Node, place: ExpressionPlace) -> Folded:
        if node.type in LITERALS:
            return self._evaluate_literal(node, place)
        if node.type in WRAPPERS:
            inner = find_child(node, "value") or next(
                (part for part in node.named_children if part.type not in tokens.COMMENTS), None
            )
            return self.fold(inner, place) if inner is not None else self.build_unknown(node, place)
        read = READERS.get(node.type)
        return read(self, node, place) if read is not None else self.build_unknown(node, place)

    def _evaluate_literal(self, node: Node, place: ExpressionPlace) -> Folded:
        value = evaluate_scalar(node)
        if isinstance(value, str):
            return Text(value, self.get_span(node, place))
        return value if value is not None else self.build_unknown(node, place)

    def _evaluate_negative(self, node: Node, place: ExpressionPlace) -> Folded:
        value = self.fold(node.named_children[0], place) if node.named_children else None
        if decode_node(node).startswith("-") and isinstance(value, int | float) and not isinstance(value, bool):
            return -value
        if decode_node(node).startswith("!") and isinstance(value, bool):
            return not value
        return value if decode_node(node).startswith("*") else self.build_unknown(node, place)

    def _evaluate_array(self, node: Node, place: ExpressionPlace) -> Folded:
        if find_child(node, "length") is not None:
            return self.build_unknown(node, place)
        return [self.fold(part, place) for part in node.named_children if part.type not in tokens.BESIDE]

    def _block(self, node: Node, place: ExpressionPlace) -> Folded:
        last = find_result(node, lambda part: self._fits(part, place))
        return self.fold(last, place) if last is not None else self.build_unknown(node, place)

    def _fits(self, binding: Node, place: ExpressionPlace) -> bool:
        """Return whether `let Value::Object(map) = value else { .. }` surely takes its value: it is an object."""
        held, value = find_held_name(find_child(binding, "pattern")), find_child(binding, "value")
        return held is not None and isinstance(self.fold(value, place), dict)

    def _evaluate_branch(self, node: Node, place: ExpressionPlace) -> Folded:
        """Read `match value { Value::Object(object) => .., .. }` for an object, a variant or a text that is known."""
        if node.type == "match_expression" and (taken := self.select_arm(node, place)) is not None:
            return self.fold(taken, place)
        branch = find_object_branch(node)
        asked = find_child(node, "value") or find_child(find_child(node, "condition"), "value")
        value = self.fold(asked, place) if branch is not None else None
        if branch is None or not isinstance(value, dict | OfType):
            return self.build_unknown(node, place)
        name, taken = branch
        return self.fold(taken, replace(place, names={**place.names, name: value}))

    def select_arm(self, match: Node, place: ExpressionPlace) -> Node | None:
        """Return the arm that a `match` surely takes."""
        asked = find_child(match, "value")
        return variants.select_arm(match, self.fold(asked, place)) if asked is not None else None

    def _evaluate_identifier(self, node: Node, place: ExpressionPlace) -> Folded:
        name = decode_node(node)
        if name == "None":
            return None
        if name in place.names:
            changing = _find_changing(name, node)
            given = place.names[name]
            return given if changing is None else fillings.apply_insertions(self, name, given, changing, place)
        local = find_binding(name, node, place.anchor)
        if local is None:
            return self._evaluate_constant((name,), node, place)
        value, block = local
        if value is None:
            return structs.evaluate_taken_field(self, name, node, place)
        given = self.fold(value, place)
        return fillings.apply_insertions(self, name, given, block, place) if block is not None else given

    def _evaluate_path(self, node: Node, place: ExpressionPlace) -> Folded:
        return self._evaluate_constant(read_segments(node), node, place)

    def _evaluate_constant(self, names: tuple[str, ...], node: Node, place: ExpressionPlace) -> Folded:
        if names[0] == "Self":
            owner = find_impl_type(node) or (find_impl_type(place.anchor) if place.anchor is not None else None)
            names = (owner or "Self", *names[1:])
        names, path = generics.find_meant_owner(names, place)
        found = self.items.resolve(names, path, "const", near=place.anchor or node)
        if isinstance(found, Opaque):
            return Opaque(found.reason, self.get_span(node, place))
        value = find_child(found.node, "value") if found is not None else None
        if found is None or value is None:
            return variants.resolve_variant(self, names, node, place) or self.build_unknown(node, place)
        return self.fold(value, ExpressionPlace(found.path, {}, None, place.depth + 1))

    def _evaluate_macro(self, node: Node, place: ExpressionPlace) -> Folded:
        name = decode_node(find_child(node, "macro") or node).rpartition("::")[2]
        tree = next((part for part in node.named_children if part.type == "token_tree"), None)
        if tree is None:
            return self.build_unknown(node, place)
        inside = replace(place, anchor=place.anchor or node)
        if name in JSON_MACROS:
            return self.fold_json(tokens.strip_brackets(tree), inside, tree)
        if name == "vec":
            return [self._evaluate_tokens(part, inside) for part in tokens.split(tokens.strip_brackets(tree))]
        if name == "concat":
            return self._join(
                node, [self._evaluate_tokens(part, inside) for part in tokens.split(tokens.strip_brackets(tree))], place
            )
        if name == "format":
            return self._format(node, tree, place)
        if name == "matches":
            return self._match(node, list(tokens.split(tokens.strip_brackets(tree))), inside)
        if name == "stringify":
            return Text(decode_node(tree)[1:-1].strip(), self.get_span(node, place))
        if name == "schema_for":
            return OfType(*generics.resolve_type(self.items, tree, place), "macro")
        if name == "include_str":
            return self._evaluate_included(
                node, [self._evaluate_tokens(part, inside) for part in tokens.split(tokens.strip_brackets(tree))], place
            )
        return self.build_unknown(node, place)

    def _join(self, node: Node, parts: list[Folded], place: ExpressionPlace) -> Folded:
        opaque = next((part for part in parts if isinstance(part, Opaque)), None)
        if opaque is not None:
            return opaque
        return Text("".join(_get_shown_value(part) for part in parts), self.get_span(node, place))

    def _match(self, node: Node, parts: list[list[Node]], place: ExpressionPlace) -> Folded:
        """Read `matches!(name, "lend" | "return")` where the text is known and the pattern only names texts."""
        given = self._evaluate_tokens(parts[0], place) if len(parts) == 2 else None
        ways = [evaluate_string(way[0]) if len(way) == 1 else None for way in tokens.split(parts[-1], "|")]
        return str(given) in ways if isinstance(given, Text) and None not in ways else self.build_unknown(node, place)

    def _format(self, node: Node, tree: Node, place: ExpressionPlace) -> Folded:
        """Read `format!("{LIMIT} rows, {}", about)` where all that is filled in is known, each as it is shown."""
        parts = list(tokens.split(tokens.strip_brackets(tree)))
        text = evaluate_string(parts[0][0]) if parts and len(parts[0]) == 1 else None
        if text is None:
            return self.build_unknown(node, place)
        inside = replace(place, anchor=place.anchor or node)
        named = {decode_node(part[0]): part[2:] for part in parts[1:] if len(part) > 2 and part[1].type == "="}
        rest = iter([part for part in parts[1:] if not (len(part) > 2 and part[1].type == "=")])
        made: list[str] = []
        for hit in PLACEHOLDER.finditer(text):
            if hit[0] in ("{{", "}}") or not hit[0].startswith("{"):
                made.append(hit[0][:1] if hit[0] in ("{{", "}}") else hit[0])
                continue
            word = hit[1]
            if not word:
                value = self._evaluate_tokens(next(rest, []), inside)
            elif word in named:
                value = self._evaluate_tokens(named[word], inside)
            else:
                value = self._evaluate_name(word, node, place) if word.isidentifier() else None
            if isinstance(value, bool) or not isinstance(value, str | int):
                return self.build_unknown(node, place)
            made.append(str(value))
        return Text("".join(made), self.get_span(node, place))

    def _evaluate_name(self, name: str, near: Node, place: ExpressionPlace) -> Folded:
        """Read what a name means that stands in the text of `format!`."""
        if name in place.names:
            return place.names[name]
        local = find_binding(name, near, place.anchor)
        if local is None:
            return self._evaluate_constant((name,), near, place)
        if local[0] is None:
            return structs.evaluate_taken_field(self, name, near, place)
        return self.fold(local[0], place) if local[1] is None else None

    def _evaluate_included(self, node: Node, parts: list[Folded], place: ExpressionPlace) -> Folded:
        name = parts[0] if len(parts) == 1 else None
        if not isinstance(name, Text):
            return self.build_unknown(node, place)
        file = posixpath.normpath(posixpath.join(posixpath.dirname(place.path), name))
        if f"{file}/".startswith(("../", "/")):
            return Opaque(f"`{name}` lies outside of the reviewed folder", self.get_span(node, place))
        text = self.items.file_text(file)
        return (
            Text(text, self.get_span(node, place))
            if text is not None
            else Opaque(f"`{name}` cannot be read", self.get_span(node, place))
        )

    def _call(self, node: Node, place: ExpressionPlace) -> Folded:
        function = find_child(node, "function")
        if function is None:
            return self.build_unknown(node, place)
        if function.type == "field_expression":
            return self._evaluate_method_call(node, function, place)
        if function.type == "parenthesized_expression" and not list_arguments(node):
            return self.fold(function, place)
        made = iterations.evaluate_collect(self, function, place) if function.type == "generic_function" else None
        return made if made is not None else self._evaluate_path_call(node, function, place)

    def _evaluate_path_call(self, node: Node, function: Node, place: ExpressionPlace) -> Folded:
        names = read_segments(function)
        schema = _find_schema_type(function, names)
        if schema is not None:
            return OfType(*generics.resolve_type(self.items, schema, place), WAYS.get(names[-1], "type"))
        arguments = list_arguments(node)
        short = "::".join(names[-2:])
        if (short in CONVERSIONS or names[-1] in CONVERSIONS) and len(arguments) == 1:
            return self.fold(_unwrap(arguments[0]), place)
        if short == PARSER and len(arguments) == 1:
            return self._parse(node, self.fold(_unwrap(arguments[0]), place), place)
        if short in EMPTY and not arguments:
            return {}
        if short in EMPTY_TEXTS and not arguments:
            return Text("", self.get_span(node, place))
        if not arguments and (every := variants.enumerate_variants(self, names, node, place)) is not None:
            return every
        if names[-1] == OBJECT and len(arguments) == 1:
            if not isinstance(self.items.resolve(names, place.path, "fn", near=place.anchor or node), RustItem):
                return self.fold(_unwrap(arguments[0]), place)
        return self._evaluate_project_call(node, names, arguments, place)

    def _evaluate_function(self, node: Node, place: ExpressionPlace) -> Folded:
        """Read a function that is handed on, with its types, as what it gives: a closure is read as its body, too."""
        schema = _find_schema_type(node, names := read_segments(node))
        if schema is not None:
            return OfType(*generics.resolve_type(self.items, schema, place), WAYS.get(names[-1], "type"))
        return self.build_unknown(node, place)

    def _parse(self, node: Node, text: Folded, place: ExpressionPlace) -> Folded:
        """Read JSON that stands in a text: a literal, a constant, a file that is included."""
        if not isinstance(text, Text):
            return text if isinstance(text, Opaque) else self.build_unknown(node, place)
        try:
            return _evaluate_placed(json.loads(text), text.span)
        except (ValueError, RecursionError):
            return Opaque("the text that is parsed here is no JSON", self.get_span(node, place))

    def _evaluate_method_call(self, node: Node, function: Node, place: ExpressionPlace) -> Folded:
        name, value = decode_node(find_child(function, "field") or node), find_child(function, "value")
        if name in UNCHANGING and value is not None:
            return self.fold(value, place)
        owner = self.fold(value, place) if value is not None and value.type in ONE_VALUE else None
        if isinstance(owner, variants.UnitVariant):
            return self._evaluate_for_owner(owner, variants.resolve_method(self, owner, name), node, place)
        if isinstance(owner, structs.StructLiteral) and (method := structs.resolve_method(self, owner, name)):
            return self._evaluate_for_owner(owner, method, node, place)
        if name == "join" and value is not None:
            return iterations.join_texts(self, value, node, place)
        if value is not None and decode_node(value) == "self":
            return self._evaluate_project_call(
                node, (find_impl_type(node) or "Self", name), list_arguments(node), place
            )
        held = place.names.get(decode_node(value)) if value is not None else None
        if isinstance(held, MethodAnswers):
            given = held.answer(name) if not list_arguments(node) else None
            return given if given is not None else self.build_unknown(node, place)
        if (
            value is not None
            and not list_arguments(node)
            and (given := self._evaluate_for_type(value, name, place)) is not None
        ):
            return given
        made = iterations.evaluate_map(self, function, node, place)
        # Pairs may be collected to a map as well as to a list, and only a type would tell.
        return (
            made
            if made is not None and not any(isinstance(each, list) for each in made)
            else self.build_unknown(node, place)
        )

    def _evaluate_for_owner(
        self,
        held: variants.UnitVariant | structs.StructLiteral,
        method: RustItem | None,
        node: Node,
        place: ExpressionPlace,
    ) -> Folded:
        """Read what a method gives of the variant or the struct that it is called on."""
        if method is None:
            return self.build_unknown(node, place)
        given = bound(method.node, [self.fold(argument, place) for argument in list_arguments(node)])
        inside = ExpressionPlace(method.path, {**given, variants.SELF: held}, None, place.depth + 1)
        return self.fold(find_child(method.node, "body"), inside)

    def _evaluate_for_type(self, value: Node, name: str, place: ExpressionPlace) -> Folded:
        """Read what a method without arguments gives of any value of its type: `Lend.name()`, `Arc::new(Lend).name()`."""
        type_ = instances.type_of(value)
        found = self.items.resolve((*type_, name), place.path, "fn", near=place.anchor or value) if type_ else None
        if not isinstance(found, RustItem) or find_impl_type(found.node) is None:
            return None
        given = self.fold(find_child(found.node, "body"), ExpressionPlace(found.path, {}, None, place.depth + 1))
        return None if isinstance(given, Opaque) else given

    def _evaluate_project_call(
        self, node: Node, names: tuple[str, ...], arguments: list[Node], place: ExpressionPlace
    ) -> Folded:
        if names[0] == "Self":
            names = (find_impl_type(place.anchor or node) or "Self", *names[1:])
        names, path = generics.find_meant_owner(names, place)
        if len(names) == 1 and (closure := find_called_closure(node, place.anchor)) is not None:
            given = bound(closure, [self.fold(argument, place) for argument in arguments])
            inside = replace(place, names={**place.names, **given}, depth=place.depth + 1)
            return self.fold(find_child(closure, "body"), inside)
        found = self.items.resolve(names, path, "fn", near=place.anchor or node)
        body = find_child(found.node, "body") if isinstance(found, RustItem) else None
        if not isinstance(found, RustItem) or body is None:
            return self.build_unknown(node, place)
        given = bound(found.node, [self.fold(argument, place) for argument in arguments])
        given |= generics.bind_type_parameters(self.items, node, found, place)
        value = self.fold(body, ExpressionPlace(found.path, given, None, place.depth + 1))
        return self.build_unknown(node, place) if isinstance(value, Opaque) and not given else value

    def fold_json(self, parts: list[Node], place: ExpressionPlace, whole: Node) -> Folded:
        """Read the tokens of `json!`."""
        if self._level > LEVELS:
            return self.build_unknown(whole, place)
        self._level += 1
        try:
            return self._evaluate_json(parts, place, whole)
        finally:
            self._level -= 1

    def _evaluate_json(self, parts: list[Node], place: ExpressionPlace, whole: Node) -> Folded:
        if len(parts) == 1 and parts[0].type == "token_tree":
            opening = decode_node(parts[0])[:1]
            if opening == "{":
                return self._evaluate_object(parts[0], place)
            if opening == "[":
                return [self.fold_json(part, place, parts[0]) for part in tokens.split(tokens.strip_brackets(parts[0]))]
        if len(parts) == 1 and decode_node(parts[0]) == "null":
            return None
        return self._evaluate_tokens(parts, place) if parts else self.build_unknown(whole, place)

    def _evaluate_object(self, tree: Node, place: ExpressionPlace) -> Folded:
        found: dict[str, Folded] = {}
        for part in tokens.split(tokens.strip_brackets(tree)):
            colon = next((at for at, token in enumerate(part) if token.type == ":"), None)
            if colon is None:
                return self.build_unknown(tree, place)
            key = self._evaluate_tokens(_strip_parentheses(part[:colon]), place)
            if not isinstance(key, Text):
                return key if isinstance(key, Opaque) else self.build_unknown(tree, place)
            found[key] = self.fold_json(part[colon + 1 :], place, tree)
        return found

    def _evaluate_tokens(self, parts: list[Node], place: ExpressionPlace) -> Folded:
        node = tokens.parse_expression(self.items.sources[place.path], parts) if parts else None
        if node is None:
            return None
        if len(parts) > 1 and node.end_byte < parts[-1].end_byte:  # only its beginning reads as an expression
            return Opaque("an expression that is known at run time only", self.get_span(parts[0], place))
        return self.fold(node, place)


READERS: dict[str, Callable[[ConstantFolder, Node, ExpressionPlace], Folded]] = {
    "unary_expression": ConstantFolder._evaluate_negative,
    "array_expression": ConstantFolder._evaluate_array,
    "tuple_expression": ConstantFolder._evaluate_array,
    "block": ConstantFolder._block,
    "unsafe_block": ConstantFolder._block,
    "match_expression": ConstantFolder._evaluate_branch,
    "if_expression": ConstantFolder._evaluate_branch,
    "closure_expression": lambda folder, node, place: folder.fold(find_child(node, "body"), place),
    "identifier": ConstantFolder._evaluate_identifier,
    "self": lambda folder, node, place: place.names.get(variants.SELF, folder.build_unknown(node, place)),
    "scoped_identifier": ConstantFolder._evaluate_path,
    "macro_invocation": ConstantFolder._evaluate_macro,
    "call_expression": ConstantFolder._call,
    "generic_function": ConstantFolder._evaluate_function,
    "struct_expression": structs.serialize_literal,
    "field_expression": structs.evaluate_field,
}


ONE_VALUE = frozenset({"identifier", "scoped_identifier", "self"})
"""Expressions of which a method may be asked that are a variant."""


def bound(function: Node, arguments: list[Folded]) -> dict[str, Folded]:
    """Pair a function's or a closure's parameters with what it is called with."""
    is_closure = function.type == "closure_expression"
    names = [
        decode_node(find_child(part, "pattern") or part).removeprefix("mut ")
        for part in list_field_children(function, "parameters")
        if part.type == "parameter" or (is_closure and part.type not in tokens.COMMENTS)
    ]
    return dict(zip(names, arguments, strict=False))


def find_called_closure(call: Node, anchor: Node | None) -> Node | None:
    """Return the closure that a call of a local name calls: `let tool = |name| ..; tool("lend")`."""
    function = find_child(call, "function")
    if function is None or function.type != "identifier":
        return None
    found = find_binding(decode_node(function), function, anchor)
    value = found[0] if found is not None else None
    return value if value is not None and value.type == "closure_expression" else None


def _find_changing(name: str, node: Node) -> Node | None:
    """Return the body of the function or closure that declares a parameter which it may change: `mut name`."""
    around = find_nearest_of_kinds(node, "function_item", "closure_expression")
    while around is not None:
        for part in list_field_children(around, "parameters"):
            if part.type == "parameter" and decode_node(find_child(part, "pattern") or part) == name:
                changing = any(each.type == "mutable_specifier" for each in part.named_children)
                return find_child(around, "body") if changing else None
        around = find_nearest_of_kinds(around.parent, "closure_expression") if around.type != "function_item" else None
    return None


def _find_schema_type(function: Node, names: tuple[str, ...]) -> Node | None:
    """Return T of `schema_for_type::<T>`."""
    if function.type != "generic_function" or names[-1] not in SCHEMAS:
        return None
    types = find_child(function, "type_arguments")
    return types.named_children[0] if types is not None and types.named_children else None


def _evaluate_placed(found: object, span: Span) -> Folded:
    """Return JSON with the place of the text that it was read from."""
    if isinstance(found, dict):
        return {Text(key, span): _evaluate_placed(each, span) for key, each in found.items()}
    if isinstance(found, list):
        return [_evaluate_placed(each, span) for each in found]
    return Text(found, span) if isinstance(found, str) else found


def _unwrap(argument: Node) -> Node:
    """Look into a closure without parameters, as LazyLock::new takes one."""
    body = find_child(argument, "body") if argument.type == "closure_expression" else None
    return body if body is not None else argument


def _strip_parentheses(parts: list[Node]) -> list[Node]:
    if len(parts) == 1 and parts[0].type == "token_tree" and decode_node(parts[0]).startswith("("):
        return tokens.strip_brackets(parts[0])
    return parts


def _get_shown_value(value: Folded) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
