"""Comprehensions and generator expressions."""

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.evaluation.branching import decide_test
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.iterations import is_closed, list_known_elements
from reviewer.languages.python.evaluation.loops import MOST_ITERATIONS
from reviewer.languages.python.evaluation.targets import bind
from reviewer.languages.python.evaluation.values import (
    PyGuarded,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    guard_value,
    strip_conditions,
)


def evaluate_comprehension(run: Evaluator, node: Node, scope: PyScope) -> PyValue:
    """Evaluate a comprehension over what can be iterated; tests that only a run can tell leave it open."""
    span = scope.module.locate(node)
    body = find_child(node, "body")
    if body is None:
        return PyUnknown("a comprehension that does not parse", span)
    inner = PyScope(scope.module, scope, owner=scope.owner)
    clauses = [part for part in list_children(node) if part.type in ("for_in_clause", "if_clause")]
    found: list[PyValue] = []
    is_open = _run_clauses(run, clauses, body, inner, found)
    if is_open and not found:
        return PyUnknown(
            f"a comprehension over `{' '.join(decode_node(clauses[0]).split())[:60]}`"
            if clauses
            else "a comprehension",
            span,
        )
    if node.type == "dictionary_comprehension":
        return PyMapping([_collect_entry(pair) for pair in found], span, is_open, run.conditions)
    return PyItems("set" if node.type == "set_comprehension" else "list", found, span, is_open, run.conditions)


def _collect_entry(pair: PyValue) -> tuple[PyValue, PyValue]:
    """Part the pair that one round of a dict comprehension gives, the value under the round's conditions."""
    inner = strip_conditions(pair)
    assert isinstance(inner, PyItems)
    key, value = inner.items
    return key, guard_value(value, pair.conditions, ()) if isinstance(pair, PyGuarded) else value


def _run_guarded_clauses(
    run: Evaluator,
    clauses: list[Node],
    body: Node,
    scope: PyScope,
    found: list[PyValue],
    conditions: tuple[Condition, ...],
) -> bool:
    """Go through the rest of the clauses; what comes of it is there under these conditions."""
    before = len(found)
    is_open = _run_clauses(run, clauses, body, scope, found)
    found[before:] = [_evaluate_under(each, conditions) for each in found[before:]]
    return is_open


def _evaluate_under(value: PyValue, conditions: tuple[Condition, ...]) -> PyValue:
    inner = value.conditions if isinstance(value, PyGuarded) else ()
    return guard_value(strip_conditions(value), (*conditions, *inner), ())


def _run_clauses(run: Evaluator, clauses: list[Node], body: Node, scope: PyScope, found: list[PyValue]) -> bool:
    """Go through the clauses of a comprehension; tell whether something stayed open."""
    if not clauses:
        if body.type == "pair":
            key, value = find_child(body, "key"), find_child(body, "value")
            if key is not None and value is not None:
                found.append(
                    PyItems("tuple", [run.evaluate(key, scope), run.evaluate(value, scope)], scope.module.locate(body))
                )
        else:
            found.append(run.evaluate(body, scope))
        return False
    clause, rest = clauses[0], clauses[1:]
    if clause.type == "if_clause":
        test = list_children(clause)[0] if list_children(clause) else clause
        known = decide_test(run, test, scope)
        if known is not None:
            return known and _run_clauses(run, rest, body, scope, found)
        condition = run.build_condition("if", test, scope)
        with run.with_conditions(condition):
            return _run_guarded_clauses(run, rest, body, scope, found, (condition,))
    target, iterable = find_child(clause, "left"), find_child(clause, "right")
    source = run.evaluate(iterable, scope) if iterable is not None else None
    items = list_known_elements(source) if source is not None else None
    if items is None or target is None:
        return True
    is_open = source is None or not is_closed(source)
    for index, item in enumerate(items[:MOST_ITERATIONS]):
        bind(run, target, strip_conditions(item), scope)
        conditions = item.conditions if isinstance(item, PyGuarded) else ()
        with run.turning(index), run.with_conditions(*conditions):
            is_open |= _run_guarded_clauses(run, rest, body, scope, found, conditions)
    return is_open
