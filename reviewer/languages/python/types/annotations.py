"""Annotations of the reviewed source → real Python types, rebuilt from what is written so that pydantic can read them.

Only names on a list of the standard library's and pydantic's own types become real ones; a class of the project is built
anew from its fields. No default, validator or method of the reviewed code runs.
"""

import importlib
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any, Literal, Union

import pydantic
import typing_extensions

from reviewer.budget import REASONS, ExhaustedError, get_budget
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.expressions import evaluate_quoted
from reviewer.languages.python.evaluation.models import FIELDS, open_schema
from reviewer.languages.python.evaluation.names import is_enum
from reviewer.languages.python.evaluation.signatures import SignaturePart, evaluate_part
from reviewer.languages.python.evaluation.values import (
    UNSURE,
    CallArguments,
    Const,
    External,
    PyClass,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyValue,
    TypeForm,
    assume_default,
    to_text,
)
from reviewer.languages.python.types.functions import SignatureParameter
from reviewer.languages.python.types.library import (
    ALIASES,
    CONSTRAINED,
    EXTENDED,
    LIBRARY,
    MARKERS,
    NOT_SHOWN,
    VALUES,
    WITHOUT_SCHEMA,
    flatten_unions,
)
from reviewer.records import dataclass
from reviewer.schema.python.dialects import PythonDialect
from reviewer.schema.python.stand_ins import Answer
from reviewer.source import Opaque, Span

DEEPEST = 60
"""Types in types, defaults in defaults, below Python's own limit of recursion. 40 servers had up to 13."""
EMPTY: dict[str, Callable[[], Any]] = {
    "list": list,
    "dict": dict,
    "set": set,
    "tuple": tuple,
    "frozenset": frozenset,
    "str": str,
}
"""Factories of defaults that make something empty, by their names."""
UNREAD = object()
"""Stands for a default that is there and cannot be read."""


class NotReadableError(Exception):
    """A type that cannot be rebuilt, with why and where."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.opaque = Opaque(reason, span)


@dataclass(eq=False)
class Types(ABC):
    """Rebuilds types for one evaluation; a class of the project is built once. `classes.py` has how that is built."""

    run: Evaluator
    unfinished: list[Any] = field(default_factory=list)
    """Models that refer to a class that was being built."""
    forward: dict[str, Any] = field(default_factory=dict)
    """Classes that were referred to while they were being built, by the name that stood for them."""
    depth: int = 0
    assumed: list[str] = field(default_factory=list)
    """What was taken as it is if nothing is configured."""

    @abstractmethod
    def build(self, cls: PyClass) -> Any:
        """Rebuild a class of the project as it is written."""

    def rebuild_annotation(self, annotation: PyValue, scope: PyScope) -> Any:
        """Rebuild the type that an annotation means. Raises NotReadableError."""
        with self._deeper(annotation, scope):
            return self._get_for_annotation(annotation, scope)

    @contextmanager
    def _deeper(self, value: PyValue, scope: PyScope) -> Iterator[None]:
        """Go one step deeper into a type or a default, which may lead to itself, or stand for more than the budget affords.

        The library that makes types has no one class for what it refuses: whatever it raises is why this one is not readable.
        """
        if self.depth > DEEPEST:
            raise NotReadableError("it nests too deep", locate_value(value, scope))
        if not self.run.budget.affords("nodes"):
            raise NotReadableError(REASONS["nodes"], locate_value(value, scope))
        self.depth += 1
        try:
            yield
        except NotReadableError:
            raise
        except ExhaustedError as error:
            raise NotReadableError(error.reason, locate_value(value, scope)) from None
        except RecursionError:
            raise NotReadableError("it nests too deep", locate_value(value, scope)) from None
        except Exception as error:
            raise NotReadableError(
                f"no type is made of it ({type(error).__name__})", locate_value(value, scope)
            ) from None
        finally:
            self.depth -= 1

    def _settle(self, value: PyValue) -> PyValue:
        """Return a value as it is if nothing is configured, and note what that depends on."""
        value, reason = assume_default(value)
        if reason is not None:
            self.assumed.append(reason)
        return value

    def _get_for_annotation(self, annotation: PyValue, scope: PyScope) -> Any:
        annotation = self._settle(annotation)
        match annotation:
            case Const(value=None):
                return None
            case Const(value=str() as source):
                return self.rebuild_annotation(evaluate_quoted(self.run, source, annotation.span, scope), scope)
            case External():
                return self._get_library(annotation)
            case PyClass():
                return self.rebuild_class(annotation)
            case TypeForm():
                return self._rebuild_form(annotation, scope)
            case PyInstance():
                return self._rebuild_made_type(annotation, scope)
            case _:
                raise NotReadableError(
                    getattr(annotation, "reason", "a type that only a run can tell"), locate_value(annotation, scope)
                )

    def rebuild_parameter(self, annotation: PyValue, scope: PyScope, dialect: PythonDialect) -> Any:
        """Rebuild the type of a parameter, whose description may be a bare text in `Annotated`. Raises NotReadableError."""
        with self._deeper(annotation, scope):
            return self._get_for_parameter(annotation, scope, dialect)

    def _get_for_parameter(self, annotation: PyValue, scope: PyScope, dialect: PythonDialect) -> Any:
        kind = self.rebuild_annotation(annotation, scope)
        said: tuple[Any, ...] = getattr(kind, "__metadata__", ())
        is_named = isinstance(annotation, PyInstance)
        if dialect.metadata_text and not is_named and len(said) == 1 and isinstance(said[0], str):
            return typing.Annotated[kind.__origin__, pydantic.Field(description=said[0])]
        return kind

    def _rebuild_made_type(self, made: PyInstance, scope: PyScope) -> Any:
        """Rebuild a type that a call makes: a type variable, an alias, a constrained type."""
        name = made.path.rpartition(".")[2]
        if name == "NewType" and len(made.args) == 2:
            return typing.NewType(str(self.to_plain(made.args[0], scope)), self.rebuild_annotation(made.args[1], scope))
        if name == "TypeVar":
            return self._get_parameter(made, scope)
        if name == "TypeAliasType" and len(made.args) == 2:
            return self._get_alias(made, scope)
        if name in CONSTRAINED and made.path.startswith("pydantic."):
            return self._rebuild_constrained(made, scope)
        raise NotReadableError("a type that only a run can tell", made.span)

    def _rebuild_constrained(self, made: PyInstance, scope: PyScope) -> Any:
        inner = [self.rebuild_annotation(each, scope) for each in made.args]
        keywords = {name: self.to_plain(each, scope) for name, each in made.keywords.items()}
        return getattr(pydantic, made.path.rpartition(".")[2])(*inner, **keywords)

    def _get_parameter(self, made: PyInstance, scope: PyScope) -> Any:
        if id(made) not in self.run.types:
            bound = made.keywords.get("bound")
            limits = [self.rebuild_annotation(each, scope) for each in made.args[1:]]
            name = str(self.to_plain(made.args[0], scope)) if made.args else "T"
            self.run.types[id(made)] = typing.TypeVar(
                name, *limits, bound=self.rebuild_annotation(bound, scope) if bound is not None else None
            )
        return self.run.types[id(made)]

    def _get_alias(self, made: PyInstance, scope: PyScope) -> Any:
        """Rebuild `type X = ...`, which pydantic keeps as a definition of its own."""
        if id(made) not in self.run.types:
            name, inner = made.args
            self.run.types[id(made)] = None
            self.run.types[id(made)] = typing_extensions.TypeAliasType(
                str(self.to_plain(name, scope)), self.rebuild_annotation(inner, scope)
            )
        if self.run.types[id(made)] is None:
            raise NotReadableError("an alias that refers to itself", made.span)
        return self.run.types[id(made)]

    def _get_library(self, external: External) -> Any:
        module, _, name = external.path.rpartition(".")
        module = ALIASES.get(module, module)
        if module.startswith(("mcp", "fastmcp")):
            if name in MARKERS:
                return MARKERS[name]
        if name not in LIBRARY.get(module, "").split():
            raise NotReadableError(f"the type `{external.path}` lies outside the reviewed source", external.span)
        return getattr(typing_extensions if name in EXTENDED else importlib.import_module(module), name)

    def _rebuild_form(self, form: TypeForm, scope: PyScope) -> Any:
        origin = form.origin
        path = origin.path if isinstance(origin, External) else ""
        name = path.rpartition(".")[2]
        if name == "Literal":
            return Literal[tuple(_collect_members(form, scope))]
        arguments = flatten_arguments(form.arguments)
        if name == "Annotated":
            return self.rebuild_annotated(arguments, scope)
        inner = tuple(... if is_ellipsis(each) else self._get_argument(each, scope) for each in arguments)
        if name in ("Union", "Optional"):
            return Union[flatten_unions((*inner, None) if name == "Optional" else inner)]  # noqa: UP007
        try:
            return self.rebuild_annotation(origin, scope)[inner if len(inner) != 1 else inner[0]]
        except TypeError:
            raise NotReadableError(f"`{path}` does not take these arguments", form.span) from None

    def _get_argument(self, argument: PyValue, scope: PyScope) -> Any:
        if isinstance(argument, PyItems):
            return [self.rebuild_annotation(each, scope) for each in argument.items]
        return self.rebuild_annotation(argument, scope)

    def rebuild_annotated(self, arguments: tuple[PyValue, ...], scope: PyScope) -> Any:
        """Rebuild `Annotated[T, ...]` with the metadata that shows in a schema. Raises NotReadableError."""
        if not arguments:
            raise NotReadableError("`Annotated` without a type", scope.module.locate(scope.module.root))
        kind = self.rebuild_annotation(arguments[0], scope)
        for each in arguments[1:]:
            metadata = self._build_metadata(each, kind, scope)
            if metadata is not None:
                kind = typing.Annotated[kind, metadata]
        return kind

    def _build_metadata(self, each: PyValue, kind: Any, scope: PyScope) -> Any:
        """Return the part of one piece of metadata that shows in a schema, or None."""
        each = self._settle(each)
        if isinstance(each, UNSURE):
            raise NotReadableError(getattr(each, "reason", "metadata that only a run can tell"), each.span)
        if isinstance(each, Const):
            return each.value
        if isinstance(each, External | PyClass | TypeForm):
            return self.rebuild_annotation(each, scope) if kind is Answer else None
        if not isinstance(each, PyInstance):
            return None
        if each.path in FIELDS:
            return self.rebuild_field(each, scope)
        if each.path.startswith("annotated_types."):
            return _get_constraint(each, scope)
        name = each.path.rpartition(".")[2]
        if name in ("StringConstraints", "Discriminator", "Tag") and each.path.startswith("pydantic."):
            plain = [self.to_plain(value, scope) for value in each.args]
            return getattr(pydantic, name)(*plain, **{key: self.to_plain(v, scope) for key, v in each.keywords.items()})
        if name == "WithJsonSchema" and (each.args or each.keywords):
            return pydantic.WithJsonSchema(self.to_plain((*each.args, *each.keywords.values())[0], scope))
        if isinstance(each.made_by, External) and name not in WITHOUT_SCHEMA:
            raise NotReadableError(f"the metadata `{each.path}` may change the schema", each.span)
        return None

    def rebuild_field(self, made: PyInstance, scope: PyScope) -> Any:
        """Rebuild a `Field(...)`, with its default. Raises NotReadableError."""
        with self._deeper(made, scope):
            return self._build_field(made, scope)

    def _build_field(self, made: PyInstance, scope: PyScope) -> Any:
        keywords = {name: self.to_plain(value, scope) for name, value in made.keywords.items() if name not in NOT_SHOWN}
        if made.open:
            raise NotReadableError("keywords of `Field` that only a run can tell", made.span)
        given = made.find_argument("default", 0)
        if "default_factory" in made.keywords:
            return pydantic.Field(
                default_factory=self.build_factory(made.keywords["default_factory"], scope), **keywords
            )
        if given is None or is_ellipsis(given):
            return pydantic.Field(**keywords)
        return pydantic.Field(self.to_plain(given, scope), **keywords)

    def build_factory(self, written: PyValue | None, scope: PyScope) -> Callable[[], Any]:
        """Return the factory of a field's default: a schema shows the default only if an object of the class is one
        itself.
        """
        if isinstance(written, External) and written.path.removeprefix("builtins.") in EMPTY:
            return EMPTY[written.path.removeprefix("builtins.")]

        span = locate_value(written, scope)

        def build_default() -> Any:
            if written is None:
                raise NotReadableError("a default that only a run makes", span)
            return self.to_plain(self.run.call(written, CallArguments([], {}, span)), scope)

        return build_default

    def to_plain(self, value: PyValue, scope: PyScope) -> Any:
        """Return the Python value of a default or a keyword. Raises NotReadableError."""
        with self._deeper(value, scope):
            return self._get_plain(value, scope)

    def _get_plain(self, value: PyValue, scope: PyScope) -> Any:
        value = open_schema(self.run, self._settle(value))
        match value:
            case Const(plain):
                return plain
            case PyItems(kind="list", items=items, open=False):
                return [self.to_plain(each, scope) for each in items]
            case PyItems(kind="tuple", items=items, open=False):
                return tuple(self.to_plain(each, scope) for each in items)
            case PyItems(kind="set", items=items, open=False) if len(items) < 2:
                return {self.to_plain(each, scope) for each in items}
            case PyItems(kind="set"):
                raise NotReadableError("the order of a set differs from run to run", locate_value(value, scope))
            case PyMapping(entries=entries, open=False):
                return self._collect_plain_dict(entries, scope)
            case PyInstance(made_by=PyClass() as cls) if is_enum(cls) and (name := to_text(value.attributes["name"])):
                return self.rebuild_class(cls)[str(name)]
            case PyInstance(open=False):
                return self._build_object(value, scope)
            case _:
                raise NotReadableError(
                    getattr(value, "reason", "a value that only a run can tell"), locate_value(value, scope)
                )

    def _collect_plain_dict(self, entries: list[tuple[PyValue, PyValue]], scope: PyScope) -> dict[Any, Any]:
        made = {}
        for key, each in entries:
            name = self.to_plain(key, scope)
            try:
                made[name] = self.to_plain(each, scope)
            except TypeError:
                raise NotReadableError("a key that is none", locate_value(key, scope)) from None
        return made

    def _build_object(self, made: PyInstance, scope: PyScope) -> Any:
        """Make an object of a rebuilt model or of a few of the library's own types, for a default."""
        plain = [self.to_plain(each, scope) for each in made.args]
        keywords = {name: self.to_plain(each, scope) for name, each in made.keywords.items()}
        name = made.path.rpartition(".")[2]
        if made.path == "pydantic.AliasChoices":
            return pydantic.AliasChoices(*plain)
        module = made.path.rpartition(".")[0]
        if isinstance(made.made_by, PyClass):
            maker = self.rebuild_class(made.made_by)
            if any(_uses_backtracking(each) for each in self.run.types.values()):
                raise NotReadableError("a value that is checked by a pattern that may take for ever", made.span)
        elif made.path in VALUES:
            maker = getattr(importlib.import_module(module), name)
        else:
            raise NotReadableError("a value that only a run can tell", made.span)
        try:
            return maker(*plain, **keywords)
        except (TypeError, ValueError, ArithmeticError):
            raise NotReadableError("a value that only a run can tell", made.span) from None

    def rebuild_class(self, cls: PyClass) -> Any:
        """Rebuild a class of the project; a reference to one that is being built is put in its place later."""
        built = self.run.types
        if id(cls) not in built:
            name = f"{cls.name}_{id(cls)}"
            built[id(cls)] = typing.ForwardRef(name)
            try:
                built[id(cls)] = self.build(cls)
            except BaseException:
                del built[id(cls)]
                raise
            self.run.rebuilt.append(cls)
            if name in self.forward:
                self.forward[name] = built[id(cls)]
                self._finish()
        if isinstance(built[id(cls)], typing.ForwardRef):
            self.forward[built[id(cls)].__forward_arg__] = None
        return built[id(cls)]

    def _finish(self) -> None:
        known = {name: each for name, each in self.forward.items() if each is not None}
        for model in self.unfinished:
            model.model_rebuild(force=True, raise_errors=False, _types_namespace=known)
        if len(known) == len(self.forward):
            self.unfinished.clear()

    def rebuild_field_definition(
        self, written: SignatureParameter, scope: PyScope, moment: int | None
    ) -> tuple[Any, Any]:
        """Rebuild a field as pydantic takes it: its type, and its default or FieldInfo."""
        part = evaluate_part(self.run, written, scope, moment)
        if part.annotation is None:
            raise NotReadableError(f"`{part.name}` has no annotation", part.span)
        return self.rebuild_annotation(part.annotation, scope), self.rebuild_default(part)

    def rebuild_default(self, part: SignaturePart) -> Any:
        """Return a field's default: `...` if it is required, UNREAD if it cannot be read, else the value or a FieldInfo."""
        if part.default is None:
            return ...
        written = assume_default(part.default)[0]
        if isinstance(written, PyInstance) and written.path in FIELDS:
            return self.rebuild_field(written, part.scope)
        try:
            return self.to_plain(part.default, part.scope)
        except NotReadableError:
            return UNREAD


def _uses_backtracking(made: Any) -> bool:
    """Return whether a model checks patterns by an engine that takes exponential time for some; the usual one does not."""
    config = getattr(made, "model_config", None)
    return isinstance(config, dict) and config.get("regex_engine") == "python-re"


def flatten_arguments(arguments: tuple[PyValue, ...]) -> tuple[PyValue, ...]:
    """Return the arguments of a subscript, whether the grammar sees one tuple or several."""
    if len(arguments) == 1 and isinstance(arguments[0], PyItems) and arguments[0].kind == "tuple":
        return tuple(arguments[0].items)
    return arguments


def _collect_members(form: TypeForm, scope: PyScope) -> list[Any]:
    """Return the members of a `Literal[...]`, those of one inside another as well. Raises ExhaustedError."""
    found: list[Any] = []
    for each in flatten_arguments(form.arguments):
        get_budget().spend("nodes")
        if isinstance(each, TypeForm) and isinstance(each.origin, External) and each.origin.name == "Literal":
            found += _collect_members(each, scope)
        else:
            found.append(_get_literal(each, scope))
    return found


def _get_literal(value: PyValue, scope: PyScope) -> Any:
    inner = value.attributes.get("value") if isinstance(value, PyInstance) else value
    if isinstance(inner, Const):
        return inner.value
    raise NotReadableError("a member of `Literal[...]` that only a run can tell", locate_value(value, scope))


def _get_constraint(made: PyInstance, scope: PyScope) -> Any:
    import annotated_types

    plain = [each.value for each in (*made.args, *made.keywords.values()) if isinstance(each, Const)]
    name = made.path.rpartition(".")[2]
    if name not in ("Ge", "Gt", "Le", "Lt", "MinLen", "MaxLen", "Len", "MultipleOf") or len(plain) != len(
        made.args
    ) + len(made.keywords):
        raise NotReadableError(f"the metadata `{made.path}` may change the schema", locate_value(made, scope))
    return getattr(annotated_types, name)(*plain)


def is_ellipsis(value: PyValue) -> bool:
    """Return whether a value is `...`."""
    return isinstance(value, External) and value.path == "builtins.Ellipsis"


def locate_value(value: PyValue | None, scope: PyScope) -> Span:
    """Return the place of a value, or that of the module it stands in."""
    return getattr(value, "span", None) or scope.module.locate(scope.module.root)
