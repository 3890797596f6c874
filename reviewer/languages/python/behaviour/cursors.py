"""Cursors: the expressions that make one, and what in them differs between two identical calls."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Cursor
from reviewer.languages.nodes import child, children, parent_of, string_of, walk
from reviewer.languages.pages import is_next_cursor, makes_cursor
from reviewer.languages.python.behaviour import scopes
from reviewer.languages.python.behaviour.bare_cursors import Bare
from reviewer.languages.python.behaviour.following import defined
from reviewer.languages.python.behaviour.following import scope as scope_of
from reviewer.languages.python.behaviour.sizes import arguments_of, called
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.literals import string_value
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Class, External, Function, Scope
from reviewer.source import Text

CURSORS = re.compile(rb"cursor|next_page_token|next_token|continuation_token|nextPageToken|nextToken", re.IGNORECASE)
UNSTABLE = re.compile(
    r"^(?:uuid\.)?uuid[14]$|^(?:random|secrets)\.\w+$|^token_(?:hex|urlsafe|bytes)$|^os\.(?:urandom|getpid)$|^urandom$"
    r"|^(?:time\.)?(?:time_ns|monotonic|monotonic_ns|perf_counter|perf_counter_ns)$|^time\.time$|^(?:\w+\.)*(?:utcnow|now|today)$"
    r"|^(?:id|hash)$|^(?:ulid\.)?(?:ULID|ulid)$|^nanoid\.generate$|^randint$|^threading\.get_ident$"
)
COUNTERS = re.compile(r"\b(?:itertools\.)?count\(")
CHOOSING = frozenset({"if_clause", "filter"})
DEPTH = 6
"""How many names and calls are followed from a cursor to what it is made of."""


def cursors(run: Evaluator, module: Module) -> Iterator[Cursor]:
    """Find where a cursor is made; a source that several share is told once."""
    if CURSORS.search(module.source.data) is None:
        return
    told: set[object] = set()
    scope = scope_of(run, module)
    for made in _made(module.root):
        found = _Sources(run).unstable(made, scope)
        if found is None or found.span not in told:
            told.add(found.span if found is not None else None)
            yield Cursor(Text(string_of(made), module.span(made)), found, Bare(run).of(made, module))


def _made(root: Node) -> Iterator[Node]:
    """Find the values that are given out as cursors."""
    for node in walk(root):
        name, value = None, None
        match node.type:
            case "assignment":
                name, value = child(node, "left"), child(node, "right")
            case "keyword_argument":
                name, value = child(node, "name"), child(node, "value")
            case "pair":
                key, value = child(node, "key"), child(node, "value")
                if key is not None and value is not None and is_next_cursor(string_value(key) or ""):
                    yield value
            case "function_definition":
                own, value = child(node, "name"), child(node, "body")
                if own is not None and value is not None and makes_cursor(string_of(own)):
                    yield value
        if name is not None and value is not None and is_next_cursor(_last(name)):
            yield value


def _last(name: Node) -> str:
    if name.type == "subscript":
        key = child(name, "subscript")
        return (string_value(key) or "") if key is not None else ""
    return string_of(child(name, "attribute") or name)


class _Sources:
    """Follows a cursor back to what it is made of."""

    def __init__(self, run: Evaluator) -> None:
        self._run = run
        self._seen: set[tuple[str, int, int]] = set()

    def unstable(self, node: Node, scope: Scope, depth: int = 0) -> Text | None:
        """Find what differs between two identical calls."""
        key = (scope.module.path, node.start_byte, node.end_byte)
        if key in self._seen or depth > DEPTH:
            return None
        self._seen.add(key)
        for part in _parts(node):
            found: Text | None = None
            if part.type == "call":
                if self._differs(part, scope):
                    return Text(string_of(part), scope.module.span(part))
                found = self._of_call(part, scope, depth)
            elif part.type == "identifier":
                given = _local(part)
                found = self.unstable(given, scope, depth + 1) if given is not None else None
            if found is not None:
                return found
        return None

    def _differs(self, call: Node, scope: Scope) -> bool:
        function, given = child(call, "function"), arguments_of(call)
        name = string_of(function) if function is not None else ""
        if function is not None and function.type == "identifier":
            named = self._run.lookup(name, scope, function)
            name = named.path.removeprefix("builtins.") if isinstance(named, External) else name
        if UNSTABLE.search(name) is not None:
            return not (name in ("id", "hash") and len(given) != 1)
        if name == "next" and given and given[0].type == "identifier":
            return COUNTERS.search(_written(given[0], scope)) is not None
        inner = given[0] if name in ("iter", "list", "tuple") and given else None
        return (inner is not None and inner.type in ("set", "set_comprehension")) or called(inner) in (
            "set",
            "frozenset",
        )

    def _of_call(self, call: Node, scope: Scope, depth: int) -> Text | None:
        function = child(call, "function")
        if function is not None and function.type == "attribute":
            return self._of_method(function, scope, depth)
        if function is None or function.type != "identifier":
            return None
        found = self._run.lookup(string_of(function), scope, function)
        bodies = [child(found.node, "body")] if isinstance(found, Function | Class) else []
        held = found.scope if isinstance(found, Function | Class) else scope
        ways = (self.unstable(body, held, depth + 2) for body in bodies if body is not None)
        return next((way for way in ways if way is not None), None)

    def _of_method(self, method: Node, scope: Scope, depth: int) -> Text | None:
        """Follow a method of what the function made of a class of the project: `page = Page.read(params)`."""
        owner = child(method, "object")
        made = _local(owner) if owner is not None and owner.type == "identifier" else None
        maker = child(made, "function") if made is not None and made.type == "call" else None
        named = child(maker, "object") or maker if maker is not None else None
        if named is None or named.type != "identifier":
            return None
        found = self._run.lookup(string_of(named), scope, named)
        block = child(found.node, "body") if isinstance(found, Class) else None
        if block is None or not isinstance(found, Class):
            return None
        function = defined(string_of(child(method, "attribute") or method), block)
        body = child(function, "body") if function is not None else None
        return self.unstable(body, found.scope, depth + 2) if body is not None else None


def _written(name: Node, scope: Scope) -> str:
    """Give the source of what a name of the module is assigned."""
    for node in children(scope.module.root):
        only = children(node)[0] if node.type == "expression_statement" and children(node) else None
        if only is not None and only.type == "assignment" and string_of(child(only, "left") or only) == string_of(name):
            return string_of(child(only, "right") or only)
    return ""


def _local(name: Node) -> Node | None:
    """Give what a name is assigned in its function, if that is one thing only."""
    above = name.parent
    if above is None or (above.type in ("attribute", "keyword_argument") and above.children[0] != name):
        return None
    function: Node | None = above
    while function is not None and function.type != "function_definition":
        function = parent_of(function)
    body = child(function, "body")
    given = scopes.Code([body]).given(string_of(name)) if body is not None else None
    return given if given is not None and given.end_byte <= name.start_byte else None


def _parts(node: Node) -> Iterator[Node]:
    """Give what a value is made of: not what is logged, nor by what elements are chosen, nor what a query was asked."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type == "comment" or scopes.is_said(current):
            continue
        yield current
        inner = children(current)
        if current.type in (
            "list_comprehension",
            "generator_expression",
            "set_comprehension",
            "dictionary_comprehension",
        ):
            inner = [part for part in inner if part.type != "if_clause"]
        if current.type == "call" and called(current) in ("filter", "sorted", "sort", "len"):
            continue  # how many there are is the same whatever each of them holds
        if current.type == "await":
            call = children(current)[0]
            inner = [part for part in children(call) if part.type != "argument_list"]
        waiting += reversed(inner)
