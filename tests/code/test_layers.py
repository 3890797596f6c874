"""Mappings that share what they have in common, and what is known at each of very many tests."""

import tracemalloc

import pytest

from reviewer.code.layers import FEW, Layered, extend_mapping, flatten_mapping
from reviewer.code.state import MOST_CONSTANTS, State, merge_values, refine
from reviewer.code.values import Interval, Relation, Value, build_argument, build_constant


def made(entries):
    """Make a mapping step by step; return each step."""
    steps = [{}]
    for key, entry in entries:
        steps.append(extend_mapping(steps[-1], {key: entry}))
    return steps


def test_it_holds_what_a_dict_holds_in_the_same_order():
    entries = [(number * 7 % 400, number) for number in range(1200)]
    steps, plain = made(entries), {}
    for (key, entry), step in zip(entries, steps[1:], strict=True):
        plain[key] = entry
        assert step == plain
        assert (len(step), list(step), list(step.items())) == (len(plain), list(plain), list(plain.items()))
    last = steps[-1]
    assert isinstance(last, Layered)
    assert {**last} == flatten_mapping(last) == plain
    assert (last.get(399), last.get("no"), 399 in last, "no" in last) == (plain[399], None, True, False)
    with pytest.raises(KeyError):
        last["no"]


def test_few_are_a_dict_which_is_quicker():
    assert all(isinstance(each, dict) for each in made((number, 0) for number in range(FEW)))


def test_steps_take_memory_by_their_number_and_not_by_its_square():
    tracemalloc.start()
    try:
        kept = made((number, None) for number in range(4000))
        assert tracemalloc.get_traced_memory()[0] < 16e6 < 4000 * len(kept) * 16 / 2
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_what_many_tests_tell_of_one_value_is_kept_once():
    """2,000 branches: what each tells is kept, as events do. Copies of all of it would take 200 MB."""
    asked, state, kept = build_argument("a"), State(), []
    tracemalloc.start()
    try:
        for number in range(2000):
            other = build_constant(number)
            test = Value(("==", asked.term, other.term), meaning=Relation("==", asked, other))
            assert refine(state, test, False)
            kept.append(state.facts)
        assert tracemalloc.get_traced_memory()[0] < 60e6
    finally:
        tracemalloc.stop()
    assert len(state.read_fact(asked.term).unequal) == MOST_CONSTANTS
    assert build_constant(1).constants <= state.read_fact(asked.term).unequal


def test_one_of_too_many_constants_may_be_anything():
    state, value = State(), build_constant(0)
    for number in range(1, MOST_CONSTANTS):
        value = merge_values(("join", number), value, build_constant(number), state, state, {})
    assert len(value.constants) == MOST_CONSTANTS
    value = merge_values(("join", 0), value, build_constant(-1), state, state, {})
    assert (value.constants, value.interval) == (None, Interval(-1, MOST_CONSTANTS - 1))
