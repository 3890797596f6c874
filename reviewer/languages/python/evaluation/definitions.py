"""Definitions of functions and classes, and what decorators make of them."""

import unicodedata

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.evaluation import configuration
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    CallArguments,
    Const,
    External,
    Method,
    PyClass,
    PyFunction,
    PyInstance,
    PyScope,
    PyValue,
    TypeForm,
    assume_default,
)


def bind_function(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Execute `def`."""
    define(run, node, scope)


def bind_class(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Execute `class`."""
    define_class(run, node, scope)


def define(run: Evaluator, node: Node, scope: PyScope) -> PyFunction | None:
    """Bind a function."""
    name = find_child(node, "name")
    if name is None:
        return None
    inner = with_parameters(node, scope)
    function = PyFunction(
        unicodedata.normalize("NFKC", decode_node(name)), node, inner, conditions=run.conditions, moment=run.clock
    )
    run.bind(scope, function.name, function)
    if scope.owner is not None:
        run.closures.setdefault((scope.module.path, node.start_byte), []).append(function)
    if run.supposed.asking is not None:
        run.supposed.defined.append(function)
    return function


def define_class(run: Evaluator, node: Node, scope: PyScope) -> PyClass | None:
    """Bind a class. Its body is executed when it is needed, or at once if it may declare a tool."""
    name, body = find_child(node, "name"), find_child(node, "body")
    if name is None or body is None:
        return None
    conditions = run.conditions
    outer, scope = scope, with_parameters(node, scope)

    def execute(cls: PyClass, names: dict[str, PyValue]) -> None:
        with run.only_under(conditions):
            run.execute(list_children(body), PyScope(scope.module, scope, names, is_class=True))
        for value in names.values():
            if isinstance(value, PyFunction) and value.cls is None:
                value.cls = cls

    cls = PyClass(decode_node(name), node, scope, execute)
    for part in list_children(find_child(node, "superclasses")):
        if part.type == "keyword_argument":
            key, given = find_child(part, "name"), find_child(part, "value")
            if key is not None and given is not None:
                cls.keywords[decode_node(key)] = run.evaluate(given, scope)
        else:
            cls.written.append(run.evaluate(part, scope))
            cls.bases.append(_evaluate_base(cls.written[-1]))
    cls.parameters += list(scope.names.values()) if scope is not outer else []
    cls.moment = run.clock
    run.bind(outer, cls.name, cls)
    run.classes.append(cls)
    _call_init_subclass(run, cls)
    if b"tool" in (body.text or b""):
        _ = cls.names
    return cls


def _call_init_subclass(run: Evaluator, cls: PyClass) -> None:
    """Call what a base wants to be told of its subclasses."""
    for base in cls.bases:
        found = base.find_attribute("__init_subclass__") if isinstance(base, PyClass) else None
        if isinstance(found, PyFunction):
            span = cls.scope.module.locate(cls.node)
            run.call(Method(cls, found.name, span, found), CallArguments([], dict(cls.keywords), span))


def with_parameters(node: Node, scope: PyScope) -> PyScope:
    """Return a scope in which the type variables of `class C[T]`, `def f[T]` or `type X[T]` are bound."""
    parameters = find_child(node, "type_parameters")
    if parameters is None:
        return scope
    inner = PyScope(scope.module, scope, owner=scope.owner)
    for part in list_children(parameters):
        name = decode_node(part).partition(":")[0].partition("=")[0].strip().lstrip("*")
        span = scope.module.locate(part)
        inner.names[name] = PyInstance(External("typing.TypeVar", span), [Const(name, span)], {}, span)
    return inner


def _evaluate_base(value: PyValue) -> PyValue:
    """Return the class of a generic base: `Base[T]` is `Base`."""
    return value.origin if isinstance(value, TypeForm) else value


def define_decorated(run: Evaluator, node: Node, scope: PyScope) -> None:
    """Bind a function or a class after its decorators were applied to it."""
    definition = find_child(node, "definition")
    if definition is None:
        return
    decorators = [part for part in list_children(node) if part.type == "decorator" and list_children(part)]
    factories = [run.evaluate(list_children(part)[0], scope) for part in decorators]
    defined: PyFunction | PyClass | None
    defined = (
        define(run, definition, scope)
        if definition.type == "function_definition"
        else define_class(run, definition, scope)
    )
    if defined is None:
        return
    value: PyValue = defined
    for factory, part in zip(reversed(factories), reversed(decorators), strict=True):
        value = _apply(run, factory, value, part, scope)
    scope.names[defined.name] = value


def _apply(run: Evaluator, decorator: PyValue, value: PyValue, node: Node, scope: PyScope) -> PyValue:
    """Apply a decorator; one that cannot be followed is taken to keep the function as it is."""
    configuration.decorate(decorator, value)
    result = run.call(decorator, CallArguments([value], {}, scope.module.locate(node), node=node, scope=scope))
    result, reason = assume_default(result)
    if isinstance(result, Alternatives):
        result = next((each for each in result.values if isinstance(each, PyFunction)), result)
    if isinstance(result, PyFunction) and reason is not None:
        result.doubts["__signature__"] = reason
    if isinstance(result, PyInstance):
        return result if isinstance(result.made_by, PyClass) else value
    return result if isinstance(result, PyFunction | PyClass) else value
