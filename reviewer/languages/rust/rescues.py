"""Where a caught panic is answered, and whether its text goes out with the answer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Rescue
from reviewer.languages.nodes import child, matches, span_of, string_of, text_of
from reviewer.languages.rust.callees import below, called, last_segment, named, receiver, targets
from reviewer.languages.rust.isolation import awaited
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.outcomes import tails
from reviewer.languages.rust.sightings import marks, sighted
from reviewer.source import Span, Text

CATCHING = marks(rb"catch_unwind\b", rb"spawn(?:_blocking|_local)?\s*\(", rb"CatchUnwind")
DISPATCHING = re.compile(
    rb"\b(?:\w*tool|Tool\w*|CallToolResult|\w*dispatch\w*|\w+Dispatch\w*|ServerHandler|rmcp|McpError)\b"
)
NAMED = re.compile(r"tool|dispatch|action|handle_call")
ANSWER = re.compile(r"CallToolResult|ToolError|ToolResult|McpError|ErrorData|ToolOutput")
HANDLING = frozenset({"map_err", "unwrap_or_else", "or_else", "map_or_else"})
LOGS = frozenset(
    {
        "error",
        "warn",
        "info",
        "debug",
        "trace",
        "event",
        "log",
        "eprintln",
        "println",
        "eprint",
        "print",
        "dbg",
        "span",
        "record",
    }
)
QUIET = frozenset({"is_panic", "is_cancelled", "id", "type_id", "resume_unwind", "drop", "forget"})
NEUTRAL = frozenset({"Err", "Ok", "Some", "new", "from", "into", "boxed"})
BARE = frozenset({"identifier", "reference_expression", "unary_expression", "field_expression", "index_expression"})
"""The forms in which the payload is still itself, and not yet a text made of it."""

TOLD = frozenset({"identifier", "string_literal", "raw_string_literal"})
NAMED_IN_TEXT = re.compile(r"\{(\w+)[:}]")
DEPTH = 1


class _Place(NamedTuple):
    """Code that answers for a caught panic: the whole of it, the name of the payload, and the answer."""

    whole: Node
    bound: frozenset[str]
    answer: Node


def rescues(items: Items) -> Iterator[Rescue]:
    """Find the places in tool dispatch that answer for a caught panic; a leak that several share is told once."""
    told: set[Span] = set()
    for path in sighted(items, CATCHING):
        if DISPATCHING.search(items.sources[path].data) is None:
            continue
        for place in _in_dispatch(items, path):
            leak = _said(items, place, path)
            if leak is None or leak.span not in told:
                yield Rescue(span_of(items.sources[path], place.whole), leak)
            told.update({leak.span} if leak is not None else ())


def _in_dispatch(items: Items, path: str) -> Iterator[_Place]:
    for found in matches(items.root(path), "rust", "isolation"):
        if not in_test(found["call"]) and _of_dispatch(found):
            yield from _places(found["call"])


def _said(items: Items, place: _Place, path: str) -> Text | None:
    """Give the expression by which an answer says what the payload says."""
    if place.answer.type not in ("identifier", "scoped_identifier"):
        leak = _leak(items, place.answer, place.bound, path)
        return text_of(items.sources[path], leak) if leak is not None else None
    for target in named(items, place.answer, path):
        body = child(target.node, "body")
        leak = _leak(items, body, _parameters(target.node), target.path) if body is not None else None
        if leak is not None:
            return text_of(target.source, leak)
    return None


def _of_dispatch(found: dict[str, Node]) -> bool:
    """Tell whether what is caught is a tool's call; a task of another kind is of no concern."""
    if "name" not in found or string_of(found["name"]) == "catch_unwind":
        return True
    function: Node | None = found["call"]
    while function is not None and function.type != "function_item":
        function = function.parent
    name, answer = child(function, "name"), child(function, "return_type")
    named = name is not None and NAMED.search(string_of(name)) is not None
    return named or (answer is not None and ANSWER.search(string_of(answer)) is not None)


def _places(call: Node) -> Iterator[_Place]:
    """Find what becomes of the caught result."""
    if "spawn" in (called(call) or ""):
        for wait in awaited(call):
            if wait.start_byte == call.start_byte or "timeout" not in string_of(wait):
                yield from _handlers(wait)
    else:
        yield from _handlers(call)


def _handlers(result: Node) -> Iterator[_Place]:
    """Follow a result to the code that handles its failure."""
    node, above = result, result.parent
    while above is not None and above.type in ("await_expression", "parenthesized_expression", "reference_expression"):
        node, above = above, above.parent
    if above is None:
        return
    if above.type == "match_expression" and child(above, "value") == node:
        yield from _of_match(above)
    elif above.type == "let_condition":
        yield from _of_condition(above)
    elif above.type == "field_expression" and above.parent is not None and above.parent.type == "call_expression":
        yield from _of_method(above.parent)
    elif above.type == "let_declaration":
        yield from _of_declaration(above)


def _of_match(match: Node) -> Iterator[_Place]:
    body = child(match, "body")
    for arm in body.named_children if body is not None else ():
        pattern, value = child(arm, "pattern"), child(arm, "value")
        if pattern is not None and value is not None and string_of(pattern).startswith("Err"):
            yield _Place(arm, _names(pattern), value)


def _of_condition(condition: Node) -> Iterator[_Place]:
    pattern, whole = child(condition, "pattern"), condition.parent
    answer = child(whole, "consequence")
    if whole is not None and pattern is not None and answer is not None and string_of(pattern).startswith("Err"):
        yield _Place(whole, _names(pattern), answer)


def _of_method(call: Node) -> Iterator[_Place]:
    """Read `.map_err(|panic| ..)`; a method that changes nothing of it is passed."""
    if called(call) not in HANDLING:
        if called(call) in ("await", "boxed"):
            yield from _handlers(call)
        return
    listed = child(call, "arguments")
    for part in listed.named_children[:1] if listed is not None else ():
        body, names = child(part, "body"), child(part, "parameters")
        if part.type == "closure_expression" and body is not None and names is not None:
            yield _Place(call, _names(names), body)
        elif part.type in ("identifier", "scoped_identifier"):
            yield _Place(call, frozenset(), part)


def _of_declaration(declaration: Node) -> Iterator[_Place]:
    """Follow a bound result to the places after it that look into it."""
    pattern, block = child(declaration, "pattern"), declaration.parent
    otherwise = child(declaration, "alternative")
    if pattern is None or block is None:
        return
    if otherwise is not None:
        yield _Place(declaration, frozenset(), otherwise)
        return
    name = string_of(pattern)
    following = declaration.next_named_sibling
    while following is not None:
        for use in _uses(following, name):
            yield from _handlers(use)
        following = following.next_named_sibling


def _uses(node: Node, name: str) -> Iterator[Node]:
    return (each for each in below(node) if each.type == "identifier" and string_of(each) == name)


def _names(pattern: Node) -> frozenset[str]:
    """Give the names that a pattern binds."""
    leaves = (each for each in below(pattern) if each.type in ("identifier", "shorthand_field_identifier"))
    return frozenset(string_of(each) for each in leaves if string_of(each)[:1].islower())


def _leak(items: Items, answer: Node, bound: frozenset[str], path: str, depth: int = 0) -> Node | None:
    """Find the expression by which the payload gets into the answer."""
    if not bound:
        return None
    known = _spread(items, answer, bound, path, depth)
    for value in _values(answer):
        found = _telling(items, value, known, path, depth)
        if found is not None:
            return found
    return None


def _spread(items: Items, node: Node, known: frozenset[str], path: str, depth: int) -> frozenset[str]:
    """Add the names that are bound to what the payload says."""
    for part in below(node):
        value = child(part, "value") if part.type in ("let_declaration", "let_condition", "match_expression") else None
        if value is not None and _telling(items, value, known, path, depth) is not None:
            known = known.union(*(_names(each) for each in _patterns(part)))
    return known


def _patterns(binding: Node) -> list[Node]:
    """Give the patterns of a `let`, or of a match's arms."""
    body = child(binding, "body")
    holders = body.named_children if body is not None else [binding]
    return [found for each in holders if (found := child(each, "pattern")) is not None]


def _values(node: Node) -> Iterator[Node]:
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
    while node != value and node.parent is not None:
        node = node.parent
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
            ways.append(_leak(items, body, _parameters(target.node), target.path, depth + 1) is None)
    return bool(ways) and all(ways)


def _parameters(function: Node) -> frozenset[str]:
    listed = child(function, "parameters")
    parts = listed.named_children if listed is not None else []
    return frozenset(name for part in parts for name in _names(child(part, "pattern") or part))


def _names_payload(token: Node, known: frozenset[str]) -> bool:
    """Tell whether a token names the payload, also within a macro's format string."""
    if token.type == "identifier":
        return string_of(token) in known
    written = token.parent is not None and token.parent.type == "token_tree"
    return written and not known.isdisjoint(NAMED_IN_TEXT.findall(string_of(token)))
