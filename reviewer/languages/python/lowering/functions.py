"""Modules, functions, lambdas and classes: what codes there are, and how each is made where it is written."""

from collections.abc import Callable
from typing import Literal

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import NESTED, TOO_DEEP, to_site
from reviewer.languages.nodes import BESIDE, find_parent, parse
from reviewer.languages.python.lowering.calls import lower_arguments
from reviewer.languages.python.lowering.files import File, PythonCode, list_children
from reviewer.languages.python.lowering.frame import PythonFrame, register_expression, register_statement
from reviewer.languages.python.lowering.scopes import LoweredScope, build_function_scope
from reviewer.languages.python.lowering.targets import SEVERAL, assign, bind
from reviewer.source import Source

ParameterKind = Literal["positional", "normal", "named", "rest", "named rest", "receiver"]
# What has a scope of its own. A comprehension has one as well, and is lowered where it stands.
_DEFINITIONS = frozenset({"class_definition", "function_definition", "lambda"})


def lower_module(source: Source, root: Node) -> PythonCode:
    """Return the code of a module; functions and classes in it are values of its variables."""
    file = File(source, root)
    return PythonCode(
        file,
        root,
        source.path,
        "module",
        None,
        lambda: LoweredScope("module", None),
        _lower_running(lambda frame: frame.block(root)),
    )


def lower_function(source: Source, node: Node, around: ir.Code | None = None, *, owner: str = "") -> PythonCode:
    """Return the code of a function, a lambda or a class by itself: its names are those of `around`, or globals.

    `owner` is the class that it is a method of, if `around` is none. A default that calls something is unknown, because nobody
    makes the function. `find_code` returns a code with all around it.
    """
    outer = around if isinstance(around, PythonCode) else None
    file = File(source, parse(source, "python")) if outer is None else outer.file
    frame = PythonFrame(file, outer, LoweredScope("module", None) if outer is None else outer.scope)
    code, _ = _lower_code(frame, _strip_decorators(node), is_static=_is_static(file, node))
    if owner:
        code.owner = owner
        _receive(code, is_static=_is_static(file, node))
    made = {each.target for each in frame.out if isinstance(each, ir.Assign | ir.Call | ir.Await | ir.Yield)}
    for parameter in code.parameters:
        default = parameter.default
        if default is not None and any(
            isinstance(each, ir.Read) and each.variable in made for each in (default, *ir.iter_expressions(default))
        ):
            parameter.default = ir.Unknown(default.at, (), "evaluated where the function is made")
    return code


def find_code(module: PythonCode, node: Node) -> PythonCode | None:
    """Return the code of a function, a lambda or a class in a module; what is around it is lowered.

    None if it is in code that could not be lowered.
    """
    around = [_strip_decorators(node)]
    above = node.parent
    while above is not None:
        if above.type in _DEFINITIONS:
            around.append(above)
        above = find_parent(above)
    code: PythonCode | None = module
    for each in reversed(around):
        if code is None:
            return None
        _ = code.body
        code = module.file.codes.get(to_site(each))
    return code


def lower_constant(source: Source, node: Node, name: str) -> PythonCode:
    """Return the code of the expression that a module gives a name: one that returns it."""
    file = File(source, parse(source, "python"))
    return PythonCode(
        file,
        node,
        name,
        "function",
        None,
        lambda: LoweredScope("module", None),
        _lower_running(lambda frame: frame.emit(ir.Return(to_site(node), frame.lower_expression(node)))),
    )


def _strip_decorators(node: Node) -> Node:
    definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else None
    return node if definition is None else definition


def _lower_running(run: Callable[[PythonFrame], None]) -> Callable[[ir.Code], ir.Body]:
    def lower(code: ir.Code) -> ir.Body:
        if not isinstance(code, PythonCode):
            raise TypeError(code)
        frame = PythonFrame(code.file, code, code.scope)
        run(frame)
        return tuple(frame.out)

    return lower


@register_statement("decorated_definition")
def _lower_decorated(frame: PythonFrame, node: Node) -> None:
    definition = node.child_by_field_name("definition")
    decorators = [each for each in list_children(node) if each.type == "decorator" and list_children(each)]
    if definition is None:
        frame.evaluate(frame.lower_unsupported(node))
    else:
        _define(frame, definition, decorators)


@register_statement("function_definition", "class_definition")
def _lower_definition(frame: PythonFrame, node: Node) -> None:
    _define(frame, node, [])


def _define(frame: PythonFrame, node: Node, decorators: list[Node]) -> None:
    """Make a function or a class, hand it to its decorators, the innermost first, and bind its name."""
    called = frame.lower_operands([list_children(each)[0] for each in decorators])
    at, effects, walruses = len(frame.out), frame.effects, frame.walruses
    code, value = _lower_code(frame, node, is_static=any(_names_static(frame.file, each) for each in decorators))
    if frame.effects != effects:
        names = frame.walruses != walruses
        called = [frame.keep_callee(each, at, names=names) for each in called]
    if len(called) > 1:
        called[:-1] = [frame.keep_callee(each, len(frame.out), names=False) for each in called[:-1]]
    for decorator, callee in zip(reversed(decorators), reversed(called), strict=True):
        place = ir.Site(decorator.start_byte, list_children(decorator)[0].end_byte)
        target = frame.prepare_temporary()
        frame.emit(ir.Call(place, target, callee, (ir.Argument(value),)))
        value = ir.Read(place, target)
    name = node.child_by_field_name("name")
    if name is not None and code.name:
        bind(frame, code.name, to_site(node), value)
    else:
        frame.evaluate(value)


def _is_static(file: File, node: Node) -> bool:
    whole = node if node.type == "decorated_definition" else node.parent
    if whole is None or whole.type != "decorated_definition":  # a module has all its functions for children
        return False
    return any(_names_static(file, each) for each in whole.children if each.type == "decorator")


def _names_static(file: File, decorator: Node) -> bool:
    return file.decode_text(decorator).lstrip("@ \t").startswith("staticmethod")


@register_expression("lambda", "function_definition", "class_definition")
def _lower_closure(frame: PythonFrame, node: Node) -> ir.Expression:
    return _lower_code(frame, node)[1]


def _lower_code(frame: PythonFrame, node: Node, *, is_static: bool = False) -> tuple[PythonCode, ir.Expression]:
    """Return the code of a definition, and what makes it; its defaults or its bases are evaluated."""
    code = (
        _get_class(frame, node) if node.type == "class_definition" else _get_function(frame, node, is_static=is_static)
    )
    return code, ir.Closure(to_site(node), code)


def _get_name(frame: PythonFrame, node: Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else frame.file.decode_text(name)


def _get_class(frame: PythonFrame, node: Node) -> PythonCode:
    around, body, name = frame.scope, node.child_by_field_name("body"), _get_name(frame, node)
    bases = node.child_by_field_name("superclasses")
    given = () if bases is None else lower_arguments(frame, bases)
    code = PythonCode(
        frame.file,
        node,
        name,
        "class",
        frame.code,
        lambda: LoweredScope("class", around),
        _lower_running(lambda inner: _run(inner, body)),
    )
    code.bases = given
    if frame.code is not None and frame.code.kind == "class":
        code.owner = _format_qualified(frame.code)
    return code


def _format_qualified(code: ir.Code) -> str:
    return f"{code.owner}.{code.name}" if code.owner else code.name


def _run(frame: PythonFrame, body: Node | None) -> None:
    if frame.scope.level > NESTED and body is not None:
        frame.emit(ir.Evaluate(to_site(body), frame.lower_unknown(body, TOO_DEEP)))
    else:
        frame.block(body)


def _get_function(frame: PythonFrame, node: Node, *, is_static: bool) -> PythonCode:
    file, around = frame.file, frame.scope
    body = node.child_by_field_name("body")
    is_lambda = node.type == "lambda"
    taken = _Parameters(frame, node.child_by_field_name("parameters"))
    parameters = taken.parameters

    def build_scope() -> LoweredScope:
        variables = [each.variable for each in parameters]
        made = build_function_scope(around, variables, node if body is None else body, file.data)
        for pattern, _ in taken.patterns:
            for each in list_children(pattern):
                made.bind(file.decode_text(each))
        return made

    def run(inner: PythonFrame) -> None:
        for pattern, variable in taken.patterns:
            assign(inner, pattern, ir.Read(to_site(pattern), variable), to_site(pattern))
        if not is_lambda or body is None or inner.scope.level > NESTED:
            _run(inner, body)
        else:
            inner.emit(ir.Return(to_site(body), inner.lower_expression(body)))

    kind: ir.CodeKind = "closure" if is_lambda else "function"
    code = PythonCode(file, node, _get_name(frame, node), kind, frame.code, build_scope, _lower_running(run))
    code.is_async = bool(node.children) and node.children[0].type == "async"
    code.parameters = parameters
    returns = node.child_by_field_name("return_type")
    code.returns = None if returns is None else ir.TypeName(to_site(returns), file.decode_text(returns))
    if frame.code is not None and frame.code.kind == "class" and not is_lambda:
        code.owner = _format_qualified(frame.code)
        _receive(code, is_static=is_static)
    return code


def _receive(method: PythonCode, *, is_static: bool) -> None:
    """Let the first parameter of a method be the object that it is called on."""
    if not is_static and method.parameters and method.parameters[0].kind in ("normal", "positional"):
        method.parameters[0].kind = "receiver"


class _Parameters:
    """The parameters of a function. `patterns` are those that are taken apart, as Python 2 could."""

    def __init__(self, frame: PythonFrame, node: Node | None) -> None:
        self.patterns: list[tuple[Node, ir.Variable]] = []
        self._file = frame.file
        self._made: list[ir.CodeParameter] = []
        self._defaults: list[tuple[ir.CodeParameter, Node]] = []
        self._kind: ParameterKind = "normal"
        for each in [] if node is None else node.children:
            if each.is_named and each.type not in BESIDE:
                self._add(each)
        values = frame.lower_operands(value for _, value in self._defaults)
        for (parameter, _), value in zip(self._defaults, values, strict=True):
            parameter.default = value
        self.parameters = tuple(self._made)

    def _add(self, node: Node) -> None:
        kind = node.type
        if kind == "positional_separator":
            for each in self._made:
                each.kind = "positional"
        elif kind == "keyword_separator":
            self._kind = "named"
        elif kind == "ERROR":
            pass
        else:
            self._lower_parameter(node)

    def _lower_parameter(self, node: Node) -> None:
        target = node.child_by_field_name("name")
        if target is None:
            target = list_children(node)[0] if node.type == "typed_parameter" and list_children(node) else node
        kind = self._kind
        splat = _SPLATS.get(target.type)
        if splat is not None:
            target = list_children(target)[0] if list_children(target) else target
            kind, self._kind = splat, "named"
        annotation, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        is_name = target.type == "identifier"
        name = self._file.decode_text(target) if is_name else ""
        made = ir.CodeParameter(to_site(node), name, ir.Variable(name), None, None, kind)
        if annotation is not None:
            made.type = ir.TypeName(to_site(annotation), self._file.decode_text(annotation))
        if target.type in SEVERAL:
            self.patterns.append((target, made.variable))
        self._made.append(made)
        if value is not None:
            self._defaults.append((made, value))


_SPLATS: dict[str, ParameterKind] = {"list_splat_pattern": "rest", "dictionary_splat_pattern": "named rest"}
