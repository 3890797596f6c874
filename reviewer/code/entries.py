"""What a library's function gives of the entries and fields of an object, and how it changes them or its elements."""

from reviewer.code.case import Case, build_library_instance
from reviewer.code.contents import build_pair, copy_elements, pick_element, pick_entry
from reviewer.code.cutting import collect_loop_cuts, cut_slice, shorten
from reviewer.code.events import Sliced
from reviewer.code.library_types import find_types
from reviewer.code.members import resolve_field
from reviewer.code.parts import (
    PLACES,
    choose_next_place,
    compare_values,
    fill_absent_entries,
    find_client_arguments,
    join_elements,
    join_values,
    lay_over,
    measure_length,
    read_element,
    read_item,
    show_value,
    slice_value,
    test_presence,
    with_held_labels,
)
from reviewer.code.state import infer_constants, infer_interval, infer_presence
from reviewer.code.values import (
    COUNT,
    ELEMENT,
    KEYS,
    NONE,
    UNREADABLE,
    Class,
    ClientArguments,
    Instance,
    Interval,
    Key,
    Label,
    Library,
    Made,
    Module,
    Value,
    build_choice,
    build_constant,
)


def list_entries(case: Case) -> Value:
    """Return pairs of a key and its entry."""
    held = case.state.read_contents(case.subject)
    pairs = [
        build_pair(case, f"pair {place}", build_constant(key), value)
        for place, (key, value) in enumerate(held.items())
        if not isinstance(key, tuple)
    ]
    if pairs and ELEMENT not in held:
        return _build_sequence(case, pairs)
    return case.build_sequence(
        _evaluate_one(case, [*pairs, build_pair(case, "pair", _evaluate_key(case), pick_entry(case))]),
        case.subject.labels,
    )


def _build_sequence(case: Case, values: "list[Value]") -> Value:
    """Return a sequence of just some values."""
    found = case.build_sequence(None, case.subject.labels)
    case.state.heap[case.term] = dict(enumerate(values))
    return found


def _evaluate_one(case: Case, values: "list[Value]") -> Value:
    found = case.join_all(values)
    assert found is not None
    return found


def list_keys(case: Case) -> Value:
    """Return the keys of the entries."""
    held = case.state.read_contents(case.subject)
    known = [build_constant(key) for key in held if not isinstance(key, tuple)]
    if known and ELEMENT not in held:
        return _build_sequence(case, known)
    return case.build_sequence(_evaluate_one(case, [*known, _evaluate_key(case)]), case.subject.labels)


def _evaluate_key(case: Case) -> Value:
    known = case.state.read_contents(case.subject).get(KEYS)
    if known is not None:
        return known
    things = case.subject.find_part_types("key")
    return Value((case.term, "key"), case.subject.labels, things=things, unknown="it is one of many")


def read_entry(case: Case) -> Value:
    """Return the entry that the first argument names, its second if there is none."""
    if not case.given.positional:
        is_cell = any(isinstance(each, Instance) and each.within is not None for each in case.subject.things)
        return case.subject if is_cell else pick_element(case)
    key = case.given.positional[0]
    if isinstance(key.term, tuple) and key.term[:1] == ("range",):
        return _slice_places(case, key)
    held = case.state.read_contents(case.subject)
    default = case.given.positional[1] if len(case.given.positional) > 1 else NONE
    if UNREADABLE in key.labels:
        return default
    found = read_item(case.state, case.subject, key, case.at)
    known = infer_constants(key, case.state.facts)
    if known is not None and known and all(each in held for _, each in known):
        return found
    test = test_presence(found)
    if infer_presence(
        found, case.state.facts
    ):  # what is in there is there; the question is whether there is one of that key
        test = compare_values("in", key, show_value(case.subject, case.state))
    return join_values(case.term, found, default)._replace(
        meaning=build_choice(test, found, default, None, None), failure=None
    )


def resolve_pointer(case: Case) -> Value:
    """Return the entry to which a path of keys leads: `/name/first`."""
    said = case.argument.text if case.argument is not None else None
    if said is None or not said.startswith("/"):
        return Value(case.term, case.labels, unknown="only a run tells which entry")
    found = case.subject
    for each in said[1:].split("/"):
        found = read_item(case.state, found, build_constant(each), case.at)
    return join_values(case.term, found, NONE)._replace(
        meaning=build_choice(test_presence(found), found, NONE, None, None), failure=None
    )


def _slice_places(case: Case, places: Value) -> Value:
    """Return the elements at some places: `items.get(..20)`."""
    if isinstance(places.meaning, Made) and len(places.meaning.of) > 2:
        low, _, end = places.meaning.of
        case.run.emit(
            Sliced(case.at, case.activation.code, case.activation.context, case.state.facts, case.subject, low, end)
        )
        return cut_slice(case.run, case.activation, case.state, case.at, case.subject, low, end)
    bounds = infer_interval(places, case.state.facts)
    end = Value((places.term, "end"), places.labels, interval=Interval(bounds.low + 1, bounds.high + 1, bounds.unsure))
    return slice_value(case.run, case.state, case.subject, None, end)


def merge_layers(case: Case) -> Value:
    """Return the entries of the operands, of which the first counts that has one under a key."""
    found: dict[Key, Value] = {}
    given: ClientArguments | None = None
    for each in reversed(case.operands):
        found, given = lay_over(case.state, each, found), find_client_arguments(each, given)
    case.state.heap[case.term] = found
    return Value(case.term, case.labels, things=build_library_instance("dict"), contents=given)


def drain_elements(case: Case) -> Value:
    """Return the elements at the places that the argument says, all if that cannot be told: `items.drain(..20)`.

    What is left of the subject are its first elements, where the others are drained: `items.drain(20..)`.
    """
    made = case.argument.meaning if case.argument is not None else None
    if not isinstance(made, Made) or made.by != "counted":
        return copy_elements(case)
    if len(made.of) < 3:
        return leave_first(case, made.of[0])
    low, _, high = made.of
    return cut_slice(case.run, case.activation, case.state, case.at, case.subject, low, high)


def split_off_elements(case: Case) -> Value:
    """Return the elements from the place that the argument says; the subject has those before it from then on."""
    return leave_first(case, case.argument) if case.argument is not None else case.subject


def leave_first(case: Case, start: Value) -> Value:
    """Return the elements from a place on, and leave the subject those before it."""
    rest = slice_value(case.run, case.state, case.subject, start, None)
    if start.constant != (int, 0):
        shorten(case.run, case.activation, case.state, case.at, case.subject, start)
    return rest


def read_or_insert(case: Case) -> Value:
    """Return the entry that the first argument names; if there is none, the second, which is kept there."""
    found = read_entry(case)
    if case.given.positional:
        case.state.write(case.subject, _read_place(case.given.positional[0]), found)
    return found


def remove_entry(case: Case) -> Value:
    """Return the entry that the first argument names, or an element, which is no longer in the subject."""
    found = read_entry(case)
    held = dict(case.state.read_contents(case.subject))
    key = case.given.positional[0].constant if case.given.positional else None
    if any(isinstance(each, int) for each in held):
        case.state.heap[case.subject.term] = {ELEMENT: pick_element(case)}  # those after it move up
    elif key is not None:
        held.pop(key[1], None)
        case.state.heap[case.subject.term] = held
    return found


def write_entry(case: Case) -> Value:
    """Let the subject hold the second argument under the first; a single one is one more element."""
    given = case.operands[case.model.on + 1 :]
    if len(given) == 1:
        return append_element(case)
    if given:
        key = _read_place(given[0])
        is_field = case.model.path.endswith("setattr") and isinstance(key, str)
        case.state.write(case.subject, (key,) if is_field and isinstance(key, str) else key, given[1])
        _forget_length(case)
    return case.return_nothing()


def append_element(case: Case) -> Value:
    """Let the subject hold one more element, or be a longer text."""
    if case.argument is not None:
        _add(case, case.argument.with_labels(collect_loop_cuts(case.activation.context)))
    _forget_length(case)
    return case.return_nothing()


def _add(case: Case, more: Value, *, is_one: bool = True) -> None:
    """Let the subject hold one more element: after those that it holds, if these are all that it has."""
    subject, held = case.subject, case.state.read_contents(case.subject)
    is_last = is_one and "behind all" in case.model.traits and subject.certain and subject.things
    place = choose_next_place(case.activation, held) if is_last else ELEMENT
    before = held.get(place)
    case.state.write(subject, place, more if before is None else join_elements((case.term, "element"), before, more))


def append_text(case: Case) -> Value:
    """Let the subject, a text, go on with the argument: it holds the parts in their order, or any number of those of a loop."""
    if case.argument is not None:
        if _choose_next_part(case, case.subject) == ELEMENT:
            return append_element(case)
        _append_to_text(case, case.subject, case.argument)
    return case.return_nothing()


def _choose_next_part(case: Case, text: Value) -> Key:
    held = case.state.read_contents(text).items()
    parts = {key: each for key, each in held if not isinstance(key, tuple) or key == ELEMENT}  # not what made a path
    return choose_next_place(case.activation, parts)


def _append_to_text(case: Case, text: Value, more: Value) -> None:
    case.state.write(text, _choose_next_part(case, text), more.with_labels(collect_loop_cuts(case.activation.context)))
    _forget_length(case)


def print_to_buffer(case: Case) -> Value:
    """Let a text in memory that the call is told to write into go on with what it is handed, and what it reads itself."""
    name, place, given = case.model.keyword, case.model.of, case.given.positional
    file = case.given.collect_named().get(name) or (given[place] if 0 < place < len(given) else None)
    models = case.run.program.models
    if file is not None and any(
        models.get_model(f"{each}.write").returns == "lengthened" for each in file.library_types
    ):
        labels = case.labels | {Label(each) for each in case.model.labels}
        said = tuple(each for each in case.handed if each is not file)
        _append_to_text(case, file, Value(case.term, labels, meaning=Made("text", said), unknown="only a run tells"))
    return NONE


def with_element(case: Case) -> Value:
    """Return the subject, which holds the argument after all else from then on."""
    if case.argument is not None:
        place = sum(isinstance(each, int) for each in case.state.read_contents(case.subject))
        case.state.write(case.subject, place, case.argument)
    return case.subject


def with_field(case: Case) -> Value:
    """Return the subject, whose field of the function's name, or of the model's keyword, is the argument from then on."""
    if case.argument is not None:
        case.state.write(case.subject, (case.model.keyword or case.model.path.rpartition(".")[2],), case.argument)
    return case.subject


def extend_elements(case: Case) -> Value:
    """Let the subject hold the elements, or the entries, of the argument as well."""
    argument = case.argument
    held = dict(case.state.read_contents(argument)) if argument is not None else {}
    is_table = bool(held) and not any(isinstance(each, int) or each == ELEMENT for each in held)
    if argument is not None and (is_table or isinstance(argument.contents, ClientArguments)):
        case.state.heap[case.subject.term] = lay_over(case.state, argument, case.state.read_contents(case.subject))
    elif argument is not None:
        labels = collect_loop_cuts(case.activation.context)
        is_listed = held and ELEMENT not in held and len(held) <= PLACES
        if not held and (entries := case.state.read_contents(case.subject)):
            case.state.heap[case.subject.term] = fill_absent_entries(
                entries, read_element(argument, case.state, case.at), case.at
            )
        for each in (
            held.values() if is_listed else (read_element(argument, case.state, case.at).with_labels(argument.labels),)
        ):
            _add(case, each.with_labels(labels), is_one=bool(is_listed))
    for name, value in case.given.collect_named().items():
        case.state.write(case.subject, name, value)
    _forget_length(case)
    return case.return_nothing()


def truncate_elements(case: Case) -> Value:
    """Let the subject have at most as many elements as the argument says."""
    if case.argument is not None:
        shorten(case.run, case.activation, case.state, case.at, case.subject, case.argument)
    length = measure_length(case.subject, case.state)
    before = infer_interval(length, case.state.facts)
    most = infer_interval(case.argument, case.state.facts).high if case.argument is not None else before.high
    if most >= 0:
        bounds = Interval(0, min(before.high, most))
        case.state.learn(("length", case.subject.term), interval=bounds)
    return case.return_nothing()


def clear_elements(case: Case) -> Value:
    """Let the subject have no elements."""
    case.state.heap[case.subject.term] = {}
    case.state.learn(("length", case.subject.term), interval=Interval(0, 0))
    return case.return_nothing()


def _forget_length(case: Case) -> None:
    """Forget how long the subject was at most: it may be longer now."""
    term = ("length", case.subject.term)
    if term in case.state.facts:
        case.state.learn(term, interval=COUNT)


def _read_place(key: Value) -> Key:
    return key.constant[1] if key.constant is not None else ELEMENT


def tabulate_fields(case: Case) -> Value:
    """Return a dictionary of the fields of the subject."""
    held = case.state.read_contents(case.subject)
    case.state.heap[case.term] = {
        key[0] if isinstance(key, tuple) and key != ELEMENT else key: value for key, value in held.items()
    }
    labels = with_held_labels(case.subject, case.state).labels
    return Value(case.term, labels, things=build_library_instance("dict"), unknown="" if held else "only a run tells")


def select_by_schema(case: Case) -> Value:
    """Return an object of the entries that a schema lets through as they are, by the shape that it was made with.

    Of an entry that it may refuse or change, only that is known. It lies under the row's `keyword` if that says one.
    """
    shape, given = case.state.read(case.subject, ("0",)), case.argument
    if shape is None or given is None:
        return Value(case.term, case.labels, unknown="only a run tells")
    term = (case.term, "parsed") if case.model.keyword else case.term
    case.state.heap[term] = {
        key: read_item(case.state, given, build_constant(key), case.at)
        if _lets_any_text_through(schema)
        else Value((term, key), case.labels, meaning=Made(case.model.path, (schema,)), unknown="a schema may refuse it")
        for key, schema in case.state.read_contents(shape).items()
        if isinstance(key, str)
    }
    labels = with_held_labels(given, case.state).labels
    parsed = Value(term, labels, things=build_library_instance("dict"), certain=True)
    if case.model.keyword:
        case.state.heap[case.term] = {case.model.keyword: parsed}
        return Value(case.term, labels, unknown="only a run tells")
    return parsed


def _lets_any_text_through(schema: Value) -> bool:
    kinds = [each.of.path for each in schema.things if isinstance(each, Instance) and isinstance(each.of, Library)]
    return bool(kinds) and all(each in find_types("open schema") for each in kinds)


MOST_FUNCTIONS = 100
"""How many functions a name may mean that only a run tells. A class of handlers has fewer; a module of generated code may have
thousands, each of which would be run.
"""


def _read_one_of(case: Case) -> Value | None:
    """Return any of the functions of the subject whose names begin and end as a text does of which a run tells the rest.

    It is how handlers are found by name: `getattr(self, f"handle_{action}")`. None if nothing of the text is known.
    """
    ends = _find_ends(case.operands[1]) if len(case.operands) > 1 else ("", "")
    owners = [each for each in case.subject.things if isinstance(each, Class | Instance | Module)]
    if not any(ends) or len(owners) != 1:
        return None
    names = [each for each in case.run.program.list_functions(owners[0]) if _is_between(each, *ends)]
    if len(names) > MOST_FUNCTIONS:
        return None
    return case.join_all([resolve_field(case.run, case.state, case.subject, each) for each in names])


def _is_between(name: str, beginning: str, end: str) -> bool:
    return name.startswith(beginning) and name.endswith(end) and len(name) > len(beginning) + len(end)


def _find_ends(text: Value) -> tuple[str, str]:
    """Return the texts with which a composed text certainly begins and ends."""
    if text.text is not None:
        return text.text, text.text
    if not isinstance(text.meaning, Made) or text.meaning.by not in ("text", "+") or not text.meaning.of:
        return "", ""
    return _find_ends(text.meaning.of[0])[0], _find_ends(text.meaning.of[-1])[1]


def read_attribute(case: Case) -> Value:
    """Return the field of the subject that the first argument after it names, its second if there is none."""
    name = case.operands[1].text if len(case.operands) > 1 else None
    if name is None:
        return _read_one_of(case) or Value(case.term, case.labels, unknown="only a run tells which field")
    found = resolve_field(case.run, case.state, case.subject, name)
    if len(case.operands) < 3:
        return found
    default = case.operands[2]
    return join_values(case.term, found, default)._replace(
        meaning=build_choice(test_presence(found), found, default, None, None), failure=None
    )
