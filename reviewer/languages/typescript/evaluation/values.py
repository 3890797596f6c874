"""What the code that declares tools works with: JavaScript's values, and what is not known of them."""

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.lowering.files import TypeScriptCode
from reviewer.records import dataclass
from reviewer.source import Opaque, Source, Span, Text

if TYPE_CHECKING:
    from reviewer.languages.typescript.project.modules import ScriptModule
    from reviewer.schema.typescript.zod import ZodType

ONLY_A_RUN = "it is known at run time only"
SYMBOL = " "
"""How the keys of objects begin that are symbols: they are not sent, and no loop over an object's entries gives them."""


class TsPlace(NamedTuple):
    """Where something is written."""

    source: Source
    at: ir.Site

    @property
    def span(self) -> Span:
        """Its place in lines and columns."""
        return self.source.stretch(self.at.start, self.at.end)

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.data[self.at.start : self.at.end].decode("utf-8", "replace")


@dataclass(eq=False, slots=True)
class TsValue:
    """Something that an expression gives."""


@dataclass(eq=False, slots=True)
class Const(TsValue):
    """A text, a number, a truth value or null; what is put together of others stands where the whole does."""

    value: str | int | float | bool | None
    place: TsPlace | None = None
    is_undefined: bool = False
    assumed: str = ""
    """Why it is so only where nothing is configured, empty if it always is."""


UNDEFINED = Const(None, None, True)
NULL = Const(None)


@dataclass(eq=False, slots=True)
class TsUnknown(TsValue):
    """An unknown value. `is_configured` is whether it is set when the server is started, or left unset."""

    reason: str
    place: TsPlace | None = None
    is_configured: bool = False


@dataclass(eq=False, slots=True)
class Maybe(TsValue):
    """An element or an entry that is there only under some conditions."""

    value: TsValue
    conditions: tuple[Condition, ...]


@dataclass(eq=False, slots=True)
class Either(TsValue):
    """One of several values, by tests that cannot be told; each with what holds where it is taken."""

    options: list[tuple[tuple[Condition, ...], TsValue]]


@dataclass(eq=False, slots=True)
class Obj(TsValue):
    """An object. `hidden` says why it may hold more than is seen, `made_by` the class of the project that it is of."""

    entries: dict[str, TsValue] = field(default_factory=dict)
    place: TsPlace | None = None
    hidden: str = ""
    made_by: "Cls | None" = None
    conditions: tuple[Condition, ...] = ()
    """Under which it was made: what is done to it under the same ones is done for sure."""


@dataclass(eq=False, slots=True)
class Arr(TsValue):
    """An array, a set, or the pairs of a map."""

    items: list[TsValue] = field(default_factory=list)
    place: TsPlace | None = None
    hidden: str = ""
    conditions: tuple[Condition, ...] = ()
    kind: str = "list"


@dataclass(eq=False, slots=True)
class Env:
    """The variables of one run of a code, and those around."""

    held: dict[ir.Variable, TsValue] = field(default_factory=dict)
    around: "Env | None" = None
    module: "ScriptModule | None" = None
    this: "TsValue | None" = None
    home: "Cls | None" = None
    """The class whose method is run: what `super` means."""

    def find(self, variable: ir.Variable) -> "Env | None":
        """Return the run that holds a variable."""
        env: Env | None = self
        while env is not None and variable not in env.held:
            env = env.around
        return env


@dataclass(eq=False, slots=True)
class Func(TsValue):
    """A function of the project, with what is around it; `this` is the object that it is a method of."""

    code: TypeScriptCode
    env: Env
    this: TsValue | None = None
    home: "Cls | None" = None
    leading: tuple[TsValue, ...] = ()

    @property
    def place(self) -> TsPlace:
        """Where it is written."""
        return TsPlace(self.code.source, self.code.at)


@dataclass(eq=False, slots=True)
class Cls(TsValue):
    """A class of the project."""

    code: TypeScriptCode
    env: Env
    base: TsValue | None = None
    members: dict[str, TsValue] = field(default_factory=dict)
    """Methods, and what the class itself has."""

    def find(self, name: str) -> TsValue | None:
        """Return the member of the class or of one above."""
        cls: TsValue | None = self
        for _ in range(20):
            if not isinstance(cls, Cls):
                return None
            if name in cls.members:
                return cls.members[name]
            cls = cls.base
        return None

    @property
    def library_base(self) -> "Lib | None":
        """What of a library it is derived from."""
        cls: TsValue | None = self
        for _ in range(20):
            if not isinstance(cls, Cls):
                break
            cls = cls.base
        return cls if isinstance(cls, Lib) else None


@dataclass(eq=False, slots=True)
class Lib(TsValue):
    """Something of a library or of the language: a module's name, and the names in it."""

    module: str
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in its library."""
        return self.names[-1] if self.names else ""

    @property
    def path(self) -> str:
        """Its whole name, with dots."""
        return ".".join((self.module, *self.names)).lstrip(".")


@dataclass(eq=False, slots=True)
class TsMade(TsValue):
    """What a call of a library gives: by which function, of what, and on which object."""

    by: Lib
    args: tuple[TsValue, ...] = ()
    place: TsPlace | None = None
    on: TsValue | None = None
    entries: dict[str, TsValue] = field(default_factory=dict)
    """What code wrote into it."""


@dataclass(eq=False, slots=True)
class Namespace(TsValue):
    """All that a module of the project gives."""

    module: "ScriptModule"


@dataclass(eq=False, slots=True)
class TsSchema(TsValue):
    """A schema of zod."""

    zod: "ZodType"
    place: TsPlace | None = None


@dataclass(eq=False, slots=True)
class Above(TsValue):
    """What `super` means: the class above, with the object that is made or asked."""

    base: TsValue | None
    this: TsValue | None


def iter_options(
    value: TsValue, conditions: tuple[Condition, ...] = ()
) -> Iterator[tuple[tuple[Condition, ...], TsValue]]:
    """Yield the alternatives of a value, each with the condition under which it holds."""
    if isinstance(value, Maybe):
        yield from iter_options(value.value, (*conditions, *value.conditions))
    elif isinstance(value, Either):
        for told, each in value.options:
            yield from iter_options(each, (*conditions, *told))
    else:
        yield conditions, value


def strip_conditions(value: TsValue) -> TsValue:
    """Return a value without the conditions under which it is there."""
    while isinstance(value, Maybe):
        value = value.value
    return value


def join(options: list[tuple[tuple[Condition, ...], TsValue]]) -> TsValue:
    """Return one of several values."""
    found = [each for option in options for each in iter_options(option[1], option[0])]
    first = found[0][1]
    if all(each is first or _is_same(each, first) for _, each in found):
        return first
    return Either(found[:MOST])


MOST = 16
"""Values of which one may be any. More come from loops whose end is unknown."""


def _is_same(one: TsValue, other: TsValue) -> bool:
    if isinstance(one, Const) and isinstance(other, Const):
        return (
            type(one.value) is type(other.value) and one.value == other.value and one.is_undefined == other.is_undefined
        )
    if isinstance(one, Lib) and isinstance(other, Lib):
        return one.path == other.path
    if isinstance(one, TsSchema) and isinstance(other, TsSchema):
        return one.zod is other.zod
    return isinstance(one, TsUnknown) and isinstance(other, TsUnknown) and one.reason == other.reason


def settle(value: TsValue) -> tuple[TsValue, str]:
    """Return the value where nothing is configured, and why it is so only then; empty if it always is."""
    value = strip_conditions(value)
    if isinstance(value, Either):
        known = [strip_conditions(each) for _, each in value.options]
        told = [each for each in known if not (isinstance(each, TsUnknown) and each.is_configured)]
        if len(told) == 1 and len(told) < len(known) and not isinstance(told[0], TsUnknown):
            reason = next(each.reason for each in known if isinstance(each, TsUnknown))
            return told[0], reason
        tests = [condition.text for conditions, _ in value.options for condition in conditions[-1:]]
        return TsUnknown(f"it depends on `{tests[0]}`" if tests else ONLY_A_RUN), ""
    return value, value.assumed if isinstance(value, Const) else ""


def to_text_or_opaque(value: TsValue | None, span: Span) -> Text | Opaque | None:
    """Return a text with its place, why it cannot be read, or None if there is none."""
    if value is None or (isinstance(value, Const) and value.is_undefined):
        return None
    value, _ = settle(value)
    if isinstance(value, Const):
        place = value.place.span if value.place is not None else span
        if isinstance(value.value, str):
            return Text(value.value, place)
        return None if value.is_undefined else Opaque("it is no text", place)
    return Opaque(value.reason if isinstance(value, TsUnknown) else ONLY_A_RUN, span)
