"""Modules, functions and classes: what codes there are, and how each is made where it is written."""

from collections.abc import Callable

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, TOO_DEEP, to_site
from reviewer.languages.nodes import find_parent, parse
from reviewer.languages.typescript.lowering.expressions import read_name
from reviewer.languages.typescript.lowering.files import File, MemberRole, TypeScriptCode, has_token, list_children
from reviewer.languages.typescript.lowering.frame import TypeScriptFrame, register_expression, register_statement
from reviewer.languages.typescript.lowering.scopes import (
    FUNCTIONS,
    LoweredScope,
    declare_block,
    declare_vars,
    iter_bound,
)
from reviewer.languages.typescript.lowering.targets import NAMES, assign, bind
from reviewer.source import Source

CLASSES = frozenset({"class", "class_declaration", "abstract_class_declaration"})
"""The types of nodes that make a class: of an expression, and of declarations."""
RECEIVER = "this"


def lower_module(source: Source, root: Node) -> TypeScriptCode:
    """Return the code of a module; functions and classes in it are values of its variables."""
    file = File(source, root)

    def build_scope() -> LoweredScope:
        scope = LoweredScope("module", None)
        declare_block(scope, root, file.data)
        declare_vars(scope, root, file.data)
        return scope

    return TypeScriptCode(
        file, root, source.path, "module", None, build_scope, _lower_running(lambda frame: frame.lower_statements(root))
    )


def find_code(module: TypeScriptCode, node: Node) -> TypeScriptCode | None:
    """Return the code of a function or a class in a module; what is around it is lowered.

    None if it is in code that could not be lowered.
    """
    around = [node]
    above = node.parent
    while above is not None:
        if above.type in FUNCTIONS:
            around.append(above)
        above = find_parent(above)
    code: TypeScriptCode | None = module
    for each in reversed(around):
        if code is None:
            return None
        _ = code.body
        if code.made is not None:
            _ = code.made.body
        code = module.file.codes.get(to_site(each))
    return code


def lower_function(source: Source, node: Node, around: ir.Code | None = None) -> ir.Code:
    """Return the code of a function, with all around it; by itself, if that cannot be lowered."""
    module = around if isinstance(around, TypeScriptCode) else lower_module(source, parse(source, "typescript"))
    found = find_code(module, node)
    if found is not None:
        return found
    frame = TypeScriptFrame(module.file, None, LoweredScope("module", None))
    return _get_class(frame, node) if node.type in CLASSES else _get_function(frame, node)


def lower_constant(module: TypeScriptCode, node: Node, name: str) -> TypeScriptCode:
    """Return the code of the expression that a module gives a name: one that returns it."""
    at = ir.Site(node.start_byte, node.end_byte, 1)
    outer = LoweredScope("module", None)
    return TypeScriptCode(
        module.file,
        node,
        name,
        "function",
        None,
        lambda: LoweredScope("function", outer),
        _lower_running(lambda frame: frame.emit(ir.Return(to_site(node), frame.lower_expression(node)))),
        at,
    )


def _lower_running(run: Callable[[TypeScriptFrame], None]) -> Callable[[ir.Code], ir.Body]:
    def lower(code: ir.Code) -> ir.Body:
        if not isinstance(code, TypeScriptCode):
            raise TypeError(code)
        frame = TypeScriptFrame(code.file, code, code.scope)
        run(frame)
        return tuple(frame.out)

    return lower


@register_statement("function_declaration", "generator_function_declaration", *sorted(CLASSES - {"class"}))
def _define(frame: TypeScriptFrame, node: Node) -> None:
    name = node.child_by_field_name("name")
    value = frame.lower_expression(node)
    if name is not None:
        bind(frame, frame.file.decode_text(name), to_site(node), value)
    else:
        frame.evaluate(value)


@register_expression(*sorted(FUNCTIONS))
def _lower_closure(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    code = _get_class(frame, node) if node.type in CLASSES else _get_function(frame, node)
    return ir.Closure(to_site(node), code)


@register_expression("decorator")
def _lower_decorator(frame: TypeScriptFrame, node: Node) -> ir.Expression:
    parts = list_children(node)
    return frame.lower_expression(parts[0]) if parts else frame.lower_unsupported(node)


def find_name_node(function: Node) -> Node | None:
    """Return where a function or a class is named: in it, or by the variable or the entry that it goes to; None if nowhere."""
    name, above = function.child_by_field_name("name"), function.parent
    if name is not None or above is None:
        return name
    part = {"variable_declarator": "name", "pair": "key"}.get(above.type)
    named = above.child_by_field_name(part) if part is not None else None
    return named if named is not None and named.type != "computed_property_name" else None


def _find_name(frame: TypeScriptFrame, node: Node) -> str:
    name = find_name_node(node)
    return read_name(frame, name) if name is not None else ""


# Functions.


def _get_function(
    frame: TypeScriptFrame,
    node: Node,
    *,
    role: MemberRole = "",
    is_static: bool = False,
    fields: list[Node] | None = None,
) -> TypeScriptCode:
    """Return the code of a function; `fields` are those that a constructor gives something before anything else."""
    file, around = frame.file, frame.scope
    body = node.child_by_field_name("body")
    is_arrow = node.type == "arrow_function"
    has_receiver = bool(role) and not is_static
    taken = _Parameters(frame, node, has_receiver=has_receiver)

    def build_scope() -> LoweredScope:
        scope = LoweredScope("function", around)
        for each in taken.parameters:
            if each.variable.name:
                scope.variables[each.variable.name] = each.variable
        for pattern, _, _ in taken.patterns:
            for name in iter_bound(pattern, file.data):
                scope.declare(name)
        own = node.child_by_field_name("name") if node.type in ("function_expression", "generator_function") else None
        if own is not None:
            scope.declare(file.decode_text(own))
        if body is not None:
            declare_vars(scope, body, file.data)
        return scope

    def run(inner: TypeScriptFrame) -> None:
        taken.lower(inner)
        if role == "constructor":
            _lower_fields(inner, fields or [], taken.properties, body)
        elif body is not None:
            _lower_body(inner, body)

    code = TypeScriptCode(
        file,
        node,
        _find_name(frame, node),
        "closure" if is_arrow else "function",
        frame.code,
        build_scope,
        _lower_running(run),
    )
    code.is_async = has_token(node, "async")
    code.role, code.is_static = role, is_static
    code.parameters = taken.parameters
    returns = node.child_by_field_name("return_type")
    inner_type = list_children(returns) if returns is not None else []
    code.returns = ir.TypeName(to_site(inner_type[0]), file.decode_text(inner_type[0])) if inner_type else None
    if role and frame.code is not None:
        code.owner = frame.code.name
    return code


def _lower_body(frame: TypeScriptFrame, body: Node) -> None:
    if frame.scope.level > NESTED:
        frame.emit(ir.Evaluate(to_site(body), frame.lower_unknown(body, TOO_DEEP)))
    elif body.type != "statement_block":  # of an arrow, which gives what stands there
        frame.emit(ir.Return(to_site(body), frame.lower_expression(body)))
    else:
        frame.lower_statements(body)


class _Parameters:
    """The parameters of a function. `patterns` are taken apart at the beginning of the body, with their defaults."""

    def __init__(self, frame: TypeScriptFrame, node: Node, *, has_receiver: bool) -> None:
        self._file = frame.file
        self.patterns: list[tuple[Node, ir.Variable, Node | None]] = []
        self.properties: list[str] = []
        """Parameters of a constructor that become fields."""
        made: list[ir.CodeParameter] = []
        if has_receiver:
            made.append(
                ir.CodeParameter(
                    ir.Site(node.start_byte, node.start_byte), RECEIVER, ir.Variable(RECEIVER), kind="receiver"
                )
            )
        single, several = node.child_by_field_name("parameter"), node.child_by_field_name("parameters")
        given = [single] if single is not None else list_children(several) if several is not None else []
        made += [each for node in given if (each := self._lower(node)) is not None]
        self.parameters = tuple(made)

    def _lower(self, node: Node) -> ir.CodeParameter | None:
        pattern = node if node.type in NAMES else node.child_by_field_name("pattern")
        if pattern is None or pattern.type == "this":
            return None
        is_rest = pattern.type == "rest_pattern"
        if is_rest and list_children(pattern):
            pattern = list_children(pattern)[0]
        name = self._file.decode_text(pattern) if pattern.type in NAMES else ""
        variable = ir.Variable(name)
        made = ir.CodeParameter(to_site(node), name, variable, kind="rest" if is_rest else "normal")
        annotation = node.child_by_field_name("type")
        inner = list_children(annotation) if annotation is not None else []
        if inner:
            made.type = ir.TypeName(to_site(inner[0]), self._file.decode_text(inner[0]))
        default = node.child_by_field_name("value")
        if not name or default is not None:
            self.patterns.append((pattern, variable, default))
        if any(each.type in ("accessibility_modifier", "readonly", "override_modifier") for each in node.children):
            self.properties.append(name)
        return made

    def lower(self, frame: TypeScriptFrame) -> None:
        """Give parameters their defaults, which are evaluated in each call, and take patterns apart."""
        for pattern, variable, default in self.patterns:
            at = to_site(pattern)
            if default is not None:
                absent = ir.Comparison(at, "is", ir.Read(at, variable), ir.Constant(at, None))
                frame.enter(ir.If(to_site(default), absent, ()), "then")
                frame.emit(ir.Assign(to_site(default), variable, frame.lower_expression(default)))
                frame.leave()
            if not variable.name:
                assign(frame, pattern, ir.Read(at, variable), at)


# Classes.


def _get_class(frame: TypeScriptFrame, node: Node) -> TypeScriptCode:
    file, around, body = frame.file, frame.scope, node.child_by_field_name("body")
    members = list_children(body) if body is not None else []
    fields = [
        each for each in members if each.type == "public_field_definition" and not has_token(each, "static", "declare")
    ]
    base = next((each for each in node.children if each.type == "class_heritage"), None)
    clauses = [each for each in list_children(base) if each.type == "extends_clause"] if base is not None else []
    parent = clauses[0].child_by_field_name("value") if clauses else None
    _lower_decorators(frame, node)
    above = (ir.Argument(frame.lower_expression(parent)),) if parent is not None else ()

    def run(inner: TypeScriptFrame) -> None:
        for each in members:
            _lower_member(inner, each, fields)
        _make_constructor(inner, node, members, fields)

    code = TypeScriptCode(
        file,
        node,
        _find_name(frame, node),
        "class",
        frame.code,
        lambda: LoweredScope("block", around),
        _lower_running(run),
    )
    code.bases = above
    if frame.code is not None and frame.code.kind == "class":
        code.owner = frame.code.name
    return code


def _lower_decorators(frame: TypeScriptFrame, node: Node) -> None:
    for each in node.children_by_field_name("decorator"):
        frame.evaluate(frame.lower_expression(each))


def _lower_member(frame: TypeScriptFrame, node: Node, fields: list[Node]) -> None:
    name = node.child_by_field_name("name")
    is_static = has_token(node, "static")
    _lower_decorators(frame, node)
    for each in list_children(node.child_by_field_name("parameters") or node):
        _lower_decorators(frame, each)
    if node.type == "method_definition" and name is not None:
        role: MemberRole = "getter" if has_token(node, "get") else "setter" if has_token(node, "set") else "method"
        written = read_name(frame, name)
        if written == "constructor" and not is_static:
            return
        code = _get_function(frame, node, role=role, is_static=is_static)
        code.name = written
        closure = ir.Closure(to_site(node), code)
        if name.type == "computed_property_name":
            frame.evaluate(frame.lower_unsupported(name))
            frame.evaluate(closure)
        else:
            frame.emit(ir.Assign(to_site(node), ir.Variable(written), closure))
    elif node.type == "public_field_definition" and is_static and name is not None:
        value = node.child_by_field_name("value")
        found = frame.lower_expression(value) if value is not None else ir.Constant(to_site(node), None)
        if name.type != "computed_property_name":
            frame.emit(ir.Assign(to_site(node), ir.Variable(read_name(frame, name)), found))
    elif node.type == "class_static_block":
        frame.block(node.child_by_field_name("body"))
    elif node.type == "decorator":
        frame.evaluate(frame.lower_expression(node))


def _make_constructor(frame: TypeScriptFrame, node: Node, members: list[Node], fields: list[Node]) -> None:
    """Make the constructor of a class, which gives its fields what stands in the class, and then does its own."""
    if frame.code is None:
        return
    own = next(
        (
            each
            for each in members
            if each.type == "method_definition"
            and (name := each.child_by_field_name("name")) is not None
            and frame.file.decode_text(name) == "constructor"
            and each.child_by_field_name("body") is not None
        ),
        None,
    )
    if own is not None:
        code = _get_function(frame, own, role="constructor", fields=fields)
    elif any(each.child_by_field_name("value") is not None for each in fields):
        code = _build_silent_constructor(frame, node, fields)
    else:
        return
    code.name = "constructor"
    frame.code.made = code
    frame.emit(ir.Assign(code.at, ir.Variable("constructor"), ir.Closure(code.at, code)))


def _build_silent_constructor(frame: TypeScriptFrame, node: Node, fields: list[Node]) -> TypeScriptCode:
    """Return the constructor that a class has without writing one: it hands on what it is given to the class above."""
    at, around = ir.Site(node.start_byte, node.end_byte, 1), frame.scope
    here = ir.Site(node.start_byte, node.start_byte)
    receiver = ir.CodeParameter(here, RECEIVER, ir.Variable(RECEIVER), kind="receiver")
    rest = ir.CodeParameter(here, "", ir.Variable(), kind="rest")

    def build_scope() -> LoweredScope:
        scope = LoweredScope("function", around)
        scope.variables[RECEIVER] = receiver.variable
        return scope

    def run(inner: TypeScriptFrame) -> None:
        if frame.code is not None and frame.code.bases:
            spread = ir.Argument(ir.Spread(here, ir.Read(here, rest.variable)))
            inner.emit(ir.Call(here, inner.prepare_temporary(), ir.Global(here, ("super",)), (spread,)))
        _lower_fields(inner, fields, [], None)

    code = TypeScriptCode(frame.file, node, "constructor", "function", frame.code, build_scope, _lower_running(run), at)
    code.role = "constructor"
    code.parameters = (receiver, rest)
    code.owner = frame.code.name if frame.code is not None else ""
    return code


def _lower_fields(frame: TypeScriptFrame, fields: list[Node], properties: list[str], body: Node | None) -> None:
    """Lower what a constructor does: first the call of the one above, then what its fields are given, then the rest."""
    statements = list_children(body) if body is not None else []
    if body is not None:
        declare_block(frame.scope, body, frame.file.data)
    first = next((place + 1 for place, each in enumerate(statements) if _calls_above(each)), 0)
    for each in statements[:first]:
        frame.lower_statement(each)
    for name in properties:
        at = frame.code.at if frame.code is not None else ir.Site(0, 0)
        place = ir.Field(at, frame.lower_name(RECEIVER, at), name)
        frame.emit(ir.Store(at, place, frame.lower_name(name, at)))
    for each in fields:
        name_node, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if name_node is None or value is None:
            continue
        at = to_site(each)
        found = frame.lower_expression(value)
        if name_node.type == "computed_property_name":
            frame.evaluate(found)
        else:
            frame.emit(ir.Store(at, ir.Field(at, frame.lower_name(RECEIVER, at), read_name(frame, name_node)), found))
    for each in statements[first:]:
        frame.lower_statement(each)


def _calls_above(statement: Node) -> bool:
    inner = list_children(statement)
    call = inner[0] if statement.type == "expression_statement" and inner else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    return function is not None and function.type == "super"
