"""What a library's function gives of the elements of what it is given, and how it changes them."""

from collections.abc import Callable
from itertools import permutations
from math import inf

from reviewer.code.absences import choose_present, map_present
from reviewer.code.case import Case, build_library_instance
from reviewer.code.cutting import cut, cut_slice, spread_label
from reviewer.code.events import Tested
from reviewer.code.given import Given
from reviewer.code.parts import (
    find_only_element,
    join_elements,
    join_values,
    list_steps,
    measure_length,
    read_element,
    read_key,
    show_value,
    slice_value,
    test_presence,
    with_held_labels,
)
from reviewer.code.state import infer_interval, infer_presence, infer_truth, refine
from reviewer.code.values import (
    ANY,
    COUNT,
    ELEMENT,
    NONE,
    UNSURE,
    Instance,
    Interval,
    Key,
    Label,
    Library,
    Made,
    Relation,
    Value,
    build_choice,
    build_constant,
    build_joined,
    build_unknown,
)


def pick_element(case: Case) -> Value:
    """Return one of the elements."""
    found = read_element(case.subject, case.state, case.at)
    made = case.subject.meaning
    model = case.run.program.models.find_model(made.by) if isinstance(made, Made) else None
    if isinstance(made, Made) and model is not None and model.returns == "chunks" and len(made.of) > 1:
        return _evaluate_one_chunk(case, found, *made.of[:2])
    return found


def pick_nth(case: Case) -> Value:
    """Return the element at the place that the argument says; if it comes with its own place in a text, that is bounded."""
    found = pick_element(case)
    held = case.state.read_contents(found)
    number, most = held.get(0), infer_interval(case.argument, case.state.facts) if case.argument is not None else None
    if number is None or most is None or not isinstance(number.meaning, Made) or number.meaning.by != "counted":
        return found
    bounded = number._replace(term=(case.term, "number"), interval=Interval(max(most.low, 0), most.high * LETTER))
    return build_pair(case, "nth", bounded, *(each for key, each in held.items() if key != 0))


LETTER = 4
"""Bytes that a letter has at most in UTF-8, where places in a text are counted in bytes."""


def _evaluate_one_chunk(case: Case, chunk: Value, owner: Value, size: Value) -> Value:
    """Return the one part that is taken of those which a sequence was parted into, unless a loop takes them all."""
    outwards = case.activation.context.iter_outwards() if case.activation.context is not None else ()
    if any(each.condition == "loop" for each in outwards):
        return chunk
    label = cut(case.run, case.activation, case.state, case.at, owner, size)
    return spread_label(chunk, label, case.state) if label is not None else chunk


def pick_or_default(case: Case) -> Value:
    """Return one of the elements; where there is none, the argument if it is given: `next(found, None)`.

    That each of them is there says nothing of whether there is one, unless a test of constants told which it is.
    """
    subject, default = case.subject, case.argument
    if default is None:
        return pick_element(case)
    if subject.contents is None and case.state.heap.get(subject.term) == {}:
        return default
    found = pick_element(case)
    is_known = 0 in case.state.read_contents(subject)
    return choose_present(case, found if is_known else found._replace(certain=False), default)


def take_part(case: Case) -> Value:
    """Return the first elements, as many as the argument says, or those after them."""
    argument = case.argument
    if argument is None:
        return case.subject
    low, high = (None, argument) if case.model.returns == "cut" else (argument, None)
    subject = case.subject
    if case.model.type and not subject.things:
        subject = subject._replace(things=build_library_instance(case.model.type))
    ranks = "orders" in case.model.acts
    return cut_slice(case.run, case.activation, case.state, case.at, subject, low, high, ranks=ranks)


def take_between(case: Case) -> Value:
    """Return the elements before the argument, or from it to before the next if there is one: `islice(items, 10, 20)`."""
    given = case.given.positional[case.model.of :]
    if not given:
        return case.subject
    low, high = (given[0], given[1]) if len(given) > 1 else (None, given[0])
    return cut_slice(case.run, case.activation, case.state, case.at, case.subject, _end(low), _end(high))


def _end(place: Value | None) -> Value | None:
    """Return a place, None where it is the beginning or the end."""
    return None if place is None or place.constant == NONE.constant else place


def build_range(case: Case) -> Value:
    """Return the numbers before the argument, or from it to before the next if there is one."""
    given = case.given.positional
    if not given:
        return build_unknown("the call does not say it", case.term)
    low, high = (given[0], given[1]) if len(given) > 1 else (build_constant(0), given[0])
    step = given[2] if len(given) > 2 else build_constant(1)
    one, two = infer_interval(low, case.state.facts), infer_interval(high, case.state.facts)
    interval = Interval(one.low, two.high - 1, one.unsure or two.unsure)
    if infer_interval(step, case.state.facts).high < 0:
        interval = Interval(two.low + 1, one.high, one.unsure or two.unsure)
    term = ("range", low.term, high.term, *((step.term,) if len(given) > 2 else ()))
    return Value(term, low.labels | high.labels, interval=interval, meaning=Made("counted", (low, step)))


def build_slice(case: Case) -> Value:
    """Return the places of the elements that are taken by it: `items[slice(20)]`."""
    found, given = build_range(case), case.given.positional
    ends = given[1:2] if len(given) > 1 else given[:1]
    if len(given) > 2 or not isinstance(found.meaning, Made) or NONE.constant in [each.constant for each in ends]:
        return found
    low = found.meaning.of[0] if found.meaning.of[0].constant != NONE.constant else build_constant(0)
    return found._replace(meaning=Made("counted", (low, build_constant(1), *ends)))


def count_from(case: Case) -> Value:
    """Return the numbers from the first argument on, each by the second more than the one before."""
    given, names = case.given.positional, case.given.collect_named()
    start = names.get("start") or (given[0] if given else build_constant(0))
    step = names.get("step") or (given[1] if len(given) > 1 else build_constant(1))
    one = infer_interval(start, case.state.facts)
    interval = Interval(one.low) if infer_interval(step, case.state.facts).low >= 0 else ANY
    meaning = Made("counted", (start, step))
    return Value(("range", start.term, None, step.term), case.labels, interval=interval, meaning=meaning)


def reverse_elements(case: Case) -> Value:
    """Return the elements in the opposite order: what counted up counts down."""
    found = copy_elements(case)
    held = case.state.heap.get(case.term, {})
    if held and all(place in held for place in range(len(held))):
        case.state.heap[case.term] = dict(enumerate(held[place] for place in reversed(range(len(held)))))
    if case.operands and ELEMENT in held:
        case.state.heap[case.term] = {**held, ELEMENT: _reverse_element(case, held[ELEMENT])}
    return found


def _reverse_element(case: Case, value: Value) -> Value:
    """Return an element, or one that holds others, as a traversal from the end has it."""
    if isinstance(value.meaning, Made) and value.meaning.by == "counted":
        step = value.meaning.of[1].constant
        last = Value((case.term, "last", value.term), value.labels, unknown="only a run tells")
        back = build_constant(-step[1]) if step is not None and isinstance(step[1], int) else last
        return value._replace(term=(case.term, "turned", value.term), meaning=Made("counted", (last, back)))
    held = case.state.read_contents(value)
    parts = {key: _reverse_element(case, each) for key, each in held.items()} if len(held) == 2 else {}
    if all(part is held[key] for key, part in parts.items()):
        return value
    term = (case.term, "turned", value.term)
    case.state.heap[term] = parts
    return value._replace(term=term, contents=None)


def copy_elements(case: Case) -> Value:
    """Return another sequence of the same elements, an empty one if there is no operand."""
    if not case.operands:
        return case.build_sequence(None, frozenset())
    subject, state = case.subject, case.state
    if subject.awaits is not None:
        return subject  # what is waited for in a box, as `future.boxed()`, is the same still
    state.heap[case.term] = dict(state.read_contents(subject)) or {ELEMENT: pick_element(case)}
    _as_long_as(case, subject)
    return Value(case.term, subject.labels, unknown=subject.unknown)


def collect_elements(case: Case) -> Value:
    """Return a sequence of the elements; a failure if each certainly is one, as results are collected into one result."""
    found = copy_elements(case)
    each = case.state.read_contents(found).get(ELEMENT)
    return found._replace(failure=each.failure) if each is not None and each.constants is None else found


def list_values(case: Case) -> Value:
    """Return the entries of the subject, without their keys."""
    if case.state.read_contents(case.subject):
        return copy_elements(case)
    return case.build_sequence(pick_entry(case), case.subject.labels)


def pick_entry(case: Case) -> Value:
    """Return one of the entries of the subject."""
    subject = case.subject
    things = subject.find_part_types("entry")
    if not things or case.state.read_contents(subject):
        return pick_element(case)
    return Value((case.term, "entry"), subject.labels, things=things, unknown="it is one of many")


def copy_with_changes(case: Case) -> Value:
    """Return another object like the subject, with the fields, or entries of a dictionary, that the call names."""
    subject, state = case.subject, case.state
    is_table = case.model.type == "dict"
    changes: dict[Key, Value] = {
        name if is_table else (name,): value for name, value in case.given.collect_named().items()
    }
    if is_table and not case.operands:
        state.heap[case.term] = changes
        return Value(case.term, case.labels, things=build_library_instance("dict"), certain=True)
    things = build_library_instance("dict") if is_table else subject.things
    if not state.read_contents(subject) and not changes:
        return clone_subject(case)._replace(things=things)
    paired = _pair_entries(case) if is_table else None
    if paired is not None:
        state.heap[case.term] = {**paired, **changes}
        return Value(case.term, case.labels, things=build_library_instance("dict"))
    state.heap[case.term] = {**state.read_contents(subject), **changes}
    _as_long_as(case, subject)
    return subject._replace(term=case.term, labels=case.labels, things=things, contents=None)


def _pair_entries(case: Case) -> dict[Key, Value] | None:
    """Return the contents of a dictionary made from the subject, a sequence of keys and entries; None for anything
    else.
    """
    pairs = [case.state.read_contents(each) for each in case.state.read_contents(case.subject).values()]
    is_table = any(isinstance(each, Instance) and each.of == Library("dict") for each in case.subject.things)
    if is_table or any(each.keys() != {0, 1} for each in pairs):
        return None
    found: dict[Key, Value] = {}
    for each in pairs:
        key = read_key(each[0])
        found[key] = join_values((case.term, "entry", key), found[key], each[1]) if key in found else each[1]
    return found


def clone_subject(case: Case) -> Value:
    """Return a copy of the subject of which the same is known."""
    return case.subject._replace(duplicate=case.term)


def _as_long_as(case: Case, subject: Value) -> None:
    length = infer_interval(measure_length(subject, case.state), case.state.facts)
    case.state.learn(("length", case.term), interval=length)


def _learn_at_most_as_long_as(case: Case, subject: Value) -> None:
    length = infer_interval(measure_length(subject, case.state), case.state.facts)
    case.state.learn(("length", case.term), interval=Interval(0, length.high, length.unsure))


def map_elements(case: Case) -> Value:
    """Return the elements, each as the argument makes it."""
    argument = case.argument
    result = case.apply(argument, pick_element(case)) if argument is not None else None
    labels = case.subject.labels | (result.labels if result is not None else frozenset())
    found = case.build_sequence(result, labels)
    _as_long_as(case, case.subject)
    return found


def map_or_apply(case: Case) -> Value:
    """Return the results of the argument for each element, or for the subject itself if it is no iterator.

    An iterator has no known type; if the subject is a map, it may be absent.
    """
    return (
        map_elements(case) if case.has_elements and not case.subject.library_types else map_present(case, case.subject)
    )


def filter_elements(case: Case) -> Value:
    """Return the elements for which the argument is true; a method of what has none is one of a value that may be absent."""
    argument, subject = case.argument, case.subject
    if case.model.path.startswith(".") and not case.has_elements:
        result = case.apply(argument, subject) if argument is not None else None
        if result is None:
            return subject
        found = join_values(case.term, subject, NONE)
        interval = _find_interval_where(case, result, subject)
        if interval != infer_interval(subject, case.state.facts):  # a number is bounded
            told = with_held_labels(result, case.state)
            case.run.emit(Tested(case.at, case.activation.code, case.activation.context, case.state.facts, told))
        return found._replace(interval=interval, meaning=build_choice(result, subject, NONE, None, False))
    one = pick_element(case)
    _apply_test(case, one)
    found = case.build_sequence(one, subject.labels)
    _learn_at_most_as_long_as(case, subject)
    return found


def _find_interval_where(case: Case, test: Value, value: Value) -> Interval:
    """Return between which numbers a value lies where a test holds."""
    state = case.state.copy()
    refine(state, test, True)
    return infer_interval(value, state.facts)


def retain_elements(case: Case) -> Value:
    """Let the subject have only the elements, or the entries by their keys, for which the argument is true."""
    is_table = any(
        isinstance(key, str) for key in case.state.read_contents(case.subject)
    ) or case.subject.find_part_types("key")
    key = Value(
        (case.term, "key"), case.subject.labels, things=case.subject.find_part_types("key"), unknown="it is one of many"
    )
    _apply_test(case, key if is_table else pick_element(case))
    length = infer_interval(measure_length(case.subject, case.state), case.state.facts)
    case.state.learn(("length", case.subject.term), interval=Interval(0, length.high, length.unsure))
    return case.return_nothing()


def find_element(case: Case) -> Value:
    """Return the element for which the argument is true, nothing if there is none."""
    only = find_only_element(case.subject, case.state)
    if only is not None:
        test = _apply_test(case, only)
        truth = infer_truth(test, case.state.facts) if test is not None else None
        if truth is not None:
            return only if truth else NONE
    one = pick_element(case)
    test = _apply_test(case, one)
    if test is not None and infer_truth(test, case.state.facts) is False:
        return NONE
    if test is None or not infer_presence(one, case.state.facts):
        return choose_present(case, one, NONE)
    case.state.share_contents(case.term, one)
    found = join_values(case.term, one, NONE)
    return found._replace(meaning=build_choice(test, one, NONE, None, False))  # whatever is in there, this may not be


def find_place(case: Case) -> Value:
    """Return the number of the element for which the argument is true, nothing if there is none."""
    one = find_element(case)
    if one is NONE:
        return NONE
    number = Value((case.term, "place"), case.subject.labels, interval=COUNT, unknown="only a run tells")
    return choose_present(case, number, NONE)


def test_elements(case: Case) -> Value:
    """Return whether the argument is true for the elements, as a value; for the subject if no elements of it are known."""
    only = find_only_element(case.subject, case.state)
    if only is not None and case.model.path.rpartition(".")[2] in ("any", "all"):
        return _apply_test(case, only) or only
    is_sequence = case.has_elements or not case.model.path.startswith(".")
    result = _apply_test(case, pick_element(case) if is_sequence else case.subject)
    default = OF_ABSENT.get(case.model.path)
    if default is not None and result is not None and not is_sequence:
        found = join_values(case.term, result, default)
        return found._replace(
            meaning=build_choice(test_presence(case.subject), result, default, None, default.constant == TRUE)
        )
    return Value(case.term, case.labels, interval=Interval(0, 1), unknown="only a run tells")


TRUE = (bool, True)
OF_ABSENT = {
    ".is_some_and": build_constant(False),
    ".is_ok_and": build_constant(False),
    ".is_none_or": build_constant(True),
}
"""What tests of a value that may be absent tell of one that is."""


def _apply_test(case: Case, value: Value) -> Value | None:
    """Let the argument decide about a value; return what it says, None if it is no function that is known."""
    result = case.apply(case.argument, value) if case.argument is not None and case.argument.things else None
    if result is not None:
        around = case.activation.build_context("loop", case.at, value=case.subject)
        case.run.emit(
            Tested(case.at, case.activation.code, around, case.state.facts, with_held_labels(result, case.state))
        )
    return result


def flatten_elements(case: Case) -> Value:
    """Return the elements of the elements; what is not seen to have any is a value that may be absent twice."""
    if case.model.path.startswith(".") and not case.has_elements:
        return case.subject
    return case.build_sequence(read_element(pick_element(case), case.state, case.at), case.subject.labels)


def map_and_flatten(case: Case) -> Value:
    """Return the elements of what the argument makes of each element; what is not seen to have any may be absent."""
    found, state = map_elements(case), case.state
    made = state.read_contents(found).get(ELEMENT)
    if made is not None and (state.read_contents(made) or made.find_part_types("element")):
        state.heap[case.term] = {ELEMENT: read_element(made, state, case.at)}
    state.learn(("length", case.term), interval=COUNT)
    return found


def chain_elements(case: Case) -> Value:
    """Return the elements of all operands, one after another."""
    found: Value | None = None
    for number, operand in enumerate(case.operands):
        each = read_element(operand, case.state, case.at)
        found = each if found is None else join_elements((case.term, "either", number), found, each)
    found = case.build_sequence(found, case.labels)
    lengths = [infer_interval(measure_length(each, case.state), case.state.facts) for each in case.operands]
    total = Interval(sum(each.low for each in lengths), sum(each.high for each in lengths))
    case.state.learn(("length", case.term), interval=total)
    return found


def build_pair(case: Case, name: str, *values: Value) -> Value:
    """Return a tuple of values; `name` tells it from others of the same call."""
    term = (case.term, name)
    case.state.heap[term] = dict(enumerate(values))
    labels = frozenset[Label]().union(*(each.labels for each in values))
    return Value(term, labels, things=build_library_instance("tuple"), certain=True)


def enumerate_elements(case: Case) -> Value:
    """Return pairs of a number, from the argument or 0 on, and an element."""
    start = case.given.collect_named().get("start") or (
        case.operands[1] if len(case.operands) > 1 else build_constant(0)
    )
    interval = Interval(infer_interval(start, case.state.facts).low)
    meaning = Made("counted", (start, build_constant(1)))
    number = Value((case.term, "number"), start.labels, interval=interval, meaning=meaning)
    found = case.build_sequence(build_pair(case, "pair", number, pick_element(case)), case.subject.labels)
    _as_long_as(case, case.subject)
    return found


def split(case: Case) -> Value:
    """Return the elements before the argument, and those from there on."""
    head = cut_slice(case.run, case.activation, case.state, case.at, case.subject, None, case.argument)
    return build_pair(case, "split", head, slice_value(case.run, case.state, case.subject, case.argument, None))


def zip_elements(case: Case) -> Value:
    """Return tuples of an element of each operand."""
    one = build_pair(case, "pair", *(read_element(each, case.state, case.at) for each in case.operands))
    found = case.build_sequence(one, case.labels)
    highs = [infer_interval(measure_length(each, case.state), case.state.facts).high for each in case.operands]
    if highs:
        case.state.learn(("length", case.term), interval=Interval(0, min(highs)))
    for count, each in permutations(case.operands, 2):
        size = _find_count(case, count)
        label = cut(case.run, case.activation, case.state, case.at, each, size) if size is not None else None
        found = spread_label(found, label, case.state) if label is not None else found
    return found


def _find_count(case: Case, numbers: Value) -> Value | None:
    """Return how many numbers are counted from 0, None of what is no such count or has no end: `range(20)`."""
    made, last = numbers.meaning, infer_interval(numbers, case.state.facts).high
    is_counted = isinstance(made, Made) and made.by == "counted" and made.of[0].constant == (int, 0)
    return build_constant(int(last) + 1) if is_counted and last != inf else None


def fold_elements(case: Case) -> Value:
    """Return the result of folding the elements with the argument, beginning with the argument before it."""
    argument = case.argument
    others = [each for each in case.operands if each is not argument and each is not case.subject]
    steps = list_steps(case.subject, case.state) if others else ()
    if steps and argument is not None:
        return _reduce_through(case, argument, others[0], steps)
    one = pick_element(case)
    start = others[0] if others else one
    result = case.apply(argument, start, one) if argument is not None else None
    labels = case.labels | (result.labels if result is not None else frozenset())
    if result is None or result.constants is not None or not others:
        return Value(case.term, labels, unknown="it is made of many")
    found = join_values(case.term, result, start)  # there may be no element, and what many make is no number of one
    return found._replace(labels=labels, constants=None, interval=UNSURE, meaning=build_joined(result, start))


def _reduce_through(case: Case, argument: Value, given: Value, steps: tuple[Value, ...]) -> Value:
    """Return the result of passing a value through functions, as the argument applies them one after another."""
    for number, step in enumerate(steps, 1):
        found = case.call(argument, Given((given, step)), case.at._replace(round=number))
        if found is None:
            return Value(case.term, case.labels, unknown="it never comes back")
        given = found
    return given


def split_text(case: Case) -> Value:
    """Return parts of a text: those of a constant that is parted once, one by one."""
    subject = with_held_labels(case.subject, case.state)
    parts = _split_constant(case)
    if parts is not None:
        found = build_pair(case, "pieces", *map(build_constant, parts)) if parts else NONE
        if parts:
            case.state.learn(found.term, present=True)
        return found
    meaning = Made(case.model.path, (subject,))
    piece = Value((case.term, "piece"), subject.labels, meaning=meaning, unknown="it is a part of a text")
    found = case.build_sequence(piece, subject.labels)
    term = ("pieces", case.term)
    case.state.heap[term] = case.state.heap[case.term]
    return found._replace(term=term, meaning=meaning)


def _split_constant(case: Case) -> tuple[str, ...] | None:
    """Return into what a constant is parted at a constant, empty if it does not hold that; None if that is not known."""
    parting = PARTING.get(case.model.path)
    subject, at = case.subject.constant, case.argument.constant if case.argument is not None else None
    if parting is None or subject is None or at is None:
        return None
    whole, separator = subject[1], at[1]
    return parting(whole, separator) if isinstance(whole, str) and isinstance(separator, str) and separator else None


def _build_splitter(parting: Callable[[str, str], tuple[str, str, str]]) -> Callable[[str, str], tuple[str, ...]]:
    """Return a function that splits a text in two, or returns nothing if the text lacks the separator."""

    def split(text: str, separator: str) -> tuple[str, ...]:
        before, _, after = parting(text, separator)
        return (before, after) if separator in text else ()

    return split


PARTING: dict[str, Callable[[str, str], tuple[str, ...]]] = {
    ".partition": str.partition,
    ".rpartition": str.rpartition,
    ".split_once": _build_splitter(str.partition),
    ".rsplit_once": _build_splitter(str.rpartition),
}
"""The methods that part a text at one place, by which names such as `item.get` are chosen by."""


def split_into_chunks(case: Case) -> Value:
    """Return parts of the subject one after another, each with as many elements as the argument says."""
    one = slice_value(case.run, case.state, case.subject, None, case.argument) if case.argument is not None else None
    if one is not None and one.meaning is None:
        one = one._replace(meaning=Made(case.model.path, (case.subject,)))
    return case.build_sequence(one, case.subject.labels)


def gather_results(case: Case) -> Value:
    """Return the results of awaiting each argument, or each element of a single one."""
    given = (*case.given.positional, *((case.given.rest,) if case.given.rest is not None else ()))
    if len(given) == 1 and given[0].awaits is None and case.state.read_contents(given[0]):
        one = case.run.wait(case.activation, case.state, read_element(given[0], case.state, case.at), case.at)
        return case.build_sequence(one, given[0].labels)
    results = [case.run.wait(case.activation, case.state, each, case.at) for each in given]
    held: dict[Key, Value] = {
        ELEMENT if case.given.rest is not None else place: value
        for place, value in enumerate(results)
        if value is not None
    }
    case.state.heap[case.term] = held
    labels = frozenset[Label]().union(*(each.labels for each in held.values()))
    return Value(case.term, labels, things=build_library_instance("list"))


def test_empty(case: Case) -> Value:
    """Return whether the subject has no elements."""
    length = measure_length(case.subject, case.state)
    meaning = Relation("==", length, build_constant(0))
    return Value(
        ("==", length.term, ("constant", int, 0)), case.subject.labels, meaning=meaning, interval=Interval(0, 1)
    )


def test_membership(case: Case) -> Value:
    """Return whether the argument is one of the elements, or keys, of the subject."""
    argument = case.argument
    if argument is None:
        return Value(case.term, case.labels, unknown="only a run tells")
    labels = case.subject.labels | argument.labels
    return Value(
        ("in", argument.term, case.subject.term),
        labels,
        meaning=Relation("in", argument, show_value(case.subject, case.state)),
        interval=Interval(0, 1),
    )
