"""The names that a stretch of Python code binds, and the parts of it that something comes of."""

from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from reviewer.behaviour.pages import is_next_cursor
from reviewer.languages.nodes import child, children, parent_of, string_of

LOGS = frozenset("debug info warning warn error exception critical log print pprint".split())
LOGGERS = frozenset("logger log logging _logger _log ctx context structlog LOG LOGGER".split())
LOOPS = frozenset({"for_statement", "while_statement"})
ASSIGNING = frozenset({"assignment", "named_expression"})
BINDING = frozenset({"assignment", "named_expression", "for_statement", "for_in_clause", "as_pattern"})


def names_in(target: Node | None) -> set[str]:
    """Name what a target binds; an attribute or an item of something binds no name."""
    found: set[str] = set()
    waiting = [target] if target is not None else []
    while waiting:
        node = waiting.pop()
        if node.type == "identifier":
            found.add(string_of(node))
        elif node.type not in ("attribute", "subscript"):
            waiting += children(node)
    return found - {"_"}


def target_of(node: Node) -> Node | None:
    """Give what an assignment, a loop or a clause binds."""
    if node.type == "as_pattern":
        return child(node, "alias")
    return child(node, "name") if node.type == "named_expression" else child(node, "left")


def value_of(assignment: Node) -> Node | None:
    """Give what is assigned."""
    return child(assignment, "value" if assignment.type == "named_expression" else "right")


class Code:
    """Some expressions or blocks, without what lies below the nodes `left_out`, and without what becomes the next cursor.

    Where the next page begins tells nothing of how long this one is: a list given in full may well have a next cursor.
    """

    def __init__(self, nodes: list[Node], left_out: frozenset[int] = frozenset()) -> None:
        self._nodes = nodes
        self._left_out = left_out

    def _walk(self, dead: frozenset[int] = frozenset()) -> Iterator[Node]:
        waiting = list(reversed(self._nodes))
        while waiting:
            node = waiting.pop()
            if node.id in self._left_out or node.id in dead or is_said(node):
                continue
            yield node
            becoming = _cursor(node)
            waiting += reversed([part for part in children(node) if becoming is None or part.id != becoming.id])

    @cached_property
    def assignments(self) -> list[Node]:
        """The assignments in order."""
        return [node for node in self._walk() if node.type in ASSIGNING]

    @cached_property
    def _bound(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for node in self._walk():
            target = target_of(node) if node.type in BINDING else None
            since = node.end_byte if node.type in ASSIGNING else node.start_byte
            for name in names_in(target):
                found[name] = min(found.get(name, since), since)
        return found

    def binds(self, name: Node) -> bool:
        """Tell whether the code itself binds what a name means."""
        return name.start_byte >= self._bound.get(string_of(name), name.end_byte)

    @cached_property
    def alive(self) -> list[Node]:
        """What something comes of: all but what logs say, what is deleted, and the assignments that nothing uses."""
        dead: frozenset[int] = frozenset()
        while True:
            nodes = list(self._walk(dead))
            used = [(string_of(node), node.start_byte) for node in nodes if node.type == "identifier"]
            idle = {each.id for each in self.assignments if each.id not in dead and _is_unused(each, used)}
            if not idle:
                return nodes
            dead |= idle

    def given(self, name: str) -> Node | None:
        """Give what a name is bound to where the code binds it but once."""
        found = [value for each in self.assignments if (value := _part_of(each, name)) is not None]
        return found[0] if len(found) == 1 else None

    @cached_property
    def handed_cursors(self) -> bool:
        """Whether what gives the list gives the next cursor with it, as a page does."""
        becoming = [part for node in self._walk() if (part := _cursor(node)) is not None]
        names = {string_of(part) for part in becoming}
        for each in self.assignments:
            target, value = target_of(each), value_of(each)
            if target is None or value is None or value.type not in ("call", "await"):
                continue
            if target.type == "pattern_list" and any(
                name in names or is_next_cursor(name) for name in names_in(target)
            ):
                return True
            if target.type == "identifier" and any(_is_taken(part, string_of(target)) for part in becoming):
                return True
        return False


def _is_taken(value: Node, name: str) -> bool:
    """Tell whether a value is an attribute or an item of what a name is bound to."""
    if value.type == "call":
        inner = child(value, "function")
        return inner is not None and string_of(inner) == f"{name}.get"
    return value.type in ("attribute", "subscript") and string_of(children(value)[0]) == name


def _part_of(assignment: Node, name: str) -> Node | None:
    target, value = target_of(assignment), value_of(assignment)
    if target is None or value is None:
        return None
    if string_of(target) == name:
        return value
    if target.type == "pattern_list" and value.type in ("expression_list", "tuple"):
        pairs = zip(children(target), children(value), strict=False)
        return next((part for each, part in pairs if string_of(each) == name), None)
    return None


def _cursor(node: Node) -> Node | None:
    """Give what directly below a node becomes the next cursor: under its key, by its keyword, by an assignment."""
    key, value = None, child(node, "value")
    match node.type:
        case "pair":
            key = child(node, "key")
        case "keyword_argument":
            key = child(node, "name")
        case "assignment":
            key, value = child(node, "left"), child(node, "right")
            key = key if key is not None and key.type == "subscript" else None
    return value if key is not None and value is not None and is_next_cursor(string_of(key)) else None


def _is_unused(assignment: Node, used: list[tuple[str, int]]) -> bool:
    target = target_of(assignment)
    names = names_in(target)
    if target is None or assignment.type != "assignment" or (not names and string_of(target) != "_"):
        return False
    loop: Node | None = assignment
    while loop is not None and loop.type not in LOOPS and loop.type != "function_definition":
        loop = parent_of(loop)
    inside = range(assignment.start_byte, assignment.end_byte)
    since = loop.start_byte if loop is not None and loop.type in LOOPS else assignment.end_byte
    return not any(name in names and at >= since and at not in inside for name, at in used)


def is_said(node: Node) -> bool:
    """Tell whether something is only said: to the log, in a docstring; or let go."""
    if node.type == "delete_statement":
        return True
    if node.type == "expression_statement":
        only = children(node)
        return len(only) == 1 and only[0].type == "string"
    function = child(node, "function") if node.type == "call" else None
    if function is None:
        return False
    holder, name = child(function, "object"), child(function, "attribute")
    if holder is None or name is None:
        return string_of(function) in ("print", "pprint")
    return string_of(name) in LOGS and string_of(holder).split(".")[-1] in LOGGERS
