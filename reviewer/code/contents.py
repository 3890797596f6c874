"""What a library's function gives of the elements of what it is given, and how it changes them."""

from dataclasses import replace

from reviewer.code.absences import then
from reviewer.code.case import Case, made
from reviewer.code.expressions import (
    either,
    element_of,
    field_of,
    item_of,
    labelled,
    length_of,
    part_of,
    presence,
)
from reviewer.code.state import interval_of
from reviewer.code.values import (
    COUNT,
    ELEMENT,
    NONE,
    Choice,
    Interval,
    Key,
    Label,
    Relation,
    Value,
    constant,
    unknown,
)


def element(case: Case) -> Value:
    """Return one of the elements."""
    return element_of(case.subject, case.state, case.at)


def part(case: Case) -> Value:
    """Return the first elements, as many as the argument says, or those after them."""
    argument = case.argument
    if argument is None:
        return case.subject
    low, high = (None, argument) if case.model.returns == "cut" else (argument, None)
    return part_of(case.run, case.state, case.subject, low, high)


def between(case: Case) -> Value:
    """Return the elements before the argument, or from it to before the next if there is one: `islice(items, 10, 20)`."""
    given = case.given.positional[case.model.of :]
    if not given:
        return case.subject
    low, high = (given[0], given[1]) if len(given) > 1 else (None, given[0])
    return part_of(case.run, case.state, case.subject, _end(low), _end(high))


def _end(place: Value | None) -> Value | None:
    """Return a place, None where it is the beginning or the end."""
    return None if place is None or place.constant == NONE.constant else place


def numbers(case: Case) -> Value:
    """Return the numbers before the argument, or from it to before the next if there is one."""
    given = case.given.positional
    if not given:
        return unknown("the call does not say it", case.term)
    low, high = (given[0], given[1]) if len(given) > 1 else (constant(0), given[0])
    one, two = interval_of(low, case.state.facts), interval_of(high, case.state.facts)
    interval = Interval(one.low, two.high - 1, one.unsure or two.unsure)
    return Value(("range", low.term, high.term), low.labels | high.labels, interval=interval)


def elements(case: Case) -> Value:
    """Return another sequence of the same elements."""
    subject, state = case.subject, case.state
    state.heap[case.term] = dict(state.held(subject)) or {ELEMENT: element(case)}
    _as_long_as(case, subject)
    return Value(case.term, subject.labels, unknown=subject.unknown)


def copied(case: Case) -> Value:
    """Return another object like the subject, with the fields that the call names."""
    subject, state = case.subject, case.state
    changes: dict[Key, Value] = {(name,): value for name, value in case.given.names().items()}
    if not state.held(subject) and not changes:
        return subject
    state.heap[case.term] = {**state.held(subject), **changes}
    _as_long_as(case, subject)
    return replace(subject, term=case.term, labels=case.labels, contents=None)


def fields(case: Case) -> Value:
    """Return a dictionary of the fields of the subject."""
    held = case.state.held(case.subject)
    case.state.heap[case.term] = {
        key[0] if isinstance(key, tuple) and key != ELEMENT else key: value for key, value in held.items()
    }
    labels = labelled(case.subject, case.state).labels
    return Value(case.term, labels, things=made("dict"), unknown="" if held else "only a run tells")


def attribute(case: Case) -> Value:
    """Return the field of the subject that the first argument after it names, its second if there is none."""
    name = case.operands[1].text if len(case.operands) > 1 else None
    if name is None:
        return Value(case.term, case.labels, unknown="only a run tells which field")
    found = field_of(case.run, case.state, case.subject, name)
    if len(case.operands) < 3:
        return found
    default = case.operands[2]
    return replace(
        either(case.term, found, default), meaning=Choice(presence(found), found, default, None, None), failure=None
    )


def _as_long_as(case: Case, subject: Value) -> None:
    length = interval_of(length_of(subject, case.state), case.state.facts)
    case.state.learn(("length", case.term), interval=length)


def _at_most_as_long_as(case: Case, subject: Value) -> None:
    length = interval_of(length_of(subject, case.state), case.state.facts)
    case.state.learn(("length", case.term), interval=Interval(0, length.high, length.unsure))


def mapped(case: Case) -> Value:
    """Return the elements, each as the argument makes it."""
    argument = case.argument
    result = case.apply(argument, element(case)) if argument is not None else None
    labels = case.subject.labels | (result.labels if result is not None else frozenset())
    found = case.holding(result, labels)
    _as_long_as(case, case.subject)
    return found


def mapped_or_then(case: Case) -> Value:
    """Return what the argument makes of each element, or of the subject itself if no elements of it were seen."""
    return mapped(case) if case.has_elements else then(case, case.subject)


def filtered(case: Case) -> Value:
    """Return the elements for which the argument is true; a method of what has none is one of a value that may be absent."""
    argument, subject = case.argument, case.subject
    if case.model.path.startswith(".") and not case.has_elements:
        result = case.apply(argument, subject) if argument is not None else None
        if result is None:
            return subject
        found = either(case.term, subject, NONE)
        return replace(found, interval=subject.interval, meaning=Choice(result, subject, NONE, None, False))
    one = element(case)
    if argument is not None and argument.things:
        case.apply(argument, one)
    found = case.holding(one, subject.labels)
    _at_most_as_long_as(case, subject)
    return found


def flattened(case: Case) -> Value:
    """Return the elements of the elements; what is not seen to have any is a value that may be absent twice."""
    if case.model.path.startswith(".") and not case.has_elements:
        return case.subject
    return case.holding(element_of(element(case), case.state, case.at), case.subject.labels)


def chained(case: Case) -> Value:
    """Return the elements of all operands, one after another."""
    held = [element_of(each, case.state, case.at) for each in case.operands]
    found = case.holding(case.either_of(held), case.labels)
    lengths = [interval_of(length_of(each, case.state), case.state.facts) for each in case.operands]
    total = Interval(sum(each.low for each in lengths), sum(each.high for each in lengths))
    case.state.learn(("length", case.term), interval=total)
    return found


def _pair(case: Case, name: str, *values: Value) -> Value:
    term = (case.term, name)
    case.state.heap[term] = dict(enumerate(values))
    labels = frozenset[Label]().union(*(each.labels for each in values))
    return Value(term, labels, things=made("tuple"), certain=True)


def numbered(case: Case) -> Value:
    """Return pairs of a number from 0 and an element."""
    number = Value((case.term, "number"), interval=COUNT)
    found = case.holding(_pair(case, "pair", number, element(case)), case.subject.labels)
    _as_long_as(case, case.subject)
    return found


def zipped(case: Case) -> Value:
    """Return tuples of an element of each operand."""
    one = _pair(case, "pair", *(element_of(each, case.state, case.at) for each in case.operands))
    found = case.holding(one, case.labels)
    highs = [interval_of(length_of(each, case.state), case.state.facts).high for each in case.operands]
    if highs:
        case.state.learn(("length", case.term), interval=Interval(0, min(highs)))
    return found


def entries(case: Case) -> Value:
    """Return pairs of a key and its entry."""
    subject = case.subject
    held = case.state.held(subject)
    pairs: list[Value] = [
        _pair(case, f"pair {place}", constant(key), value)
        for place, (key, value) in enumerate(held.items())
        if not isinstance(key, tuple)
    ]
    if not pairs or ELEMENT in held:
        pairs.append(_pair(case, "pair", _key(case), element(case)))
    found = case.holding(None, subject.labels)
    case.state.heap[case.term] = (
        dict(enumerate(pairs)) if ELEMENT not in held and held else {ELEMENT: _one(case, pairs)}
    )
    return found


def _one(case: Case, values: "list[Value]") -> Value:
    found = case.either_of(values)
    assert found is not None
    return found


def keys(case: Case) -> Value:
    """Return the keys of the entries."""
    held = case.state.held(case.subject)
    known = [constant(key) for key in held if not isinstance(key, tuple)]
    found = case.holding(None, case.subject.labels)
    case.state.heap[case.term] = (
        dict(enumerate(known)) if known and ELEMENT not in held else {ELEMENT: _one(case, [*known, _key(case)])}
    )
    return found


def _key(case: Case) -> Value:
    return Value((case.term, "key"), case.subject.labels, unknown="it is one of many")


def folded(case: Case) -> Value:
    """Return what the argument makes of the elements, one after another, beginning with the argument before it."""
    argument = case.argument
    others = [each for each in case.operands if each is not argument and each is not case.subject]
    one = element(case)
    start = others[0] if others else one
    result = case.apply(argument, start, one) if argument is not None else None
    labels = case.labels | (result.labels if result is not None else frozenset())
    return Value(case.term, labels, unknown="it is made of many")


def pieces(case: Case) -> Value:
    """Return parts of a text."""
    labels = labelled(case.subject, case.state).labels
    return case.holding(Value((case.term, "piece"), labels, unknown="it is a part of a text"), labels)


def chunks(case: Case) -> Value:
    """Return parts of the subject one after another, each with as many elements as the argument says."""
    one = part_of(case.run, case.state, case.subject, None, case.argument) if case.argument is not None else None
    return case.holding(one, case.subject.labels)


def gathered(case: Case) -> Value:
    """Return what each of the arguments gives when it is waited for."""
    given = (*case.given.positional, *((case.given.rest,) if case.given.rest is not None else ()))
    results = [case.run.wait(case.activation, case.state, each, case.at) for each in given]
    held: dict[Key, Value] = {
        ELEMENT if case.given.rest is not None else place: value
        for place, value in enumerate(results)
        if value is not None
    }
    case.state.heap[case.term] = held
    labels = frozenset[Label]().union(*(each.labels for each in held.values()))
    return Value(case.term, labels, things=made("list"))


def entry(case: Case) -> Value:
    """Return the entry that the first argument names, its second if there is none."""
    if not case.given.positional:
        return element(case)
    key = case.given.positional[0]
    held = case.state.held(case.subject)
    found = item_of(case.state, case.subject, key, case.at)
    default = case.given.positional[1] if len(case.given.positional) > 1 else NONE
    if key.constant is not None and key.constant[1] in held:
        return found
    return replace(
        either(case.term, found, default), meaning=Choice(presence(found), found, default, None, None), failure=None
    )


def entry_kept(case: Case) -> Value:
    """Return the entry that the first argument names; if there is none, the second, which is kept there."""
    found = entry(case)
    if case.given.positional:
        case.state.write(case.subject, _place(case.given.positional[0]), found)
    return found


def removed(case: Case) -> Value:
    """Return the entry that the first argument names, or an element, which is no longer in the subject."""
    found = entry(case)
    held = dict(case.state.held(case.subject))
    key = case.given.positional[0].constant if case.given.positional else None
    if key is not None and not any(isinstance(each, int) for each in held):
        held.pop(key[1], None)
        case.state.heap[case.subject.term] = held
    return found


def written(case: Case) -> Value:
    """Let the subject hold the second argument under the first."""
    given = case.operands[case.model.on + 1 :]
    if len(given) > 1:
        key = _place(given[0])
        is_field = case.model.path.endswith("setattr") and isinstance(key, str)
        case.state.write(case.subject, (key,) if is_field and isinstance(key, str) else key, given[1])
        _forget_length(case)
    return NONE


def appended(case: Case) -> Value:
    """Let the subject hold one more element, or be a longer text."""
    if case.argument is not None:
        before = case.state.held(case.subject).get(ELEMENT)
        added = case.argument if before is None else either((case.term, "element"), before, case.argument)
        case.state.write(case.subject, ELEMENT, added)
    _forget_length(case)
    return NONE


def extended(case: Case) -> Value:
    """Let the subject hold the elements, or the entries, of the argument as well."""
    argument = case.argument
    held = dict(case.state.held(argument)) if argument is not None else {}
    if argument is not None and held and not any(isinstance(each, int) or each == ELEMENT for each in held):
        case.state.heap[case.subject.term] = {**case.state.held(case.subject), **held}
    elif argument is not None:
        before = case.state.held(case.subject).get(ELEMENT)
        more = element_of(argument, case.state, case.at)
        case.state.write(
            case.subject, ELEMENT, more if before is None else either((case.term, "element"), before, more)
        )
    for name, value in case.given.names().items():
        case.state.write(case.subject, name, value)
    _forget_length(case)
    return NONE


def shortened(case: Case) -> Value:
    """Let the subject have at most as many elements as the argument says."""
    length = length_of(case.subject, case.state)
    before = interval_of(length, case.state.facts)
    most = interval_of(case.argument, case.state.facts).high if case.argument is not None else before.high
    if most >= 0:
        bounds = Interval(0, min(before.high, most))
        case.state.learn(("length", case.subject.term), interval=bounds)
    return NONE


def emptied(case: Case) -> Value:
    """Let the subject have no elements."""
    case.state.heap[case.subject.term] = {}
    case.state.learn(("length", case.subject.term), interval=Interval(0, 0))
    return NONE


def _forget_length(case: Case) -> None:
    """Forget how long the subject was at most: it may be longer now."""
    term = ("length", case.subject.term)
    if term in case.state.facts:
        case.state.learn(term, interval=COUNT)


def _place(key: Value) -> Key:
    return key.constant[1] if key.constant is not None else ELEMENT


def is_empty(case: Case) -> Value:
    """Return whether the subject has no elements."""
    length = length_of(case.subject, case.state)
    meaning = Relation("==", length, constant(0))
    return Value(
        ("==", length.term, ("constant", int, 0)), case.subject.labels, meaning=meaning, interval=Interval(0, 1)
    )


def contains(case: Case) -> Value:
    """Return whether the argument is one of the elements, or keys, of the subject."""
    argument = case.argument
    if argument is None:
        return Value(case.term, case.labels, unknown="only a run tells")
    labels = case.subject.labels | argument.labels
    return Value(
        ("in", argument.term, case.subject.term),
        labels,
        meaning=Relation("in", argument, case.subject),
        interval=Interval(0, 1),
    )
