"""How Rust handlers give their results back: the values that leave, and the functions they pass on their way out."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.budget import current
from reviewer.facts import Exit
from reviewer.languages.nodes import child, named_before, parent_of, string_of, text_of
from reviewer.languages.rust import tokens
from reviewer.languages.rust.callees import MOST, below, called, last_segment, owner, qualifier, receiver, targets
from reviewer.languages.rust.items import Items

DEPTH = 1
"""How many calls into the project are followed."""

OWN_FRAME = frozenset({"closure_expression", "async_block", "function_item", "macro_invocation"})
ENDLESS = frozenset(
    {
        "break_expression",
        "continue_expression",
        "unit_expression",
        "return_expression",
        "while_expression",
        "for_expression",
        "loop_expression",
        "assignment_expression",
    }
)
REFUSALS = frozenset({"bail", "ensure", "panic", "todo", "unreachable", "unimplemented", "compile_error"})
WRAPPERS = frozenset({"Ok", "Some", "pin", "new", "ready"})
"""Calls that only put a value into another form: `Ok(v)`, `Box::pin(v)`, `std::future::ready(v)`."""

ADAPTERS = frozenset(
    "map_err context with_context into await clone boxed or_else inspect inspect_err unwrap expect instrument to_owned "
    "to_string unwrap_or_default unwrap_or_else".split()
)
"""Methods that leave the good value as it is."""

ADDING = frozenset({"map", "and_then", "then", "pipe", "map_ok"})
CALLED = re.compile(r"\b(\w+)\s*\(")
FORMS = frozenset({"to_string", "to_string_pretty", "to_value"})
ANSWER = re.compile(r"^[A-Z]\w*(Result|Content|Output|Response)$|^(Content|Json|Structured|Value)$")
FORMED = re.compile(r"CallToolResult|Content|Response|String|\bJson\s*<")
PEELED = frozenset({"parenthesized_expression", "await_expression", "try_expression", "reference_expression"})
PARENT = 20
"""Visits that are as much work as finding the parent of a node, which the parser looks for from the root down."""

NOT_A_VALUE = frozenset({"line_comment", "block_comment", "mutable_specifier"})
BLOCKS = frozenset({"async_block", "unsafe_block", "const_block", "else_clause", "labeled_block"})


def exits_of(items: Items, fn_node: Node, path: str) -> tuple[Exit, ...]:
    """Give every success value that leaves a function."""
    body = child(fn_node, "body")
    return exits_below(items, body, path) if body is not None else ()


def exits_below(items: Items, body: Node, path: str, outer: tuple[str, ...] = ()) -> tuple[Exit, ...]:
    """Give every success value that leaves a block or an arm; `outer` is what a value at its end passes afterwards."""
    source = items.sources[path]
    early: list[tuple[Node, tuple[str, ...]]] = [(value, ()) for each in _returns(body) for value in tails(each)]
    ways = sorted([*early, *((value, outer) for value in tails(body))], key=lambda way: way[0].start_byte)
    return tuple(Exit(text_of(source, value), (*passed, *through(items, value, path))) for value, passed in ways)


def tails(node: Node) -> Iterator[Node]:
    """Find the success values that an expression may end in."""
    pending = [node]
    while pending:
        current = pending.pop()
        parts = _parts(current)
        if parts is not None:
            pending += reversed(parts)
        elif not _refuses(current):
            yield current


def _parts(node: Node) -> list[Node] | None:
    """Give the expressions that stand for an expression where its value counts, or None if it stands for itself."""
    match node.type:
        case "async_block":
            return [*_returns(node), *_last(node)]
        case "block" | "unsafe_block" | "const_block" | "else_clause" | "labeled_block":
            return _last(node)
        case "if_expression":
            ways = [child(node, "consequence"), child(node, "alternative")]
            return [way for way in ways if way is not None] if ways[1] is not None else []
        case "match_expression":
            return list(_arms(node))
        case "parenthesized_expression" | "await_expression" | "expression_statement":
            return node.named_children[:1]
        case "call_expression" if called(node) in WRAPPERS and receiver(node) is None:
            inner = _arguments(node)[:1]
            plain = not any(_branches(part) or _refuses(part) for part in inner)
            return None if plain else inner
    return None


def _arms(match: Node) -> Iterator[Node]:
    body = child(match, "body")
    for arm in body.named_children if body is not None else ():
        value = child(arm, "value") if arm.type == "match_arm" else None
        if value is not None:
            yield value


def through(items: Items, value: Node, path: str, depth: int = 0) -> tuple[str, ...]:
    """Name the functions that a value passes, outermost first."""
    current().spend("visits")
    value = _bare(value)
    match value.type:
        case "async_block":
            return _through_all(items, [value], path, depth)
        case "identifier":
            bound = _bound(value)
            return _through_all(items, [bound] if bound is not None else [], path, depth)
        case "call_expression":
            return _through_call(items, value, path, depth)
        case "macro_invocation":
            return _through_macro(items, value)
    return ()


def _through_macro(items: Items, value: Node) -> tuple[str, ...]:
    """Name what a macro of the project calls, as `answer!(action, v)` may."""
    name = last_segment(child(value, "macro") or value)
    found = items.declared(name, "macro")
    return (name, *(each for item in found for each in CALLED.findall(string_of(item.node)))) if found else ()


def _bare(value: Node) -> Node:
    """Take off what leaves a good value as it is: `(v)`, `&v`, `v.await`, `v?`, `v.map_err(..)`."""
    while True:
        if value.type in PEELED:
            inner = next((part for part in value.named_children if part.type not in NOT_A_VALUE), None)
        else:
            inner = receiver(value) if called(value) in ADAPTERS else None
        if inner is None:
            return value
        value = inner


def _through_all(items: Items, values: list[Node], path: str, depth: int) -> tuple[str, ...]:
    """Name what every way that the values may end in passes."""
    return _common([through(items, end, path, depth) for value in values for end in tails(value)])


def _through_call(items: Items, call: Node, path: str, depth: int) -> tuple[str, ...]:
    name = called(call)
    passed = receiver(call)
    if passed is None and name in WRAPPERS:
        return _through_all(items, _arguments(call)[:1], path, depth)
    if passed is not None and name in ADDING:
        return (*_through_closure(items, call, path, depth), *through(items, passed, path, depth))
    if name is None:
        return ()
    if passed is None:
        name, given = _meant(items, call, path, name)
        if given is not None:
            return (name, *_through_all(items, [given], path, depth))
    if passed is None and _makes(call):
        return (name, *_through_all(items, _carried(items, call, path), path, depth))
    followed = _followed(items, call, path, depth)
    if depth < DEPTH and _forms(items, call, path):
        handed = [through(items, given, path, depth) for given in _arguments(call)]
        return (name, *followed, *(each for way in handed for each in way if each not in followed))
    return (name, *followed)


def _forms(items: Items, call: Node, path: str) -> bool:
    """Tell whether a function of the project only gives a value the form of a protocol answer or a text."""
    kinds = [child(target.node, "return_type") for target in targets(items, call, path)]
    return bool(kinds) and all(kind is not None and FORMED.search(string_of(kind)) is not None for kind in kinds)


def _meant(items: Items, call: Node, path: str, name: str) -> tuple[str, Node | None]:
    """Give what a called name stands for: the function that a `use` gave another name, the body of a local closure."""
    function = child(call, "function")
    if function is None or function.type != "identifier":
        return name, None
    bound = _bound(function)
    if bound is not None and bound.type == "closure_expression":
        return name, child(bound, "body")
    used = items.uses(path).names.get(name)
    return (used[-1] if used else name), None


def _makes(call: Node) -> bool:
    """Tell whether a call only puts a value into an answer's form: `CallToolResult::success(v)`, `to_string(&v)`."""
    return ANSWER.search(qualifier(call) or called(call) or "") is not None or called(call) in FORMS


def _carried(items: Items, call: Node, path: str) -> list[Node]:
    """Give the one value that a call takes, also if it stands alone in a `vec![..]`."""
    given = _arguments(call)
    while len(given) == 1 and given[0].type == "macro_invocation" and string_of(given[0]).startswith("vec!"):
        given = tokens.elements(items.sources[path], given[0].named_children[-1])
    return given if len(given) == 1 else []


def _through_closure(items: Items, call: Node, path: str, depth: int) -> tuple[str, ...]:
    """Name what `.map(|v| respond(action, v))` or `.map(respond_all)` adds."""
    for part in _arguments(call)[:1]:
        body = child(part, "body") if part.type == "closure_expression" else None
        if body is not None:
            return _through_all(items, [body], path, depth)
        if part.type in ("identifier", "scoped_identifier"):
            return (last_segment(part),)
    return ()


def _followed(items: Items, call: Node, path: str, depth: int) -> tuple[str, ...]:
    """Name what the called function of the project itself always ends in."""
    if depth >= DEPTH:
        return ()
    ways = []
    for target in targets(items, call, path):
        body = child(target.node, "body")
        if body is not None:
            ways.append(_through_all(items, [*_returns(body), body], target.path, depth + 1))
    return _common(ways) if ways else _of_field(items, call)


def _of_field(items: Items, call: Node) -> tuple[str, ...]:
    """Name what methods of the called name may end in, where a field such as `self.items.get(..)` says no more of its type."""
    on = receiver(call)
    if on is None or on.type != "field_expression" or not string_of(on).startswith("self."):
        return ()
    found = [each for each in items.functions(called(call) or "") if owner(each.node) is not None]
    bodies = [(body, each.path) for each in found if (body := child(each.node, "body")) is not None]
    ways = [_through_all(items, [*_returns(body), body], path, DEPTH) for body, path in bodies[:MOST]]
    return tuple(dict.fromkeys(name for way in ways for name in way))


def _common(ways: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Keep the names that every way has."""
    return tuple(name for name in ways[0] if all(name in way for way in ways)) if ways else ()


def _returns(node: Node) -> Iterator[Node]:
    """Find the values that leave early."""
    for each in below(node, OWN_FRAME):
        if each.type == "return_expression":
            yield from each.named_children[:1]


def _last(block: Node) -> list[Node]:
    """Give the value of a block: its last expression, if no semicolon ends it."""
    if block.type in BLOCKS:
        return [part for part in block.named_children if part.type in ("block", "if_expression")][:1]
    parts = [part for part in block.named_children if not part.type.endswith("_comment")]
    last = parts[-1] if parts else None
    if last is None or last.type.endswith(("_item", "_declaration", "empty_statement")):
        return []
    return [] if last.type == "expression_statement" and last.children[-1].type == ";" else [last]


def _refuses(node: Node) -> bool:
    """Tell whether an expression is an error, nothing, or never has a value."""
    if node.type in ENDLESS or (node.type == "identifier" and string_of(node) == "None"):
        return True
    if node.type == "macro_invocation":
        return last_segment(child(node, "macro") or node) in REFUSALS
    return node.type == "call_expression" and called(node) == "Err"


def _branches(node: Node) -> bool:
    """Tell whether an expression has branches or statements of its own."""
    return node.type in ("match_expression", "if_expression", "async_block", "block")


def _arguments(call: Node) -> list[Node]:
    found = child(call, "arguments")
    return [part for part in found.named_children if not part.type.endswith("_comment")] if found is not None else []


def _bound(name: Node) -> Node | None:
    """Find the value that the nearest `let` before a name gives it."""
    node: Node | None = name
    while node is not None and node.type not in ("function_item", "closure_expression"):
        for before in named_before(node):
            current().spend("visits")
            pattern = child(before, "pattern") if before.type == "let_declaration" else None
            if pattern is not None and pattern.type == "identifier" and pattern.text == name.text:
                return child(before, "value")
        current().spend("visits", PARENT)
        node = parent_of(node)
    return None
