"""What stands around a place of Rust code: loops, conditions, the function, and the calls that lead there."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.rust.behaviour.calls import spoken_of
from reviewer.languages.rust.behaviour.scopes import names_in
from reviewer.languages.rust.behaviour.trails import calls_of
from reviewer.languages.rust.callees import called, owner, receiver, targets
from reviewer.languages.rust.items import Item, Items, attributes_before
from reviewer.languages.surroundings import Surroundings

Site = tuple[Node, str]
"""A node and the file that it stands in."""

AROUND = Surroundings(
    "rust",
    functions=frozenset({"function_item"}),
    rounds=frozenset({"for_expression", "while_expression", "loop_expression"}),
    leaving=frozenset({"return_expression", "break_expression"}),
    said=("string_literal", "raw_string_literal", "line_comment", "block_comment"),
    is_end=lambda statement: re.match(r"\s*(?:return|break)\b", string_of(statement)) is not None,
)
above, loops, plain, ends_after = AROUND.above, AROUND.loops, AROUND.plain, AROUND.ends_after
is_paced = AROUND.is_paced

LEAVING = frozenset({"return_expression", "break_expression", "continue_expression"})
SHORTEST = 4
"""Letters. A method of a shorter name may be anybody's."""


def targets_of(loop: Node) -> set[str]:
    """Name what a loop binds: by its pattern, or by `while let`."""
    condition = child(loop, "condition")
    return names_in(child(loop, "pattern") or child(condition, "pattern"))


def names(node: Node | None) -> set[str]:
    """Name every variable that an expression speaks of; also those that stand in the tokens of a macro."""
    return {string_of(each) for each in of_kinds(node, "rust", "identifier")} if node is not None else set()


def conditions(node: Node, within: Node | None = None) -> Iterator[Node]:
    """Give the tests on which it depends whether a node runs: around it, and those before that leave its block.

    Only those inside of `within`, if that is given.
    """
    inner = node
    for each in above(node):
        if each == within:
            return
        test = child(each, "condition")
        if each.type in ("if_expression", "while_expression") and test is not None and inner != test:
            yield test
        if each.type == "match_arm" and each.parent is not None and child(each, "value") == inner:
            value, pattern = child(each.parent.parent, "value"), child(each, "pattern")
            yield from (part for part in (value, pattern) if part is not None)
        if each.type == "block":
            yield from _before(inner)
        inner = each


def _before(statement: Node) -> Iterator[Node]:
    """Give the tests before a statement, in its block, that may leave the block."""
    before = statement.prev_named_sibling
    while before is not None:
        only = before.named_children[0] if before.type == "expression_statement" and before.named_children else before
        test, block = child(only, "condition"), child(only, "consequence")
        if only.type == "if_expression" and test is not None and block is not None and leaves(block):
            yield test
        if before.type == "let_declaration" and (otherwise := child(before, "alternative")) is not None:
            yield from (part for part in (child(before, "value"),) if part is not None and leaves(otherwise))
        before = before.prev_named_sibling


def leaves(block: Node) -> bool:
    """Tell whether a block ends by leaving the one around it."""
    last = block.named_children[-1] if block.named_children else None
    if last is not None and last.type == "expression_statement" and last.named_children:
        last = last.named_children[0]
    return last is not None and last.type in LEAVING


def assigns(node: Node, name: str) -> list[Node]:
    """Find what gives a name another value below a node: assignments and `+=`."""
    found = of_kinds(node, "rust", "assignment_expression", "compound_assignment_expr")
    return [each for each in found if string_of(child(each, "left") or each).lstrip("*") == name]


def callers(items: Items, function: Node, path: str) -> Iterator[Site]:
    """Find the calls of a function in the project."""
    yield from calls_of(items, function, path)


def callees(items: Items, call: Node, path: str) -> list[Item]:
    """Find the functions of the project that a call may enter; a method on anything only if there is one of its name."""
    found = targets(items, call, path)
    name = called(call) or ""
    if found or receiver(call) is None or len(name) < SHORTEST:
        return found
    methods = items.functions(name)
    return methods if len(methods) == 1 and owner(methods[0].node) is not None else []


def is_spoken_of(items: Items, function: Node) -> bool:
    """Tell whether anything leads to a function: a mention, an attribute or the trait that it belongs to."""
    name = string_of(child(function, "name") or function)
    block = function.parent.parent if function.parent is not None else None
    if name == "main" or child(block, "trait") is not None or (block is not None and block.type == "trait_item"):
        return True
    return any(True for _ in attributes_before(function)) or spoken_of(items, name)
