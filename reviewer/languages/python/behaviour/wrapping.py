"""What is laid around the function of a tool: its decorators, and the functions that it passes before it is registered."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.values.decorators import (
    ExceptionClause,
    collect_clauses,
    gives_another,
    iter_surrounding_traces,
)
from reviewer.code.events import Trace
from reviewer.code.ir import Code
from reviewer.facts import Wrapper
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, find_enclosing
from reviewer.languages.python.behaviour.tracing import get_program
from reviewer.languages.python.declarations.registrations import Registration
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import (
    Alternatives,
    External,
    Method,
    Partial,
    PyClass,
    PyFunction,
    PyInstance,
    PyValue,
)
from reviewer.source import Text


def iter_wrappers(run: Evaluator, made: Registration, function: PyFunction) -> Iterator[Wrapper]:
    """Yield the wrappers around the function of a registration, outermost first."""
    shown = function.unwrap()
    above = shown.node.parent
    marks = (
        [part for part in list_children(above) if part.type == "decorator" and list_children(part)]
        if above is not None
        else []
    )
    marks = marks if above is not None and above.type == "decorated_definition" else []
    read = [_resolve_decorator(run, mark, shown) for mark in marks]
    registering = next((n for n, mark in enumerate(marks) if _registers(made, mark, read[n], shown)), None)
    known = {each.node.start_byte for each in read if isinstance(each, FunctionPlace)}
    yield from _iter_layers(run, function, known)
    for index, (mark, place) in enumerate(zip(marks, read, strict=True)):
        if index != registering:
            outside = registering is not None and index < registering
            yield _build_wrapper(run, shown, list_children(mark)[0], place, outside)


def _registers(made: Registration, mark: Node, place: FunctionPlace | str, shown: PyFunction) -> bool:
    """Return whether a decorator is the one that registers: it is the call itself, or a function of the project around it."""
    here = made.module is shown.scope.module
    if here and mark.start_byte <= made.node.start_byte and made.node.end_byte <= mark.end_byte:
        return True
    if not isinstance(place, FunctionPlace) or place.module is not made.module:
        return False
    return place.node.start_byte <= made.node.start_byte and made.node.end_byte <= place.node.end_byte


def _resolve_decorator(run: Evaluator, mark: Node, shown: PyFunction) -> FunctionPlace | str:
    """Find the function of the project that a decorator is, or give the name of what it is."""
    node = list_children(mark)[0]
    called = find_child(node, "function") if node.type == "call" else None
    written = called if called is not None else node
    value = run.evaluate(written, shown.scope)
    if isinstance(value, PyClass):  # bare, it takes the function itself and is what is called
        value = value.find_attribute("__call__") or value if called is not None else value
    return _place(value) or decode_node(written)


def _place(value: PyValue) -> FunctionPlace | str | None:
    if isinstance(value, Partial):
        return _place(value.callee)
    if isinstance(value, Alternatives):
        return _place(value.values[0])
    if isinstance(value, PyInstance) and isinstance(value.made_by, PyClass):
        made = value.made_by.find_attribute("__call__")
        return _place(made) if made is not None else None
    found = value.function if isinstance(value, Method) else value
    if isinstance(found, PyFunction) and found.node.type == "function_definition":
        outer = find_outermost(found.node)  # what a factory made stands for the factory
        return FunctionPlace(outer, found.scope.module, found)
    return value.path if isinstance(value, External) else None


def _build_wrapper(
    run: Evaluator, shown: PyFunction, written: Node, place: FunctionPlace | str, outside: bool
) -> Wrapper:
    text = Text(decode_node(written), shown.scope.module.locate(written))
    if isinstance(place, str):
        return Wrapper(text, place.rpartition(".")[2], None, outside)
    program = get_program(run)
    code = program.find_code_at(place.module, place.node)
    clauses = collect_clauses(code, program)
    return Wrapper(
        text,
        _get_name(place),
        place.module.locate(place.node),
        outside,
        wraps=gives_another(code, program),
        catches=any(each.answers_any(program) for each in clauses),
        catches_some=any(each.answers(program) for each in clauses),
    )


def _get_name(place: FunctionPlace) -> str:
    return decode_node(find_child(place.node, "name") or place.node)


def _iter_layers(run: Evaluator, function: PyFunction, known: set[int]) -> Iterator[Wrapper]:
    """Yield the functions of the project that the registered one passed without being decorated with them."""
    layer = function
    while layer.wraps is not None:
        outer = FunctionPlace(find_outermost(layer.node), layer.scope.module)
        if outer.node.start_byte not in known and outer.node != layer.node:
            yield _build_wrapper(
                run,
                PyFunction(layer.name, layer.node, layer.scope),
                find_child(outer.node, "name") or outer.node,
                outer,
                False,
            )
        layer = layer.wraps


def iter_layer_clauses(run: Evaluator, function: PyFunction) -> Iterator[ExceptionClause]:
    """Yield the clauses that catch in what a function was wrapped in, outermost first."""
    program = get_program(run)
    for code in _iter_decorators(run, function):
        yield from collect_clauses(code, program)


def iter_layer_traces(run: Evaluator, function: PyFunction) -> Iterator[Trace]:
    """Yield the traces of the functions that a function was wrapped in, outermost first.

    Of those that a decorator makes it is the one that it chose, as by `iscoroutinefunction`.
    """
    program, layer = get_program(run), function
    for code in _iter_decorators(run, function):
        made = list(iter_surrounding_traces(code, program))
        chosen = [each for each in made if each.code.at.start == layer.node.start_byte]
        yield from chosen or made
        layer = layer.wraps or layer


def _iter_decorators(run: Evaluator, function: PyFunction) -> Iterator[Code]:
    """Yield the code that made each layer around a function."""
    layer = function
    while layer.wraps is not None:
        yield get_program(run).find_code_at(layer.scope.module, find_outermost(layer.node))
        layer = layer.wraps


def find_outermost(node: Node) -> Node:
    """Return the function at the top of a module or a class that a function was made in."""
    outer = find_enclosing(node)
    return find_outermost(outer) if outer is not None else node
