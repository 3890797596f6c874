"""What a library's function gives of a value that may be absent, or a failure: `unwrap_or`, `ok_or`, `map_err`, `then`."""

from reviewer.code.case import Case
from reviewer.code.given import Given
from reviewer.code.parts import (
    HELD,
    REASON,
    find_reason,
    join_values,
    test_presence,
    test_success,
    unwrap_result,
    with_held_labels,
)
from reviewer.code.state import Facts, infer_interval, infer_presence
from reviewer.code.values import (
    ABSENT,
    NO_NUMBER,
    NONE,
    UNREADABLE,
    Class,
    ClientArguments,
    ConditionalValue,
    Function,
    Instance,
    Interval,
    Library,
    Relation,
    Thing,
    Value,
    build_choice,
    build_constant,
)

OF_TYPE = "it is the default of its type"
"""What is said of a value that is empty or zero, whichever its type has."""


def unwrap(case: Case) -> Value | None:
    """Return the subject, which is there from then on; None if it never is."""
    subject = case.subject
    if infer_presence(subject, case.state.facts) is False:
        return None
    case.state.learn(subject.term, failed=False)
    return unwrap_result(subject, case.state)


def unwrap_or(case: Case) -> Value:
    """Return the subject, or the argument, or its type's default if there is none, if it is not there."""
    return choose_present(case, case.subject, case.argument or _make_default(case))


def _make_default(case: Case) -> Value:
    """Return the default of the subject's type."""
    things = case.subject.things
    if Instance(Library("bool")) in things:
        return build_constant(False)
    kinds = [each.of for each in things if isinstance(each, Instance) and isinstance(each.of, Class)]
    maker = (
        case.run.program.find_member(kinds[0], "default") if len(kinds) == 1 and not case.run.program.raises else None
    )
    made = maker
    if maker is not None and not any(isinstance(each, Class) and each.variant for each in maker.things):
        made = case.run.call_value(case.activation, case.state, case.at, maker, None, "", Given())
    if made is not None:
        return made
    of_library = tuple(each for each in things if isinstance(each, Instance) and isinstance(each.of, Library))
    return Value(
        (case.term, "default"),
        interval=Interval(0, 0),
        things=of_library,
        certain=len(of_library) == 1,
        unknown=OF_TYPE,
    )


def unwrap_or_else(case: Case) -> Value:
    """Return the subject, or what the argument gives for why it is not there."""
    argument = case.argument
    result = _call_with_reason(case, argument) if argument is not None else None
    return unwrap_result(case.subject, case.state) if result is None else choose_present(case, case.subject, result)


def _call_with_reason(case: Case, function: Value) -> Value | None:
    """Return the result of a function for the reason of the subject's failure; while it runs, the subject is known to
    be one.
    """
    before = case.state.facts
    case.state.learn(case.subject.term, failed=True, present=False)
    result = case.apply(function, find_reason(case.subject, case.state))
    case.state.facts = before
    return result


def choose_present(case: Case, value: Value, other: Value) -> Value:
    """Return a value, or another if it is not there. The arguments of a call, or what stands for none, are still these."""
    test, value = test_presence(value), unwrap_result(value, case.state)
    if infer_presence(value, case.state.facts):
        return value
    found = join_values(case.term, value, other)
    case.state.share_contents(case.term, value)
    contents = value.contents if isinstance(value.contents, ClientArguments) else None
    bounds = infer_interval(value, case.state.facts).join(infer_interval(other, case.state.facts))
    return found._replace(
        interval=bounds, meaning=build_choice(test, value, other, None, None), failure=None, contents=contents
    )


def map_present(case: Case, value: Value) -> Value:
    """Return the result of the argument for a value, if the value is present, else the value."""
    argument = case.argument
    if argument is None or infer_presence(value, case.state.facts) is False:
        return value
    result = case.apply(argument, unwrap_result(value, case.state))
    if result is None:
        return value
    if infer_presence(value, case.state.facts):
        return result
    if UNREADABLE in result.labels and infer_presence(result, case.state.facts) is False:
        return result  # there is nothing on either way
    labels = result.labels | value.labels
    bounds = infer_interval(result, case.state.facts)
    meaning = build_choice(test_presence(value), result, value, None, False)
    case.state.share_contents(case.term, result)
    return result._replace(
        term=case.term,
        labels=labels,
        constants=None,
        interval=bounds,
        certain=False,
        meaning=meaning,
        failure=None,
    )


def inspect_failure(case: Case) -> Value:
    """Return the subject; if it is a failure, the argument is called with its reason."""
    if case.argument is not None:
        _call_with_reason(case, case.argument)
    return case.subject


def map_or(case: Case) -> Value:
    """Return the result of the argument for the subject; if it is absent, the argument before, or the result of that."""
    default = case.given.positional[0] if case.given.positional else NONE
    other = (_call_with_reason(case, default) if _can_be_called(default) else default) or NONE
    if case.argument is None or infer_presence(case.subject, case.state.facts) is False:
        return other
    result = case.apply(case.argument, unwrap_result(case.subject, case.state))
    if result is None:
        return other
    found = join_values(case.term, result, other)
    return found._replace(meaning=build_choice(test_presence(case.subject), result, other, None, None), failure=None)


def _can_be_called(value: Value) -> bool:
    return any(isinstance(each, Function | Class | Library) for each in value.things)


def take_if_true(case: Case) -> Value:
    """Return the argument, or what it gives when called, if the subject is true, else nothing."""
    argument = case.argument or NONE
    result = (case.apply(argument) if _can_be_called(argument) else argument) or NONE
    found = join_values(case.term, result, NONE)
    return found._replace(meaning=build_choice(case.subject, result, NONE, None, False))


def require_or_fail(case: Case) -> Value:
    """Return the subject, or a failure whose reason is the argument, or what that gives when called, if it is not there."""
    reason = case.argument or NONE
    given = case.apply(reason) if _can_be_called(reason) else reason
    return fail_if_absent(case, given if given is not None else reason)


def fail_if_absent(case: Case, reason: Value) -> Value:
    """Return the subject; if it is not there, a failure for a reason."""
    subject = case.subject
    labels = with_held_labels(reason, case.state).labels
    held = unwrap_result(subject, case.state)
    if held is not subject:
        case.state.heap[subject.term] = {HELD: held, REASON: reason}
        return subject
    failure = Value((case.term, "failure"), labels, interval=NO_NUMBER, failure=reason)
    if infer_presence(subject, case.state.facts) is False:
        return failure
    bounds = infer_interval(subject, case.state.facts)
    meaning = build_choice(test_success(subject), narrow_to_present(subject, case.state.facts), failure, None, False)
    case.state.share_contents(case.term, subject)
    return subject._replace(term=case.term, labels=subject.labels | labels, interval=bounds, meaning=meaning)


def narrow_to_present(value: Value, facts: Facts) -> Value:
    """Return a value on the condition that it is present: without its absent and failed alternatives."""
    while isinstance(value.meaning, ConditionalValue):
        _, then, otherwise, then_truth, otherwise_truth, _ = value.meaning
        if otherwise_truth is False or infer_presence(otherwise, facts) is False:
            value = then
        elif then_truth is False or infer_presence(then, facts) is False:
            value = otherwise
        else:
            break
    return value


def map_failure(case: Case) -> Value:
    """Return the subject; if it is a failure, one for what the argument makes of its reason."""
    argument = case.argument
    made = _call_with_reason(case, argument) if argument is not None else find_reason(case.subject, case.state)
    return fail_if_absent(case, made) if made is not None else case.subject


def without_reason(case: Case) -> Value:
    """Return the subject, nothing if it is a failure: what asks whether that succeeded is told that it did not."""
    held = unwrap_result(case.subject, case.state)
    if held is not case.subject:
        meaning = build_choice(test_success(case.subject), held, NONE, None, False)
        return join_values(case.term, held, NONE)._replace(meaning=meaning)
    if case.subject.failure is None:
        return case.subject
    return Value((case.term, "nothing"), case.subject.labels, ABSENT, NO_NUMBER, failure=case.subject.failure)


def test_kind(case: Case) -> Value:
    """Return whether the subject is of a kind: of the class that is the argument, or of one of those that it holds."""
    kind = case.argument
    if case.model.on == case.model.of or kind is None:
        return Value(case.term, case.subject.labels, interval=Interval(0, 1), unknown="only a run tells")
    held = case.state.read_contents(kind).values()
    kind = kind._replace(things=tuple(thing for each in held for thing in each.things)) if held else kind
    term = ("kind", case.subject.term, kind.term)
    return Value(term, case.subject.labels, interval=Interval(0, 1), meaning=Relation("kind", case.subject, kind))


def test_has_member(case: Case) -> Value:
    """Return whether the subject has something under a name, the argument: true where its class has a method of that name.

    Of what its class has not nothing is told: an object may be given more than its class says.
    """
    name = case.argument.constant if case.argument is not None else None
    things = case.subject.things if case.subject.certain else ()
    if name is not None and isinstance(name[1], str) and things and all(map(_is_of_project, things)):
        found = [case.run.program.find_member(each, name[1]) for each in things]
        if all(each is not None and any(isinstance(thing, Function) for thing in each.things) for each in found):
            return build_constant(True)
    return Value(case.term, case.subject.labels, interval=Interval(0, 1), unknown="only a run tells")


def _is_of_project(thing: Thing) -> bool:
    return isinstance(thing, Instance) and isinstance(thing.of, Class)
