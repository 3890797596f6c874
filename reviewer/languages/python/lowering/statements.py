"""Statements that are no assignment: branches, loops, `with`, `try`, exits and imports."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, TOO_DEEP, lower_branches, to_site
from reviewer.languages.nodes import BESIDE
from reviewer.languages.python.lowering.conditions import guard, is_plain, require
from reviewer.languages.python.lowering.expressions import strip_parentheses
from reviewer.languages.python.lowering.files import list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_statement
from reviewer.languages.python.lowering.targets import assign, bind, bind_variable, enter_loop


@register_statement("pass_statement", "comment", "type_alias_statement")
def _lower_nothing(frame: PythonFrame, node: Node) -> None:
    pass


@register_statement("block")
def _block(frame: PythonFrame, node: Node) -> None:
    frame.block(node)


@register_statement("if_statement")
def _lower_if(frame: PythonFrame, node: Node) -> None:
    arms: list[tuple[Node, Node | None]] = []
    last: Node | None = None
    for part in [node, *node.children_by_field_name("alternative")]:
        condition = part.child_by_field_name("condition")
        if condition is not None:
            arms.append((condition, part.child_by_field_name("consequence")))
        elif part.type == "else_clause":
            last = part.child_by_field_name("body")
    if not arms:
        frame.evaluate(frame.lower_unsupported(node))
    else:
        lower_branches(frame, to_site(node), arms, last, guard, is_plain)


@register_statement("while_statement")
def _lower_while(frame: PythonFrame, node: Node) -> None:
    """Lower `while`. Its `else` stands behind the loop, in a block that a `break` leaves."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    otherwise = node.child_by_field_name("alternative")
    at, label, whole = to_site(node), ir.JumpLabel(), ir.JumpLabel()
    if otherwise is not None:
        frame.enter(ir.Block(at, whole, ()))
    frame.enter(ir.Loop(at, label, ()))
    if condition is not None and not _is_always(condition):
        require(frame, condition, label)
    frame.loops.append((label if otherwise is None else whole, label))
    frame.block(body)
    frame.loops.pop()
    frame.leave()
    if otherwise is not None:
        frame.block(otherwise.child_by_field_name("body"))
        frame.leave()


def _is_always(condition: Node) -> bool:
    inner = strip_parentheses(condition)
    return inner is not None and (inner.type == "true" or (inner.type == "integer" and inner.text == b"1"))


@register_statement("for_statement")
def _lower_for(frame: PythonFrame, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        frame.evaluate(frame.lower_unsupported(node))
        return
    label = enter_loop(frame, node, left, frame.lower_expression(right))
    frame.loops.append((label, label))
    frame.block(node.child_by_field_name("body"))
    frame.loops.pop()
    otherwise = node.child_by_field_name("alternative")
    if otherwise is not None:
        frame.turn("otherwise")
        frame.block(otherwise.child_by_field_name("body"))
    frame.leave()


@register_statement("break_statement", "continue_statement")
def _leave(frame: PythonFrame, node: Node) -> None:
    if not frame.loops:
        frame.evaluate(frame.lower_unknown(node, "outside of a loop"))
    elif node.type == "break_statement":
        frame.emit(ir.Break(to_site(node), frame.loops[-1][0]))
    else:
        frame.emit(ir.Continue(to_site(node), frame.loops[-1][1]))


@register_statement("with_statement")
def _with(frame: PythonFrame, node: Node) -> None:
    """Lower `with`; a second item is a `with` in the body of the first."""
    is_async = bool(node.children) and node.children[0].type == "async"
    clauses = [part for part in list_children(node) if part.type == "with_clause"]
    items = [value for part in clauses for item in list_children(part) for value in _collect_managers(item)]
    at, depth = to_site(node), frame.depth
    for item in items:
        if frame.depth >= NESTED:
            frame.evaluate(frame.lower_unknown(item, TOO_DEEP))
            continue
        frame.depth += 1
        value, alias = item, None
        if item.type == "as_pattern":
            target = item.child_by_field_name("alias")
            alias = target.children[0] if target is not None and target.children else None
            value = item.children[0]
        _enter(frame, at, frame.lower_expression(value), alias, is_async=is_async)
    frame.block(node.child_by_field_name("body"))
    frame.leave(frame.depth - depth)
    frame.depth = depth


def _collect_managers(item: Node) -> list[Node]:
    """Return the context managers of an item of `with`: the grammar takes `(a as b)` for a value, `(a as b,)` for a
    tuple.
    """
    value = item.child_by_field_name("value") if item.type == "with_item" else item
    inner = None if value is None else strip_parentheses(value)
    if inner is not None and inner.type == "as_pattern":
        return [inner]
    if inner is not None and inner.type == "tuple" and any(each.type == "as_pattern" for each in inner.children):
        return list_children(inner)
    return [item if value is None else value]


def _enter(frame: PythonFrame, at: ir.Site, manager: ir.Expression, alias: Node | None, *, is_async: bool) -> None:
    variable = None if alias is None else bind_variable(frame, alias)
    target = ir.Variable() if variable is None else variable
    frame.effects += 1
    frame.enter(ir.With(at, manager, target, (), is_async))
    if alias is not None and variable is None:
        assign(frame, alias, ir.Read(to_site(alias), target), to_site(alias))


@register_statement("try_statement")
def _try(frame: PythonFrame, node: Node) -> None:
    """Lower `try`. What its `except` clauses call to find their types is called before it."""
    clauses = [each for each in list_children(node) if each.type in ("except_clause", "except_group_clause")]
    types = [_lower_types(frame, each) for each in clauses]
    made = ir.Try(to_site(node), (), ())
    frame.enter(made)
    frame.block(node.child_by_field_name("body"))
    frame.turn("otherwise")
    catches = []
    for clause, found in zip(clauses, types, strict=True):
        is_group = clause.type == "except_group_clause" or any(each.type == "*" for each in clause.children)
        catch = ir.Catch(to_site(clause), found, None, (), is_group)
        _lower_catch(frame, clause, catch)
        catches.append(catch)
    made.catches = tuple(catches)
    for each in list_children(node):
        if each.type == "else_clause":
            frame.block(each.child_by_field_name("body"))
    frame.turn("always")
    for each in list_children(node):
        if each.type == "finally_clause":
            frame.block(_block_of(each))
    frame.leave()


def _lower_types(frame: PythonFrame, clause: Node) -> tuple[ir.Expression, ...]:
    nodes = []
    for value in clause.children_by_field_name("value"):
        if value.is_named and value.type not in BESIDE:
            kind = strip_parentheses(value.children[0] if value.type == "as_pattern" else value)
            nodes += list_children(kind) if kind is not None and kind.type == "tuple" else [kind or value]
    return tuple(frame.lower_operands(nodes))


def _lower_catch(frame: PythonFrame, clause: Node, catch: ir.Catch) -> None:
    alias: Node | None = None
    for value in clause.children_by_field_name("value"):
        if value.type == "as_pattern":
            alias = value.child_by_field_name("alias")
    frame.enter_catch(catch)
    if alias is not None and alias.children:
        target = alias.children[0]
        catch.variable = bind_variable(frame, target)
        if catch.variable is None:
            catch.variable = ir.Variable()
            assign(frame, target, ir.Read(to_site(target), catch.variable), to_site(target))
    frame.block(_block_of(clause))
    frame.leave()


def _block_of(clause: Node) -> Node | None:
    return next((each for each in reversed(clause.children) if each.type == "block"), None)


@register_statement("return_statement")
def _return(frame: PythonFrame, node: Node) -> None:
    parts = list_children(node)
    at = to_site(node)
    value = frame.lower_expression(parts[0]) if parts else ir.Constant(at, None)
    frame.emit(ir.Return(at, value))


@register_statement("raise_statement")
def _raise(frame: PythonFrame, node: Node) -> None:
    cause = node.child_by_field_name("cause")
    parts = [each for each in list_children(node) if each != cause]
    values = frame.lower_operands(parts[:1] if cause is None else [*parts[:1], cause])
    value = values[0] if parts else None
    frame.emit(ir.Raise(to_site(node), value, values[-1] if cause is not None else None))


@register_statement("assert_statement")
def _assert(frame: PythonFrame, node: Node) -> None:
    """Lower `assert test, reason`: raise an AssertionError, whose `args` hold the reason, unless the test holds."""
    parts = list_children(node)
    if not parts:
        return
    at = to_site(node)
    entered = guard(frame, parts[0], wanted=False)
    kind = ir.Global(at, ("AssertionError",))
    error: ir.Expression = kind
    if len(parts) > 1:
        reason = frame.lower_expression(parts[1])
        held = ir.Sequence(reason.at, "tuple", (reason,))
        error = ir.Record(at, kind, ((ir.Constant(at, "args"), held),))
    frame.emit(ir.Raise(at, error))
    frame.leave(entered)


@register_statement("global_statement", "nonlocal_statement")
def _declare(frame: PythonFrame, node: Node) -> None:
    """Let names of a class be those of a scope around; a function's scope knows its own beforehand."""
    for each in list_children(node):
        frame.scope.declare(frame.file.decode_text(each), is_global=node.type == "global_statement")


@register_statement("import_statement")
def _import(frame: PythonFrame, node: Node) -> None:
    for each in node.children_by_field_name("name"):
        name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
        at = to_site(each)
        if alias is not None and name is not None:
            bind(frame, frame.file.decode_text(alias), at, ir.Import(at, _format_dotted(frame, name)))
        else:
            package = _format_dotted(frame, each).partition(".")[0]
            bind(frame, package, at, ir.Import(at, package))


@register_statement("import_from_statement", "future_import_statement")
def _import_from(frame: PythonFrame, node: Node) -> None:
    source = node.child_by_field_name("module_name")
    module = "__future__" if source is None else _format_dotted(frame, source)
    for each in node.children_by_field_name("name"):
        name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
        at = to_site(each)
        given = _format_dotted(frame, each if name is None else name)
        bind(frame, given if alias is None else frame.file.decode_text(alias), at, ir.Import(at, module, given))
    for each in list_children(node):
        if each.type == "wildcard_import":
            frame.emit(ir.Evaluate(to_site(each), ir.Import(to_site(each), module, "*")))


def _format_dotted(frame: PythonFrame, node: Node) -> str:
    return "".join(frame.file.decode_text(node).split())


@register_statement("print_statement", "exec_statement")
def _lower_legacy(frame: PythonFrame, node: Node) -> None:
    """Lower a statement that only Python 2 knows."""
    parts = []
    for each in list_children(node):
        parts += list_children(each) if each.type == "chevron" else [each]
    frame.evaluate(frame.lower_unknown(node, node.type, tuple(frame.lower_operands(parts))))
