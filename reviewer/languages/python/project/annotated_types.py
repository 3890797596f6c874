"""Which class of the project or type of a library an annotation names."""

from tree_sitter import Node

from reviewer.code import values
from reviewer.code.models import Models
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.expressions import evaluate_quoted
from reviewer.languages.python.evaluation.values import Const, External, PyClass, PyGuarded, PyScope, PyValue, TypeForm
from reviewer.languages.python.types.annotations import flatten_arguments

BUILT_IN = "builtins."

NAMED = frozenset({"list", "dict", "tuple", "set", "str", "bytes"})
"""The built-in types that the tables of models name."""


def read_annotated_type(run: Evaluator, models: Models, annotation: Node, scope: PyScope) -> values.Instance | None:
    """Return an object of the type that an annotation names; None if it names none that is known, or one of several."""
    found = _find_kind(run, models, run.evaluate(annotation, scope), scope)
    return values.Instance(found) if found is not None else None


def _find_kind(
    run: Evaluator, models: Models, found: PyValue, scope: PyScope
) -> "values.Class | values.Library | None":
    """Return the type that the value of an annotation is; None for numbers."""
    match found:
        case PyGuarded():
            return _find_kind(run, models, found.value, scope)
        case PyClass():
            return values.Class(found.name, found)
        case External():
            kind = _find_library(found.path)
            return find_made_type(models, kind.path) if kind is not None else None
        case Const(value=str() as text):
            return _find_kind(run, models, evaluate_quoted(run, text, found.span, scope), scope)
        case TypeForm():
            return _find_form_kind(run, models, found, scope)
    return None


def _find_form_kind(
    run: Evaluator, models: Models, form: TypeForm, scope: PyScope
) -> "values.Class | values.Library | None":
    """Return the type that `Annotated[Model, ...]` or `Model | None` is; None if it may be one of several."""
    name = form.origin.name if isinstance(form.origin, External) else ""
    inner = flatten_arguments(form.arguments)
    if name == "Annotated":
        return _find_kind(run, models, inner[0], scope) if inner else None
    if name not in ("Union", "Optional"):
        return _find_kind(run, models, form.origin, scope)
    present = [each for each in inner if not (isinstance(each, Const) and each.value is None)]
    return _find_kind(run, models, present[0], scope) if len(present) == 1 else None


def find_made_type(models: Models, path: str) -> values.Library:
    """Return the type of what a function of a library makes."""
    model = models.find_model(path)
    return values.Library(model.type if model is not None and model.type else path)


def _find_library(path: str) -> values.Library | None:
    name = path.removeprefix(BUILT_IN)
    return values.Library(name) if name == path or name in NAMED else None
