"""The lists that a tool's own function cuts before it answers with them, and the hints that it gives."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Omission
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.omissions import SMALL, TELLING, is_hint
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.behaviour.intake.callees import callees
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, last_segment, receiver
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

CUTTING = frozenset({"take", "truncate"})
TEXTS = frozenset("chars bytes char_indices graphemes".split())
ANSWERING = frozenset({"json", "object"})
PASSING = frozenset("map collect cloned copied into_iter iter enumerate rev unwrap_or_default to_vec into".split())
AROUND = frozenset("field_expression call_expression generic_function try_expression await_expression".split())


def omissions(items: Items, function: Node, path: str) -> Iterator[Omission]:
    """Find the lists that a function and the functions that it calls cut and answer with."""
    for node, where in _functions(items, function, path):
        body = child(node, "body")
        told = None
        for call in below(body) if body is not None else ():
            if call.type == "call_expression" and _cuts(items, call, where) and _is_given(call, node):
                told = told or next(_telling(items, function, path), None) or next(_telling(items, node, where), None)
                yield Omission(items.text(where, call), told)


def hints(items: Items, function: Node, path: str) -> Iterator[Text]:
    """Find the fixed texts by which a function says how to get at what was left out."""
    body = child(function, "body")
    for node in below(body) if body is not None else ():
        said = string_value(node) if node.type in ("string_literal", "raw_string_literal") else None
        if said is not None and is_hint(said) and not _is_refusal(node):
            yield Text(said, items.span(path, node))


def _functions(items: Items, function: Node, path: str) -> Iterator[tuple[Node, str]]:
    yield function, path
    seen = {function.id}
    for call in below(function):
        for each in callees(items, call, function, path) if call.type == "call_expression" else ():
            if each.node.id not in seen and child(each.node, "body") is not None:
                seen.add(each.node.id)
                yield each.node, each.path


def _cuts(items: Items, call: Node, path: str) -> bool:
    on, given = receiver(call), arguments_of(call)
    if called(call) not in CUTTING or on is None or len(given) != 1:
        return False
    if any(f".{each}(" in string_of(on) for each in (*TEXTS, "lines", "split", "components")) or "MAX" in string_of(
        given[0]
    ):
        return False
    most = Folder(items).fold(given[0], Place(path, {}))
    return not (isinstance(most, int) and most <= SMALL)


def _is_given(cut: Node, function: Node) -> bool:
    """Tell whether what was cut stands in an answer: in the macro that makes it, by its name, or as what is given back."""
    node = cut
    while (above := parent_of(node)) is not None and (above.type in AROUND or above.type == "arguments"):
        node = above
    name = None
    if above is not None and above.type == "let_declaration":
        names = scopes.names_in(child(above, "pattern"))
        name = next(iter(names)) if len(names) == 1 else None  # of several, only a run tells which is the cut one
    elif called(cut) == "truncate":
        on = receiver(cut)
        name = string_of(on) if on is not None and on.type == "identifier" else None
    return name is not None and any(_names(macro, name) for macro in _answers(function))


def _answers(function: Node) -> Iterator[Node]:
    for node in below(function):
        if node.type == "macro_invocation" and last_segment(child(node, "macro") or node) in ANSWERING:
            yield node


def _names(macro: Node, name: str) -> bool:
    """Tell whether the macro that makes an answer holds a name as a value, and does not only count it."""
    for part in below(macro):
        if part.type == "identifier" and string_of(part) == name:
            after = part.next_sibling
            if after is None or after.type != ".":
                return True
    return False


def _telling(items: Items, function: Node, path: str) -> Iterator[Text]:
    """Find what tells of the rest: a key, a field, a name, or a text that a client reads."""
    for node in below(function):
        if node.type in ("string_literal", "identifier", "field_identifier", "shorthand_field_identifier"):
            said = string_value(node) if node.type == "string_literal" else string_of(node)
            if said is not None and len(said) < 200 and TELLING.search(said) and not _is_reading(node):
                yield items.text(path, node)


def _is_reading(node: Node) -> bool:
    """Tell whether a word is only the key of an argument that is read, or names a function or a method."""
    above = node.parent
    if node.type == "string_literal":
        return above is not None and above.type in ("arguments", "index_expression")
    if above is None or above.type == "function_item" or child(above, "function") == node or string_of(node).isupper():
        return True
    return above.parent is not None and child(above.parent, "function") == above


def _is_refusal(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type not in ("function_item", "let_declaration"):
        if above.type == "call_expression" and "rror" in string_of(child(above, "function") or above):
            return True
        above = parent_of(above)
    return False
