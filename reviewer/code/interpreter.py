"""The abstract run: what a function does with what it is given, on every way through it.

One run goes through a body once, with all that may be: where ways part, both are gone, each with what its test tells; where they
come together, a value is one or the other. A loop is gone through twice: once to see what it changes, then with whatever these
things may be. A call of the project's own code is followed (`calls`), up to the depth and the work of the `RunBounds`; what is
left is reported as an omission, and its values are unknown.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile

from reviewer.code import ir
from reviewer.code.call_boundary import is_shared
from reviewer.code.calls import (
    build_trace,
    call,
    call_value,
    instantiate,
    narrow_to_declared_type,
    narrow_to_type,
    wait,
)
from reviewer.code.cutting import collect_loop_cuts, leave_at_length, separate_length, shorten
from reviewer.code.events import (
    Assigned,
    Awaited,
    Carried,
    Caught,
    CodePlace,
    Context,
    Looped,
    Raised,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.expressions import evaluate
from reviewer.code.given import Given
from reviewer.code.managers import (
    ANYTHING,
    build_raised,
    find_manager_methods,
    find_taken_types,
    is_entered_beside,
    run_manager,
)
from reviewer.code.members import set_by_code
from reviewer.code.operators import apply_operator, find_managed_value, resolve_iterable
from reviewer.code.parts import (
    choose_next_place,
    fill_absent_entries,
    find_only_element,
    find_reason,
    is_surely_filled,
    join_values,
    list_objects,
    list_steps,
    read_element,
    read_item,
    read_key,
    show_value,
    with_held_labels,
)
from reviewer.code.program import Operator
from reviewer.code.run import TOO_LONG, Activation, Left, Run, RunBounds
from reviewer.code.state import (
    Facts,
    State,
    build_namespace,
    infer_constants,
    infer_interval,
    infer_truth,
    is_settled,
    join_states,
    refine,
)
from reviewer.code.surroundings import read_surroundings
from reviewer.code.unreadable import lets_pass
from reviewer.code.values import (
    ELEMENT,
    NO_NUMBER,
    NONE,
    Class,
    ConditionalValue,
    Instance,
    Key,
    Label,
    Made,
    Relation,
    Term,
    Value,
    build_constant,
    build_unknown,
    strip_negations,
)

AROUND = RunBounds(statements=6_000)
"""How far a function is followed for what its variables hold that functions in it read. Those of servers make a dozen objects."""


class Interpreter(Run):
    """An abstract run, put together of its parts."""

    def start(self, code: ir.Code, given: dict[ir.Variable, Value], state: State | None = None) -> Trace:
        """Run a function with some values; parameters that have none take their defaults, or are unknown."""
        state = state if state is not None else State()
        activation = Activation(code, is_on_loop=code.is_async)
        for variable, held in read_surroundings(self, code, state).items():
            state.variables.setdefault(variable, held)
        for parameter in code.parameters:
            value = given.get(parameter.variable)
            if value is None and parameter.default is not None:
                value = evaluate(self, activation, state, parameter.default)
            if value is None:
                value = _build_unseen(("parameter", code, parameter.variable))
            state.variables[parameter.variable] = narrow_to_declared_type(self, activation, state, parameter, value)
        result, after = self.run_body(activation, code, state)
        if result is not None and after is not None and result.awaits is not None:
            result = wait(self, activation, after, result, code.at)  # who calls a handler waits for what it gives
        return build_trace(self, code, result)

    def find_variables(self, code: ir.Code) -> dict[ir.Variable, Value]:
        """Return the variables of a function at its end, for any arguments; none if control never gets there."""
        run, state = Interpreter(self.program, AROUND, self.summaries), State()
        activation = Activation(code)
        state.variables.update(read_surroundings(run, code, state))
        for parameter in code.parameters:
            value = _build_unseen(("parameter", code, parameter.variable))
            state.variables[parameter.variable] = narrow_to_declared_type(run, activation, state, parameter, value)
        cls = self.program.find_receiver_class(code)
        if cls is not None:
            state.variables[code.parameters[0].variable] = run.make_receiver(cls, code, state)
        _, after = run.run_body(activation, code, state)
        return after.variables if after is not None else {}

    def evaluate_constant(self, code: ir.Code, term: Term) -> Value:
        """Return the result of code that runs once before anything else, with the contents of the result."""
        activation = Activation(code)
        result, state = self.run_body(activation, code, State())
        if result is None or state is None:
            return build_unknown("it is never made", term)
        found = capture_value(narrow_to_type(self, activation, state, code, code.returns, result), state, term)
        given = code.body[-1].value if code.body and isinstance(code.body[-1], ir.Return) else None
        is_empty = isinstance(given, ir.Sequence) and not given.elements
        return found._replace(contents={}) if is_empty and found.contents is None else found

    def evaluate_yielded(self, code: ir.Code, term: Term) -> Value | None:
        """Return the value of a generator that yields once, with its objects; None if it yields otherwise.

        A value that is no object may have changed by the time it is read.
        """
        activation, state = Activation(code), State()
        for each in code.parameters:
            state.variables[each.variable] = _build_unseen(("parameter", code, each.variable))
        _, after = self.run_body(activation, code, state)
        if len(activation.yields) != 1 or after is None:
            return None
        return _build_changing(capture_value(activation.yields[0], after, term))

    def run_to_end(self, code: ir.Code) -> tuple[Value | None, State | None]:
        """Return the result of a function and the state at its end, for any arguments."""
        activation, state = Activation(code), State()
        for each in code.parameters:
            state.variables[each.variable] = _build_unseen(("parameter", code, each.variable))
        return self.run_body(activation, code, state)

    def make_receiver(self, cls: Class, code: ir.Code, state: State) -> Value:
        """Return an object of a class as it is before a function is run with it, whatever it was made with.

        What makes it is no part of the run.
        """
        constructor = self.program.find_constructor(cls)
        handed: dict[str, Value] = {}
        for taken in constructor.parameters[1:] if constructor is not None else ():
            if constructor is not None and taken.kind in ("normal", "named"):
                unseen = _build_unseen(("made with", cls, taken.name))
                handed[taken.name] = narrow_to_declared_type(self, Activation(constructor), state, taken, unseen)
        self.quiet += 1
        found = instantiate(self, Activation(code), state, ir.Site(0, 0), cls, Given((), handed))
        self.quiet -= 1
        for key, each in dict(state.read_contents(found)).items():
            held = self.program.join_rewrites(cls, key[0], each) if isinstance(key, tuple) else each
            if held is not each:
                state.write(found, key, held)
        return found

    def call_value(
        self,
        activation: Activation,
        state: State,
        at: ir.Site,
        callee: Value,
        receiver: Value | None,
        path: str,
        given: Given,
    ) -> Value | None:
        """Return the result of a call of a value; None if it never returns."""
        return call_value(self, activation, state, at, callee, receiver, path, given)

    def wait(self, activation: Activation, state: State, value: Value, at: ir.Site) -> Value | None:
        """Return the result of an await of a value; None if it never ends."""
        return wait(self, activation, state, value, at)

    def run_body(self, activation: Activation, code: ir.Code, state: State) -> tuple[Value | None, State | None]:
        """Run the body of a code; return what it gives and the state after it, None if it never comes to its end."""
        end = execute(self, activation, code.body, state)
        if self.program.destroys and (end is not None or activation.returns):
            _release(self, activation, end if end is not None else activation.returns[-1][1])
        if end is not None:
            activation.returns.append((NONE, end, None))
        if not activation.returns:
            return None, None
        *earlier, (result, after, last) = activation.returns
        for number, (value, other, context) in enumerate(reversed(earlier)):
            both = ir.Variable()
            other.variables[both], after.variables[both] = value, result
            test, holds = _find_parting_test(code, context, after) or _find_opposite_test(
                _find_parting_test(code, last, other)
            )
            if test is None:  # several tests together decide: a failure is told from what else is given at least
                test, holds = _find_failing_test(value, context)
            if test is None and (value.failure is None) is not (result.failure is None):
                test, holds = build_unknown("several tests together decide", ("leaves", code, number)), True
            both_ways = [other, after] if holds else [after, other]
            met = join_states(("returns", code, number), both_ways, test, are_left=True)
            assert met is not None
            result, after, last = met.variables.pop(both), met, None
        return result, after


def _build_unseen(term: Term) -> Value:
    """Return the argument of a function that begins a run, or of the constructor of its object."""
    return build_unknown("nobody is seen to hand it over", term)


def _release(run: Run, activation: Activation, state: State) -> None:
    """Run what objects do that a function holds to its end: those of variables that nothing hands on: they are not moved."""
    for each in activation.code.body:
        held = state.variables.get(each.target) if isinstance(each, ir.Assign) and each.target.name else None
        for thing in held.things if held is not None else ():
            made = thing.of if isinstance(thing, Instance) else thing
            dropping = run.program.find_destructor(made) if isinstance(made, Class) else None
            if (
                dropping is not None
                and isinstance(each, ir.Assign)
                and each.target not in ir.collect_handed_on(activation.code)
            ):
                call_value(run, activation, state, each.at, dropping, held, ".drop", Given(()))


def _find_parting_test(code: ir.Code, context: Context | None, other: State) -> tuple[Value, bool] | None:
    """Return a test that surrounds a way, and whether it held, whose opposite led to another state; None if none did."""
    for each in context.iter_outwards() if context is not None else ():
        test = each.value if each.condition == "test" else None
        if each.condition == "handles":
            test = _test_taken(code, each)
        if test is not None and infer_truth(test, other.facts) is (not each.holds):
            return test, each.holds
    return None


def _find_failing_test(value: Value, context: Context | None) -> tuple[Value | None, bool]:
    """Return the test by which a value is given back as the failure that it is, by a `?`; None if it is not."""
    if context is not None and context.condition == "test" and context.value is not None:
        match strip_negations(context.value, context.holds):
            case (Value(meaning=Relation("succeeds", left)), False) if left.term == value.term:
                return context.value, context.holds
    return None, True


def _find_opposite_test(found: tuple[Value, bool] | None) -> tuple[Value | None, bool]:
    return (found[0], not found[1]) if found is not None else (None, True)


def capture_value(value: Value, state: State, term: Term, around: frozenset[Term] = frozenset()) -> Value:
    """Return a value under a term of its own, holding what it does in a state.

    `around` are the objects that hold it: one that holds itself, as a registry whose entries know it, is told of once.
    """
    if is_shared(value):
        return value
    made = value.meaning if isinstance(value.meaning, Made) else None
    inner = around | {value.term}
    held = {
        key: build_unknown("it holds itself", (term, key))
        if each.term in inner
        else capture_value(each, state, (term, key), inner)
        for key, each in state.read_contents(value).items()
    }
    return value._replace(term=term, interval=infer_interval(value, state.facts), meaning=made, contents=held or None)


def _build_changing(value: Value) -> Value:
    """Return an object that others may change: only of which types it and its parts are stays."""
    held = {key: _build_changing(each) for key, each in (value.contents or {}).items()}
    if not value.things or not all(isinstance(each, Instance) for each in value.things):
        return build_unknown("it may be another by then", value.term, value.labels)
    return value._replace(certain=False, constants=None, meaning=None, contents=held or None)


ENDLESS = (ir.Call, ir.Await, ir.Loop)
"""Statements that control may never come back from, as far as the run can tell."""


def _is_doubtful(run: Run, last: ir.Statement) -> bool:
    """Return whether control may go on after a statement after all, though the run says that it never does."""
    return isinstance(last, ENDLESS) or any(each in run.guessed for each in ir.iter_statements((last,)))


def execute(run: Run, activation: Activation, body: ir.Body, state: State | None) -> State | None:
    """Run statements; return the state after them, None if control never gets there."""
    for place, statement in enumerate(body):
        if state is None:
            run.leave_out(body[place:] if _is_doubtful(run, body[place - 1]) else ())
            return None
        if not run.affords():
            run.omit(activation, statement.at, TOO_LONG)
            if run.spent <= run.bounds.statements:
                run.note_exhausted(activation)
            return state
        state = _STATEMENTS[type(statement)](run, activation, state, statement)
    return state


def _assign(run: Run, activation: Activation, state: State, statement: ir.Assign) -> State:
    value = evaluate(run, activation, state, statement.value)
    if statement.target.type is not None:
        value = narrow_to_type(run, activation, state, activation.code, statement.target.type, value)
    state.variables[statement.target] = value
    told = isinstance(statement.value, ir.Constant | ir.Interpolation | ir.Failure)
    if activation.context is not None and (statement.target.name or told):
        is_made = value.term == (
            "new",
            activation.code,
            statement.value.at,
        )  # not what was made elsewhere, and is handed on
        made = show_value(value, state) if is_made else value
        run.emit(Assigned(statement.value.at, activation.code, activation.context, state.facts, made))
    return state


def _store(run: Run, activation: Activation, state: State, statement: ir.Store) -> State:
    value = evaluate(run, activation, state, statement.value)
    place = statement.place
    key: Value | None = None
    match place:
        case ir.Field():
            owner, key = evaluate(run, activation, state, place.owner), build_constant(place.name)
            if set_by_code(run, activation, state, statement.at, owner, place.name, value):
                return state
            state.write(owner, _choose_key(run, owner, place.name), value)
        case ir.Item():
            owner, key = evaluate(run, activation, state, place.owner), evaluate(run, activation, state, place.key)
            if apply_operator(run, activation, state, statement.at, "set item", owner, key, value) is not None:
                return state
            _write_under(state, owner, key, value, statement.at)
        case ir.Slice():
            owner = evaluate(run, activation, state, place.owner)
            state.write(owner, ELEMENT, read_element(value, state, statement.at))
            separate_length(state, owner, statement.at)
        case ir.Global():
            owner, key = evaluate(run, activation, state, place), build_constant(place.path[-1])
            state.write(build_namespace(activation.code.source.path), (place.path[-1],), value)
        case ir.Read(variable=variable) if variable.name:
            if all(each.variable is not variable for each in activation.code.parameters):
                state.write_through(evaluate(run, activation, state, place), value)
            return state
        case _:
            owner = evaluate(run, activation, state, place)
            state.write_through(owner, value)
    run.emit(
        Stored(statement.at, activation.code, activation.context, state.facts, owner, key, show_value(value, state))
    )
    return state


def _choose_key(run: Run, owner: Value, name: str) -> Key:
    """Return under what an object holds a field: where fields are entries, only objects of the project's classes have others."""
    is_made = any(isinstance(each, Instance) and isinstance(each.of, Class) for each in owner.things)
    return name if run.program.holds_entries and not is_made else (name,)


VARIANTS = 8
"""Constants that one key may be where each is told apart. A loop over the names of arguments to hand on has two or three."""


def _write_under(state: State, owner: Value, key: Value, value: Value, at: ir.Site) -> None:
    """Let an object hold a value under a key; if that is one of a few texts, the value may stand under each of them."""
    known = infer_constants(key, state.facts) or frozenset()
    texts = [each for _, each in known if isinstance(each, str)]
    if not 1 < len(texts) == len(known) <= VARIANTS:
        place = read_key(key)
        if place == ELEMENT and (held := state.read_contents(owner)):
            state.heap[owner.term] = fill_absent_entries(held, value, at)
        state.write(owner, place, value)
        return
    for each in sorted(texts):
        before = read_item(state, owner, build_constant(each), at)
        state.write(owner, each, join_values((at, "entry", each), before, value))


def _append(run: Run, activation: Activation, state: State, statement: ir.Append) -> State:
    owner = state.variables.get(statement.owner)
    value = evaluate(run, activation, state, statement.value)
    key = evaluate(run, activation, state, statement.key) if statement.key is not None else None
    if owner is not None:
        state.write(
            owner,
            read_key(key) if key is not None else choose_next_place(activation, state.read_contents(owner)),
            value,
        )
        state.variables[statement.owner] = owner.with_labels(value.labels | collect_loop_cuts(activation.context))
        told = show_value(value, state)
        run.emit(Stored(statement.at, activation.code, activation.context, state.facts, owner, key, told))
    return state


def _delete(run: Run, activation: Activation, state: State, statement: ir.Delete) -> State:
    match statement.place:
        case ir.Read():
            state.variables.pop(statement.place.variable, None)
        case ir.Item() | ir.Field():
            owner = evaluate(run, activation, state, statement.place.owner)
            key = build_constant(None)
            if isinstance(statement.place, ir.Item):
                key = evaluate(run, activation, state, statement.place.key)
                if apply_operator(run, activation, state, statement.at, "delete item", owner, key) is not None:
                    return state
            told = show_value(owner, state)
            state.forget(owner, read_key(key))
            run.emit(Stored(statement.at, activation.code, activation.context, state.facts, told, key, NONE))
        case ir.Slice(low=ir.Expression() as low, high=None):
            owner = evaluate(run, activation, state, statement.place.owner)
            shorten(run, activation, state, statement.at, owner, evaluate(run, activation, state, low))
        case _:
            evaluate(run, activation, state, statement.place)
    return state


def _evaluate(run: Run, activation: Activation, state: State, statement: ir.Evaluate) -> State:
    value = evaluate(run, activation, state, statement.value)
    if statement.holds:
        refine(state, value, True)
    return state


def _yield(run: Run, activation: Activation, state: State, statement: ir.Yield) -> State:
    value = evaluate(run, activation, state, statement.value)
    activation.yields.append(read_element(value, state, statement.at) if statement.every else value)
    state.variables[statement.target] = build_unknown("whoever iterates sends it", ("sent", statement.at))
    return state


def _run_if(run: Run, activation: Activation, state: State, statement: ir.If) -> State | None:
    test = evaluate(run, activation, state, statement.test)
    truth = infer_truth(test, state.facts)
    if run.tool and truth is False and _asks_for_another(run.tool, test, state.facts):
        if _raises(statement.otherwise):
            run.guessed.add(statement)
        return execute(run, activation, statement.otherwise, state)
    told = with_held_labels(test, state)
    run.emit(Tested(statement.test.at, activation.code, activation.context, state.facts, told, statement.whole))
    around = activation.context
    ends: list[State | None] = []
    for holds, body in ((True, statement.then), (False, statement.otherwise)):
        branch = state.copy()
        if truth is (not holds) or not refine(branch, test, holds):
            if not is_settled(test, state.facts):
                run.leave_out(body)
                run.guessed.add(statement)
            elif _raises(statement.otherwise if holds else statement.then):
                run.guessed.add(statement)  # nobody writes a function that always fails there
            ends.append(None)
            continue
        activation.context = activation.build_context(
            "test", statement.test.at, value=test, holds=holds, whole=statement.whole
        )
        ends.append(execute(run, activation, body, branch))
        activation.context = around
    alive = [each for each in ends if each is not None]
    return join_states((activation.code, statement.at), alive, test, are_left=True)


def _asks_for_another(tool: str, test: Value, facts: Facts) -> bool:
    """Return whether a test is whether another tool is called than the one that is.

    The arms of the others, of which a server may have hundreds, say nothing of this one: no events tell of them.
    """
    match test.meaning:
        case Relation("==", left, Value() as right):
            told = (infer_constants(left, facts), infer_constants(right, facts))
            return frozenset({(str, tool)}) in told and not test.labels
    return False


def _raises(body: ir.Body) -> bool:
    return bool(body) and isinstance(body[-1], ir.Raise)


def _run_loop(run: Run, activation: Activation, state: State, statement: ir.Loop) -> State | None:
    over = evaluate(run, activation, state, statement.over) if statement.over is not None else None
    if over is not None and statement.over is not None:
        over = resolve_iterable(run, activation, state, statement.over.at, over, is_async=statement.is_async)
        one = show_value(read_element(over, state, statement.at), state)
        told = show_value(over, state)
        run.emit(Looped(statement.at, activation.code, activation.context, state.facts, told, one))
        if statement.is_async:
            run.emit(
                Awaited(statement.at, activation.code, activation.context, state.facts, with_held_labels(over, state))
            )
        only = find_only_element(over, state)
        if only is not None:
            return _run_loop_once(run, activation, state, statement, only)
        several = list_objects(over, state) if run.tool else ()
        if several:
            return _run_loop_one_by_one(run, activation, state, statement, several)
        steps = list_steps(over, state)
        if steps:
            return _step_by_step(run, activation, state, statement, steps)
    before = state
    if run.quiet < 2:
        run.quiet += 1
        later = _round(run, activation, state.copy(), statement, over)
        run.quiet -= 1
        activation.exits.pop(statement.label, None)
        state = _widen_state(state, later, statement, activation) if later is not None else state
    after = _round(run, activation, state.copy(), statement, over)
    if after is not None and not run.quiet:
        _tell_carried(run, activation, statement.at, (before, state, after))
    before_any = None if after is not None and is_surely_filled(over) else state
    ends = [each for each in (after, before_any) if each is not None] if statement.over is not None else []
    return _run_after_loop(run, activation, statement, join_states((activation.code, statement.at, "done"), ends))


def _run_after_loop(run: Run, activation: Activation, statement: ir.Loop, done: State | None) -> State | None:
    """Return the state behind a loop: after its last round and what it does then, or where it is left before."""
    exits = activation.exits.pop(statement.label, [])
    end = execute(run, activation, statement.otherwise, done) if done is not None else None
    return join_states((activation.code, statement.at, "left"), [*([end] if end is not None else []), *exits])


def _run_loop_once(run: Run, activation: Activation, state: State, statement: ir.Loop, element: Value) -> State | None:
    """Go through a loop over one element: its body runs once and always."""
    if statement.element is not None:
        state.variables[statement.element] = element
    end = execute(run, activation, statement.body, state)
    resumed = activation.resumed.pop(statement.label, [])
    done = join_states((activation.code, statement.at, "done"), [*([end] if end is not None else []), *resumed])
    return _run_after_loop(run, activation, statement, done)


def _run_loop_one_by_one(
    run: Run, activation: Activation, state: State, statement: ir.Loop, elements: "tuple[Value, ...]"
) -> State | None:
    """Go through a loop over known objects, one after another: so a search by a name comes to the one of that name alone."""
    current: State | None = state
    around = activation.context
    for element in elements:
        if current is None:
            break
        if statement.element is not None:
            current.variables[statement.element] = element
        activation.context = activation.build_context("loop", statement.at, value=element)
        end = execute(run, activation, statement.body, current)
        activation.context = around
        again = activation.resumed.pop(statement.label, [])
        current = join_states((activation.code, statement.at, "again"), [*([end] if end is not None else []), *again])
    return _run_after_loop(run, activation, statement, current)


def _step_by_step(
    run: Run, activation: Activation, state: State, statement: ir.Loop, steps: "tuple[Value, ...]"
) -> State | None:
    """Go through a loop over known functions, one after another; each round's calls are others than those of the last."""
    around, current = activation.round, state
    for number, step in enumerate(steps, 1):
        activation.round = number
        end = _run_loop_one_by_one(run, activation, current, statement, (step,))
        activation.round = around
        if end is None:
            return None
        current = end
    return current


def _round(run: Run, activation: Activation, state: State, statement: ir.Loop, over: Value | None) -> State | None:
    """Go through a loop's body once; return the state at its end, or where it goes on with the next round."""
    if statement.element is not None and over is not None:
        state.variables[statement.element] = read_element(over, state, statement.at)
    around = activation.context
    activation.context = activation.build_context("loop", statement.at, value=over)
    end = execute(run, activation, statement.body, state)
    activation.context = around
    again = activation.resumed.pop(statement.label, [])
    return join_states((activation.code, statement.at, "again"), [*([end] if end is not None else []), *again])


def _widen_state(before: State, later: State, statement: ir.Loop, activation: Activation) -> State:
    """Return the state that holds at the beginning of every iteration."""
    place = (activation.code, statement.at, "round")
    found = join_states(place, [before.copy(), later])
    assert found is not None
    for variable, value in found.variables.items():
        old, new = before.variables.get(variable), later.variables.get(variable)
        if old is not None and new is not None and old is not new and value is not old:
            found.variables[variable] = _widen_value(old, value)
            both = (before.read_fields(old), later.read_fields(new))
            joint = found.read_fields(value) if all(both) else {}
            if joint:
                found.heap[value.term] = {key: _widen_entry(key, each, *both) for key, each in joint.items()}
    for owner, held in found.heap.items():
        mine, theirs = before.heap.get(owner), later.heap.get(owner)
        if mine is not None and theirs is not None and mine is not theirs:
            found.heap[owner] = {key: _widen_entry(key, value, mine, theirs) for key, value in held.items()}
    return found


def _widen_entry(key: Key, value: Value, mine: Mapping[Key, Value], theirs: Mapping[Key, Value]) -> Value:
    old, new = mine.get(key), theirs.get(key)
    is_changed = old is not None and new is not None and old is not new and value is not old
    return _widen_value(old, value) if old is not None and is_changed else value


def _tell_carried(run: Run, activation: Activation, at: ir.Site, states: tuple[State, State, State]) -> None:
    """Report what the rounds of a loop hand on: by what it was before, what it is in any round, and what a round leaves."""
    before, during, after = states
    found = [
        (each, during.variables[each], after.variables[each]) for each in during.variables if each in after.variables
    ]
    for variable, value, last in found:
        first = before.variables.get(variable)
        if first is not None and first is not value and last is not value and variable.name:
            run.emit(Carried(at, activation.code, activation.context, after.facts, value, first, last))
            ways = [state.read_fields(each) for state, each in zip(states, (first, value, last), strict=True)]
            for key in ways[1]:
                one, each, last_one = (way.get(key) for way in ways)
                if value.term not in before.heap and one is not each and one and each and last_one:
                    run.emit(Carried(at, activation.code, activation.context, after.facts, each, one, last_one))
    for owner, held in during.heap.items():
        mine, theirs = before.heap.get(owner), after.heap.get(owner)
        if mine is None or theirs is None or mine is held or theirs is held:
            continue
        for key, value in held.items():
            one, last_one = mine.get(key), theirs.get(key)
            if one is not None and last_one is not None and one is not value and last_one is not value:
                run.emit(Carried(at, activation.code, activation.context, after.facts, value, one, last_one))


def _widen_value(old: Value, value: Value) -> Value:
    return value._replace(interval=old.interval.widen(value.interval), constants=None, meaning=None)


def _block(run: Run, activation: Activation, state: State, statement: ir.Block) -> State | None:
    activation.blocks.append(Left(statement.label, activation.context))
    end = execute(run, activation, statement.body, state)
    activation.blocks.pop()
    exits = activation.exits.pop(statement.label, [])
    return _join_branches((activation.code, statement.at), [*([end] if end is not None else []), *exits])


def _join_branches(place: Term, states: list[State]) -> State | None:
    """Return the state where some come together of which no test of the code tells which it was, None if there is none.

    All that differs is then of one of them: a text goes with the flag that was set with it.
    """
    if not states:
        return None
    found = states[-1]
    for number, each in enumerate(reversed(states[:-1])):
        met = join_states((place, number), [each, found], Value(("came", place, number)), are_left=True)
        assert met is not None
        found = met
    return found


def _break(run: Run, activation: Activation, state: State, statement: ir.Break) -> None:
    block = next((each for each in activation.blocks if each.label is statement.label), None)
    if block is None:
        leave_at_length(run, activation, state)
    elif activation.context is not None:
        inner = takewhile(lambda each: each is not block.context, activation.context.iter_outwards())
        block.tests += [each for each in inner if each.condition == "test"]
    activation.exits.setdefault(statement.label, []).append(state)


def _continue(run: Run, activation: Activation, state: State, statement: ir.Continue) -> None:
    activation.resumed.setdefault(statement.label, []).append(state)


def _with(run: Run, activation: Activation, state: State, statement: ir.With) -> State | None:
    manager = evaluate(run, activation, state, statement.manager)
    at = statement.manager.at
    entering: Operator = "async enter" if statement.is_async else "enter"
    leaving: Operator = "async exit" if statement.is_async else "exit"
    if manager.awaits is not None:
        manager = wait(run, activation, state, manager, at) or manager
    entered = run_manager(run, activation, state, at, manager, entering)
    state.variables[statement.target] = find_managed_value(manager, state, statement.at) if entered is None else entered
    if statement.is_async and entered is None:
        run.emit(
            Awaited(statement.at, activation.code, activation.context, state.facts, with_held_labels(manager, state))
        )
    types = find_taken_types(run, activation, state, statement.at, manager, leaving)
    before = state.copy()
    outer, activation.raised = activation.raised, []
    around = activation.context
    inside = activation.context = activation.build_context("manager", statement.at, value=manager, types=types)
    end = execute(run, activation, statement.body, state)
    takes = bool(types) or is_entered_beside(activation.context, inside)
    activation.context = around
    raised, activation.raised = activation.raised, outer
    points = [before, *(point for _, point in raised)]
    kept = _run_suppressed(run, activation, points, statement, manager, takes=takes)
    activation.raised += raised
    activation.context = activation.build_context("always", statement.at)
    run_manager(run, activation, end if end is not None else before.copy(), at, manager, leaving)
    activation.context = around
    return join_states(
        (activation.code, statement.at),
        [each for each in (kept, end) if each is not None],
        _test_taken(activation.code, statement),
    )


def _test_taken(code: ir.Code, clause: ir.Catch | ir.With | ir.Try | Context) -> Value:
    """Return the test whether a clause, or a manager, took what was raised."""
    return Value(("taken", code, clause.at))


def _run_suppressed(
    run: Run, activation: Activation, points: list[State], statement: ir.With, manager: Value, *, takes: bool
) -> State | None:
    """Return the state after a manager that took what was raised at one of some points, None if it takes nothing."""
    leaving: Operator = "async exit" if statement.is_async else "exit"
    is_of_project = find_manager_methods(run, points[0], manager, leaving) is not None
    if not takes and not is_of_project:
        return None
    start = join_states((activation.code, statement.at, "raised"), [each.copy() for each in points])
    if start is None:
        return None
    start.learn(_test_taken(activation.code, statement).term, truth=True)
    if not is_of_project:
        return start
    value = build_raised(activation.code, statement.at)
    around = activation.context
    activation.context = activation.build_context("handles", statement.at, value=value)
    start.learn(value.term, present=True)
    found = run_manager(run, activation, start, statement.manager.at, manager, leaving, value)
    activation.context = around
    return start if found is not None and refine(start, found, True) else None


def _try(run: Run, activation: Activation, state: State, statement: ir.Try) -> State | None:
    around = activation.context
    clauses = [tuple(evaluate(run, activation, state, kind) for kind in each.types) for each in statement.catches]
    types = tuple(kind for each in clauses for kind in each)
    before = state.copy()
    for each in statement.catches:
        state.learn(_test_taken(activation.code, each).term, truth=False)
    outer, activation.raised = activation.raised, []
    drops = any(isinstance(each, ir.Return) for each in statement.always)  # whatever was raised
    ensured = around
    if statement.always:
        ensured = activation.build_context("ensures", statement.at, types=(ANYTHING,) if drops else ())
    activation.context = ensured
    if statement.catches:
        types = types if all(clauses) else ()
        activation.context = activation.build_context("catches", statement.at, types=types)
    end = execute(run, activation, statement.body, state)
    activation.context = ensured
    raised, activation.raised = activation.raised, outer
    leaving = raised if not statement.catches else [each for each in raised if lets_pass(run.program, each[0], types)]
    activation.raised += leaving if not drops else ()
    after = execute(run, activation, statement.otherwise, end)
    supposed = next((each for each in statement.catches if run.taking == CodePlace(activation.code, each.at)), None)
    is_sure = not raised and bool(activation.sure) and all(_is_sure(activation, each) for each in statement.body)
    for number, each in enumerate(statement.catches):
        if supposed not in (None, each):
            continue
        if is_sure:
            run.leave_out(each.body)
            continue
        taken = [point for point in raised if not lets_pass(run.program, point[0], clauses[number])]
        if end is None and raised and not taken:
            continue
        points = [before.copy(), *([end.copy()] if end is not None else []), *(point.copy() for _, point in taken)]
        start = join_states((activation.code, each.at, number), points)
        assert start is not None
        start.learn(_test_taken(activation.code, each).term, truth=True)
        handled = _run_catch(
            run, activation, start, statement, each, [value for value, _ in taken if value is not None]
        )
        alive = [found for found in (handled, None if supposed else after) if found is not None]
        after = join_states((activation.code, each.at), alive, _test_taken(activation.code, each))
    activation.context = around
    if drops:
        dropped = join_states(
            (activation.code, statement.at, "raised"), [before.copy(), *(each.copy() for _, each in leaving)]
        )
        assert dropped is not None
        dropped.learn(_test_taken(activation.code, statement).term, truth=True)
        ends = [dropped, *([after] if after is not None else [])]
        after = join_states((activation.code, statement.at), ends, _test_taken(activation.code, statement))
    if statement.always:
        activation.context = activation.build_context("always", statement.at)
        last = execute(run, activation, statement.always, after if after is not None else before)
        activation.context = around
        after = last if after is not None else None
    if supposed is not None:
        activation.context = activation.build_context(
            "handles", supposed.at, types=clauses[statement.catches.index(supposed)]
        )
    return after


def _is_sure(activation: Activation, statement: ir.Statement) -> bool:
    """Return whether a statement certainly raises nothing: it binds names, or calls functions that cannot fail there."""
    if isinstance(statement, ir.Call):
        return statement.at in activation.sure
    parts = ir.iter_expressions(statement) if isinstance(statement, ir.Assign | ir.Evaluate | ir.Return) else None
    return parts is not None and all(isinstance(each, ir.Constant | ir.Read | ir.Global) for each in parts)


def _run_catch(
    run: Run, activation: Activation, state: State, tried: ir.Try, catch: ir.Catch, raised: list[Value]
) -> State | None:
    labels = frozenset((Label("exception"),)).union(*(each.labels for each in raised))
    value = build_unknown("only a run tells what is raised", ("caught", activation.code, catch.at), labels)
    kinds = tuple(evaluate(run, activation, state, each) for each in catch.types)
    if catch.variable is not None:
        state.variables[catch.variable] = value
    around = activation.context
    head = ir.Site(catch.types[0].at.start, catch.types[-1].at.end) if catch.types else catch.at
    run.emit(Caught(catch.at, activation.code, around, state.facts, tried.at, head, value, kinds))
    activation.context = activation.build_context("handles", catch.at, value=value, types=kinds)
    end = execute(run, activation, catch.body, state)
    activation.context = around
    return end


def _return(run: Run, activation: Activation, state: State, statement: ir.Return) -> None:
    value = evaluate(run, activation, state, statement.value)
    if statement.error is not None:
        value = _convert_failure(run, activation, state, statement.at, statement.error, value)
    told = show_value(value, state)
    given = statement.value.at
    run.emit(Returned(statement.at, activation.code, activation.context, state.facts, told, given))
    activation.returns.append((_evaluate_failing(value, activation.context), state, activation.context))


def _convert_failure(
    run: Run, activation: Activation, state: State, at: ir.Site, error: ir.TypeName, value: Value
) -> Value:
    """Return a failure as the error that code of the project makes of why it failed, itself if none does."""
    reason = find_reason(value, state)
    kinds = [each for each in reason.things if isinstance(each, Instance)]
    method = run.program.find_conversion(kinds[0], error, activation.code) if len(kinds) == 1 else None
    made = run.call_value(activation, state, at, method, None, "", Given((reason,))) if method is not None else None
    if made is None:
        return value
    return Value(
        ("failure", made.term), value.labels | made.labels, interval=NO_NUMBER, failure=show_value(made, state)
    )


def _evaluate_failing(value: Value, context: Context | None) -> Value:
    """Return the result of a value that is known to have failed, such as that of `?`: its failure alone."""
    if context is None or context.value is None or not isinstance(value.meaning, ConditionalValue):
        return value
    test, holds = strip_negations(context.value, context.holds)
    if holds or not isinstance(test.meaning, Relation) or test.meaning.operator != "succeeds":
        return value
    failures = [each for each in (value.meaning.then, value.meaning.otherwise) if each.failure is not None]
    return failures[0] if test.meaning.left.term == value.term and len(failures) == 1 else value


def _raise(run: Run, activation: Activation, state: State, statement: ir.Raise) -> None:
    value = evaluate(run, activation, state, statement.value) if statement.value is not None else None
    if statement.cause is not None:
        evaluate(run, activation, state, statement.cause)
    told = show_value(value, state) if value is not None else None
    run.emit(Raised(statement.at, activation.code, activation.context, state.facts, told))
    activation.raised.append((value, state))


_STATEMENTS: dict[type[ir.Statement], Callable[..., State | None]] = {
    ir.Assign: _assign,
    ir.Store: _store,
    ir.Append: _append,
    ir.Delete: _delete,
    ir.Evaluate: _evaluate,
    ir.Yield: _yield,
    ir.Call: call,
    ir.Await: lambda run, activation, state, statement: _await(run, activation, state, statement),
    ir.If: _run_if,
    ir.Loop: _run_loop,
    ir.Block: _block,
    ir.Break: _break,
    ir.Continue: _continue,
    ir.With: _with,
    ir.Try: _try,
    ir.Return: _return,
    ir.Raise: _raise,
}


def _await(run: Run, activation: Activation, state: State, statement: ir.Await) -> State | None:
    operand = evaluate(run, activation, state, statement.operand)
    value = wait(run, activation, state, operand, statement.at)
    if value is None:
        return None
    state.variables[statement.target] = value
    return state
