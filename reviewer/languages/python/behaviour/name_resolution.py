"""What a name or a call in a function's body means, as far as the syntax tells: assignments, parameters, callees, constants."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from tree_sitter import Node

from reviewer.caching import cache_latest
from reviewer.languages.nodes import (
    BESIDE,
    decode_node,
    find_child,
    find_descendants_at,
    iter_ancestors,
    list_children,
    walk_without,
)
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.literals import evaluate_constant, evaluate_string
from reviewer.languages.python.evaluation.values import Const, Method, PyFunction, PyScope, PyValue
from reviewer.languages.python.project.modules import PyModule

# The evaluator tells the value of a name or a dotted name; anything else it would have to run.
PLAIN = frozenset({"identifier", "attribute"})
# Assignments are statements, so only these are gone through; expressions only where there is a `:=`.
STATEMENTS = frozenset(
    "block if_statement elif_clause else_clause for_statement while_statement with_statement try_statement except_clause "
    "except_group_clause finally_clause match_statement case_clause expression_statement".split()
)


class FunctionPlace(NamedTuple):
    """A function of the project and the module that it stands in."""

    node: Node
    module: PyModule
    function: PyFunction | None = None

    @property
    def is_decorated(self) -> bool:
        """Whether it is passed to a decorator, such as one that registers it."""
        return self.node.parent is not None and self.node.parent.type == "decorated_definition"


def iter_own_modules(run: Evaluator, *signs: bytes) -> Iterator[PyModule]:
    """Yield the project's modules that hold one of the signs."""
    for module in run.modules.find_containing(signs):
        if not module.is_aside:
            yield module


def find_nodes_with(module: PyModule, signs: tuple[bytes, ...], *kinds: str) -> list[Node]:
    """Find the nodes of some kinds in which one of the signs stands, in the order of the source."""
    signed = re.compile(b"|".join(map(re.escape, signs)))
    places = (hit.span() for hit in signed.finditer(module.source.data))
    return find_descendants_at(module.root, "python", places, *kinds)


def load_scope(run: Evaluator, module: PyModule) -> PyScope:
    """Return a module's names, the evaluation of a module that was of no interest so far begun anew."""
    run.start()
    return run.evaluate_module(module)


def iter_descendants(node: Node, stop: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Return a node and all it holds, in order; what lies in nodes of the types `stop` is left out."""
    return walk_without(node, stop | BESIDE if stop else BESIDE)


def find_enclosing(node: Node, kind: str = "function_definition") -> Node | None:
    """Return the innermost function, or another construct, around a node."""
    return next((above for above in iter_ancestors(node) if above.type == kind), None)


def runs_in(node: Node, block: Node) -> bool:
    """Return whether a node within a block runs where the block does, and not in a function that is made there."""
    if node.id == block.id:
        return True
    inner = takewhile(lambda above: above.id != block.id, iter_ancestors(node))
    return not any(above.type in ("function_definition", "lambda") for above in inner)


def find_assigned_value(name: str, node: Node) -> Node | None:
    """Return the value that the last assignment before a node, in the same function, gives a name."""
    return next(iter(reversed(list_assigned_values(name, node))), None)


def list_assigned_values(name: str, node: Node) -> list[Node]:
    """Return the values that the assignments before a node, in the same function, give a name."""
    found: list[Node] = []
    for each in iter_assignments_before(node):
        target = find_child(each, "left") if each.type == "assignment" else find_child(each, "name")
        value = find_child(each, "right") or find_child(each, "value")
        if target is not None and target.type == "identifier" and decode_node(target) == name and value is not None:
            found.append(value)
    return found


def iter_assignments_before(node: Node) -> Iterator[Node]:
    """Yield the assignments before a node in the same function."""
    unit = find_enclosing(node)
    for each in _iter_assignments(unit) if unit is not None else ():
        if each.end_byte <= node.start_byte:
            yield each


def _iter_assignments(unit: Node) -> Iterator[Node]:
    """Find the assignments of a function; within expressions only where there are any."""
    walrus = b":=" in (unit.text or b"")
    pending = list(reversed(list_children(unit)))
    while pending:
        current = pending.pop()
        if current.type in ("assignment", "named_expression"):
            yield current
        if walrus or current.type in STATEMENTS:
            pending += [
                part for part in reversed(list_children(current)) if part.type not in ("lambda", "function_definition")
            ]


def is_parameter(name: str, node: Node) -> bool:
    """Return whether a name is handed to a function around a node, or bound by a pattern or a loop there."""
    unit = find_enclosing(node)
    while unit is not None:
        listed = find_child(unit, "parameters")
        if listed is not None and any(
            each.type == "identifier" and decode_node(each) == name
            for part in list_children(listed)
            for each in _collect_heads(part)
        ):
            return True
        unit = find_enclosing(unit)
    return False


def _collect_heads(parameter: Node) -> list[Node]:
    inner = find_child(parameter, "name")
    return [inner] if inner is not None else [parameter, *list_children(parameter)[:1]]


def resolve_callee(run: Evaluator, call: Node, within: PyScope) -> FunctionPlace | None:
    """Find the function of the project that a call enters: by its name, as a method of the same class, in a module."""
    called = find_child(call, "function")
    if called is None:
        return None
    if called.type == "identifier":
        local = _find_local(decode_node(called), call)
        if local is not None:
            return FunctionPlace(local, within.module)
        return _find_function(run.resolve_name(decode_node(called), within, called))
    owner = find_child(called, "object") if called.type == "attribute" else None
    name = find_child(called, "attribute")
    if owner is None or name is None:
        return None
    if decode_node(owner) in ("self", "cls"):
        around = find_enclosing(call, "class_definition")
        body = find_child(around, "body")
        found = find_definition(decode_node(name), body) if body is not None else None
        return FunctionPlace(found, within.module) if found is not None else None
    return _find_function(run.evaluate(called, within)) if owner.type in PLAIN else None


def _find_function(value: PyValue) -> FunctionPlace | None:
    found = value.function if isinstance(value, Method) else value
    return FunctionPlace(found.node, found.scope.module, found) if isinstance(found, PyFunction) else None


def _find_local(name: str, node: Node) -> Node | None:
    unit = find_enclosing(node)
    body = find_child(unit, "body") if unit is not None else None
    return find_definition(name, body) if body is not None else None


def find_definition(name: str, body: Node) -> Node | None:
    """Return the function of a name that a block defines."""
    return _collect_definitions(body).get(name)


@cache_latest(maxsize=2048)
def _collect_definitions(body: Node) -> dict[str, Node]:
    """Return the functions that a block defines; of several of a name the first."""
    found: dict[str, Node] = {}
    for part in list_children(body):
        node = find_child(part, "definition") or part if part.type == "decorated_definition" else part
        if node.type == "function_definition":
            found.setdefault(decode_node(find_child(node, "name") or node), node)
    return found


def read_callee_name(call: Node | None) -> str:
    """Return the last name of what is called; empty if it has none."""
    function = find_child(call, "function") if call is not None and call.type == "call" else None
    name = find_child(function, "attribute") or function if function is not None else None
    return decode_node(name) if name is not None and name.type == "identifier" else ""


def find_receiver(call: Node) -> Node | None:
    """Return the expression that a method is called on."""
    function = find_child(call, "function") if call.type == "call" else None
    return find_child(function, "object") if function is not None and function.type == "attribute" else None


def split_arguments(call: Node) -> tuple[list[Node], dict[str, Node]]:
    """Return the positional arguments of a call, and those by keyword."""
    positional: list[Node] = []
    keywords: dict[str, Node] = {}
    for part in list_children(find_child(call, "arguments")):
        name, value = find_child(part, "name"), find_child(part, "value")
        if part.type == "keyword_argument" and name is not None and value is not None:
            keywords[decode_node(name)] = value
        else:
            positional.append(part)
    return positional, keywords


def read_string(run: Evaluator, node: Node | None, within: PyScope) -> str | None:
    """Read a string that is written, or a constant."""
    value = _get_constant(run, node, within)
    return value if isinstance(value, str) else None


def _get_constant(run: Evaluator, node: Node | None, within: PyScope) -> object:
    if node is None:
        return None
    if node.type in ("string", "concatenated_string"):
        return evaluate_string(node)
    if node.type in ("integer", "float"):
        return evaluate_constant(node)
    if node.type not in PLAIN or "(" in decode_node(node):
        return None
    value = run.evaluate(node, within)
    return value.value if isinstance(value, Const) else None


def list_decorators(function: Node) -> list[str]:
    """Return the source of the decorators of a function or a class."""
    above = function.parent
    if above is None or above.type != "decorated_definition":
        return []
    return [decode_node(part) for part in list_children(above) if part.type == "decorator"]
