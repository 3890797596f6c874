"""Parameters and return annotations → the JSON Schemas of a tool.

Imported when a schema is first looked at: pydantic takes its time to load.
"""

import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from reviewer.budget import BOUNDS, REASONS, ExhaustedError, spending
from reviewer.facts import Hole, Json
from reviewer.facts.parts import Path
from reviewer.languages.python.declarations.outputs import evaluate_return_annotation, is_postponed
from reviewer.languages.python.declarations.parameters import Signature
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.signatures import SignaturePart, find_assigned_attribute, find_doubt
from reviewer.languages.python.evaluation.values import Const, PyClass, PyFunction, PyValue, assume_default, to_text
from reviewer.languages.python.types.annotations import UNREAD, NotReadableError, Types
from reviewer.languages.python.types.classes import ProjectTypes
from reviewer.languages.python.types.functions import read_fields
from reviewer.schema.python import parameters as schema
from reviewer.schema.python.dialects import PythonDialect
from reviewer.schema.python.stand_ins import ForeignSchemaError
from reviewer.source import Opaque, Span

UNSUITABLE = Exception
"""What pydantic raises for types, constraints and defaults that it cannot put into a schema; it has no one class for it."""

OF_ONE = BOUNDS["nodes"].share // 4
"""Types and values of one parameter: a hostile default leaves something for the parameters beside it."""


@contextmanager
def _making(run: Evaluator) -> Iterator[None]:
    """Make one schema within its share of the budget, without what pydantic has to say of the reviewed types.

    The types that it is made of and the schema itself are counted, so it may take twice a share.
    """
    with warnings.catch_warnings(), spending(run.budget), run.budget.share("nodes", 2 * BOUNDS["nodes"].share):
        warnings.simplefilter("ignore")
        yield


def _format_reason(error: Exception, made: str) -> str:
    """Say why a schema cannot be made."""
    return error.reason if isinstance(error, ExhaustedError) else f"{made} ({type(error).__name__})"


def build_parameters_schema(
    signature: Signature, parameters: list[SignaturePart], arguments: dict[str, str]
) -> tuple[Json, tuple[Hole, ...]]:
    """Let pydantic make the schema of a function's parameters, and take out of it what cannot be read.

    `arguments` are the texts of the docstring's `Args:`.
    """
    signature.run.start()
    with _making(signature.run):
        return _collect_for_parameters(signature, parameters, arguments)


def _collect_for_parameters(
    signature: Signature, parameters: list[SignaturePart], arguments: dict[str, str]
) -> tuple[Json, tuple[Hole, ...]]:
    shown = signature.shown
    span = shown.scope.module.locate(shown.node)
    # pydantic counts nothing: what it makes is counted when it is made, which is too late where one function is many tools
    if not signature.run.budget.affords("nodes", len(parameters)):
        return {}, (Hole("", Opaque(REASONS["nodes"], span)),)
    types = ProjectTypes(signature.run)
    typed = []
    for part in parameters:
        with signature.run.budget.share("nodes", OF_ONE):
            typed.append((part, *_build_field_definition(types, signature, part)))
    rewritten = find_assigned_attribute(signature.function, "__signature__")
    decides = assume_default(rewritten)[1] if rewritten is not None else None
    decides = decides or find_doubt(signature.function, "__signature__")
    types.assumed += [decides] if decides is not None else []
    holes = [hole for *_, found in typed for hole in found]
    kinds = {part.name: (kind, default) for part, kind, default, _ in typed}
    try:
        document = schema.build_parameters_schema(
            signature.dialect, find_shown_name(signature.function), kinds, arguments
        )
    except UNSUITABLE as error:
        reason = _format_reason(error, "pydantic makes no schema of its parameters")
        return {}, (Hole("", Opaque(reason, span)),)
    for hole in (each for each in holes if not each.assumed):
        _, wire, *rest = hole.path.split(".", 2)
        part = document.get("properties", {}).get(wire)
        if isinstance(part, dict):
            part.pop("default", None) if rest else part.clear()
    depends = dict.fromkeys(types.assumed)
    return document, (*holes, *(Hole("properties", Opaque(reason, span), assumed=True) for reason in depends))


def find_shown_name(function: PyFunction) -> str:
    """Return a function's `__name__`, as it is written or assigned."""
    renamed = find_assigned_attribute(function, "__name__")
    text = to_text(renamed) if renamed is not None else None
    return str(text) if text is not None else function.unwrap().name


def _build_field_definition(types: Types, signature: Signature, part: SignaturePart) -> tuple[Any, Any, list[Hole]]:
    """Return a parameter's type and default for pydantic, and what of it cannot be read."""
    holes = []
    kind: Any = Any
    wire = signature.find_wire_name(part)
    try:
        if part.annotation is not None:
            kind = types.rebuild_parameter(part.annotation, part.scope, signature.dialect)
        elif signature.dialect.framework == "mcp":
            kind = Annotated[Any, WithJsonSchema({"title": wire, "type": "string"})]
    except NotReadableError as error:
        holes.append(Hole(f"properties.{wire}", error.opaque))
        kind = Annotated[Any, Field(alias=wire)] if wire != part.name else Any
    before = len(types.assumed)
    try:
        default = types.rebuild_default(part)
    except NotReadableError as error:
        return kind, None, [*holes, Hole(f"properties.{wire}", error.opaque)]
    if default is UNREAD:
        opaque = Opaque("the default is known at run time only", part.span)
        return kind, None, [*holes, Hole(f"properties.{wire}.default", opaque)]
    depends = dict.fromkeys(types.assumed[before:])
    del types.assumed[before:]  # what only the default depends on is said of that alone
    holes += [Hole(f"properties.{wire}.default", Opaque(each, part.span), assumed=True) for each in depends]
    return kind, default, holes


def build_return_schema(
    run: Evaluator, function: PyFunction, dialect: PythonDialect, structured: PyValue | None
) -> tuple[Json | None, tuple[Hole, ...]]:
    """Return the schema that a framework derives from a function's return annotation; None where it derives none."""
    run.start()
    with _making(run):
        return _collect_for_return(run, function, dialect, structured)


def _collect_for_return(
    run: Evaluator, function: PyFunction, dialect: PythonDialect, structured: PyValue | None
) -> tuple[Json | None, tuple[Hole, ...]]:
    annotation = evaluate_return_annotation(run, function)
    wanted = bool(structured.value) if isinstance(structured, Const) and structured.value is not None else None
    span = function.scope.module.locate(function.node)
    if annotation is None:
        return None, ()
    from reviewer.schema.python.output import build_return_schema  # makes models of pydantic as it is loaded

    try:
        kind = ProjectTypes(run).rebuild_annotation(annotation, function.unwrap().scope)
        kind = type(None) if kind is None and is_postponed(function) else kind
        made = build_return_schema(dialect, find_shown_name(function), kind, wanted)
        return (schema.require_json(made) if made is not None else None), ()
    except NotReadableError as error:
        return {}, (Hole("", error.opaque),)
    except ForeignSchemaError as error:
        return {}, (Hole("", Opaque(str(error), span)),)
    except UNSUITABLE as error:
        return {}, (Hole("", Opaque(_format_reason(error, "no schema of what it returns"), span)),)


def build_model_schema(run: Evaluator, cls: PyClass, path: str, span: Span) -> tuple[Any, Hole | None]:
    """Return the result of `Model.model_json_schema()`, or the hole at `path` if it is unknown."""
    try:
        with _making(run):
            return schema.require_json(schema.build_model_schema(ProjectTypes(run).rebuild_class(cls))), None
    except NotReadableError as error:
        return None, Hole(path, error.opaque)
    except UNSUITABLE:
        return None, Hole(path, Opaque(f"pydantic makes no schema of `{cls.name}`", span))


def iter_places(run: Evaluator) -> Iterator[tuple[Path, Span]]:
    """Yield the places of the fields of every class whose schema may stand among the definitions, by the name it has there.

    Examples of the whole stand at the class.
    """
    named: defaultdict[str, list[PyClass]] = defaultdict(list)
    for cls in run.rebuilt:
        named[cls.name].append(cls)
    for name, (cls, *others) in named.items():
        if not others:
            yield ("$defs", name, "examples"), cls.scope.module.locate(cls.node)
        for each in reversed(list(cls.iter_lineage())) if not others else ():
            for written in read_fields(each):
                yield ("$defs", name, "properties", written.name), each.scope.module.locate(written.node)
