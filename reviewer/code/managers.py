"""Context managers: how one is entered and left, and which exceptions it takes."""

from reviewer.code import ir
from reviewer.code.events import Context
from reviewer.code.given import Given
from reviewer.code.members import resolve_field
from reviewer.code.program import Operator
from reviewer.code.run import Activation, Run
from reviewer.code.state import State, infer_truth
from reviewer.code.values import (
    NONE,
    ConditionalValue,
    Function,
    Instance,
    Label,
    Library,
    Relation,
    Value,
    build_unknown,
    strip_negations,
)

ANYTHING = Value(("library", "builtins.BaseException"), things=(Library("builtins.BaseException"),))
"""The class of whatever may be raised."""


def run_manager(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    manager: Value,
    operator: Operator,
    raised: Value | None = None,
) -> Value | None:
    """Run what a manager of the project does at the beginning or the end; return what it gives, None if it is none."""
    methods = find_manager_methods(run, state, manager, operator)
    if methods is None:
        return None
    raised = NONE if raised is None else raised
    given = Given((raised, raised, NONE)) if "exit" in operator else Given(())
    result = run.call_value(activation, state, at, methods, manager, "", given)
    if result is not None and result.awaits is not None:
        result = run.wait(activation, state, result, at)
    return result


def find_manager_methods(run: Run, state: State, manager: Value, operator: Operator) -> Value | None:
    """Return the method with which a context manager of the project is entered or left; None if it is none."""
    names = run.program.operators.methods.get(operator, ())
    methods = resolve_field(run, state, manager, names[0]) if manager.things and names else manager
    return methods if any(isinstance(each, Function) for each in methods.things) else None


def build_raised(code: ir.Code, at: ir.Site) -> Value:
    """Return a value for what was raised in the body of a manager."""
    labels = frozenset((Label("exception"),))
    return build_unknown("only a run tells what is raised", ("caught", code, at), labels)


def find_taken_types(
    run: Run, activation: Activation, state: State, at: ir.Site, manager: Value, operator: Operator
) -> tuple[Value, ...]:
    """Return the classes of the exceptions that a manager surely takes, none if it takes none or that is not known.

    Those that a library's manager is made for, and those for which the method of one of the project gives true.
    """
    paths = [thing.of.path for thing in manager.things if isinstance(thing, Instance) and isinstance(thing.of, Library)]
    models = [run.program.models.find_model(path) for path in paths]
    if any(model is not None and "suppresses" in model.acts for model in models):
        return tuple((manager.contents or {}).values())
    if find_manager_methods(run, state, manager, operator) is None:
        return ()
    before, raised = state.copy(), build_raised(activation.code, at)
    before.learn(raised.term, present=True)
    points, activation.raised = activation.raised, []
    run.quiet += 1
    found = run_manager(run, activation, before, at, manager, operator, raised)
    run.quiet -= 1
    activation.raised = points
    return _collect_taken(found, raised, before) if found is not None else ()


def _collect_taken(value: Value, raised: Value, state: State) -> tuple[Value, ...]:
    """Return the classes of what was raised for which a value is true."""
    truth = infer_truth(value, state.facts)
    if truth is not None:
        return (ANYTHING,) if truth else ()
    if not isinstance(value.meaning, ConditionalValue):
        kind = _find_asked_kind(value, raised, holds=True)
        return (kind,) if kind is not None else ()
    test, then, otherwise = value.meaning[:3]
    known = infer_truth(test, state.facts)
    if known is not None:
        return _collect_taken(then if known else otherwise, raised, state)
    found: list[Value] = []
    for side, holds in ((then, True), (otherwise, False)):
        kind = _find_asked_kind(test, raised, holds)
        taken = _collect_taken(side, raised, state)
        found += taken if ANYTHING not in taken else (kind,) if kind is not None else ()
    return tuple(found)


def _find_asked_kind(test: Value, raised: Value, holds: bool) -> Value | None:
    """Return the class of which a test tells that an exception is an object; None if it tells of none."""
    test, holds = strip_negations(test, holds)
    match test.meaning:
        case Relation("kind", left, right) if holds and left.term == raised.term:
            return right
    return None


def enter_beside(run: Run, activation: Activation, state: State, at: ir.Site, stack: Value, manager: Value) -> None:
    """Let a manager that is entered by another one, a stack of them, be left with that one."""
    for each in activation.context.iter_outwards() if activation.context is not None else ():
        if each.condition == "manager" and each.value is not None and each.value.term == stack.term:
            types = find_taken_types(run, activation, state, at, manager, "exit")
            if types:
                activation.context = activation.build_context("manager", each.at, value=manager, types=types)
            return


def is_entered_beside(context: Context | None, around: Context) -> bool:
    """Return whether a manager takes exceptions which was entered by that of a circumstance, and is left with it."""
    for each in context.iter_outwards() if context is not None else ():
        if each is around:
            return False
        if each.condition == "manager" and each.at == around.at and each.types:
            return True
    return False
