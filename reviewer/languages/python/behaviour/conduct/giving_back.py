"""Whether what a function found goes into what it gives back, and is no step on the way to it."""

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.conduct.graph import Unit
from reviewer.languages.python.behaviour.following import arguments, called, receiver

TESTS = frozenset({"comparison_operator", "not_operator", "if_clause", "lambda", "for_in_clause"})
COUNTING = frozenset({"len", "any", "all", "bool", "isinstance"})
FILLING = frozenset({"append", "extend", "add", "update", "insert", "setdefault", "write"})
SEQUENCES = frozenset("enumerate sorted reversed zip list tuple set islice dict items values keys copy gather".split())
MADE = frozenset({"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"})


def is_given_back(unit: Unit, name: str, after: Node) -> bool:
    """Tell whether a value, or something made of it or of each of its elements, is returned after a place."""
    made = {name}
    for each in unit.nodes("assignment", "augmented_assignment", "for_statement", "call", "return_statement", "yield"):
        if each.start_byte < after.end_byte:
            continue
        if each.type in ("return_statement", "yield"):
            if any(_holds(part, made) for part in children(each)):
                return True
        elif each.type == "call":
            owner, (positional, _) = receiver(each), arguments(each)
            if owner is not None and called(each) in FILLING and any(_holds(part, made) for part in positional):
                made |= _names(owner)
        else:
            left, right = child(each, "left"), child(each, "right")
            takes = _runs_over if each.type == "for_statement" else _holds
            if left is not None and right is not None and takes(right, made):
                made |= _names(left)
    return False


def _names(target: Node) -> set[str]:
    """Name what an assignment gives a value: of `found["rows"]` the whole."""
    base = target
    while base.type in ("subscript", "attribute") and children(base) and string_of(children(base)[0]) != "self":
        base = children(base)[0]
    return {string_of(each) for each in (base, *of_kinds(base, "python", "identifier")) if each.type == "identifier"}


def _holds(node: Node, made: set[str]) -> bool:
    """Tell whether one of some values is a part of what an expression gives, and not only asked about."""
    if node.type == "identifier":
        return string_of(node) in made
    if node.type in TESTS or (node.type == "call" and called(node) in COUNTING):
        return False
    parts = children(node)
    if node.type in MADE:
        clauses = [(child(part, "left"), child(part, "right")) for part in parts if part.type == "for_in_clause"]
        inner = [_names(left) for left, right in clauses if left and right and _runs_over(right, made)]
        made = made.union(*inner)
    elif node.type == "conditional_expression":
        parts = [parts[0], parts[-1]]
    elif node.type in ("attribute", "keyword_argument"):
        parts = parts[:1] if node.type == "attribute" else parts[1:]
    return any(_holds(part, made) for part in parts)


def _runs_over(node: Node, made: set[str]) -> bool:
    """Tell whether a loop goes through the elements of one of some values."""
    if node.type == "call" and called(node) in SEQUENCES:
        owner = receiver(node)
        parts = arguments(node)[0] + ([owner] if owner is not None else [])
        return any(_runs_over(part, made) for part in parts)
    if node.type in ("subscript", "await", "parenthesized_expression", "list_splat"):
        return bool(children(node)) and _runs_over(children(node)[0], made)
    return node.type in ("identifier", *MADE) and _holds(node, made)
