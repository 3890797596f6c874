"""Classes of the reviewed source → real ones: models, enumerations, typed dicts, dataclasses, built anew from what is written."""

import collections
import dataclasses
import enum
import typing
from typing import Any

import pydantic
import typing_extensions
from pydantic.alias_generators import to_camel, to_pascal, to_snake

from reviewer.budget import get_budget
from reviewer.languages.nodes import decode_node, list_children
from reviewer.languages.python.evaluation.models import MODEL_BASES
from reviewer.languages.python.evaluation.names import find_module_scope, is_decorated, is_enum
from reviewer.languages.python.evaluation.signatures import evaluate_part
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    PyClass,
    PyFunction,
    PyInstance,
    PyMapping,
    PyScope,
    PyValue,
    TypeForm,
)
from reviewer.languages.python.types.annotations import UNREAD, NotReadableError, Types, flatten_arguments
from reviewer.languages.python.types.functions import (
    SignatureParameter,
    find_class_docstring,
    find_docstring,
    read_fields,
)

GENERATORS = {"to_camel": to_camel, "to_pascal": to_pascal, "to_snake": to_snake}
GENERATED = frozenset({"alias_generator", "schema_generator"})
"""What of `model_config` is code."""


SOUGHT = 4
"""How many visits of a syntax node it counts as that a field is looked for in a base; each is, in each of several."""


class ProjectTypes(Types):
    """Rebuilds types, and the classes of the project that they name."""

    def build(self, cls: PyClass) -> Any:
        """Rebuild one class. Raises NotReadableError for a kind of class that has no schema."""
        bases = cls.list_external_bases()
        if is_enum(cls):
            return _get_enum(self, cls, bases)
        if any(base in MODEL_BASES for base in bases):
            return _get_model(self, cls)
        if any(base.endswith(".TypedDict") for base in bases):
            return _get_typed_dict(self, cls)
        if any(base.endswith(".NamedTuple") for base in bases):
            return _get_named_tuple(self, cls)
        if is_dataclass(cls):
            return _get_dataclass(self, cls)
        return _get_annotated_class(self, cls)


def _get_enum(types: Types, cls: PyClass, bases: list[str]) -> Any:
    if any(isinstance(cls.names.get(name), PyFunction) for name in ("__new__", "__init__", "_generate_next_value_")):
        raise NotReadableError(f"`{cls.name}` creates its members in code", cls.scope.module.locate(cls.node))
    mixin: type | None = None
    if any(base in ("enum.StrEnum", "builtins.str") for base in bases):
        mixin = str
    elif any(base in ("enum.IntEnum", "builtins.int") for base in bases):
        mixin = int
    scope = PyScope(cls.scope.module, cls.scope)
    members: dict[str, Any] = {}
    for name, value in cls.names.items():
        if not name.startswith("_") and not isinstance(value, PyFunction | PyClass):
            members[name] = _get_member(types, name, value, scope, len(members), "enum.StrEnum" in bases)
    try:
        made = enum.Enum(cls.name, members, type=mixin) if mixin else enum.Enum(cls.name, members)
    except (TypeError, ValueError):
        raise NotReadableError(f"the enumeration `{cls.name}`", cls.scope.module.locate(cls.node)) from None
    made.__doc__ = find_class_docstring(cls)
    return made


def _get_member(types: Types, name: str, value: PyValue, scope: PyScope, index: int, lowered: bool) -> Any:
    if isinstance(value, PyInstance) and value.path == "enum.auto":
        return name.lower() if lowered else index + 1
    return types.to_plain(value, scope)


def _get_model(types: Types, cls: PyClass) -> Any:
    bases = _collect_bases(types, cls)
    parts = _collect_parts(types, cls)
    _refuse_code(cls)
    before = len(types.forward)
    text = find_class_docstring(cls)
    module = types.run.modules.format_import_name(cls.scope.module)
    spend_field_search(bases=len(bases), inherited=sum(len(getattr(each, "model_fields", ())) for each in bases))
    made = pydantic.create_model(cls.name, __base__=bases, __doc__=text, __module__=module, **parts)
    if not made.__pydantic_complete__ or len(types.forward) != before:
        types.unfinished.append(made)
    return made


def spend_field_search(*, bases: int, inherited: int) -> None:
    """Take from the budget what the library does to look for each inherited field in each of several bases."""
    get_budget().spend("visits", SOUGHT * (bases - 1) * inherited)


def _collect_parts(types: Types, cls: PyClass) -> dict[str, Any]:
    scope = PyScope(cls.scope.module, cls.scope, cls.names, is_class=True)
    parts = {}
    for part in read_fields(cls):
        if not part.name.startswith("_") and part.name != "model_config" and not is_class_var(part):
            kind, default = types.rebuild_field_definition(part, scope, cls.moment)
            if default is UNREAD:
                raise NotReadableError(f"the default of `{cls.name}.{part.name}`", cls.scope.module.locate(part.node))
            parts[part.name] = kind if default is ... else (kind, default)
    return parts


def _collect_bases(types: Types, cls: PyClass) -> tuple[Any, ...]:
    """Rebuild the bases that make a class a model; others say nothing about its fields."""
    found = [base for written in cls.written for base in _collect_base(types, written, cls)]
    models = [each for each in found if isinstance(each, type) and issubclass(each, pydantic.BaseModel)]
    return (
        _get_settings(types, cls, models[0] if models else pydantic.BaseModel),
        *(e for e in found if e not in models[:1]),
    )


def _collect_base(types: Types, written: PyValue, cls: PyClass) -> list[Any]:
    origin = written.origin if isinstance(written, TypeForm) else written
    path = origin.path if isinstance(origin, External) else ""
    if isinstance(origin, PyClass):
        if not any(base in MODEL_BASES for base in origin.list_external_bases()):
            return []
        return [types.rebuild_annotation(written, cls.scope)]
    if path.endswith(".RootModel") and not isinstance(written, TypeForm):
        return [pydantic.RootModel]
    if path.endswith(".RootModel") and isinstance(written, TypeForm):
        return [pydantic.RootModel[types.rebuild_annotation(flatten_arguments(written.arguments)[0], cls.scope)]]  # type: ignore[misc]
    if path.endswith(".Generic") and isinstance(written, TypeForm):
        inner = tuple(types.rebuild_annotation(each, cls.scope) for each in flatten_arguments(written.arguments))
        return [typing.Generic[inner]]  # type: ignore[index]
    if path in MODEL_BASES:
        parameters = tuple(types.rebuild_annotation(each, cls.scope) for each in cls.parameters)
        return [pydantic.BaseModel, *([typing.Generic[parameters]] if parameters else [])]  # type: ignore[index]
    return []


def _get_settings(types: Types, cls: PyClass, base: Any) -> Any:
    """Lay what `model_config` and the computed fields add over a base; fields come later, in a class of the right name."""
    config = _collect_config(types, cls)
    computed = {name: _compute(types, each) for name, each in cls.names.items() if _is_computed(each)}
    if not config and not computed and base is not pydantic.BaseModel:
        return base
    config.setdefault("protected_namespaces", ())
    return type(base)(base.__name__, (base,), {"model_config": config, "__module__": __name__, **computed})


def _is_computed(value: PyValue) -> bool:
    return isinstance(value, PyFunction) and is_decorated(value, "computed_field")


def _compute(types: Types, value: PyValue) -> Any:
    assert isinstance(value, PyFunction)
    returns = value.node.child_by_field_name("return_type")
    kind = (
        types.rebuild_annotation(types.run.evaluate(returns, value.scope), value.scope) if returns is not None else Any
    )

    def return_nothing(self: Any) -> Any:
        """Stand for the property; it is never asked."""

    text = find_docstring(value)
    return_nothing.__name__ = value.name
    return_nothing.__doc__ = str(text) if text is not None else None
    return pydantic.computed_field(return_type=kind)(property(return_nothing))


def _refuse_code(cls: PyClass) -> None:
    """Refuse a class whose schema is made by its own code."""
    for name in ("__get_pydantic_json_schema__", "__get_pydantic_core_schema__", "model_json_schema"):
        if isinstance(cls.names.get(name), PyFunction):
            raise NotReadableError(f"`{cls.name}` creates its schema in code", cls.scope.module.locate(cls.node))


def _collect_config(types: Types, cls: PyClass) -> dict[str, Any]:
    """Return the settings that a model's own body and head hold: `model_config`, `class Config`, `class M(Base, extra=...)`."""
    written, inner = cls.names.get("model_config"), cls.names.get("Config")
    keywords = dict(written.keywords) if isinstance(written, PyInstance) else {}
    if isinstance(written, PyMapping):
        keywords = {str(key.value): value for key, value in written.entries if isinstance(key, Const)}
    if isinstance(inner, PyClass):
        keywords |= {name: value for name, value in inner.names.items() if not name.startswith("_")}
    keywords |= cls.keywords
    known = pydantic.ConfigDict.__annotations__.keys() - GENERATED
    config = {name: types.to_plain(value, cls.scope) for name, value in keywords.items() if name in known}
    if "alias_generator" in keywords:
        config["alias_generator"] = _get_generator(keywords["alias_generator"], cls)
        config["populate_by_name"] = True
    return config


def _get_generator(value: PyValue, cls: PyClass) -> Any:
    name = value.name if isinstance(value, External) and value.path.startswith("pydantic.") else ""
    if name not in GENERATORS:
        raise NotReadableError(f"the aliases of `{cls.name}` are created in code", cls.scope.module.locate(cls.node))
    return GENERATORS[name]


def _get_typed_dict(types: Types, cls: PyClass) -> Any:
    parts: dict[str, Any] = {}
    for ancestor in reversed(list(cls.iter_lineage())):
        total = ancestor.keywords.get("total")
        optional = isinstance(total, Const) and total.value is False
        for part in read_fields(ancestor):
            kind = types.rebuild_field_definition(part, ancestor.scope, ancestor.moment)[0]
            marked = typing.get_origin(kind) in (typing_extensions.Required, typing_extensions.NotRequired)
            parts[part.name] = typing_extensions.NotRequired[kind] if optional and not marked else kind
    made: Any = typing_extensions.TypedDict(cls.name, parts)  # type: ignore[misc]  # the name is data
    made.__doc__ = find_class_docstring(cls)
    return made


def _get_named_tuple(types: Types, cls: PyClass) -> Any:
    parts = [(part.name, *types.rebuild_field_definition(part, cls.scope, cls.moment)) for part in read_fields(cls)]
    names, defaults = [name for name, *_ in parts], [default for *_, default in parts if default is not ...]
    namedtuple: Any = collections.namedtuple
    made = namedtuple(cls.name, names, defaults=defaults)
    made.__annotations__ = {name: kind for name, kind, _ in parts}
    return made


def _get_dataclass(types: Types, cls: PyClass) -> Any:
    made = dataclasses.make_dataclass(cls.name, _collect_dataclass_fields(types, cls), kw_only=True)
    made.__doc__ = find_class_docstring(cls) or ""
    return pydantic.dataclasses.dataclass(made) if _is_pydantic(types, cls) else made


def _is_pydantic(types: Types, cls: PyClass) -> bool:
    """Return whether the decorator that makes a dataclass is pydantic's own."""
    written = types.run.resolve_name("dataclass", cls.scope, cls.node)
    return isinstance(written, External) and written.path.startswith("pydantic.")


def _collect_dataclass_fields(types: Types, cls: PyClass) -> list[Any]:
    made: dict[str, tuple[Any, ...]] = {}
    for ancestor in reversed(list(cls.iter_lineage())):
        for part in read_fields(ancestor):
            if not is_class_var(part):
                made[part.name] = _collect_dataclass_field(types, part, ancestor)
    return list(made.values())


def _collect_dataclass_field(types: Types, written: SignatureParameter, cls: PyClass) -> tuple[Any, ...]:
    scope = cls.scope
    part = evaluate_part(types.run, written, scope, cls.moment)
    if part.annotation is None:
        raise NotReadableError(f"`{part.name}` has no annotation", part.span)
    kind = types.rebuild_annotation(part.annotation, scope)
    given = part.default
    if isinstance(given, PyInstance) and given.path == "dataclasses.field":
        return part.name, kind, dataclasses.field(**_collect_field_keywords(types, given, scope))
    default = types.rebuild_default(part)
    if default is ...:
        return part.name, kind
    if isinstance(default, list | dict | set) or default is UNREAD:
        return part.name, kind, dataclasses.field(default_factory=types.build_factory(None, scope))
    return part.name, kind, default


def _collect_field_keywords(types: Types, given: PyInstance, scope: PyScope) -> dict[str, Any]:
    """Return the keywords of `dataclasses.field(...)` that a schema shows."""
    keywords: dict[str, Any] = {
        name: types.to_plain(given.keywords[name], scope) for name in ("default", "metadata") if name in given.keywords
    }
    made = given.keywords.get("default_factory")
    return keywords if made is None else {**keywords, "default_factory": types.build_factory(made, scope)}


def _get_annotated_class(types: Types, cls: PyClass) -> Any:
    """Rebuild a class that is nothing but annotated names; the SDK makes a model of it for an output."""
    parts = [
        (part, *types.rebuild_field_definition(part, cls.scope, cls.moment))
        for part in read_fields(cls)
        if not is_class_var(part)
    ]
    if cls.bases or not parts:
        raise NotReadableError(f"the class `{cls.name}`", cls.scope.module.locate(cls.node))
    names: dict[str, Any] = {part.name: default for part, _, default in parts if default not in (..., UNREAD)}
    made = type(cls.name, (), {**names, "__module__": __name__})
    made.__annotations__ = {part.name: kind for part, kind, _ in parts}
    return made


def is_class_var(part: SignatureParameter) -> bool:
    """Return whether an annotated name belongs to the class and not to its objects."""
    return part.annotation is not None and b"ClassVar" in (part.annotation.text or b"")


def resolve_decorators(cls: PyClass) -> list[str]:
    """Return the paths of what is written over a class, as far as its module imports them: `dataclasses.dataclass`."""
    parent, found = cls.node.parent, []
    for part in list_children(parent) if parent is not None else ():
        written = decode_node(part).removeprefix("@").partition("(")[0].strip() if part.type == "decorator" else ""
        head, _, rest = written.partition(".")
        imported = find_module_scope(cls.scope).names.get(head) if head else None
        if isinstance(imported, External):
            found.append(f"{imported.path}.{rest}" if rest else imported.path)
    return found


def is_dataclass(cls: PyClass) -> bool:
    """Return whether a class carries `@dataclass`."""
    parent = cls.node.parent
    return parent is not None and any(
        part.type == "decorator" and b"dataclass" in (part.text or b"") for part in list_children(parent)
    )
