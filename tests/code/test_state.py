"""What tests tell of values, and what is left of it where ways come together."""

from math import inf

import pytest

from reviewer.code.interpreter import capture_value
from reviewer.code.ir import Variable
from reviewer.code.state import State, infer_constants, infer_interval, infer_presence, infer_truth, join_states, refine
from reviewer.code.values import (
    ANY,
    ELEMENT,
    NONE,
    Interval,
    Negation,
    Relation,
    Value,
    build_choice,
    build_constant,
    build_unknown,
)


def number(name: str = "n", interval: Interval = ANY) -> Value:
    return Value(("argument", name), interval=interval)


def compared(operator: str, left: Value, right: Value) -> Value:
    return Value((operator, left.term, right.term), meaning=Relation(operator, left, right))  # type: ignore[arg-type]


def negated(value: Value) -> Value:
    return Value(("not", value.term), meaning=Negation(value))


@pytest.mark.parametrize(
    ("operator", "turned", "truth", "expected"),
    [
        ("<", False, True, Interval(-inf, 99)),
        ("<", False, False, Interval(100, inf)),
        ("<=", False, True, Interval(-inf, 100)),
        ("<=", False, False, Interval(101, inf)),
        ("<", True, True, Interval(101, inf)),
        ("<=", True, False, Interval(-inf, 99)),
        ("==", False, True, Interval(100, 100)),
    ],
)
def test_a_comparison_bounds_a_number_on_both_ways(
    operator: str, turned: bool, truth: bool, expected: Interval
) -> None:
    state, n, hundred = State(), number(), build_constant(100)
    test = compared(operator, hundred, n) if turned else compared(operator, n, hundred)
    assert refine(state, test, truth)
    assert infer_interval(n, state.facts) == expected


def test_a_negation_turns_what_a_test_tells() -> None:
    state, n = State(), number()
    assert refine(state, negated(negated(compared("<=", n, build_constant(5)))), True)
    assert infer_interval(n, state.facts).high == 5


def test_a_way_that_cannot_be_gone_is_told() -> None:
    state, n = State(), number()
    assert refine(state, compared("<", n, build_constant(5)), True)
    assert infer_truth(compared("<", build_constant(9), n), state.facts) is False
    assert not refine(state, compared("<", build_constant(9), n), True)


def test_a_bound_that_cannot_be_seen_leaves_a_number_unsure() -> None:
    state, n = State(), number()
    assert refine(state, compared("<=", n, build_unknown("it is configured", ("setting",))), True)
    assert infer_interval(n, state.facts) == Interval(-inf, inf, True)


def test_presence_follows_from_a_comparison_with_none() -> None:
    state, n = State(), number()
    assert refine(state, compared("is", n, NONE), False)
    assert infer_presence(n, state.facts) is True
    assert infer_truth(compared("is", n, NONE), state.facts) is False


def test_equality_with_a_constant_is_kept_with_its_type() -> None:
    state, n = State(), number()
    assert refine(state, compared("==", n, build_constant("csv")), True)
    assert infer_constants(n, state.facts) == frozenset({(str, "csv")})
    assert infer_truth(compared("==", n, build_constant("json")), state.facts) is False


def test_where_ways_meet_a_number_lies_where_either_put_it() -> None:
    limit, n = Variable("limit"), number()
    large, small = State({limit: n}), State({limit: n})
    test = compared("<", build_constant(100), n)
    assert refine(large, test, True)
    large.variables[limit] = build_constant(100)
    assert refine(small, test, False)
    state = join_states("here", [large, small], test)
    assert state is not None
    assert infer_interval(state.variables[limit], state.facts).high == 100


def test_a_value_that_is_false_on_one_way_tells_the_other_by_its_truth() -> None:
    """`t = n is not None`, and if so `t = n <= 5`: where `t` is true, both hold."""
    t, n = Variable(), number()
    first = negated(compared("is", n, NONE))
    then, otherwise = State({t: first}), State({t: first})
    assert refine(then, first, True)
    then.variables[t] = compared("<=", n, build_constant(5))
    assert refine(otherwise, first, False)
    state = join_states("here", [then, otherwise], first)
    assert state is not None
    assert refine(state, state.variables[t], True)
    assert infer_presence(n, state.facts) is True
    assert infer_interval(n, state.facts).high == 5


def test_what_only_one_way_tells_is_gone_where_they_meet() -> None:
    n = number()
    one, other = State(), State()
    assert refine(one, compared("<=", n, build_constant(5)), True)
    state = join_states("here", [one, other])
    assert state is not None
    assert infer_interval(n, state.facts) == ANY


def test_objects_are_told_apart_by_what_they_are_and_not_by_their_names() -> None:
    shelf = Value(("new", 1))
    state = State({Variable("shelf"): shelf, Variable("alias"): shelf})
    state.write(shelf, ("limit",), build_constant(7))
    other = state.copy()
    other.write(shelf, ("limit",), build_constant(9))
    first = state.read(shelf, ("limit",))
    assert first is not None
    assert first.constant == (int, 7)
    met = join_states("here", [state, other])
    assert met is not None
    found = met.read(shelf, ("limit",))
    assert found is not None
    assert found.constants == frozenset({(int, 7), (int, 9)})


def test_sequences_whose_elements_have_other_places_are_any_of_them_where_ways_meet() -> None:
    shelf = Value(("new", 1))
    first, second = State({Variable("shelf"): shelf}), State({Variable("shelf"): shelf})
    first.write(shelf, 0, build_constant("atlas"))
    second.write(shelf, 1, build_constant("globe"))
    met = join_states("here", [first, second])
    assert met is not None
    found = met.read(shelf, ELEMENT)
    assert found is not None
    assert found.constants == frozenset({(str, "atlas"), (str, "globe")})


def test_a_choice_of_many_is_asked_no_deeper_than_its_truth_needs() -> None:
    found: Value = build_unknown("a call", ("result", 0))
    for arm in range(1, 2000):  # each arm of a dispatcher is one side, all those before it the other
        test = Value(("test", arm))
        found = Value(
            ("join", arm), meaning=build_choice(test, build_unknown("a call", ("result", arm)), found, None, None)
        )
    assert infer_truth(found, {}) is None


def test_objects_that_hold_each_other_last_once():
    """A registry whose entries know the registry, as in a desktop application with its tools."""
    registry, entry, state = Value(("made", 1)), Value(("made", 2)), State()
    state.write(registry, "entry", entry)
    state.write(entry, "registry", registry)
    found = capture_value(registry, state, ("global", "it"))
    assert found.contents is not None
    inner = found.contents["entry"].contents
    assert inner is not None
    assert (inner["registry"].unknown, inner["registry"].contents) == ("it holds itself", None)
