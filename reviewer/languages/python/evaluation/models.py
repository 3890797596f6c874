"""Models as values: what `Model.model_fields` holds, for code that makes parameters of fields."""

from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.signatures import SignaturePart, evaluate_part
from reviewer.languages.python.evaluation.texts import as_value
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    PyClass,
    PyInstance,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
    TypeForm,
)
from reviewer.languages.python.types.functions import read_fields
from reviewer.source import Span

FIELD_INFO = "pydantic.fields.FieldInfo"
# pydantic's function, by the two modules from which it is imported.
FIELDS = frozenset({"pydantic.Field", "pydantic.fields.Field"})
# pydantic's own bases: a class with one has fields, a constructor by name, and a schema.
MODEL_BASES = frozenset(
    {"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.RootModel", "pydantic_settings.BaseSettings"}
)


MODEL_SCHEMA = "pydantic.BaseModel.model_json_schema"
LISTED_SCHEMA = "mcp_review.ListedSchema"
DOCUMENT = "document"
"""Where the schema that code looks into is kept on the value that stands for it."""


def open_schema(run: Evaluator, value: PyValue) -> PyValue:
    """Return the dict that stands for a schema, once code looks into it or changes it; other values as they are."""
    if not isinstance(value, PyInstance) or value.path not in (MODEL_SCHEMA, LISTED_SCHEMA):
        return value
    if DOCUMENT not in value.attributes:
        value.attributes[DOCUMENT] = _evaluate_document(run, value)
    return value.attributes[DOCUMENT]


def _evaluate_document(run: Evaluator, schema: PyInstance) -> PyValue:
    if schema.path == LISTED_SCHEMA:
        made = run.schemas[id(schema)]
        if made.absent:
            return Const(None, schema.span)
        hidden = [hole for hole in made.holes if not hole.assumed]
        return (
            PyUnknown(hidden[0].opaque.reason, schema.span)
            if hidden
            else as_value(made.document, schema.span, run.conditions)
        )
    cls = schema.args[0]
    document, hole = run.read_model_schema(cls, "", schema.span) if isinstance(cls, PyClass) else (None, None)
    return (
        as_value(document, schema.span, run.conditions) if hole is None else PyUnknown(hole.opaque.reason, schema.span)
    )


def is_model(cls: PyClass) -> bool:
    """Return whether a class is a pydantic model."""
    return any(base in MODEL_BASES for base in cls.list_external_bases())


def evaluate_model_fields(run: Evaluator, cls: PyClass, span: Span) -> PyMapping:
    """Return the fields of a model by name, those of its bases first."""
    found: dict[str, PyValue] = {}
    for ancestor in reversed(list(cls.iter_lineage())):
        scope = PyScope(ancestor.scope.module, ancestor.scope, ancestor.names, is_class=True)
        for part in read_fields(ancestor):
            if not part.name.startswith("_") and part.name != "model_config":
                found[part.name] = _build_info(evaluate_part(run, part, scope, ancestor.moment))
    return PyMapping([(Const(name, span), each) for name, each in found.items()], span)


def _build_info(part: SignaturePart) -> PyInstance:
    """Return pydantic's information about a field: its type without metadata, and the arguments of `Field(...)`."""
    annotation, said = part.annotation, [part.default] if part.default is not None else []
    while isinstance(annotation, TypeForm) and isinstance(annotation.origin, External):
        if annotation.origin.name != "Annotated" or not annotation.arguments:
            break
        said += annotation.arguments[1:]
        annotation = annotation.arguments[0]
    written = [each for each in said if isinstance(each, PyInstance) and each.path in FIELDS]
    attributes: dict[str, PyValue] = {}
    for each in reversed(written):
        attributes |= each.keywords
    attributes["annotation"] = annotation or Const(None, part.span)
    attributes["default"] = _evaluate_default(part, written)
    for name in ("description", "title", "alias", "default_factory"):
        attributes.setdefault(name, Const(None, part.span))
    return PyInstance(External(FIELD_INFO, part.span), [], {}, part.span, attributes)


def _evaluate_default(part: SignaturePart, written: list[PyInstance]) -> PyValue:
    if part.default is not None and part.default not in written:
        return part.default
    given = next((found for each in written if (found := each.find_argument("default", 0)) is not None), None)
    undefined = given is None or (isinstance(given, External) and given.name == "Ellipsis")
    return External("pydantic_core.PydanticUndefined", part.span) if undefined or given is None else given


def is_required(info: PyInstance) -> bool:
    """Return the result of `field.is_required()`."""
    default, factory = info.attributes["default"], info.attributes["default_factory"]
    undefined = isinstance(default, External) and default.name == "PydanticUndefined"
    return undefined and isinstance(factory, Const) and factory.value is None
