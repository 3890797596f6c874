"""Calls that fail whenever control comes there: what is called does not take what it is handed, or is not there at all.

Only what is certain is told: of functions of the project, which callers meet as they are written, and of what stands in the call
itself. Where an exception of that kind is expected, or a test asks what there is, nothing is.
"""

from collections.abc import Iterator
from functools import partial

from reviewer.behaviour.findings import RunFinding
from reviewer.code import ir
from reviewer.code.events import Called, Context, Event, Occurrence, Trace
from reviewer.code.kinds import collect_caught_types, collect_kinds, iter_ancestors
from reviewer.code.program import Program, find_once
from reviewer.code.state import NOTHING
from reviewer.code.values import Class, Function, Instance, Library, Relation, Value, strip_negations
from reviewer.source import Text
from reviewer.text.patterns import pattern


def iter_impossible_calls(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the calls that cannot work; `about` says why, at what is called."""
    if not program.raises:
        return  # a compiler has looked at them
    for each in trace.iter_matching(_has_fault, program, kinds=(Called,)):
        why = _find_fault(each.event, program)
        if (
            why is not None
            and each.is_possible()
            and not _is_expected(each, program)
            and not _is_another(each, program)
        ):
            yield RunFinding("cannot work", each, about=why)


def _has_fault(event: Event, program: Program) -> bool:
    return _find_fault(event, program) is not None


def _find_fault(event: Event, program: Program) -> Text | None:
    """Return why a call cannot work, None if it may."""
    call = _write(event, program) if isinstance(event, Called) else None
    if call is None or not isinstance(event, Called):
        return None
    if isinstance(call.callee, ir.Field) and not event.callee.things:
        return (
            _explain_missing(event, call.callee.name, program)
            if not _is_handed(event.code, call.callee.owner)
            else None
        )
    function = _find_function(event, call.callee, program)
    said = _refuse(_get_name(call.callee), function, call, event.code) if function is not None else ""
    if function is None or not said or not program.is_as_written(function.code):  # asked last: it searches all files
        return None
    return Text(said, function.code.locate(function.code.at))


def _write(event: Called, program: Program) -> ir.Call | None:
    """Return the one call that stands where something is called, None if something else calls it for that: a thread, a map."""
    return find_once(program, event.code, "calls", partial(_collect_calls, event.code)).get(event.at)


def _collect_calls(code: ir.Code) -> dict[ir.Site, ir.Call]:
    """Return the calls that are written in a function, by their places; none of a place with several."""
    calls: dict[ir.Site, list[ir.Call]] = {}
    for each in ir.iter_calls(code.body):
        calls.setdefault(each.at, []).append(each)
    return {at: found[0] for at, found in calls.items() if len(found) == 1}


def _find_function(event: Called, callee: ir.Expression, program: Program) -> Function | None:
    """Return the one function that is called by its own name, that of a class's constructor with the object that it makes."""
    thing = event.callee.things[0] if len(event.callee.things) == 1 and event.callee.certain else None
    if isinstance(thing, Class):
        code = program.find_constructor(thing)
        return Function(code, event.result) if code is not None and _get_name(callee) == thing.name else None
    is_called = (
        isinstance(thing, Function) and not thing.leading and not thing.named and _get_name(callee) == thing.code.name
    )
    return thing if is_called and isinstance(thing, Function) else None


def _get_name(callee: ir.Expression) -> str:
    match callee:
        case ir.Field(name=name):
            return name
        case ir.Global(path=path):
            return path[-1]
        case ir.Import(name=name):
            return name or ""
        case ir.Read(variable=variable):
            return variable.name
    return ""


def _refuse(name: str, function: Function, call: ir.Call, code: ir.Code) -> str:
    """Say why a function does not take what stands in a call; empty if it may."""
    parameters = function.code.parameters
    spreads = [each for each in call.arguments if isinstance(each.value, ir.Spread)]
    places = [each for each in call.arguments if each.name is None and each not in spreads]
    names = [each.name for each in call.arguments if each.name is not None and each not in spreads]
    known = {each.name: each for each in parameters if each.kind in ("normal", "named")}
    if not any(each.kind == "named rest" for each in parameters):
        for each in names:
            if each not in known:
                return f"`{name}` takes no argument `{each}`"
    if spreads:
        held = {key for each in spreads if each.name is not None for key in _collect_sure_keys(each.value, code)}
        doubled = next((each for each in names if each in held), None)
        return f"`{name}` gets its argument `{doubled}` twice" if doubled is not None else ""
    ordered = [each for each in parameters if each.kind in ("normal", "positional", "receiver")]
    own = 1 if function.receiver is not None else 0
    if len(places) + own > len(ordered) and not any(each.kind == "rest" for each in parameters):
        return f"`{name}` takes {len(ordered) - own} positional arguments but gets {len(places)}"
    filled = {each.name for each in ordered[: len(places) + own]}
    twice = next((each for each in names if each in filled and known.get(each) is not None), None)
    if twice is not None:
        return f"`{name}` gets its argument `{twice}` both by position and by name"
    lacking = [
        each.name
        for each in parameters
        if each.default is None and each.kind in ("normal", "positional", "named", "receiver")
        if each.name not in filled and each.name not in names
    ]
    return f"`{name}` needs its argument `{lacking[0]}`" if lacking else ""


TAKING = frozenset({"pop", "popitem", "clear"})
"""Methods after which a dictionary may lack a key that it was made with."""


def _collect_sure_keys(spread: ir.Expression, code: ir.Code) -> frozenset[str]:
    """Return the keys of a dictionary that is handed over as names, if it is written out with them and loses none."""
    given = spread.operand if isinstance(spread, ir.Spread) else spread
    if isinstance(given, ir.Read):
        variable = given.variable
        made = [
            each for each in ir.iter_statements(code.body) if isinstance(each, ir.Assign) and each.target is variable
        ]
        owners = [
            each.callee.owner
            for each in ir.iter_calls(code.body)
            if isinstance(each.callee, ir.Field) and each.callee.name in TAKING
        ]
        deleted = [
            each.place.owner
            for each in ir.iter_statements(code.body)
            if isinstance(each, ir.Delete) and isinstance(each.place, ir.Item)
        ]
        handed = [one.value for each in ir.iter_calls(code.body) for one in each.arguments]  # it may lose one there
        asked = (*owners, *deleted, *handed)
        if len(made) != 1 or any(isinstance(each, ir.Read) and each.variable is variable for each in asked):
            return frozenset()
        given = made[0].value
    if not isinstance(given, ir.Record) or given.kind is not None:
        return frozenset()
    keys = (key.value for key, _ in given.entries if isinstance(key, ir.Constant))
    return frozenset(each for each in keys if isinstance(each, str))


def _is_handed(code: ir.Code, owner: ir.Expression) -> bool:
    """Return whether a function is handed an object of which it does not say what it is, and its callers may know by a flag
    whether it is a pool or a connection.
    """
    handed = {each.variable for each in code.parameters if each.kind != "receiver" and each.type is None}
    if code.parameters and code.parameters[0].name == "self":
        handed.discard(code.parameters[0].variable)
    return isinstance(owner, ir.Read) and owner.variable in handed


def _explain_missing(event: Called, name: str, program: Program) -> Text | None:
    """Return why an object has no method of a name: its class is known with all its bases, and nothing gives it one."""
    value = event.receiver
    thing = value.things[0] if value is not None and len(value.things) == 1 and value.certain else None
    if not isinstance(thing, Instance) or not isinstance(thing.of, Class) or not program.lacks(thing.of, name):
        return None
    return Text(f"`{thing.of.name}` has no `{name}`", event.text.span)


def _is_another(here: Occurrence, program: Program) -> bool:
    """Return whether tests told that an object is of other classes than the one that it was taken for.

    One caller hands over what never comes to that branch; what comes there has methods of its own.
    """
    event = here.event
    owner = event.receiver if isinstance(event, Called) else None
    things = [each for each in owner.things if isinstance(each, Instance)] if owner is not None else []
    if owner is None or not things:
        return False
    classes = {kind for each in things for kind in iter_ancestors(program, each.of)}
    fact = event.facts.get(owner.term, NOTHING)
    if not fact.kinds <= classes or not fact.others.isdisjoint(classes):
        return True
    return any(
        _excludes_classes(each, owner, classes) for each in here.iter_circumstances() if each.condition == "test"
    )


def _excludes_classes(context: Context, owner: Value, classes: set[Class | Library]) -> bool:
    """Return whether a test around a place asked for the kind of an object, and holds there for none of some classes."""
    if context.value is None:
        return False
    test, holds = strip_negations(context.value, context.holds)
    relation = test.meaning
    if not isinstance(relation, Relation) or relation.operator != "kind" or relation.left.term != owner.term:
        return False
    asked = set(collect_kinds(relation.right)) if relation.right is not None else set()
    return bool(asked) and bool(holds) is classes.isdisjoint(asked)


ASKING = pattern(r"\b(?:hasattr|getattr|callable|signature|version|version_info|TYPE_CHECKING)\b")
"""What a test asks that looks what there is before it is called."""
WRONG = frozenset({Library("builtins.TypeError"), Library("builtins.AttributeError")})


def _is_expected(here: Occurrence, program: Program) -> bool:
    """Return whether code goes on where just this fails, or asks beforehand what there is."""
    for each in here.iter_outwards():
        for context in each.event.iter_outwards():
            if context.condition == "catches" and not WRONG.isdisjoint(collect_caught_types(program, context)):
                return True
            if context.condition == "test" and ASKING.search(each.event.code.extract_text(context.at)) is not None:
                return True
    return False
