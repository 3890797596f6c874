"""What stands around a place of Python code: loops, conditions, the function, and the calls that lead there."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.following import below, called, near, own, receiver
from reviewer.languages.python.behaviour.scopes import names_in
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.surroundings import Surroundings

AROUND = Surroundings(
    "python",
    functions=frozenset({"function_definition", "lambda"}),
    rounds=frozenset({"for_statement", "while_statement"}),
    leaving=frozenset({"return_statement"}),
    said=("string", "comment"),
    is_end=lambda statement: statement.type in ("return_statement", "break_statement", "raise_statement"),
)
above, loops, plain, ends_after = AROUND.above, AROUND.loops, AROUND.plain, AROUND.ends_after
is_paced = AROUND.is_paced

LEAVING = frozenset({"return_statement", "break_statement", "raise_statement", "continue_statement"})
OF_OTHERS = frozenset("call_tool list_tools run get send close read write update notify emit start stop".split())
"""Methods that the SDK's objects have too."""


class Site(NamedTuple):
    """A node and the module that it stands in."""

    node: Node
    module: Module


def function_of(node: Node) -> Node | None:
    """Give the function that a node stands in."""
    return next((each for each in above(node) if each.type in AROUND.functions), None)


def targets(loop: Node) -> set[str]:
    """Name what a loop binds."""
    return names_in(child(loop, "left"))


def names(node: Node | None) -> set[str]:
    """Name every variable that an expression speaks of."""
    return {string_of(each) for each in below(node) if each.type == "identifier"} if node is not None else set()


def conditions(node: Node, within: Node | None = None) -> Iterator[Node]:
    """Give the tests on which it depends whether a node runs: around it, and those before that leave its block.

    Only those inside of `within`, if that is given.
    """
    inner = node
    for each in above(node):
        if each == within:
            return
        test = child(each, "condition")
        if each.type in ("if_statement", "elif_clause") and test is not None and inner != test:
            yield test
        if each.type == "conditional_expression":
            yield children(each)[1]
        if each.type == "boolean_operator" and child(each, "right") == inner:
            yield child(each, "left") or each
        if each.type == "else_clause" and each.parent is not None and each.parent.type == "if_statement":
            yield from (part for part in (child(each.parent, "condition"),) if part is not None)
        if each.type == "block":
            yield from _before(inner)
        inner = each


def _before(statement: Node) -> Iterator[Node]:
    """Give the tests before a statement, in its block, that may leave the block."""
    before = statement.prev_named_sibling
    while before is not None:
        test, block = child(before, "condition"), child(before, "consequence")
        if before.type == "if_statement" and test is not None and block is not None and leaves(block):
            yield test
        if before.type == "assert_statement" and children(before):
            yield children(before)[0]
        before = before.prev_named_sibling


def leaves(block: Node) -> bool:
    """Tell whether a block ends by leaving the one around it."""
    last = children(block)[-1] if children(block) else None
    return last is not None and last.type in LEAVING


def callers(run: Evaluator, function: Node) -> list[Site]:
    """Find the calls of what is named as a function is, or, of a class's `__init__`, as the class is.

    Of a method on anything but `self` only where no other function of the project has its name.
    """
    name = string_of(child(function, "name") or function)
    if name == "__init__":
        block = function.parent.parent if function.parent is not None else None
        holder = block if block is not None and block.type == "class_definition" else None
        name = string_of(child(holder, "name") or holder) if holder is not None else ""
    if not name.isidentifier():
        return []
    sign = name.encode() + b"("
    is_sole = sum(module.source.data.count(b"def " + sign) for module in own(run, b"def " + sign)) < 2
    found = []
    for module in own(run, sign):
        for call in near(module, (sign,), "call"):
            on = receiver(call) if called(call) == name else call
            if on is None or (string_of(on) in ("self", "cls") or (is_sole and on != call and name not in OF_OTHERS)):
                found.append(Site(call, module))
    return found


def is_spoken_of(run: Evaluator, function: Node) -> bool:
    """Tell whether anything speaks of a function's name, beside what declares it; decorators and bases hand one over."""
    name = string_of(child(function, "name") or function)
    if function.parent is None or function.parent.type == "decorated_definition" or name.startswith("__"):
        return True
    holder = function.parent.parent
    if child(holder, "superclasses") is not None:
        return True
    word = re.compile(rb"(?<!def )\b" + re.escape(name.encode()) + rb"\b(?!\s*=[^=])")
    return any(word.search(_without_comments(module.source.data)) for module in own(run, name.encode()))


def _without_comments(data: bytes) -> bytes:
    return re.sub(rb"#[^\n]*", b"", data)
