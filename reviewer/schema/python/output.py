"""A return annotation → the `outputSchema` that a framework derives from it, or none."""

import dataclasses
import types
import typing
from collections.abc import Sequence
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

import pydantic
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind
from pydantic_core import core_schema

from reviewer.caching import cache
from reviewer.facts import Json
from reviewer.schema.python.dialects import PythonDialect
from reviewer.schema.python.fastmcp import trim_schema
from reviewer.schema.python.stand_ins import Answer, Content, ForeignSchemaError, InputRequired

T = TypeVar("T")


def build_return_schema(dialect: PythonDialect, function: str, annotation: Any, structured: bool | None) -> Json | None:
    """Return the output schema for a return annotation (its rebuilt type), or None where the framework makes none.

    `structured` is the tool's `structured_output`. Raises ForeignSchemaError where the schema is that of a type of the framework.
    """
    annotation = _without_input_required(annotation)
    if annotation is InputRequired or structured is False or not dialect.output:
        return None
    if not _is_built_in(annotation):
        return _build_output_schema(dialect, function, annotation, structured)
    document = _find_for_built_in(dialect, annotation, repr(annotation), structured)
    if document is None or dialect.framework != "mcp":
        return document
    return {**document, "title": f"{function}{document['title']}"}


def _build_output_schema(
    dialect: PythonDialect, function: str, annotation: Any, structured: bool | None
) -> Json | None:
    return (
        _find_for_mcp(dialect, function, annotation, structured)
        if dialect.framework == "mcp"
        else _find_for_fastmcp(dialect, annotation)
    )


@cache
def _find_for_built_in(dialect: PythonDialect, annotation: Any, _written: str, structured: bool | None) -> Json | None:
    """Make the schema for a type that many tools return, its title without the function's name.

    `_written` tells types apart that Python holds to be equal: `int | str` and `str | int`.
    """
    return _build_output_schema(dialect, "", annotation, structured)


def _is_built_in(annotation: Any) -> bool:
    """Return whether a type is made of built-in ones alone: `str`, `dict[str, Any] | None`."""
    inner = get_args(annotation)
    if inner:
        return (_is_union(annotation) or get_origin(annotation) in (dict, list)) and all(map(_is_built_in, inner))
    return annotation in (str, int, float, bool, dict, list, Any, None, type(None))


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def _without_input_required(annotation: Any) -> Any:
    if not _is_union(annotation) or InputRequired not in get_args(annotation):
        return annotation
    rest = tuple(each for each in get_args(annotation) if each is not InputRequired)
    return Union[rest] if rest else InputRequired  # noqa: UP007


def _collect_bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Part `Annotated[T, ...]` into T and its metadata."""
    metadata: tuple[Any, ...] = ()
    while get_origin(annotation) is Annotated:
        metadata = (*annotation.__metadata__, *metadata)
        annotation = get_args(annotation)[0]
    return annotation, metadata


class _Strict(GenerateJsonSchema):
    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """Refuse what pydantic would only warn of, as the SDK does."""
        raise ValueError(detail)


def _find_for_mcp(dialect: PythonDialect, function: str, annotation: Any, structured: bool | None) -> Json | None:
    kind, metadata = _collect_bare(annotation)
    if kind is Answer:
        if not metadata or isinstance(metadata[0], str):
            return None
        annotation = kind = metadata[0]
    if _holds_content(kind):
        if structured is None and not dialect.content_output:
            return None
        raise ForeignSchemaError("the schema of a content block is the framework's own")
    model = _get_mcp_model(dialect, kind, annotation, function)
    if model is None:
        return None
    try:
        return _inline_root(TypeAdapter(model).json_schema(schema_generator=_Strict))
    except pydantic.PydanticUserError as error:
        if error.code in ("class-not-fully-defined", "undefined-annotation"):
            raise
        return None
    except (TypeError, ValueError):
        return None


def _inline_root(document: Json) -> Json:
    """Put the definition of a model that refers to itself at the root."""
    name = str(document.get("$ref", "")).removeprefix("#/$defs/")
    if name not in document.get("$defs", {}):
        return document
    return {**document["$defs"][name], **{key: value for key, value in document.items() if key != "$ref"}}


def _holds_content(kind: Any) -> bool:
    kind = _collect_bare(kind)[0]
    if kind is Content:
        return True
    holds = _is_union(kind) or get_origin(kind) in (list, tuple, Sequence, typing.get_origin(Sequence[int]))
    return holds and any(_holds_content(each) for each in get_args(kind))


def _get_mcp_model(dialect: PythonDialect, kind: Any, annotation: Any, function: str) -> Any:
    """Choose what a result is checked against: the type itself if it is an object, else an object around it."""
    if isinstance(kind, types.GenericAlias):
        arguments = get_args(kind)
        if get_origin(kind) is dict and len(arguments) == 2 and arguments[0] is str:
            return Annotated[kind, Field(title=f"{function}DictOutput")]
    elif isinstance(kind, type) and not _is_plain(kind):
        if typing_extensions.is_typeddict(kind) and dialect.typed_dict_models:
            return _get_for_typed_dict(kind)
        if issubclass(kind, BaseModel) or typing_extensions.is_typeddict(kind):
            return kind
        return _get_for_class(kind)
    return pydantic.create_model(f"{function}Output", result=(annotation, ...))


def _get_for_typed_dict(kind: Any) -> Any:
    hints = typing.get_type_hints(kind)
    fields: dict[str, Any] = {
        name: hint if name in kind.__required_keys__ else (hint, None) for name, hint in hints.items()
    }
    return pydantic.create_model(kind.__name__, **fields)


def _is_plain(kind: type) -> bool:
    return kind in (str, int, float, bool, bytes, type(None))


def _get_for_class(kind: type) -> Any:
    """Make a model of a class with annotated names; one without any has no schema."""
    hints = typing.get_type_hints(kind)
    if not hints or kind is Any:
        return None
    fields: dict[str, Any] = {
        name: (hint, getattr(kind, name)) if hasattr(kind, name) else (hint, ...)
        for name, hint in hints.items()
        if not name.startswith("_")
    }
    return pydantic.create_model(kind.__name__, __config__=ConfigDict(from_attributes=True), **fields)


class _ByField(GenerateJsonSchema):
    """Names fields as the class has them, unless the class itself says to serialize by alias."""

    def model_schema(self, schema: core_schema.ModelSchema) -> Json:
        """Return the schema of one model under its own setting."""
        before, self.by_alias = self.by_alias, bool(schema["cls"].model_config.get("serialize_by_alias"))
        try:
            return super().model_schema(schema)
        finally:
            self.by_alias = before


def _find_for_fastmcp(dialect: PythonDialect, annotation: Any) -> Json | None:
    kind, metadata = _collect_bare(annotation)
    if kind is Answer and metadata:
        if not isinstance(metadata[0], type) or not issubclass(metadata[0], BaseModel):
            raise ForeignSchemaError("the schema of an answer is the framework's own")
        annotation = metadata[0]
    if annotation in (None, Any) or _is_opaque_to_fastmcp(annotation):
        return None
    if not dialect.bare_sequence_output and _says_nothing(annotation):
        return None
    document = _build_serialized_schema(annotation, dialect)
    if document is None:
        return None
    if not _is_object(document):
        wrapped = _build_serialized_schema(_get_wrapper(dialect)[annotation], dialect)
        if wrapped is None:
            return None
        document = {**wrapped, "x-fastmcp-wrap-result": True}
    return trim_schema(document, dialect) or None


def _build_serialized_schema(annotation: Any, dialect: PythonDialect) -> Json | None:
    by_alias = dialect.closed is False or not dialect.derived_title
    try:
        adapter = TypeAdapter(annotation)
        if by_alias:
            return adapter.json_schema(mode="serialization")
        return adapter.json_schema(mode="serialization", by_alias=False, schema_generator=_ByField)
    except pydantic.PydanticUserError:
        return None


def _get_wrapper(dialect: PythonDialect) -> Any:
    @dataclasses.dataclass
    class Wrapped(Generic[T]):
        result: T

    Wrapped.__doc__ = dialect.wrapper_text
    Wrapped.__name__ = Wrapped.__qualname__ = "_WrappedResult"
    return Wrapped


def _is_opaque_to_fastmcp(annotation: Any) -> bool:
    """Return whether a type holds bytes, content or a whole answer anywhere: fastmcp makes no schema of it."""
    kind = _collect_bare(annotation)[0]
    if kind in (Content, Answer, InputRequired, bytes):
        return True
    inner = [each for each in get_args(kind) if _is_union(kind) or _collect_bare(each)[0] is not bytes]
    return any(_is_opaque_to_fastmcp(each) for each in inner)


def _says_nothing(annotation: Any) -> bool:
    """Return whether a type is a sequence of anything."""
    kind = _collect_bare(annotation)[0]
    if kind in (list, tuple, Sequence, typing.List, typing.Tuple, typing.Sequence):  # noqa: UP006
        return True
    if get_origin(kind) not in (list, tuple, typing.get_origin(Sequence[int])):
        return False
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        return len(arguments) == 2 and arguments[0] is Any and arguments[1] is ...
    return all(each is Any for each in arguments)


def _is_object(document: Json) -> bool:
    name = str(document.get("$ref", "")).removeprefix("#/$defs/")
    inner = document.get("$defs", {}).get(name)
    return document.get("type") == "object" or "properties" in document or (inner is not None and _is_object(inner))
