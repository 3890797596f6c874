"""What an expression of the reviewed Python source stands for, as far as its syntax tells.

Values are what the evaluator works with; nothing outside this package sees them.
"""

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Literal, Union

from tree_sitter import Node

from reviewer.facts import Condition
from reviewer.languages.python.project.modules import PyModule
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text

Plain = str | int | float | bool | bytes | complex | None


@dataclass(frozen=True, slots=True)
class Const:
    """A constant of a built-in type."""

    value: Plain
    span: Span


def is_none(value: object) -> bool:
    """Return whether a value is None."""
    return isinstance(value, Const) and value.value is None


@dataclass(frozen=True, slots=True, eq=False)
class PyGuarded:
    """An element that is in its container under conditions only."""

    value: "PyValue"
    conditions: tuple[Condition, ...]


@dataclass(slots=True, eq=False)
class PyItems:
    """A list, tuple or set. `open` tells that there may be more than is listed, `under` where it was made.

    `names` are those by which the elements of a named tuple are reached.
    """

    kind: Literal["list", "tuple", "set"]
    items: list["PyValue"]
    span: Span
    open: bool = False
    under: tuple[Condition, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class PyMapping:
    """A dict, in order. `open` tells that there may be more entries than are listed, `under` where it was made."""

    entries: list[tuple["PyValue", "PyValue"]]
    span: Span
    open: bool = False
    under: tuple[Condition, ...] = ()
    _places: dict[object, tuple[int, int]] = field(default_factory=dict, repr=False)
    _indexed: int = 0

    def get(self, key: "Plain") -> Union["PyValue", None]:
        """Return the last value stored under a key."""
        found = [value for name, value in self.entries if isinstance(name, Const) and name.value == key]
        return strip_conditions(found[-1]) if found else None

    def look_up(self, key: "PyValue") -> Union["PyValue", None]:
        """Return the last value stored under a key that is a constant or a member of an enumeration."""
        last = self._index().get(to_key(key), (0, None))[1]
        return strip_conditions(self.entries[last][1]) if last is not None else None

    def put(self, key: "PyValue", value: "PyValue", conditions: tuple[Condition, ...]) -> None:
        """Store a value under a key, in the place of one that is there already."""
        stored = guard_value(value, conditions, self.under)
        first = self._index().get(to_key(key), (None, 0))[0] if isinstance(stored, type(value)) else None
        if first is not None:
            self.entries[first] = (self.entries[first][0], stored)
        else:
            self.entries.append((key, stored))

    def find_entry(self, key: "PyValue") -> "tuple[PyValue, PyValue] | None":
        """Return the entry that stands first under a key, None if none does for sure."""
        found = self._index().get(to_key(key)) if to_key(key) is not None else None
        return self.entries[found[0]] if found is not None else None

    def remove(self, key: "PyValue") -> None:
        """Take a key out."""
        gone = to_key(key)
        self.entries[:] = [each for each in self.entries if gone is None or to_key(each[0]) != gone]
        self._places, self._indexed = {}, 0

    def _index(self) -> dict[object, tuple[int, int]]:
        """Return the first and the last place of each key that can be told from others; entries are added at the end."""
        for place in range(self._indexed, len(self.entries)):
            key = to_key(self.entries[place][0])
            if key is not None:
                self._places[key] = (self._places.get(key, (place, place))[0], place)
        self._indexed = len(self.entries)
        return self._places


@dataclass(slots=True, eq=False)
class PyScope:
    """The names of one module, function call or class body. Names not found here are looked up in `parent`."""

    module: PyModule
    parent: Union["PyScope", None] = None
    names: dict[str, "PyValue"] = field(default_factory=dict)
    is_class: bool = False
    owner: Union["PyFunction", None] = None
    """The function whose call this is, None for a module or a class body."""
    elsewhere: dict[str, "PyScope"] = field(default_factory=dict)
    """The scopes in which names are bound that are declared `global` or `nonlocal` here."""
    before: dict[str, list[tuple[int, "PyValue"]]] = field(default_factory=dict)
    """What names that were bound anew meant before, each with the moment until which it did."""
    stars: dict[str, "External"] = field(default_factory=dict)
    """The modules outside of the project whose names are imported with `*`, by their paths."""

    def look_up(self, name: str, moment: int | None) -> "PyValue":
        """Return the value of a name in this scope, now or at a moment."""
        if moment is not None:
            for until, value in self.before.get(name, ()):
                if moment < until:
                    return value
        return self.names[name]


@dataclass(slots=True, eq=False)
class PyFunction:
    """A function of the project. `wraps` is the one it stands in for after `functools.wraps`."""

    name: str
    node: Node
    scope: PyScope
    cls: Union["PyClass", None] = None
    wraps: Union["PyFunction", None] = None
    attributes: dict[str, "PyValue"] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    moment: int | None = None
    """When it was defined: its annotations and defaults mean what they meant then."""
    doubts: dict[str, str] = field(default_factory=dict)
    """Attributes that configuration may set otherwise, with what decides."""

    def unwrap(self) -> "PyFunction":
        """Follow `functools.wraps` to the function whose name, text and signature are shown."""
        return self.wraps.unwrap() if self.wraps is not None else self


@dataclass(slots=True, eq=False)
class PyClass:
    """A class of the project. `execute` runs its body into a dict, when its names are first asked for.

    `bases` are without type arguments, `written` as they stand; `parameters` are the type variables of `class C[T]`.
    """

    name: str
    node: Node
    scope: PyScope
    execute: Callable[["PyClass", dict[str, "PyValue"]], None]
    bases: list["PyValue"] = field(default_factory=list)
    keywords: dict[str, "PyValue"] = field(default_factory=dict)
    written: list["PyValue"] = field(default_factory=list)
    parameters: list["PyValue"] = field(default_factory=list)
    moment: int | None = None
    _names: dict[str, "PyValue"] | None = None

    @property
    def names(self) -> dict[str, "PyValue"]:
        """What the body binds, in order."""
        if self._names is None:
            self._names = {}
            self.execute(self, self._names)
        return self._names

    def iter_lineage(self) -> Iterator["PyClass"]:
        """Yield this class and its bases in the project, each once, nearest first."""
        seen: set[int] = set()
        waiting = [self]
        while waiting:
            cls = waiting.pop()
            if id(cls) not in seen:
                seen.add(id(cls))
                yield cls
                waiting += reversed([base for base in cls.bases if isinstance(base, PyClass)])

    def list_external_bases(self) -> list[str]:
        """Name the classes from outside the project that it descends from."""
        return [base.path for cls in self.iter_lineage() for base in cls.bases if isinstance(base, External)]

    def find_attribute(self, name: str) -> Union["PyValue", None]:
        """Find an attribute in the class or its bases."""
        return next((cls.names[name] for cls in self.iter_lineage() if name in cls.names), None)


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the project."""

    module: PyModule


@dataclass(frozen=True, slots=True)
class External:
    """Something from outside the project, by its dotted path: `mcp.types.Tool`."""

    path: str
    span: Span

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]


@dataclass(slots=True, eq=False)
class PyInstance:
    """The result of calling a class of the project, or anything from outside it."""

    made_by: PyClass | External
    args: list["PyValue"]
    keywords: dict[str, "PyValue"]
    span: Span
    attributes: dict[str, "PyValue"] = field(default_factory=dict)
    open: bool = False
    """Whether `*args` or `**kwargs` that cannot be read were handed in."""
    seen_from: Union["PyInstance", None] = None
    """The object itself, where this is its view through `super()`."""

    @property
    def path(self) -> str:
        """The dotted path of what made it; empty for a class of the project."""
        return self.made_by.path if isinstance(self.made_by, External) else ""

    def find_argument(self, name: str, position: int | None = None) -> Union["PyValue", None]:
        """Return an argument by name, or by its position."""
        if name in self.keywords:
            return self.keywords[name]
        return self.args[position] if position is not None and position < len(self.args) else None


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """An attribute of a value that is called: `mcp.tool`, `items.append`, a bound method (`function` is set)."""

    receiver: "PyValue"
    name: str
    span: Span
    function: PyFunction | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Decorator:
    """What `mcp.tool(...)` or `functools.wraps(fn)` gives: something that takes a function. `does` says which."""

    does: str
    subject: "PyValue"
    keywords: dict[str, "PyValue"]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """`functools.partial(callee, ...)`."""

    callee: "PyValue"
    args: tuple["PyValue", ...]
    keywords: dict[str, "PyValue"]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """One of several values, by a condition that only a run can tell.

    Where `assumed` names that condition, the first value is the one that holds if nothing is configured.
    """

    values: tuple["PyValue", ...]
    span: Span
    assumed: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TypeForm:
    """A subscripted or joined type: `list[int]`, `int | None`."""

    origin: "PyValue"
    arguments: tuple["PyValue", ...]
    span: Span


@dataclass(frozen=True, slots=True)
class PyPending:
    """A name that is imported from another module of the project, looked up there when it is first used."""

    module: PyModule
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class PyUnknown:
    """Something that only a run can tell; `reason` completes "it is not readable: …".

    `assumed` is what it is if nothing is configured: no environment variable set, no option given.
    """

    reason: str
    span: Span
    assumed: Union["PyValue", None] = None


PyValue = (
    Const
    | PyGuarded
    | PyItems
    | PyMapping
    | PyFunction
    | PyClass
    | ModuleValue
    | External
    | PyInstance
    | Method
    | Decorator
    | Partial
    | Alternatives
    | TypeForm
    | PyPending
    | PyUnknown
)


UNSURE = (PyUnknown, Alternatives)
"""The values that may depend on configuration."""


def assume_default(value: PyValue) -> tuple[PyValue, str | None]:
    """Return the value without any configuration, with what it depends on; None if it depends on nothing known."""
    reason: str | None = None
    for _ in range(20):
        match value:
            case PyUnknown(why, assumed=inner) if inner is not None:
                value, reason = inner, reason or why
            case Alternatives(values, assumed=str() as why):
                value, reason = values[0], reason or why
            case _:
                break
    return value, reason


def mark_assumed(reason: str, span: Span, value: PyValue) -> PyUnknown:
    """Return a value that results from an assumption, marked with the reason."""
    if isinstance(value, PyUnknown) and value.assumed is None:
        return value
    return PyUnknown(reason, span, value)


def guard_value(value: PyValue, conditions: tuple[Condition, ...], known: tuple[Condition, ...]) -> PyValue:
    """Return a value as an element that is there under those conditions that do not hold for its container anyway."""
    further = tuple(each for each in conditions if each not in known)
    return PyGuarded(strip_conditions(value), further) if further else value


def strip_conditions(value: PyValue) -> PyValue:
    """Return an element without the conditions under which it is there."""
    return value.value if isinstance(value, PyGuarded) else value


@dataclass(eq=False)
class CallArguments:
    """What a call hands over. `open` tells that there is more, which cannot be read. `node` is the call."""

    positional: list[PyValue]
    keywords: dict[str, PyValue]
    span: Span
    open: bool = False
    node: Node | None = None
    scope: PyScope | None = None
    bound: dict[str, PyValue] = field(default_factory=dict)

    def get(self, name: str, position: int | None = None) -> PyValue | None:
        """Return an argument by name, or by its position."""
        if name in self.keywords:
            return self.keywords[name]
        return self.positional[position] if position is not None and position < len(self.positional) else None


def to_text(value: PyValue) -> Text | None:
    """Return a string constant, or a member of a string enum, as a text with its place."""
    if isinstance(value, Const):
        return Text(value.value, value.span) if isinstance(value.value, str) else None
    if isinstance(value, PyInstance) and "value" in value.attributes and _is_text_enum(value.made_by):
        return to_text(value.attributes["value"])
    return None


def to_key(value: PyValue) -> object | None:
    """Return the key that a value is in a dict: a member of a text enum equals its text. None if that is unknown."""
    if isinstance(value, Const):
        return (type(value.value), value.value)
    if (text := to_text(value)) is not None:
        return (str, str(text))
    name = value.attributes.get("name") if isinstance(value, PyInstance) and "value" in value.attributes else None
    return (id(value.made_by), name.value) if isinstance(value, PyInstance) and isinstance(name, Const) else None


def _is_text_enum(cls: PyClass | External) -> bool:
    return isinstance(cls, PyClass) and any(
        base in ("enum.StrEnum", "builtins.str") for base in cls.list_external_bases()
    )


def to_text_or_opaque(value: PyValue | None, span: Span) -> Text | Opaque | None:
    """Return a value as a text, as absent, or as something that cannot be read."""
    if value is None or (isinstance(value, Const) and value.value is None):
        return None
    text = to_text(value)
    if text is not None:
        return text
    if isinstance(value, PyInstance) and "value" in value.attributes:
        return Opaque("a member of an enumeration that is no text", value.span)
    return Opaque(getattr(value, "reason", "it is known at run time only"), getattr(value, "span", span))
