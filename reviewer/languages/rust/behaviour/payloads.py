"""What a caught panic says, and how that gets into an answer."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.logs import EVENTS, PRINTS
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.callees import below, called, last_segment, receiver, targets
from reviewer.languages.rust.items import Items

LOGS = EVENTS | PRINTS | {"span", "record"}
QUIET = frozenset({"is_panic", "is_cancelled", "id", "type_id", "resume_unwind", "drop", "forget"})
NEUTRAL = frozenset({"Err", "Ok", "Some", "new", "from", "into", "boxed"})
BARE = frozenset({"identifier", "reference_expression", "unary_expression", "field_expression", "index_expression"})
"""The forms in which the payload is still itself, and not yet a text made of it."""

TOLD = frozenset({"identifier", "string_literal", "raw_string_literal"})
NAMED_IN_TEXT = re.compile(r"\{(\w+)[:}]")
DEPTH = 1

MADE = frozenset({"format", "format_args", "concat"})
PLACES = frozenset({"file", "line", "column", "module_path"})
"""Macros that tell where in the code they stand."""

PLACED = re.compile(rf"\b(?:{'|'.join(sorted(PLACES))})!")
FILLED = re.compile(r"\{(?!\{)([^{}]*)\}")
INTERNALS = re.compile(r"\.rs\b|::|\bline \d|\w/\w+/|\\\\")
"""What only the code behind a handler knows: a file, a path, a line."""


def names_in(pattern: Node) -> frozenset[str]:
    """Give the names that a pattern binds."""
    leaves = (each for each in below(pattern) if each.type in ("identifier", "shorthand_field_identifier"))
    return frozenset(string_of(each) for each in leaves if string_of(each)[:1].islower())


def leak_in(items: Items, answer: Node, bound: frozenset[str], path: str, depth: int = 0) -> Node | None:
    """Find the expression by which the payload gets into the answer."""
    if not bound:
        return None
    known = _spread(items, answer, bound, path, depth)
    for value in values_of(answer):
        found = _telling(items, value, known, path, depth)
        if found is not None:
            return found
    return None


def _spread(items: Items, node: Node, known: frozenset[str], path: str, depth: int) -> frozenset[str]:
    """Add the names that are bound to what the payload says."""
    for part in below(node):
        value = child(part, SPREADING[part.type]) if part.type in SPREADING else None
        if value is not None and _telling(items, value, known, path, depth) is not None:
            known = known.union(*(names_in(each) for each in _patterns(part)))
    return known


SPREADING = {
    "let_declaration": "value",
    "let_condition": "value",
    "match_expression": "value",
    "assignment_expression": "right",
}
"""What binds names, and the field of the value that they are bound to."""


def _patterns(binding: Node) -> list[Node]:
    """Give the patterns of a `let` or of a match's arms, or the name that is assigned to."""
    if binding.type == "assignment_expression":
        return [each for each in (child(binding, "left"),) if each is not None and each.type == "identifier"]
    body = child(binding, "body")
    holders = body.named_children if body is not None else [binding]
    return [found for each in holders if (found := child(each, "pattern")) is not None]


def values_of(node: Node) -> Iterator[Node]:
    """Give what an answer's code ends in or returns, errors too."""
    yield from _ends(node)
    yield from _returned(node)


def _ends(node: Node) -> Iterator[Node]:
    if node.type == "call_expression" and called(node) in ("Err", "Ok"):
        yield node
    elif node.type == "return_expression":
        yield from node.named_children[:1]
    elif node.type in ("match_expression", "if_expression", "block", "expression_statement", "else_clause"):
        yield from (value for part in _branches(node) for value in _ends(part))
    else:
        yield from tails(node)


def _branches(node: Node) -> list[Node]:
    body = child(node, "body")
    if node.type == "match_expression" and body is not None:
        return [value for arm in body.named_children if (value := child(arm, "value")) is not None]
    if node.type == "if_expression":
        return [part for part in (child(node, "consequence"), child(node, "alternative")) if part is not None]
    return node.named_children[-1:]


def _returned(node: Node) -> Iterator[Node]:
    for each in below(node, frozenset({"closure_expression", "function_item"})):
        if each.type == "return_expression":
            yield from each.named_children[:1]


def _telling(items: Items, value: Node, known: frozenset[str], path: str, depth: int) -> Node | None:
    """Find the outermost expression within a value that says what the payload says, the error around it left out."""
    for leaf in below(value):
        if leaf.type in TOLD and _names_payload(leaf, known):
            found = _grown(items, leaf, value, path, depth)
            if found is not None:
                return found
    return None


def _grown(items: Items, leaf: Node, value: Node, path: str, depth: int) -> Node | None:
    """Widen the payload's name to what is made of it, or give None where it is only logged or dropped."""
    found = node = leaf
    while node != value and (above := parent_of(node)) is not None:
        node = above
        if node.type == "macro_invocation":
            if last_segment(child(node, "macro") or node) in LOGS:
                return None
            found = node
        elif node.type == "call_expression":
            if called(node) in QUIET or _keeps(items, node, leaf, path, depth):
                return None
            found = node if _grows(node, found) else found
        elif node.type in ("field_expression", "reference_expression", "index_expression"):
            found = node
    return None if found.type == "string_literal" else found


def _grows(call: Node, found: Node) -> bool:
    """Tell whether a call makes a text of the payload: a method of it, or a function that is given it bare."""
    on = receiver(call)
    grows = found.start_byte < on.end_byte if on is not None else found.type in BARE and _is_function(call)
    return grows and called(call) not in NEUTRAL and not _wraps(call)


def _is_function(call: Node) -> bool:
    """Tell a function from a variant that only carries its argument."""
    return (called(call) or "E")[:1].islower()


def _wraps(call: Node) -> bool:
    """Tell whether a call makes the error that carries the text: `ToolError::internal(text)`."""
    function = child(call, "function")
    path = child(function, "path") if function is not None and function.type == "scoped_identifier" else None
    return path is not None and last_segment(path)[:1].isupper()


def _keeps(items: Items, call: Node, payload: Node, path: str, depth: int) -> bool:
    """Tell whether a function of the project takes the payload and says nothing of it."""
    on = receiver(call)
    if depth >= DEPTH or (on is not None and payload.start_byte < on.end_byte):
        return False
    ways = []
    for target in targets(items, call, path):
        body = child(target.node, "body")
        if body is not None:
            ways.append(leak_in(items, body, parameters_of(target.node), target.path, depth + 1) is None)
    return bool(ways) and all(ways)


def parameters_of(function: Node) -> frozenset[str]:
    """Give the names of a function's parameters."""
    listed = child(function, "parameters")
    parts = listed.named_children if listed is not None else []
    return frozenset(name for part in parts for name in names_in(child(part, "pattern") or part))


def _names_payload(token: Node, known: frozenset[str]) -> bool:
    """Tell whether a token names the payload, also within a macro's format string."""
    if token.type == "identifier":
        return string_of(token) in known
    written = token.parent is not None and token.parent.type == "token_tree"
    return written and not known.isdisjoint(NAMED_IN_TEXT.findall(string_of(token)))


def specific_in(items: Items, answer: Node, path: str, depth: int = 0) -> Node | None:
    """Find the part of an answer's text that is made for this one failure: an interpolation, a name of the code's own."""
    for value in values_of(answer):
        for part in below(value, frozenset({"closure_expression"})):
            if part.type == "macro_invocation":
                name = last_segment(child(part, "macro") or part)
                if name in PLACES or (name in MADE and _is_filled(part)):
                    return part
            elif part.type in ("string_literal", "raw_string_literal") and INTERNALS.search(string_of(part)):
                return part
            elif part.type == "call_expression" and depth < DEPTH:
                found = _specific_of(items, part, path, depth)
                if found is not None:
                    return part
    return None


def _specific_of(items: Items, call: Node, path: str, depth: int) -> Node | None:
    bodies = ((child(target.node, "body"), target.path) for target in targets(items, call, path))
    found = (specific_in(items, body, place, depth + 1) for body, place in bodies if body is not None)
    return next((each for each in found if each is not None), None)


def _is_filled(macro: Node) -> bool:
    """Tell whether a text has anything but constants put into it."""
    if PLACED.search(string_of(macro)) is not None:
        return True
    literal = next((each for each in below(macro) if each.type in ("string_literal", "raw_string_literal")), None)
    inside = FILLED.findall(string_of(literal).replace("{{", "")) if literal is not None else []
    return any(not each.partition(":")[0].isupper() for each in inside) and not _only_constants(macro, inside)


def _only_constants(macro: Node, inside: list[str]) -> bool:
    given = [each for each in below(macro) if each.type == "identifier"][1:]
    return (
        all(not each.partition(":")[0] for each in inside)
        and bool(given)
        and all(string_of(each).isupper() for each in given)
    )
