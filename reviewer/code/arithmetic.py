"""What operations on two values give: numbers with their bounds, texts, sequences."""

from math import inf

from reviewer.code.parts import (
    collect_labels,
    find_client_arguments,
    is_grown,
    join_values,
    lay_over,
    read_element,
    show_value,
)
from reviewer.code.state import State, infer_interval
from reviewer.code.values import (
    ELEMENT,
    NO_NUMBER,
    Interval,
    Key,
    Made,
    Value,
    build_constant,
    nest_term,
)


def evaluate_operation(operator: str, left: Value, right: Value, state: State) -> Value:
    """Return the result of an operation on two values."""
    is_longer = operator == "+" and (is_grown(left, state) or is_grown(right, state))
    folded = _fold_constants(operator, left, right)
    if folded is not None and not is_longer:
        is_measured = any(isinstance(each.meaning, Made) for each in (left, right))
        return folded._replace(meaning=Made(operator, (left, right))) if is_measured else folded
    term = (operator, nest_term(left.term), nest_term(right.term))
    one, two = infer_interval(left, state.facts), infer_interval(right, state.facts)
    labels = collect_labels(left, state, 1) | collect_labels(right, state, 1)
    meaning = Made(operator, (show_value(left, state), show_value(right, state)))
    if is_longer:
        return Value(term, labels, things=left.things, meaning=meaning, unknown="only a run tells")
    if operator == "+" and _are_sequences(left, right, state):
        state.heap[term] = _concatenate((left, right), state)
        return Value(term, labels, things=left.things, meaning=meaning)
    if operator == "|" and _are_records(left, right, state):
        state.heap[term] = lay_over(state, right, lay_over(state, left, {}))
        given = find_client_arguments(right, find_client_arguments(left))
        return Value(term, labels, things=left.things, meaning=meaning, contents=given)
    things = left.things if operator == "/" else ()  # a path goes on as a path
    return Value(term, labels, interval=_compute_interval(operator, one, two), things=things, meaning=meaning)


def _are_sequences(left: Value, right: Value, state: State) -> bool:
    """Return whether the elements of one of two values were seen."""
    return any(key == ELEMENT or isinstance(key, int) for each in (left, right) for key in state.read_contents(each))


def _are_records(left: Value, right: Value, state: State) -> bool:
    """Return whether the entries of one of two values were seen."""
    return any(isinstance(key, str) for each in (left, right) for key in state.read_contents(each))


ELEMENTS = 1_000
"""Elements of a sequence that are told apart by their places where sequences are joined. One that is joined to itself forty times
has a million million; lists that servers write out have some hundred."""


def _concatenate(values: tuple[Value, ...], state: State) -> dict[Key, Value]:
    """Return the contents of a sequence with the elements of some values one after another."""
    entries: dict[Key, Value] = {}
    for each in values:
        held = state.read_contents(each)
        places = [held[place] for place in range(len(held)) if place in held]
        is_whole = each.term in state.heap and len(places) == len(held) and len(entries) + len(places) <= ELEMENTS
        if ELEMENT not in entries and len(entries) + len(places) <= ELEMENTS:
            before = len(entries)
            entries.update({before + place: value for place, value in enumerate(places)})
        if not is_whole or ELEMENT in entries:
            more = read_element(each, state, each.term)
            known = entries.get(ELEMENT)
            entries[ELEMENT] = more if known is None else join_values((each.term, "element"), known, more)
    return entries


LONGEST = 10_000
"""Characters of a text that is put together while reviewing; a longer one is unknown."""


def _fold_constants(operator: str, left: Value, right: Value) -> Value | None:
    one, two = left.constant, right.constant
    if one is None or two is None or operator not in ("+", "-", "*", "<<", "**"):
        return None
    a, b = one[1], two[1]
    if operator in ("<<", "**"):
        is_small = isinstance(a, int) and isinstance(b, int) and 0 <= a < 2**16 and 0 <= b < 2**6
        return build_constant(a << b if operator == "<<" else a**b) if is_small else None  # type: ignore[operator]
    if isinstance(a, str) and isinstance(b, str):
        return build_constant(a + b) if operator == "+" and len(a) + len(b) <= LONGEST else None
    if isinstance(a, int | float) and isinstance(b, int | float) and abs(a) < 2**64 and abs(b) < 2**64:
        return build_constant(a + b if operator == "+" else a - b if operator == "-" else a * b)
    return None


def _compute_interval(operator: str, one: Interval, two: Interval) -> Interval:
    unsure = one.unsure or two.unsure
    if operator == "+":
        return Interval(one.low + two.low, one.high + two.high, unsure)
    if operator == "-":
        return Interval(one.low - two.high, one.high - two.low, unsure)
    if NO_NUMBER in (one, two):
        return Interval(unsure=unsure)
    if operator == "*":
        corners = [_multiply(left, right) for left in one[:2] for right in two[:2]]
        return Interval(min(corners), max(corners), unsure)
    if operator in ("/", "//") and two.low >= 1:
        low, high = min(one.low / two.low, 0), max(one.high / two.low, 0)
        return Interval(low, high, unsure)
    if operator == "%" and two.low >= 1 and two.high < inf:
        return Interval(0, two.high - 1)
    return Interval(unsure=unsure)


def _multiply(one: float, two: float) -> float:
    return 0 if 0 in (one, two) else one * two
