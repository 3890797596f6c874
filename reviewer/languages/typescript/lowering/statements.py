"""Statements: declarations, branches, loops, `switch`, `try`, exits, imports and exports."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import lower_branches, to_site
from reviewer.languages.typescript.lowering.conditions import guard, is_plain, require
from reviewer.languages.typescript.lowering.expressions import get_operator, read_name
from reviewer.languages.typescript.lowering.files import has_token, list_children
from reviewer.languages.typescript.lowering.frame import STATEMENTS, Target, TypeScriptFrame, register_statement
from reviewer.languages.typescript.lowering.literals import read_string
from reviewer.languages.typescript.lowering.scopes import LoweredScope, declare_block, iter_bound
from reviewer.languages.typescript.lowering.targets import NAMES, assign, bind

DEFAULT = "default"
"""The name of what `export default` gives, which no code can read by it."""


@register_statement(
    "comment", "empty_statement", "interface_declaration", "type_alias_declaration", "ambient_declaration",
    "function_signature", "import_alias", "debugger_statement", "hash_bang_line",
)  # fmt: skip
def _lower_nothing(frame: TypeScriptFrame, node: Node) -> None:
    pass


@register_statement("expression_statement")
def _lower_expression(frame: TypeScriptFrame, node: Node) -> None:
    for each in list_children(node):
        if each.type in STATEMENTS:
            frame.lower_statement(each)
        else:
            frame.evaluate(frame.lower_expression(each))


@register_statement("statement_block")
def _block(frame: TypeScriptFrame, node: Node) -> None:
    name, frame.label = frame.label, ""
    if not name:
        frame.block(node)
        return
    label = ir.JumpLabel()
    frame.enter(ir.Block(to_site(node), label, ()))
    frame.targets.append(Target(label, None, name))
    frame.block(node)
    frame.targets.pop()
    frame.leave()


@register_statement("labeled_statement")
def _lower_labeled(frame: TypeScriptFrame, node: Node) -> None:
    label, body = node.child_by_field_name("label"), node.child_by_field_name("body")
    if body is not None:
        frame.label = frame.file.decode_text(label) if label is not None else ""
        frame.lower_statement(body)
        frame.label = ""


@register_statement("lexical_declaration", "variable_declaration")
def _declare(frame: TypeScriptFrame, node: Node) -> None:
    for each in list_children(node):
        if each.type != "variable_declarator":
            continue
        name, value, kind = (each.child_by_field_name(part) for part in ("name", "value", "type"))
        if name is None:
            continue
        at = to_site(each)
        if value is None:
            if node.type == "lexical_declaration" and name.type in NAMES:
                bind(frame, frame.file.decode_text(name), at, ir.Constant(at, None), _read_type(frame, kind))
            continue
        found = frame.lower_expression(value)
        if name.type in NAMES:
            bind(frame, frame.file.decode_text(name), at, found, _read_type(frame, kind))
        else:
            assign(frame, name, found, at)


def _read_type(frame: TypeScriptFrame, annotation: Node | None) -> ir.TypeName | None:
    """Return the type that an annotation names."""
    inner = list_children(annotation) if annotation is not None else []
    return ir.TypeName(to_site(inner[0]), frame.file.decode_text(inner[0])) if inner else None


@register_statement("if_statement")
def _lower_if(frame: TypeScriptFrame, node: Node) -> None:
    arms: list[tuple[Node, Node | None]] = []
    current: Node | None = node
    last: Node | None = None
    while current is not None:
        condition = current.child_by_field_name("condition")
        if condition is None:
            break
        arms.append((condition, current.child_by_field_name("consequence")))
        clause = current.child_by_field_name("alternative")
        inner = list_children(clause)[:1] if clause is not None else []
        last = inner[0] if inner else None
        current = last if last is not None and last.type == "if_statement" else None
        last = None if current is not None else last
    if not arms:
        frame.evaluate(frame.lower_unsupported(node))
    else:
        lower_branches(frame, to_site(node), arms, last, guard, is_plain)


# Loops.


def _lower_body(frame: TypeScriptFrame, body: Node | None, target: Target) -> None:
    frame.targets.append(target)
    frame.block(body)
    frame.targets.pop()


@register_statement("while_statement")
def _lower_while(frame: TypeScriptFrame, node: Node) -> None:
    name, frame.label = frame.label, ""
    condition, label = node.child_by_field_name("condition"), ir.JumpLabel()
    frame.enter(ir.Loop(to_site(node), label, ()))
    if condition is not None and not _is_always(condition):
        require(frame, condition, label)
    _lower_body(frame, node.child_by_field_name("body"), Target(label, label, name))
    frame.leave()


def _is_always(condition: Node) -> bool:
    inner = list_children(condition)
    return len(inner) == 1 and (inner[0].type == "true" or inner[0].text == b"1")


@register_statement("do_statement")
def _lower_do(frame: TypeScriptFrame, node: Node) -> None:
    name, frame.label = frame.label, ""
    condition, label = node.child_by_field_name("condition"), ir.JumpLabel()
    frame.enter(ir.Loop(to_site(node), label, ()))
    _lower_counted_body(frame, node, label, name)
    if condition is not None:
        require(frame, condition, label)
    frame.leave()


def _lower_counted_body(frame: TypeScriptFrame, node: Node, label: ir.JumpLabel, name: str) -> None:
    """Lower a body behind which something is done in each round, also after `continue`."""
    inner, body = ir.JumpLabel(), node.child_by_field_name("body")
    if body is not None and frame.file.data.find(b"continue", body.start_byte, body.end_byte) >= 0:
        frame.enter(ir.Block(to_site(body), inner, ()))
        _lower_body(frame, body, Target(label, inner, name, is_block=True))
        frame.leave()
    else:
        _lower_body(frame, body, Target(label, label, name))


@register_statement("for_statement")
def _lower_for(frame: TypeScriptFrame, node: Node) -> None:
    name, frame.label = frame.label, ""
    outer, frame.scope = frame.scope, LoweredScope("block", frame.scope)
    parts = (node.child_by_field_name(each) for each in ("initializer", "condition", "increment"))
    initializer, condition, increment = parts
    if initializer is not None and initializer.type == "lexical_declaration":
        for each in list_children(initializer):
            for bound in iter_bound(each.child_by_field_name("name"), frame.file.data):
                frame.scope.declare(bound)
    label = ir.JumpLabel()
    if initializer is not None and initializer.type != "empty_statement":
        frame.lower_statement(initializer)
    frame.enter(ir.Loop(to_site(node), label, ()))
    if condition is not None and condition.type != "empty_statement":
        require(frame, condition, label)
    _lower_counted_body(frame, node, label, name)
    if increment is not None:
        frame.evaluate(frame.lower_expression(increment))
    frame.leave()
    frame.scope = outer


@register_statement("for_in_statement")
def _lower_for_in(frame: TypeScriptFrame, node: Node) -> None:
    """Lower `for (const x of y)`, and `in`, which goes through the keys."""
    name, frame.label = frame.label, ""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        frame.evaluate(frame.lower_unsupported(node))
        return
    over = frame.lower_expression(right)
    if get_operator(node) == "in":
        over = ir.Cast(over.at, over, "keys")
    outer, frame.scope = frame.scope, LoweredScope("block", frame.scope)
    if has_token(node, "const", "let"):
        for bound in iter_bound(left, frame.file.data):
            frame.scope.declare(bound)
    label, at = ir.JumpLabel(), to_site(left)
    variable = frame.scope.find(frame.file.decode_text(left)) if left.type in NAMES else None
    element = ir.Variable() if variable is None else variable
    frame.enter(ir.Loop(to_site(node), label, (), over, element, has_token(node, "await")))
    frame.effects += 1
    if variable is None:
        assign(frame, left, ir.Read(at, element), at)
    _lower_body(frame, node.child_by_field_name("body"), Target(label, label, name))
    frame.leave()
    frame.scope = outer


@register_statement("break_statement", "continue_statement")
def _leave(frame: TypeScriptFrame, node: Node) -> None:
    label = node.child_by_field_name("label")
    name = frame.file.decode_text(label) if label is not None else ""
    is_break = node.type == "break_statement"
    for each in reversed(frame.targets):
        if name and each.name != name:
            continue
        if is_break and (name or each.goes_on is not None or not each.name):
            frame.emit(ir.Break(to_site(node), each.leaves))
            return
        if not is_break and each.goes_on is not None:
            jump = ir.Break if each.is_block else ir.Continue
            frame.emit(jump(to_site(node), each.goes_on))
            return
    frame.evaluate(frame.lower_unknown(node, "outside of a loop"))


@register_statement("switch_statement")
def _switch(frame: TypeScriptFrame, node: Node) -> None:
    """Lower `switch`: a block of `If`s, which each case leaves. One that does not leaves word that the next is gone through."""
    frame.label = ""
    subject, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    if subject is None or body is None:
        frame.evaluate(frame.lower_unsupported(node))
        return
    value = frame.make_repeatable(frame.lower_expression(subject))
    outer, frame.scope = frame.scope, LoweredScope("block", frame.scope)
    declare_block(frame.scope, body, frame.file.data)
    whole, label = to_site(node), ir.JumpLabel()
    frame.enter(ir.Block(whole, label, ()))
    frame.targets.append(Target(label, None))
    waiting: list[Node] = []
    default: list[Node] = []
    is_default, fell = False, None
    for each in list_children(body):
        statements = each.children_by_field_name("body")
        is_default = is_default or each.type == "switch_default"
        value_node = each.child_by_field_name("value")
        waiting += [value_node] if value_node is not None else []
        if not statements:
            continue
        if is_default:
            default = statements
            if each.next_named_sibling is not None:
                is_default, waiting = False, []
                continue
        else:
            fell = _lower_case(frame, whole, value, waiting, statements, fell)
        waiting = []
    for each in default:
        frame.lower_statement(each)
    frame.targets.pop()
    frame.leave()
    frame.scope = outer


def _lower_case(
    frame: TypeScriptFrame,
    whole: ir.Site,
    value: ir.Expression,
    cases: list[Node],
    statements: list[Node],
    fell: ir.Variable | None,
) -> ir.Variable | None:
    """Lower the statements of a case; `fell` tells that the one before went on with it.

    Return the variable that tells that it goes on with the next, None if it never does.
    """
    at = ir.Site(cases[0].start_byte, cases[-1].end_byte) if cases else to_site(statements[0])
    chosen = frame.lower_operands(cases)
    if len(chosen) == 1:
        test: ir.Expression = ir.Comparison(at, "==", frame.copy_repeatable(value), chosen[0])
    else:
        test = ir.Comparison(at, "in", frame.copy_repeatable(value), ir.Sequence(at, "list", tuple(chosen)))
    if fell is not None:
        either = ir.Variable()
        frame.emit(ir.Assign(at, either, ir.Read(at, fell)))
        frame.emit(ir.If(at, ir.Not(at, ir.Read(at, fell)), (ir.Assign(at, either, test),)))
        test = ir.Read(at, either)
    after = ir.Variable()
    start = len(frame.out)
    frame.enter(ir.If(at, test, (), (), whole), "then")
    for each in statements:
        frame.lower_statement(each)
    goes_on = not frame.ends()
    if goes_on:
        frame.emit(ir.Assign(at, after, ir.Constant(at, True)))
    frame.leave()
    if goes_on:
        frame.out.insert(start, ir.Assign(at, after, ir.Constant(at, False)))
    return after if goes_on else None


@register_statement("try_statement")
def _try(frame: TypeScriptFrame, node: Node) -> None:
    frame.label = ""
    made = ir.Try(to_site(node), (), ())
    frame.enter(made)
    frame.block(node.child_by_field_name("body"))
    frame.turn("otherwise")
    handler, finalizer = node.child_by_field_name("handler"), node.child_by_field_name("finalizer")
    if handler is not None:
        catch = ir.Catch(to_site(handler), (), None, ())
        made.catches = (catch,)
        _lower_catch(frame, handler, catch)
    frame.turn("always")
    if finalizer is not None:
        frame.block(finalizer.child_by_field_name("body"))
    frame.leave()


def _lower_catch(frame: TypeScriptFrame, handler: Node, catch: ir.Catch) -> None:
    outer, frame.scope = frame.scope, LoweredScope("block", frame.scope)
    parameter = handler.child_by_field_name("parameter")
    frame.enter_catch(catch)
    if parameter is not None:
        for bound in iter_bound(parameter, frame.file.data):
            frame.scope.declare(bound)
        if parameter.type in NAMES:
            catch.variable = frame.scope.find(frame.file.decode_text(parameter))
        else:
            catch.variable = ir.Variable()
            assign(frame, parameter, ir.Read(to_site(parameter), catch.variable), to_site(parameter))
    frame.block(handler.child_by_field_name("body"))
    frame.leave()
    frame.scope = outer


@register_statement("return_statement")
def _return(frame: TypeScriptFrame, node: Node) -> None:
    parts, at = list_children(node), to_site(node)
    frame.emit(ir.Return(at, frame.lower_expression(parts[0]) if parts else ir.Constant(at, None)))


@register_statement("throw_statement")
def _throw(frame: TypeScriptFrame, node: Node) -> None:
    parts = list_children(node)
    frame.emit(ir.Raise(to_site(node), frame.lower_expression(parts[0]) if parts else None))


# Modules.


@register_statement("import_statement")
def _import(frame: TypeScriptFrame, node: Node) -> None:
    if has_token(node, "type"):
        return
    at = to_site(node)
    for name, module, given in iter_imports(node, frame.file.data):
        bind(frame, name, at, ir.Import(at, module, given))


def iter_imports(statement: Node, data: bytes) -> list[tuple[str, str, str | None]]:
    """Return the names that an import binds, with the module and the name there, None for the module itself."""

    def read(node: Node) -> str:
        return (
            read_string(node, data)
            if node.type == "string"
            else data[slice(*node.byte_range)].decode("utf-8", "replace")
        )

    found: list[tuple[str, str, str | None]] = []
    source = statement.child_by_field_name("source")
    for clause in statement.named_children:
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
            found += [(read(each), "", None) for each in clause.named_children[:1]]
        for each in clause.named_children if clause.type == "import_clause" else ():
            if each.type == "identifier":
                found.append((read(each), "", DEFAULT))
            elif each.type == "namespace_import":
                found += [(read(inner), "", None) for inner in each.named_children[:1]]
            for one in each.named_children if each.type == "named_imports" else ():
                name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
                if name is not None and not has_token(one, "type"):
                    found.append((read(alias or name), "", read(name)))
    module = read(source) if source is not None else ""
    return [(name, module, given) for name, _, given in found]


@register_statement("export_statement")
def _export(frame: TypeScriptFrame, node: Node) -> None:
    declaration, value, at = node.child_by_field_name("declaration"), node.child_by_field_name("value"), to_site(node)
    is_default = has_token(node, "default")
    for each in node.children_by_field_name("decorator"):
        frame.evaluate(frame.lower_expression(each))
    if declaration is not None:
        name = declaration.child_by_field_name("name")
        if not is_default or name is not None:
            frame.lower_statement(declaration)
        if is_default:
            found = (
                frame.lower_expression(declaration)
                if name is None
                else frame.lower_name(frame.file.decode_text(name), to_site(name))
            )
            frame.emit(ir.Assign(at, frame.scope.declare(DEFAULT), found))
    elif value is not None:
        found = frame.lower_expression(value)
        frame.emit(ir.Assign(at, frame.scope.declare(DEFAULT), found))
    elif has_token(node, "=") and list_children(node):
        found = frame.lower_expression(list_children(node)[0])
        frame.emit(ir.Assign(at, frame.scope.declare(DEFAULT), found))


@register_statement("enum_declaration")
def _lower_enum(frame: TypeScriptFrame, node: Node) -> None:
    """Lower an enumeration: an object with its members."""
    name, body, at = node.child_by_field_name("name"), node.child_by_field_name("body"), to_site(node)
    entries: list[tuple[ir.Expression | None, ir.Expression]] = []
    following: int | None = 0
    for each in list_children(body) if body is not None else ():
        member = each.child_by_field_name("name") if each.type == "enum_assignment" else each
        given = each.child_by_field_name("value") if each.type == "enum_assignment" else None
        if member is None:
            continue
        if given is not None:
            value = frame.lower_expression(given)
            told = value.value if isinstance(value, ir.Constant) else None
            following = told + 1 if isinstance(told, int) and not isinstance(told, bool) else None
        else:
            value = (
                ir.Constant(to_site(each), following) if following is not None else frame.lower_unknown(each, "enum")
            )
            following = following + 1 if following is not None else None
        entries.append((ir.Constant(to_site(member), read_name(frame, member)), value))
    if name is not None:
        bind(frame, frame.file.decode_text(name), at, ir.Record(at, None, tuple(entries)))


@register_statement("internal_module", "module")
def _lower_namespace(frame: TypeScriptFrame, node: Node) -> None:
    """Lower a namespace: an object with the names that it exports."""
    name, body, at = node.child_by_field_name("name"), node.child_by_field_name("body"), to_site(node)
    if name is None or body is None:
        return
    outer, frame.scope = frame.scope, LoweredScope("block", frame.scope)
    frame.lower_statements(body)
    exported = [
        each.child_by_field_name("declaration") for each in list_children(body) if each.type == "export_statement"
    ]
    names = [
        bound
        for each in exported
        if each is not None
        for part in (list_children(each) if each.type.endswith("_declaration") and "name" not in each.type else ())
        for bound in iter_bound(part.child_by_field_name("name"), frame.file.data)
    ]
    names += [
        frame.file.decode_text(own)
        for each in exported
        if each is not None and (own := each.child_by_field_name("name"))
    ]
    entries = tuple((ir.Constant(at, each), frame.lower_name(each, at)) for each in names)
    frame.scope = outer
    if name.type in NAMES:
        bind(frame, frame.file.decode_text(name), at, ir.Record(at, None, entries))
