"""Annotations of the reviewed source → real Python types, rebuilt from what is written so that pydantic can read them.

Only names on a list of the standard library's and pydantic's own types become real ones; a class of the project is built
anew from its fields. No default, validator or method of the reviewed code runs.
"""

import dataclasses
import enum
import importlib
import typing
from dataclasses import dataclass
from typing import Any, Literal, Union

import pydantic
import typing_extensions

from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.expressions import quoted
from reviewer.languages.python.frameworks import FIELDS, MODEL_BASES
from reviewer.languages.python.functions import SignatureParameter, docstring_of_class, fields
from reviewer.languages.python.names import is_enum
from reviewer.languages.python.values import (
    Class,
    Const,
    External,
    Function,
    Instance,
    Items,
    Mapping,
    Scope,
    TypeForm,
    Value,
    text_of_value,
)
from reviewer.source import Opaque, Span

LIBRARY = {
    "builtins": "str int float bool bytes bytearray complex list dict tuple set frozenset object",
    "typing": "Any Optional Union List Dict Tuple Set FrozenSet Sequence Mapping MutableMapping Iterable Literal Annotated Type"
    " Callable Hashable Text Required NotRequired Deque Collection MutableSequence Iterator",
    "collections.abc": "Sequence Mapping MutableMapping Iterable Callable Hashable Collection MutableSequence Set Iterator",
    "collections": "OrderedDict defaultdict deque Counter",
    "datetime": "datetime date time timedelta",
    "uuid": "UUID UUID1 UUID3 UUID4 UUID5",
    "pathlib": "Path PurePath PosixPath PurePosixPath",
    "decimal": "Decimal",
    "ipaddress": "IPv4Address IPv6Address IPv4Network IPv6Network",
    "re": "Pattern",
    "pydantic": "AnyUrl AnyHttpUrl HttpUrl FileUrl SecretStr SecretBytes Json PositiveInt NegativeInt NonNegativeInt"
    " NonPositiveInt PositiveFloat NegativeFloat NonNegativeFloat NonPositiveFloat StrictStr StrictInt StrictBool StrictFloat"
    " FilePath DirectoryPath NewPath UUID1 UUID4 Base64Str Base64Bytes AwareDatetime NaiveDatetime PastDate FutureDate"
    " ByteSize JsonValue FiniteFloat",
}
ALIASES = {"typing_extensions": "typing", "pydantic.types": "pydantic", "pydantic.networks": "pydantic"}
FIELD_KEYWORDS = frozenset(
    [
        "title",
        "description",
        "examples",
        "ge",
        "le",
        "gt",
        "lt",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "strict",
        "alias",
        "validation_alias",
        "serialization_alias",
        "json_schema_extra",
        "deprecated",
        "discriminator",
        "allow_inf_nan",
        "max_digits",
        "decimal_places",
    ]
)
WITHOUT_SCHEMA = frozenset({"BeforeValidator", "AfterValidator", "Depends", "SkipValidation", "Strict", "Resolve"})
UNREAD = object()
"""Stands for a default that is there and cannot be read."""


class NotReadableError(Exception):
    """A type that cannot be rebuilt, with why and where."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.opaque = Opaque(reason, span)


@dataclass(eq=False)
class Types:
    """Rebuilds types for one evaluation; a class of the project is built once."""

    run: Evaluator
    built: dict[int, Any] = dataclasses.field(default_factory=dict)

    def of_annotation(self, annotation: Value, scope: Scope) -> Any:
        """Rebuild the type that an annotation means. Raises NotReadableError."""
        match annotation:
            case Const(value=None):
                return None
            case Const(value=str() as source):
                return self.of_annotation(quoted(self.run, source, annotation.span, scope), scope)
            case External():
                return self._library(annotation)
            case Class():
                return self._class(annotation)
            case TypeForm():
                return self._form(annotation, scope)
            case Instance() if annotation.path.endswith(".NewType") and len(annotation.args) == 2:
                return self.of_annotation(annotation.args[1], scope)
            case _:
                raise NotReadableError(
                    getattr(annotation, "reason", "a type that only a run can tell"), _span(annotation, scope)
                )

    def _library(self, external: External) -> Any:
        module, _, name = external.path.rpartition(".")
        module = ALIASES.get(module, module)
        if name not in LIBRARY.get(module, "").split():
            raise NotReadableError(f"the type `{external.path}` lies outside the reviewed source", external.span)
        return getattr(
            typing_extensions if name in ("Required", "NotRequired") else importlib.import_module(module), name
        )

    def _form(self, form: TypeForm, scope: Scope) -> Any:
        origin = form.origin
        path = origin.path if isinstance(origin, External) else ""
        name = path.rpartition(".")[2]
        if name == "Literal":
            return Literal[tuple(_literal(each, scope) for each in _flat(form.arguments))]
        arguments = _flat(form.arguments)
        if name == "Annotated":
            return self.annotated(arguments, scope)
        inner = tuple(self.of_annotation(each, scope) for each in arguments if not _is_ellipsis(each))
        if any(_is_ellipsis(each) for each in arguments):
            inner = (*inner, ...)
        if name == "Union":
            return Union[inner]  # noqa: UP007
        if name == "Optional":
            return Union[(*inner, None)]
        if isinstance(origin, Class):
            raise NotReadableError(f"the generic model `{origin.name}`", form.span)
        try:
            return self.of_annotation(origin, scope)[inner if len(inner) != 1 else inner[0]]
        except TypeError:
            raise NotReadableError(f"`{path}` does not take these arguments", form.span) from None

    def annotated(self, arguments: tuple[Value, ...], scope: Scope) -> Any:
        """Rebuild `Annotated[T, ...]` with the metadata that shows in a schema."""
        kind = self.of_annotation(arguments[0], scope)
        for each in arguments[1:]:
            if isinstance(each, Instance) and each.path in FIELDS:
                kind = typing.Annotated[kind, pydantic.Field(**self.field(each, scope))]
            elif isinstance(each, Instance) and each.path.startswith("annotated_types."):
                kind = typing.Annotated[kind, _constraint(each, scope)]
            elif (
                isinstance(each, Instance)
                and isinstance(each.made_by, External)
                and each.made_by.name not in WITHOUT_SCHEMA
            ):
                raise NotReadableError(f"the metadata `{each.path}` may change the schema", each.span)
        return kind

    def field(self, made: Instance, scope: Scope) -> dict[str, Any]:
        """Give the keywords of a `Field(...)` that a schema shows, without its default. Raises NotReadableError."""
        return {name: self.plain(value, scope) for name, value in made.keywords.items() if name in FIELD_KEYWORDS}

    def plain(self, value: Value, scope: Scope) -> Any:
        """Give the Python value of a default or a keyword. Raises NotReadableError."""
        match value:
            case Const(plain):
                return plain
            case Items(kind="list", items=items, open=False):
                return [self.plain(each, scope) for each in items]
            case Items(kind="tuple", items=items, open=False):
                return tuple(self.plain(each, scope) for each in items)
            case Items(kind="set", items=items, open=False):
                return {self.plain(each, scope) for each in items}
            case Mapping(entries=entries, open=False):
                return {self.plain(key, scope): self.plain(each, scope) for key, each in entries}
            case Instance(made_by=Class() as cls) if is_enum(cls) and (name := text_of_value(value.attributes["name"])):
                return self._class(cls)[str(name)]
            case _:
                raise NotReadableError(
                    getattr(value, "reason", "a value that only a run can tell"), _span(value, scope)
                )

    def _class(self, cls: Class) -> Any:
        if id(cls) not in self.built:
            self.built[id(cls)] = None
            try:
                self.built[id(cls)] = self._build(cls)
            except NotReadableError:
                del self.built[id(cls)]
                raise
        if self.built[id(cls)] is None:
            raise NotReadableError(f"`{cls.name}` refers to itself", cls.scope.module.span(cls.node))
        return self.built[id(cls)]

    def _build(self, cls: Class) -> Any:
        bases = cls.outer_bases()
        text = docstring_of_class(cls)
        if is_enum(cls):
            return self._enum(cls, bases, text)
        if any(base in MODEL_BASES for base in bases):
            return self._model(cls, text)
        if any(base.endswith(".TypedDict") for base in bases):
            return self._typed_dict(cls)
        if _is_dataclass(cls):
            made = dataclasses.make_dataclass(cls.name, self._dataclass_fields(cls), kw_only=True)
            made.__doc__ = text or ""
            return made if text else pydantic.dataclasses.dataclass(made)
        raise NotReadableError(f"the class `{cls.name}`", cls.scope.module.span(cls.node))

    def _enum(self, cls: Class, bases: list[str], text: str | None) -> Any:
        mixin = (
            str
            if any(base in ("enum.StrEnum", "builtins.str") for base in bases)
            else int
            if "enum.IntEnum" in bases
            else None
        )
        scope = Scope(cls.scope.module, cls.scope)
        members = {
            name: name.lower()
            if isinstance(value, Instance) and value.path == "enum.auto"
            else self.plain(value, scope)
            for name, value in cls.names.items()
            if not name.startswith("_") and not isinstance(value, Function)
        }
        made = enum.Enum(cls.name, members, type=mixin) if mixin else enum.Enum(cls.name, members)
        made.__doc__ = text
        return made

    def _model(self, cls: Class, text: str | None) -> Any:
        parts: dict[str, Any] = {}
        for ancestor in reversed(list(cls.lineage())):
            for part in fields(ancestor):
                if not part.name.startswith("_") and part.name != "model_config" and not _is_class_var(part):
                    parts[part.name] = self.of_field(
                        part, Scope(ancestor.scope.module, ancestor.scope, ancestor.names, is_class=True)
                    )
        made = pydantic.create_model(cls.name, __config__=self._config(cls), **parts)
        made.__doc__ = text
        made.model_rebuild(force=True)
        return made

    def _config(self, cls: Class) -> pydantic.ConfigDict:
        config: pydantic.ConfigDict = {"arbitrary_types_allowed": False, "protected_namespaces": ()}
        written = cls.lookup("model_config")
        keywords = written.keywords if isinstance(written, Instance) else {}
        if isinstance(written, Mapping):
            keywords = {str(key.value): value for key, value in written.entries if isinstance(key, Const)}
        for name in (
            "extra",
            "title",
            "populate_by_name",
            "json_schema_extra",
            "use_enum_values",
            "str_max_length",
            "str_min_length",
        ):
            if name in keywords:
                config[name] = self.plain(keywords[name], cls.scope)
        return config

    def of_field(self, part: SignatureParameter, scope: Scope) -> tuple[Any, Any]:
        """Rebuild a field or a parameter as pydantic takes it: its type, and its default or FieldInfo."""
        if part.annotation is None:
            raise NotReadableError(f"`{part.name}` has no annotation", scope.module.span(part.node))
        kind = self.of_annotation(self.run.value(part.annotation, scope), scope)
        return kind, self.default(part, scope)

    def default(self, part: SignatureParameter, scope: Scope) -> Any:
        """Give a field's default: `...` if it is required, UNREAD if it cannot be read, else the value or a FieldInfo."""
        if part.default is None:
            return ...
        value = self.run.value(part.default, scope)
        if isinstance(value, Instance) and value.path in FIELDS:
            return self._field_default(value, scope)
        try:
            return self.plain(value, scope)
        except NotReadableError:
            return UNREAD

    def _field_default(self, made: Instance, scope: Scope) -> Any:
        keywords = self.field(made, scope)
        given = made.argument("default", 0)
        if "default_factory" in made.keywords:
            return pydantic.Field(default_factory=lambda: None, **keywords)
        if given is None or _is_ellipsis(given):
            return pydantic.Field(**keywords)
        return pydantic.Field(self.plain(given, scope), **keywords)

    def _typed_dict(self, cls: Class) -> Any:
        total = not any(
            isinstance(value, Const) and value.value is False
            for each in cls.lineage()
            for name, value in each.keywords.items()
            if name == "total"
        )
        parts = {
            part.name: self.of_field(part, ancestor.scope)[0]
            for ancestor in reversed(list(cls.lineage()))
            for part in fields(ancestor)
        }
        return typing_extensions.TypedDict(cls.name, parts, total=total)  # type: ignore[operator]  # mypy knows only the class form

    def _dataclass_fields(self, cls: Class) -> list[Any]:
        made: list[tuple[Any, ...]] = []
        for ancestor in reversed(list(cls.lineage())):
            for part in fields(ancestor):
                kind, default = self.of_field(part, ancestor.scope)
                if default is ...:
                    made.append((part.name, kind))
                elif isinstance(default, list | dict | set) or default is UNREAD:
                    made.append((part.name, kind, dataclasses.field(default_factory=lambda: None)))
                else:
                    made.append((part.name, kind, default))
        return made


def _flat(arguments: tuple[Value, ...]) -> tuple[Value, ...]:
    """Give the arguments of a subscript, whether the grammar sees one tuple or several."""
    if len(arguments) == 1 and isinstance(arguments[0], Items) and arguments[0].kind == "tuple":
        return tuple(arguments[0].items)
    return arguments


def _literal(value: Value, scope: Scope) -> Any:
    if isinstance(value, Const):
        return value.value
    if (
        isinstance(value, Instance)
        and "value" in value.attributes
        and isinstance(inner := value.attributes["value"], Const)
    ):
        return inner.value
    raise NotReadableError("a member of `Literal[...]` that only a run can tell", _span(value, scope))


def _constraint(made: Instance, scope: Scope) -> Any:
    import annotated_types

    plain = [each.value for each in (*made.args, *made.keywords.values()) if isinstance(each, Const)]
    name = made.path.rpartition(".")[2]
    if name not in ("Ge", "Gt", "Le", "Lt", "MinLen", "MaxLen", "Len", "MultipleOf") or len(plain) != len(
        made.args
    ) + len(made.keywords):
        raise NotReadableError(f"the metadata `{made.path}` may change the schema", _span(made, scope))
    return getattr(annotated_types, name)(*plain)


def _is_ellipsis(value: Value) -> bool:
    return isinstance(value, External) and value.path == "builtins.Ellipsis"


def _is_class_var(part: SignatureParameter) -> bool:
    return part.annotation is not None and b"ClassVar" in (part.annotation.text or b"")


def _is_dataclass(cls: Class) -> bool:
    parent = cls.node.parent
    return parent is not None and any(
        part.type == "decorator" and b"dataclass" in (part.text or b"") for part in parent.named_children
    )


def _span(value: Value, scope: Scope) -> Span:
    return getattr(value, "span", None) or scope.module.span(scope.module.root)
