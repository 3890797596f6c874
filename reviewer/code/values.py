"""What is known of a value: what it is, what it may be, where it comes from.

A `Value` stands for what an expression gives in one abstract run. Its `term` says which value it is: two expressions with one
term have the same value, so what a test tells of one holds for the other, whatever name it goes by. What tests tell of a term
is kept beside the values (`reviewer.code.facts`), because it holds only where the test led.
"""

from collections.abc import Hashable, Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from reviewer.caching import cache_latest
from reviewer.records import dataclass

if TYPE_CHECKING:
    from reviewer.code.ir import Code, Variable

Term = Hashable
"""A value's identity: a tuple whose first part says how it was made. `("argument", "limit")`, `("field", owner, "name")`."""

Plain = bool | int | float | complex | str | bytes | None

Key = Plain | tuple[str]
"""What an entry of an object is stored under: a constant, `ELEMENT` for any of them, or a field's name as a tuple."""

# The key under which a sequence holds what is known of any element.
ELEMENT: Key = ("[]",)


def name_of(key: Key) -> Plain:
    """Return the content of an object's key: its constant, or the name of the field."""
    return key[0] if isinstance(key, tuple) and key else key


def get_key_name(key: Key) -> str:
    """Return the text that a key of an object says, empty if it says none."""
    name = name_of(key)
    return name if isinstance(name, str) else ""


FRESH: Term = ("fresh",)
"""The term of a default that each object has one of its own of, which holds nothing: `field(default_factory=list)`."""

CELL: Key = ("*",)
"""What a lock or a cell holds under this is what it guards."""

REQUEST = ("request",)
"""The field under which the answer of another host holds what it was asked with."""

KEYS: Key = ("{}",)
"""What a table holds any of its keys under that are no constants, such as classes."""

Origin = Literal[
    "parameter", "argument", "request", "exception", "secret", "environment", "time", "random", "identity", "order",
    "absolute path", "temporary", "file", "database", "network", "command", "input", "stack", "begun", "unreadable",
    "answer", "cut", "transport",
]  # fmt: skip
"""Where a value may come from.

- `parameter`: what the function was handed that is being run, by its number: what that comes from is its callers' matter.
- `argument`: an argument of the call, by its name; `request`: what else a client sends, such as a cursor or `_meta`.
- `exception`: an exception that was caught, or its text; `secret`: a credential; `environment`: a variable of the environment.
- `time`, `random`: what differs from call to call; `identity`: what differs from run to run: the id of a process or an address.
- `order`: elements in an order that nothing fixes, such as those of a set, a hash map or a directory.
- `absolute path`: a path from the root of the file system, which tells how the machine is laid out.
- `temporary`: a file or a directory that the system keeps for whoever made it, and for nobody else.
- `file`, `database`, `network`, `command`, `input`: what was read from there; `input` is the standard input.
- `stack`: what was being called, with the places in the code, at some time: where an exception was raised, or now.
- `begun`: a task, a thread or a process that the code began, or what holds it; its name is the place of that call. What is
  only made of it, such as its number or a text, is not it.
- `unreadable`: a text that a run supposes to be none that can be read.
- `answer`: what a user answered to a question of the code.
- `transport`: what serves a transport of the protocol, or holds it; its name is the place of the call that made it.
- `cut`: what is left where only the beginning of a sequence or a text is kept; its name is the place of that.
"""


class Label(NamedTuple):
    """An origin of a value: what kind, and its name, empty where it has none."""

    origin: Origin
    name: str = ""


UNREADABLE = Label("unreadable")
"""Where a text comes from that a run supposes to be none that can be read."""

HOLLOW = Label("unreadable", "decoded")
"""Where one comes from, beside that, which can be decoded, and holds nothing that can be read."""

DECODED_ONCE = Label("unreadable", "decoded once")
"""Where one comes from, beside that, which can be decoded, and what that gives cannot."""


class Nested(tuple[Hashable, ...]):
    """A term inside a term, whose hash is worked out once: that of a sum of sums of sums takes as long as it has parts."""

    _hash: int

    def __hash__(self) -> int:
        return self._hash


def nest_term(term: Term) -> Term:
    """Return a term to be put into another: as it is, if it is shallow."""
    if not isinstance(term, tuple) or not any(isinstance(each, tuple) for each in term):
        return term
    found = Nested(term)
    found._hash = hash(term)
    return found


@cache_latest(maxsize=4096)
def share_labels(labels: frozenset[Label]) -> frozenset[Label]:
    """Return one set for all that are equal. Values come from few places: of 69,000 sets in a review of ida-mcp-rs few differ."""
    return labels


def derive_labels(labels: frozenset[Label]) -> frozenset[Label]:
    """Return the labels of what is made of a value with some labels."""
    if any(each.origin == "begun" for each in labels):
        return frozenset(each for each in labels if each.origin != "begun")
    return labels


def drop_cut_labels(labels: frozenset[Label]) -> frozenset[Label]:
    """Return the labels of what only measures a value with some labels, and holds nothing of it."""
    return frozenset(each for each in derive_labels(labels) if each.origin != "cut")


def find_original_term(term: Term) -> Term:
    """Return the term that a value has where it was made, before functions of the project gave it back."""
    while isinstance(term, tuple) and term[:1] == ("via",):
        term = term[2]
    return term


def get_term_head(term: Term) -> object:
    """Return the part that says the kind of a term; None if it has none."""
    return term[0] if isinstance(term, tuple) and term else None


class Interval(NamedTuple):
    """Between which numbers a number lies, both included. `unsure` tells that it may lie closer, by what could not be seen."""

    low: float = -inf
    high: float = inf
    unsure: bool = False

    def join(self, other: "Interval") -> "Interval":
        """Return the interval that contains both."""
        return Interval(min(self.low, other.low), max(self.high, other.high), self.unsure or other.unsure)

    def meet(self, other: "Interval") -> "Interval":
        """Return the interval common to both."""
        if NO_NUMBER in (self, other):
            return NO_NUMBER
        low, high = max(self.low, other.low), min(self.high, other.high)
        unsure = (self.unsure or other.unsure) and (high == inf or low == -inf)
        return Interval(low, high, unsure) if low <= high else Interval(low, low, unsure)

    def widen(self, later: "Interval") -> "Interval":
        """Return the interval that holds however often the step from this to `later` is repeated."""
        return Interval(
            self.low if later.low >= self.low else -inf,
            self.high if later.high <= self.high else inf,
            self.unsure or later.unsure,
        )


ANY = Interval()
UNSURE = Interval(unsure=True)
COUNT = Interval(0)
NO_NUMBER = Interval(inf, -inf)
"""What is no number at all, such as None: joined with the bounds of a number, it leaves these as they are."""


MethodKind = Literal["method", "class", "static", "getter"]
"""What a function is on an object: one that takes the object, its class, or neither, or one that reading the field runs."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the project. `receiver` is the object that it is a method of; `captured` what its variables around were."""

    code: "Code"
    receiver: Union["Value", None] = None
    captured: "dict[Variable, Value] | None" = None
    leading: tuple["Value", ...] = ()
    """The first arguments, where it was given some: a partial."""
    named: tuple[tuple[str, "Value"], ...] = ()
    """The arguments that it was given by name."""
    binding: "MethodKind" = "method"


@dataclass(frozen=True, slots=True)
class Class:
    """A class, struct or enum of the project; `handle` is the language's own.

    `is_abstract` tells that its objects are of other classes, which are not known: a trait.
    """

    name: str
    handle: Hashable
    variant: str = ""
    is_abstract: bool = False


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the project, or of a library's."""

    of: "Class | Library"
    parts: tuple["Instance | None", ...] = ()
    """What its declared type says of what it holds: its elements, a key and an entry, or each part of a tuple."""
    within: "Instance | None" = None
    """What stands for itself in it, such as what a lock guards: its members are members of that as well."""

    @property
    def element(self) -> "Instance | None":
        """The type of each element, a pair of key and entry if it has both; None if it is unknown."""
        if self.within is not None or self.of == TUPLE:
            return self.within.element if self.within is not None else None
        return Instance(TUPLE, self.parts) if len(self.parts) > 1 else self.entry

    @property
    def entry(self) -> "Instance | None":
        """The type of its entries or elements; None if it is unknown."""
        if self.within is not None:
            return self.within.entry
        return self.parts[-1] if self.parts and self.of != TUPLE else None

    @property
    def key(self) -> "Instance | None":
        """The type of its keys; None if it is unknown."""
        if self.within is not None:
            return self.within.key
        return self.parts[0] if len(self.parts) == 2 and self.of != TUPLE else None


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the project; `handle` is the language's own."""

    handle: Hashable


@dataclass(frozen=True, slots=True)
class Library:
    """Something that is not of the project, by its path with dots: `requests.get`, `std.fs.read`, `str.join`."""

    path: str


TUPLE = Library("tuple")

Thing = Function | Class | Instance | Module | Library
"""What a value may be beside data."""


class ConditionalValue(NamedTuple):
    """A value that is one of two by a test, with whether each is certainly true or false if it is taken."""

    test: "Value"
    then: "Value"
    otherwise: "Value"
    then_truth: bool | None
    otherwise_truth: bool | None
    size: int = 1
    """How many choices it consists of, itself and those of its parts counted as often as they stand there."""


class Relation(NamedTuple):
    """What a value tells if it is true: how two values compare, that one is there, is no failure, is of a kind."""

    operator: Literal["<", "<=", "==", "is", "in", "present", "succeeds", "kind"]
    left: "Value"
    right: Union["Value", None] = None


class Negation(NamedTuple):
    """A value that is true where another is false."""

    operand: "Value"


class Made(NamedTuple):
    """How a value was made of others.

    `text` of the parts of a text; `repr` of what describes itself, `address` of where it lies; `+` and the like; the `least`,
    the `greatest` of some, or one `clamped` by two; `element` of a sequence, `item` of an object and a key, `.name` of the
    object whose field it is; `filled` of an object whose entries become its fields; `length` of a sequence;
    `counted` of where a count begins, by how much it goes on with each element,
    and of where a range ends; `order` of two that are compared; `joined` of two
    values of which control that came two ways has one; or the path of a function of a library, of its operands.
    """

    by: str
    of: tuple["Value", ...]
    size: int = 0
    """How many choices of values are in one that is `joined`; 0 of others."""


Meaning = ConditionalValue | Relation | Negation | Made
"""What a value's truth tells, or how it was made."""


class Value(NamedTuple):
    """What is known of a value wherever it is: `term` which one it is, `labels` where it comes from.

    `constants` are what it can only be, None if it may be anything. `interval` bounds it if it is a number. `things` are the
    functions, classes or objects that it may be; `certain` tells that it is no other. `meaning` is what its truth tells,
    or how it was made, for what is no condition. `failure` is its reason if it is a failure; `unknown` says why nothing is
    known of it, empty if something is.
    """

    term: Term
    labels: frozenset[Label] = frozenset()
    constants: frozenset[tuple[type, Plain]] | None = None
    interval: Interval = UNSURE
    things: tuple[Thing, ...] = ()
    certain: bool = False
    meaning: Meaning | None = None
    failure: Union["Value", None] = None
    awaits: object | None = None
    contents: "Mapping[Key, Value] | None" = None
    """What an object held before the run began, or was made with, by key, where nothing was written into it since."""
    unknown: str = ""
    duplicate: Term | None = None
    """Which copy it is of what has its term: what is known of that holds for it, but what is done to it is not done to that."""
    giver: object | None = None
    """The site of the last call that gave it back as it was handed it, in the function that has it."""

    def __eq__(self, other: object) -> bool:
        """Return whether it is the very same: two values with the same parts may be two things."""
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def with_labels(self, labels: frozenset[Label]) -> "Value":
        """Return the value with more labels."""
        return self if labels <= self.labels else Value(self[0], share_labels(self[1] | labels), *self[2:])

    @property
    def constant(self) -> tuple[type, Plain] | None:
        """The one constant that it is, with its type; None if it may be another."""
        return next(iter(self.constants)) if self.constants is not None and len(self.constants) == 1 else None

    def find_part_types(self, part: 'Literal["element", "entry", "key"]') -> tuple[Instance, ...]:
        """Return the types of each element, entry or key, by the declared types of the possible values."""
        found = (getattr(each, part) for each in self.things if isinstance(each, Instance))
        return tuple(each for each in found if each is not None) if self.things else ()

    @property
    def library_types(self) -> list[str]:
        """The types of libraries of which it may be an object, by their paths."""
        return [each.of.path for each in self.things if isinstance(each, Instance) and isinstance(each.of, Library)]

    @property
    def classes(self) -> "list[Class]":
        """The classes of the project of which it may be an object."""
        return [each.of for each in self.things if isinstance(each, Instance) and isinstance(each.of, Class)]

    @property
    def operands(self) -> tuple["Value", ...]:
        """What its truth tells of, or what it was made of."""
        meaning = self.meaning
        if meaning is None:
            return ()
        if isinstance(meaning, Made):
            return meaning.of
        if isinstance(meaning, ConditionalValue):
            return meaning.test, meaning.then, meaning.otherwise
        if isinstance(meaning, Relation):
            return (meaning.left,) if meaning.right is None else (meaning.left, meaning.right)
        return (meaning.operand,)

    @property
    def sources(self) -> tuple["Value", ...]:
        """What it may be, or was made of."""
        meaning = self.meaning
        return meaning.of if isinstance(meaning, Made) else () if meaning is None else self.ways

    @property
    def ways(self) -> tuple["Value", ...]:
        """What it may be, by a test or by how it came about."""
        meaning = self.meaning
        if isinstance(meaning, Made):
            return meaning.of if meaning.by == "joined" else ()
        return (meaning.then, meaning.otherwise) if isinstance(meaning, ConditionalValue) else ()

    @property
    def text(self) -> str | None:
        """The text that it is, None if it is none or may be another."""
        found = self.constant
        return found[1] if found is not None and isinstance(found[1], str) else None


def _replace(self: Value, /, **parts: Any) -> Value:
    """Return the value with other parts: the same as `_replace` of any named tuple, in half the time."""
    found = list(self)
    for name, part in parts.items():
        found[PLACES[name]] = part
    return tuple.__new__(Value, found)


PLACES = {name: place for place, name in enumerate(Value._fields)}
Value._replace = _replace  # type: ignore[method-assign, assignment]  # a named tuple takes none in its own body


class ClientArguments(Mapping[Key, Value]):
    """What the object holds that a client sends as the arguments of a call.

    Any name may be one: an entry is made when it is asked for, and none is there to be gone through.
    """

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __getitem__(self, key: Key) -> Value:
        if not isinstance(key, str):
            raise KeyError(key)
        return build_argument(key)

    def __contains__(self, key: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Key]:
        return iter(())

    def __len__(self) -> int:
        return 0


def build_argument(name: str) -> Value:
    """Return the argument of a call that a client sends under a name."""
    return Value(("argument", name), frozenset({Label("argument", name)}), interval=ANY)


def is_function(value: Value) -> bool:
    """Return whether a value certainly is a function of the project, or one of several."""
    return bool(value.things) and all(isinstance(each, Function) for each in value.things)


def build_constant(value: Plain) -> Value:
    """Return the value of a constant."""
    interval = ANY if value is not None else NO_NUMBER
    if isinstance(value, int | float) and value == value:
        interval = Interval(convert_to_float(value), convert_to_float(value))
    key = (type(value), value)
    return Value(("constant", *key), constants=frozenset((key,)), interval=interval)


def convert_to_float(value: int | float) -> float:
    """Return a number as a float; one that is too large for it is endless."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def build_unknown(reason: str, term: Term, labels: frozenset[Label] = frozenset()) -> Value:
    """Return a value of which nothing is known, for a reason that completes "it is not known: …"."""
    return Value(term, labels, unknown=reason)


NONE = build_constant(None)

ABSENT = frozenset(((type(None), None),))
"""What a value can only be that is surely None."""


MOST_CHOICES = 400
"""Choices in one value. Twenty lines of conditional expressions that name each other's results made a tree of millions, which is
gone through for each test; the branches of one function come to a few dozen, those of a dispatcher to two hundred. Of a list that
eight branches fill in loops, each element was one of 11,000."""


def build_choice(
    test: Value, then: Value, otherwise: Value, then_truth: bool | None = None, otherwise_truth: bool | None = None
) -> ConditionalValue | None:
    """Return the meaning of a value that is one of two by a test; None, as for an unknown one, if it has too many
    choices.
    """
    size = 1 + _count_choices(test) + _count_choices(then) + _count_choices(otherwise)
    return ConditionalValue(test, then, otherwise, then_truth, otherwise_truth, size) if size <= MOST_CHOICES else None


def build_joined(one: Value, other: Value) -> Made | None:
    """Return the meaning of a value that is either of two; None, as for an unknown one, if it has too many choices."""
    size = 1 + _count_choices(one) + _count_choices(other)
    return Made("joined", (one, other), size) if size <= MOST_CHOICES else None


def _count_choices(value: Value) -> int:
    meaning = value.meaning
    while isinstance(meaning, Negation):
        meaning = meaning.operand.meaning
    return meaning.size if isinstance(meaning, ConditionalValue | Made) else 0


def strip_negations(test: Value, holds: bool = True) -> tuple[Value, bool]:
    """Return a test without the negations around it, and whether that holds where the test does as is told."""
    while isinstance(test.meaning, Negation):
        test, holds = test.meaning.operand, not holds
    return test, holds


def is_empty_tuple(value: Value) -> bool:
    """Return whether a value is the empty tuple: what functions give that only act, or say by not failing that all is well."""
    things = (each for each in value.things if isinstance(each, Instance))
    return not value.contents and any(each.of == Library("tuple") for each in things)
