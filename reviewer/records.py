"""`dataclass` as the standard library has it, with its methods written when they are first called.

The library compiles five or six functions for each class as a module is imported, a third of a millisecond each; a review of
a small server makes four hundred such classes and objects of half of them. A class that asks for what is rare (an order,
`InitVar`, `ClassVar`, fields by keyword only) is made by the library.
"""

import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from dataclasses import dataclass as by_the_library
from reprlib import recursive_repr
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

FIELDS = "__dataclass_fields__"

RARE = ("ClassVar", "InitVar", "KW_ONLY")
"""Annotations by which a field is none, or is made in another way: such a class goes to the standard library."""

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, **rare):
        """Make a class of fields: what `dataclasses.dataclass` does, later."""

        def make_fields_class(given):
            noted = _read_annotations(given)
            if rare or any(_is_rare(given, name, noted[name]) for name in noted):
                return by_the_library(frozen=frozen, slots=slots, eq=eq, **rare)(given)
            return _make_class(given, noted, frozen, slots, eq)

        return make_fields_class if cls is None else make_fields_class(cls)


def _read_annotations(cls: type) -> dict[str, Any]:
    if sys.version_info >= (3, 14):  # annotations are evaluated when they are asked for
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    noted: dict[str, Any] = cls.__dict__.get("__annotations__", {})  # noqa: RUF063  # `inspect` takes ten times as long
    return noted


def _is_rare(cls: type, name: str, annotation: Any) -> bool:
    default = cls.__dict__.get(name)
    if isinstance(default, Field) and default.kw_only not in {MISSING, False}:
        return True
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None) or repr(annotation)
    return any(word in text for word in RARE)


class _Params:
    """What the library keeps of how a class was declared, as far as a class below it is asked about it."""

    __slots__ = ("eq", "frozen", "slots")

    def __init__(self, frozen: bool, slots: bool, eq: bool) -> None:
        self.frozen, self.slots, self.eq = frozen, slots, eq


class _Later:
    """Stands for a method or a table of a class, which is made and put in its place when it is first asked for."""

    def __init__(self, make: Callable[[type], Any]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn where it stands."""
        self._owner, self._name = owner, name

    def __get__(self, instance: object, owner: type) -> Any:
        """Return the bound function, as the class itself would give it."""
        true = self._make(self._owner)
        setattr(self._owner, self._name, true)
        return true.__get__(instance, owner) if isinstance(true, FunctionType) else true


class _Fields(_Later):
    """The fields of a class, put together when something asks for them."""

    def __init__(self, own: dict[str, Any], defaults: dict[str, Any]) -> None:
        super().__init__(self._collect_fields)
        self.own, self.defaults = own, defaults

    def _collect_fields(self, cls: type) -> dict[str, Field[Any]]:
        found = {name: each for base in cls.__mro__[:0:-1] for name, each in _find_declared_fields(base).items()}
        for name, annotation in self.own.items():
            given = self.defaults.get(name, MISSING)
            if given.__class__.__hash__ is None:
                raise ValueError(f"mutable default {type(given)} for field {name} is not allowed: use default_factory")
            one: Any = given if isinstance(given, Field) else field(default=given)
            one.name, one.type, one.kw_only, one._field_type = name, annotation, False, ORDINARY
            found[name] = one
        return found


def _get_field_kind() -> Any:
    """Return how the library marks a field that is no `ClassVar` and no `InitVar`: `fields` gives only those that bear it."""

    @by_the_library(init=False, repr=False, eq=False)
    class Sample:
        part: int

    return Sample.__dataclass_fields__["part"]._field_type  # type: ignore[attr-defined]


ORDINARY = _get_field_kind()


def _find_declared_fields(cls: type) -> dict[str, Field[Any]]:
    return getattr(cls, FIELDS) if FIELDS in cls.__dict__ else {}


def _list_own_names(cls: type) -> list[str]:
    """Return the names of the fields that a class declares itself."""
    kept = cls.__dict__.get(FIELDS, ())
    return list(kept.own if isinstance(kept, _Fields) else kept)


def _make_class(cls: type, own: dict[str, Any], frozen: bool, slots: bool, eq: bool) -> type:
    held = cls.__dict__
    defaults = {name: held[name] for name in own if name in held}
    added: dict[str, Any] = {
        FIELDS: _Fields(own, defaults),
        "__dataclass_params__": _Params(frozen, slots, eq),
        "__init__": _Later(_write_init),
        "__repr__": _format_repr,
        "__match_args__": _Later(_list_match_args),
    }
    if eq:
        added["__eq__"] = _Later(_write_eq)
        if held.get("__hash__") is None:  # a class with an `__eq__` of its own has the entry, too
            added["__hash__"] = _Later(_write_hash) if frozen else None
    if frozen:
        added |= {"__setattr__": _refuse_setting, "__delattr__": _refuse_deleting}
        if slots:
            added |= {"__getstate__": _state, "__setstate__": _restore}
    added = {name: each for name, each in added.items() if name == "__hash__" or name not in held}
    return _rebuild_with_slots(cls, own, added) if slots else _add_in_place(cls, defaults, added)


def _add_in_place(cls: type, defaults: dict[str, Any], added: dict[str, Any]) -> type:
    for name, given in defaults.items():
        if isinstance(given, Field):
            if given.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, given.default)
    for name, each in added.items():
        setattr(cls, name, each)
        if isinstance(each, _Later):
            each.__set_name__(cls, name)
    return cls


def _rebuild_with_slots(cls: type, own: dict[str, Any], added: dict[str, Any]) -> type:
    taken = {name for base in cls.__mro__[1:-1] for name in _list_slots(base)}
    inherited = [name for base in cls.__mro__[:0:-1] for name in _list_own_names(base)]
    content = {**cls.__dict__, **added}
    content["__slots__"] = tuple(name for name in dict.fromkeys([*inherited, *own]) if name not in taken)
    for name in (*own, *inherited, "__dict__", "__weakref__"):
        content.pop(name, None)
    remade = type(cls)(cls.__name__, cls.__bases__, content)
    remade.__qualname__ = cls.__qualname__
    return remade


def _list_slots(cls: type) -> tuple[str, ...]:
    named = cls.__dict__.get("__slots__", ())
    return (named,) if isinstance(named, str) else tuple(named)


def _list_match_args(cls: type) -> tuple[str, ...]:
    """Return the names that the positions of a pattern stand for."""
    return tuple(each.name for each in getattr(cls, FIELDS).values() if each.init)


def _compile_method(cls: type, text: str, name: str, known: dict[str, Any]) -> Any:
    made: dict[str, Any] = {}
    exec(text, known, made)  # as the library does: names of fields, nothing from outside
    made[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return made[name]


def _write_init(cls: type) -> Any:
    params = cls.__dict__["__dataclass_params__"]
    known: dict[str, Any] = {"_set": object.__setattr__, "_unset": MISSING}
    head, body = ["self"], []
    optional = False
    for name, each in getattr(cls, FIELDS).items():
        known[f"_default_{name}"] = each.default if each.default_factory is MISSING else each.default_factory
        value = name
        if each.default_factory is not MISSING:
            value = f"_default_{name}() if {name} is _unset else {name}" if each.init else f"_default_{name}()"
        elif not each.init:
            if each.default is MISSING or not params.slots:
                continue
            value = f"_default_{name}"
        if each.init:
            has = each.default is not MISSING or each.default_factory is not MISSING
            if optional and not has:
                raise TypeError(f"non-default argument {name!r} follows default argument")
            optional = optional or has
            absent = "_unset" if each.default_factory is not MISSING else f"_default_{name}"
            head.append(f"{name}={absent}" if has else name)
        body.append(f"_set(self, {name!r}, {value})" if params.frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    return _compile_method(cls, f"def __init__({', '.join(head)}):\n {'; '.join(body) or 'pass'}", "__init__", known)


def _format_parts(cls: type, whose: str, hashed: bool = False) -> str:
    names = [
        name
        for name, each in getattr(cls, FIELDS).items()
        if (each.compare if not hashed or each.hash is None else each.hash)
    ]
    return f"({''.join(f'{whose}.{name},' for name in names)})"


def _write_eq(cls: type) -> Any:
    mine, others = _format_parts(cls, "self"), _format_parts(cls, "other")
    text = f"def __eq__(self, other):\n if other.__class__ is self.__class__: return {mine} == {others}\n return NotImplemented"
    return _compile_method(cls, text, "__eq__", {})


def _write_hash(cls: type) -> Any:
    return _compile_method(
        cls, f"def __hash__(self): return hash({_format_parts(cls, 'self', hashed=True)})", "__hash__", {}
    )


@recursive_repr()
def _format_repr(self: Any) -> str:
    parts = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(parts)})"


def _refuse_setting(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
