"""Tests of what kind a value is: `isinstance`, `issubclass`, `callable`; no answer where only a run can tell."""

from collections.abc import Callable

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.possible_values import MOST, flatten_alternatives
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    Decorator,
    External,
    Partial,
    PyClass,
    PyInstance,
    PyItems,
    PyMapping,
    PyUnknown,
    PyValue,
    TypeForm,
)

TYPES = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes}
KINDS: dict[str, type | tuple[type, ...]] = {
    "list": PyItems,
    "tuple": PyItems,
    "set": PyItems,
    "frozenset": PyItems,
    "dict": PyMapping,
    "type": PyClass,
}


def evaluate_isinstance(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `isinstance(x, kind)` and `isinstance(x, (kind, ...))`."""
    if len(arguments.positional) != 2:
        return None
    value, kind = arguments.positional
    kinds = kind.items if isinstance(kind, PyItems) else list(kind.arguments) if isinstance(kind, TypeForm) else [kind]
    answers = [_is_instance_of(value, each) for each in kinds]
    if True in answers:
        return Const(True, arguments.span)
    return None if None in answers else Const(False, arguments.span)


def _is_instance_of(value: PyValue, kind: PyValue) -> bool | None:
    if isinstance(value, PyUnknown | External | Decorator | Partial) or _is_answer(value):
        return None
    if isinstance(value, Alternatives):
        answers = {_is_instance_of(each, kind) for each in value.values}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(kind, PyClass):
        if isinstance(value, PyInstance):
            return kind in list(value.made_by.iter_lineage()) if isinstance(value.made_by, PyClass) else False
        return False
    name = kind.name if isinstance(kind, External) and kind.path.startswith("builtins.") else None
    if name in TYPES:
        return (
            isinstance(value, Const) and isinstance(value.value, TYPES[name])
            if not isinstance(value, PyInstance)
            else None
        )
    if name in KINDS:
        known = isinstance(value, KINDS[name])
        return known and (not isinstance(value, PyItems) or name.startswith(value.kind) or name == "frozenset")
    return None


def _is_answer(value: PyValue) -> bool:
    """Return whether a value is what a function from outside the project gave, by the case of its name: it may be anything."""
    return isinstance(value, PyInstance) and isinstance(value.made_by, External) and value.made_by.name[:1].islower()


def evaluate_issubclass(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
    """Take `issubclass(cls, base)`."""
    if len(arguments.positional) != 2:
        return None
    cls, base = arguments.positional
    if isinstance(cls, PyClass) and isinstance(base, PyClass):
        return Const(base in list(cls.iter_lineage()), arguments.span)
    if isinstance(cls, PyClass) and isinstance(base, External):
        return Const(True, arguments.span) if base.path in cls.list_external_bases() else None
    return None


def build_kind_test(*kinds: type) -> Callable[[Evaluator, CallArguments], PyValue | None]:
    """Make a test for kinds of values, unsure of what only a run can tell."""

    def test(_run: Evaluator, arguments: CallArguments) -> PyValue | None:
        first = arguments.get("", 0)
        if first is None or isinstance(first, PyUnknown | External | Decorator | Partial):
            return None
        answers = {
            isinstance(each, kinds)
            for each in (flatten_alternatives((first,), MOST) if isinstance(first, Alternatives) else [first])
        }
        return Const(answers.pop(), arguments.span) if len(answers) == 1 else None

    return test
