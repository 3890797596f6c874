"""What operators do with objects of the project: what code runs for `registry[name]`, `first + second`, `for each in store`."""

from dataclasses import replace

from reviewer.code import ir
from reviewer.code.given import Given
from reviewer.code.members import bound
from reviewer.code.parts import join_values, read_element, show_value
from reviewer.code.program import Operator
from reviewer.code.run import Activation, Run
from reviewer.code.state import State
from reviewer.code.values import (
    ELEMENT,
    Class,
    Function,
    Instance,
    Library,
    Made,
    Value,
    build_unknown,
    find_original_term,
)


def find_operator_method(run: Run, operator: Operator, owner: Value, *, reflected: bool = False) -> Value | None:
    """Return the project's method that implements an operator for an object; None if any of its possible classes has
    another.
    """
    if not owner.things or not all(isinstance(each, Instance) and isinstance(each.of, Class) for each in owner.things):
        return None
    known = run.program.operators
    names = (known.reflected[operator],) if reflected else known.methods.get(operator, ())
    found: Value | None = None
    for each in owner.things:
        methods = [run.program.find_method(each, name) for name in names] if isinstance(each, Instance) else []
        own = next((one for one in methods if one is not None and _is_code(one)), None)
        if own is None:
            return None
        own = bound(own, owner)
        found = own if found is None else join_values(("operator", operator, owner.term), found, own)
    return found


def _is_code(method: Value) -> bool:
    return any(isinstance(each, Function) for each in method.things)


def apply_operator(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    operator: Operator,
    owner: Value,
    *operands: Value,
    reflected: bool = False,
) -> Value | None:
    """Return the result of an operator for an object; None if no project code implements it."""
    method = find_operator_method(run, operator, owner, reflected=reflected)
    if method is None:
        return None
    if operator == "text" and run.program.operators.writes_text:
        return _call_writer(run, activation, state, at, method, owner)
    result = run.call_value(activation, state, at, method, owner, "", Given(operands))
    if result is not None and result.awaits is not None and operator.startswith("async"):
        result = run.wait(activation, state, result, at)
    return (
        result
        if result is not None
        else build_unknown("it never comes back", ("operator", operator, activation.code, at))
    )


def _call_writer(run: Run, activation: Activation, state: State, at: ir.Site, method: Value, owner: Value) -> Value:
    """Return the text that a method writes into an empty text."""
    text = Value(("told", activation.code, at), things=(TEXT,), meaning=Made(EMPTY, ()))
    state.heap[text.term] = {}
    run.call_value(activation, state, at, method, owner, "", Given((text,)))
    return show_value(text, state)


EMPTY = "std.string.String.new"
TEXT = Instance(Library("std.string.String"))


def combine(
    run: Run, activation: Activation, state: State, at: ir.Site, operator: Operator, left: Value, right: Value
) -> Value | None:
    """Return the result of an operator for two values; None if no project code implements it for either."""
    found = apply_operator(run, activation, state, at, operator, left, right)
    if found is None and operator in run.program.operators.reflected:
        found = apply_operator(run, activation, state, at, operator, right, left, reflected=True)
    return found


def resolve_iterable(
    run: Run, activation: Activation, state: State, at: ir.Site, over: Value, *, is_async: bool = False
) -> Value:
    """Return the iterable that a loop over an object visits: the result of the project's method, or the object itself."""
    first: Operator = "async iterate" if is_async else "iterate"
    iterator = apply_operator(run, activation, state, at, first, over) or over
    element = apply_operator(run, activation, state, at, "async next" if is_async else "next", iterator)
    if element is None:
        return iterator
    term = ("iterated", activation.code, at)
    state.heap[term] = {ELEMENT: show_value(element, state)}
    return Value(term, iterator.labels | element.labels, things=(Instance(Library("list")),))


def apply(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    path: str,
    receiver: Value | None,
    given: tuple[Value, ...],
) -> Value | None:
    """Return the result of a library function that applies an operator to an object of the project; None for any other."""
    operator = run.program.operators.functions.get(path)
    owner = receiver if path.startswith(".") else given[0] if given else None
    return (
        apply_operator(run, activation, state, at, operator, owner)
        if operator is not None and owner is not None
        else None
    )


def resolve_iterable_argument(
    run: Run, activation: Activation, state: State, at: ir.Site, path: str, given: Given
) -> Given:
    """Return the arguments of a library function, with project objects that it iterates replaced by their iterables."""
    if path not in run.program.operators.iterating or not given.positional:
        return given
    first, *others = given.positional
    return replace(given, positional=(resolve_iterable(run, activation, state, at, first), *others))


def resolve_iterable_receiver(
    run: Run, activation: Activation, state: State, at: ir.Site, path: str, receiver: Value | None
) -> Value | None:
    """Return the receiver of a method; for a project object that the method iterates, its iterable."""
    if (
        receiver is None
        or path not in run.program.operators.iterating
        or find_operator_method(run, "next", receiver) is None
    ):
        return receiver
    return resolve_iterable(run, activation, state, at, receiver)


def resolve_field_owner(run: Run, activation: Activation, state: State, at: ir.Site, owner: Value, name: str) -> Value:
    """Return the object that has a field of a name: what another gives, as code of the project says, that has none."""
    for _ in range(DEEPEST if "stands for" in run.program.operators.methods else 0):
        kinds = owner.classes
        if len(kinds) != 1 or name in run.program.list_fields(kinds[0]):
            break
        inner = apply_operator(run, activation, state, at, "stands for", owner)
        if inner is None:
            break
        owner = inner
    return owner


DEEPEST = 3
"""Through how many objects a field is looked for that stand for one another. More than one was not seen."""


def find_managed_value(manager: Value, state: State, at: ir.Site) -> Value:
    """Return the value of a context manager without a method for it: itself, or the value that its generator yields."""
    term = find_original_term(manager.term)
    is_generator = isinstance(term, tuple) and term[:1] == ("generator",)
    return read_element(manager, state, at) if is_generator else manager
