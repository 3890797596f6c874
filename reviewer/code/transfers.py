"""What a library's function gives of what it is given, by its row in the tables of models."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, cast

from reviewer.code import ir
from reviewer.code.expressions import (
    either,
    element_of,
    item_of,
    labelled,
    length_of,
    part_of,
    presence,
    reason_of,
)
from reviewer.code.given import Given
from reviewer.code.models import Model
from reviewer.code.state import State, interval_of
from reviewer.code.values import (
    ANY,
    ELEMENT,
    NONE,
    Choice,
    Function,
    Instance,
    Interval,
    Label,
    Library,
    Negation,
    Origin,
    Value,
    unknown,
)

if TYPE_CHECKING:
    from reviewer.code.interpreter import Activation, Run


class _Case:
    """One call of a library's function."""

    __slots__ = ("activation", "at", "given", "model", "receiver", "run", "state", "term")

    def __init__(
        self,
        run: "Run",
        activation: "Activation",
        state: State,
        at: ir.Site,
        model: Model,
        receiver: Value | None,
        given: Given,
    ) -> None:
        self.run = run
        self.activation = activation
        self.state = state
        self.at = at
        self.model = model
        self.receiver = receiver
        self.given = given
        self.term = ("call", activation.frame.code, at, activation.frame.called_at)

    @property
    def operands(self) -> tuple[Value, ...]:
        """The receiver, if it is a method of a value, and the arguments that are given by position."""
        own = self.receiver if self.model.path.startswith(".") or _is_data(self.receiver) else None
        return (own, *self.given.positional) if own is not None else self.given.positional

    @property
    def subject(self) -> Value:
        """What it is a method of, or its first argument."""
        return self.operands[0] if self.operands else unknown("the call says nothing", (self.term, "subject"))

    @property
    def argument(self) -> Value | None:
        """The argument that the model speaks of."""
        if self.model.keyword in self.given.names():
            return self.given.names()[self.model.keyword]
        given = self.given.positional
        return given[self.model.of] if self.model.of < len(given) else None


def _is_data(value: Value | None) -> bool:
    """Return whether a value is an object, and no module or class whose function is called."""
    return value is not None and not any(isinstance(each, Library) for each in value.things)


UNMODELLED = Model("")


def transferred(
    run: "Run", activation: "Activation", state: State, at: ir.Site, path: str, receiver: Value | None, given: Given
) -> Value | None:
    """Return what a function of a library gives, None if it never comes back.

    What has no model may come of all that it is given.
    """
    model = run.program.models.of(path) or UNMODELLED
    case = _Case(run, activation, state, at, model, receiver, given)
    if model.runs:
        _run_argument(case)
    result = _TRANSFERS[model.returns](case)
    if result is None:
        return None
    labels = frozenset(Label(cast(Origin, each)) for each in model.labels)
    return result.labelled(labels)


def _run_argument(case: _Case) -> None:
    """Run the function that is handed over, in the circumstances that the model says."""

    argument = case.argument
    if argument is None:
        return
    activation = case.activation
    around = activation.context
    if case.model.runs == "in thread":
        activation.context = activation.within("thread", case.at)
    elif case.model.runs == "as task":
        activation.context = activation.within("task", case.at)
    if argument.awaits is not None:
        case.run.wait(activation, case.state.copy(), argument, case.at)
    elif any(isinstance(each, Function) for each in argument.things) and case.model.returns != "called":
        given = Given(case.given.positional[case.model.of + 1 :], case.given.named)
        result = case.run.called(activation, case.state.copy(), case.at, argument, None, "", given)
        if result is not None and result.awaits is not None:
            case.run.wait(activation, case.state.copy(), result, case.at)
    activation.context = around


def _derived(case: _Case) -> Value:
    """Return a value that may come of all that the call is given."""
    values = (
        *case.operands,
        *case.given.names().values(),
        *((case.given.rest,) if case.given.rest is not None else ()),
    )
    receiver = (case.receiver,) if case.receiver is not None else ()
    labels = frozenset[Label]().union(*(labelled(each, case.state).labels for each in (*values, *receiver)))
    for each in (*values, *receiver):
        _call_closures(case, each)
    reason = "it is not of the project" if case.model is UNMODELLED else "only a run tells"
    return Value(case.term, labels, unknown=reason)


def _call_closures(case: _Case, value: Value) -> None:
    """Run a function that is handed to code that is not there: it may be called with anything."""

    functions = [each for each in value.things if isinstance(each, Function) and each.receiver is None]
    if functions and functions[0].code.kind == "closure" and not case.model.runs:
        elements = tuple(
            unknown("code that is not of the project calls it", (case.term, "given", place))
            for place, _ in enumerate(functions[0].code.parameters)
        )
        case.run.called(case.activation, case.state.copy(), case.at, value, None, "", Given(elements))


def _new(case: _Case) -> Value:
    made = Instance(Library(case.model.path))
    return replace(_derived(case), things=(made,), certain=True)


def _least(case: _Case) -> Value:
    return _extreme(case, lambda one, two: Interval(min(one.low, two.low), *_lower(one, two)))


def _lower(one: Interval, two: Interval) -> tuple[float, bool]:
    high = min(one.high, two.high)
    return high, high == inf and (one.unsure or two.unsure)


def _greatest(case: _Case) -> Value:
    return _extreme(
        case, lambda one, two: Interval(max(one.low, two.low), max(one.high, two.high), one.unsure or two.unsure)
    )


def _extreme(case: _Case, meet: Callable[[Interval, Interval], Interval]) -> Value:
    values = case.operands
    if len(values) < 2:
        return element_of(case.subject, case.state, case.at) if values else _derived(case)
    interval = interval_of(values[0], case.state.facts)
    for each in values[1:]:
        interval = meet(interval, interval_of(each, case.state.facts))
    labels = frozenset[Label]().union(*(each.labels for each in values))
    return Value((case.model.returns, *(each.term for each in values)), labels, interval=interval)


def _clamped(case: _Case) -> Value:
    values = case.operands
    if len(values) < 3:
        return _derived(case)
    low, high = (interval_of(each, case.state.facts) for each in values[1:3])
    interval = Interval(low.low, high.high, high.unsure)
    return Value(("clamped", *(each.term for each in values)), values[0].labels, interval=interval)


def _part(case: _Case) -> Value:
    argument = case.argument
    if argument is None:
        return case.subject
    if case.model.returns == "cut":
        return part_of(case.run, case.state, case.subject, None, argument)
    return part_of(case.run, case.state, case.subject, argument, None)


def _elements(case: _Case) -> Value:
    """Return another sequence of the same elements."""
    subject = case.subject
    state = case.state
    state.heap[case.term] = dict(state.held(subject)) or {ELEMENT: element_of(subject, state, case.at)}
    length = interval_of(length_of(subject, state), state.facts)
    state.learn(("length", case.term), interval=length)
    return Value(case.term, subject.labels, unknown=subject.unknown)


def _mapped(case: _Case) -> Value:

    subject, argument = case.subject, case.argument
    result = None
    if argument is not None:
        element = element_of(subject, case.state, case.at)
        result = case.run.called(case.activation, case.state, case.at, argument, None, "", Given((element,)))
    labels = subject.labels | (result.labels if result is not None else frozenset())
    if result is not None:
        case.state.heap[case.term] = {ELEMENT: result}
    length = interval_of(length_of(subject, case.state), case.state.facts)
    case.state.learn(("length", case.term), interval=length)
    return Value(case.term, labels, unknown="it is gone through")


def _or_else(case: _Case) -> Value:
    argument = case.argument or NONE
    return _alternative(case, argument)


def _or_call(case: _Case) -> Value:

    argument = case.argument
    if argument is None:
        return _derived(case)
    result = case.run.called(
        case.activation, case.state, case.at, argument, None, "", Given((reason_of(case.subject),))
    )
    return case.subject if result is None else _alternative(case, result)


def _alternative(case: _Case, other: Value) -> Value:
    subject = case.subject
    test = presence(subject)
    found = either(case.term, subject, other)
    return replace(found, meaning=Choice(test, subject, other, None, None), failure=None)


def _entry(case: _Case) -> Value:
    if not case.given.positional:
        return _derived(case)
    key = case.given.positional[0]
    held = case.state.held(case.subject)
    found = item_of(case.state, case.subject, key, case.at)
    default = case.given.positional[1] if len(case.given.positional) > 1 else NONE
    if key.constant is not None and key.constant[1] in held:
        return found
    return replace(
        either(case.term, found, default), meaning=Choice(presence(found), found, default, None, None), failure=None
    )


def _called(case: _Case) -> Value | None:

    argument = case.argument
    if argument is None:
        return _derived(case)
    given = Given(case.given.positional[case.model.of + 1 :], case.given.named)
    activation = case.activation
    around = activation.context
    if case.model.runs == "in thread":
        activation.context = activation.within("thread", case.at)
    if argument.awaits is not None:
        result = case.run.wait(activation, case.state, argument, case.at)
    else:
        result = case.run.called(activation, case.state, case.at, argument, None, "", given)
    activation.context = around
    return result


def _partial(case: _Case) -> Value:
    argument = case.argument
    if argument is None:
        return _derived(case)
    leading = case.given.positional[case.model.of + 1 :]
    things = tuple(
        replace(each, leading=(*each.leading, *leading)) if isinstance(each, Function) else each
        for each in argument.things
    )
    return replace(argument, term=case.term, things=things)


def _number(case: _Case) -> Value:
    subject = case.subject
    return replace(subject, constants=None if subject.text is not None else subject.constants)


def _text(case: _Case) -> Value:
    labels = frozenset[Label]().union(*(labelled(each, case.state).labels for each in case.operands))
    return Value(("text", *(each.term for each in case.operands)), labels, unknown="only a run tells")


_TRANSFERS: dict[str, Callable[[_Case], Value | None]] = {
    "unknown": _derived,
    "nothing": lambda case: (_derived(case), NONE)[1],
    "never": lambda case: None,
    "receiver": lambda case: case.subject,
    "argument": lambda case: case.argument or _derived(case),
    "least": _least,
    "greatest": _greatest,
    "clamped": _clamped,
    "length": lambda case: length_of(case.subject, case.state),
    "cut": _part,
    "skipped": _part,
    "elements": _elements,
    "element": lambda case: element_of(case.subject, case.state, case.at),
    "text": _text,
    "number": _number,
    "present": lambda case: presence(case.subject),
    "absent": lambda case: Value(("not", ("present", case.subject.term)), meaning=Negation(presence(case.subject))),
    "reason": lambda case: reason_of(case.subject),
    "or else": _or_else,
    "or call": _or_call,
    "mapped": _mapped,
    "entry": _entry,
    "called": _called,
    "partial": _partial,
    "fixed": lambda case: Value(case.term, interval=replace_unsure(), unknown="configuration says it"),
    "new": _new,
}


def replace_unsure() -> Interval:
    """Return the bounds of a number that no caller decides: fixed, and not seen."""
    return ANY._replace(unsure=True)
