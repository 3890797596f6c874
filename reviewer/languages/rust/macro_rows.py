"""Rows of a catalog that a macro of the same file writes: `action_spec!("item.get", Read, ..)`."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust import tokens
from reviewer.source import Source

Bound = dict[str, list[Node]]


def fields(source: Source, invocation: Node, root: Node) -> dict[str, Node]:
    """Give the fields of the struct that an invocation expands to, as far as they are expressions; none if none fits."""
    given = next((part for part in invocation.named_children if part.type == "token_tree"), None)
    if given is None:
        return {}
    for rule in _rules(root, string_of(child(invocation, "macro") or invocation)):
        left, right = child(rule, "left"), child(rule, "right")
        bound: Bound = {}
        if left is not None and right is not None and _bind(left, given, bound):
            return dict(_written(source, right, bound))
    return {}


def _rules(root: Node, name: str) -> Iterator[Node]:
    for part in root.named_children:
        if part.type == "macro_definition" and string_of(child(part, "name") or part) == name.rpartition("::")[2]:
            yield from (rule for rule in part.named_children if rule.type == "macro_rule")


def _bind(pattern: Node, given: Node, bound: Bound) -> bool:
    """Match the comma-separated parts of a macro's rule with those of its use."""
    wanted = [part for part in tokens.split(tokens.inner(pattern)) if part[0].type != "token_repetition_pattern"]
    found = list(tokens.split(tokens.inner(given)))
    return len(wanted) == len(found) and all(_bind_part(*pair, bound) for pair in zip(wanted, found, strict=True))


def _bind_part(pattern: list[Node], given: list[Node], bound: Bound) -> bool:
    for place, each in enumerate(pattern):
        if each.type == "token_repetition_pattern":
            return True
        if place >= len(given):
            return False
        if each.type == "token_binding_pattern":
            bound[string_of(child(each, "name") or each)] = given[place:]
            return True
        if each.type == "token_tree_pattern":
            if given[place].type != "token_tree" or not _bind(each, given[place], bound):
                return False
        elif string_of(each) != string_of(given[place]):
            return False
    return len(pattern) == len(given)


def _written(source: Source, body: Node, bound: Bound) -> Iterator[tuple[str, Node]]:
    """Read the fields in the struct literal of a macro's rule."""
    literal = next((tree for tree in _trees(body) if _is_row(tree)), None)
    for part in tokens.split(tokens.inner(literal)) if literal is not None else ():
        if len(part) < 3 or part[1].type != ":":
            continue
        value = bound.get(string_of(part[2])) if len(part) == 3 and part[2].type == "metavariable" else part[2:]
        node = tokens.expression(source, value) if value else None
        if node is not None:
            yield string_of(part[0]), node


def _trees(node: Node) -> Iterator[Node]:
    for part in node.named_children:
        if part.type == "token_tree":
            yield part
            yield from _trees(part)


def _is_row(tree: Node) -> bool:
    before = tree.prev_sibling
    return before is not None and string_of(before).endswith("ActionSpec")
