"""Failures of a tool's work that it raises as errors of the protocol."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.graph import Deed, Unit, target, unit_at
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.behaviour.conduct.raising import is_caught, raised
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, called, number
from reviewer.languages.python.values import Class, External

PROTOCOL = re.compile(r"mcp(?:\.\w+)*\.M(?:cp|CP)Error")
NAMES = ("McpError", "MCPError")
DATA = re.compile(r"mcp(?:_types|\.\w+)*\.ErrorData")
INTERNAL = re.compile(r"(?:^|\.)(?:INTERNAL_ERROR|PARSE_ERROR)$")
BROKEN = (-32603, -32700)
"""The codes by which a server says that it failed itself."""

FREE = range(-32099, -31999)
"""The codes that each server gives a meaning of its own."""
TAKEN = (-32002, -32003, -32042)
"""Those of them that the protocol gives a meaning: no such resource, what a client cannot do, an address to be opened first."""


def fails_protocol(unit: Unit) -> Iterator[Deed]:
    """Find where an error of the protocol is raised that tells of a failure, and not of a call that cannot be made."""
    if b"raise" not in unit.text:
        return
    for node in unit.nodes("raise_statement"):
        made = next(iter(children(node)), None)
        if made is not None and _tells_failure(unit, made, _in_clause(node, unit)) and not is_taken(node, unit):
            yield Deed("fails protocol", node)


def is_taken(node: Node, unit: Unit) -> bool:
    """Tell whether an error of the protocol that leaves a node is caught in the same function."""
    return any(is_caught(node, name, unit) for name in (raised(node), *NAMES))


def _tells_failure(unit: Unit, made: Node, caught: bool, depth: int = 0) -> bool:
    """Tell whether an exception is one of the protocol whose code tells of a failure."""
    if depth > 3:
        return False
    if made.type == "identifier":
        value = given_to(string_of(made), made)
        return value is not None and value.id != made.id and _tells_failure(unit, value, caught, depth + 1)
    if made.type != "call":
        return False
    function = child(made, "function")
    owner = child(function, "object") if called(made) == "from_error_data" else None
    if PROTOCOL.fullmatch(unit.path(owner or function)) is not None:
        return _is_failure(unit, _code(unit, made), caught)
    return _is_own(unit, function, caught) or _is_made(unit, made, caught, depth)


def _is_made(unit: Unit, made: Node, caught: bool, depth: int) -> bool:
    """Look into the function of the project that makes an exception: `raise failed(error)`."""
    call = unit.call_at(made)
    place = target(unit, call) if call is not None else None
    body = child(place.node, "body") if place is not None else None
    values = list(returned(body)) if body is not None else []
    if place is None or body is None or not values:
        return False
    inner = unit_at(unit.run, place.module, body)
    return all(_tells_failure(inner, value, caught, depth + 2) for value in values)


def _is_own(unit: Unit, function: Node | None, caught: bool) -> bool:
    """Tell whether a class of the project is an error of the protocol that always has the code of a failure."""
    found = unit.run.value(function, unit.within) if function is not None and function.type == "identifier" else None
    if not isinstance(found, Class):
        return False
    for cls in found.lineage():
        if any(isinstance(base, External) and PROTOCOL.fullmatch(base.path) for base in cls.bases):
            inner = unit_at(unit.run, cls.scope.module, child(cls.node, "body") or cls.node)
            begun = [each for each in of_kinds(cls.node, "python", "call") if _begins(each)]
            return len(begun) == 1 and _is_failure(inner, _code(inner, begun[0]), caught)
    return False


def _begins(call: Node) -> bool:
    function = child(call, "function")
    return function is not None and string_of(function) in (
        "super().__init__",
        "McpError.__init__",
        "MCPError.__init__",
    )


def _code(unit: Unit, made: Node) -> Node | None:
    """Give the expression of the code that an error is made with: of itself, or of the `ErrorData` that it is given."""
    positional, keywords = arguments(made)
    first = keywords.get("code") or keywords.get("error") or next(iter(positional), None)
    if first is not None and first.type == "identifier":
        value = given_to(string_of(first), first)
        first = value if value is not None and value.type == "call" else first
    if first is not None and first.type == "call" and DATA.fullmatch(unit.path(child(first, "function"))) is not None:
        return arguments(first)[1].get("code")
    return first


def _is_failure(unit: Unit, code: Node | None, caught: bool) -> bool:
    if code is None:
        return False
    if INTERNAL.search(unit.path(code) or string_of(code)) is not None:
        return True
    known = number(unit.run, code, unit.within)
    if known is None and code.type == "unary_operator":
        inner = number(unit.run, children(code)[0], unit.within)
        known = -inner if inner is not None else None
    return known in BROKEN or (caught and known is not None and known in FREE and known not in TAKEN)


def _in_clause(node: Node, unit: Unit) -> bool:
    """Tell whether something is raised because of a failure that was caught."""
    above = node.parent
    while above is not None and above.id != unit.body.id:
        if above.type == "except_clause":
            return True
        above = parent_of(above)
    return False
