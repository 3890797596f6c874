"""What a library's function gives of what it is given, by its row in the tables of models."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from string import Formatter

from reviewer.code import absences, contents, entries, ir
from reviewer.code.acts import REST
from reviewer.code.arithmetic import evaluate_operation
from reviewer.code.case import Case, build_library_instance
from reviewer.code.cutting import cut, report_row_limit
from reviewer.code.events import Context
from reviewer.code.given import Given, Guarded
from reviewer.code.kinds import iter_ancestors
from reviewer.code.managers import enter_beside
from reviewer.code.members import build_library
from reviewer.code.models import ActName, Model
from reviewer.code.operators import apply_operator, find_managed_value
from reviewer.code.parts import (
    build_guarded_result,
    build_repr,
    find_reason,
    is_grown,
    measure_length,
    read_element,
    show_value,
    test_presence,
    test_success,
    with_arguments,
    with_held_labels,
)
from reviewer.code.run import Activation, Run
from reviewer.code.state import State, infer_constants, infer_interval
from reviewer.code.unreadable import decode_once, fail_to_read, is_unread
from reviewer.code.values import (
    CELL,
    ELEMENT,
    REQUEST,
    UNREADABLE,
    UNSURE,
    Class,
    ClientArguments,
    Function,
    Instance,
    Interval,
    Key,
    Label,
    Library,
    Made,
    Negation,
    Origin,
    Term,
    Value,
    build_constant,
    build_unknown,
    derive_labels,
    find_original_term,
    nest_term,
)

UNMODELLED = Model("")
ON_REQUEST = "on request"
LIST = Library("list")

ALONE = frozenset({"entries", "keys", "values", "element"})
"""What methods give that take no argument. One of the name that takes some is another: `client.items(limit)` is not
`dict.items()`, nor is `client.first(limit)` the first element of a slice."""


def evaluate_library_call(
    run: Run, activation: Activation, state: State, at: ir.Site, path: str, receiver: Value | None, given: Given
) -> Value | None:
    """Return the result of a library's function; None if it never returns.

    Without a model the result may come from all arguments.
    """
    model = run.program.models.find_model(path) or UNMODELLED
    if (
        path.startswith(".")
        and model.returns in ALONE
        and (given.positional or given.collect_named() or given.rest is not None)
    ):
        model = UNMODELLED
    case = Case(run, activation, state, at, model, receiver, given)
    if model.runs and model.runs != ON_REQUEST:
        _run_argument(case)
    if model.acts and is_unread(case):
        return fail_to_read(case)
    result = _TRANSFERS[model.returns](case)
    if not GUARDING.isdisjoint(model.acts) and not run.program.raises:
        result = _call_guarded(case, result)
    if result is None:
        return None
    if model.element and not result.things:
        result = result._replace(things=(Instance(LIST, (Instance(Library(model.element)),)),))
    labels = frozenset[Label]()
    if model.labels and model.returns != "printed":
        labels = frozenset(map(Label, model.labels))
    for origin, acts in PLACED if model.acts else ():
        if not acts.isdisjoint(model.acts):
            labels |= {Label(origin, f"{activation.code.source.path}:{at.start}")}
    found = decode_once(case, _note_how_made(case, path, result))
    if "needs loop" in model.acts:
        _ask_loop(case, found)
    if "executes sql" in model.acts:
        labels |= frozenset(
            label
            for each in given.positional
            if (label := report_row_limit(run, activation, state, at, found, each)) is not None
        )
    return found.with_labels(labels)


def is_on_loop(activation: Activation) -> bool:
    """Return whether an event loop certainly runs where a function runs: it began in one, and entered no thread of its
    own.
    """
    around = activation.context.iter_outwards() if activation.context is not None else ()
    return activation.is_on_loop and not any(each.condition == "thread" for each in around)


def _ask_loop(case: Case, result: Value) -> None:
    """Record that a call certainly does not fail where an event loop runs."""
    case.run.summaries.ask_loop((*case.activation.around, case.activation.code))
    if is_on_loop(case.activation):
        case.activation.sure.add(case.at)
        case.state.learn(result.term, present=True, failed=False)


def _note_how_made(case: Case, path: str, result: Value) -> Value:
    """Return a value with how it was made, if the call made it and nothing else is known of what it means."""
    if result.meaning is not None or result.constants is not None:
        return result
    if result.term != case.term and result.term != _build_text_term(case):
        return result
    return result._replace(meaning=Made(path, tuple([show_value(each, case.state) for each in case.handed])))


GUARDING = frozenset({"catches panics", "limits time"})
"""The acts of what gives a failure of its own where what it runs gives nothing."""


def _call_guarded(case: Case, result: Value | None) -> Value | None:
    """Return the result of a call that runs something and handles its failure: at once, or when it is awaited."""
    if case.model.returns not in ("receiver", "task"):
        how = "caught" if "catches panics" in case.model.acts else "reason"
        return build_guarded_result(case.activation.code, case.state, case.at, result, how)
    of = case.subject if case.model.returns == "receiver" else case.argument
    if result is None or of is None:
        return result
    return result._replace(term=case.term, awaits=Guarded(of, case.at), meaning=None)


PLACED: tuple[tuple[Origin, frozenset[ActName]], ...] = (
    ("begun", frozenset({"spawns task", "spawns thread", "spawns process"})),
    ("transport", frozenset({"serves stdio", "serves sse", "serves http"})),
)
"""Acts whose result is known again by the place of the call: what goes on by itself, and what serves."""


def _run_argument(case: Case) -> None:
    """Run the function that is handed over, in the circumstances that the model says."""
    argument = case.argument
    if argument is None or case.model.returns in ("called", "promised"):
        return
    around = _enter(case)
    state, case.state = case.state, case.state.copy()
    _call_argument(case)
    case.state = state
    case.activation.context = around


def _enter(case: Case) -> Context | None:
    """Enter the circumstances in which the model says that the function runs that is handed over; return those around."""
    around = case.activation.context
    if case.model.runs == "in thread":
        case.activation.context = case.activation.build_context("thread", case.at)
    elif case.model.runs in ("as task", ON_REQUEST):
        case.activation.context = case.activation.build_context("task", case.at)
    elif case.model.runs == "on signal":
        case.activation.context = case.activation.build_context("signal", case.at)
    if "catches panics" in case.model.acts:
        case.activation.context = case.activation.build_context("catches", case.at)
    if "limits time" in case.model.acts:
        case.activation.context = case.activation.build_context("timed", case.at)
    return around


def _derive_from_all(case: Case) -> Value:
    """Return a value that may come of all that the call is given."""
    values = (
        *case.operands,
        *case.given.collect_named().values(),
        *((case.given.rest,) if case.given.rest is not None else ()),
    )
    receiver = (case.receiver,) if case.receiver is not None else ()
    labels = frozenset[Label]().union(*(with_held_labels(each, case.state).labels for each in (*values, *receiver)))
    for each in (*values, *receiver):
        _call_closures(case, each)
    reason = "it is not of the project" if case.model is UNMODELLED else "only a run tells"
    if UNREADABLE in labels and _is_made_elsewhere(case):
        labels -= {UNREADABLE}
    return Value(case.term, derive_labels(labels), unknown=reason)


def _is_made_elsewhere(case: Case) -> bool:
    """Return whether a call gives what somebody else makes of what it is given, and no part of that."""
    receiver = case.receiver
    is_part = receiver is not None and UNREADABLE in receiver.labels
    return bool(case.model.labels) or (case.model is UNMODELLED and not is_part)


def _call_closures(case: Case, value: Value) -> None:
    """Run a function that is handed to code that is not there: it may be called with anything."""
    if not value.things:
        return
    functions = [each for each in value.things if isinstance(each, Function) and each.receiver is None]
    if functions and functions[0].code.kind == "closure" and case.model.runs in ("", ON_REQUEST):
        one = _find_likely_element(case)
        reason = "code that is not of the project calls it"
        elements = tuple(
            one or build_unknown(reason, (case.term, "given", place))
            for place, _ in enumerate(functions[0].code.parameters)
        )
        around = _enter(case)
        case.run.call_value(case.activation, case.state.copy(), case.at, value, None, "", Given(elements))
        case.activation.context = around


def _find_likely_element(case: Case) -> Value | None:
    """Return an element of what a method is called on, which it most likely hands over; None if that is no sequence."""
    own = case.own
    if own is None or not (case.state.read_contents(own).get(ELEMENT) or own.find_part_types("element")):
        return None
    return read_element(own, case.state, case.at)


def _evaluate_parent(case: Case) -> Value:
    """Return the object whose method runs as one of the class above: what that writes, it writes into the same object."""
    code, program = case.activation.code, case.run.program
    own = case.state.variables.get(code.parameters[0].variable) if code.parameters else None
    objects = [each.of for each in own.things if isinstance(each, Instance)] if own is not None else []
    kinds = [each for kind in objects for each in iter_ancestors(program, kind) if isinstance(each, Class)]
    having = [
        each for each in kinds if _has(program.find_member(each, code.name), code)
    ]  # those below have it of the last
    above = [Instance(each) for each in program.find_parents(having[-1]) if isinstance(each, Class)] if having else []
    return own._replace(things=tuple(above)) if own is not None and above else _derive_from_all(case)


def _has(member: Value | None, code: ir.Code) -> bool:
    return member is not None and any(isinstance(each, Function) and each.code is code for each in member.things)


def _make_object(case: Case) -> Value:
    """Return an object of a library's class, which holds what it was made with: by name, and by position as `("0",)`.

    What stands at a position has a name if the model tells the names of the parameters. What another host answers has the
    fields which that host gives it, so its `headers` are not those that it was asked with: its `request` holds them.
    """
    case.state.heap.pop(case.term, None)  # what was written into the object of the round before is not in this one
    kind = build_library_instance(case.model.type or case.model.path)
    found = _derive_from_all(case)._replace(things=kind, certain="fails" not in case.model.acts)
    names = dict(enumerate(case.model.parameters))
    given: dict[Key, Value] = {
        (names.get(place, str(place)),): show_value(value, case.state)
        for place, value in enumerate(case.given.positional)
    }
    given |= {(name,): show_value(value, case.state) for name, value in case.given.collect_named().items()}
    if case.given.rest is not None:
        given[REST,] = case.given.rest
    if given and "any status" in case.model.acts:
        given = {REQUEST: Value((case.term, *REQUEST), found.labels, contents=given)}
    return found._replace(contents=given)


def _evaluate_least(case: Case) -> Value:
    return _evaluate_extreme(case, lambda one, two: Interval(min(one.low, two.low), *_lower(one, two)))


def _lower(one: Interval, two: Interval) -> tuple[float, bool]:
    high = min(one.high, two.high)
    return high, high == inf and (one.unsure or two.unsure)


def _order(case: Case) -> Value:
    found = _derive_from_all(case)
    return found._replace(meaning=Made("order", case.operands)) if len(case.operands) == 2 else found


def _evaluate_greatest(case: Case) -> Value:
    return _evaluate_extreme(
        case, lambda one, two: Interval(max(one.low, two.low), max(one.high, two.high), one.unsure or two.unsure)
    )


def _evaluate_extreme(case: Case, meet: Callable[[Interval, Interval], Interval]) -> Value:
    values = case.operands if len(case.operands) > 1 else _list_elements(case)
    if len(values) < 2:
        return read_element(case.subject, case.state, case.at) if case.operands else _derive_from_all(case)
    interval = infer_interval(values[0], case.state.facts)
    for each in values[1:]:
        interval = meet(interval, infer_interval(each, case.state.facts))
    labels = frozenset[Label]().union(*(each.labels for each in values))
    how = Made(case.model.returns, values)
    found = Value((case.model.returns, *(each.term for each in values)), labels, interval=interval, meaning=how)
    if len(case.operands) < 2:
        case.state.learn(found.term, present=True)  # of a sequence that may be empty there would be none
    return found


def _list_elements(case: Case) -> tuple[Value, ...]:
    """Return the elements of the subject if just these are known to be in it."""
    held = case.state.read_contents(case.subject)
    return tuple([held[place] for place in range(len(held)) if place in held]) if ELEMENT not in held else ()


COMPARED = 4
"""Values that are put in order one by one. `sorted((1, limit, 100))[1]` bounds a limit; a longer sequence is data."""


def _sort_elements(case: Case) -> Value:
    """Return the elements in order: of some that are known, each lies between what may stand at its place."""
    found, values = contents.copy_elements(case), _list_elements(case)
    if not 2 <= len(values) <= COMPARED or case.given.collect_named():
        return found
    bounds = [infer_interval(each, case.state.facts) for each in values]
    lows, highs = sorted(each.low for each in bounds), sorted(each.high for each in bounds)
    labels = frozenset[Label]().union(*(each.labels for each in values))
    how = Made("clamped", tuple(sorted(values, key=lambda each: each.constants is not None)))
    case.state.heap[found.term] = {
        place: Value(("sorted", found.term, place), labels, interval=Interval(low, high), meaning=how)
        for place, (low, high) in enumerate(zip(lows, highs, strict=True))
    }
    return found


def _clamp_number(case: Case) -> Value:
    values = case.operands
    if len(values) < 3:
        return _derive_from_all(case)
    own, low, high = (infer_interval(each, case.state.facts) for each in values[:3])
    # What was bounded before stays so: `limit.min(20)` that a helper clamps to 1..50 is 20 at most.
    least, most = max(low.low, min(own.low, high.low)), min(high.high, max(own.high, low.high))
    interval = Interval(least, most, high.unsure or (own.unsure and most < high.high))
    how = Made("clamped", values)
    return Value(("clamped", *(each.term for each in values)), values[0].labels, interval=interval, meaning=how)


def _find_boundary(case: Case) -> Value:
    """Return a place near to the argument, which is another number than that."""
    argument = case.argument
    if argument is None:
        return _derive_from_all(case)
    interval = infer_interval(argument, case.state.facts)
    return Value(case.term, argument.labels, interval=Interval(0, interval.high, interval.unsure))


def _call_argument(case: Case) -> Value | None:
    """Return the result of calling or awaiting the argument."""
    argument = case.argument
    if argument is not None and argument.awaits is not None:
        return case.run.wait(case.activation, case.state, argument, case.at)
    if argument is None or not argument.things:
        return _derive_from_all(case)
    if not any(isinstance(each, Function | Class | Library) for each in argument.things):
        return argument  # a library's coroutine stands for what it gives
    result = case.call(argument, _build_handed(case))
    waits = case.model.runs and "catches panics" not in case.model.acts  # which is over when a future is made
    if result is not None and result.awaits is not None and waits:
        return case.run.wait(case.activation, case.state, result, case.at)
    return result


def _build_handed(case: Case) -> Given:
    """Return the arguments for the argument: an object of the row's own, or the arguments after it."""
    if case.model.hands:
        return Given(
            (Value((case.term, "handed"), things=build_library_instance(case.model.hands), unknown="only a run tells"),)
        )
    if case.model.spreads:
        places, names = (case.given.collect_named().get(each) for each in case.model.spreads)
        held = case.state.read_contents(places) if places is not None else {}
        return Given(tuple(held[each] for each in range(len(held)) if each in held), *_split_by_name(case, names))
    return Given(case.given.positional[case.model.of + 1 :], case.given.named)


def _split_by_name(case: Case, entries: Value | None) -> tuple[dict[str, Value], Value | None]:
    """Return the entries of an object as named arguments, and the value that any of them may have if that is unknown."""
    if entries is None or isinstance(entries.contents, ClientArguments):
        return {}, entries
    held = case.state.read_contents(entries)
    if held and ELEMENT not in held and all(isinstance(key, str) for key in held):
        return {str(key): value for key, value in held.items()}, None
    return {}, read_element(entries, case.state, case.at)


def _decode_object(case: Case) -> Value | None:
    """Return an object of the class that a method is called on, made of what it is handed as it would be of arguments."""
    argument, made_of = case.argument, case.receiver
    if argument is None and made_of is not None and case.given.rest is not None:
        return case.call(made_of, case.given)
    if argument is None or made_of is None or not any(isinstance(each, Class) for each in made_of.things):
        return argument if argument is not None else _derive_from_all(case)
    return case.call(made_of, Given((), *_split_by_name(case, argument)))


def _enter_manager(case: Case) -> Value | None:
    """Return the value of an entered context manager: the result of the project's code, else the manager itself."""
    manager = case.argument
    if manager is None:
        return _derive_from_all(case)
    is_async = "async" in case.model.path or manager.awaits is not None
    if manager.awaits is not None:
        manager = case.run.wait(case.activation, case.state, manager, case.at) or manager
    if case.receiver is not None:
        enter_beside(case.run, case.activation, case.state, case.at, case.receiver, manager)
    found = apply_operator(
        case.run, case.activation, case.state, case.at, "async enter" if is_async else "enter", manager
    )
    return found if found is not None else find_managed_value(manager, case.state, case.at)


def _call_if_there(case: Case) -> Value | None:
    around = _enter(case)
    result = _call_argument(case)
    case.activation.context = around
    return result


def _make_guard(case: Case) -> Value:
    """Return a lock or a cell, which holds the argument and is of its type as well."""
    found, argument = _make_object(case), case.argument
    if argument is None:
        return found
    (inside,) = argument.things if len(argument.things) == 1 else (None,)
    if isinstance(inside, Instance):
        things = tuple(replace(each, within=inside) for each in found.things if isinstance(each, Instance))
        found = found._replace(things=things)
    return found._replace(contents={CELL: argument})


def _read_guarded(case: Case) -> Value:
    """Return the value that a lock or a cell guards: the first or assigned one, else the guard itself."""
    lock, state = case.subject, case.state
    inside = [each.within for each in lock.things if isinstance(each, Instance) and each.within is not None]
    held = state.read(lock, CELL)
    if held is not None and held.constants is not None and not _is_own(lock, case):
        held = build_unknown(
            "whoever else holds the lock may have written there", ("guarded", nest_term(lock.term)), held.labels
        )
    found = held if held is not None else lock
    if len(inside) == len(lock.things) and (held is None or not (held.things or held.constants)):
        found = found._replace(things=tuple(inside))
    if held is not None:
        state.write(lock, CELL, found)
    return found


def _write_guarded(case: Case) -> Value:
    """Let a lock or a cell guard the argument from now on."""
    _keep(case, case.argument)
    return _derive_from_all(case)


def _keep(case: Case, value: Value | None) -> None:
    """Let a lock or a cell guard a value, for all functions that are called if there is one such for the project."""
    if value is not None:
        case.state.write(case.subject, CELL, value)
        if isinstance(case.subject.term, tuple) and case.subject.term[:1] == ("global",):
            case.run.summaries.kept.add(case.subject.term)


def _call_while_guarding(case: Case) -> Value | None:
    """Return the result of calling or awaiting the argument while a cell guards the first argument."""
    _keep(case, next(iter(case.given.positional), None))
    return _call_if_there(case)


def _call_with_guarded(case: Case) -> Value | None:
    """Return the result of the argument for the value that a cell guards."""
    return (
        case.call(case.argument, Given((_read_guarded(case),))) if case.argument is not None else _derive_from_all(case)
    )


def _is_own(lock: Value, case: Case) -> bool:
    """Return whether the function that asks for what a lock guards made it, so that it knows what it put there."""
    match find_original_term(lock.term):
        case ("argument" | "parameter", *_):
            return False
        case (_, ir.Code() as code, *_):
            return code is case.activation.code
    return False


PROMISED = ("result",)
"""What a future holds under that its function gives."""


def _make_promise(case: Case) -> Value | None:
    """Return an object that holds what the argument gives, which runs elsewhere meanwhile."""
    given, found = _call_if_there(case), _make_object(case)
    return found._replace(contents={**(found.contents or {}), PROMISED: given}) if given is not None else found


def _read_kept(case: Case) -> Value:
    """Return the result that the subject contains, if its creation was seen."""
    found = case.state.read(case.subject, PROMISED)
    return found if found is not None else _derive_from_all(case)


def _make_partial(case: Case) -> Value:
    argument = case.argument
    if argument is None:
        return _derive_from_all(case)
    return with_arguments(case.term, argument, case.given.positional[case.model.of + 1 :], case.given.collect_named())


def _number(case: Case) -> Value:
    subject = case.subject
    if case.model.per != 1:
        return evaluate_operation("/", subject, build_constant(case.model.per), case.state)
    if subject.text is None:
        return subject._replace(things=NUMBER) if case.operands and subject.constants is None else subject
    return subject._replace(constants=None, meaning=Made(case.model.path, (subject,)))


def _format_text(case: Case) -> Value:
    """Return the operands as a text. The text of one number, trimmed or not, is read as that number again."""
    labels = frozenset[Label]().union(*(with_held_labels(each, case.state).labels for each in case.handed))
    interval = infer_interval(case.operands[0], case.state.facts) if len(case.operands) == 1 else UNSURE
    size = case.argument if case.model.keyword == SIZE else None
    if size is not None and infer_interval(size, case.state.facts).high > 0:
        label = cut(case.run, case.activation, case.state, case.at, case.subject, size)
        labels |= {label} if label is not None else frozenset()
    return Value(
        _build_text_term(case),
        derive_labels(labels),
        interval=interval,
        things=build_library_instance("str"),
        unknown="only a run tells",
    )


SIZE = "size"
"""What a row calls the argument that says how many letters of a text are read."""


def _keep_text(case: Case) -> Value:
    """Return the operand as a text: a constant that is one stays what it is."""
    found = _format_text(case)
    constants = infer_constants(case.subject, case.state.facts)
    is_same = constants is not None and all(isinstance(each, str) for _, each in constants)
    if not is_same or is_grown(case.subject, case.state):
        return found
    return found._replace(constants=constants, unknown="")


NUMBER = build_library_instance("number")
"""What a text is that was read as a number: no text that anybody could have written."""


def _fill_form(case: Case) -> Value:
    """Return a form with the other operands in its gaps: part by part, if the form is known."""
    given, names = case.operands[1:], case.given.collect_named()
    found = _format_text(case).with_labels(case.labels)
    gaps = _find_gaps(case.subject.text)
    if gaps is None:
        if not names:
            return found
        told = tuple((name, each.term) for name, each in names.items())
        inner = (*case.handed, *(show_value(each, case.state) for each in names.values()))
        return found._replace(term=("text", found.term, told), meaning=Made("text", inner))
    parts = []
    for place, (before, gap, conversion) in enumerate(gaps):
        parts.append(build_constant(before))
        if gap is not None:
            number = int(gap) if gap.isdecimal() else place
            value = names.get(gap) or (given[number] if gap in ("", str(number)) and number < len(given) else None)
            filler = (
                show_value(value, case.state)
                if value is not None
                else build_unknown("only a run tells", (case.term, place))
            )
            parts.append(build_repr(filler) if value is not None and conversion in ("r", "a") else filler)
    return found._replace(meaning=Made("text", tuple(each for each in parts if each.text != "")))


def _find_gaps(form: str | None) -> list[tuple[str, str | None, str]] | None:
    """Return the texts of a form, each with the name of the gap behind it and its conversion; None if it has no plain gap.

    What fills the attribute or an entry of what a gap names, or the width of another gap, is not told apart.
    """
    try:
        found = [(text, gap, conversion or "") for text, gap, _, conversion in Formatter().parse(form or "")]
    except ValueError:
        return None  # braces of something else than a form
    names = [gap for _, gap, _ in found if gap is not None]
    return found if names and all(not each or each.isidentifier() or each.isdecimal() for each in names) else None


def _build_text_term(case: Case) -> Term:
    """Return the term of a text that is made of the operands: the same text each time, unless it comes from outside."""
    if case.model.labels:
        return case.term
    return ("text", *(each.term for each in case.handed))


def _build_operation(operator: str) -> Callable[[Case], Value]:
    def combine_operands(case: Case) -> Value:
        given = case.operands
        return (
            evaluate_operation(operator, given[0], given[1], case.state) if len(given) > 1 else _derive_from_all(case)
        )

    return combine_operands


def _make_task(case: Case) -> Value:
    """Return a task: what it gives is what its function gives, when it is waited for."""
    argument = case.argument
    if argument is None:
        return _derive_from_all(case)
    return argument._replace(term=case.term, things=build_library_instance(case.model.type or "task"), certain=True)


def _test_absent(case: Case) -> Value:
    test = test_presence(case.subject)
    return Value(("not", test.term), case.subject.labels, meaning=Negation(test), interval=test.interval)


def _cast_to_model_type(case: Case, value: Value) -> Value:
    """Return the value as one of the type in the row: a table of JSON that becomes a value of JSON.

    An object of the project stays that object: its class has the names of its fields in data.
    """
    if not case.model.type or not value.things:
        return value
    own = (each for each in value.things if isinstance(each, Instance) and isinstance(each.of, Class))
    return value._replace(things=(*build_library_instance(case.model.type), *own))


def _test_failed(case: Case) -> Value:
    test = test_success(case.subject)
    return Value(("not", test.term), case.subject.labels, meaning=Negation(test), interval=test.interval)


_TRANSFERS: dict[str, Callable[[Case], Value | None]] = {
    "unknown": _derive_from_all,
    "nothing": lambda case: (_derive_from_all(case), case.return_nothing())[1],
    "never": lambda case: (_derive_from_all(case), None)[1],
    "fixed": lambda case: Value(case.term, interval=UNSURE, unknown="configuration says it"),
    "new": _make_object,
    "class": lambda case: build_library(case.model.type),
    "parent": _evaluate_parent,
    "receiver": lambda case: _cast_to_model_type(case, case.subject),
    "argument": lambda case: _cast_to_model_type(case, case.argument or _derive_from_all(case)),
    "copied": contents.copy_with_changes,
    "cloned": contents.clone_subject,
    "taken": lambda case: case.subject,
    "fields": entries.tabulate_fields,
    "field": entries.read_attribute,
    # numbers and texts
    "number": _number,
    "truth": lambda case: case.subject._replace(things=build_library_instance("bool")),
    "order": _order,
    "least": _evaluate_least,
    "greatest": _evaluate_greatest,
    "clamped": _clamp_number,
    "boundary": _find_boundary,
    "sorted": _sort_elements,
    "sum": _build_operation("+"),
    "difference": _build_operation("-"),
    "product": _build_operation("*"),
    "quotient": _build_operation("//"),
    "text": _format_text,
    "same text": _keep_text,
    "filled": _fill_form,
    "pieces": contents.split_text,
    # elements
    "length": lambda case: measure_length(case.subject, case.state),
    "empty": contents.test_empty,
    "contains": contents.test_membership,
    "numbers": contents.build_range,
    "places": contents.build_slice,
    "counting": contents.count_from,
    "turned": contents.reverse_elements,
    "elements": contents.copy_elements,
    "collected": contents.collect_elements,
    "values": contents.list_values,
    "element": contents.pick_element,
    "nth": contents.pick_nth,
    "element or else": contents.pick_or_default,
    "cut": contents.take_part,
    "skipped": contents.take_part,
    "between": contents.take_between,
    "drained": entries.drain_elements,
    "split off": entries.split_off_elements,
    "split": contents.split,
    "chunks": contents.split_into_chunks,
    "mapped": contents.map_elements,
    "mapped or then": contents.map_or_apply,
    "filtered": contents.filter_elements,
    "retained": contents.retain_elements,
    "found": contents.find_element,
    "place": contents.find_place,
    "tested": contents.test_elements,
    "flattened": contents.flatten_elements,
    "flat mapped": contents.map_and_flatten,
    "chained": contents.chain_elements,
    "numbered": contents.enumerate_elements,
    "zipped": contents.zip_elements,
    "folded": contents.fold_elements,
    "gathered": contents.gather_results,
    # entries
    "entry": entries.read_entry,
    "parsed": entries.select_by_schema,
    "pointed": entries.resolve_pointer,
    "entries": entries.list_entries,
    "layered": entries.merge_layers,
    "keys": entries.list_keys,
    "kept entry": entries.read_or_insert,
    "removed": entries.remove_entry,
    "written": entries.write_entry,
    "appended": entries.append_element,
    "lengthened": entries.append_text,
    "printed": entries.print_to_buffer,
    "extended": entries.extend_elements,
    "with element": entries.with_element,
    "with field": entries.with_field,
    "shortened": entries.truncate_elements,
    "emptied": entries.clear_elements,
    # absence and failure
    "present": lambda case: test_presence(case.subject),
    "absent": _test_absent,
    "succeeded": lambda case: test_success(case.subject),
    "failed": _test_failed,
    "kind": absences.test_kind,
    "has member": absences.test_has_member,
    "sure": absences.unwrap,
    "or else": absences.unwrap_or,
    "or call": absences.unwrap_or_else,
    "then": lambda case: absences.map_present(case, case.subject),
    "then or": absences.map_or,
    "if true": absences.take_if_true,
    "or failure": absences.require_or_fail,
    "failing by": absences.map_failure,
    "reason told": absences.inspect_failure,
    "without reason": absences.without_reason,
    "reason": lambda case: find_reason(case.subject, case.state),
    # calls
    "called": _call_if_there,
    "promised": _make_promise,
    "guarding": _make_guard,
    "guarded": _read_guarded,
    "guarded now": _write_guarded,
    "guarding then": _call_while_guarding,
    "told guarded": _call_with_guarded,
    "result": _read_kept,
    "partial": _make_partial,
    "read": _decode_object,
    "entered": _enter_manager,
    "task": _make_task,
}
