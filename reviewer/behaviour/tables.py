"""Tables of functions: under which names a function looks up what it calls."""

from collections.abc import Iterator

from reviewer.code.events import Called, Entered, Trace
from reviewer.code.ir import Call, Code, Field, Item, Read, calls, codes
from reviewer.code.values import Function, Value

DEEPEST = 3
"""How many objects inside objects a table is looked for in: a table in a registry in a state."""


def calls_values(code: Code) -> bool:
    """Return whether a function, or a closure in it, calls what a variable, an entry or a field holds: what it looked up."""
    found = ((one, each) for one in codes(code) for each in calls(one.body))
    return any(isinstance(each.callee, Read | Item) or _is_of_field(one, each) for one, each in found)


def _is_of_field(code: Code, call: Call) -> bool:
    """Return whether what a field holds is called, and no method: `(row.run)(params)`."""
    return isinstance(call.callee, Field) and code.text(call.at).startswith("(")


def rows(trace: Trace) -> dict[str, Code]:
    """Return the functions of which one is called that a function looked up, by the names that they have in its table.

    The table may be read in another function, which gives the row: `row(&request.action)?.run`.
    """
    called = [each for each in trace.events if isinstance(each, Called)]
    chosen = {one.code for each in called for one in _functions(each.callee) if len(_functions(each.callee)) > 1}
    found: dict[str, Code] = {}
    for each in _reading(trace) if chosen else ():
        for value in each.values:
            found.update(_pairs(value, chosen, DEEPEST))
    return found


def _reading(trace: Trace) -> Iterator[Called]:
    """Yield the calls of a function, and of those which it calls itself."""
    for each in trace.events:
        if isinstance(each, Called):
            yield each
        elif isinstance(each, Entered):
            yield from (one for one in each.trace.events if isinstance(one, Called))


def _functions(value: Value) -> list[Function]:
    return [each for each in value.things if isinstance(each, Function)]


def _pairs(value: Value, chosen: set[Code], deep: int) -> Iterator[tuple[str, Code]]:
    """Yield the names and the functions of the rows of a table: under the name, or beside it and others that are not chosen."""
    held = value.contents or {}
    for key, each in held.items() if deep else ():
        if isinstance(key, str) and len(_functions(each)) == 1 and _functions(each)[0].code in chosen:
            yield key, _functions(each)[0].code
        yield from _pairs(each, chosen, deep - 1)
    names = [each.text for each in held.values() if each.text is not None]
    functions = [one.code for each in held.values() for one in _functions(each) if one.code in chosen]
    if len(functions) == 1 and names:
        yield names[0], functions[0]
