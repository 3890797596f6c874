"""Statements: what a body binds, and what it returns."""

from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from reviewer.budget import ExhaustedError
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.declarations import handlers, revisions
from reviewer.languages.python.evaluation import assumptions, definitions, imports, loops, models
from reviewer.languages.python.evaluation.branching import fork, joined, tested
from reviewer.languages.python.evaluation.comparisons import equal
from reviewer.languages.python.evaluation.containers import extend
from reviewer.languages.python.evaluation.evaluator import BlockOutcome, Evaluator
from reviewer.languages.python.evaluation.iterations import elements
from reviewer.languages.python.evaluation.operators import combine
from reviewer.languages.python.evaluation.possible_values import one_of
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
    Value,
)
from reviewer.source import Span


def execute(run: Evaluator, block: list[Node], scope: PyScope) -> BlockOutcome:
    """Execute statements in order. After a branch that may have left, the rest stands under the branch's contrary."""
    outcome = BlockOutcome([])
    for index, node in enumerate(block):
        if run.exhausted:
            break
        step = _build_safely(run, node, scope) if scope.parent is None else _execute_one(run, node, scope)
        if step.ended or not step.forked:
            outcome.assumed = step.assumed if not outcome.values else None
            outcome.values += step.values
        if step.ended:
            outcome.ended, outcome.broke = True, step.broke
            break
        if step.forked and _may_leave(node):
            test = child(node, "condition")
            if _refuses(node):
                outcome.values += step.values
                continue
            if test is not None:
                with run.under(run.condition("unless", test, scope)):
                    rest = execute(run, block[index + 1 :], scope)
                both = joined(step, rest, step.likely, step.assumed)
                earlier = bool(outcome.values)
                left = None if earlier else both.assumed
                return BlockOutcome(outcome.values + both.values, rest.ended, rest.broke, assumed=left)
        elif step.forked:
            outcome.values += step.values
    return outcome


def _build_safely(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute a statement of a module; one that nests too deep for Python itself is left out and named."""
    try:
        return _execute_one(run, node, scope)
    except ExhaustedError as error:
        run.ended(error.resource, node, scope)
        return BlockOutcome([])
    except RecursionError:
        run.ended("steps", node, scope)
        return BlockOutcome([])


def _may_leave(node: Node) -> bool:
    last = _find_last(node)
    return last is not None and last.type in ("return_statement", "raise_statement", "continue_statement")


def _refuses(node: Node) -> bool:
    """Return whether a branch is a refusal: a server that starts has never taken it, so the rest is unconditional."""
    last = _find_last(node)
    return last is not None and last.type == "raise_statement"


def _find_last(node: Node) -> Node | None:
    body = child(node, "consequence")
    return children(body)[-1] if body is not None and children(body) else None


def returned(run: Evaluator, block: list[Node], scope: PyScope, span: Span) -> Value:
    """Execute a function's body and give what it returns."""
    outcome = execute(run, block, scope)
    values = (
        outcome.values if outcome.ended else [*outcome.values, *([Const(None, span)] if not outcome.values else [])]
    )
    if not values:
        return Const(None, span)
    return values[0] if len(values) == 1 else one_of(tuple(values), span, outcome.assumed)


def _execute_one(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    form = FORMS.get(node.type)
    if form is None:
        return BlockOutcome([])
    return form(run, node, scope) or BlockOutcome([])


def _expressions(run: Evaluator, node: Node, scope: PyScope) -> None:
    for part in children(node):
        _expression(run, part, scope)


def _return(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    value = run.value(children(node)[0], scope) if children(node) else Const(None, scope.module.span(node))
    return BlockOutcome([value], ended=True)


def _leave(_run: Evaluator, node: Node, _scope: PyScope) -> BlockOutcome:
    return BlockOutcome([], ended=True, broke=node.type == "break_statement")


def _expression(run: Evaluator, node: Node, scope: PyScope) -> None:
    if node.type == "assignment":
        _assign(run, node, scope)
    elif node.type == "augmented_assignment":
        _augment(run, node, scope)
    elif node.type in ("call", "await", "named_expression", "tuple", "parenthesized_expression"):
        run.value(node, scope)


def _assign(run: Evaluator, node: Node, scope: PyScope) -> None:
    target, right = child(node, "left"), child(node, "right")
    if target is None or right is None:
        return
    if right.type == "assignment":
        _assign(run, right, scope)
        inner = child(right, "left")
        value = run.value(inner, scope) if inner is not None else run.unknown("an assignment", node, scope)
    else:
        value = run.value(right, scope)
    bind(run, target, value, scope)


def _augment(run: Evaluator, node: Node, scope: PyScope) -> None:
    target, right, sign = child(node, "left"), child(node, "right"), child(node, "operator")
    if target is None or right is None or sign is None:
        return
    before, more = run.value(target, scope), run.value(right, scope)
    if isinstance(before, PyItems) and string_of(sign) == "+=":
        extend(run, before, elements(more))
        return
    if isinstance(before, Method) and string_of(sign) == "|=":
        handlers.keep_all(run, before, more, scope.module)
        return
    value = combine(before, more, string_of(sign).removesuffix("="), node, scope)
    known = run.within(value, node, scope) if value is not None else None
    bind(run, target, known or run.unknown("a sum that only a run can tell", node, scope), scope)


def _delete(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Execute `del holder[key]`; what is deleted under a condition is there under its contrary."""
    for target in children(node):
        receiver, key = child(target, "value"), child(target, "subscript")
        if target.type != "subscript" or receiver is None or key is None:
            continue
        holder, index = models.opened(run, run.value(receiver, scope)), run.value(key, scope)
        revisions.by_deletion(run, holder, string_of(receiver), index, scope.module.span(node))
        if isinstance(holder, PyMapping) and run.conditions == holder.under:
            holder.remove(index)


def _elsewhere(_run: Evaluator, node: Node, scope: PyScope) -> None:
    """Execute `global` and `nonlocal`: the names are bound in the module, or in the function around."""
    for part in children(node):
        name = string_of(part)
        holder = scope
        while holder.parent is not None and (
            node.type == "global_statement" or holder is scope or name not in holder.names
        ):
            holder = holder.parent
        scope.elsewhere[name] = holder


def _alias(run: Evaluator, node: Node, scope: PyScope) -> None:
    left, right = child(node, "left"), child(node, "right")
    if left is not None and right is not None:
        name = string_of(left).partition("[")[0]
        span = scope.module.span(node)
        inner = [Const(name, span), run.value(right, scope)]
        scope.names[name] = PyInstance(External("typing.TypeAliasType", span), inner, {}, span)


def _build_if(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    test, body = child(node, "condition"), child(node, "consequence")
    if test is None or body is None:
        return BlockOutcome([])
    others = node.children_by_field_name("alternative")
    known, likely, reason = tested(run, test, scope)
    if known is True:
        return run.execute(children(body), scope)
    if known is False:
        return _build_otherwise(run, others, scope)
    unless = run.condition("unless", test, scope)

    def refuse() -> BlockOutcome:
        with run.under(unless):
            return _build_otherwise(run, others, scope)

    outcome = fork(run, test, body, refuse, scope, likely, reason)
    outcome.forked, outcome.likely, outcome.assumed = True, likely, outcome.assumed or reason
    return outcome


def _build_otherwise(run: Evaluator, others: list[Node], scope: PyScope) -> BlockOutcome:
    for index, part in enumerate(others):
        if part.type == "else_clause":
            body = child(part, "body")
            return run.execute(children(body), scope) if body is not None else BlockOutcome([])
        test, body = child(part, "condition"), child(part, "consequence")
        if test is None or body is None:
            continue
        known, likely, reason = tested(run, test, scope)
        if known is False:
            continue
        if known is True:
            return run.execute(children(body), scope)
        return fork(run, test, body, partial(_build_otherwise, run, others[index + 1 :], scope), scope, likely, reason)
    return BlockOutcome([])


def _get_body(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the body of `with`; `with x as y` binds y to what x is."""
    for clause in children(node):
        if clause.type == "with_clause":
            for item in children(clause):
                _enter(run, item, scope)
    body = child(node, "body")
    return run.execute(children(body), scope) if body is not None else BlockOutcome([])


def _enter(run: Evaluator, item: Node, scope: PyScope) -> None:
    value = child(item, "value")
    if value is None:
        return
    if value.type == "as_pattern" and len(children(value)) == 2:
        entered = run.value(children(value)[0], scope)
        target = children(value)[1]
        if children(target):
            bind(run, children(target)[0], entered, scope)
    else:
        run.value(value, scope)


def _try(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the body, then what an `except` binds beyond it, then `else` and `finally`."""
    body = child(node, "body")
    outcome = run.execute(children(body), scope) if body is not None else BlockOutcome([])
    for clause in children(node):
        inner = next((part for part in children(clause) if part.type == "block"), None)
        if inner is None or clause == body:
            continue
        if clause.type in ("except_clause", "except_group_clause"):
            before = dict(scope.names)
            with run.under(run.condition("except in", clause, scope)):
                outcome.values += run.execute(children(inner), scope).values
            scope.names.update({name: value for name, value in before.items() if not isinstance(value, PyUnknown)})
        elif clause.type in ("else_clause", "finally_clause"):
            outcome.values += run.execute(children(inner), scope).values
    return outcome


def _match(run: Evaluator, node: Node, scope: PyScope) -> BlockOutcome:
    """Execute the cases that may be meant: the one whose pattern is known to fit, or all that are not known to fail."""
    outcome = BlockOutcome([])
    subject = child(node, "subject")
    value = run.value(subject, scope) if subject is not None else None
    for clause in children(child(node, "body")):
        inner = child(clause, "consequence")
        known = _fits(run, clause, value, scope)
        if inner is None or known is False:
            continue
        if known is True:
            step = run.execute(children(inner), scope)
            return step if not outcome.values else BlockOutcome(outcome.values + step.values)
        outcome.values += fork(run, subject or clause, inner, lambda: BlockOutcome([]), scope, None, None).values
    return outcome


def _fits(run: Evaluator, clause: Node, value: Value | None, scope: PyScope) -> bool | None:
    """Return whether a plain pattern fits: a literal, a dotted name, `_`, or several of them."""
    patterns = [part for part in children(clause) if part.type == "case_pattern"]
    if len(patterns) != 1 or child(clause, "guard") is not None or value is None:
        return None
    inner = children(patterns[0])[0] if children(patterns[0]) else None
    if inner is None:
        return True if string_of(patterns[0]) == "_" else None
    parts = children(inner) if inner.type == "union_pattern" else [inner]
    answers = [
        _is_same(run, value, run.value(each, scope)) if each.type in FORMS_OF_PATTERNS else None for each in parts
    ]
    return True if True in answers else None if None in answers else False


def _is_same(run: Evaluator, value: Value, pattern: Value) -> bool | None:
    known = equal(value, pattern)
    return (
        assumptions.compared(run.supposed.asking, value, pattern, "==")
        if known is None and run.supposed.asking is not None
        else known
    )


FORMS_OF_PATTERNS = frozenset({"string", "integer", "float", "true", "false", "none", "concatenated_string"})


FORMS: dict[str, Callable[[Evaluator, Node, PyScope], BlockOutcome | None]] = {
    "expression_statement": _expressions,
    "decorated_definition": definitions.decorated,
    "function_definition": definitions.bind_function,
    "class_definition": definitions.bind_class,
    "import_statement": imports.bind_import,
    "import_from_statement": imports.bind_from_import,
    "if_statement": _build_if,
    "for_statement": loops.for_each,
    "while_statement": loops.while_true,
    "with_statement": _get_body,
    "try_statement": _try,
    "match_statement": _match,
    "return_statement": _return,
    "raise_statement": _leave,
    "continue_statement": _leave,
    "break_statement": _leave,
    "type_alias_statement": _alias,
    "delete_statement": _delete,
    "global_statement": _elsewhere,
    "nonlocal_statement": _elsewhere,
}
