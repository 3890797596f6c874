"""Places that catch an exception and answer in a handler's stead."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Rescue, Server, Transport
from reviewer.languages.nodes import child, children, matches, string_of
from reviewer.languages.python.behaviour import exits
from reviewer.languages.python.behaviour.following import Place, below, called, callee, enclosing, receiver, scope
from reviewer.languages.python.behaviour.isolation import caught_name, flow_of, is_broad, place_at, raises_on
from reviewer.languages.python.behaviour.responses.catching import Clause
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.reach import imported
from reviewer.source import Span, Text

LEAKS = (b"format_exc(", b"format_exception(", b"format_tb(")
LOGGING = re.compile(r"log|panic|sentry|traceback", re.IGNORECASE)
METHODS = frozenset({"exception", "error", "critical", "fatal", "warning", "warn", "info", "log"})
"""What a log is written by that is read; what is only there for debugging is off where it would be needed."""

CURRENT = re.compile(r"\bsys\.(exc_info|exception|last_value)\b")
"""What gives the exception that is being handled, without its name."""

CAPTURES = frozenset({"capture_exception", "print_exc", "print_exception", "record_exception", "opt"})


def served(
    run: Evaluator, seeds: list[Module], servers: tuple[Server, ...], transports: tuple[Transport, ...]
) -> list[Module]:
    """Give those of some modules that speak of tracebacks, without scripts in no package that no run of a server imports."""
    speaking = [each for each in seeds if any(leak in each.source.data for leak in LEAKS)]
    if not speaking:
        return []
    spans = [span for server in servers for span in (server.span, *(tool.span for tool in server.tools))]
    paths = dict.fromkeys(span.path for span in (*spans, *(each.text.span for each in transports)))
    starts = [run.modules.by_path[path] for path in paths if path in run.modules.by_path]
    reached = imported(run.modules, starts, run.dynamic)
    return [each for each in speaking if each.path in reached or run.modules.above(each)]


def rescues(run: Evaluator, module: Module, dispatched: frozenset[Span] = frozenset()) -> Iterator[Rescue]:
    """Find the `except` clauses that answer with the traceback, those of `dispatched` left out, which are told elsewhere."""
    for found in matches(module.root, "python", "rescues"):
        clause = found["clause"]
        if module.span(clause) not in dispatched:
            leak = _leak(clause, module, False)
            log = _log(run, clause, module)
            yield Rescue(module.span(clause), leak, "exception", log, in_handler=True)


def of_dispatchers(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Rescue]:
    """Find the clauses by which a dispatcher answers for whatever its handlers raise."""
    told: set[Span] = set()
    for server in servers:
        place = place_at(run, server.entry.span) if server.language == "python" and server.entry is not None else None
        for clause, module in clauses(run, place) if place is not None else ():
            if module.span(clause) not in told:
                told.add(module.span(clause))
                yield Rescue(
                    module.span(clause),
                    _leak(clause, module, True),
                    "exception",
                    _log(run, clause, module),
                    specific=_specific(clause, module),
                )


def clauses(run: Evaluator, place: Place) -> Iterator[Clause]:
    """Give the clauses that catch for a dispatcher, in it or in the one wrapper that it calls; handlers catch for themselves."""
    flow = flow_of(run, place)
    caught = {module.span(clause): (clause, module) for clause, module in flow.by if clause.type == "except_clause"}
    if not flow.bare and len(caught) == 1:
        yield from (Clause(clause, module) for clause, module in caught.values())
    for clause in below(place.node):
        if clause.type == "except_clause" and is_broad(clause) and not raises_on(clause) and _answers(clause):
            yield Clause(clause, place.module)


def _answers(clause: Node) -> bool:
    return any(True for _ in exits.returned(clause)) or any(each.type == "raise_statement" for each in below(clause))


def _leak(clause: Node, module: Module, dispatches: bool) -> Text | None:
    """Give the expression that answers with the traceback, also by a name that the clause gives it."""
    known = set(LEAKS)
    for each in below(clause):
        left, right = child(each, "left"), child(each, "right")
        if each.type == "assignment" and left is not None and right is not None and _says(right, LEAKS):
            known.add((left.text or b"") + b"\0")
    for value in _answered(clause, dispatches):
        names = {(part.text or b"") + b"\0" for part in below(value) if part.type == "identifier"}
        if _says(value, LEAKS) or names & known:
            return Text(string_of(value), module.span(value))
    return None


def _says(node: Node, signs: tuple[bytes, ...]) -> bool:
    return any(sign in (node.text or b"") for sign in signs)


def _answered(clause: Node, dispatches: bool) -> Iterator[Node]:
    """Give what a clause answers: the values that it returns, the errors that it raises, without their cause."""
    yield from exits.returned(clause)
    if not dispatches and not _is_tool(clause):
        return  # who catches what is raised here is not known
    for each in below(clause, frozenset({"function_definition", "lambda"})):
        if each.type == "raise_statement":
            yield from children(each)[:1]


def _is_tool(clause: Node) -> bool:
    """Tell whether a clause stands in a function that is decorated as a tool."""
    unit = enclosing(clause)
    above = unit.parent if unit is not None else None
    return above is not None and above.type == "decorated_definition" and b"tool" in (children(above)[0].text or b"")


def _specific(clause: Node, module: Module) -> Text | None:
    """Give the part of an answer that says what the exception says."""
    name = caught_name(clause)
    known = {name} if name is not None else set()
    for each in below(clause):
        left, right = child(each, "left"), child(each, "right")
        if each.type == "assignment" and left is not None and right is not None:
            if _names(right, known) or CURRENT.search(string_of(right)) is not None:
                known.update(_bound(left))
    for value in _answered(clause, True):
        for part in below(value):
            if part.type in ("attribute", "call") and CURRENT.match(string_of(part)) is not None:
                return Text(string_of(value), module.span(value))
            if part.type == "identifier" and string_of(part) in known and not _is_keyword(part):
                made = _made(part, value)
                if made is not None:
                    return Text(string_of(made), module.span(made))
    return None


def _bound(left: Node) -> set[str]:
    """Name what an assignment binds, each part of a tuple for itself."""
    parts = (
        [left]
        if left.type == "identifier"
        else children(left)
        if left.type in ("pattern_list", "tuple_pattern")
        else []
    )
    return {string_of(part) for part in parts if part.type == "identifier"} - {"_"}


def _names(node: Node, known: set[str]) -> bool:
    return any(part.type == "identifier" and string_of(part) in known for part in below(node))


def _is_keyword(name: Node) -> bool:
    return name.parent is not None and name.parent.type == "keyword_argument" and child(name.parent, "name") == name


def _made(name: Node, value: Node) -> Node | None:
    """Give the text that is made of an exception: `str(error)`, an interpolated string; None for its class alone."""
    current: Node = name
    while current != value and current.parent is not None:
        above = current.parent
        if above.type == "string":
            return above
        if above.type == "call" and called(above) in ("str", "repr", "format"):
            return above
        if above.type == "call" and called(above) in ("type", "isinstance"):
            return None
        current = above
    return name


def _log(run: Evaluator, node: Node, module: Module, depth: int = 1) -> Text | None:
    """Find what logs in a clause, or in a function of the project that it calls."""
    for each in below(node):
        if each.type != "call":
            continue
        name, on = called(each), receiver(each)
        if name == "log" and b"DEBUG" in (each.text or b""):
            continue
        if name in CAPTURES or (name in METHODS and on is not None and LOGGING.search(string_of(on)) is not None):
            return Text(string_of(each), module.span(each))
        if name == "print" and b"stderr" in (each.text or b""):
            return Text(string_of(each), module.span(each))
        target = callee(run, each, scope(run, module)) if depth > 0 else None
        found = _log(run, target.node, target.module, depth - 1) if target is not None else None
        if found is not None:
            return found
    return None
