"""Page sizes: what code does with the `limit` that a client asks for, and what declarations say of it."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.paging.limits import Limits
from reviewer.behaviour.paging.pages import SIZED, is_page_size, limits_otherwise
from reviewer.behaviour.values.callers import find_outermost
from reviewer.facts import Limit
from reviewer.languages.nodes import decode_node, find_child, find_descendants, find_nearest_of_kinds, list_children
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, list_decorators
from reviewer.languages.python.behaviour.name_resolution import load_scope as scope_of
from reviewer.languages.python.behaviour.tracing import get_program, trace_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import Const
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.validators import find_validated_fields
from reviewer.source import Text
from reviewer.text.numerals import parse_integer
from reviewer.text.patterns import pattern

# pydantic's bounds above in `Field`, and those of `annotated_types`: a larger number is refused before the tool runs.
REFUSING_FIELD = pattern(r"\b(?:le|lt)\s*=|\b(?:Le|Lt|Interval)\(")
# The default of pydantic's `Field`, by place or by name.
FIELD_DEFAULT = pattern(r"\bField\(\s*(?:default\s*=\s*)?(\d+)\s*[,)]|\bdefault\s*=\s*(\d+)\s*[,)]")
# Bases that make fields of a class what a client sends: those of the libraries, and the usual names of a project's own.
MODELS = pattern(r"BaseModel|Model\b|Args\b|Params\b|Input\b|Request\b|TypedDict|Struct\b")
# The forms of a parameter that has a name; the grammar has others for `*args` and `/`.
PARAMETERS = frozenset({"identifier", "typed_parameter", "default_parameter", "typed_default_parameter"})
# In a function that is named for a page size, each parameter may be one but the object and what holds all arguments.
WHOLE = frozenset({"self", "cls", "params", "arguments", "args", "request"})


def iter_limits(run: Evaluator, modules: Iterable[PyModule]) -> Iterator[Limit]:
    """Yield where a page size is bounded, replaced or refused, by code and by declarations."""
    near = [module for module in modules if SIZED.search(module.source.data) is not None]
    functions = [
        FunctionPlace(each, module)
        for module in near
        for each in find_descendants(module.root, "python", "function_definition")
    ]
    takers = [each for each in functions if SIZED.search(each.node.text or b"") or list_decorators(each.node)]
    traces = {trace_of(run, each.module, each.node): _collect_sizes(each.node) for each in takers}
    models = get_program(run).models
    found = [each for trace in find_outermost(traces) for each in Limits(trace, models, traces[trace]).iter_limits()]
    yield from {each.text.span: each for each in found if each.refuses or not limits_otherwise(each.text)}.values()
    for place in takers:
        yield from _iter_declared_limits(run, place)
    for module in near:
        for node in find_descendants(module.root, "python", "class_definition"):
            if _is_model(node):
                yield from _iter_for_class(run, node, module)


def _collect_sizes(function: Node) -> frozenset[str]:
    """Return the parameters that are page sizes by what the function is called, or validates."""
    name = decode_node(find_child(function, "name") or function)
    if not is_page_size(name) and not _validates_size(function):
        return frozenset()
    parts = [part for part in list_children(find_child(function, "parameters")) if part.type in PARAMETERS]
    names = (
        decode_node(part if part.type == "identifier" else find_child(part, "name") or list_children(part)[0])
        for part in parts
    )
    return frozenset(names) - WHOLE


def _validates_size(function: Node) -> bool:
    return any(map(is_page_size, find_validated_fields(function)))


def _iter_declared_limits(run: Evaluator, place: FunctionPlace) -> Iterator[Limit]:
    """Yield the limits declared by the parameters of a tool, or of a function that receives an action."""
    function = place.node
    listed, name = find_child(function, "parameters"), decode_node(find_child(function, "name") or function)
    if listed is None or limits_otherwise(name) or limits_otherwise(_get_class_of(function)):
        return
    if (
        any("tool" in text for text in list_decorators(function))
        or re.search(r"\baction\b", decode_node(listed)) is not None
    ):
        for part in list_children(listed):
            yield from _iter_for_declaration(
                run, place.module, find_child(part, "name"), find_child(part, "type"), find_child(part, "value")
            )


def _get_class_of(function: Node) -> str:
    above = find_nearest_of_kinds(function, "class_definition")
    return decode_node(find_child(above, "name") or function) if above is not None else ""


def _iter_for_declaration(
    run: Evaluator, module: PyModule, name: Node | None, kind: Node | None, value: Node | None
) -> Iterator[Limit]:
    """Read a parameter or a field that is a page's size: what it is by default, and whether the framework refuses others."""
    if name is None or not is_page_size(decode_node(name)):
        return
    named = Text(decode_node(name), module.locate(name))
    marks = [part for part in (kind, value, _find_alias(module, kind)) if part is not None]
    if any(REFUSING_FIELD.search(decode_node(part)) is not None for part in marks):
        yield Limit(named, Text(decode_node(name.parent or name), named.span), refuses=True)
    number = _number(run, module, value)
    if number is None and value is not None and (found := FIELD_DEFAULT.search(decode_node(value))) is not None:
        number = parse_integer(found[1] or found[2])
    if number is not None and value is not None:
        yield Limit(named, Text(decode_node(value), module.locate(value)), default=number)


def _number(run: Evaluator, module: PyModule, node: Node | None) -> int | None:
    """Read a number that is known before any run."""
    if node is None or node.type not in (
        "integer",
        "identifier",
        "attribute",
        "binary_operator",
        "parenthesized_expression",
    ):
        return None
    value = run.evaluate(node, scope_of(run, module))
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def _find_alias(module: PyModule, kind: Node | None) -> Node | None:
    """Return the type behind a name that the module defines: `Limit = Annotated[int, Field(le=100)]`; else None."""
    named = decode_node(kind) if kind is not None else ""
    for node in list_children(module.root) if named else ():
        only = list_children(node)[0] if node.type == "expression_statement" and list_children(node) else None
        left = find_child(only, "left") if only is not None and only.type == "assignment" else None
        if left is not None and decode_node(left) == named:
            return find_child(only, "right")
    return None


def _is_model(node: Node) -> bool:
    bases, name = find_child(node, "superclasses"), decode_node(find_child(node, "name") or node)
    if limits_otherwise(name) or re.search(r"Settings|Config", name):
        return False
    marked = any("dataclass" in text for text in list_decorators(node))
    return marked or (bases is not None and MODELS.search(decode_node(bases)) is not None)


def _iter_for_class(run: Evaluator, node: Node, module: PyModule) -> Iterator[Limit]:
    for part in list_children(find_child(node, "body")):
        only = list_children(part)[0] if part.type == "expression_statement" and list_children(part) else None
        if only is not None and only.type == "assignment" and find_child(only, "type") is not None:
            yield from _iter_for_declaration(
                run, module, find_child(only, "left"), find_child(only, "type"), find_child(only, "right")
            )
