"""Statements: what a body binds, and what it returns."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.python import names
from reviewer.languages.python.builtin import iterated
from reviewer.languages.python.values import (
    Alternatives,
    Class,
    Const,
    Function,
    Instance,
    Items,
    Mapping,
    Scope,
    Unknown,
    Value,
)
from reviewer.source import Span

if TYPE_CHECKING:
    from reviewer.languages.python.evaluator import Evaluator

ROUNDS = 1000
"""The most rounds of one loop that are evaluated."""


@dataclass(slots=True)
class Outcome:
    """What a block came to: the values it may return, and whether it surely ends there (`return`, `raise`, `continue`)."""

    values: list[Value]
    ended: bool = False


def execute(run: "Evaluator", block: list[Node], scope: Scope) -> Outcome:
    """Execute statements in order. After a branch that may have left, the rest stands under the branch's contrary."""
    outcome = Outcome([])
    for index, node in enumerate(block):
        if run.exhausted:
            break
        step = _execute_one(run, node, scope)
        outcome.values += step.values
        if step.ended:
            outcome.ended = True
            break
        if node.type == "if_statement" and _may_leave(node) and not _known_false(run, node, scope):
            test = child(node, "condition")
            if test is not None and block[index + 1 :]:
                with run.under(run.condition("unless", test, scope)):
                    rest = execute(run, block[index + 1 :], scope)
                return Outcome(outcome.values + rest.values, rest.ended)
    return outcome


def _may_leave(node: Node) -> bool:
    body = child(node, "consequence")
    last = body.named_children[-1] if body is not None and body.named_children else None
    return last is not None and last.type in ("return_statement", "raise_statement", "continue_statement")


def _known_false(run: "Evaluator", node: Node, scope: Scope) -> bool:
    test = child(node, "condition")
    return test is not None and _test(run, test, scope) is False


def returned(run: "Evaluator", block: list[Node], scope: Scope, span: Span, name: str) -> Value:
    """Execute a function's body and give what it returns."""
    outcome = execute(run, block, scope)
    values = outcome.values if outcome.ended else [*outcome.values, *([Const(None, span)] if not outcome.values else [])]
    if not values:
        return Const(None, span)
    return values[0] if len(values) == 1 else Alternatives(tuple(values), span)


def _execute_one(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    match node.type:
        case "expression_statement":
            for part in node.named_children:
                _expression(run, part, scope)
        case "decorated_definition":
            _decorated(run, node, scope)
        case "function_definition":
            _define(run, node, scope)
        case "class_definition":
            _define_class(run, node, scope)
        case "import_statement":
            names.bind_import(run, node, scope)
        case "import_from_statement":
            names.bind_from_import(run, node, scope)
        case "if_statement":
            return _if(run, node, scope)
        case "for_statement":
            return _for(run, node, scope)
        case "while_statement" | "with_statement":
            return _body(run, node, scope)
        case "try_statement":
            return _try(run, node, scope)
        case "match_statement":
            return _match(run, node, scope)
        case "return_statement":
            value = run.value(node.named_children[0], scope) if node.named_children else Const(None, scope.module.span(node))
            return Outcome([value], ended=True)
        case "raise_statement" | "continue_statement" | "break_statement":
            return Outcome([], ended=True)
        case "type_alias_statement":
            _alias(run, node, scope)
    return Outcome([])


def _expression(run: "Evaluator", node: Node, scope: Scope) -> None:
    if node.type == "assignment":
        _assign(run, node, scope)
    elif node.type == "augmented_assignment":
        _augment(run, node, scope)
    elif node.type in ("call", "await", "named_expression", "tuple"):
        run.value(node, scope)


def _assign(run: "Evaluator", node: Node, scope: Scope) -> None:
    target, right = child(node, "left"), child(node, "right")
    if target is None:
        return
    if right is None:
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
            scope.names[string_of(target)] = value
        case "attribute":
            receiver, name = child(target, "object"), child(target, "attribute")
            holder = run.value(receiver, scope) if receiver is not None else None
            if name is not None and isinstance(holder, Instance | Function):
                holder.attributes[string_of(name)] = value
        case "subscript":
            receiver = child(target, "value")
            key = child(target, "subscript")
            holder = run.value(receiver, scope) if receiver is not None else None
            if isinstance(holder, Mapping) and key is not None:
                holder.entries.append((run.value(key, scope), value))
        case "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple":
            parts = target.named_children
            items = iterated(value)
            for index, part in enumerate(parts):
                known = items is not None and len(items) == len(parts)
                bind(run, part, items[index] if known and items else run.unknown("a part of a value", part, scope), scope)


def _augment(run: "Evaluator", node: Node, scope: Scope) -> None:
    from reviewer.languages.python.expressions import combine

    target, right, sign = child(node, "left"), child(node, "right"), child(node, "operator")
    if target is None or right is None or sign is None:
        return
    before, more = run.value(target, scope), run.value(right, scope)
    if isinstance(before, Items) and string_of(sign) == "+=":
        added = iterated(more)
        before.items += added or []
        before.open |= added is None
        return
    value = combine(before, more, string_of(sign).removesuffix("="), node, scope)
    bind(run, target, value if value is not None else run.unknown("a sum that only a run can tell", node, scope), scope)


def _alias(run: "Evaluator", node: Node, scope: Scope) -> None:
    left, right = child(node, "left"), child(node, "right")
    if left is not None and right is not None:
        scope.names[string_of(left)] = run.value(right, scope)


def _define(run: "Evaluator", node: Node, scope: Scope) -> Function | None:
    name = child(node, "name")
    if name is None:
        return None
    function = Function(string_of(name), node, scope, conditions=run.conditions)
    scope.names[function.name] = function
    return function


def _define_class(run: "Evaluator", node: Node, scope: Scope) -> Class | None:
    name, body, bases = child(node, "name"), child(node, "body"), child(node, "superclasses")
    if name is None or body is None:
        return None
    cls = Class(string_of(name), node, scope)
    for part in bases.named_children if bases is not None else ():
        if part.type == "keyword_argument":
            key, value = child(part, "name"), child(part, "value")
            if key is not None and value is not None:
                cls.keywords[string_of(key)] = run.value(value, scope)
        elif part.type != "comment":
            cls.bases.append(_base(run.value(part, scope)))
    scope.names[cls.name] = cls
    inner = Scope(scope.module, scope, cls.names, is_class=True)
    run.execute(body.named_children, inner)
    for value in cls.names.values():
        if isinstance(value, Function) and value.cls is None:
            value.cls = cls
    return cls


def _base(value: Value) -> Value:
    """Give the class of a generic base: `Base[T]` is `Base`."""
    from reviewer.languages.python.values import TypeForm

    return value.origin if isinstance(value, TypeForm) else value


def _decorated(run: "Evaluator", node: Node, scope: Scope) -> None:
    definition = child(node, "definition")
    if definition is None:
        return
    decorators = [part for part in node.named_children if part.type == "decorator" and part.named_children]
    factories = [run.value(part.named_children[0], scope) for part in decorators]
    defined: Function | Class | None
    defined = _define(run, definition, scope) if definition.type == "function_definition" else _define_class(run, definition, scope)
    if defined is None:
        return
    value: Value = defined
    for factory, part in zip(reversed(factories), reversed(decorators), strict=True):
        value = _applied(run, factory, value, part, scope)
    scope.names[defined.name] = value


def _applied(run: "Evaluator", decorator: Value, value: Value, node: Node, scope: Scope) -> Value:
    """Apply a decorator; one that cannot be followed is taken to keep the function as it is."""
    from reviewer.languages.python.calls import Arguments

    result = run.call(decorator, Arguments([value], {}, scope.module.span(node), node=node, scope=scope))
    return result if isinstance(result, Function | Class) or _is_tool_object(result) else value


def _is_tool_object(value: Value) -> bool:
    return isinstance(value, Instance) and value.path.endswith(".FunctionTool")


def _test(run: "Evaluator", test: Node, scope: Scope) -> bool | None:
    """Tell how a test ends; `__name__ == "__main__"` is taken as true, for that is how the server starts."""
    from reviewer.languages.python.expressions import truth

    if b"__main__" in (test.text or b""):
        return True
    return truth(run.value(test, scope))


def _if(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    test, body = child(node, "condition"), child(node, "consequence")
    if test is None or body is None:
        return Outcome([])
    others = node.children_by_field_name("alternative")
    known = _test(run, test, scope)
    if known is True:
        return run.execute(body.named_children, scope)
    if known is False:
        return _otherwise(run, others, scope)
    before = dict(scope.names)
    with run.under(run.condition("if", test, scope)):
        taken = run.execute(body.named_children, scope)
    after_taken, restored = dict(scope.names), scope.names
    restored.clear()
    restored |= before
    with run.under(run.condition("unless", test, scope)):
        refused = _otherwise(run, others, scope)
    if not (taken.ended and not refused.ended):
        _merge(scope, after_taken, refused.ended)
    return Outcome(taken.values + refused.values, taken.ended and refused.ended)


def _otherwise(run: "Evaluator", others: list[Node], scope: Scope) -> Outcome:
    for index, part in enumerate(others):
        if part.type == "else_clause":
            body = child(part, "body")
            return run.execute(body.named_children, scope) if body is not None else Outcome([])
        test, body = child(part, "condition"), child(part, "consequence")
        if test is None or body is None:
            continue
        known = _test(run, test, scope)
        if known is False:
            continue
        if known is True:
            return run.execute(body.named_children, scope)
        before = dict(scope.names)
        with run.under(run.condition("if", test, scope)):
            taken = run.execute(body.named_children, scope)
        after_taken = dict(scope.names)
        scope.names.clear()
        scope.names.update(before)
        rest = _otherwise(run, others[index + 1 :], scope)
        if not (taken.ended and not rest.ended):
            _merge(scope, after_taken, rest.ended)
        return Outcome(taken.values + rest.values, taken.ended and rest.ended)
    return Outcome([])


def _merge(scope: Scope, taken: dict[str, Value], only: bool) -> None:
    """Lay the names of the taken branch over those of the other; a name that differs is one of both."""
    for name, value in taken.items():
        other = scope.names.get(name)
        if other is None or only or other is value:
            scope.names[name] = value
        elif isinstance(other, Const) and isinstance(value, Const) and other.value == value.value:
            scope.names[name] = value
        else:
            scope.names[name] = Alternatives((value, other), getattr(value, "span", scope.module.span(scope.module.root)))


def _for(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    target, iterable, body = child(node, "left"), child(node, "right"), child(node, "body")
    if target is None or iterable is None or body is None:
        return Outcome([])
    items = iterated(run.value(iterable, scope))
    outcome = Outcome([])
    if items is None:
        bind(run, target, run.unknown(f"each of `{' '.join(string_of(iterable).split())[:60]}`", target, scope), scope)
        with run.under(run.condition("for each of", iterable, scope)):
            return Outcome(run.execute(body.named_children, scope).values)
    for item in items[:ROUNDS]:
        bind(run, target, item, scope)
        outcome.values += run.execute(body.named_children, scope).values
    return outcome


def _body(run: "Evaluator", node: Node, scope: Scope) -> Outcome:
    """Execute the body of `while` and `with` once; `with x as y` binds y to what x is."""
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
    outcome = Outcome([])
    body = child(node, "body")
    for clause in body.named_children if body is not None else ():
        inner = child(clause, "consequence")
        if inner is not None:
            with run.under(run.condition("case of", child(node, "subject") or clause, scope)):
                outcome.values += run.execute(inner.named_children, scope).values
    return outcome


def comprehend(run: "Evaluator", node: Node, scope: Scope) -> Value:
    """Evaluate a comprehension over what can be iterated; tests that only a run can tell leave it open."""
    span = scope.module.span(node)
    body = child(node, "body")
    if body is None:
        return Unknown("a comprehension that does not parse", span)
    inner = Scope(scope.module, scope, owner=scope.owner)
    clauses = [part for part in node.named_children if part.type in ("for_in_clause", "if_clause")]
    found: list[Value] = []
    is_open = _rounds(run, clauses, body, inner, found)
    if is_open and not found:
        return Unknown(f"a comprehension over `{' '.join(string_of(clauses[0]).split())[:60]}`" if clauses else "a comprehension", span)
    if node.type == "dictionary_comprehension":
        return Mapping([(pair.items[0], pair.items[1]) for pair in found if isinstance(pair, Items)], span, is_open)
    return Items("set" if node.type == "set_comprehension" else "list", found, span, is_open)


def _rounds(run: "Evaluator", clauses: list[Node], body: Node, scope: Scope, found: list[Value]) -> bool:
    """Go through the clauses of a comprehension; tell whether something stayed open."""
    if not clauses:
        if body.type == "pair":
            key, value = child(body, "key"), child(body, "value")
            if key is not None and value is not None:
                found.append(Items("tuple", [run.value(key, scope), run.value(value, scope)], scope.module.span(body)))
        else:
            found.append(run.value(body, scope))
        return False
    clause, rest = clauses[0], clauses[1:]
    if clause.type == "if_clause":
        known = _test(run, clause.named_children[0], scope) if clause.named_children else True
        return _rounds(run, rest, body, scope, found) or known is None if known is not False else False
    target, iterable = child(clause, "left"), child(clause, "right")
    items = iterated(run.value(iterable, scope)) if iterable is not None else None
    if items is None or target is None:
        return True
    is_open = False
    for item in items[:ROUNDS]:
        bind(run, target, item, scope)
        is_open |= _rounds(run, rest, body, scope, found)
    return is_open
