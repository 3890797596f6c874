"""What a function or a class declares, as syntax: its text, its parameters, its fields."""

import inspect
from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from reviewer.caching import cache_latest
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.evaluation.literals import evaluate_string
from reviewer.languages.python.evaluation.values import Const, PyClass, PyFunction
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass
from reviewer.source import Text

SignatureKind = Literal["positional-only", "normal", "keyword-only", "args", "kwargs"]


@dataclass(frozen=True, slots=True)
class SignatureParameter:
    """One parameter as written; `annotation` and `default` are expressions."""

    name: str
    node: Node
    kind: SignatureKind
    annotation: Node | None = None
    default: Node | None = None


def find_docstring(function: PyFunction) -> Text | None:
    """Return a function's docstring as `__doc__` has it on Python before 3.13, or None if it has none."""
    return _find_first_string(function.node, function.scope.module)


def find_class_docstring(cls: PyClass) -> Text | None:
    """Return a class's docstring, cleaned, or None if it has none."""
    assigned = cls.names.get("__doc__")
    if isinstance(assigned, Const) and isinstance(assigned.value, str):
        return clean_docstring(Text(assigned.value, assigned.span))
    text = find_raw_class_docstring(cls)
    return clean_docstring(text) if text is not None else None


def find_raw_class_docstring(cls: PyClass) -> Text | None:
    """Return the docstring that is written in a class's body, as written, or None if it has none."""
    return _find_first_string(cls.node, cls.scope.module)


def _find_first_string(definition: Node, module: PyModule) -> Text | None:
    body = find_child(definition, "body")
    first = list_children(body)[0] if body is not None and list_children(body) else None
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement" or not list_children(first):
        return None
    node = list_children(first)[0]
    while node.type == "parenthesized_expression" and list_children(node):
        node = list_children(node)[0]
    text = evaluate_string(node) if node.type in ("string", "concatenated_string") else None
    return Text(text, module.locate(node)) if text is not None else None


def clean_docstring(text: Text) -> Text:
    """Return a docstring as `inspect.cleandoc` leaves it."""
    return Text(inspect.cleandoc(text), text.span)


def read_signature(function: PyFunction) -> list[SignatureParameter]:
    """Read the parameters in order. A method that is reached through its object loses its first one elsewhere."""
    return list(_collect_signature(function.node))


@cache_latest(maxsize=2048)
def _collect_signature(definition: Node) -> tuple[SignatureParameter, ...]:
    parameters = find_child(definition, "parameters")
    return tuple(_iter_parameters(parameters)) if parameters is not None else ()


def _iter_parameters(parameters: Node) -> Iterator[SignatureParameter]:
    positional_end = any(part.type == "positional_separator" for part in list_children(parameters))
    kind: SignatureKind = "positional-only" if positional_end else "normal"
    for part in list_children(parameters):
        if part.type == "positional_separator":
            kind = "normal"
        elif part.type == "keyword_separator":
            kind = "keyword-only"
        else:
            found = _find_parameter(part, kind)
            if found is not None:
                yield found
                kind = "keyword-only" if found.kind == "args" else kind


def _find_parameter(part: Node, kind: SignatureKind) -> SignatureParameter | None:
    if part.type == "identifier":
        return SignatureParameter(decode_node(part), part, kind)
    if part.type in ("list_splat_pattern", "dictionary_splat_pattern"):
        return _find_splat(part, part, None)
    annotation, default = find_child(part, "type"), find_child(part, "value")
    if part.type == "typed_parameter" and list_children(part):
        inner = list_children(part)[0]
        if inner.type in ("list_splat_pattern", "dictionary_splat_pattern"):
            return _find_splat(part, inner, annotation)
        return SignatureParameter(decode_node(inner), part, kind, annotation)
    name = find_child(part, "name")
    return SignatureParameter(decode_node(name), part, kind, annotation, default) if name is not None else None


def _find_splat(part: Node, splat: Node, annotation: Node | None) -> SignatureParameter | None:
    if not list_children(splat):
        return None
    kind: SignatureKind = "args" if splat.type == "list_splat_pattern" else "kwargs"
    return SignatureParameter(decode_node(list_children(splat)[0]), part, kind, annotation)


def read_fields(cls: PyClass) -> list[SignatureParameter]:
    """Read the annotated names of a class body, in order; `default` is the assigned expression."""
    return list(_collect_fields(cls.node))


@cache_latest(maxsize=512)
def _collect_fields(definition: Node) -> tuple[SignatureParameter, ...]:
    found = []
    for statement in list_children(find_child(definition, "body")):
        node = (
            list_children(statement)[0]
            if statement.type == "expression_statement" and list_children(statement)
            else None
        )
        if node is None or node.type != "assignment":
            continue
        name, annotation = find_child(node, "left"), find_child(node, "type")
        if name is not None and annotation is not None and name.type == "identifier":
            found.append(SignatureParameter(decode_node(name), node, "normal", annotation, find_child(node, "right")))
    return tuple(found)
