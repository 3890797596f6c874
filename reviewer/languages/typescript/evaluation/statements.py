"""What a statement does, each kind of it. Where a test cannot be told, both branches are run."""

from collections.abc import Callable, Sequence

from reviewer.budget import REASONS, get_budget
from reviewer.code import ir
from reviewer.facts import Condition
from reviewer.languages.typescript.evaluation import builtin, operators
from reviewer.languages.typescript.evaluation.activations import TsActivation, TsLeaving, Written
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    ONLY_A_RUN,
    UNDEFINED,
    Const,
    Env,
    Maybe,
    Obj,
    TsPlace,
    TsUnknown,
    TsValue,
    join,
    strip_conditions,
)

MOST_ITERATIONS = 400
"""Rounds of a loop. Tables of tools have tens."""
TOO_LONG = REASONS["steps"]


def run_body(run: Evaluator, activation: TsActivation, body: ir.Body) -> TsLeaving | None:
    """Run some statements; return how they were left, None if they came to their end."""
    for each in body:
        leaving = _STATEMENTS[type(each)](run, activation, each)
        if leaving is not None:
            return leaving
    return None


# Branches and loops.


def _run_branch(
    run: Evaluator, activation: TsActivation, body: ir.Body, condition: Condition
) -> tuple[Written, TsLeaving | None]:
    """Run a body that may be run or not; return what it wrote, which is taken back, and how it was left."""
    outer, run.written = run.written, {}
    before, pushed = run.conditions, list(activation.pushed)
    run.conditions = (*before, condition)
    try:
        leaving = run.run_body(activation, body)
    finally:
        written, run.written = run.written, outer
        run.conditions, activation.pushed = before, pushed
        for (_, variable), (env, old, _) in written.items():
            if old is None:
                env.held.pop(variable, None)
            else:
                env.held[variable] = old
    return written, leaving


def _merge(run: Evaluator, ways: Sequence[tuple[Written, tuple[Condition, ...]]]) -> None:
    """Let each variable hold what one of several ways gave it, or what it held before."""
    keys: dict[tuple[int, ir.Variable], Env] = {}
    for written, _ in ways:
        keys.update({key: env for key, (env, _, _) in written.items()})
    for key, env in keys.items():
        variable = key[1]
        now = env.held.get(variable)
        options = [
            (conditions, written[key][2] if key in written else now)
            for written, conditions in ways
            if key in written or now is not None
        ]
        told = [(conditions, each) for conditions, each in options if each is not None]
        if told:
            run.assign(env, variable, join(told))


def _run_if(run: Evaluator, activation: TsActivation, statement: ir.If) -> TsLeaving | None:
    """Run one branch, or both if the test cannot be told."""
    value = run.evaluate(activation, statement.test)
    truth = operators.find_truth(value)
    if truth is not None:
        return run.run_body(activation, statement.then if truth else statement.otherwise)
    place = activation.locate(statement.test)
    holds, fails = _build_branch_conditions(place, statement.test)
    one, left = _run_branch(run, activation, statement.then, holds)
    other, left_else = _run_branch(run, activation, statement.otherwise, fails)
    ways = [(one, holds, left), (other, fails, left_else)]
    staying = [(written, (condition,)) for written, condition, leaving in ways if leaving is None]
    for written, condition, leaving in ways:
        if leaving is not None and leaving.kind == "break" and leaving.label is not None:
            activation.exits.setdefault(leaving.label, []).append((written, (condition,)))
    if not staying:
        return left if left is not None and left.kind != "raise" else left_else
    _merge(run, staying)
    if len(staying) == 1:
        away = left if left is not None else left_else
        kept = fails if left is not None else holds
        if away is not None and away.kind != "raise":
            label = away.label if away.kind in ("break", "continue") else None
            run.conditions = (*run.conditions, kept)
            activation.pushed.append((label, kept))
    return None


def _close(run: Evaluator, activation: TsActivation, label: ir.JumpLabel, *, goes_on: bool = True) -> None:
    """End what held only inside a statement that has ended, and take in what left it before.

    `goes_on` tells that control may come to its end as well.
    """
    ended = [condition for each, condition in activation.pushed if each is label]
    if ended:
        run.conditions = tuple(each for each in run.conditions if each not in ended)
        activation.pushed = [each for each in activation.pushed if each[0] is not label]
    exits = activation.exits.pop(label, [])
    if exits:
        fails = tuple(_negate(each) for _, conditions in exits for each in conditions)
        _merge(run, [*exits, ({}, fails)] if goes_on else exits)


def _run_loop(run: Evaluator, activation: TsActivation, statement: ir.Loop) -> TsLeaving | None:
    """Run the rounds of a loop, as far as they can be told."""
    if statement.over is None:
        return _run_while(run, activation, statement)
    over = run.evaluate(activation, statement.over)
    place = activation.locate(statement.over)
    items, hidden = builtin.list_items(run, over, place)
    for number, (conditions, each) in enumerate(items):
        if number >= MOST_ITERATIONS:
            hidden = "there are too many rounds"
            break
        with run.with_conditions(conditions):
            leaving = _round(run, activation, statement, each)
        if leaving is not None and leaving.kind == "break" and leaving.label is statement.label:
            hidden = ""
            break
        if leaving is not None and not (leaving.kind == "continue" and leaving.label is statement.label):
            _close(run, activation, statement.label)
            return leaving
    if hidden:
        condition = Condition(f"each of `{place.text}`", place.span)
        written, leaving = _run_branch_round(run, activation, statement, TsUnknown(hidden, place), condition)
        nothing: Written = {}
        _merge(run, [(written, (condition,)), (nothing, ())])
    _close(run, activation, statement.label)
    return None


def _round(run: Evaluator, activation: TsActivation, statement: ir.Loop, element: TsValue) -> TsLeaving | None:
    if statement.element is not None:
        activation.env.held[statement.element] = element
    leaving = run.run_body(activation, statement.body)
    ended = [condition for label, condition in activation.pushed if label is statement.label]
    run.conditions = tuple(each for each in run.conditions if each not in ended)
    activation.pushed = [each for each in activation.pushed if each[0] is not statement.label]
    return leaving


def _run_branch_round(
    run: Evaluator, activation: TsActivation, statement: ir.Loop, element: TsValue, condition: Condition
) -> tuple[Written, TsLeaving | None]:
    if statement.element is not None:
        activation.env.held[statement.element] = element
    return _run_branch(run, activation, statement.body, condition)


def _run_while(run: Evaluator, activation: TsActivation, statement: ir.Loop) -> TsLeaving | None:
    for _ in range(MOST_ITERATIONS):
        known = len(activation.exits.get(statement.label, ()))
        leaving = _round(run, activation, statement, UNDEFINED)
        if leaving is not None and leaving.kind == "break" and leaving.label is statement.label:
            break
        if leaving is not None and not (leaving.kind == "continue" and leaving.label is statement.label):
            _close(run, activation, statement.label)
            return leaving
        if len(activation.exits.get(statement.label, ())) != known:
            break  # nobody can tell whether there is another round
    _close(run, activation, statement.label)
    return None


def _build_branch_conditions(place: TsPlace, test: ir.Expression) -> tuple[Condition, Condition]:
    """Return the conditions in the two branches of a test."""
    text = " ".join(place.text.split())
    inner, is_negated = test, False
    while isinstance(inner, ir.Not):
        inner, is_negated = inner.operand, not is_negated
    span = place.span
    if is_negated and not text.startswith("!") and "!=" not in text:
        return Condition(f"!({text})", span), Condition(text, span)
    return Condition(text, span), Condition(f"!({text})", span)


def _negate(condition: Condition) -> Condition:
    text = condition.text
    turned = text[2:-1] if text.startswith("!(") and text.endswith(")") else f"!({text})"
    return Condition(turned, condition.span)


# Every kind of statement.


def _run_assign(run: Evaluator, activation: TsActivation, statement: ir.Assign) -> None:
    run.assign(activation.env, statement.target, run.evaluate(activation, statement.value))


def _run_store(run: Evaluator, activation: TsActivation, statement: ir.Store) -> None:
    value = run.evaluate(activation, statement.value)
    match statement.place:
        case ir.Field(owner=owner, name=name):
            run.write(run.evaluate(activation, owner), name, value)
        case ir.Item(owner=owner, key=key):
            told = strip_conditions(run.evaluate(activation, key))
            where = run.evaluate(activation, owner)
            if isinstance(told, Const) and told.value is not None:
                run.write(where, operators.to_string(told.value), value)
            elif isinstance(where, Obj):
                where.hidden = where.hidden or "it has a key that only a run tells"
        case ir.Global(path=(name,)):
            module = activation.env.module
            variable = module.code.scope.variables.get(name) if module is not None else None
            if module is not None and variable is not None:
                run.assign(run.evaluate_module(module), variable, value)


def _run_call(run: Evaluator, activation: TsActivation, statement: ir.Call) -> None:
    place = activation.locate(statement)
    callee = statement.callee
    owner = run.evaluate(activation, callee.owner) if isinstance(callee, ir.Field) else None
    function = run.evaluate(activation, callee) if owner is None else None
    args: list[TsValue] = []
    hidden = ""
    for each in statement.arguments:
        if isinstance(each.value, ir.Spread):
            items, reason = builtin.list_items(run, run.evaluate(activation, each.value.operand), place)
            args += [item for _, item in items]
            hidden = hidden or reason
        else:
            args.append(run.evaluate(activation, each.value))
    if not get_budget().affords("steps"):
        run.cut.setdefault(activation.code.source.path, place)
        result: TsValue = TsUnknown(TOO_LONG, place)
    elif hidden and function is None and not args:
        result = TsUnknown(hidden, place)
    elif owner is not None and isinstance(callee, ir.Field):
        result = run.call_method(owner, callee.name, args, place)
    else:
        assert function is not None
        result = run.call(function, args, place)
    activation.env.held[statement.target] = result


def _run_await(run: Evaluator, activation: TsActivation, statement: ir.Await) -> None:
    activation.env.held[statement.target] = run.evaluate(activation, statement.operand)


def _run_yield(run: Evaluator, activation: TsActivation, statement: ir.Yield) -> None:
    run.evaluate(activation, statement.value)
    activation.env.held[statement.target] = TsUnknown(ONLY_A_RUN)


def _run_evaluate(run: Evaluator, activation: TsActivation, statement: ir.Evaluate) -> None:
    run.evaluate(activation, statement.value)


def _run_delete(run: Evaluator, activation: TsActivation, statement: ir.Delete) -> None:
    match statement.place:
        case ir.Field(owner=where, name=name):
            key: TsValue = Const(name)
        case ir.Item(owner=where, key=told):
            key = strip_conditions(run.evaluate(activation, told))
        case _:
            return
    owner = run.evaluate(activation, where)
    if isinstance(owner, Obj) and isinstance(key, Const):
        is_sure = all(each in owner.conditions for each in run.conditions)
        name = operators.to_string(key.value)
        if is_sure:
            owner.entries.pop(name, None)
        elif name in owner.entries:
            owner.entries[name] = Maybe(owner.entries[name], tuple(_negate(each) for each in run.conditions[-1:]))


def _run_block(run: Evaluator, activation: TsActivation, statement: ir.Block) -> TsLeaving | None:
    leaving = run.run_body(activation, statement.body)
    exits = list(activation.exits.get(statement.label, ()))
    ends_elsewhere = leaving is not None and leaving.label is not statement.label
    _close(run, activation, statement.label, goes_on=not ends_elsewhere)
    if not ends_elsewhere:
        return None
    if exits and leaving is not None and leaving.kind == "return":
        kept = exits[0][1][-1]
        run.conditions = (*run.conditions, kept)
        activation.pushed.append((None, kept))
    return None if exits else leaving


def _run_return(run: Evaluator, activation: TsActivation, statement: ir.Return) -> TsLeaving:
    value = run.evaluate(activation, statement.value)
    told = tuple(each for each in run.conditions if each not in activation.start)
    activation.returns.append((told, value))
    return TsLeaving("return")


def _run_raise(run: Evaluator, activation: TsActivation, statement: ir.Raise) -> TsLeaving:
    if statement.value is not None:
        run.evaluate(activation, statement.value)
    return TsLeaving("raise")


def _run_try(run: Evaluator, activation: TsActivation, statement: ir.Try) -> TsLeaving | None:
    leaving = run.run_body(activation, statement.body)
    if leaving is not None and leaving.kind == "raise" and statement.catches:
        catch = statement.catches[0]
        if catch.variable is not None:
            activation.env.held[catch.variable] = TsUnknown(ONLY_A_RUN)
        leaving = run.run_body(activation, catch.body)
    last = run.run_body(activation, statement.always)
    return last if last is not None else leaving


_STATEMENTS: dict[type, Callable[..., TsLeaving | None]] = {
    ir.Assign: _run_assign,
    ir.Store: _run_store,
    ir.Call: _run_call,
    ir.Await: _run_await,
    ir.Yield: _run_yield,
    ir.Evaluate: _run_evaluate,
    ir.Delete: _run_delete,
    ir.If: _run_if,
    ir.Loop: _run_loop,
    ir.Block: _run_block,
    ir.Break: lambda run, activation, statement: TsLeaving("break", statement.label),
    ir.Continue: lambda run, activation, statement: TsLeaving("continue", statement.label),
    ir.Return: _run_return,
    ir.Raise: _run_raise,
    ir.Try: _run_try,
}
