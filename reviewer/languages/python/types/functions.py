"""What a function or a class declares, as syntax: its text, its parameters, its fields."""

import inspect
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.evaluation.literals import string_value
from reviewer.languages.python.evaluation.values import Const, PyClass, PyFunction
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass
from reviewer.source import Text

Kind = Literal["positional-only", "normal", "keyword-only", "args", "kwargs"]


@dataclass(frozen=True, slots=True)
class SignatureParameter:
    """One parameter as written; `annotation` and `default` are expressions."""

    name: str
    node: Node
    kind: Kind
    annotation: Node | None = None
    default: Node | None = None


def docstring(function: PyFunction) -> Text | None:
    """Return a function's docstring as `__doc__` has it on Python before 3.13, or None if it has none."""
    return _find_first_string(function.node, function.scope.module)


def docstring_of_class(cls: PyClass) -> Text | None:
    """Return a class's docstring, cleaned, or None if it has none."""
    assigned = cls.names.get("__doc__")
    if isinstance(assigned, Const) and isinstance(assigned.value, str):
        return cleaned(Text(assigned.value, assigned.span))
    text = _find_first_string(cls.node, cls.scope.module)
    return cleaned(text) if text is not None else None


def _find_first_string(definition: Node, module: PyModule) -> Text | None:
    body = child(definition, "body")
    first = children(body)[0] if body is not None and children(body) else None
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement" or not children(first):
        return None
    node = children(first)[0]
    while node.type == "parenthesized_expression" and children(node):
        node = children(node)[0]
    text = string_value(node) if node.type in ("string", "concatenated_string") else None
    return Text(text, module.span(node)) if text is not None else None


def cleaned(text: Text) -> Text:
    """Return a docstring as `inspect.cleandoc` leaves it."""
    return Text(inspect.cleandoc(text), text.span)


def signature(function: PyFunction) -> list[SignatureParameter]:
    """Read the parameters in order. A method that is reached through its object loses its first one elsewhere."""
    return list(_collect_signature(function.node))


@lru_cache(maxsize=2048)
def _collect_signature(definition: Node) -> tuple[SignatureParameter, ...]:
    parameters = child(definition, "parameters")
    return tuple(_iter_parameters(parameters)) if parameters is not None else ()


def _iter_parameters(parameters: Node) -> Iterator[SignatureParameter]:
    positional_end = any(part.type == "positional_separator" for part in children(parameters))
    kind: Kind = "positional-only" if positional_end else "normal"
    for part in children(parameters):
        if part.type == "positional_separator":
            kind = "normal"
        elif part.type == "keyword_separator":
            kind = "keyword-only"
        else:
            found = _find_parameter(part, kind)
            if found is not None:
                yield found
                kind = "keyword-only" if found.kind == "args" else kind


def _find_parameter(part: Node, kind: Kind) -> SignatureParameter | None:
    if part.type == "identifier":
        return SignatureParameter(string_of(part), part, kind)
    if part.type in ("list_splat_pattern", "dictionary_splat_pattern"):
        return _find_splat(part, part, None)
    annotation, default = child(part, "type"), child(part, "value")
    if part.type == "typed_parameter" and children(part):
        inner = children(part)[0]
        if inner.type in ("list_splat_pattern", "dictionary_splat_pattern"):
            return _find_splat(part, inner, annotation)
        return SignatureParameter(string_of(inner), part, kind, annotation)
    name = child(part, "name")
    return SignatureParameter(string_of(name), part, kind, annotation, default) if name is not None else None


def _find_splat(part: Node, splat: Node, annotation: Node | None) -> SignatureParameter | None:
    if not children(splat):
        return None
    kind: Kind = "args" if splat.type == "list_splat_pattern" else "kwargs"
    return SignatureParameter(string_of(children(splat)[0]), part, kind, annotation)


def fields(cls: PyClass) -> list[SignatureParameter]:
    """Read the annotated names of a class body, in order; `default` is the assigned expression."""
    return list(_collect_fields(cls.node))


@lru_cache(maxsize=512)
def _collect_fields(definition: Node) -> tuple[SignatureParameter, ...]:
    found = []
    for statement in children(child(definition, "body")):
        node = children(statement)[0] if statement.type == "expression_statement" and children(statement) else None
        if node is None or node.type != "assignment":
            continue
        name, annotation = child(node, "left"), child(node, "type")
        if name is not None and annotation is not None and name.type == "identifier":
            found.append(SignatureParameter(string_of(name), node, "normal", annotation, child(node, "right")))
    return tuple(found)
