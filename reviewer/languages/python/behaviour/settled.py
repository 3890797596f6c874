"""Answers that hold what the project's own code says once and for all: a constant, the members of an enumeration."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, assignments, called, receiver
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.values import Class, Items, Mapping, Scope

DEPTH = 4
"""How many names and calls are followed from an answer to what it is made of."""

WRITTEN = frozenset({"list", "tuple", "dictionary", "set"})
LOOPING = frozenset({"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"})
FORMING = frozenset("list sorted tuple set dict dumps join enumerate str keys values items copy".split())
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


def is_settled(run: Evaluator, body: Node, within: Scope) -> bool:
    """Tell whether everything that a function answers is written in the code, and grows with nothing."""
    given = list(returned(body))
    return bool(given) and all(value.type in WRITTEN or _is_made(run, value, within, 0) for value in given)


def _is_made(run: Evaluator, node: Node | None, within: Scope, depth: int) -> bool:
    """Tell whether an expression is made of constants alone."""
    if node is None or depth > DEPTH:
        return False
    if node.type in LOOPING:
        loops = [part for part in children(node) if part.type == "for_in_clause"]
        return len(loops) == 1 and _is_made(run, child(loops[0], "right"), within, depth + 1)
    if node.type == "call" and called(node) in FORMING:
        on, given = receiver(node), arguments(node)[0]
        of = given[0] if given else on
        return _is_made(run, of, within, depth + 1)
    if node.type not in ("identifier", "attribute"):
        return False
    bound = assignments(string_of(node), node) if node.type == "identifier" else []
    if bound:
        return len(bound) == 1 and _is_made(run, bound[0], within, depth + 1)
    return _is_constant(run, node, within)


def _is_constant(run: Evaluator, node: Node, within: Scope) -> bool:
    """Tell whether a name is a constant with something in it that no function changes, or an enumeration."""
    name = string_of(node).rpartition(".")[2]
    value = run.value(node, within)
    if isinstance(value, Class):
        return any(base.startswith("enum.") for base in value.outer_bases())
    if CONSTANT.fullmatch(name) is None or not isinstance(value, Items | Mapping) or value.open:
        return False
    held = value.items if isinstance(value, Items) else value.entries
    return bool(held) and not _is_changed(run, name)


def _is_changed(run: Evaluator, name: str) -> bool:
    written = re.compile(
        rf"\b{name}\s*(?:\[[^\]]*\]\s*=(?!=)|\.(?:append|extend|add|update|insert|setdefault|pop|remove|clear)\()"
        rf"|\bglobal\b[^\n]*\b{name}\b|\bdel\s+{name}\b".encode()
    )
    return any(written.search(each.source.data) for each in run.modules.by_path.values())
