"""What a function reads of the variables around it, where a run begins with it: a handler that is written in `main`.

The function around is run by itself, for what its variables hold at its end. They may hold something else by the time of the
call: so of an object only what it is counts, and nothing of a variable that other functions assign too.
"""

from dataclasses import replace

from reviewer.code import ir
from reviewer.code.ir import Code
from reviewer.code.run import Run
from reviewer.code.state import State
from reviewer.code.values import Class, Function, Instance, Library, Thing, Value

SCOPES = frozenset({"function", "closure", "async block"})
"""The kinds of code whose variables code inside reads."""

DEEPEST = 3
"""How many functions inside functions are looked at for what a captured one captures. A decorator in a factory has two."""


def read_surroundings(run: Run, code: ir.Code, state: State) -> dict[ir.Variable, Value]:
    """Return the captured variables that a function reads, if they have the same values whenever it is called."""
    around = code.around
    if around is None or around.kind not in SCOPES:
        return {}
    asked = ir.collect_read_variables(code)
    left = _collect_left(run, around) if asked else {}
    found = {each: _keep_certain(run, code, state, left[each], DEEPEST) for each in asked if each in left}
    for variable, value in run.program.find_surroundings(code).items() if asked else ():
        known = found.get(variable)
        if known is None or known.constants is not None:
            continue
        if any(isinstance(_get_code_or_object(each), Class | Code) for each in known.things):
            _complete(state, known, value)
        else:
            found[variable] = value
    return found


def _complete(state: State, known: Value, declared: Value) -> None:
    """Give an object the contents of its declaration, if a run of its constructor cannot tell them, because it has no
    known caller.
    """
    if [_get_code_or_object(each) for each in known.things] == [_get_code_or_object(each) for each in declared.things]:
        for key, value in (declared.contents or {}).items():
            held = state.read_contents(known).get(key)
            if value.things and (held is None or not (held.things or held.constants)):
                state.write(known, key, value)


def _get_code_or_object(thing: Thing) -> object:
    return thing.of if isinstance(thing, Instance) else thing.code if isinstance(thing, Function) else thing


def _collect_left(run: Run, code: ir.Code) -> dict[ir.Variable, Value]:
    """Return the variables of a function at its end, without those that nested functions assign."""
    key = ("left", code)
    if key not in run.program.found:
        run.program.found[key] = {}  # for whoever asks while it is run
        inner = [each for each in ir.iter_codes(code) if each is not code]
        assigned = {
            each.target
            for one in inner
            for each in ir.iter_statements(one.body)
            if isinstance(each, ir.Assign | ir.Call)
        }
        found = run.find_variables(code)
        run.program.found[key] = {variable: value for variable, value in found.items() if variable not in assigned}
    left: dict[ir.Variable, Value] = run.program.found[key]
    return left


def _keep_certain(run: Run, code: ir.Code, state: State, value: Value, deep: int) -> Value:
    """Return the part of a value that is certain whenever a function reads it: a constant, or the class of an object."""
    made = next((each.of for each in value.things if isinstance(each, Instance)), None)
    if len(value.things) == 1 and isinstance(made, Class) and not made.is_abstract:
        return run.make_receiver(made, code, state)
    things = tuple(_keep_certain_thing(run, code, state, each, deep) for each in value.things)
    term = ("around", value.term)
    is_fixed = value.constants is not None or (things and not any(map(_is_container, things)))
    if not is_fixed:
        return Value(term, value.labels, unknown="it may be another by the time of the call")
    return Value(term, value.labels, value.constants, value.interval, things, value.certain)


def _keep_certain_thing(run: Run, code: ir.Code, state: State, thing: Thing, deep: int) -> Thing:
    if not isinstance(thing, Function) or not thing.captured:
        return thing
    captured = (
        {each: _keep_certain(run, code, state, held, deep - 1) for each, held in thing.captured.items()} if deep else {}
    )
    return replace(thing, captured=captured)


def _is_container(thing: Thing) -> bool:
    return isinstance(thing, Instance) and isinstance(thing.of, Library) and "." not in thing.of.path
