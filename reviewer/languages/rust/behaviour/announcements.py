"""Changes of the list of tools: where clients are told to expect them, and where `notifications/tools/list_changed` is sent."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.facts import Advertisement, Announcement
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.pace import CHANGE_HANDLER, SETTINGS, SUBSCRIBING
from reviewer.languages.rust.behaviour.scopes import function_around
from reviewer.languages.rust.behaviour.surroundings import (
    Site,
    above,
    callers,
    conditions,
    ends_after,
    is_paced,
    is_spoken_of,
    loops,
    names,
    targets_of,
)
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, receiver
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

METHOD = "notifications/tools/list_changed"
SENT = re.compile(
    rb"notify_tools?_list_changed|ToolListChanged|ToolsListChanged|notifications/tools/list_changed|bind_peer_notifier"
)
SENDING = frozenset({"notify_tool_list_changed", "notify_tools_list_changed", "bind_peer_notifier"})
MADE = re.compile(r"^Tools?ListChanged(?:Notification)?$")
ADVERTISED = re.compile(rb"list_changed|listChanged|enable_tools|ToolsCapability|\"tools\"\s*:\s*\{")
STRUCTS = re.compile(
    r"^(?:Server)?(?:Capabilities)?Tools?(?:Capability|Capabilities)?$|^ServerCapabilitiesTools$|^ToolsCapabilit(?:y|ies)$"
)
FORWARDS = re.compile(rb"\bsend_notification\s*\(|\brouter::Router\b")
COMPARING = frozenset(
    {"binary_expression", "match_pattern", "or_pattern", "match_arm", "tuple_struct_pattern", "let_condition"}
)
YES, NO = frozenset({"true", "Some(true)"}), frozenset({"false", "Some(false)", "None", "Some(Default::default())"})


def sends(items: Items) -> list[Site]:
    """Find what sends the notification, where anything leads there."""
    found: dict[tuple[str, int], Site] = {}
    for path in items.mentioning(SENT):
        for hit in SENT.finditer(items.sources[path].data):
            node = items.root(path).descendant_for_byte_range(hit.start() + 1, hit.end() - 1)
            whole = _send(node) if node is not None else None
            function = function_around(whole) if whole is not None else None
            if whole is None or in_test(whole) or (function is not None and not is_spoken_of(items, function)):
                continue
            found.setdefault((path, whole.start_byte), (whole, path))
    return list(found.values())


def _send(node: Node) -> Node | None:
    """Give the call or the expression that sends, of which a name or a text is part."""
    if node.type in ("string_literal", "string_content", "raw_string_literal"):
        text = node.parent if node.type == "string_content" and node.parent is not None else node
        return text if string_value(text) == METHOD and not _is_compared(text) else None
    name = string_of(node)
    if node.type not in ("identifier", "field_identifier", "type_identifier"):
        return None
    if MADE.match(name) is not None:
        return _made(node)
    if name not in SENDING:
        return None
    call: Node | None = node
    while call is not None and call.type in ("field_identifier", "identifier", "field_expression", "scoped_identifier"):
        call = parent_of(call)
    if call is None or call.type == "token_tree":
        return node
    if call.type != "call_expression" or called(call) != name:
        return None
    on = receiver(call)
    return call if on is not None and string_of(on) != "self" else None


def _made(name: Node) -> Node | None:
    """Give the expression that makes a notification; not a pattern, a type or an import."""
    current: Node | None = name
    while current is not None and current.type in (
        "identifier",
        "type_identifier",
        "scoped_identifier",
        "scoped_type_identifier",
    ):
        current = parent_of(current)
    if current is None or current.type not in (
        "call_expression",
        "struct_expression",
        "arguments",
        "field_initializer",
    ):
        return None
    return current


def _is_compared(text: Node) -> bool:
    """Tell whether a text is only what others are compared with, among the tokens of a macro as well."""
    current, around = text, text.parent
    while around is not None and around.type in ("array_expression", "reference_expression", "tuple_expression"):
        current, around = around, parent_of(around)
    if around is None or around.type in COMPARING or around.type in ("attribute_item", "const_item", "static_item"):
        return True
    beside = [each.type for each in (current.prev_sibling, current.next_sibling) if each is not None]
    return around.type == "token_tree" and not {"|", "==", "=>", "!="}.isdisjoint(beside)


def announcements(items: Items, found: list[Site]) -> Iterator[Announcement]:
    """Say of each place that sends what makes it send, and what can turn it off."""
    for node, path in found:
        yield Announcement(text_of(items.sources[path], node), _every(items, node, path), _switch(items, node, path))


def _every(items: Items, send: Node, path: str) -> Text | None:
    """Find the loop or the callback that sends for each change, without waiting for more to come."""
    function = function_around(send)
    if function is None or is_paced(function):
        return None
    loop = _unpaced(send)
    if loop is not None:
        return _head(items, loop, path)
    closure = _subscribed(send)
    if closure is not None:
        return text_of(items.sources[path], closure)
    name = child(function, "name")
    if name is not None and CHANGE_HANDLER.match(string_of(name)) is not None:
        return text_of(items.sources[path], name)
    for call, place in callers(items, function, path):
        around = function_around(call)
        if _unpaced(call) is not None and not is_paced(around):
            return text_of(items.sources[place], call)
    return None


def _unpaced(send: Node) -> Node | None:
    """Give the innermost loop around that does not go over those who are told."""
    told = names(receiver(send) or send) | {each for part in arguments_of(send) for each in names(part)}
    for loop in loops(send):
        head = string_of(child(loop, "value") or child(loop, "condition") or loop.children[0])
        over = targets_of(loop)
        if over & told or "peer" in head or "session" in head or "client" in head or ends_after(send, loop):
            continue
        if loop.type == "loop_expression" and not _receives(loop):
            continue
        return loop
    return None


def _receives(loop: Node) -> bool:
    """Tell whether an endless loop takes one change after another from somewhere."""
    return re.search(r"\.(?:recv|next|changed|notified|accept)\s*\(", string_of(loop)) is not None


def _head(items: Items, loop: Node, path: str) -> Text:
    place = child(loop, "value") or child(loop, "condition") or loop.children[0]
    line = string_of(loop).splitlines()[0].rstrip("{ ")
    return Text(line, items.span(path, place))


def _subscribed(send: Node) -> Node | None:
    """Give the closure around that is handed over to be called for each change."""
    for each in above(send):
        call = each.parent.parent if each.type == "closure_expression" and each.parent is not None else None
        if call is not None and call.type == "call_expression" and SUBSCRIBING.match(called(call) or ""):
            return call if call.end_byte - call.start_byte < each.end_byte - each.start_byte else each
    return None


def _switch(items: Items, send: Node, path: str, depth: int = 1) -> Text | None:
    """Find the condition on a setting under which a place runs, or the calls of its function do."""
    for test in conditions(send):
        if {word for name in re.findall(r"\w+", string_of(test)) for word in parts_of(name)} & SETTINGS:
            return text_of(items.sources[path], test)
    function = function_around(send)
    if function is None or not depth:
        return None
    ways = [_switch(items, call, place, depth - 1) for call, place in callers(items, function, path)]
    return ways[0] if ways and all(way is not None for way in ways) else None


def advertisements(items: Items) -> Iterator[Advertisement]:
    """Find where the answer to `initialize` is written."""
    for path in items.mentioning(ADVERTISED):
        kinds = ("call_expression", "struct_expression", "assignment_expression", "string_literal")
        for node in items.of_kinds_near(path, ADVERTISED, *kinds):
            claim = _claim(node)
            if claim is not None and not in_test(node):
                yield Advertisement(text_of(items.sources[path], _shown(node)), claim[0])


def _shown(node: Node) -> Node:
    """Give the part of a chain of calls that speaks of it; of a text among tokens the text."""
    function = child(node, "function")
    return (child(function, "field") or node) if function is not None else node


def _claim(node: Node) -> tuple[bool | None] | None:
    """Tell what a place says of changes of the tools; None if it says nothing of them."""
    match node.type:
        case "call_expression":
            return _claim_of_call(node)
        case "struct_expression":
            name = child(node, "name")
            is_of_tools = name is not None and STRUCTS.match(last_segment(name)) is not None
            return (_of_fields(node),) if is_of_tools else None
        case "assignment_expression":
            left, right = child(node, "left"), child(node, "right")
            if left is not None and string_of(left).endswith(".list_changed") and "tool" in string_of(left):
                return (_truth(string_of(right or node)),)
        case "string_literal":
            return _claim_of_key(node)
    return None


def _claim_of_call(call: Node) -> tuple[bool | None] | None:
    name = called(call)
    if name == "enable_tool_list_changed":
        is_open = any(each.type in ("if_expression", "match_arm") for each in above(call))
        return (None if is_open else True,)
    if name == "enable_tools":
        top = call
        for each in above(call):
            if each.type == "call_expression" and child(each, "arguments") != top:
                top = each
            elif each.type not in ("field_expression", "call_expression"):
                break
        return None if "enable_tool_list_changed" in string_of(top) else (False,)
    function = child(call, "function")
    if name == "default" and function is not None and string_of(function).endswith("ToolsCapability::default"):
        return (False,)
    return None


def _of_fields(struct: Node) -> bool | None:
    body = child(struct, "body")
    for each in body.named_children if body is not None else ():
        if each.type == "field_initializer" and string_of(child(each, "field") or each) == "list_changed":
            return _truth(string_of(child(each, "value") or each))
        if each.type == "shorthand_field_initializer" and string_of(each) == "list_changed":
            return None
    return False


def _truth(value: str) -> bool | None:
    bare = "".join(value.split())
    return True if bare in YES else False if bare in NO else None


def _claim_of_key(key: Node) -> tuple[bool | None] | None:
    """Read a hand-written answer among tokens: `"tools": { "listChanged": true }` below `"capabilities"`."""
    name, tree = string_value(key), key.parent
    value = _value(key)
    if tree is None or tree.type != "token_tree" or value is None:
        return None
    if name == "listChanged" and _key_of(tree) == "tools":
        return (_truth(string_of(value)),)
    if name == "tools" and _key_of(tree) == "capabilities" and value.type == "token_tree":
        return None if "listChanged" in string_of(value) else (False,)
    return None


def _value(key: Node) -> Node | None:
    colon = key.next_sibling
    return colon.next_sibling if colon is not None and colon.type in (":", "=>") else None


def _key_of(tree: Node) -> str | None:
    """Name the key under which a bracketed tree of tokens stands."""
    colon = tree.prev_sibling
    key = colon.prev_sibling if colon is not None and colon.type in (":", "=>") else None
    return string_value(key) if key is not None else None


def forwards(items: Items) -> Iterator[Text]:
    """Find where notifications are sent of which only a run tells the kind, or an SDK's router sends them by itself."""
    for path in items.mentioning(FORWARDS):
        for call in items.of_kinds_near(path, FORWARDS, "call_expression", "use_declaration"):
            given = arguments_of(call) if called(call) == "send_notification" else []
            is_router = (
                call.type == "use_declaration" and "rmcp" in string_of(call) and "router::Router" in string_of(call)
            )
            if not in_test(call) and (is_router or (given and "Notification" not in string_of(given[0]))):
                yield text_of(items.sources[path], call)
