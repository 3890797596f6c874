"""Loops: over what can be told, as often as it can be told."""

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.evaluation.branching import evaluate_test, execute_branches
from reviewer.languages.python.evaluation.evaluator import BlockOutcome, Evaluator
from reviewer.languages.python.evaluation.iterations import is_closed, list_known_elements
from reviewer.languages.python.evaluation.targets import bind
from reviewer.languages.python.evaluation.values import (
    PyGuarded,
    PyScope,
    strip_conditions,
)

MOST_ITERATIONS = 1000
"""Iterations of one loop that are evaluated, because nested loops multiply. The longest loop in 40 servers had 90."""


def execute_for(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the body for each element that is known, and once for those that only a run can tell."""
    target, iterable, body = find_child(node, "left"), find_child(node, "right"), find_child(node, "body")
    if target is None or iterable is None or body is None:
        return BlockOutcome([])
    source = run.evaluate(iterable, scope)
    items = list_known_elements(source)
    outcome = BlockOutcome([])
    if items is None or not is_closed(source):
        bind(
            run,
            target,
            run.build_unknown(f"each of `{' '.join(decode_node(iterable).split())[:60]}`", target, scope),
            scope,
        )
        with run.with_conditions(run.build_condition("for each of", iterable, scope)):
            outcome.values += run.execute(list_children(body), scope).values
    for index, item in enumerate((items or [])[:MOST_ITERATIONS]):
        bind(run, target, strip_conditions(item), scope)
        with run.turning(index), run.with_conditions(*(item.conditions if isinstance(item, PyGuarded) else ())):
            step = run.execute(list_children(body), scope)
        outcome.values += step.values
        if step.broke:
            return outcome
    otherwise = find_child(node, "alternative")
    block = find_child(otherwise, "body") if otherwise is not None else None
    if block is not None:
        outcome.values += run.execute(list_children(block), scope).values
    return outcome


def execute_while(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the body of a loop once, or, where only a run can tell whether it is entered, as a branch of an undecided test."""
    test, body = find_child(node, "condition"), find_child(node, "body")
    if test is None or body is None:
        return BlockOutcome([])
    known, likely, reason = evaluate_test(run, test, scope)
    if known is False:
        return BlockOutcome([])
    if known is True:
        return _run_while(run, test, body, scope)
    outcome = execute_branches(run, test, body, lambda: BlockOutcome([]), scope, likely, reason)
    return BlockOutcome(outcome.values, assumed=outcome.assumed)


def _run_while(run: Evaluator, test: Node, body: Node, scope: PyScope) -> BlockOutcome:
    """Go round a loop as long as its test is known to hold; `while True` is gone round once."""
    outcome = BlockOutcome([])
    for _ in range(1 if test.type in ("true", "integer") else MOST_ITERATIONS):
        step = run.execute(list_children(body), scope)
        outcome.values += step.values
        if (
            (step.ended and (step.broke or step.values))
            or evaluate_test(run, test, scope)[0] is not True
            or run.exhausted
        ):
            break
    return outcome
