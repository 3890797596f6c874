"""How handlers give their results back: the returned expressions, and the functions they pass on their way out."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Exit
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.following import arguments, assigned, callee, enclosing
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.values import Function, Method, Scope
from reviewer.source import Text

DEPTH = 1
"""How many calls into the project are followed."""

NAMES = 4
"""How many names are followed from a value to what it is bound to."""


def of_function(run: Evaluator, function: Function) -> tuple[Exit, ...]:
    """Give every `return` of a function with a value, calls into the project followed one deep."""
    body = child(function.node, "body")
    return of_block(run, body, function.scope) if body is not None else ()


def of_block(run: Evaluator, body: Node, scope: Scope) -> tuple[Exit, ...]:
    """Give every `return` with a value below a block, functions defined in it left out."""
    values = list(returned(body, nothing=True))
    outer = _decorated(run, enclosing(body), scope) if values else ()
    return tuple(
        Exit(Text(string_of(value), scope.module.span(value)), (*outer, *_through(run, value, scope)))
        for value in values
    )


BLOCKS = frozenset(
    {
        "block",
        "if_statement",
        "elif_clause",
        "else_clause",
        "for_statement",
        "while_statement",
        "with_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "match_statement",
        "case_clause",
    }
)
"""What a statement may stand in, short of a function or a class of its own."""


def returned(node: Node, *, nothing: bool = False) -> Iterator[Node]:
    """Find the returned expressions below a node, in order, those of inner functions left out; `None` only if asked for."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.type == "return_statement":
            value = next((each for each in children(part) if nothing or each.type != "none"), None)
            if value is not None:
                yield value
        elif part.type in BLOCKS or part is node:
            waiting += reversed(children(part))


def _decorated(run: Evaluator, function: Node | None, scope: Scope) -> tuple[str, ...]:
    """Name what the project's decorators of a function do with all that it gives."""
    above = function.parent if function is not None else None
    if above is None or above.type != "decorated_definition":
        return ()
    found: tuple[str, ...] = ()
    for part in children(above):
        mark = children(part)[0] if part.type == "decorator" and children(part) else None
        name = child(mark, "function") if mark is not None and mark.type == "call" else mark
        value = run.lookup(string_of(name), scope, name) if name is not None and name.type == "identifier" else None
        if isinstance(value, Function):
            found = (*found, *_of_inner(run, value))
    return found


def _of_inner(run: Evaluator, decorator: Function) -> tuple[str, ...]:
    """Name what every function within a decorator gives its values to."""
    waiting, ways = [child(decorator.node, "body")], []
    while waiting:
        block = waiting.pop()
        for part in children(block) if block is not None else ():
            inner = child(part, "definition") or part if part.type == "decorated_definition" else part
            if inner.type == "function_definition":
                waiting.append(child(inner, "body"))
                ways += [_through(run, value, decorator.scope, DEPTH) for value in _direct(inner)]
    return _common([way for way in ways if way])


def _direct(function: Node) -> list[Node]:
    """Give what a function returns, but for the functions that it defines."""
    body = child(function, "body")
    made = {
        string_of(child(each, "name") or each)
        for part in children(body or function)
        for each in (part, *children(part))
        if each.type == "function_definition"
    }
    return [value for value in returned(body) if string_of(value) not in made] if body is not None else []


def _common(ways: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Keep the names that every way has."""
    return tuple(name for name in ways[0] if all(name in way for way in ways)) if ways else ()


def _through(run: Evaluator, value: Node, scope: Scope, depth: int = 0, names: int = 0) -> tuple[str, ...]:
    """Name the functions that a value passes, outermost first."""
    match value.type:
        case "await" | "parenthesized_expression":
            return _through(run, children(value)[0], scope, depth, names) if children(value) else ()
        case "conditional_expression":
            ends = [children(value)[0], *children(value)[2:]]
            return _common([_through(run, each, scope, depth, names) for each in ends])
        case "list" | "tuple":
            return _common([_through(run, each, scope, depth, names) for each in children(value)])
        case "named_expression":
            given = child(value, "value")
            return _through(run, given, scope, depth, names) if given is not None else ()
        case "identifier":
            given = assigned(string_of(value), value) if names < NAMES else None
            return _through(run, given, scope, depth, names + 1) if given is not None else ()
        case "call":
            return _of_call(run, value, scope, depth, names)
    return ()


def _of_call(run: Evaluator, call: Node, scope: Scope, depth: int, names: int) -> tuple[str, ...]:
    function = child(call, "function")
    if function is None:
        return ()
    name = string_of(child(function, "attribute") or function)
    place = callee(run, call, scope)
    if place is None:
        return (name, *_handed(run, call, scope, depth, names))
    real = string_of(child(place.node, "name") or place.node)
    shown = (name,) if real == name else (name, real)
    body = child(place.node, "body") if depth < DEPTH else None
    if body is None:
        return shown
    inner = place.function.scope if place.function is not None else run.scope_of(place.module)
    return (*shown, *_common([_through(run, each, inner, depth + 1) for each in returned(body)]))


def _handed(run: Evaluator, call: Node, scope: Scope, depth: int, names: int) -> tuple[str, ...]:
    """Name what a value passes before a function from outside takes it: `json.dumps(respond(action, value))`."""
    positional, keywords = arguments(call)
    given = assigned(string_of(call.children[0]), call) if call.children[0].type == "identifier" else None
    if given is not None:  # `partial(respond, action)`, or a lambda
        body = child(given, "body") if given.type == "lambda" else None
        return _through(run, body or given, scope, depth, names + 1) if names < NAMES else ()
    found: tuple[str, ...] = ()
    for part in (*positional, *keywords.values()):
        found = (*found, *_function(run, part, scope), *_through(run, part, scope, depth, names + 1))
    return found


def _function(run: Evaluator, part: Node, scope: Scope) -> tuple[str, ...]:
    """Name a function of the project that is handed on: `to_thread(respond, action, value)`, `partial(respond, action)`."""
    if part.type not in ("identifier", "attribute") or "(" in string_of(part):
        return ()
    value = run.value(part, scope)
    return (value.name,) if isinstance(value, Function | Method) else ()
