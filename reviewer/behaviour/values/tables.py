"""Tables of functions, or of objects of which a method is called: under which names a function looks up what it calls."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewer.code.events import Called, Entered, Trace
from reviewer.code.ir import Call, Code, Field, Item, Read, iter_calls, iter_codes
from reviewer.code.values import Class, Function, Instance, Made, Value
from reviewer.source import Source, Span
from reviewer.text.patterns import pattern

# A call that stands within quotes is text.
QUOTED = pattern(rb""""[^"\n]*"|'[^'\n]*'""")

DEEPEST = 3
"""How many objects inside objects a table is looked for in: a table in a registry in a state."""


def calls_values(code: Code) -> bool:
    """Return whether a function, or a closure in it, calls what a variable, an entry or a field holds: what it looked up."""
    found = ((one, each) for one in iter_codes(code) for each in iter_calls(one.body))
    return any(isinstance(each.callee, Read | Item) or _is_of_field(one, each) for one, each in found)


def calls_methods(code: Code) -> bool:
    """Return whether a function calls a method of what a variable or an entry holds, which it may have looked up."""
    found = (each.callee for one in iter_codes(code) for each in iter_calls(one.body))
    return any(isinstance(each, Field) and isinstance(each.owner, Read | Item) for each in found)


class _Chosen(NamedTuple):
    """A function of which one is called that was looked up, and the class whose method it is, None if it is of none."""

    code: Code
    owner: Class | None


def _is_of_field(code: Code, call: Call) -> bool:
    """Return whether what a field holds is called, and no method: `(row.run)(params)`."""
    return isinstance(call.callee, Field) and code.extract_text(call.at).startswith("(")


class Row(NamedTuple):
    """A row of a table: the function that answers, and what the table calls that, or the object whose method it is."""

    code: Code
    called: str


def collect_rows(trace: Trace) -> dict[str, Row]:
    """Return the functions of which one is called that a function looked up, by the names that they have in its table.

    The table may be read in another function, which gives the row: `row(&request.action)?.run`.
    """
    called = [each for each in trace.events if isinstance(each, Called)]
    several = [some for each in called if len(some := _collect_functions(each.callee)) > 1]
    chosen = {_Chosen(one.code, owner) for some in several for one in some for owner in _collect_owners(one)}
    found: dict[str, Row] = {}
    for each in called if chosen else ():
        match each.callee.meaning:
            case Made("item", (table, _)):
                found.update(_iter_pairs(table, chosen, DEEPEST))
    for each in _iter_near_calls(trace) if chosen else ():
        for value in each.values:
            found.update(_iter_pairs(value, chosen, DEEPEST))
    return found


def _iter_near_calls(trace: Trace) -> Iterator[Called]:
    """Yield the calls of a function, and of those which it calls itself."""
    for each in trace.events:
        if isinstance(each, Called):
            yield each
        elif isinstance(each, Entered):
            yield from (one for one in each.trace.events if isinstance(one, Called))


def _collect_functions(value: Value) -> list[Function]:
    return [each for each in value.things if isinstance(each, Function)]


def _collect_owners(function: Function) -> list[Class | None]:
    """Return the classes of the object that a function is a method of."""
    receiver = function.receiver
    return [*_collect_classes(receiver), None] if receiver is not None else [None]


def _collect_classes(value: Value) -> list[Class]:
    """Return the classes of the project of which an object is; one without fields stands for its object."""
    kinds = (each.of if isinstance(each, Instance) else each for each in value.things)
    return [each for each in kinds if isinstance(each, Class)]


def _match_chosen(value: Value, chosen: set[_Chosen]) -> set[Row]:
    """Return which of the functions a value is, or which of them the object has as its method."""
    codes = {each.code for each in _collect_functions(value)} & {each.code for each in chosen}
    classes = _collect_classes(value)
    return {Row(each, each.name) for each in codes} or {
        Row(each.code, each.owner.name) for each in chosen if each.owner is not None and each.owner in classes
    }


def _iter_pairs(value: Value, chosen: set[_Chosen], deep: int) -> Iterator[tuple[str, Row]]:
    """Yield the names and the functions of the rows of a table: under the name, or beside it and others that are not chosen."""
    held = value.contents or {}
    for key, each in held.items() if deep else ():
        found = _match_chosen(each, chosen)
        if isinstance(key, str) and len(found) == 1 and len(_collect_functions(each)) < 2:
            yield key, next(iter(found))
        yield from _iter_pairs(each, chosen, deep - 1)
    names = [each.text for each in held.values() if each.text is not None]
    functions = [one for each in held.values() for one in _match_chosen(each, chosen)]
    if len(functions) == 1 and names:
        yield names[0], functions[0]


def locate_row(source: Source, name: str, row: Row) -> Span | None:
    """Return where a file names a row: on the line that names its function, else where it stands first, None if nowhere.

    A catalog in the same file has the names too.
    """
    quoted = (f"{quote}{name}{quote}".encode() for quote in ('"', "'"))
    places = sorted(at for each in quoted for at in _iter_places(source.data, each))
    ends = [(at, source.data.find(b"\n", at)) for at in places]
    called = re.compile(rb"\b%s\b" % re.escape(row.called.encode())) if row.called else None
    start = row.code.at.start if row.code.source.path == source.path else -1
    named = (
        at
        for at, end in ends
        if at < start <= end or (called is not None and called.search(QUOTED.sub(b"", source.data[at:end])))
    )
    at = next(named, places[0] if places else None)
    return source.stretch(at, at + len(name.encode()) + 2) if at is not None else None


def _iter_places(data: bytes, text: bytes) -> Iterator[int]:
    at = data.find(text)
    while at >= 0:
        yield at
        at = data.find(text, at + 1)
