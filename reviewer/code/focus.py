"""A project as one action of its catalogs has it: of a table with a row for each action, only the row of this one is there.

What code decides for an action it looks up in such tables, by a loop, a search or a key. Where the other rows are not there, what
it finds is known, whichever way it looks.
"""

from collections.abc import Mapping
from typing import Any

from reviewer.code.ir import Code, Global, Import, TypeName, Variable
from reviewer.code.program import Program
from reviewer.code.summaries import Summaries
from reviewer.code.values import Class, Instance, Key, Library, Thing, Value
from reviewer.source import Text

TABLES = 2
"""How many tables one in another are looked through: the actions of each tool, by its name."""


class Focused:
    """A program whose tables have only the row that a name stands in, where just one does."""

    def __init__(self, program: Program, name: str) -> None:
        self._program = program
        self._name = (str, name)
        self._known: dict[int, tuple[Value, Value]] = {}
        self.models = program.models
        self.raises, self.destroys, self.operators = program.raises, program.destroys, program.operators
        self.holds_entries, self.names_in_objects = program.holds_entries, program.names_in_objects
        self.begins_async, self.chains = program.begins_async, program.chains
        self.summaries = Summaries()
        self.found: dict[Any, Any] = {}

    def masks_errors(self) -> bool:
        """Return whether a text of the SDK's own stands for what an exception says that leaves a tool."""
        return self._program.masks_errors()

    def hands_signal(self, code: Code) -> bool:
        """Return whether a function is handed what tells of a cancellation, taken or not, and no exception ends its waits."""
        return self._program.hands_signal(code)

    def is_standard(self, path: str) -> bool:
        """Return whether a path is of the language's own library."""
        return self._program.is_standard(path)

    def resolve_name(self, name: Global | Import, code: Code) -> Value | None:
        """Return the value of a name in a function."""
        return self._narrow_value(self._program.resolve_name(name, code))

    def find_member(self, owner: Thing, name: str) -> Value | None:
        """Return the member of a module, a class or an object."""
        return self._narrow_value(self._program.find_member(owner, name))

    def _narrow_value(self, value: Value | None, deep: int = TABLES) -> Value | None:
        if value is None or not value.contents or not deep:
            return value
        if id(value) not in self._known:
            rows = {key: each for key, each in value.contents.items() if self._is_row(key, each)}
            self._known[id(value)] = (
                value,
                _with_one(value, rows) if len(rows) == 1 else self._narrow_inside(value, deep),
            )
        return self._known[id(value)][1]

    def _narrow_inside(self, value: Value, deep: int) -> Value:
        """Return a table of tables, each with only the row of the name."""
        held = value.contents or {}
        found: dict[Key, Value] = {key: self._narrow_value(each, deep - 1) or each for key, each in held.items()}
        return value._replace(contents=found) if any(found[key] is not each for key, each in held.items()) else value

    def _is_row(self, key: Key, row: Value) -> bool:
        """Return whether an entry is that of the name: under it, itself, or with a field that says it."""
        if isinstance(key, tuple):
            return False
        found = (row, *(row.contents or {}).values())
        return key == self._name[1] or any(each.constant == self._name for each in found)

    def find_injected(self, name: str) -> Value | None:
        """Return the value that a server injects into each call under a name."""
        return self._program.find_injected(name)

    def find_method(self, owner: Instance, name: str) -> Value | None:
        """Return the method of an object."""
        return self._program.find_method(owner, name)

    def list_functions(self, owner: Thing) -> tuple[str, ...]:
        """Return the names of the functions that an object, a class or a module has."""
        return self._program.list_functions(owner)

    def find_setter(self, owner: Instance, name: str) -> Value | None:
        """Return the setter that an assignment to a field runs."""
        return self._program.find_setter(owner, name)

    def find_replacement(self, path: str) -> Value | None:
        """Return the replacement that the project assigns to a member of a library."""
        return self._program.find_replacement(path)

    def find_extension(self, name: str, of: Library | None) -> Value | None:
        """Return the methods of a name that the project gives to values of a library's type."""
        return self._program.find_extension(name, of)

    def resolve_type(self, written: TypeName, code: Code) -> Instance | None:
        """Return an object of the type that an annotation names."""
        return self._program.resolve_type(written, code)

    def find_conversion(self, reason: Instance, error: TypeName, code: Code) -> Value | None:
        """Return the function that makes an error of a type of a reason that leaves a function."""
        return self._program.find_conversion(reason, error, code)

    def find_parents(self, kind: Class | Library) -> tuple[Class | Library, ...]:
        """Return the classes of which one is a subclass."""
        return self._program.find_parents(kind)

    def find_receiver_class(self, code: Code) -> Class | None:
        """Return the class on an object of which a method is called."""
        return self._program.find_receiver_class(code)

    def is_as_written(self, code: Code) -> bool:
        """Return whether callers certainly call a function as it is written."""
        return self._program.is_as_written(code)

    def lacks(self, made: Class, name: str) -> bool:
        """Return whether no object of a class has anything under a name."""
        return self._program.lacks(made, name)

    def find_surroundings(self, code: Code) -> Mapping[Variable, Value]:
        """Return the certain values of a function's captured variables, by their declarations."""
        return {
            each: self._narrow_value(value) or value for each, value in self._program.find_surroundings(code).items()
        }

    def find_constructor(self, made: Class) -> Code | None:
        """Return the code that runs when an object of a class is made."""
        return self._program.find_constructor(made)

    def find_post_initializer(self, made: Class) -> Code | None:
        """Return the code that runs when the arguments became the fields of an object."""
        return self._program.find_post_initializer(made)

    def find_member_field(self, made: Class) -> str | None:
        """Return the field by which members of a class are looked up."""
        return self._program.find_member_field(made)

    def find_destructor(self, made: Class) -> Value | None:
        """Return the destructor of a class."""
        return self._program.find_destructor(made)

    def find_codes_naming(self, name: str) -> tuple[Code, ...]:
        """Return the functions of the project in which a name stands, those in others left out: they belong to these."""
        return self._program.find_codes_naming(name)

    def find_modules_naming(self, name: str) -> tuple[Code, ...]:
        """Return the code of the modules in which a name stands."""
        return self._program.find_modules_naming(name)

    def keeps_lock(self, lock: str, code: Code) -> bool:
        """Return whether code may wait while a value of its holds a lock."""
        return self._program.keeps_lock(lock, code)

    def find_field_functions(self, owner: Instance, name: str) -> Value | None:
        """Return the functions that a field holds, of a table those of the row."""
        found = self._program.find_field_functions(owner, name)
        return (self._narrow_value(found) or found) if found is not None else None

    def list_fields(self, made: Class) -> tuple[str, ...]:
        """Return the fields of a class whose arguments become them."""
        return self._program.list_fields(made)

    def list_unwritten_fields(self, made: Class) -> frozenset[str]:
        """Return the fields of a class that are left out where its objects are written as data."""
        return self._program.list_unwritten_fields(made)

    def find_default(self, made: Class, name: str) -> Value | None:
        """Return the default of a field of a class."""
        return self._program.find_default(made, name)

    def find_variant_name(self, made: Class) -> str | None:
        """Return the name of a variant without values in data."""
        return self._program.find_variant_name(made)

    def join_rewrites(self, made: Class, name: str, value: Value) -> Value:
        """Return the value of an object's field when a call begins."""
        return self._program.join_rewrites(made, name, value)

    def resolve_field_type(self, owner: Instance, name: str) -> Instance | None:
        """Return an object of the declared type of a field."""
        return self._program.resolve_field_type(owner, name)

    def checks(self, made: Class, name: str) -> bool:
        """Return whether code looks at what a field is given."""
        return self._program.checks(made, name)

    def find_entry_names(self, made: Class) -> Mapping[str, tuple[Text, ...]] | None:
        """Return the names under which the fields of a class stand in the data that its objects are read from."""
        return self._program.find_entry_names(made)


def _with_one(value: Value, rows: dict[Key, Value]) -> Value:
    ((key, row),) = rows.items()
    return value._replace(contents={0 if isinstance(key, int) else key: row})
