"""What an abstract run asks a language: what a name means, what an object has, what a type is.

Each language answers from what it has read of the project; an answer is made when it is asked for. What it cannot answer is None,
and its value is unknown.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from typing import Any, Literal, Protocol, TypeVar

from reviewer.code.events import Event, Trace
from reviewer.code.ir import Code, Global, Import, TypeName, Variable
from reviewer.code.models import Models
from reviewer.code.summaries import Summaries
from reviewer.code.values import Class, Instance, Library, Thing, Value
from reviewer.records import dataclass
from reviewer.source import Source, Text

Found = TypeVar("Found")

Operator = Literal[
    "item", "missing item", "set item", "delete item", "call", "contains", "length", "text",
    "iterate", "next", "async iterate", "async next", "enter", "exit", "async enter", "async exit",
    "stands for", "+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>",
]  # fmt: skip
"""What is written without naming a method; `missing item` is what an object gives for a key that it has nothing under, and
`stands for` what an object gives that is asked for a field that it does not have: `Deref` in Rust.
"""


@dataclass(frozen=True)
class Operators:
    """The methods that operators call in a language, by their names: of several the first that a class has."""

    methods: Mapping[Operator, tuple[str, ...]]
    reflected: Mapping[Operator, str] = field(default_factory=dict)
    """The methods that are called on the second operand where the first has none."""
    functions: Mapping[str, Operator] = field(default_factory=dict)
    """The functions of the language that do what an operator does, by their paths: `builtins.len`."""
    writes_text: bool = False
    """Whether the method that tells of an object writes into a text that it is handed, rather than give one."""
    reading: Mapping[str, str] = field(default_factory=dict)
    """The methods that make an object of the type that a call is written for, with the function of that type which does."""
    iterating: frozenset[str] = frozenset()
    """The functions that go through their first argument: `builtins.sorted`; or the methods that go through their object."""


class Program(Protocol):
    """The project, as one language reads it."""

    models: Models
    """What is known of libraries."""

    summaries: Summaries
    """What functions do with what they are given, for all runs that suppose nothing."""

    found: dict[Any, Any]
    """What analyses found in traces, with these, by their identity and what was asked."""

    raises: bool
    """Whether what fails raises an exception; it gives a value that is a failure if not."""

    chains: bool
    """Whether an exception that is raised while another is dealt with keeps that one, also where the code does not say so."""

    operators: Operators
    """The methods that operators call."""

    destroys: bool
    """Whether objects of some class of the project run code when the scope ends that holds them."""

    holds_entries: bool
    """Whether a field of an object and its entry of that name are one: `o.a` and `o["a"]` in JavaScript."""

    names_in_objects: bool
    """Whether functions of libraries are given arguments by name in an object, as the last one: `fetch(url, {signal})`."""

    begins_async: bool
    """Whether a call of an `async` function starts it at once, as in JavaScript; in other languages it starts when
    awaited.
    """

    def masks_errors(self) -> bool:
        """Return whether a text of the SDK's own stands for what an exception says that leaves a tool."""

    def hands_signal(self, code: Code) -> bool:
        """Return whether a function is handed what tells of a cancellation, taken or not, and no exception ends its waits."""

    def is_standard(self, path: str) -> bool:
        """Return whether a path is of the language's own library."""

    def resolve_name(self, name: Global | Import, code: Code) -> Value | None:
        """Return the value of a name in a function."""

    def find_member(self, owner: Thing, name: str) -> Value | None:
        """Return the member of a module, a class or an object that is no field, not bound to the object."""

    def find_replacement(self, path: str) -> Value | None:
        """Return the replacement that the project assigns to a member of a library, None if it leaves it as it is."""

    def find_method(self, owner: Instance, name: str) -> Value | None:
        """Return the method of an object, not bound to the object."""

    def list_functions(self, owner: Thing) -> tuple[str, ...]:
        """Return the names of the functions of an object, a class or a module, where a text may choose among them."""

    def find_extension(self, name: str, of: "Library | None") -> Value | None:
        """Return the methods of a name that the project gives to values of a library's type, or of any if that is not known.

        These are the methods of its traits; None if there is none.
        """

    def find_setter(self, owner: Instance, name: str) -> "Value | None":
        """Return the setter that an assignment to a field runs; None if it only stores the value."""

    def resolve_type(self, written: TypeName, code: Code) -> Instance | None:
        """Return an object of the type that an annotation names.

        What may be absent around it is left out: `Optional`, references, boxes.
        """

    def find_conversion(self, reason: Instance, error: TypeName, code: Code) -> "Value | None":
        """Return the function that makes an error of a type of a reason that leaves a function, None if there is none."""

    def find_parents(self, kind: "Class | Library") -> "tuple[Class | Library, ...]":
        """Return the classes of which one is a subclass, its own library's included; none if that is not known."""

    def find_receiver_class(self, code: Code) -> Class | None:
        """Return the class on an object of which a method is called, None if that is its receiver's type, or it is no method."""

    def is_as_written(self, code: Code) -> bool:
        """Return whether callers certainly call a function as it is written: nothing wraps, replaces or overrides it."""

    def lacks(self, made: Class, name: str) -> bool:
        """Return whether no object of a class has anything under a name, for sure."""

    def find_surroundings(self, code: Code) -> Mapping[Variable, Value]:
        """Return the certain values of a function's captured variables, by their declarations; none if they are
        unknown.
        """

    def find_constructor(self, made: Class) -> Code | None:
        """Return the code that runs when an object of a class is made, None if its arguments become its fields."""

    def find_post_initializer(self, made: Class) -> Code | None:
        """Return the code that runs when the arguments became the fields of an object, None if nothing does."""

    def find_member_field(self, made: Class) -> str | None:
        """Return the field that holds what members of a class are looked up by: a call of an enumeration makes no object."""

    def find_destructor(self, made: Class) -> Value | None:
        """Return the destructor that runs when an object of a class is freed; None if there is none."""

    def find_codes_naming(self, name: str) -> "tuple[Code, ...]":
        """Return the functions of the project in which a name stands, those in others left out: they belong to these."""

    def find_modules_naming(self, name: str) -> "tuple[Code, ...]":
        """Return the code of the modules in which a name stands; none where modules do nothing."""

    def keeps_lock(self, lock: str, code: Code) -> bool:
        """Return whether code may wait while a value of its holds a lock, which a function of some path took.

        That is so where it goes on on the same thread, or the lock may go to another, and the lock is held as long as the value.
        """

    def find_injected(self, name: str) -> Value | None:
        """Return the value that a framework injects into all calls under a name, created at start; None if there is
        none.
        """

    def find_field_functions(self, owner: Instance, name: str) -> Value | None:
        """Return the functions that a field holds, alone or in a table, as it was made; None if that is not known."""

    def list_fields(self, made: Class) -> "tuple[str, ...]":
        """Return the fields of a class whose arguments become them, in their order."""

    def list_unwritten_fields(self, made: Class) -> frozenset[str]:
        """Return the fields of a class that are left out where its objects are written as data."""

    def find_default(self, made: Class, name: str) -> Value | None:
        """Return the default of a field of a class; None if it is unknown or the field is required."""

    def find_variant_name(self, made: Class) -> str | None:
        """Return the name of a variant without values in data; None if it is unknown."""

    def resolve_field_type(self, owner: Instance, name: str) -> Instance | None:
        """Return an object of the declared type of a field."""

    def join_rewrites(self, made: Class, name: str, value: Value) -> Value:
        """Return the value of an object's field when a call begins: the first one, or one that other calls assigned."""

    def checks(self, made: Class, name: str) -> bool:
        """Return whether code looks at what a field is given, whenever an object of a class is made."""

    def find_entry_names(self, made: Class) -> "Mapping[str, tuple[Text, ...]] | None":
        """Return the names under which the fields of a class stand in the data that its objects are read from.

        Of several names any may be given; none stands for all entries that no other field takes. None if it is not known
        how objects of the class are read.
        """


def find_once(
    program: Program, place: Trace | Event | Code | Source, asked: Hashable, find: Callable[[], Found]
) -> Found:
    """Return the findings in a trace, a code or a file, or about one event, made on the first request."""
    key = (id(place), asked)
    if key not in program.found:
        program.found[key] = (place, find())
    found: Found = program.found[key][1]
    return found
