"""What can itself raise in the code that answers for an exception."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Fault, FaultKind
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import arguments, assigned, below, called, receiver
from reviewer.languages.python.behaviour.responses.mapped import (
    Unit,
    is_exception,
    is_tried,
    narrowing,
    tested,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.functions import signature
from reviewer.languages.python.names import is_enum
from reviewer.languages.python.values import Class, External, Function
from reviewer.source import Text

OF_ANY = frozenset({"args", "with_traceback", "add_note"})
"""What every exception has, beside names in double underscores."""
WITHOUT_RESPONSE = re.compile(
    r"httpx\.(\w+\.)?(HTTPError|RequestError|TransportError|TimeoutException|\w+Timeout|\w*ConnectError|NetworkError)"
)
MAYBE_RESPONSE = re.compile(
    r"requests\.(exceptions\.)?(RequestException|ConnectionError|Timeout|ReadTimeout|ConnectTimeout)"
)
DIGITS = ("isdigit", "isdecimal", "isnumeric", "match(", "search(")
GUARDING = frozenset({"if_statement", "elif_clause", "conditional_expression", "boolean_operator", "while_statement"})


def faults(run: Evaluator, unit: Unit) -> Iterator[Fault]:
    """Find what can raise in a unit, where nothing catches it."""
    if unit.guarded or not unit.caught:
        return
    for node in below(unit.node, frozenset({"lambda"})):
        found = _fault(run, node, unit)
        if found is not None and not is_tried(node, unit):
            kind, at, certain = found
            yield Fault(kind, Text(string_of(at), unit.module.span(at)), certain)


def _fault(run: Evaluator, node: Node, unit: Unit) -> tuple[FaultKind, Node, bool] | None:
    match node.type:
        case "assert_statement":
            return _assertion(run, node, unit)
        case "attribute":
            return _attribute(run, node, unit)
        case "subscript":
            return _element(run, node, unit)
        case "call":
            return _call(run, node, unit)
        case "binary_operator":
            for side in (child(node, "left"), child(node, "right")):
                if side is not None and _may_be_none(run, side, unit) and not _is_guarded(node, unit, string_of(side)):
                    return "none", node, True
    return None


def _assertion(run: Evaluator, node: Node, unit: Unit) -> tuple[FaultKind, Node, bool] | None:
    """Judge an assertion: one of the class only tells the type checker what is so."""
    test = next(iter(children(node)), None)
    if test is None or string_of(test).startswith("isinstance(") or string_of(test) in ("False", "0"):
        return None
    subjects = [each for each in below(test) if each.type == "attribute"]
    return "assert", node, any(_may_be_none(run, each, unit) for each in subjects)


def _attribute(run: Evaluator, node: Node, unit: Unit) -> tuple[FaultKind, Node, bool] | None:
    on, name = child(node, "object"), string_of(child(node, "attribute") or node)
    if on is None:
        return None
    if on.type == "identifier" and string_of(on) == unit.caught:
        anything = unit.broad and narrowing(node, unit) is None and not _is_rebound(node, unit)
        known = name in OF_ANY or name.startswith("__")
        if anything and not known and not _is_guarded(node, unit, unit.caught, early=False):
            return "missing", node, True
        foreign = name == "response" and any(WITHOUT_RESPONSE.fullmatch(path) for path in _paths(run, node, unit))
        return ("missing", node, True) if foreign and not _is_guarded(node, unit, "hasattr(", "getattr(") else None
    if on.type == "attribute" and _may_be_none(run, on, unit) and not _is_guarded(node, unit, string_of(on)):
        return "none", node, True
    return None


def _element(run: Evaluator, node: Node, unit: Unit) -> tuple[FaultKind, Node, bool] | None:
    """Judge an element that is taken by its place or its key."""
    on, key = child(node, "value"), child(node, "subscript")
    if on is None or key is None or key.type == "slice" or _is_written(node):
        return None
    written = string_of(on)
    if written == f"{unit.caught}.args":
        return None if _is_guarded(node, unit, ".args") else ("index", node, True)
    if written.endswith(".headers") or written == "headers":
        return None if _is_guarded(node, unit, string_of(key)) else ("key", node, True)
    by_class = string_of(key) in (f"type({unit.caught})", f"{unit.caught}.__class__")
    by_class = by_class or string_of(key) in (f"type({unit.caught}).__name__", f"{unit.caught}.__class__.__name__")
    if on.type == "identifier" and by_class and not _is_guarded(node, unit, written):
        return None if "defaultdict" in string_of(assigned(written, node) or on) else ("key", node, unit.broad)
    return None


def _call(run: Evaluator, node: Node, unit: Unit) -> tuple[FaultKind, Node, bool] | None:
    name, on = called(node), receiver(node)
    positional, _ = arguments(node)
    if name == "json" and on is not None and "response" in string_of(on) and not positional:
        return "parse", node, True
    if name == "loads" and positional and unit.caught in string_of(positional[0]):
        return "parse", node, True
    if name in ("int", "float") and on is None and positional:
        return _number(run, node, positional[0], unit)
    cls = run.value(child(node, "function") or node, unit.scope) if name[:1].isupper() and on is None else None
    if isinstance(cls, Class) and is_enum(cls) and positional and unit.caught in string_of(positional[0]):
        return "member", node, False
    return None


def _number(run: Evaluator, node: Node, given: Node, unit: Unit) -> tuple[FaultKind, Node, bool] | None:
    """Judge a number that is read of a header, or of what may be None."""
    if _may_be_none(run, given, unit):
        return None if _is_guarded(node, unit, string_of(given)) else ("none", node, True)
    source = given
    for _ in range(3):
        source = (assigned(string_of(source), node) or source) if source.type == "identifier" else source
    if "headers" not in string_of(source) or _is_guarded(node, unit, *DIGITS):
        return None
    return "number", node, True


def _is_written(node: Node) -> bool:
    above = node.parent
    return above is not None and above.type == "assignment" and child(above, "left") == node


def _is_rebound(node: Node, unit: Unit) -> bool:
    return any(
        each.type == "assignment"
        and string_of(child(each, "left") or each) == unit.caught
        and each.end_byte < node.start_byte
        for each in below(unit.node)
    )


def _is_guarded(node: Node, unit: Unit, *words: str, early: bool = True) -> bool:
    """Tell whether a test around a node, or, `early`, one before it that leaves, speaks of what it needs."""
    inner, current = node, node.parent
    while current is not None and inner != unit.node:
        if current.type in GUARDING and any(word in _tests(current, inner) for word in words):
            return True
        if current.type == "block" and early:
            for each in children(current):
                if each.start_byte < inner.start_byte and each.type == "if_statement" and _leaves(each):
                    if any(word in string_of(child(each, "condition") or each) for word in words):
                        return True
        inner, current = current, parent_of(current)
    return False


def _tests(around: Node, inner: Node) -> str:
    """Give what a construct tests before it comes to a part of it."""
    if around.type == "conditional_expression":
        return string_of(children(around)[1]) if len(children(around)) == 3 and inner != children(around)[1] else ""
    if around.type == "boolean_operator":
        left = child(around, "left")
        return string_of(left) if left is not None and left != inner else ""
    test = child(around, "condition")
    return string_of(test) if test is not None and test != inner else ""


def _leaves(statement: Node) -> bool:
    body = child(statement, "consequence")
    last = children(body)[-1] if body is not None and children(body) else None
    return last is not None and last.type in ("return_statement", "raise_statement", "continue_statement")


def _may_be_none(run: Evaluator, node: Node, unit: Unit) -> bool:
    """Tell whether an attribute of the exception is one that its class sets to None unless it is told otherwise."""
    on, name = child(node, "object"), string_of(child(node, "attribute") or node)
    if node.type != "attribute" or on is None or string_of(on) != unit.caught:
        return False
    if name == "response" and any(MAYBE_RESPONSE.fullmatch(path) for path in _paths(run, node, unit)):
        return True
    return any(_is_optional(cls, name) for cls in _kinds(run, node, unit) if isinstance(cls, Class))


def _kinds(run: Evaluator, node: Node, unit: Unit) -> list[object]:
    """Give the classes that the exception is of at a node, as far as tests and clauses say."""
    test = narrowing(node, unit)
    written = list(tested(test)) if test is not None else list(unit.kinds)
    return [run.value(each, unit.scope) for each in written]


def _paths(run: Evaluator, node: Node, unit: Unit) -> list[str]:
    return [each.path for each in _kinds(run, node, unit) if isinstance(each, External)]


def _is_optional(cls: Class, name: str) -> bool:
    """Tell whether a class of exceptions sets an attribute from a parameter that is None if it is left out."""
    made = cls.lookup("__init__") if is_exception(cls) else None
    body = child(made.node, "body") if isinstance(made, Function) else None
    if not isinstance(made, Function) or body is None:
        return False
    optional = {part.name for part in signature(made) if part.default is not None and string_of(part.default) == "None"}
    for each in below(body):
        if each.type == "assignment" and string_of(child(each, "left") or each) == f"self.{name}":
            return string_of(child(each, "right") or each) in {*optional, "None"}
    return False
