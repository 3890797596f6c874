"""Where a caught panic is answered, and whether its text goes out with the answer."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Flag, Rescue, Server
from reviewer.languages.needles import mentions
from reviewer.languages.nodes import child, parent_of, span_of, string_of, text_of
from reviewer.languages.rust.behaviour.catching import RETHROWN
from reviewer.languages.rust.behaviour.handling import handling
from reviewer.languages.rust.behaviour.isolation import awaited
from reviewer.languages.rust.behaviour.logs import Log, hook, logs, targeted
from reviewer.languages.rust.behaviour.payloads import leak_in, names_in, parameters_of, specific_in, values_of
from reviewer.languages.rust.callees import below, called, named
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.sightings import marks, sighted
from reviewer.source import Span, Text

CATCHING = marks(rb"catch_unwind\b", rb"spawn(?:_blocking|_local)?\s*\(", rb"CatchUnwind")
CAUGHT = re.compile(rb"catch_unwind|spawn|CatchUnwind")
DISPATCHING = re.compile(
    rb"\b(?:\w*tool|Tool\w*|CallToolResult|\w*dispatch\w*|\w+Dispatch\w*|ServerHandler|rmcp|McpError)\b"
)
NAMED = re.compile(r"(^|_)(tools?|dispatch|actions?|handle_call)")
ENTRY = re.compile(r"dispatch_tools?|call_tool|tools?_call|isolat|guard|catch")
ANSWER = re.compile(r"CallToolResult|ToolError|ToolResult|McpError|ErrorData|ToolOutput")
HANDLING = frozenset({"map_err", "unwrap_or_else", "or_else", "map_or_else"})
VALUED = frozenset({"unwrap_or", "unwrap_or_default", "map_or"})
PASSED = frozenset({"await", "boxed", "ok", "inspect_err", "as_ref", "flatten"})
FAILED = re.compile(r"(Err|None)\b")
LATE = re.compile(r"Ok\s*\(\s*Err\b")
"""The failure of what is waited for under a time limit."""


class _Place(NamedTuple):
    """Code that answers for a caught panic: the whole of it, the name of the payload, and the answer."""

    whole: Node
    bound: frozenset[str]
    answer: Node


def rescues(items: Items, servers: tuple[Server, ...] = ()) -> Iterator[Rescue]:
    """Find the places in tool dispatch that answer for a caught panic; a leak that several share is told once."""
    told: set[Span] = set()
    isolations = {server.entry.isolation.span for server in servers if server.entry and server.entry.isolation}
    hooked = hook(items)
    for path in sighted(items, CATCHING):
        if not mentions(items.sources[path].data, DISPATCHING):
            continue
        for found in items.matches_near(path, "isolation", CAUGHT):
            isolates = span_of(items.sources[path], found["call"]) in isolations
            if in_test(found["call"]) or not (isolates or _catches(found) or _of_dispatch(found["call"])):
                continue
            inner = not (isolates or _is_dispatch(found))
            given = Flag(partial(handling(items).holds, path, found["call"])) if inner else True
            for each in _of_call(items, found["call"], path):
                if each.leak is None or each.leak.span not in told:
                    log = (each.log, each.target) if each.log is not None else hooked or (None, None)
                    yield replace(each, log=log[0], target=log[1], in_handler=inner, given=given)
                told.update({each.leak.span} if each.leak is not None and not inner else ())


def _of_call(items: Items, call: Node, path: str) -> list[Rescue]:
    """Give the places that answer for what one expression caught: those that leak, else the last, which answers."""
    source = items.sources[path]
    places = [place for place in _places(call) if not _throws_on(place.answer)]
    log = _log(items, call, places, path) or (None, None)
    found = []
    for place in places:
        specific = specific_in(items, place.answer, path)
        found.append(
            Rescue(
                span_of(source, place.whole),
                _said(items, place, path),
                log=log[0],
                target=log[1],
                specific=text_of(source, specific) if specific is not None else None,
            )
        )
    return [each for each in found if each.leak is not None] or found[-1:]


def _log(items: Items, call: Node, places: list[_Place], path: str) -> Log | None:
    """Give what logs a caught panic: in the places that answer for it, or beside them with a target."""
    found = [log for place in places for log in _logs_of(items, place, path)]
    best = next((each for each in found if each[1] is not None), found[0] if found else None)
    if best is not None and best[1] is not None:
        return best
    function = _function(call)
    return (targeted(items, function, path) if function is not None else None) or best


def _logs_of(items: Items, place: _Place, path: str) -> Iterator[Log]:
    yield from logs(items, place.answer, path)
    if place.answer.type in ("identifier", "scoped_identifier"):
        for target in named(items, place.answer, path):
            yield from logs(items, target.node, target.path, 0)


def _throws_on(answer: Node) -> bool:
    """Tell whether the panic goes on, so that nothing answers for it."""
    last = answer.named_children[-1] if answer.type == "block" and answer.named_children else answer
    return RETHROWN.search(string_of(last)) is not None


def _said(items: Items, place: _Place, path: str) -> Text | None:
    """Give the expression by which an answer says what the payload says."""
    if place.answer.type not in ("identifier", "scoped_identifier"):
        leak = leak_in(items, place.answer, place.bound, path)
        own = child(place.whole, "value") if leak is not None and place.whole.type == "match_arm" else None
        if own is not None and own != place.answer and any(called(each) == "Err" for each in values_of(own)):
            # told where the error is made, not where it goes out
            leak = leak_in(items, own, place.bound, path) or leak
        return text_of(items.sources[path], leak) if leak is not None else None
    for target in named(items, place.answer, path):
        body = child(target.node, "body")
        leak = leak_in(items, body, parameters_of(target.node), target.path) if body is not None else None
        if leak is not None:
            return text_of(target.source, leak)
    return None


def _catches(found: dict[str, Node]) -> bool:
    """Tell an expression that does nothing but catch from a task, which may be of any kind."""
    return "name" not in found or string_of(found["name"]) == "catch_unwind"


def _function(node: Node) -> Node | None:
    function: Node | None = node
    while function is not None and function.type != "function_item":
        function = parent_of(function)
    return function


def _of_dispatch(call: Node) -> bool:
    """Tell whether what is caught is a tool's call; a task of another kind is of no concern."""
    function = _function(call)
    name, answer = child(function, "name"), child(function, "return_type")
    is_named = name is not None and NAMED.search(string_of(name)) is not None
    return is_named or (answer is not None and ANSWER.search(string_of(answer)) is not None)


def _is_dispatch(found: dict[str, Node]) -> bool:
    """Tell whether every call passes here, and not one handler's own work."""
    name = child(_function(found["call"]), "name")
    is_named = name is not None and ENTRY.search(string_of(name)) is not None
    return _of_dispatch(found["call"]) and (is_named or _catches(found))


def _places(call: Node) -> Iterator[_Place]:
    """Find what becomes of the caught result."""
    if "spawn" in (called(call) or ""):
        for wait in awaited(call):
            yield from _handlers(wait, late=wait.start_byte != call.start_byte and "timeout" in string_of(wait))
        return
    limited = _limited(call)
    yield from _handlers(limited if limited is not None else call, late=limited is not None)


def _limited(call: Node) -> Node | None:
    """Give the call that waits for a catching future under a time limit: `timeout(limit, future.catch_unwind())`."""
    above = call.parent
    outer = above.parent if above is not None and above.type == "arguments" else None
    return outer if outer is not None and (called(outer) or "").startswith("timeout") else None


def _handlers(result: Node, late: bool = False) -> Iterator[_Place]:
    """Follow a result to the code that handles its failure."""
    node, above = result, result.parent
    while above is not None and above.type in ("await_expression", "parenthesized_expression", "reference_expression"):
        node, above = above, parent_of(above)
    if above is None:
        return
    if above.type == "match_expression" and child(above, "value") == node:
        yield from _of_match(above, late)
    elif above.type == "let_condition":
        yield from _of_condition(above)
    elif above.type == "field_expression" and above.parent is not None and above.parent.type == "call_expression":
        yield from _of_method(above.parent, late)
    elif above.type == "let_declaration" and child(above, "value") == node:
        yield from _of_declaration(above, late)


def _of_match(match: Node, late: bool) -> Iterator[_Place]:
    body = child(match, "body")
    arms = [arm for arm in (body.named_children if body is not None else ()) if arm.type == "match_arm"]
    told = False
    for arm in arms:
        pattern, value = child(arm, "pattern"), child(arm, "value")
        if pattern is None or value is None:
            continue
        said = string_of(pattern)
        is_rest = said == "_" and arm is arms[-1] and len(arms) == 2
        if LATE.match(said) if late else is_rest or (FAILED.match(said) and not told):
            yield _Place(arm, names_in(pattern), _answer(match, value))
        told = told or "is_panic" in said


def _answer(match: Node, value: Node) -> Node:
    """Give the code that answers: the arm, or the whole block where the match only gives a value to a name."""
    above = match.parent
    assigns = any(each.type == "assignment_expression" for each in below(value))
    if above is None or _leaves(value):
        return value
    if above.type == "let_declaration" or (assigns and above.type == "expression_statement"):
        return above.parent or value
    return value


def _leaves(value: Node) -> bool:
    """Tell whether an arm ends the function, so that its value goes nowhere else."""
    last = value
    while last.type in ("block", "expression_statement") and last.named_children:
        last = last.named_children[-1]
    return last.type == "return_expression"


def _of_condition(condition: Node) -> Iterator[_Place]:
    pattern, whole = child(condition, "pattern"), condition.parent
    while whole is not None and whole.type not in ("if_expression", "while_expression"):
        whole = parent_of(whole)
    if whole is None or pattern is None:
        return
    fails = FAILED.match(string_of(pattern)) is not None
    answer = child(whole, "consequence" if fails else "alternative")
    if answer is not None:
        inner = next((part for part in answer.named_children if part.type == "block"), answer)
        yield _Place(whole, names_in(pattern) if fails else frozenset(), answer if fails else inner)


def _of_method(call: Node, late: bool) -> Iterator[_Place]:
    """Read `.map_err(|panic| ..)`; a method that changes nothing of it is passed."""
    name = called(call)
    listed = child(call, "arguments")
    given = listed.named_children[:1] if listed is not None else []
    if name in PASSED:
        yield from _handlers(call, late)
    elif name == "is_err" and call.parent is not None and call.parent.type == "if_expression":
        answer = child(call.parent, "consequence")
        if answer is not None:
            yield _Place(call.parent, frozenset(), answer)
    elif name in VALUED:
        yield _Place(call, frozenset(), given[0] if given else call)
    for part in given if name in HANDLING and not late else ():
        body, names = child(part, "body"), child(part, "parameters")
        if part.type == "closure_expression" and body is not None and names is not None:
            yield _Place(call, names_in(names), body)
        elif part.type in ("identifier", "scoped_identifier"):
            yield _Place(call, frozenset(), part)


def _of_declaration(declaration: Node, late: bool) -> Iterator[_Place]:
    """Follow a bound result to the places after it that look into it."""
    pattern, block = child(declaration, "pattern"), declaration.parent
    otherwise = child(declaration, "alternative")
    if pattern is None or block is None:
        return
    if otherwise is not None:
        fails = FAILED.match(string_of(pattern)) is not None
        yield _Place(declaration, names_in(pattern), block) if fails else _Place(declaration, frozenset(), otherwise)
        return
    name = string_of(pattern).removeprefix("mut ")
    following = declaration.next_named_sibling
    while following is not None:
        for use in _uses(following, name):
            yield from _handlers(use, late)
        rebound = child(following, "pattern") if following.type == "let_declaration" else None
        if rebound is not None and name in names_in(rebound):
            return  # what the name stands for from here on is what was made of the result
        following = following.next_named_sibling


def _uses(node: Node, name: str) -> Iterator[Node]:
    return (each for each in below(node) if each.type == "identifier" and string_of(each) == name)
