"""What an expression gives, each kind of it."""

from collections.abc import Callable

from reviewer.code import ir
from reviewer.languages.typescript.evaluation import builtin, operators
from reviewer.languages.typescript.evaluation.activations import TsActivation
from reviewer.languages.typescript.evaluation.evaluator import Evaluator
from reviewer.languages.typescript.evaluation.values import (
    NULL,
    ONLY_A_RUN,
    UNDEFINED,
    Above,
    Arr,
    Cls,
    Const,
    Env,
    Func,
    Lib,
    Maybe,
    Obj,
    TsMade,
    TsUnknown,
    TsValue,
    strip_conditions,
)
from reviewer.languages.typescript.lowering.expressions import GETTER
from reviewer.languages.typescript.lowering.files import TypeScriptCode
from reviewer.languages.typescript.project.modules import Imported


def evaluate(run: Evaluator, activation: TsActivation, expression: ir.Expression) -> TsValue:
    """Return the value of an expression."""
    return _EXPRESSIONS[type(expression)](run, activation, expression)


def _evaluate_constant(run: Evaluator, activation: TsActivation, expression: ir.Constant) -> TsValue:
    value = expression.value
    if value is None:
        return NULL
    return (
        Const(value, activation.locate(expression))
        if isinstance(value, str | int | float | bool)
        else TsUnknown(ONLY_A_RUN)
    )


def _evaluate_read(run: Evaluator, activation: TsActivation, expression: ir.Read) -> TsValue:
    env = activation.env.find(expression.variable)
    if env is not None:
        return env.held[expression.variable]
    return (
        UNDEFINED
        if not expression.variable.name
        else TsUnknown("nothing is seen to assign it", activation.locate(expression))
    )


def _evaluate_global(run: Evaluator, activation: TsActivation, expression: ir.Global) -> TsValue:
    name = expression.path[0]
    if name == "undefined":
        return UNDEFINED
    if name == "this":
        return activation.env.this or TsUnknown(ONLY_A_RUN, activation.locate(expression))
    if name == "super":
        home = activation.env.home
        return Above(home.base if home is not None else None, activation.env.this)
    module = activation.env.module
    return run.evaluate_name(name, module) if module is not None else Lib("", (name,))


def _evaluate_import(run: Evaluator, activation: TsActivation, expression: ir.Import) -> TsValue:
    module = activation.env.module
    return (
        run.evaluate_import(Imported(expression.module, expression.name), module)
        if module is not None
        else TsUnknown(ONLY_A_RUN)
    )


def _evaluate_field(run: Evaluator, activation: TsActivation, expression: ir.Field) -> TsValue:
    return run.read(run.evaluate(activation, expression.owner), expression.name, activation.locate(expression))


def _evaluate_item(run: Evaluator, activation: TsActivation, expression: ir.Item) -> TsValue:
    owner, key = run.evaluate(activation, expression.owner), run.evaluate(activation, expression.key)
    return builtin.read_item(run, owner, key, activation.locate(expression))


def _evaluate_slice(run: Evaluator, activation: TsActivation, expression: ir.Slice) -> TsValue:
    owner = strip_conditions(run.evaluate(activation, expression.owner))
    low = run.evaluate(activation, expression.low) if expression.low is not None else None
    start = low.value if isinstance(low, Const) and isinstance(low.value, int) else 0
    if isinstance(owner, Arr):
        return Arr(owner.items[start:], activation.locate(expression), owner.hidden, run.conditions)
    return TsUnknown(ONLY_A_RUN, activation.locate(expression))


def _evaluate_arithmetic(run: Evaluator, activation: TsActivation, expression: ir.Arithmetic) -> TsValue:
    left, right = run.evaluate(activation, expression.left), run.evaluate(activation, expression.right)
    return operators.combine(expression.operator, left, right, activation.locate(expression))


def _evaluate_comparison(run: Evaluator, activation: TsActivation, expression: ir.Comparison) -> TsValue:
    left, right = run.evaluate(activation, expression.left), run.evaluate(activation, expression.right)
    return operators.compare(expression.operator, left, right, activation.locate(expression))


def _evaluate_not(run: Evaluator, activation: TsActivation, expression: ir.Not) -> TsValue:
    value = run.evaluate(activation, expression.operand)
    truth = operators.find_truth(value)
    return Const(not truth) if truth is not None else TsUnknown(ONLY_A_RUN, activation.locate(expression))


def _evaluate_kind_test(run: Evaluator, activation: TsActivation, expression: ir.IsKind) -> TsValue:
    operand = run.evaluate(activation, expression.operand)
    kind = run.evaluate(activation, expression.kind) if not _is_typeof(expression.kind) else None
    name = expression.kind.path[1] if isinstance(expression.kind, ir.Global) and kind is None else ""
    return operators.test_kind(operand, kind, name, activation.locate(expression))


def _is_typeof(kind: ir.Expression) -> bool:
    return isinstance(kind, ir.Global) and len(kind.path) == 2 and kind.path[0] == "typeof"


def _evaluate_interpolation(run: Evaluator, activation: TsActivation, expression: ir.Interpolation) -> TsValue:
    return operators.concatenate(
        [run.evaluate(activation, each) for each in expression.parts], activation.locate(expression)
    )


def _evaluate_sequence(run: Evaluator, activation: TsActivation, expression: ir.Sequence) -> TsValue:
    made = Arr([], activation.locate(expression), conditions=run.conditions)
    for each in expression.elements:
        if isinstance(each, ir.Spread):
            value = run.evaluate(activation, each.operand)
            items, hidden = builtin.list_items(run, value, activation.locate(each))
            made.items += [Maybe(item, conditions) if conditions else item for conditions, item in items]
            made.hidden = made.hidden or hidden
        else:
            made.items.append(run.evaluate(activation, each))
    return made


def _evaluate_record(run: Evaluator, activation: TsActivation, expression: ir.Record) -> TsValue:
    place = activation.locate(expression)
    made = Obj({}, place, conditions=run.conditions)
    for key, each in expression.entries:
        if key is None:
            operand = each.operand if isinstance(each, ir.Spread) else each
            builtin.spread_into(run, made, run.evaluate(activation, operand), activation.locate(each))
            continue
        name = strip_conditions(run.evaluate(activation, key))
        if isinstance(each, ir.Unknown) and each.reason == GETTER and each.parts:
            value: TsValue = TsMade(Lib("", (GETTER,)), (run.evaluate(activation, each.parts[0]),), place)
        else:
            value = run.evaluate(activation, each)
        if isinstance(name, Const) and name.value is not None:
            made.entries[operators.to_string(name.value)] = value
        else:
            made.hidden = made.hidden or "it has a key that only a run tells"
    return made


def _evaluate_closure(run: Evaluator, activation: TsActivation, expression: ir.Closure) -> TsValue:
    code = expression.code
    assert isinstance(code, TypeScriptCode)
    if code.kind == "class":
        return _make_class(run, activation, code)
    return Func(code, activation.env)


def _make_class(run: Evaluator, activation: TsActivation, code: TypeScriptCode) -> TsValue:
    base = run.evaluate(activation, code.bases[0].value) if code.bases else None
    env = Env(around=activation.env, module=activation.env.module)
    cls = Cls(code, env, strip_conditions(base) if base is not None else None)
    env.this, env.home = cls, cls
    if code.name and (variable := code.scope.find(code.name)) is not None:
        holder = activation.env.find(variable) or activation.env
        holder.held.setdefault(variable, cls)
    inner = TsActivation(code, env)
    for each in code.body:
        if isinstance(each, ir.Assign) and each.target.name:
            value = run.evaluate(inner, each.value)
            if isinstance(value, Func) and value.code.role:
                value.home = cls
            cls.members[each.target.name] = value
        else:
            run.run_body(inner, (each,))
    return cls


def _cast(run: Evaluator, activation: TsActivation, expression: ir.Cast) -> TsValue:
    return builtin.cast(
        run, run.evaluate(activation, expression.operand), expression.kind, activation.locate(expression)
    )


def _evaluate_unknown(run: Evaluator, activation: TsActivation, expression: ir.Expression) -> TsValue:
    for each in ir.iter_operands(expression):
        run.evaluate(activation, each)
    return TsUnknown(ONLY_A_RUN, activation.locate(expression))


_EXPRESSIONS: dict[type, Callable[..., TsValue]] = {
    ir.Constant: _evaluate_constant,
    ir.Read: _evaluate_read,
    ir.Global: _evaluate_global,
    ir.Import: _evaluate_import,
    ir.Field: _evaluate_field,
    ir.Item: _evaluate_item,
    ir.Slice: _evaluate_slice,
    ir.Length: _evaluate_unknown,
    ir.Range: _evaluate_unknown,
    ir.Arithmetic: _evaluate_arithmetic,
    ir.Comparison: _evaluate_comparison,
    ir.Not: _evaluate_not,
    ir.IsPresent: _evaluate_unknown,
    ir.Succeeds: _evaluate_unknown,
    ir.ResultOf: _evaluate_unknown,
    ir.IsKind: _evaluate_kind_test,
    ir.Failure: _evaluate_unknown,
    ir.ReasonOf: _evaluate_unknown,
    ir.Interpolation: _evaluate_interpolation,
    ir.Sequence: _evaluate_sequence,
    ir.Spread: _evaluate_unknown,
    ir.Record: _evaluate_record,
    ir.Closure: _evaluate_closure,
    ir.Cast: _cast,
    ir.Unknown: _evaluate_unknown,
}
