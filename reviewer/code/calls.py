"""What a call does: which functions it enters, what they give, and what a library's function gives by its model."""

from dataclasses import replace

from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.call_boundary import CallBoundary
from reviewer.code.decoding import decode_arguments
from reviewer.code.events import Awaited, Called, Entered, Trace
from reviewer.code.expressions import evaluate
from reviewer.code.given import Given, Guarded, Pending
from reviewer.code.members import as_field, read, resolve_method
from reviewer.code.operators import apply, find_operator_method, resolve_iterable_argument, resolve_iterable_receiver
from reviewer.code.parts import (
    build_guarded_result,
    fill_default,
    join_elements,
    join_values,
    read_element,
    show_value,
    with_held_labels,
)
from reviewer.code.run import Activation, Run
from reviewer.code.state import Facts, State
from reviewer.code.summaries import Summary, choose_detail
from reviewer.code.transfers import NUMBER, evaluate_library_call, is_on_loop
from reviewer.code.values import (
    ELEMENT,
    FRESH,
    Class,
    ClientArguments,
    Function,
    Instance,
    Key,
    Label,
    Library,
    Made,
    Term,
    Thing,
    Value,
    build_unknown,
    nest_term,
)

TARGETS = 6
"""How many methods one call may enter: an object may be of any type that has a trait."""

ROWS = 12
"""How many functions of a table one call may enter, and wait for, and methods of its objects: servers have five to ten actions
in one."""

WAITED = 3
"""How many asynchronous functions that one call may be of are waited for; of more, the first stands for all, as where thirty
tools have a trait. To wait for six of them made the review of such a server a tenth slower."""


def call(run: Run, activation: Activation, state: State, statement: ir.Call) -> State | None:
    """Run a call; return the state after it, None if it never comes back."""
    callee, receiver, path = _resolve_callee(run, activation, state, statement.callee)
    given = _bound(callee, _build_given(run, activation, state, statement))
    reader = _find_reader(run, activation, statement, path) if receiver is not None else None
    if reader is not None and receiver is not None:
        given = Given((receiver,))
        callee, receiver, path = reader, None, ""
    at = statement.at._replace(round=activation.round) if activation.round else statement.at
    result = call_value(run, activation, state, at, callee, receiver, path, given, written=True)
    if result is None:
        return None
    if len(statement.types) == 1 and not any(isinstance(each, Function) for each in callee.things):
        result = narrow_to_type(run, activation, state, activation.code, statement.types[0], result)
    state.variables[statement.target] = result
    return state


def _find_reader(run: Run, activation: Activation, statement: ir.Call, path: str) -> Value | None:
    """Return the code of the project by which a call makes an object of the type that it is written for."""
    name = run.program.operators.reading.get(path.rpartition(".")[2])
    if name is None or len(statement.types) != 1:
        return None
    made = run.program.resolve_type(statement.types[0], activation.code)
    return run.program.find_method(made, name) if made is not None else None


def _resolve_callee(
    run: Run, activation: Activation, state: State, expression: ir.Expression
) -> tuple[Value, Value | None, str]:
    """Return the callee, the object whose method it is, and its path: `.name` if the type of the object is unknown."""
    receiver = None
    if isinstance(expression, ir.Field):
        receiver = evaluate(run, activation, state, expression.owner)
        callee = read(run, activation, state, expression.at, resolve_method(run, state, receiver, expression.name))
    else:
        callee = evaluate(run, activation, state, expression)
    paths = [each.path for each in callee.things if isinstance(each, Library)]
    if paths:
        made = callee.meaning
        if receiver is not None and isinstance(expression, ir.Field) and state.read(receiver, (expression.name,)):
            receiver = None  # an object holds it, of which it is no method
        if receiver is None and isinstance(made, Made) and made.by == paths[0] and len(made.of) == 1:
            receiver = made.of[0]  # a method of an object that was given a name
        return callee, receiver, paths[0]
    if isinstance(expression, ir.Field):
        return callee, receiver, f".{expression.name}"
    if isinstance(callee.meaning, Made) and callee.meaning.by.startswith(".") and not callee.things:
        return (
            callee,
            callee.meaning.of[0],
            callee.meaning.by,
        )  # a method that has a name, or that is looked up by its own
    return callee, receiver, ".".join(expression.path) if isinstance(expression, ir.Global) else ""


def _bound(callee: Value, given: Given) -> Given:
    """Return the arguments of a call, with those that a partial function of a library received before."""
    if not callee.contents or not all(isinstance(each, Library) for each in callee.things):
        return given
    held = {key[0]: each for key, each in callee.contents.items() if isinstance(key, tuple)}
    leading = [held[str(place)] for place in range(len(held)) if str(place) in held]
    named = {name: each for name, each in held.items() if not name.isdigit()}
    return replace(given, positional=(*leading, *given.positional), named={**named, **given.collect_named()})


def _build_given(run: Run, activation: Activation, state: State, statement: ir.Call) -> Given:
    positional: list[Value] = []
    named: dict[str, Value] = {}
    rest: Value | None = None
    for each in statement.arguments:
        if not isinstance(each.value, ir.Spread):
            value = evaluate(run, activation, state, each.value)
            if each.name is None:
                positional.append(value)
            else:
                named[each.name] = value
            continue
        spread = evaluate(run, activation, state, each.value)
        held = state.read_contents(spread)
        if each.name is None and rest is None and held and all(isinstance(key, int) for key in held):
            positional += [held[key] for key in range(len(held)) if key in held]
        elif held and ELEMENT not in held and all(isinstance(key, str) for key in held):
            named |= {str(key): value for key, value in held.items()}
        elif spread.term in state.heap and not held:
            continue  # it surely is empty
        else:
            rest = (
                spread if isinstance(spread.contents, ClientArguments) else read_element(spread, state, each.value.at)
            )
    return Given(tuple(positional), named, rest)


def call_value(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    callee: Value,
    receiver: Value | None,
    path: str,
    given: Given,
    *,
    written: bool = False,
) -> Value | None:
    """Return the result of a call of a value; None if it never returns."""
    method = find_operator_method(run, "call", callee)
    if method is not None:
        callee, receiver = method, callee
    functions = _choose_fitting(run, [each for each in callee.things if isinstance(each, Function)], given)
    classes = [each for each in callee.things if isinstance(each, Class)]
    facts = state.facts
    is_table = all(each.receiver is None or not _is_open(each.receiver.things) for each in functions)
    if functions and len(functions) <= (ROWS if is_table else TARGETS):
        _emit(run, activation, state, facts, at, callee, path, receiver, given, None, followed=True, written=written)
        results = [enter(run, activation, state, at, each, given) for each in functions]
        alive = [each for each in results if each is not None]
        if not alive and callee.certain:
            return None
        pending = [each.awaits for each in alive if isinstance(each.awaits, Pending)]
        if 1 < len(pending) <= (ROWS if is_table else WAITED):
            return alive[0]._replace(awaits=replace(pending[0], others=tuple(pending[1:])))
        return _evaluate_one_of(("call", activation.code, at), alive)
    if 0 < len(classes) <= TARGETS:
        result: Value | None = _make_object_of(run, activation, state, at, classes, given)
    else:
        given = _take_names(run, state, path, given) if run.program.names_in_objects else given
        result = apply(run, activation, state, at, path, receiver, given.positional)
        if result is None:
            given = resolve_iterable_argument(run, activation, state, at, path, given)
            receiver = resolve_iterable_receiver(run, activation, state, at, path, receiver)
            result = evaluate_library_call(run, activation, state, at, path, receiver, given)
        if run.replies and result is not None:
            result = _answer_for_library(run, state, path, result)
    _emit(run, activation, state, facts, at, callee, path, receiver, given, result, followed=False, written=written)
    return result


def _take_names(run: Run, state: State, path: str, given: Given) -> Given:
    """Return the arguments of a library's function, with the entries of the last object that its row names as
    arguments.
    """
    row = run.program.models.find_model(path) if given.positional else None
    if row is None:
        return given
    asked = {
        *row.timeout,
        *(name for name, _ in row.unless),
        *(each for each, *_ in (*row.also, *row.idle)),
        row.checks_host,
    }
    held = state.read_contents(given.positional[-1])
    named = {str(name): held[name] for name in (*asked, row.keyword) if isinstance(name, str) and name in held}
    return replace(given, named={**named, **given.collect_named()}) if named else given


def _choose_fitting(run: Run, functions: list[Function], given: Given) -> list[Function]:
    """Return those of several functions of one name that take what is given, as of several `From` of a type; else all."""
    if len(functions) < 2 or run.program.raises or not given.positional:
        return functions
    kinds = {each.of for each in given.positional[0].things if isinstance(each, Instance)}
    found = []
    for each in functions:
        first = each.code.parameters[0].type if each.receiver is None and each.code.parameters else None
        made = run.program.resolve_type(first, each.code) if first is not None and kinds else None
        found += [each] if made is not None and made.of in kinds else []
    return found or functions


def _answer_for_library(run: Run, state: State, path: str, result: Value) -> Value:
    """Return the result of a library's function, as the value that the run can determine, or as it is."""
    model = run.program.models.find_model(path) if path else None
    name = f".{path.rpartition('.')[2]}"
    for each in (name, *model.acts) if model is not None else ():
        if each in run.replies:
            reply, fact = run.replies[each]
            state.facts = {**state.facts, reply.term: fact}
            return reply
    return result


def _evaluate_one_of(term: object, values: list[Value]) -> Value:
    if not values:
        return build_unknown("the call never comes back", term)
    found = values[0]
    for other in values[1:]:
        found = join_values(term, found, other)
    return found


def _emit(
    run: Run,
    activation: Activation,
    state: State,
    facts: Facts,
    at: ir.Site,
    callee: Value,
    path: str,
    receiver: Value | None,
    given: Given,
    result: Value | None,
    *,
    followed: bool,
    written: bool,
) -> None:
    if run.quiet:
        return
    rest = (show_value(given.rest, state),) if given.rest is not None else ()
    run.emit(
        Called(
            at,
            activation.code,
            activation.context,
            facts,
            callee,
            path,
            show_value(receiver, state) if receiver is not None else None,
            (*(show_value(each, state) for each in given.positional), *rest),
            {name: show_value(each, state) for name, each in given.collect_named().items()},
            result if result is not None else build_unknown("it never comes back", ("never", at)),
            followed,
            given.rest is not None,
            written,
        )
    )


def enter(
    run: Run, activation: Activation, state: State, at: ir.Site, function: Function, given: Given
) -> Value | None:
    """Return the result of a project function: at once, or, if it is `async`, when it is awaited."""
    if function.leading or function.named:
        named = {**dict(function.named), **given.collect_named()}
        given = replace(given, positional=(*function.leading, *given.positional), named=named)
    if function.code.is_async and not function.code.is_generator and not run.program.begins_async:
        pending = Pending(function, given, at, activation.code)
        labels = frozenset[Label]().union(*(each.labels for each in given.positional))
        return Value(("awaits", activation.code, at), labels, awaits=pending)
    return follow(run, activation, state, at, function, given)


def wait(run: Run, activation: Activation, state: State, value: Value, at: ir.Site) -> Value | None:
    """Return the result of an await of a value; None if it never ends."""
    run.emit(Awaited(at, activation.code, activation.context, state.facts, with_held_labels(value, state)))
    if isinstance(value.awaits, Guarded):
        around = activation.context
        activation.context = activation.build_context("catches", value.awaits.at)
        found = wait(run, activation, state, value.awaits.of, at)
        activation.context = around
        return build_guarded_result(activation.code, state, value.awaits.at, found)
    if isinstance(value.awaits, Pending):
        pending = (value.awaits, *value.awaits.others)
        places = [
            each.at if each.of is activation.code else at for each in pending
        ]  # another function may have called it
        results = [
            follow(run, activation, state, place, each.function, each.given)
            for each, place in zip(pending, places, strict=True)
        ]
        alive = [each for each in results if each is not None]
        return _evaluate_one_of(("call", activation.code, places[0]), alive) if alive else None
    if isinstance(value.awaits, Function):
        return follow(run, activation, state, at, value.awaits, Given())
    return value


def follow(
    run: Run, activation: Activation, state: State, at: ir.Site, function: Function, given: Given
) -> Value | None:
    """Run a function with some values; return what it gives, None if it never comes back."""
    code = function.code
    reason = _find_refusal(run, activation, code)
    if reason is not None:
        run.omit(activation, at, reason)
        run.summaries.note_refusal(code if reason == RECURSION else None)
        labels = frozenset[Label]().union(*(with_held_labels(each, state).labels for each in given.positional))
        left = build_unknown(reason, ("call", activation.code, at), labels)
        return narrow_to_type(run, activation, state, code, code.returns, left)
    inner = type(activation)(code, (*activation.around, activation.code), code.is_async or is_on_loop(activation))
    captured = _read_captured_variables(activation, state, function)
    crossing, known = _summarize_call(run, activation, inner, state, at, function, given, captured)
    if not run.quiet:
        handed = {term: show_value(each, state) for term, each in crossing.given.items()}
        run.emit(Entered(at, activation.code, activation.context, state.facts, known.trace, crossing.labels, handed))
    if code in run.summaries.asking and not code.is_async:
        run.summaries.ask_loop(inner.around)
    if known.raised:
        point = state.copy()  # one for all: nobody changes it
        activation.raised += [
            (crossing.translate_outward(each, known) if each is not None else None, point) for each in known.raised
        ]
    if known.trace.result is None:
        return None
    result = crossing.leave(known)
    for before, left in crossing.iter_by_reference(code, known):
        state.replace(before, left)
    if not (isinstance(result.term, tuple) and result.term[:2] == ("via", at)):  # it was handed what it gives
        result = result._replace(giver=at)
    if function.captured is not None and code.around is activation.code:
        _assign_around(state, crossing, known, captured)
    return result if code.is_generator else narrow_to_type(run, activation, state, code, code.returns, result)


def _summarize_call(
    run: Run, activation: Activation, inner: Activation, state: State, at: ir.Site, function: Function, given: Given,
    captured: "dict[ir.Variable, Value]",
) -> tuple[CallBoundary, Summary]:  # fmt: skip
    """Return the summary of a function for some values: as exact as its caller's other calls of it allow."""
    code, deeper = function.code, run.bounds.depth - len(inner.around)
    of_arguments = any(isinstance(each.contents, ClientArguments) for each in given.positional)
    handed = (*given.positional, *given.collect_named().values(), *captured.values())
    of_closure = any(isinstance(thing, Function) and thing.captured for each in handed for thing in each.things)
    of_tool = run.tool if run.tool and any(_holds_text(state, each, run.tool) for each in handed) else ""
    variants = activation.variants.setdefault(code, set())
    detail = choose_detail(code, len(variants), of_arguments=of_arguments, of_closure=of_closure, of_tool=of_tool)
    for exactness in (2, detail) if detail < 2 else (2,):
        crossing = CallBoundary(state, at, exactness)
        start = State(
            {variable: crossing.translate_inward(each, ("captured", variable)) for variable, each in captured.items()}
        )
        crossing.facts.update(run.known)
        start.heap, start.facts = crossing.heap, crossing.facts
        run.quiet += exactness > detail
        _bind(run, inner, start, crossing, function, given)
        run.quiet -= exactness > detail
        crossing.keep(run.summaries.kept)
        # it is looked up four times, and some hold a hundred shapes: its hash is worked out once
        key = nest_term((code, tuple(crossing.shapes), inner.is_on_loop if code in run.summaries.asking else None))
        if key in variants:
            break
    variants.add(key)
    known = run.summaries.find(key, inner.around, deeper)
    if known is None:
        known = run.summaries.keep(
            key, deeper, lambda: _summarize_alone(run, inner, code, start), lambda: run.spent <= run.bounds.statements
        )
    return crossing, known


def _holds_text(state: State, value: Value, text: str) -> bool:
    """Return whether a value is a text, or an object with an entry that is, as the parameters of a request are."""
    return value.text == text or any(each.text == text for each in state.read_contents(value).values())


def _read_captured_variables(activation: Activation, state: State, function: Function) -> "dict[ir.Variable, Value]":
    """Return the captured variables of a function: with their current values if it is called where it was created."""
    if function.captured is None:
        return {}
    here = state.variables if function.code.around is activation.code else {}
    found = ((each, here.get(each) or function.captured.get(each)) for each in ir.collect_read_variables(function.code))
    return {variable: value for variable, value in found if value is not None}


def _assign_around(state: State, crossing: CallBoundary, known: Summary, captured: "dict[ir.Variable, Value]") -> None:
    """Let the variables around a function have the values that it gave them."""
    for variable, value in known.variables.items():
        if variable in state.variables and not _is_as_before(value, variable, captured):
            state.variables[variable] = crossing.translate_outward(value, known)


def _is_as_before(value: Value, variable: ir.Variable, captured: "dict[ir.Variable, Value]") -> bool:
    return variable in captured and (value.term == ("captured", variable) or value is captured[variable])


TOO_DEEP = "calls lead there"
RECURSION = "it calls itself"
SUPPOSED = "what it gives is supposed"


def _find_refusal(run: Run, activation: Activation, code: ir.Code) -> str | None:
    if code in run.supposed:
        return SUPPOSED
    if code is activation.code or code in activation.around:
        return RECURSION
    if len(activation.around) >= run.bounds.depth:
        return f"more than {run.bounds.depth} {TOO_DEEP}"
    return None


def is_left_out(value: Value) -> bool:
    """Return whether a value is what a function of the project gives that was not followed."""
    return value.unknown == RECURSION or value.unknown.endswith(TOO_DEEP)


def _summarize_alone(run: Run, inner: Activation, code: ir.Code, start: State) -> Summary:
    """Run a function by itself; return what it does."""
    before = run.events, run.omissions, run.unreached, run.quiet
    run.events, run.omissions, run.unreached, run.quiet = [], [], [], 0
    heap = dict(start.heap)
    result, after = run.run_body(inner, code, start)
    if code.is_generator and after is not None:
        result = _build_generated(after, inner, ("generator", code))
    trace = build_trace(run, code, result)
    run.events, run.omissions, run.unreached, run.quiet = before
    after = after if after is not None else State()
    written = {owner: held for owner, held in after.heap.items() if heap.get(owner) is not held}
    raised = tuple(value for value, _ in inner.raised)
    after.heap.forget_shown()  # a summary is kept as long as the review takes
    return Summary(trace, after.facts, after.heap, written, raised, after.variables)


def build_trace(run: Run, code: ir.Code, result: Value | None) -> Trace:
    """Return the trace of a function from the run so far."""
    acts: set[str] = set()
    for each in run.events:
        if isinstance(each, Called):
            acts |= collect_acts(each, run.program.models)
        elif isinstance(each, Entered):
            acts |= each.trace.acts
    return Trace(code, tuple(run.events), result, tuple(run.omissions), frozenset(acts), tuple(run.unreached))


def _build_generated(state: State, inner: Activation, term: object) -> Value:
    if not inner.yields:
        return Value(term, unknown="it is gone through")
    element = inner.yields[0]
    for number, each in enumerate(inner.yields[1:]):
        element = join_values((term, number), element, each)
    state.heap[term] = {ELEMENT: element}
    return Value(term, element.labels, unknown="it is gone through")


def _bind(run: Run, inner: Activation, state: State, crossing: CallBoundary, function: Function, given: Given) -> None:
    """Give the parameters of a function their values."""
    places = list(given.positional)
    if function.receiver is not None:
        places.insert(0, function.receiver)
    names = dict(given.collect_named())
    for place, parameter in enumerate(function.code.parameters):
        term = ("parameter", inner.code, place)
        value = _build_unsaid_argument(run, inner, state, crossing, parameter, term, places, names, given)
        state.variables[parameter.variable] = narrow_to_declared_type(run, inner, state, parameter, value)


def narrow_to_declared_type(
    run: Run, activation: Activation, state: State, parameter: ir.CodeParameter, value: Value
) -> Value:
    """Return the value of a parameter; if nothing else is known of it, an object of the declared type."""
    code = activation.code
    if parameter.kind == "receiver" and parameter.type is not None:
        made = run.program.resolve_type(parameter.type, code)
        if made is not None and isinstance(made.of, Class) and not made.of.is_abstract and _is_open(value.things):
            return value._replace(things=(made,))
    return narrow_to_type(run, activation, state, code, parameter.type, value)


def _is_open(things: tuple[Thing, ...]) -> bool:
    """Return whether an object may be of more classes than these: of any that has a trait, so the method says which it is."""
    return any(isinstance(each, Instance) and isinstance(each.of, Class) and each.of.is_abstract for each in things)


def narrow_to_type(
    run: Run, activation: Activation, state: State, code: ir.Code, written: ir.TypeName | None, value: Value
) -> Value:
    """Return a value as an object of a type that a code names, if no more is known of it."""
    if written is None or value.constants is not None or value.failure is not None:
        return value
    outside = [isinstance(each, Library) for each in value.things]
    if not any(outside) and not all(
        isinstance(each, Instance) and isinstance(each.of, Library) for each in value.things
    ):
        return value
    made = run.program.resolve_type(written, code)
    if made is None or not _is_closer(made, value.things):
        return value
    if any(outside) and not _is_held_outside(made, value.things):
        return value
    if isinstance(value.contents, ClientArguments):
        return decode_arguments(run, activation, state, code, written.at, value, made)
    return value._replace(things=(made,))


def _is_closer(made: Instance, things: tuple[Thing, ...]) -> bool:
    """Return whether a type says more than what is known: nothing, or an object of a library, such as a text that is parsed."""
    return things in ((), NUMBER) or isinstance(made.of, Class) or bool(made.parts) or made.within is not None


def _is_held_outside(made: Instance, things: tuple[Thing, ...]) -> bool:
    """Return whether an object of the project is read from one of a library, where the project put it: `session.client`."""
    return isinstance(made.of, Class) and all(isinstance(each, Library) or each == made for each in things)


def _build_unsaid_argument(
    run: Run,
    inner: Activation,
    state: State,
    crossing: CallBoundary,
    parameter: ir.CodeParameter,
    term: Term,
    places: list[Value],
    names: "dict[str, Value]",
    given: Given,
) -> Value:
    rest = given.rest
    if parameter.kind in ("rest", "named rest"):
        held: dict[Key, Value] = (
            dict(enumerate(places)) if parameter.kind == "rest" else dict[Key, Value](names.items())
        )
        entries = {key: crossing.translate_inward(each, ("entry", term, key)) for key, each in held.items()}
        if rest is not None:
            entries[ELEMENT] = crossing.translate_inward(rest, ("entry", term, ELEMENT))
        state.heap[term] = entries
        (places if parameter.kind == "rest" else names).clear()
        if rest is not None and given.is_open and parameter.kind == "named rest":
            return crossing.translate_inward(rest, term)
        return Value(term, unknown="it takes what is left")
    if parameter.name in names and parameter.kind != "positional":
        return crossing.hand(names.pop(parameter.name), term)
    if places and parameter.kind != "named":
        return crossing.hand(places.pop(0), term)
    if rest is not None:
        default = parameter.default if given.is_open else None
        found = crossing.translate_inward(crossing.read_part(rest, parameter.name) if given.is_open else rest, term)
        return fill_default(found, evaluate(run, inner, state, default)) if default is not None else found
    crossing.shapes.append("default")
    if parameter.default is not None:
        return evaluate(run, inner, state, parameter.default)
    return build_unknown("the call does not say it", term)


def _make_object_of(
    run: Run, activation: Activation, state: State, at: ir.Site, classes: list[Class], given: Given
) -> Value:
    """Return an object of one of some classes, of which a table or a test says which."""
    found, *others = [
        instantiate(run, activation, state, at, each, given, of_several=len(classes) > 1) for each in classes
    ]
    for number, each in enumerate(others):
        found = join_elements(("new", activation.code, at, number), found, each)
    return found


def _fill_from(given: Given, state: State) -> Made | None:
    """Return that an object is made of all that another holds, None if its arguments are told apart."""
    if given.rest is None or given.is_open:
        return None
    match given.rest.meaning:
        case Made("element", (whole, *_)):
            return Made("filled", (show_value(whole, state),))
    return Made("filled", (show_value(given.rest, state),))


def instantiate(
    run: Run,
    activation: Activation,
    state: State,
    at: ir.Site,
    made: Class,
    given: Given,
    *,
    of_several: bool = False,
) -> Value:
    """Return an object of a class."""
    which = (made.variant,) if made.variant else (made.name,) if of_several else ()  # one call may make one or another
    term = ("new", activation.code, at, *which)
    values = (*given.positional, *given.collect_named().values())
    labels = frozenset[Label]().union(*(each.labels for each in values))
    state.heap[term] = {}
    made_value = Value(term, labels, things=(Instance(made),), certain=True, meaning=_fill_from(given, state))
    code = run.program.find_constructor(made)
    if code is not None:
        follow(run, activation, state, at, Function(code, made_value), given)
        return made_value
    fields = run.program.list_fields(made)
    held: dict[Key, Value] = {
        (name,): as_field(run, made, name, value) for name, value in zip(fields, given.positional, strict=False)
    }
    held.update({(name,): value for name, value in given.collect_named().items()})
    for name in fields:
        if (name,) not in held:
            default = run.program.find_default(made, name)
            if default is not None and default.term == FRESH:
                default = default._replace(term=(term, name))
                state.heap[default.term] = {}
            if given.rest is not None and given.is_open:
                held[(name,)] = fill_default(state.read(given.rest, name) or given.rest, default)
            elif default is not None:
                held[(name,)] = default
    if not fields:
        held.update({(str(place),): value for place, value in enumerate(given.positional)})
        looked_up = run.program.find_member_field(made)
        if looked_up is not None and given.positional:
            by = given.positional[0]
            held[(looked_up,)] = build_unknown("it is that of one of the members", (term, looked_up), by.labels)
    state.heap[term] = held
    prepared = run.program.find_post_initializer(made)
    if prepared is not None:
        follow(run, activation, state, at, Function(prepared, made_value), Given())
    return made_value
