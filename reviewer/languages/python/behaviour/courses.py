"""How the numbers of progress run: whether one that is sent is surely more than the one before."""

import re

from tree_sitter import Node

from reviewer.facts.protocol import Course
from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.following import arguments, called, receiver
from reviewer.languages.python.behaviour.surroundings import (
    above,
    assigns,
    conditions,
    ends_after,
    loops,
    names,
    targets,
)
from reviewer.languages.python.literals import constant
from reviewer.numerals import real

WRITTEN = frozenset({"integer", "float"})
COUNTING = frozenset({"enumerate", "range", "count"})
TAKING = frozenset({"pop", "popleft", "remove", "discard", "get_nowait"})
PERIODIC = re.compile(r"%|monotonic|elapsed|time\(|perf_counter")
WANTED = re.compile(
    r"^(?:not )?\(?[\w.]*(?:token|ctx|context|meta|session|progress\w*|reporter)\)?(?: is (?:not )?None)?$|progressToken"
)
WHOLE = (100, 100.0, 1.0)


def course(
    send: Node, value: Node | None, total: Node | None, sends: list[Node], values: dict[int, Node]
) -> Course | None:
    """Say what is wrong with how the numbers of a place run; None if nothing is, or it cannot be told."""
    if value is None:
        return None
    if _is_whole(value, total) and _after_failure(send):
        return "complete on failure"
    before = _before(send, sends)
    if before is not None and _is_less(value, values.get(before.id)):
        return "falls"
    around = [each for each in loops(send) if not targets(each) & _told(send) and not ends_after(send, each)]
    if not around:
        return None
    return _in_loop(send, value, around)


def _told(send: Node) -> set[str]:
    return names(receiver(send))


def _is_whole(value: Node, total: Node | None) -> bool:
    """Tell whether a number is surely the whole."""
    if total is not None and string_of(value) == string_of(total) and value.type != "none":
        return True
    return total is not None and _number(value) in WHOLE and _number(total) == _number(value)


def _number(node: Node | None) -> float | None:
    found = constant(node) if node is not None and node.type in WRITTEN else None
    return real(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def _after_failure(send: Node) -> bool:
    """Tell whether a place is passed where the work has failed, and the failure goes on to the client."""
    for each in above(send):
        if each.type == "except_clause":
            text = string_of(each)
            return re.search(r"^\s*(?:raise|return)\b", text, re.MULTILINE) is not None
        if each.type == "finally_clause":
            return True
    return False


def _before(send: Node, sends: list[Node]) -> Node | None:
    """Give the last place that sends before another, as a statement of the same block."""
    statement = _statement(send)
    beside = statement.prev_named_sibling if statement is not None else None
    while beside is not None:
        found = [each for each in sends if _statement(each) == beside]
        if found:
            return found[0]
        if beside.type in ("if_statement", "for_statement", "while_statement", "try_statement", "with_statement"):
            if any(beside.start_byte <= each.start_byte < beside.end_byte for each in sends):
                return None
        beside = beside.prev_named_sibling
    return None


def _statement(send: Node) -> Node | None:
    around = send.parent
    while around is not None and around.type in ("await", "call", "argument_list", "keyword_argument"):
        around = parent_of(around)
    return around if around is not None and around.type == "expression_statement" else None


def _is_less(value: Node, before: Node | None) -> bool:
    now, then = _number(value), _number(before)
    return now is not None and then is not None and now <= then


def _in_loop(send: Node, value: Node, around: list[Node]) -> Course | None:
    loop, used = around[0], names(value)
    if _falls(value, loop):
        return "falls"
    if _is_same(send, value, loop):
        return "same"
    if len(around) > 1 and used and _restarts(used, loop, around[1]):
        return "restarts"
    return None


def _is_same(send: Node, value: Node, loop: Node) -> bool:
    """Tell whether each round tells the same number: one that is written, or a name that no round changes."""
    if any(
        not PERIODIC.search(string_of(test)) and not WANTED.search(string_of(test)) for test in conditions(send, loop)
    ):
        return False
    if _number(value) is not None:
        return True
    if value.type != "identifier":
        return False
    name = string_of(value)
    bound = any(name in targets(each) for each in (loop, *of_kinds(loop, "python", "for_statement")))
    shared = of_kinds(loop, "python", "function_definition", "lambda")
    return not bound and not assigns(loop, name) and not shared and _is_local(send, name)


def _is_local(send: Node, name: str) -> bool:
    """Tell whether a name is given a number in the same function, before the loop."""
    function = next((each for each in above(send) if each.type == "function_definition"), None)
    given = [child(each, "right") for each in assigns(function, name)] if function is not None else []
    return bool(given) and all(_number(each) is not None for each in given)


def _falls(value: Node, loop: Node) -> bool:
    """Tell whether a number gets less from round to round."""
    for name in names(value):
        down = any(each.type == "augmented_assignment" and "-=" in string_of(each) for each in assigns(loop, name))
        if value.type == "identifier" and (
            down or (name in targets(loop) and _counts_down(child(loop, "right"), name, loop))
        ):
            return True
    if value.type == "binary_operator" and string_of(child(value, "operator") or value) == "-":
        left, right = names(child(value, "left")), names(child(value, "right"))
        counted = _counted(loop)
        return bool(right & counted) and not left & (counted | targets(loop)) and not _changed(left, loop)
    if called(value) == "len" and arguments(value)[0]:
        held = string_of(arguments(value)[0][0])
        calls = of_kinds(loop, "python", "call")
        return any(called(each) in TAKING and string_of(receiver(each) or each) == held for each in calls) and not any(
            called(each) in ("append", "add", "extend") and string_of(receiver(each) or each) == held for each in calls
        )
    return False


def _changed(used: set[str], loop: Node) -> bool:
    return any(assigns(loop, name) for name in used)


def _counts_down(over: Node | None, name: str, loop: Node) -> bool:
    """Tell whether a loop's own count runs down: `range(9, 0, -1)`, `reversed(range(9))`."""
    if over is None:
        return False
    positional = arguments(over)[0]
    if called(over) == "range" and len(positional) == 3:
        return string_of(positional[2]).startswith("-")
    inner = positional[0] if called(over) == "reversed" and positional else None
    if called(inner) == "list" and inner is not None and arguments(inner)[0]:
        inner = arguments(inner)[0][0]
    first = child(loop, "left")
    is_index = first is not None and (
        string_of(first) == name or string_of(children(first)[0] if children(first) else first) == name
    )
    return inner is not None and called(inner) in COUNTING and is_index


def _counted(loop: Node) -> set[str]:
    """Name what a loop counts up: the index of `enumerate` and `range`, what each round adds to."""
    over, left = child(loop, "right"), child(loop, "left")
    found = {
        string_of(child(each, "left") or each)
        for each in of_kinds(loop, "python", "augmented_assignment")
        if "+=" in string_of(each)
    }
    if (
        over is not None
        and left is not None
        and called(over) in COUNTING
        and not _counts_down(over, string_of(left), loop)
    ):
        first = children(left)[0] if children(left) else left
        found.add(string_of(first))
    return found


def _restarts(used: set[str], loop: Node, outer: Node) -> bool:
    """Tell whether a count begins anew with each round of an outer loop, of which the number says nothing."""
    if used & targets(outer):
        return False
    own = used & (targets(loop) if called(child(loop, "right")) in COUNTING else set())
    for name in used - own:
        changes = list(assigns(outer, name))
        inside = list(assigns(loop, name))
        reset = [
            each
            for each in changes
            if each not in inside and each.type == "assignment" and _number(child(each, "right")) is not None
        ]
        if inside and not reset:
            return False
        if reset and inside:
            own.add(name)
    return bool(own) and not any(
        each.type == "augmented_assignment" for name in used - own for each in assigns(outer, name)
    )
