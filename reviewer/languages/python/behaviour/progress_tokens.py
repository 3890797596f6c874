"""Where the token of a progress notification comes from: the client's request, or something that the server made up."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.following import (
    arguments,
    assignments,
    called,
    callee,
    enclosing,
    is_parameter,
    receiver,
)
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.surroundings import Site, callers, conditions, function_of, names
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Const, External

TOKEN = re.compile(r"progress_?token", re.IGNORECASE)
MAKING = re.compile(
    r"^(?:uuid[1-8]|token_(?:hex|urlsafe|bytes)|time|time_ns|monotonic|monotonic_ns|perf_counter|id|hash|random|randint|randrange"
    r"|getrandbits|nanoid|ULID|ulid|count|now|utcnow|urandom)$"
)
PASSING = frozenset({"str", "int", "ProgressToken", "cast", "repr"})
IDS = frozenset({"request_id", "requestId", "client_id", "session_id"})
WRITTEN = frozenset({"string", "concatenated_string", "integer", "float", "true"})
DEPTH = 4
"""How many names and calls are followed from a token to what it is made of."""


def made_of(run: Evaluator, token: Node, module: Module, depth: int = DEPTH) -> Site | None:
    """Give the place where a token is made up, or None if it is the client's or that cannot be told."""
    if depth < 0:
        return None
    match token.type:
        case "await" | "parenthesized_expression" | "keyword_argument":
            inner = child(token, "value") or (children(token)[0] if children(token) else None)
            return made_of(run, inner, module, depth) if inner is not None else None
        case "boolean_operator" | "conditional_expression":
            return _of_ways(run, token, module, depth)
        case "attribute":
            return _of_attribute(run, token, module, depth)
        case "call":
            return _of_call(run, token, module, depth)
        case "identifier":
            return _of_name(run, token, module, depth)
    if token.type in WRITTEN:
        return _of_literal(run, token, module, depth)
    return None


def _of_ways(run: Evaluator, token: Node, module: Module, depth: int) -> Site | None:
    parts = children(token)
    ways = [parts[0], parts[2]] if token.type == "conditional_expression" and len(parts) == 3 else parts
    return next((found for way in ways if (found := made_of(run, way, module, depth)) is not None), None)


def _of_literal(run: Evaluator, literal: Node, module: Module, depth: int) -> Site | None:
    """Take a text for made up, unless it is put together of the client's token."""
    inside = of_kinds(literal, "python", "interpolation")
    if any(TOKEN.search(string_of(part)) for part in inside):
        return None
    if inside and not of_kinds(literal, "python", "string_content"):
        ways = (made_of(run, children(part)[0], module, depth - 1) for part in inside if children(part))
        return next((way for way in ways if way is not None), None)
    return Site(literal, module)


def _of_attribute(run: Evaluator, attribute: Node, module: Module, depth: int) -> Site | None:
    name, owner = string_of(child(attribute, "attribute") or attribute), child(attribute, "object")
    if name in IDS:
        return Site(attribute, module)
    if owner is None or (TOKEN.fullmatch(name) and string_of(owner) != "self"):
        return None
    if string_of(owner) == "self":
        return _of_field(run, attribute, name, module, depth)
    return made_of(run, owner, module, depth) if name in ("hex", "int") else None


def _of_field(run: Evaluator, attribute: Node, name: str, module: Module, depth: int) -> Site | None:
    """Follow a field of the object to what its class assigns to it."""
    around = enclosing(attribute, "class_definition")
    given = of_kinds(around, "python", "assignment") if around is not None else []
    values = (child(each, "right") for each in given if string_of(child(each, "left") or each) == f"self.{name}")
    ways = (made_of(run, value, module, depth - 1) for value in values if value is not None)
    return next((way for way in ways if way is not None), None)


def _of_call(run: Evaluator, call: Node, module: Module, depth: int) -> Site | None:
    name, (positional, _) = called(call), arguments(call)
    owner = receiver(call)
    if any(TOKEN.search(string_of(each)) for each in of_kinds(call, "python", "string", "attribute")):
        return None
    if name in PASSING and positional:
        return made_of(run, positional[-1], module, depth)
    if owner is None:
        known = run.lookup(name, scope_of(run, module), call) if name else None
        name = known.name if isinstance(known, External) else name
    if MAKING.match(name) is not None and not (name in ("id", "hash") and not positional):
        return Site(call, module)
    if name in ("hex", "format", "replace", "encode", "decode") and owner is not None:
        return made_of(run, owner, module, depth)
    place = callee(run, call, scope_of(run, module))
    if place is None:
        return None
    ends = of_kinds(place.node, "python", "return_statement")
    ways = (made_of(run, children(each)[0], place.module, depth - 1) for each in ends if children(each))
    return next((way for way in ways if way is not None), None)


def _of_name(run: Evaluator, name: Node, module: Module, depth: int) -> Site | None:
    text = string_of(name)
    ways = [made_of(run, value, module, depth - 1) for value in assignments(text, name)]
    if ways:
        return next((way for way in ways if way is not None), None)
    if is_parameter(text, name):
        return _of_parameter(run, name, module, depth)
    known = run.lookup(text, scope_of(run, module), name)
    return Site(name, module) if isinstance(known, Const) and isinstance(known.value, str | int) else None


def _of_parameter(run: Evaluator, name: Node, module: Module, depth: int) -> Site | None:
    """Follow a parameter to what the calls of its function hand over."""
    function = function_of(name)
    while function is not None and string_of(name) not in (listed := _parameters(function)):
        function = function_of(function)
    if function is None or function.type == "lambda":
        return None
    for site in callers(run, function):
        positional, keywords = arguments(site.node)
        place = listed.index(string_of(name))
        given = keywords.get(string_of(name)) or (positional[place] if place < len(positional) else None)
        found = made_of(run, given, site.module, depth - 1) if given is not None else None
        if found is not None:
            return found
    return None


def _parameters(function: Node) -> list[str]:
    listed = child(function, "parameters")
    named = (
        [
            child(part, "name") or (part if part.type == "identifier" else (children(part) or [part])[0])
            for part in children(listed)
        ]
        if listed is not None
        else []
    )
    return [text for each in named if (text := string_of(each)) not in ("self", "cls")]


def unguarded(send: Node, token: Node) -> bool:
    """Tell whether the client's token is sent where nobody looks whether there is one."""
    origin = token
    if token.type == "identifier":
        given = assignments(string_of(token), token)
        if len(given) != 1:
            return False
        origin = given[0]
    said = string_of(origin)
    if TOKEN.search(said) is None or origin.type == "identifier" or "self" in names(origin):
        return False
    if any(each.type == "try_statement" for each in _ancestors(send)) or "[" in said:
        return False
    words = {string_of(token)} if token.type == "identifier" else set()
    tests = [*conditions(send), *_early(send)]
    return not any(TOKEN.search(string_of(test)) or names(test) & words or "meta" in string_of(test) for test in tests)


def _ancestors(node: Node) -> list[Node]:
    found, current = [], node.parent
    while current is not None and current.type != "function_definition":
        found.append(current)
        current = parent_of(current)
    return found


def _early(send: Node) -> list[Node]:
    """Give the tests anywhere before in the function: one may leave it, or bind the token only where there is one."""
    function = function_of(send)
    tests = of_kinds(function, "python", "if_statement", "match_statement", "assert_statement") if function else []
    return [child(each, "condition") or each for each in tests if each.start_byte < send.start_byte]


def is_key(node: Node) -> bool:
    """Tell whether a dictionary's pair holds a token."""
    key = child(node, "key")
    return node.type == "pair" and key is not None and string_value(key) in ("progressToken", "progress_token")
