"""Answers that cannot grow: what the project's own code says once and for all, cuts, or keeps short."""

import re

from tree_sitter import Node

from reviewer.languages.caps import is_capped, is_kept_short
from reviewer.languages.nodes import decode_node, find_child, list_children
from reviewer.languages.python.behaviour.exits import iter_returned_values
from reviewer.languages.python.behaviour.name_resolution import (
    FunctionPlace,
    find_receiver,
    iter_descendants,
    iter_own_modules,
    list_assigned_values,
    read_callee_name,
    resolve_callee,
    split_arguments,
)
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.evaluation.values import Const, PyClass, PyInstance, PyItems, PyMapping, PyScope
from reviewer.text.patterns import pattern

DEPTH = 4
"""Names and calls that are followed from an answer to a list literal.

The tests of the rules come to the end of it; 40 servers had one.
"""

# A display has as many entries as stand in it.
WRITTEN = frozenset({"list", "tuple", "dictionary", "set"})
# These make nothing of the value in them.
HOLDING = frozenset({"await", "parenthesized_expression", "dictionary_splat"})
# A comprehension over constants is as long as these.
LOOPING = frozenset({"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"})
# These put what they are given into another form, and make it no longer.
FORMING = frozenset("list sorted tuple set dict dumps join enumerate str keys values items copy".split())
# A name in capitals is a promise that nothing is added; `_is_changed` asks whether it is kept.
CONSTANT = pattern(r"_?[A-Z][A-Z0-9_]*")


def is_cut(run: Evaluator, body: Node, within: PyScope, depth: int = 0) -> bool:
    """Return whether a function cuts what it gives, or gives what is settled; or hands on what another one does."""
    if is_capped(body.text) or is_settled(run, body, within, to_others=depth > 0):
        return True
    given = list(iter_returned_values(body)) if depth < DEPTH else []
    makers = [_find_maker(run, value, within, 0) for value in given]
    return bool(given) and all(each is not None and _cuts(run, each, depth + 1) for each in makers)


def _cuts(run: Evaluator, place: FunctionPlace, depth: int) -> bool:
    body = find_child(place.node, "body")
    return body is not None and is_cut(run, body, run.evaluate_module(place.module), depth)


def _find_maker(run: Evaluator, node: Node, within: PyScope, depth: int) -> FunctionPlace | None:
    """Find the function of the project that made a value: called right here, for a name, or for what is made of it."""
    if depth > DEPTH:
        return None
    if node.type == "call":
        found = resolve_callee(run, node, within)
        positional, keywords = split_arguments(node)
        given = [*positional, *keywords.values()]
        return found or (_find_maker(run, given[0], within, depth + 1) if len(given) == 1 else None)
    if node.type in HOLDING and len(list_children(node)) == 1:
        return _find_maker(run, list_children(node)[0], within, depth + 1)
    bound = list_assigned_values(decode_node(node), node) if node.type == "identifier" else []
    return _find_maker(run, bound[0], within, depth + 1) if len(bound) == 1 else None


def is_settled(run: Evaluator, body: Node, within: PyScope, *, to_others: bool = False) -> bool:
    """Return whether everything that a function answers is written in the code, and grows with nothing.

    What a function gives to others may be the answer's list itself, so that it has to be written out to the last word.
    """
    given = list(iter_returned_values(body))
    return bool(given) and all(
        _is_written(value, wholly=to_others) or _is_made(run, value, within, 0) for value in given
    )


def _is_written(node: Node, *, wholly: bool) -> bool:
    if node.type not in WRITTEN:
        return False
    return not wholly or not any(each.type in ("identifier", "call") for each in iter_descendants(node))


def _is_made(run: Evaluator, node: Node | None, within: PyScope, depth: int) -> bool:
    """Return whether an expression is made of constants alone."""
    if node is None or depth > DEPTH:
        return False
    if node.type in LOOPING:
        loops = [part for part in list_children(node) if part.type == "for_in_clause"]
        return len(loops) == 1 and _is_made(run, find_child(loops[0], "right"), within, depth + 1)
    if node.type == "call" and read_callee_name(node) in FORMING:
        on, given = find_receiver(node), split_arguments(node)[0]
        of = given[0] if given else on
        return _is_made(run, of, within, depth + 1)
    if node.type not in ("identifier", "attribute"):
        return False
    bound = list_assigned_values(decode_node(node), node) if node.type == "identifier" else []
    if bound:
        return len(bound) == 1 and _is_made(run, bound[0], within, depth + 1)
    return _is_constant(run, node, within) or _is_kept_short(run, node, within)


def _is_kept_short(run: Evaluator, node: Node, within: PyScope) -> bool:
    """Return whether a name is of something that never holds more than so much: by its kind, or by the code that fills it."""
    value = run.evaluate(node, within)
    if isinstance(value, PyInstance) and value.path == "collections.deque":
        most = value.find_argument("maxlen", 1)
        return most is not None and not (isinstance(most, Const) and most.value is None)
    name = decode_node(node)
    around = [within.module] if name.startswith("self.") else iter_own_modules(run, name.encode())
    return is_kept_short(name, (each.source.data for each in around))


def _is_constant(run: Evaluator, node: Node, within: PyScope) -> bool:
    """Return whether a name is a constant with something in it that no function changes, or an enumeration."""
    name = decode_node(node).rpartition(".")[2]
    value = run.evaluate(node, within)
    if isinstance(value, PyClass):
        return any(base.startswith("enum.") for base in value.list_external_bases())
    if CONSTANT.fullmatch(name) is None or not isinstance(value, PyItems | PyMapping) or value.open:
        return False
    held = value.items if isinstance(value, PyItems) else value.entries
    return bool(held) and not _is_changed(run, name)


def _is_changed(run: Evaluator, name: str) -> bool:
    written = re.compile(
        rf"\b{name}\s*(?:\[[^\]]*\]\s*=(?!=)|\.(?:append|extend|add|update|insert|setdefault|pop|remove|clear)\()"
        rf"|\bglobal\b[^\n]*\b{name}\b|\bdel\s+{name}\b".encode()
    )
    return any(written.search(each.source.data) for each in run.modules.by_path.values())
