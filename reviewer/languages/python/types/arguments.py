"""A function's parameters as they are written, and whether the type of each has fields: a model, a dataclass, a typed dict."""

from collections.abc import Iterator

from reviewer.code.library_types import find_types
from reviewer.facts import HandlerArgument
from reviewer.languages.nodes import locate_text
from reviewer.languages.python.declarations.parameters import Signature
from reviewer.languages.python.evaluation.models import MODEL_BASES
from reviewer.languages.python.evaluation.names import is_enum
from reviewer.languages.python.evaluation.signatures import SignaturePart
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    PyClass,
    PyInstance,
    PyItems,
    PyValue,
    TypeForm,
    assume_default,
)
from reviewer.languages.python.types.functions import read_signature as written_signature
from reviewer.source import Text

WITH_FIELDS = MODEL_BASES | frozenset(
    "typing.TypedDict typing_extensions.TypedDict typing.NamedTuple msgspec.Struct sqlmodel.SQLModel "
    "sqlmodel.main.SQLModel".split()
)
"""Bases from outside the project whose classes have fields."""

STANDARD = frozenset(
    "typing.TypedDict typing_extensions.TypedDict typing.NamedTuple dataclasses.dataclass dataclasses".split()
)
"""What gives a class fields that it neither bounds nor describes."""

BUILT_IN = ("builtins.", "typing.", "collections.", "datetime.", "pathlib.", "decimal.", "uuid.", "enum.")
"""Where the types come from of which it is known that they are no models."""


def iter_arguments(signature: Signature, parameters: list[SignaturePart]) -> Iterator[HandlerArgument]:
    """Yield the parameters that clients see, each with the type that is written at it."""
    scope = signature.shown.scope
    written = {each.name: each for each in written_signature(signature.shown)}
    for part in parameters:
        found = written.get(part.name)
        node = found.annotation if found is not None else None
        shown = locate_text(scope.module.source, node) if node is not None and part.annotation is not None else None
        has_fields = _has_fields(signature.evaluate_annotation(part)) if part.annotation is not None else False
        default = (
            locate_text(scope.module.source, found.default) if found is not None and found.default is not None else None
        )
        cls = (
            _find_class_of(signature.evaluate_annotation(part)) if has_fields and part.annotation is not None else None
        )
        checks = _checks(cls) if cls is not None else None
        of = f"{cls.scope.module.source.path}:{cls.node.start_byte}" if cls is not None else ""
        yield HandlerArgument(Text(part.name, part.span), shown, has_fields, default, checks, of)


def _find_class_of(value: PyValue) -> PyClass | None:
    """Return the class of the project that a type is, without what is said of it; None if it is not one."""
    from reviewer.languages.python.types.annotations import flatten_arguments

    match assume_default(value)[0]:
        case PyClass() as cls:
            return cls
        case TypeForm(origin=External(name="Annotated" | "Union" | "Optional" as name)) as form:
            parts = flatten_arguments(form.arguments)[:1] if name == "Annotated" else flatten_arguments(form.arguments)
            classes = [found for each in parts if (found := _find_class_of(each)) is not None]
            return classes[0] if len(classes) == 1 else None
    return None


def _checks(cls: PyClass) -> bool | None:
    """Return whether a class with fields bounds and describes them: none of the standard library does."""
    bases = set(cls.list_external_bases())
    if bases & MODEL_BASES or "msgspec.Struct" in bases:
        return True
    if bases & WITH_FIELDS:
        return not bases & STANDARD
    from reviewer.languages.python.types.classes import resolve_decorators

    made = resolve_decorators(cls)
    return None if not made else not any(path in STANDARD for path in made)


def _has_fields(value: PyValue) -> bool | None:
    """Return whether a type has fields; None if only the code outside the project tells."""
    match assume_default(value)[0]:
        case PyClass() as cls:
            return _has_class_fields(cls)
        case External(path=path):
            return True if path in WITH_FIELDS else False if path.startswith(BUILT_IN) else None
        case TypeForm() as form:
            return _has_form_fields(form)
        case PyInstance(made_by=External(path="pydantic.create_model" | "pydantic.main.create_model")):
            return True
        case Const(value=None) | PyItems():
            return False
        case _:
            return None


def _has_class_fields(cls: PyClass) -> bool | None:
    from reviewer.languages.python.types.classes import is_dataclass

    bases = cls.list_external_bases()
    if is_enum(cls):
        return False
    if is_dataclass(cls) or any(base in WITH_FIELDS for base in bases):
        return True
    return (
        False
        if find_types("bare base").issuperset(bases) and all(isinstance(base, PyClass | External) for base in cls.bases)
        else None
    )


def _has_form_fields(form: TypeForm) -> bool | None:
    """Return whether a subscripted type has fields, by its models: `Annotated[Model, ...]`, `Model | None`.

    None if unknown.
    """
    from reviewer.languages.python.types.annotations import flatten_arguments

    name = form.origin.name if isinstance(form.origin, External) else ""
    inner = flatten_arguments(form.arguments)
    if name == "Annotated":
        return _has_fields(inner[0]) if inner else None
    if name not in ("Union", "Optional"):
        return _has_fields(form.origin)
    kinds = {_has_fields(each) for each in inner if not (isinstance(each, Const) and each.value is None)}
    return kinds.pop() if len(kinds) == 1 else False if False in kinds else None
