"""Forks: tests that only a run can decide. Both ways are evaluated, and what they leave is merged."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.languages.nodes import list_children
from reviewer.languages.python.evaluation.evaluator import BlockOutcome, Evaluator
from reviewer.languages.python.evaluation.operators import decide_truth
from reviewer.languages.python.evaluation.possible_values import join_alternatives
from reviewer.languages.python.evaluation.values import (
    Const,
    PyFunction,
    PyInstance,
    PyScope,
    PyUnknown,
    PyValue,
    assume_default,
)
from reviewer.source import Span


def join_outcomes(first: BlockOutcome, second: BlockOutcome, likely: bool | None, reason: str | None) -> BlockOutcome:
    """Join what both branches of an undecided test return, that which holds if nothing is configured before the other."""
    one, other = (second, first) if likely is False else (first, second)
    settled = likely is not None and one.is_settled and bool(one.values)
    return BlockOutcome(one.values + other.values, first.ended and second.ended, assumed=reason if settled else None)


def evaluate_test(run: Evaluator, test: Node, scope: PyScope) -> tuple[bool | None, bool | None, str | None]:
    """Return how a test ends, how it does if nothing is configured, and what that depends on."""
    if b"__main__" in (test.text or b""):
        return True, True, None
    value = run.evaluate(test, scope)
    plain, reason = assume_default(value)
    return decide_truth(value), decide_truth(plain), reason


def execute_branches(
    run: Evaluator,
    test: Node,
    body: Node,
    refuse: Callable[[], BlockOutcome],
    scope: PyScope,
    likely: bool | None,
    reason: str | None,
) -> BlockOutcome:
    """Execute both ways of a test that only a run can decide, and merge the names they leave."""
    before = dict(scope.names)
    run.undecided_branches += 1
    run.writes.append([])
    run.created_in_branches.append([])
    condition = run.build_condition("if", test, scope)
    with run.with_conditions(condition):
        taken = run.execute(list_children(body), scope)
    after_taken = dict(scope.names)
    scope.names.clear()
    scope.names.update(before)
    written, created = _collect_taken_back(run), run.created_in_branches.pop()
    refused = refuse()
    if run.created_in_branches:
        run.created_in_branches[-1] += created
    new = set(map(id, created))
    for holder, name, value in written:
        is_function_of_way = isinstance(holder, PyFunction) and condition in holder.conditions
        if is_function_of_way or id(holder) in new:  # there is none after the other way
            run.write(holder, name, value)
        else:
            _write_either(run, holder, name, value, likely, reason)
    if not (taken.ended and not refused.ended):
        _merge(scope, after_taken, refused.ended, likely, reason)
    return join_outcomes(taken, refused, likely, reason)


def _collect_taken_back(run: Evaluator) -> list[tuple[PyInstance | PyFunction, str, PyValue]]:
    """Undo what the first branch of an undecided test wrote to attributes, and return it."""
    writes = run.writes.pop()
    first = {(id(each.holder), each.name): each for each in reversed(writes)}
    written = [(each.holder, each.name, each.holder.attributes[each.name]) for each in first.values()]
    for each in first.values():
        if each.before is None:
            del each.holder.attributes[each.name]
        else:
            each.holder.attributes[each.name] = each.before
    return written


def _write_either(
    run: Evaluator, holder: PyInstance | PyFunction, name: str, value: PyValue, likely: bool | None, reason: str | None
) -> None:
    """Give an attribute that one branch of an undecided test wrote what it may be after both."""
    other = holder.attributes.get(name)
    if other is None and likely is False:
        if isinstance(holder, PyFunction) and reason is not None:
            holder.doubts[name] = reason
        return
    if other is None and likely is None and name == "__annotations__":  # they were there before, as they are written
        value = PyUnknown("annotations that a decorator rewrites", _locate_holder(holder))
    if other is None or other is value:
        run.write(holder, name, value)
        if isinstance(holder, PyFunction) and other is None and likely is True and reason is not None:
            holder.doubts[name] = reason
        return
    values = (other, value) if likely is False else (value, other)
    run.write(
        holder,
        name,
        join_alternatives(
            values, getattr(value, "span", _locate_holder(holder)), reason if likely is not None else None
        ),
    )


def _locate_holder(holder: PyInstance | PyFunction) -> Span:
    return holder.scope.module.locate(holder.node) if isinstance(holder, PyFunction) else holder.span


def _merge(scope: PyScope, taken: dict[str, PyValue], only: bool, likely: bool | None, reason: str | None) -> None:
    """Lay the names of the taken branch over those of the other; a name that differs is one of both."""
    for name, value in taken.items():
        other = scope.names.get(name)
        if other is None or only or other is value or _is_same(other, value):
            scope.names[name] = value
        else:
            values = (other, value) if likely is False else (value, other)
            span = getattr(value, "span", scope.module.locate(scope.module.root))
            scope.names[name] = join_alternatives(values, span, reason if likely is not None else None)


def _is_same(one: PyValue, other: PyValue) -> bool:
    return isinstance(one, Const) and isinstance(other, Const) and one.value == other.value


def decide_test(run: Evaluator, test: Node, scope: PyScope) -> bool | None:
    """Return how a test ends; `__name__ == "__main__"` is taken as true, for that is how the server starts."""
    return evaluate_test(run, test, scope)[0]
