"""Comparisons: `==`, `is`, `in` and the like, as far as the values tell how they end."""

import operator
from collections.abc import Callable
from typing import Any

from tree_sitter import Node

from reviewer.caching import cache_latest
from reviewer.languages.nodes import decode_node, list_children
from reviewer.languages.python.evaluation import assumptions, models, signatures
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.texts import has_same_data
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    PyClass,
    PyFunction,
    PyGuarded,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyValue,
    TypeForm,
    is_none,
    to_text,
)

SAME = {"==": True, "is": True, "!=": False, "is not": False}
ORDERED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate_comparison(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Evaluate a comparison of two operands; longer chains are left to run time."""
    operands = [run.evaluate(part, scope) for part in list_children(node)]
    signs = _collect_signs(node)
    if signs[-1:] in (("in",), ("not in",)):
        operands[-1] = models.open_schema(run, operands[-1])
    known = _compare_values(operands[0], operands[1], signs[0]) if len(operands) == 2 and len(signs) == 1 else None
    if known is None and run.supposed.asking is not None and len(signs) == 1:
        known = assumptions.decide_comparison(run.supposed.asking, operands[0], operands[1], signs[0])
    if known is None:
        text = " ".join(decode_node(node).split())[:60]
        return run.build_unknown(f"`{text}` is known at run time only", node, scope)
    return Const(known, scope.module.locate(node))


@cache_latest(maxsize=2**12)
def _collect_signs(node: Node) -> tuple[str, ...]:
    """Return the operators of a comparison. They are kept: it is evaluated again in each round."""
    return tuple([" ".join(decode_node(part).split()) for part in node.children_by_field_name("operators")])


def _compare_values(left: PyValue, right: PyValue, sign: str) -> bool | None:
    if sign in SAME:
        known = equal(left, right, identical=sign.startswith("is"))
        return None if known is None else known == SAME[sign]
    if sign in ("in", "not in"):
        found = _contains(right, left)
        return None if found is None else found == (sign == "in")
    if sign in ORDERED and isinstance(left, Const) and isinstance(right, Const):
        try:
            return bool(ORDERED[sign](left.value, right.value))
        except TypeError:
            return None
    return None


def equal(left: PyValue, right: PyValue, *, identical: bool = False) -> bool | None:
    """Return whether two values are equal, or one and the same; None where only a run can tell."""
    if isinstance(left, Const) and isinstance(right, Const):
        return left.value is right.value if identical else left.value == right.value
    one, other = _evaluate_plain(left), _evaluate_plain(right)
    if (is_none(one) and _is_object(other)) or (is_none(other) and _is_object(one)):
        return False
    if isinstance(one, Const) and isinstance(other, Const):
        return one.value is other.value if identical else one.value == other.value
    if not identical and isinstance(left, PyItems | PyMapping) and isinstance(right, PyItems | PyMapping):
        return has_same_data(left, right)
    first, second = _find_identity(left), _find_identity(right)
    return None if first is None or second is None else first == second


def _is_object(value: PyValue) -> bool:
    """Return whether a value is what a class from outside the project made, by the case of its name."""
    return isinstance(value, PyInstance) and isinstance(value.made_by, External) and value.made_by.name[:1].isupper()


def _evaluate_plain(value: PyValue) -> PyValue:
    """Return a member of a text enumeration as its text, which it equals."""
    text = to_text(value) if isinstance(value, PyInstance) else None
    return Const(str(text), text.span) if text is not None else value


def _find_identity(value: PyValue) -> object | None:
    """Return a key that identifies a value; None if only a run can tell which value it is."""
    match value:
        case External():
            return "inspect.Parameter.empty" if signatures.is_empty(value) else value.path
        case PyInstance(made_by=PyClass() as cls) if "name" in value.attributes and "value" in value.attributes:
            name = value.attributes["name"]
            return (id(cls), name.value) if isinstance(name, Const) else None
        case PyInstance(made_by=External()):
            return None
        case PyFunction() | PyClass() | TypeForm() | Const() | PyItems() | PyMapping() | PyInstance():
            return id(value)
        case _:
            return None


def _contains(container: PyValue, member: PyValue) -> bool | None:
    wanted = _evaluate_plain(member)
    if isinstance(container, Const) and isinstance(container.value, str):
        is_text = isinstance(wanted, Const) and isinstance(wanted.value, str)
        return str(wanted.value) in container.value if is_text and isinstance(wanted, Const) else None
    if isinstance(container, PyMapping):
        listed, is_open = [key for key, _ in container.entries], container.open
    elif isinstance(container, PyItems):
        listed, is_open = container.items, container.open
    else:
        return None
    unsure = is_open
    for each in listed:
        known = None if isinstance(each, PyGuarded) else equal(each, wanted)
        if known is True:
            return True
        unsure |= known is None
    return None if unsure else False
