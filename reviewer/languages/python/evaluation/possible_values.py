"""Values that only a run can choose from: how many there may be, and how they are gone through."""

from collections.abc import Callable

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import Alternatives, PyUnknown, PyValue
from reviewer.source import Span

MOST = 256
"""The most values of which one may be; each further choice could double them."""


def join_alternatives(values: tuple[PyValue, ...], span: Span, reason: str | None = None) -> PyValue:
    """Join values of which only a run can tell which it is; of too many, keep what holds if nothing is configured."""
    if flatten_alternatives(values, MOST):
        return Alternatives(values, span, reason)
    if reason is not None:
        return PyUnknown(reason, span, values[0])
    return PyUnknown("one of too many values", span)


def map_alternatives(run: Evaluator, value: Alternatives, span: Span, ask: Callable[[PyValue], PyValue]) -> PyValue:
    """Ask something of each value of which one holds; every question counts as a step."""
    answers = []
    for each in value.values:
        if not run.step():
            return PyUnknown("the evaluation is too long", span)
        answers.append(ask(each))
    return join_alternatives(tuple(answers), span, value.assumed)


def flatten_alternatives(values: tuple[PyValue, ...], most: int) -> list[PyValue]:
    """Return the values that alternatives in alternatives come to, in order; none if they are more than `most`."""
    found: list[PyValue] = []
    left = list(reversed(values))
    while left and len(found) <= most:
        match left.pop():
            case PyUnknown(assumed=inner) if inner is not None:
                left.append(inner)
            case Alternatives(values=inside):
                left += reversed(inside)
            case known:
                found.append(known)
    return found if len(found) <= most else []
