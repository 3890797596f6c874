"""Statements: what a body binds, and what it returns."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.python import definitions, models, names, revisions
from reviewer.languages.python.comparisons import equal
from reviewer.languages.python.containers import elements, iterated, known_elements, without
from reviewer.languages.python.operators import combine, truth
from reviewer.languages.python.values import (
    Alternatives,
    Const,
    External,
    Function,
    Guarded,
    Instance,
    Items,
    Mapping,
    Scope,
    Unknown,
    Value,
    assumed,
    bare,
    guarded,
)
from reviewer.source import Span

if TYPE_CHECKING:
    from reviewer.languages.python.evaluator import Evaluator

ROUNDS = 1000
"""The most rounds of one loop that are evaluated."""


@dataclass(slots=True)
class Outcome:
    """What a block came to: the values it may return, and whether it surely ends there (`return`, `raise`, `continue`).

    `forked` tells of an `if` that only a run can decide whether its first branch is taken, `likely` whether it is if nothing is
    configured. Where `assumed` names what decides, the first value is the one that is returned then.
    """

    values: list[Value]
    ended: bool = False
    broke: bool = False
    forked: bool = False
    likely: bool | None = None
    assumed: str | None = None

    @property
    def is_settled(self) -> bool:
        """Whether it is known which value is returned if nothing is configured."""
        return len(self.values) < 2 or self.assumed is not None


def _joined(first: Outcome, second: Outcome, likely: bool | None, reason: str | None) -> Outcome:
    """Join what two ways of a fork return, that which holds if nothing is configured before the other."""
    one, other = (second, first) if likely is False else (first, second)
    settled = likely is not None and one.is_settled and bool(one.values)
    return Outcome(one.values + other.values, first.ended and second.ended, assumed=reason if settled else None)


def execute(run: "Evaluator", block: list[Node], scope: Scope) -> Outcome:
    """Execute statements in order. After a branch that may have left, the rest stands under the branch's contrary."""
    outcome = Outcome([])
    for index, node in enumerate(block):
        if run.exhausted:
            break
        step = _safely(run, node, scope) if scope.parent is None else _execute_one(run, node, scope)
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
                joined = _joined(step, rest, step.likely, step.assumed)
                earlier = bool(outcome.values)
                left = None if earlier else joined.assumed
                return Outcome(outcome.values + joined.values, rest.ended, rest.broke, assumed=left)
        elif step.forked:
            outcome.values += step.values
    return outcome


def _safely(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    """Execute a statement of a module; one that nests too deep for Python itself is left out and named."""
    try:
        return _execute_one(run, node, scope)
    except RecursionError:
        run.cut.setdefault(scope.module.path, scope.module.span(node))
        return Outcome([])


def _may_leave(node: Node) -> bool:
    last = _last(node)
    return last is not None and last.type in ("return_statement", "raise_statement", "continue_statement")


def _refuses(node: Node) -> bool:
    """Tell whether a branch is a refusal: a server that starts has never taken it, so the rest is unconditional."""
    last = _last(node)
    return last is not None and last.type == "raise_statement"


def _last(node: Node) -> Node | None:
    body = child(node, "consequence")
    return body.named_children[-1] if body is not None and body.named_children else None


def returned(run: "Evaluator", block: list[Node], scope: Scope, span: Span) -> Value:
    """Execute a function's body and give what it returns."""
    outcome = execute(run, block, scope)
    values = (
        outcome.values if outcome.ended else [*outcome.values, *([Const(None, span)] if not outcome.values else [])]
    )
    if not values:
        return Const(None, span)
    return values[0] if len(values) == 1 else Alternatives(tuple(values), span, outcome.assumed)


def _execute_one(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    form = FORMS.get(node.type)
    if form is None:
        return Outcome([])
    return form(run, node, scope) or Outcome([])


def _expressions(run: "Evaluator", node: Node, scope: Scope) -> None:
    for part in node.named_children:
        _expression(run, part, scope)


def _return(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    value = run.value(node.named_children[0], scope) if node.named_children else Const(None, scope.module.span(node))
    return Outcome([value], ended=True)


def _leave(_run: "Evaluator", node: Node, _scope: Scope) -> Outcome:
    return Outcome([], ended=True, broke=node.type == "break_statement")


def _expression(run: "Evaluator", node: Node, scope: Scope) -> None:
    if node.type == "assignment":
        _assign(run, node, scope)
    elif node.type == "augmented_assignment":
        _augment(run, node, scope)
    elif node.type in ("call", "await", "named_expression", "tuple", "parenthesized_expression"):
        run.value(node, scope)


def _assign(run: "Evaluator", node: Node, scope: Scope) -> None:
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


def bind(run: "Evaluator", target: Node, value: Value, scope: Scope) -> None:
    """Bind a target: a name, an attribute, an element, or several of them."""
    match target.type:
        case "identifier":
            bound = string_of(target)
            run.bind(scope.elsewhere.get(bound, scope), bound, value)
        case "attribute":
            receiver, name = child(target, "object"), child(target, "attribute")
            holder = run.value(receiver, scope) if receiver is not None else None
            if name is not None and isinstance(holder, Instance | Function):
                run.write(holder, string_of(name), value)
        case "subscript":
            receiver = child(target, "value")
            key = child(target, "subscript")
            holder = models.opened(run, run.value(receiver, scope)) if receiver is not None else None
            if isinstance(holder, Mapping) and key is not None:
                holder.put(run.value(key, scope), value, run.conditions)
        case "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple":
            parts = target.named_children
            items = iterated(value)
            for index, part in enumerate(parts):
                known = items is not None and len(items) == len(parts)
                bind(
                    run, part, items[index] if known and items else run.unknown("a part of a value", part, scope), scope
                )


def _augment(run: "Evaluator", node: Node, scope: Scope) -> None:
    target, right, sign = child(node, "left"), child(node, "right"), child(node, "operator")
    if target is None or right is None or sign is None:
        return
    before, more = run.value(target, scope), run.value(right, scope)
    if isinstance(before, Items) and string_of(sign) == "+=":
        added = elements(more)
        before.items += [guarded(each, run.conditions, before.under) for each in added or []]
        before.open |= added is None
        return
    value = combine(before, more, string_of(sign).removesuffix("="), node, scope)
    bind(run, target, value if value is not None else run.unknown("a sum that only a run can tell", node, scope), scope)


def _delete(run: "Evaluator", node: Node, scope: Scope) -> None:
    """Execute `del holder[key]`; what is deleted under a condition is there under its contrary."""
    for target in node.named_children:
        receiver, key = child(target, "value"), child(target, "subscript")
        if target.type != "subscript" or receiver is None or key is None:
            continue
        holder, index = models.opened(run, run.value(receiver, scope)), run.value(key, scope)
        revisions.by_deletion(run, holder, string_of(receiver), index, scope.module.span(node))
        if isinstance(holder, Mapping) and isinstance(index, Const) and run.conditions == holder.under:
            without(holder, index.value)


def _elsewhere(_run: "Evaluator", node: Node, scope: Scope) -> None:
    """Execute `global` and `nonlocal`: the names are bound in the module, or in the function around."""
    for part in node.named_children:
        name = string_of(part)
        holder = scope
        while holder.parent is not None and (
            node.type == "global_statement" or holder is scope or name not in holder.names
        ):
            holder = holder.parent
        scope.elsewhere[name] = holder


def _alias(run: "Evaluator", node: Node, scope: Scope) -> None:
    left, right = child(node, "left"), child(node, "right")
    if left is not None and right is not None:
        name = string_of(left).partition("[")[0]
        span = scope.module.span(node)
        inner = [Const(name, span), run.value(right, scope)]
        scope.names[name] = Instance(External("typing.TypeAliasType", span), inner, {}, span)


def outcome_of_test(run: "Evaluator", test: Node, scope: Scope) -> bool | None:
    """Tell how a test ends; `__name__ == "__main__"` is taken as true, for that is how the server starts."""
    return _tested(run, test, scope)[0]


def _tested(run: "Evaluator", test: Node, scope: Scope) -> tuple[bool | None, bool | None, str | None]:
    """Tell how a test ends, how it does if nothing is configured, and what that depends on."""
    if b"__main__" in (test.text or b""):
        return True, True, None
    value = run.value(test, scope)
    plain, reason = assumed(value)
    return truth(value), truth(plain), reason


def _if(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    test, body = child(node, "condition"), child(node, "consequence")
    if test is None or body is None:
        return Outcome([])
    others = node.children_by_field_name("alternative")
    known, likely, reason = _tested(run, test, scope)
    if known is True:
        return run.execute(body.named_children, scope)
    if known is False:
        return _otherwise(run, others, scope)
    unless = run.condition("unless", test, scope)

    def refuse() -> Outcome:
        with run.under(unless):
            return _otherwise(run, others, scope)

    outcome = _fork(run, test, body, refuse, scope, likely, reason)
    outcome.forked, outcome.likely, outcome.assumed = True, likely, outcome.assumed or reason
    return outcome


def _fork(
    run: "Evaluator",
    test: Node,
    body: Node,
    refuse: Callable[[], Outcome],
    scope: Scope,
    likely: bool | None,
    reason: str | None,
) -> Outcome:
    """Execute both ways of a test that only a run can decide, and merge the names they leave."""
    before = dict(scope.names)
    run.writes.append([])
    with run.under(run.condition("if", test, scope)):
        taken = run.execute(body.named_children, scope)
    after_taken = dict(scope.names)
    scope.names.clear()
    scope.names.update(before)
    written = _taken_back(run)
    refused = refuse()
    for holder, name, value in written:
        _write_either(run, holder, name, value, likely, reason)
    if not (taken.ended and not refused.ended):
        _merge(scope, after_taken, refused.ended, likely, reason)
    return _joined(taken, refused, likely, reason)


def _taken_back(run: "Evaluator") -> list[tuple[Instance | Function, str, Value]]:
    """Undo what the first way of a fork wrote to attributes, and give it."""
    writes = run.writes.pop()
    first = {(id(each.holder), each.name): each for each in reversed(writes)}
    written = [(each.holder, each.name, each.holder.attributes[each.name]) for each in first.values()]
    for each in first.values():
        if each.before is None:
            del each.holder.attributes[each.name]
        else:
            each.holder.attributes[each.name] = each.before
    return written


def _write_either(
    run: "Evaluator", holder: Instance | Function, name: str, value: Value, likely: bool | None, reason: str | None
) -> None:
    """Give an attribute that one way of a fork wrote what it may be after both."""
    other = holder.attributes.get(name)
    if other is None and likely is False:
        if isinstance(holder, Function) and reason is not None:
            holder.doubts[name] = reason
        return
    if other is None or other is value:
        run.write(holder, name, value)
        if isinstance(holder, Function) and other is None and likely is True and reason is not None:
            holder.doubts[name] = reason
        return
    values = (other, value) if likely is False else (value, other)
    span = getattr(
        value, "span", holder.scope.module.span(holder.node) if isinstance(holder, Function) else holder.span
    )
    run.write(holder, name, Alternatives(values, span, reason if likely is not None else None))


def _otherwise(run: "Evaluator", others: list[Node], scope: Scope) -> Outcome:
    for index, part in enumerate(others):
        if part.type == "else_clause":
            body = child(part, "body")
            return run.execute(body.named_children, scope) if body is not None else Outcome([])
        test, body = child(part, "condition"), child(part, "consequence")
        if test is None or body is None:
            continue
        known, likely, reason = _tested(run, test, scope)
        if known is False:
            continue
        if known is True:
            return run.execute(body.named_children, scope)
        return _fork(run, test, body, partial(_otherwise, run, others[index + 1 :], scope), scope, likely, reason)
    return Outcome([])


def _merge(scope: Scope, taken: dict[str, Value], only: bool, likely: bool | None, reason: str | None) -> None:
    """Lay the names of the taken branch over those of the other; a name that differs is one of both."""
    for name, value in taken.items():
        other = scope.names.get(name)
        if other is None or only or other is value or _same(other, value):
            scope.names[name] = value
        else:
            values = (other, value) if likely is False else (value, other)
            span = getattr(value, "span", scope.module.span(scope.module.root))
            scope.names[name] = Alternatives(values, span, reason if likely is not None else None)


def _same(one: Value, other: Value) -> bool:
    return isinstance(one, Const) and isinstance(other, Const) and one.value == other.value


def _for(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    target, iterable, body = child(node, "left"), child(node, "right"), child(node, "body")
    if target is None or iterable is None or body is None:
        return Outcome([])
    source = run.value(iterable, scope)
    items = known_elements(source)
    outcome = Outcome([])
    if items is None or elements(source) is None:
        bind(run, target, run.unknown(f"each of `{' '.join(string_of(iterable).split())[:60]}`", target, scope), scope)
        with run.under(run.condition("for each of", iterable, scope)):
            outcome.values += run.execute(body.named_children, scope).values
    for item in (items or [])[:ROUNDS]:
        bind(run, target, bare(item), scope)
        with run.under(*(item.conditions if isinstance(item, Guarded) else ())):
            step = run.execute(body.named_children, scope)
        outcome.values += step.values
        if step.broke:
            return outcome
    otherwise = child(node, "alternative")
    block = child(otherwise, "body") if otherwise is not None else None
    if block is not None:
        outcome.values += run.execute(block.named_children, scope).values
    return outcome


def _while(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    """Execute the body of a loop once, or, where only a run can tell whether it is entered, as one way of a fork."""
    test, body = child(node, "condition"), child(node, "body")
    if test is None or body is None:
        return Outcome([])
    known, likely, reason = _tested(run, test, scope)
    if known is False:
        return Outcome([])
    if known is True:
        return _rounds(run, test, body, scope)
    outcome = _fork(run, test, body, lambda: Outcome([]), scope, likely, reason)
    return Outcome(outcome.values, assumed=outcome.assumed)


def _rounds(run: "Evaluator", test: Node, body: Node, scope: Scope) -> Outcome:
    """Go round a loop as long as its test is known to hold; `while True` is gone round once."""
    outcome = Outcome([])
    for _ in range(1 if test.type in ("true", "integer") else ROUNDS):
        step = run.execute(body.named_children, scope)
        outcome.values += step.values
        if (step.ended and (step.broke or step.values)) or _tested(run, test, scope)[0] is not True or run.exhausted:
            break
    return outcome


def _body(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    """Execute the body of `with`; `with x as y` binds y to what x is."""
    for clause in node.named_children:
        if clause.type == "with_clause":
            for item in clause.named_children:
                _enter(run, item, scope)
    body = child(node, "body")
    return run.execute(body.named_children, scope) if body is not None else Outcome([])


def _enter(run: "Evaluator", item: Node, scope: Scope) -> None:
    value = child(item, "value")
    if value is None:
        return
    if value.type == "as_pattern" and len(value.named_children) == 2:
        entered = run.value(value.named_children[0], scope)
        target = value.named_children[1]
        if target.named_children:
            bind(run, target.named_children[0], entered, scope)
    else:
        run.value(value, scope)


def _try(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    """Execute the body, then what an `except` binds beyond it, then `else` and `finally`."""
    body = child(node, "body")
    outcome = run.execute(body.named_children, scope) if body is not None else Outcome([])
    for clause in node.named_children:
        inner = next((part for part in clause.named_children if part.type == "block"), None)
        if inner is None or clause == body:
            continue
        if clause.type in ("except_clause", "except_group_clause"):
            before = dict(scope.names)
            with run.under(run.condition("except in", clause, scope)):
                outcome.values += run.execute(inner.named_children, scope).values
            scope.names.update({name: value for name, value in before.items() if not isinstance(value, Unknown)})
        elif clause.type in ("else_clause", "finally_clause"):
            outcome.values += run.execute(inner.named_children, scope).values
    return outcome


def _match(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    """Execute the cases that may be meant: the one whose pattern is known to fit, or all that are not known to fail."""
    outcome = Outcome([])
    subject, body = child(node, "subject"), child(node, "body")
    value = run.value(subject, scope) if subject is not None else None
    for clause in body.named_children if body is not None else ():
        inner = child(clause, "consequence")
        known = _fits(run, clause, value, scope)
        if inner is None or known is False:
            continue
        if known is True:
            step = run.execute(inner.named_children, scope)
            return step if not outcome.values else Outcome(outcome.values + step.values)
        outcome.values += _fork(run, subject or clause, inner, lambda: Outcome([]), scope, None, None).values
    return outcome


def _fits(run: "Evaluator", clause: Node, value: Value | None, scope: Scope) -> bool | None:
    """Tell whether a plain pattern fits: a literal, a dotted name, `_`, or several of them."""
    patterns = [part for part in clause.named_children if part.type == "case_pattern"]
    if len(patterns) != 1 or child(clause, "guard") is not None or value is None:
        return None
    inner = patterns[0].named_children[0] if patterns[0].named_children else None
    if inner is None:
        return True if string_of(patterns[0]) == "_" else None
    parts = inner.named_children if inner.type == "union_pattern" else [inner]
    answers = [equal(value, run.value(each, scope)) if each.type in FORMS_OF_PATTERNS else None for each in parts]
    return True if True in answers else None if None in answers else False


FORMS_OF_PATTERNS = frozenset({"string", "integer", "float", "true", "false", "none", "concatenated_string"})


FORMS: dict[str, Callable[["Evaluator", Node, Scope], Outcome | None]] = {
    "expression_statement": _expressions,
    "decorated_definition": definitions.decorated,
    "function_definition": definitions.bind_function,
    "class_definition": definitions.bind_class,
    "import_statement": names.bind_import,
    "import_from_statement": names.bind_from_import,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "with_statement": _body,
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
