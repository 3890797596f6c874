"""Tests of what kind a value is: `isinstance`, `issubclass`, `callable`; no answer where only a run can tell."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from reviewer.languages.python.possible_values import MOST, ways
from reviewer.languages.python.values import (
    Alternatives,
    Arguments,
    Class,
    Const,
    Decorator,
    External,
    Instance,
    Items,
    Mapping,
    Partial,
    TypeForm,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from reviewer.languages.python.evaluator import Evaluator

TYPES = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes}
KINDS: dict[str, type | tuple[type, ...]] = {
    "list": Items,
    "tuple": Items,
    "set": Items,
    "frozenset": Items,
    "dict": Mapping,
    "type": Class,
}


def is_instance(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Take `isinstance(x, kind)` and `isinstance(x, (kind, ...))`."""
    if len(arguments.positional) != 2:
        return None
    value, kind = arguments.positional
    kinds = kind.items if isinstance(kind, Items) else list(kind.arguments) if isinstance(kind, TypeForm) else [kind]
    answers = [_is_of(value, each) for each in kinds]
    if True in answers:
        return Const(True, arguments.span)
    return None if None in answers else Const(False, arguments.span)


def _is_of(value: Value, kind: Value) -> bool | None:
    if isinstance(value, Unknown | External | Decorator | Partial) or _is_answer(value):
        return None
    if isinstance(value, Alternatives):
        answers = {_is_of(each, kind) for each in value.values}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(kind, Class):
        if isinstance(value, Instance):
            return kind in list(value.made_by.lineage()) if isinstance(value.made_by, Class) else False
        return False
    name = kind.name if isinstance(kind, External) and kind.path.startswith("builtins.") else None
    if name in TYPES:
        return (
            isinstance(value, Const) and isinstance(value.value, TYPES[name])
            if not isinstance(value, Instance)
            else None
        )
    if name in KINDS:
        known = isinstance(value, KINDS[name])
        return known and (not isinstance(value, Items) or name.startswith(value.kind) or name == "frozenset")
    return None


def _is_answer(value: Value) -> bool:
    """Return whether a value is what a function from outside the project gave, by the case of its name: it may be anything."""
    return isinstance(value, Instance) and isinstance(value.made_by, External) and value.made_by.name[:1].islower()


def is_subclass(_run: "Evaluator", arguments: Arguments) -> Value | None:
    """Take `issubclass(cls, base)`."""
    if len(arguments.positional) != 2:
        return None
    cls, base = arguments.positional
    if isinstance(cls, Class) and isinstance(base, Class):
        return Const(base in list(cls.lineage()), arguments.span)
    if isinstance(cls, Class) and isinstance(base, External):
        return Const(True, arguments.span) if base.path in cls.outer_bases() else None
    return None


def of(*kinds: type) -> Callable[["Evaluator", Arguments], Value | None]:
    """Make a test for kinds of values, unsure of what only a run can tell."""

    def test(_run: "Evaluator", arguments: Arguments) -> Value | None:
        first = arguments.get("", 0)
        if first is None or isinstance(first, Unknown | External | Decorator | Partial):
            return None
        answers = {
            isinstance(each, kinds) for each in (ways((first,), MOST) if isinstance(first, Alternatives) else [first])
        }
        return Const(answers.pop(), arguments.span) if len(answers) == 1 else None

    return test
