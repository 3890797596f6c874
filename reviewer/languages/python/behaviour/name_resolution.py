"""What a name or a call in a function's body means, as far as the syntax tells: assignments, parameters, callees, constants."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import BESIDE, around, child, children, of_kinds_at, string_of, walk_without
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.literals import constant, string_value
from reviewer.languages.python.evaluation.values import Const, Method, PyFunction, PyScope, Value
from reviewer.languages.python.project.modules import PyModule

PLAIN = frozenset({"identifier", "attribute"})
STATEMENTS = frozenset(
    "block if_statement elif_clause else_clause for_statement while_statement with_statement try_statement except_clause "
    "except_group_clause finally_clause match_statement case_clause expression_statement".split()
)


class FunctionPlace(NamedTuple):
    """A function of the project and the module that it stands in."""

    node: Node
    module: PyModule
    function: PyFunction | None = None


def own(run: Evaluator, *signs: bytes) -> Iterator[PyModule]:
    """Yield the project's modules that hold one of the signs."""
    for module in run.modules.holding(signs):
        if not module.is_aside:
            yield module


def near(module: PyModule, signs: tuple[bytes, ...], *kinds: str) -> list[Node]:
    """Find the nodes of some kinds in which one of the signs stands, in the order of the source."""
    signed = re.compile(b"|".join(map(re.escape, signs)))
    places = (hit.span() for hit in signed.finditer(module.source.data))
    return of_kinds_at(module.root, "python", places, *kinds)


def scope(run: Evaluator, module: PyModule) -> PyScope:
    """Return a module's names, the evaluation of a module that was of no interest so far begun anew."""
    run.start()
    return run.scope_of(module)


def below(node: Node, stop: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Return a node and all it holds, in order; what lies in nodes of the types `stop` is left out."""
    return walk_without(node, stop | BESIDE if stop else BESIDE)


def enclosing(node: Node, kind: str = "function_definition") -> Node | None:
    """Return the innermost function, or another construct, around a node."""
    return next((above for above in around(node) if above.type == kind), None)


def runs_in(node: Node, block: Node) -> bool:
    """Return whether a node within a block runs where the block does, and not in a function that is made there."""
    if node.id == block.id:
        return True
    inner = takewhile(lambda above: above.id != block.id, around(node))
    return not any(above.type in ("function_definition", "lambda") for above in inner)


def assigned(name: str, node: Node) -> Node | None:
    """Return the value that the last assignment before a node, in the same function, gives a name."""
    return next(iter(reversed(assignments(name, node))), None)


def assignments(name: str, node: Node) -> list[Node]:
    """Return the values that the assignments before a node, in the same function, give a name."""
    found: list[Node] = []
    for each in assignments_before(node):
        target = child(each, "left") if each.type == "assignment" else child(each, "name")
        value = child(each, "right") or child(each, "value")
        if target is not None and target.type == "identifier" and string_of(target) == name and value is not None:
            found.append(value)
    return found


def assignments_before(node: Node) -> Iterator[Node]:
    """Yield the assignments before a node in the same function."""
    unit = enclosing(node)
    for each in _iter_binding(unit) if unit is not None else ():
        if each.end_byte <= node.start_byte:
            yield each


def _iter_binding(unit: Node) -> Iterator[Node]:
    """Find the assignments of a function; within expressions only where there are any."""
    walrus = b":=" in (unit.text or b"")
    pending = list(reversed(children(unit)))
    while pending:
        current = pending.pop()
        if current.type in ("assignment", "named_expression"):
            yield current
        if walrus or current.type in STATEMENTS:
            pending += [
                part for part in reversed(children(current)) if part.type not in ("lambda", "function_definition")
            ]


def is_parameter(name: str, node: Node) -> bool:
    """Return whether a name is handed to a function around a node, or bound by a pattern or a loop there."""
    unit = enclosing(node)
    while unit is not None:
        listed = child(unit, "parameters")
        if listed is not None and any(
            each.type == "identifier" and string_of(each) == name
            for part in children(listed)
            for each in _collect_heads(part)
        ):
            return True
        unit = enclosing(unit)
    return False


def _collect_heads(parameter: Node) -> list[Node]:
    inner = child(parameter, "name")
    return [inner] if inner is not None else [parameter, *children(parameter)[:1]]


def callee(run: Evaluator, call: Node, within: PyScope) -> FunctionPlace | None:
    """Find the function of the project that a call enters: by its name, as a method of the same class, in a module."""
    called = child(call, "function")
    if called is None:
        return None
    if called.type == "identifier":
        local = _find_local(string_of(called), call)
        if local is not None:
            return FunctionPlace(local, within.module)
        return _find_function(run.lookup(string_of(called), within, called))
    owner = child(called, "object") if called.type == "attribute" else None
    name = child(called, "attribute")
    if owner is None or name is None:
        return None
    if string_of(owner) in ("self", "cls"):
        around = enclosing(call, "class_definition")
        body = child(around, "body")
        found = defined(string_of(name), body) if body is not None else None
        return FunctionPlace(found, within.module) if found is not None else None
    return _find_function(run.value(called, within)) if owner.type in PLAIN else None


def _find_function(value: Value) -> FunctionPlace | None:
    found = value.function if isinstance(value, Method) else value
    return FunctionPlace(found.node, found.scope.module, found) if isinstance(found, PyFunction) else None


def _find_local(name: str, node: Node) -> Node | None:
    unit = enclosing(node)
    body = child(unit, "body") if unit is not None else None
    return defined(name, body) if body is not None else None


def defined(name: str, body: Node) -> Node | None:
    """Return the function of a name that a block defines."""
    return _collect_definitions(body).get(name)


@lru_cache(maxsize=2048)
def _collect_definitions(body: Node) -> dict[str, Node]:
    """Return the functions that a block defines; of several of a name the first."""
    found: dict[str, Node] = {}
    for part in children(body):
        node = child(part, "definition") or part if part.type == "decorated_definition" else part
        if node.type == "function_definition":
            found.setdefault(string_of(child(node, "name") or node), node)
    return found


def called(call: Node | None) -> str:
    """Return the last name of what is called; empty if it has none."""
    function = child(call, "function") if call is not None and call.type == "call" else None
    name = child(function, "attribute") or function if function is not None else None
    return string_of(name) if name is not None and name.type == "identifier" else ""


def receiver(call: Node) -> Node | None:
    """Return the expression that a method is called on."""
    function = child(call, "function") if call.type == "call" else None
    return child(function, "object") if function is not None and function.type == "attribute" else None


def arguments(call: Node) -> tuple[list[Node], dict[str, Node]]:
    """Return the positional arguments of a call, and those by keyword."""
    positional: list[Node] = []
    keywords: dict[str, Node] = {}
    for part in children(child(call, "arguments")):
        name, value = child(part, "name"), child(part, "value")
        if part.type == "keyword_argument" and name is not None and value is not None:
            keywords[string_of(name)] = value
        else:
            positional.append(part)
    return positional, keywords


def text(run: Evaluator, node: Node | None, within: PyScope) -> str | None:
    """Read a string that is written, or a constant."""
    value = _get_constant(run, node, within)
    return value if isinstance(value, str) else None


def _get_constant(run: Evaluator, node: Node | None, within: PyScope) -> object:
    if node is None:
        return None
    if node.type in ("string", "concatenated_string"):
        return string_value(node)
    if node.type in ("integer", "float"):
        return constant(node)
    if node.type not in PLAIN or "(" in string_of(node):
        return None
    value = run.value(node, within)
    return value.value if isinstance(value, Const) else None


def decorators_of(function: Node) -> list[str]:
    """Return the source of the decorators of a function or a class."""
    above = function.parent
    if above is None or above.type != "decorated_definition":
        return []
    return [string_of(part) for part in children(above) if part.type == "decorator"]
