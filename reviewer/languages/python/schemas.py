"""Parameters → the JSON Schema of a tool. Imported when a schema is first looked at: pydantic takes its time to load."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import PydanticUserError, WithJsonSchema
from pydantic.errors import PydanticSchemaGenerationError

from reviewer.facts import Hole, Json
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.frameworks import Framework
from reviewer.languages.python.functions import SignatureParameter
from reviewer.languages.python.types import UNREAD, NotReadableError, Types
from reviewer.languages.python.values import Class, Function
from reviewer.schema import python as schema
from reviewer.source import Opaque, Span

UNSUITABLE = (
    PydanticUserError,
    PydanticSchemaGenerationError,
    TypeError,
    ValueError,
    KeyError,
    NameError,
    AttributeError,
    RecursionError,
)
"""What pydantic raises for types that it cannot put into a schema."""


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what pydantic has to say of the reviewed types from our user's terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@_quiet()
def of_parameters(
    run: Evaluator,
    framework: Framework,
    shown: Function,
    parameters: list[SignatureParameter],
    wires: dict[str, str],
    arguments: dict[str, str],
) -> tuple[Json, tuple[Hole, ...]]:
    """Let pydantic make the schema of a function's parameters, and take out of it what cannot be read.

    `wires` are the parameters' names as clients see them, `arguments` the texts of the docstring's `Args:`.
    """
    run.start()
    types = Types(run)
    typed = [(part, *_typed(types, framework, part, wires[part.name], shown)) for part in parameters]
    holes = [hole for *_, found in typed for hole in found]
    fields = {part.name: (kind, default) for part, kind, default, _ in typed}
    try:
        document = schema.of_parameters(framework, shown.name, fields, arguments)
    except UNSUITABLE as error:
        reason = f"pydantic makes no schema of its parameters ({type(error).__name__})"
        return {}, (Hole("", Opaque(reason, shown.scope.module.span(shown.node))),)
    for hole in holes:
        _, wire, *rest = hole.path.split(".", 2)
        part = document.get("properties", {}).get(wire)
        if isinstance(part, dict):
            part.pop("default", None) if rest else part.clear()
    return document, tuple(holes)


def _typed(
    types: Types, framework: Framework, part: SignatureParameter, wire: str, shown: Function
) -> tuple[Any, Any, list[Hole]]:
    """Give a parameter's type and default for pydantic, and what of it cannot be read."""
    holes = []
    kind: Any = Any
    try:
        if part.annotation is not None:
            kind = types.of_annotation(types.run.value(part.annotation, shown.scope), shown.scope)
        elif framework == "mcp":
            kind = Annotated[Any, WithJsonSchema({"title": wire, "type": "string"})]
    except NotReadableError as error:
        holes.append(Hole(f"properties.{wire}", error.opaque))
    try:
        default = types.default(part, shown.scope)
    except NotReadableError as error:
        return kind, None, [*holes, Hole(f"properties.{wire}", error.opaque)]
    if default is UNREAD:
        span = shown.scope.module.span(part.node)
        return (
            kind,
            None,
            [*holes, Hole(f"properties.{wire}.default", Opaque("the default is known at run time only", span))],
        )
    return kind, default, holes


@_quiet()
def of_model(run: Evaluator, cls: Class, path: str, span: Span) -> tuple[Any, Hole | None]:
    """Give what `Model.model_json_schema()` answers, or the hole at `path` if it cannot be told."""
    try:
        return schema.of_model(Types(run).of_annotation(cls, cls.scope)), None
    except NotReadableError as error:
        return None, Hole(path, error.opaque)
    except UNSUITABLE:
        return None, Hole(path, Opaque(f"pydantic makes no schema of `{cls.name}`", span))
