"""Operators and tests: what they give for values that can be told, and whether a value counts as true."""

import operator
from collections.abc import Callable

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.evaluation.amounts import LONGEST, TOO_LARGE, is_too_long
from reviewer.languages.python.evaluation.comparisons import evaluate_comparison
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.iterations import join_known_elements
from reviewer.languages.python.evaluation.possible_values import join_alternatives
from reviewer.languages.python.evaluation.resources import join_path
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    TypeForm,
    assume_default,
    mark_assumed,
)
from reviewer.source import Span
from reviewer.text.patterns import pattern


def format_short(node: Node) -> str:
    """Return the source of a node in one short line."""
    text = " ".join(decode_node(node).split())
    return text if len(text) <= 60 else text[:57] + "..."


OPERATORS: dict[str, Callable[..., object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "|": operator.or_,
    "&": operator.and_,
}


def _evaluate_binary(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    left_node, right_node, sign = find_child(node, "left"), find_child(node, "right"), find_child(node, "operator")
    if left_node is None or right_node is None or sign is None:
        return run.build_unknown("an expression that does not parse", node, scope)
    left, right = run.evaluate(left_node, scope), run.evaluate(right_node, scope)
    found = combine(left, right, decode_node(sign), node, scope)
    return (
        found
        if found is not None
        else run.build_unknown(f"`{format_short(node)}` is known at run time only", node, scope)
    )


def combine(left: PyValue, right: PyValue, sign: str, node: Node, scope: PyScope) -> PyValue | None:
    """Apply a binary operator, or give None if its result cannot be told; what is too large stays so, whatever is added."""
    span = scope.module.locate(node)
    for each in (left, right):
        if is_too_long(each):
            return each
    if sign == "/":
        path = join_path(left, right, span)
        if path is not None:
            return path
    if (joined := _join(left, right, sign, span)) is not None:
        return joined
    if isinstance(left, Const) and isinstance(right, Const):
        if _is_oversized(left, right, sign):
            return PyUnknown(TOO_LARGE, span)
        result = _compute(left, right, sign)
        return Const(result, span) if isinstance(result, str | int | float | bytes) else None
    if sign == "|" and _is_type(left) and _is_type(right):
        return TypeForm(External("typing.Union", span), (left, right), span)
    return None


def _join(left: PyValue, right: PyValue, sign: str, span: Span) -> PyValue | None:
    """Join two lists, sets or dicts; of one that only a run can tell, the other's elements are known all the same."""
    if any(not isinstance(each, PyItems | PyMapping) and not _may_hold(each) for each in (left, right)):
        return None
    lists = [each for each in (left, right) if isinstance(each, PyItems)]
    dicts = [each for each in (left, right) if isinstance(each, PyMapping)]
    if sign in ("+", "|") and lists and not dicts:
        if sign == "|" and any(each.kind != "set" for each in lists) and len(lists) == 1:
            return None
        items, is_open = join_known_elements((left, right)) or ([], True)
        return PyItems("set" if sign == "|" else lists[0].kind, items, span, is_open)
    if sign == "|" and dicts and not lists:
        both = PyMapping(list(left.entries) if isinstance(left, PyMapping) else [], span, True, dicts[0].under)
        both.open = len(dicts) == 1 or any(each.open for each in dicts)
        for key, value in right.entries if isinstance(right, PyMapping) else ():
            both.put(key, value, both.under)
        return both
    return None


def _may_hold(value: PyValue) -> bool:
    """Return whether a value that only a run can tell may be a list or a dict; of one that is assumed, the caller asks again."""
    if assume_default(value)[1] is not None:
        return False
    return isinstance(value, PyUnknown | Alternatives | Method) or (
        isinstance(value, PyInstance) and isinstance(value.made_by, External)
    )


def _is_oversized(left: Const, right: Const, sign: str) -> bool:
    """Return whether the result would be too large to be made."""
    numbers = [abs(each.value) if isinstance(each.value, int | float) else 0 for each in (left, right)]
    return (sign == "*" and max(_collect_sizes(left, right)) * max(1, *numbers) > LONGEST) or (
        sign == "**" and max(numbers) > 1000
    )


def _collect_sizes(*values: Const) -> list[int]:
    return [len(each.value) if isinstance(each.value, str | bytes) else 0 for each in values]


def _compute(left: Const, right: Const, sign: str) -> object:
    sizes = _collect_sizes(left, right)
    if sign == "%" and isinstance(left.value, str):
        return _format(left.value, right.value)
    if sign == "%" and any(sizes):
        return (
            left.value % right.value
            if isinstance(left.value, str) and "*" not in left.value and sizes[0] < 10_000
            else None
        )
    try:
        return OPERATORS[sign](left.value, right.value)
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return None


# Conversions without a width: `%9999999999d` would ask for gigabytes.
PLACEHOLDER = pattern(r"%(?:%|[sdirf]|\.\df)")


def _format(template: str, value: object) -> object:
    """Fill a template with one value; widths and other conversions, which could ask for gigabytes, are left to run time."""
    if template.count("%") != sum(each.count("%") for each in PLACEHOLDER.findall(template)) or len(template) > 10_000:
        return None
    try:
        return template % value
    except (TypeError, ValueError):
        return None


# Calls that make a type: such a value is one, as a class is.
MADE_TYPES = ("TypeVar", "NewType", "TypeAliasType")


def _is_type(value: PyValue) -> bool:
    if isinstance(value, PyInstance):
        return value.path.endswith(MADE_TYPES)
    return isinstance(value, External | PyClass | TypeForm) or (
        isinstance(value, Const) and (value.value is None or isinstance(value.value, str))
    )


def _evaluate_unary(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    argument, sign = find_child(node, "argument"), find_child(node, "operator")
    value = run.evaluate(argument, scope) if argument is not None else None
    if (
        isinstance(value, Const)
        and isinstance(value.value, int | float)
        and sign is not None
        and decode_node(sign) in "+-"
    ):
        return Const(-value.value if decode_node(sign) == "-" else value.value, scope.module.locate(node))
    return run.build_unknown(f"`{format_short(node)}` is known at run time only", node, scope)


def _evaluate_not(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    argument, span = find_child(node, "argument"), scope.module.locate(node)
    value = run.evaluate(argument, scope) if argument is not None else PyUnknown("a test", span)
    known = decide_truth(value)
    if known is not None:
        return Const(not known, span)
    plain, reason = assume_default(value)
    likely = decide_truth(plain)
    if reason is None or likely is None:
        return run.build_unknown("a test", node, scope)
    return mark_assumed(reason, span, Const(not likely, span))


def decide_truth(value: PyValue) -> bool | None:
    """Return whether a value counts as true, or None if only a run can tell."""
    match value:
        case Const(plain):
            return bool(plain)
        case PyItems(items=items, open=is_open):
            return _holds_any(items, is_open)
        case PyMapping(entries=entries, open=is_open):
            return _holds_any([each for _, each in entries], is_open)
        case PyFunction() | PyClass():
            return True
        case External(path):
            return True if path == "typing.TYPE_CHECKING" else None
        case PyInstance(made_by=PyClass()):
            return True
        case PyInstance() if value.path.startswith(("mcp_review.Listed", "mcp.types.", "mcp_types.")):
            return True
        case Alternatives(values=values):
            known = {decide_truth(each) for each in values}
            return known.pop() if len(known) == 1 else None
        case _:
            return None


def _holds_any(items: list[PyValue], is_open: bool) -> bool | None:
    """Return whether a container surely holds something, surely nothing, or neither."""
    if any(not isinstance(each, PyGuarded) for each in items):
        return True
    return None if items or is_open else False


def _evaluate_boolean(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    left_node, right_node, sign = find_child(node, "left"), find_child(node, "right"), find_child(node, "operator")
    if left_node is None or right_node is None or sign is None:
        return run.build_unknown("an expression that does not parse", node, scope)
    left = run.evaluate(left_node, scope)
    known = decide_truth(left)
    takes_right = decode_node(sign) == "and"
    right = run.evaluate(right_node, scope) if known is None or known == takes_right else left
    if known is not None or (takes_right and decide_truth(right) is False):
        return right
    plain, reason = assume_default(left)
    likely = decide_truth(plain)
    values = (right, left) if likely == takes_right else (left, right)
    return join_alternatives(values, scope.module.locate(node), reason if likely is not None else None)


def _evaluate_conditional(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    parts = list_children(node)
    if len(parts) != 3:
        return run.build_unknown("an expression that does not parse", node, scope)
    test = run.evaluate(parts[1], scope)
    known = decide_truth(test)
    if known is not None:
        return run.evaluate(parts[0] if known else parts[2], scope)
    plain, reason = assume_default(test)
    likely = decide_truth(plain)
    first, second = (parts[2], parts[0]) if likely is False else (parts[0], parts[2])
    values = (run.evaluate(first, scope), run.evaluate(second, scope))
    return join_alternatives(values, scope.module.locate(node), reason if likely is not None else None)


FORMS: dict[str, Callable[[Evaluator, Node, PyScope], PyValue]] = {
    "binary_operator": _evaluate_binary,
    "unary_operator": _evaluate_unary,
    "not_operator": _evaluate_not,
    "boolean_operator": _evaluate_boolean,
    "comparison_operator": evaluate_comparison,
    "conditional_expression": _evaluate_conditional,
}
