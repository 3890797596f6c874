"""Statements: what a body binds, and what it returns."""

from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from reviewer.budget import ExhaustedError
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.declarations import handlers, revisions
from reviewer.languages.python.evaluation import assumptions, definitions, imports, loops, models
from reviewer.languages.python.evaluation.branching import evaluate_test, execute_branches, join_outcomes
from reviewer.languages.python.evaluation.comparisons import equal
from reviewer.languages.python.evaluation.containers import extend
from reviewer.languages.python.evaluation.evaluator import BlockOutcome, Evaluator
from reviewer.languages.python.evaluation.iterations import is_closed, list_known_elements
from reviewer.languages.python.evaluation.operators import combine
from reviewer.languages.python.evaluation.possible_values import join_alternatives
from reviewer.languages.python.evaluation.targets import bind
from reviewer.languages.python.evaluation.values import (
    Const,
    External,
    Method,
    PyInstance,
    PyItems,
    PyMapping,
    PyScope,
    PyUnknown,
    PyValue,
)
from reviewer.source import Span


def execute(run: Evaluator, block: list[Node], scope: PyScope) -> BlockOutcome:
    """Execute statements in order. After a branch that may have left, the rest stands under the branch's contrary."""
    outcome = BlockOutcome([])
    for index, node in enumerate(block):
        if run.exhausted:
            run.stop_evaluation("steps", node, scope)
            break
        step = _build_safely(run, node, scope) if scope.parent is None else _execute_one(run, node, scope)
        if step.ended or not step.is_undecided:
            outcome.assumed = step.assumed if not outcome.values else None
            outcome.values += step.values
        if step.ended:
            outcome.ended, outcome.broke = True, step.broke
            break
        if step.is_undecided and _may_leave(node):
            test = find_child(node, "condition")
            if _refuses(node):
                outcome.values += step.values
                continue
            if test is not None:
                with run.with_conditions(run.build_condition("unless", test, scope)):
                    rest = execute(run, block[index + 1 :], scope)
                both = join_outcomes(step, rest, step.likely, step.assumed)
                earlier = bool(outcome.values)
                left = None if earlier else both.assumed
                return BlockOutcome(outcome.values + both.values, rest.ended, rest.broke, assumed=left)
        elif step.is_undecided:
            outcome.values += step.values
    return outcome


def _build_safely(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute a statement of a module; one that nests too deep for Python itself is left out and named."""
    try:
        return _execute_one(run, node, scope)
    except ExhaustedError as error:
        run.stop_evaluation(error.resource, node, scope)
        return BlockOutcome([])
    except RecursionError:
        run.stop_evaluation("steps", node, scope)
        return BlockOutcome([])


def _may_leave(node: Node) -> bool:
    last = _find_last(node)
    return last is not None and last.type in ("return_statement", "raise_statement", "continue_statement")


def _refuses(node: Node) -> bool:
    """Return whether a branch is a refusal: a server that starts has never taken it, so the rest is unconditional."""
    last = _find_last(node)
    return last is not None and last.type == "raise_statement"


def _find_last(node: Node) -> Node | None:
    body = find_child(node, "consequence")
    return list_children(body)[-1] if body is not None and list_children(body) else None


def execute_body(run: Evaluator, block: list[Node], scope: PyScope, span: Span) -> PyValue:
    """Execute a function's body and give what it returns."""
    outcome = execute(run, block, scope)
    values = (
        outcome.values if outcome.ended else [*outcome.values, *([Const(None, span)] if not outcome.values else [])]
    )
    if not values:
        return Const(None, span)
    return values[0] if len(values) == 1 else join_alternatives(tuple(values), span, outcome.assumed)


def _execute_one(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    form = FORMS.get(node.type)
    if form is None:
        return BlockOutcome([])
    return form(run, node, scope) or BlockOutcome([])


def _execute_expressions(run: Evaluator, node: Node, scope: PyScope) -> None:
    for part in list_children(node):
        _execute_expression(run, part, scope)


def _return(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    value = (
        run.evaluate(list_children(node)[0], scope) if list_children(node) else Const(None, scope.module.locate(node))
    )
    return BlockOutcome([value], ended=True)


def _leave(_run: Evaluator, node: Node, _scope: PyScope) -> BlockOutcome:
    return BlockOutcome([], ended=True, broke=node.type == "break_statement")


def _execute_expression(run: Evaluator, node: Node, scope: PyScope) -> None:
    if node.type == "assignment":
        _assign(run, node, scope)
    elif node.type == "augmented_assignment":
        _execute_augmented_assignment(run, node, scope)
    elif node.type in ("call", "await", "named_expression", "tuple", "parenthesized_expression"):
        _begin_list(run, node, scope)
        run.evaluate(node, scope)


def _begin_list(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Take what only a run can tell for a list where the source adds to it: `theirs.extend(OWN)`."""
    called = find_child(node, "function") if node.type == "call" else None
    receiver, method = find_child(called, "object"), find_child(called, "attribute")
    if receiver is None or method is None or receiver.type != "identifier" or decode_node(method) not in ADDING:
        return
    held = scope.names.get(decode_node(receiver))
    unknown = (
        held.assumed is None if isinstance(held, PyUnknown) else isinstance(held, Method) and held.function is None
    )
    if held is not None and unknown:
        bind(run, receiver, PyItems("list", [], scope.module.locate(node), True, run.conditions), scope)


# What only lists have.
ADDING = frozenset({"append", "extend"})


def _assign(run: Evaluator, node: Node, scope: PyScope) -> None:
    target, right = find_child(node, "left"), find_child(node, "right")
    if target is None or right is None:
        return
    if right.type == "assignment":
        _assign(run, right, scope)
        inner = find_child(right, "left")
        value = run.evaluate(inner, scope) if inner is not None else run.build_unknown("an assignment", node, scope)
    else:
        value = run.evaluate(right, scope)
    bind(run, target, value, scope)


def _execute_augmented_assignment(run: Evaluator, node: Node, scope: PyScope) -> None:
    target, right, sign = find_child(node, "left"), find_child(node, "right"), find_child(node, "operator")
    if target is None or right is None or sign is None:
        return
    before, more = run.evaluate(target, scope), run.evaluate(right, scope)
    if isinstance(before, PyItems) and decode_node(sign) == "+=":
        extend(run, before, list_known_elements(more))
        before.open |= not is_closed(more)
        return
    if isinstance(before, Method) and decode_node(sign) == "|=":
        handlers.keep_all(run, before, more, scope.module)
        return
    value = combine(before, more, decode_node(sign).removesuffix("="), node, scope)
    known = run.limit_value(value, node, scope) if value is not None else None
    bind(run, target, known or run.build_unknown("a sum that only a run can tell", node, scope), scope)


def _delete(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Execute `del holder[key]`; what is deleted under a condition is there under its contrary."""
    for target in list_children(node):
        receiver, key = find_child(target, "value"), find_child(target, "subscript")
        if target.type != "subscript" or receiver is None or key is None:
            continue
        holder, index = models.open_schema(run, run.evaluate(receiver, scope)), run.evaluate(key, scope)
        revisions.note_deletion(run, holder, decode_node(receiver), index, scope.module.locate(node))
        if isinstance(holder, PyMapping) and run.conditions == holder.under:
            holder.remove(index)


def _execute_global(_run: Evaluator, node: Node, scope: PyScope) -> None:
    """Execute `global` and `nonlocal`: the names are bound in the module, or in the function around."""
    for part in list_children(node):
        name = decode_node(part)
        holder = scope
        while holder.parent is not None and (
            node.type == "global_statement" or holder is scope or name not in holder.names
        ):
            holder = holder.parent
        scope.elsewhere[name] = holder


def _execute_type_alias(run: Evaluator, node: Node, scope: PyScope) -> None:
    left, right = find_child(node, "left"), find_child(node, "right")
    if left is not None and right is not None:
        name = decode_node(left).partition("[")[0]
        span = scope.module.locate(node)
        inner = [Const(name, span), run.evaluate(right, scope)]
        scope.names[name] = PyInstance(External("typing.TypeAliasType", span), inner, {}, span)


def _build_if(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    test, body = find_child(node, "condition"), find_child(node, "consequence")
    if test is None or body is None:
        return BlockOutcome([])
    others = node.children_by_field_name("alternative")
    known, likely, reason = evaluate_test(run, test, scope)
    if known is True:
        return run.execute(list_children(body), scope)
    if known is False:
        return _build_otherwise(run, others, scope)
    unless = run.build_condition("unless", test, scope)

    def refuse() -> BlockOutcome:
        with run.with_conditions(unless):
            return _build_otherwise(run, others, scope)

    outcome = execute_branches(run, test, body, refuse, scope, likely, reason)
    outcome.is_undecided, outcome.likely, outcome.assumed = True, likely, outcome.assumed or reason
    return outcome


def _build_otherwise(run: Evaluator, others: list[Node], scope: PyScope) -> BlockOutcome:
    for index, part in enumerate(others):
        if part.type == "else_clause":
            body = find_child(part, "body")
            return run.execute(list_children(body), scope) if body is not None else BlockOutcome([])
        test, body = find_child(part, "condition"), find_child(part, "consequence")
        if test is None or body is None:
            continue
        known, likely, reason = evaluate_test(run, test, scope)
        if known is False:
            continue
        if known is True:
            return run.execute(list_children(body), scope)
        return execute_branches(
            run, test, body, partial(_build_otherwise, run, others[index + 1 :], scope), scope, likely, reason
        )
    return BlockOutcome([])


def _get_body(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the body of `with`; `with x as y` binds y to what x is."""
    for clause in list_children(node):
        if clause.type == "with_clause":
            for item in list_children(clause):
                _enter(run, item, scope)
    body = find_child(node, "body")
    return run.execute(list_children(body), scope) if body is not None else BlockOutcome([])


def _enter(run: Evaluator, item: Node, scope: PyScope) -> None:
    value = find_child(item, "value")
    if value is None:
        return
    if value.type == "as_pattern" and len(list_children(value)) == 2:
        entered = run.evaluate(list_children(value)[0], scope)
        target = list_children(value)[1]
        if list_children(target):
            bind(run, list_children(target)[0], entered, scope)
    else:
        run.evaluate(value, scope)


def _try(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the body, then what an `except` binds beyond it, then `else` and `finally`."""
    body = find_child(node, "body")
    outcome = run.execute(list_children(body), scope) if body is not None else BlockOutcome([])
    for clause in list_children(node):
        inner = next((part for part in list_children(clause) if part.type == "block"), None)
        if inner is None or clause == body:
            continue
        if clause.type in ("except_clause", "except_group_clause"):
            before = dict(scope.names)
            with run.with_conditions(run.build_condition("except in", clause, scope)):
                outcome.values += run.execute(list_children(inner), scope).values
            scope.names.update({name: value for name, value in before.items() if not isinstance(value, PyUnknown)})
        elif clause.type in ("else_clause", "finally_clause"):
            outcome.values += run.execute(list_children(inner), scope).values
    return outcome


def _match(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the cases that may be meant: the one whose pattern is known to fit, or all that are not known to fail."""
    outcome = BlockOutcome([])
    subject = find_child(node, "subject")
    value = run.evaluate(subject, scope) if subject is not None else None
    for clause in list_children(find_child(node, "body")):
        inner = find_child(clause, "consequence")
        known = _fits(run, clause, value, scope)
        if inner is None or known is False:
            continue
        if known is True:
            step = run.execute(list_children(inner), scope)
            return step if not outcome.values else BlockOutcome(outcome.values + step.values)
        outcome.values += execute_branches(
            run, subject or clause, inner, lambda: BlockOutcome([]), scope, None, None
        ).values
    return outcome


def _fits(run: Evaluator, clause: Node, value: PyValue | None, scope: PyScope) -> bool | None:
    """Return whether a plain pattern fits: a literal, a dotted name, `_`, or several of them."""
    patterns = [part for part in list_children(clause) if part.type == "case_pattern"]
    if len(patterns) != 1 or find_child(clause, "guard") is not None or value is None:
        return None
    inner = list_children(patterns[0])[0] if list_children(patterns[0]) else None
    if inner is None:
        return True if decode_node(patterns[0]) == "_" else None
    parts = list_children(inner) if inner.type == "union_pattern" else [inner]
    answers = [
        _is_same(run, value, run.evaluate(each, scope)) if each.type in FORMS_OF_PATTERNS else None for each in parts
    ]
    return True if True in answers else None if None in answers else False


def _is_same(run: Evaluator, value: PyValue, pattern: PyValue) -> bool | None:
    known = equal(value, pattern)
    return (
        assumptions.decide_comparison(run.supposed.asking, value, pattern, "==")
        if known is None and run.supposed.asking is not None
        else known
    )


# These are compared by value; of any other pattern it is unknown whether it fits.
FORMS_OF_PATTERNS = frozenset({"string", "integer", "float", "true", "false", "none", "concatenated_string"})


FORMS: dict[str, Callable[[Evaluator, Node, PyScope], BlockOutcome | None]] = {
    "expression_statement": _execute_expressions,
    "decorated_definition": definitions.define_decorated,
    "function_definition": definitions.bind_function,
    "class_definition": definitions.bind_class,
    "import_statement": imports.bind_import,
    "import_from_statement": imports.bind_from_import,
    "if_statement": _build_if,
    "for_statement": loops.execute_for,
    "while_statement": loops.execute_while,
    "with_statement": _get_body,
    "try_statement": _try,
    "match_statement": _match,
    "return_statement": _return,
    "raise_statement": _leave,
    "continue_statement": _leave,
    "break_statement": _leave,
    "type_alias_statement": _execute_type_alias,
    "delete_statement": _delete,
    "global_statement": _execute_global,
    "nonlocal_statement": _execute_global,
}
