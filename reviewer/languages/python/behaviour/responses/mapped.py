"""The code that tells exceptions apart and answers for them, unit by unit: `except` clauses, and the functions they ask."""

import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import (
    Place,
    arguments,
    below,
    callee,
    enclosing,
    scope,
)
from reviewer.languages.python.behaviour.isolation import caught_name, is_broad
from reviewer.languages.python.behaviour.responses.catching import Clause
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Class, Function, Scope

BROAD = frozenset({"Exception", "BaseException"})
TESTS = ("isinstance(", "issubclass(", "type(", "__class__", "hasattr(", "getattr(")


@dataclass(frozen=True, eq=False)
class Unit:
    """A stretch of code that is handed a caught exception under the name `caught`.

    `broad` tells that it may be any exception, `kinds` are else the classes that it is of, as they are written.
    `guarded` tells that what is raised in it is caught again.
    """

    node: Node
    module: Module
    scope: Scope
    caught: str
    broad: bool
    kinds: tuple[Node, ...] = ()
    guarded: bool = False

    @property
    def name(self) -> Node:
        """The name of the function that it is, or that it stands in."""
        function = self.node if self.node.type == "function_definition" else enclosing(self.node)
        return child(function, "name") or self.node

    @property
    def is_function(self) -> bool:
        """Whether it is a function that was asked, and no clause."""
        return self.node.type == "function_definition"


def units(run: Evaluator, clauses: list[Clause]) -> list[Unit]:
    """Give the clauses that name what they catch, and the functions of the project that they hand it to, each once."""
    found: dict[tuple[str, int], Unit] = {}
    waiting = [_of_clause(run, each) for each in clauses]
    while waiting:
        unit = waiting.pop(0)
        key = (unit.module.path, unit.node.start_byte)
        if key in found:
            continue
        found[key] = unit
        waiting += _asked(run, unit) if unit.caught else []
    return list(found.values())


def _of_clause(run: Evaluator, clause: Clause) -> Unit:
    node, module = clause
    kinds = [part for part in children(node) if part.type != "block"]
    broad = is_broad(node)
    written = () if broad or not kinds else tuple(_classes(kinds[0]))
    return Unit(node, module, scope(run, module), caught_name(node) or "", broad, written)


def _classes(kind: Node) -> Iterator[Node]:
    """Give the classes that a clause or a test names."""
    if kind.type == "as_pattern":
        yield from _classes(children(kind)[0]) if children(kind) else ()
    elif kind.type in ("tuple", "parenthesized_expression", "binary_operator", "list", "set"):
        yield from (each for part in children(kind) for each in _classes(part))
    else:
        yield kind


def _asked(run: Evaluator, unit: Unit) -> Iterator[Unit]:
    """Give the functions that a unit hands the exception to."""
    for call in below(unit.node):
        if call.type != "call":
            continue
        place = callee(run, call, unit.scope)
        name = _taking(call, place, unit.caught) if place is not None else None
        if place is None or name is None or place.node == unit.node:
            continue
        test = narrowing(call, unit)
        kinds = tuple(tested(test)) if test is not None else unit.kinds
        broad = unit.broad and test is None and not _is_narrow(place, name)
        guarded = unit.guarded or is_tried(call, unit)
        yield Unit(place.node, place.module, scope(run, place.module), name, broad, kinds, guarded)
        yield from _registered(run, place, guarded)


def _taking(call: Node, place: Place, caught: str) -> str | None:
    """Name the parameter by which a function takes the exception."""
    function = place.function or Function("", place.node, None)  # type: ignore[arg-type]  # only its syntax is read
    names = [part.name for part in signature(function) if part.name not in ("self", "cls")]
    positional, keywords = arguments(call)
    pairs = [*zip(names, positional, strict=False), *keywords.items()]
    return next((name for name, value in pairs if value.type == "identifier" and string_of(value) == caught), None)


def _is_narrow(place: Place, name: str) -> bool:
    """Tell whether a function says to take some exceptions only."""
    function = place.function or Function("", place.node, None)  # type: ignore[arg-type]  # only its syntax is read
    written = next((part.annotation for part in signature(function) if part.name == name), None)
    return written is not None and not BROAD & set(string_of(written).replace("|", " ").split())


def _registered(run: Evaluator, place: Place, guarded: bool) -> Iterator[Unit]:
    """Give the functions that a single-dispatch function chooses among by the class of the exception."""
    sign = string_of(child(place.node, "name") or place.node) + ".register"
    for each in children(place.module.root) if sign.encode() in place.module.source.data else ():
        inner = child(each, "definition") if each.type == "decorated_definition" else None
        mark = next((part for part in children(each) if part.type == "decorator"), None)
        if inner is None or mark is None or sign not in string_of(mark) or inner.type != "function_definition":
            continue
        call = children(mark)[0]
        first = next(iter(signature(Function("", inner, None))), None)  # type: ignore[arg-type]  # only its syntax is read
        named = arguments(call)[0] if call.type == "call" else []
        kinds = named or ([first.annotation] if first is not None and first.annotation is not None else [])
        if first is not None:
            written = tuple(
                part for kind in kinds for part in _classes(children(kind)[0] if kind.type == "type" else kind)
            )
            yield Unit(inner, place.module, scope(run, place.module), first.name, False, written, guarded)


def narrowing(node: Node, unit: Unit) -> Node | None:
    """Give the test of the exception's class under which a node of a unit runs; None if it runs for any."""
    inner, current = node, node.parent
    while current is not None and inner != unit.node:
        test = child(current, "condition") if current.type in ("if_statement", "elif_clause") else None
        if test is not None and child(current, "consequence") == inner and is_test(test, unit.caught):
            if not string_of(test).startswith("not "):
                return test
        if current.type == "conditional_expression" and len(children(current)) == 3:
            if children(current)[0] == inner and is_test(children(current)[1], unit.caught):
                return children(current)[1]
        if current.type == "case_clause" and inner.type == "block":
            pattern = next((part for part in children(current) if part.type == "case_pattern"), None)
            if pattern is not None and string_of(pattern) != "_" and "(" in string_of(pattern):
                return pattern
        if current.type == "block" and (early := _early(current, inner, unit.caught)) is not None:
            return early
        inner, current = current, parent_of(current)
    return None


def _early(block: Node, inner: Node, caught: str) -> Node | None:
    """Give the test of an `if not isinstance(..): return` before a statement."""
    for each in children(block):
        if each.start_byte >= inner.start_byte:
            return None
        test = child(each, "condition") if each.type == "if_statement" else None
        body = child(each, "consequence")
        last = children(body)[-1] if body is not None and children(body) else None
        if test is not None and last is not None and last.type in ("return_statement", "raise_statement"):
            if string_of(test).startswith("not ") and is_test(test, caught):
                return test
    return None


def is_test(test: Node, caught: str) -> bool:
    """Tell whether a test asks for the class, or for an attribute, of the exception."""
    written = string_of(test)
    return caught in written and any(sign in written for sign in TESTS)


def tested(test: Node) -> Iterator[Node]:
    """Give the classes that a test of the class names."""
    if test.type == "case_pattern":
        yield from (each for each in below(test) if each.type == "dotted_name")
        return
    for call in below(test):
        positional = arguments(call)[0] if call.type == "call" else []
        if len(positional) == 2 and string_of(child(call, "function") or call) == "isinstance":
            yield from _classes(positional[1])


def is_tried(node: Node, unit: Unit) -> bool:
    """Tell whether what a node of a unit raises is caught within it."""
    inner, current = node, node.parent
    while current is not None and inner != unit.node:
        if current.type == "try_statement" and child(current, "body") == inner:
            return True
        if current.type == "with_statement" and "suppress" in string_of(children(current)[0]):
            return True
        inner, current = current, parent_of(current)
    return False


def is_exception(cls: Class) -> bool:
    """Tell whether a class of the project is an exception."""
    return any(
        base.rpartition(".")[2] in BUILTIN or base.endswith(("Error", "Exception")) for base in cls.outer_bases()
    )


BUILTIN = {
    name: each for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)
}
"""The exceptions of the language, by name."""
