"""The calls that lead to a place of Python code, and its source without strings."""

from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.python.behaviour.following import called, near, own, receiver
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.surroundings import without

OF_OTHERS = frozenset("call_tool list_tools run get send close read write update notify emit start stop".split())
"""Methods that the SDK's objects have too."""


class Site(NamedTuple):
    """A node and the module that it stands in."""

    node: Node
    module: Module


def plain(node: Node | None) -> str:
    """Return the source of a node without its strings and comments."""
    return without(node, "python", "string", "comment")


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
