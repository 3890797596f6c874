"""Changes of the list of tools: where clients are told to expect them, and where `notifications/tools/list_changed` is sent."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.facts import Advertisement, Announcement
from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.pace import CHANGE_HANDLER, SETTINGS, SUBSCRIBING
from reviewer.languages.python.behaviour.following import arguments, called, own, receiver
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.surroundings import (
    Site,
    callers,
    conditions,
    ends_after,
    function_of,
    is_paced,
    is_spoken_of,
    loops,
    names,
    plain,
    targets,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Const
from reviewer.source import Text

METHOD = "notifications/tools/list_changed"
SENDING = frozenset({"send_tool_list_changed", "notify_tools_changed", "notify_tool_list_changed"})
MADE = frozenset({"ToolListChangedNotification", "ToolsListChanged"})
OF_THE_BUS = frozenset({"notify_tools_changed", "ToolsListChanged"})
"""What reaches the clients that ask for it with `subscriptions/listen`, of which the SDK tells them itself."""
SENT = (b"send_tool_list_changed", b"notify_tool", b"ToolListChanged", b"ToolsListChanged", METHOD.encode())
ADVERTISED = (
    b"tools_changed",
    b"listChanged",
    b"list_changed",
    b"create_initialization_options",
    b"NotificationOptions",
)
FORWARDING = frozenset({"send_notification", "_send_notification", "forward_notification"})
COMPARING = frozenset({"comparison_operator", "case_pattern", "class_pattern", "case_clause"})
CONTAINERS = frozenset({"tuple", "list", "set"})
KEYS = frozenset({"listChanged", "list_changed"})


def sends(run: Evaluator) -> Iterator[Site]:
    """Find what sends the notification, where anything leads there."""
    for module in own(run, *SENT):
        for node in of_kinds(module.root, "python", "attribute", "call", "string"):
            if not _sends(node):
                continue
            function = function_of(node)
            if function is None or function.type == "lambda" or is_spoken_of(run, function):
                yield Site(node, module)


def _sends(node: Node) -> bool:
    if node.type == "attribute":
        above = node.parent
        assigned = above is not None and above.type == "assignment" and child(above, "left") == node
        return string_of(child(node, "attribute") or node) in SENDING and not assigned
    if node.type == "call":
        return called(node) in MADE
    value = string_value(node)
    if value in SENDING:
        return _is_looked_up(node)
    return value == METHOD and not _is_compared(node)


def _is_looked_up(name: Node) -> bool:
    """Tell whether a name given as a text is that of what is called: `getattr(session, "send_tool_list_changed")`."""
    call = name.parent.parent if name.parent is not None else None
    return call is not None and called(call) in ("getattr", "methodcaller")


def _is_compared(text: Node) -> bool:
    """Tell whether a text is only what others are compared with, is said or stands for itself, as documentation does."""
    above = text.parent
    while above is not None and above.type in CONTAINERS:
        above = parent_of(above)
    if above is None or above.type in COMPARING or above.type == "expression_statement":
        return True
    call = above.parent if above.type == "argument_list" else None
    return call is not None and called(call) in (
        "debug",
        "info",
        "warning",
        "error",
        "print",
        "startswith",
        "add_handler",
    )


def announcements(run: Evaluator, found: list[Site]) -> Iterator[Announcement]:
    """Say of each place that sends what makes it send, and what can turn it off."""
    for site in found:
        node = _whole(site.node)
        name = string_of(child(site.node, "attribute") or child(site.node, "function") or site.node).rpartition(".")[2]
        text = Text(string_of(node), site.module.span(node))
        yield Announcement(text, _every(run, node, site.module), _switch(run, site), name in OF_THE_BUS)


def _whole(node: Node) -> Node:
    above = node.parent
    return above if node.type == "attribute" and above is not None and above.type == "call" else node


def _every(run: Evaluator, send: Node, module: Module) -> Text | None:
    """Find the loop or the callback that sends for each change, without waiting for more to come."""
    function = function_of(send)
    if function is not None and function.type == "lambda":
        return Text(string_of(function), module.span(function)) if _subscribed(function) else None
    if function is None or is_paced(function):
        return None
    loop = _unpaced(send)
    if loop is not None:
        return _head(loop, module)
    if _is_called_back(run, function, module):
        return Text(string_of(child(function, "name") or function), module.span(child(function, "name") or function))
    for site in callers(run, function):
        around = _unpaced(site.node) if not is_paced(function_of(site.node)) else None
        if around is not None:
            return Text(string_of(site.node), site.module.span(site.node))
    return None


def _unpaced(send: Node) -> Node | None:
    """Give the innermost loop around that does not go over those who are told."""
    told = names(receiver(send) or send)
    if receiver(send) is None:
        told |= names(child(send, "arguments"))
    for loop in loops(send):
        over = targets(loop)
        if over & told or over & _made_of(send, told) or ends_after(send, loop):
            continue
        if loop.type == "while_statement" and plain(child(loop, "condition")) in ("True", "1") and _is_retry(loop):
            continue
        return loop
    return None


def _made_of(send: Node, told: set[str]) -> set[str]:
    """Name what the receivers are made of in the same function: `session = entry.session`."""
    function = function_of(send)
    given = of_kinds(function, "python", "assignment") if function is not None else []
    values = (child(each, "right") for each in given if names(child(each, "left")) & told)
    return {name for value in values for name in names(value)}


def _is_retry(loop: Node) -> bool:
    return any(True for _ in of_kinds(loop, "python", "except_clause"))


def _head(loop: Node, module: Module) -> Text:
    line = string_of(loop).splitlines()[0].rstrip(":")
    return Text(line, module.span(child(loop, "left") or child(loop, "condition") or loop))


def _subscribed(function: Node) -> bool:
    """Tell whether a function is written where callbacks for changes are handed over."""
    above = function.parent
    if above is not None and above.type == "keyword_argument":
        return SUBSCRIBING.match(string_of(child(above, "name") or above)) is not None
    call = above.parent if above is not None and above.type == "argument_list" else None
    return call is not None and SUBSCRIBING.match(called(call)) is not None


def _is_called_back(run: Evaluator, function: Node, module: Module) -> bool:
    """Tell whether a function is called for every single change: by its name, or because it is handed over as such."""
    name = string_of(child(function, "name") or function)
    if CHANGE_HANDLER.match(name) is not None:
        return True
    above = function.parent
    marks = (
        [string_of(each) for each in children(above)]
        if above is not None and above.type == "decorated_definition"
        else []
    )
    if any(SUBSCRIBING.match(re.sub(r"\(.*|.*[.@]", "", mark.split("(")[0])) for mark in marks if mark.startswith("@")):
        return True
    uses = (each for each in of_kinds(module.root, "python", "identifier", "attribute") if _last(each) == name)
    return any(_subscribed(each) for each in uses)


def _last(node: Node) -> str:
    return string_of(child(node, "attribute") or node)


def _switch(run: Evaluator, site: Site, depth: int = 1) -> Text | None:
    """Find the condition on a setting under which a place runs, or the calls of its function do."""
    for test in conditions(site.node):
        words = {word for name in re.findall(r"\w+", plain(test) + _keys(test)) for word in parts_of(name)}
        if words & SETTINGS:
            return Text(string_of(test), site.module.span(test))
    function = function_of(site.node)
    if function is None or function.type == "lambda" or not depth:
        return None
    ways = [_switch(run, call, depth - 1) for call in callers(run, function)]
    return ways[0] if ways and all(way is not None for way in ways) else None


def _keys(test: Node) -> str:
    return " " + " ".join(string_value(each) or "" for each in of_kinds(test, "python", "string"))


def advertisements(run: Evaluator) -> Iterator[Advertisement]:
    """Find where the answer to `initialize` is written."""
    for module in own(run, *ADVERTISED):
        for node in of_kinds(module.root, "python", "call", "pair", "assignment"):
            yield from _advertised(run, node, module)


def _advertised(run: Evaluator, node: Node, module: Module) -> Iterator[Advertisement]:
    text = Text(string_of(node), module.span(node))
    if node.type == "call":
        positional, keywords = arguments(node)
        match called(node):
            case "NotificationOptions":
                yield Advertisement(text, _claim(run, node, module, "tools_changed"))
            case "ToolsCapability":
                yield Advertisement(text, _claim(run, node, module, *KEYS))
            case "create_initialization_options" if not positional and not keywords:
                yield Advertisement(text, False)
    elif node.type == "assignment":
        left, right = child(node, "left"), child(node, "right")
        if left is not None and right is not None and left.type == "attribute":
            name = string_of(child(left, "attribute") or left)
            if name == "tools_changed" or (name in KEYS and "tool" in string_of(left).lower()):
                yield Advertisement(text, _truth(run, right, module))
    else:
        yield from _of_pair(run, node, module)


def _claim(run: Evaluator, call: Node, module: Module, *keys: str) -> bool | None:
    """Tell what a call says of a keyword: what is not said is not claimed."""
    positional, keywords = arguments(call)
    if positional:
        return None
    given = next((keywords[key] for key in keys if key in keywords), None)
    return _truth(run, given, module) if given is not None else False


def _truth(run: Evaluator, value: Node, module: Module) -> bool | None:
    if value.type in ("true", "false", "none"):
        return value.type == "true"
    if value.type not in ("identifier", "attribute"):
        return None
    known = run.value(value, scope_of(run, module))
    return known.value if isinstance(known, Const) and isinstance(known.value, bool) else None


def _of_pair(run: Evaluator, pair: Node, module: Module) -> Iterator[Advertisement]:
    """Read a hand-written answer: `"tools": {"listChanged": True}` below `"capabilities"`, wherever that is put together."""
    key, value = child(pair, "key"), child(pair, "value")
    if key is None or value is None:
        return
    text = Text(string_of(pair), module.span(pair))
    if string_value(key) in KEYS and _holder(pair) == "tools":
        yield Advertisement(text, _truth(run, value, module))
    elif string_value(key) == "tools" and value.type == "dictionary" and _holder(pair) == "capabilities":
        if not any(string_value(child(each, "key") or each) in KEYS for each in children(value) if each.type == "pair"):
            yield Advertisement(text, False)


def _holder(pair: Node) -> str:
    """Name the key, or the variable, under which the dictionary lies that holds a pair."""
    above = pair.parent.parent if pair.parent is not None else None
    if above is None:
        return ""
    if above.type == "pair":
        return string_value(child(above, "key") or above) or ""
    if above.type == "assignment":
        left = child(above, "left")
        subscript = child(left, "subscript") if left is not None else None
        return (string_value(subscript) or "") if subscript is not None else string_of(left or above).lower()
    return string_of(child(above, "name") or above) if above.type == "keyword_argument" else ""


def forwards(run: Evaluator) -> Iterator[Text]:
    """Find where notifications are sent of which only a run tells the kind."""
    for module in own(run, *(name.encode() + b"(" for name in FORWARDING)):
        for call in of_kinds(module.root, "python", "call"):
            given = arguments(call)[0] if called(call) in FORWARDING else []
            if given and not re.search(r"Notification\w*\(|notifications/", string_of(given[0])):
                yield Text(string_of(call), module.span(call))
