"""Between which numbers a field of a model lies that code of the project checks before a tool sees it."""

import functools

from reviewer.code import ir
from reviewer.code.events import Returned
from reviewer.code.heap import Heap
from reviewer.code.interpreter import Interpreter
from reviewer.code.run import Activation, RunBounds
from reviewer.code.state import State, infer_interval
from reviewer.code.summaries import Summaries
from reviewer.code.values import UNSURE, Class, Instance, Interval, Value, build_unknown
from reviewer.languages.python.project.program import PythonProgram
from reviewer.languages.python.project.validators import EVERY

OWN = frozenset({"self", "cls"})
"""What the parameter of a method is called that stands for its object, or for its class."""


def find_validated_interval(program: PythonProgram, cls: Class, name: str, part: Value) -> Interval:
    """Return between which numbers a field lies that the validators of its model, and of its annotation, give or let through.

    It is unsure where one of them cannot be followed. Each gets what the one before it gives: those that run before the value
    has its type, the last of them first, those of the annotation, and those that run afterwards.
    """
    validators = program.list_validators(cls, name)
    annotated = program.list_annotated_validators(cls, name)
    if annotated is None or any(each.mode == "other" for _, each in validators):
        return UNSURE
    methods = {
        mode: [
            program.find_code_at(owner.scope.module, each.method)
            for owner, each in validators
            if each.mode == mode and EVERY not in each.fields
        ]
        for mode in ("before", "after")
    }
    steps = [
        *reversed(methods["before"]),
        *(each for mode, each in reversed(annotated) if mode == "before"),
        *(each for mode, each in annotated if mode == "after"),
        *methods["after"],
    ]
    for code in steps:
        part = part._replace(interval=_run_step(program, code, part))
    for owner, each in validators:
        if EVERY in each.fields:
            code = program.find_code_at(owner.scope.module, each.method)
            found = _run_over_object(program, cls, code, name, part) if each.mode == "after" else UNSURE
            part = part._replace(interval=found)
    return part.interval


def _run_step(program: PythonProgram, code: ir.Code, part: Value) -> Interval:
    """Return between which numbers the result of a validator lies for a value."""
    taken = [each for each in code.parameters if each.name not in OWN]
    if not taken:
        return UNSURE
    trace = Interpreter(program, RunBounds(), Summaries()).start(code, {taken[0].variable: part})
    given = [infer_interval(each.value, each.facts) for each in trace.events if isinstance(each, Returned)]
    return functools.reduce(Interval.join, given) if given else UNSURE


def _run_over_object(program: PythonProgram, cls: Class, code: ir.Code, name: str, part: Value) -> Interval:
    """Return between which numbers a field lies after a method that may set any of the object's."""
    first = code.parameters[0] if code.parameters else None
    if first is None or first.name != "self":
        return UNSURE
    own = Value(("validated", cls), things=(Instance(cls),), certain=True)
    state = State(heap=Heap({own.term: {(name,): part}}))
    for each in code.parameters:
        state.variables[each.variable] = build_unknown("pydantic hands it over", ("validated", cls, each.name))
    state.variables[first.variable] = own
    _, after = Interpreter(program, RunBounds(), Summaries()).run_body(Activation(code), code, state)
    held = after.read(own, (name,)) if after is not None else None
    return infer_interval(held, after.facts) if held is not None and after is not None else UNSURE
