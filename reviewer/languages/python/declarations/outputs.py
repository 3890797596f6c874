"""Whether a function's return annotation gives its tool an output schema; which one, `schemas` says when it is asked."""

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.expressions import evaluate_quoted
from reviewer.languages.python.evaluation.signatures import return_annotation
from reviewer.languages.python.evaluation.values import Const, External, PyClass, PyFunction, PyValue, TypeForm
from reviewer.languages.python.types.functions import read_fields
from reviewer.schema.python.dialects import PythonDialect

SHAPELESS = frozenset({"dict", "list", "tuple", "set", "frozenset", "object", "type", "Dict", "List", "Tuple", "Set"})
"""Types that the SDK takes for classes without annotated names."""


def evaluate_return_annotation(run: Evaluator, function: PyFunction) -> PyValue | None:
    """Return the value of a function's return annotation, None if it has none."""
    value = return_annotation(run, function)
    if isinstance(value, Const) and isinstance(value.value, str):
        return evaluate_quoted(run, value.value, value.span, function.unwrap().scope)
    return value


def may_have_output(run: Evaluator, function: PyFunction, dialect: PythonDialect, structured: PyValue | None) -> bool:
    """Return whether an output schema is to be expected, as far as that shows without making it."""
    kind = evaluate_return_annotation(run, function)
    if kind is None or not dialect.output or (isinstance(structured, Const) and structured.value is False):
        return False
    if dialect.framework == "fastmcp":
        bare = isinstance(kind, PyClass) and _is_shapeless(kind)
        if _is_nothing(kind):
            return is_postponed(function)
        return not bare and not (isinstance(kind, External) and kind.name == "Any")
    return not _is_shapeless(kind)


def is_postponed(function: PyFunction) -> bool:
    """Return whether annotations are texts at first, so that `None` comes back from them as a type."""
    return b"from __future__ import annotations" in function.unwrap().scope.module.source.data


def _is_nothing(kind: PyValue) -> bool:
    return isinstance(kind, Const) and kind.value is None


def _is_shapeless(kind: PyValue) -> bool:
    if isinstance(kind, PyClass):
        return not kind.list_external_bases() and not any(read_fields(ancestor) for ancestor in kind.iter_lineage())
    if isinstance(kind, TypeForm) or not isinstance(kind, External):
        return False
    if kind.path in ("typing.Any", "builtins.object"):
        return True
    return kind.path.startswith("builtins.") and kind.name in SHAPELESS
