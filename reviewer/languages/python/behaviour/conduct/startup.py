"""What is printed outside of tools on the way to a server that speaks on the standard output, in the same run."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, children, of_kinds, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.constants import Known, excludes
from reviewer.languages.python.behaviour.conduct.graph import LARGEST, Call, Deed, Unit, handed_over, target, unit_at
from reviewer.languages.python.behaviour.conduct.printing import SIGNS, logs_to_stdout, prints
from reviewer.languages.python.behaviour.following import called, enclosing
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.reach import imported

RISES = 3
"""How many callers are followed from what serves to where the run begins."""

DEPTH = 2
"""How many calls on the way are entered."""

BRANCHES = frozenset(
    {"if_statement", "elif_clause", "else_clause", "case_clause", "match_statement", "conditional_expression"}
)
OTHERWISE = re.compile(
    r"http|sse|transport|port\b|host|version|help|list|dry|debug|verbose|check|test|stdio|tty|interactive|__name__|demo|quiet"
    r"|mcp\w*avail|(?:has|have)_\w*mcp",
    re.IGNORECASE,
)
"""What a condition speaks of that may hold just where nothing is served on stdio."""

WITHOUT = re.compile(r"try:\s*(?:#.*\s*)*(?:from|import)\s+(?:fast)?mcp\b")
"""A `try` that imports the SDK: where it fails, nothing is served."""

ENDS = re.compile(r"^(?:raise\b|return\b|(?:sys\.|os\._?)?exit\(|quit\(|\w+\.(?:exit|error|print_help)\()")

EXITS = re.compile(r"^(?:raise\b|(?:sys\.|os\._?)?exit\(|quit\()")
"""What ends the whole run, also where it stands in a function that is called."""


def printed_before(run: Evaluator, module: Module, serving: Node, seeds: list[Module]) -> Iterator[Act]:
    """Give what goes to the standard output before a call that serves, and what modules print that declare tools."""
    run.start()
    told: set[tuple[str, int]] = set()
    begun = {module.path: module}
    for unit, at in _rises(run, module, serving, RISES):
        begun[unit.module.path] = unit.module
        for made in _before(unit, at, DEPTH):
            key = (made.text.span.path, made.text.span.line)
            if key not in told:
                told.add(key)
                yield made
    speaking = [each for each in dict.fromkeys((module, *seeds)) if each.mentions(SIGNS)]
    reached = imported(run.modules, begun.values(), run.dynamic) if len(speaking) > 1 else {module.path}
    for each in speaking:
        if each.path in reached:
            yield from _at_import(unit_at(run, each, each.root), told)


def _rises(run: Evaluator, module: Module, at: Node, left: int) -> Iterator[tuple[Unit, Node]]:
    """Give the place that serves, and the calls that lead there, each in its function or module."""
    function = enclosing(at)
    body = child(function, "body") if function is not None else module.root
    if body is None or any(above.type == "class_definition" for above in _above(at)):
        return
    yield unit_at(run, module, body), at
    name = child(function, "name")
    if function is None or name is None or left == 0:
        return
    for other in _beside(run, module):
        for call in _callers(other, name) if (name.text or b"") in other.source.data else ():
            if not _holds(function, call):
                unit = _unit_of(run, other, call)
                if any(_is_of(unit, each, function) for each in unit.calls if each.node == call):
                    yield from _rises(run, other, call, left - 1)


def _callers(module: Module, name: Node) -> Iterator[Node]:
    """Find the calls of a function by its name, and those that are handed it: `asyncio.run(serve())`, `anyio.run(serve)`."""
    for each in of_kinds(module.root, "python", "call"):
        listed = child(each, "arguments")
        handed = children(listed)[:1] if listed is not None else []
        if called(each) == string_of(name) or any(string_of(part) == string_of(name) for part in handed):
            yield each


def _is_of(unit: Unit, call: Call, function: Node) -> bool:
    """Tell whether a call enters a function, or is handed it first."""
    given = call.positional[0] if call.positional else None
    handed = replace(call, function=given) if given is not None and given.type == "identifier" else None
    places = [target(unit, each) for each in (call, handed) if each is not None]
    return any(place is not None and place.node == function for place in places)


def _unit_of(run: Evaluator, module: Module, node: Node) -> Unit:
    body = child(enclosing(node), "body")
    return unit_at(run, module, body or module.root)


def _beside(run: Evaluator, module: Module) -> list[Module]:
    """Give a module and those in the same folder."""
    folder = module.path.rpartition("/")[0]
    others = [
        each for path, each in run.modules.by_path.items() if path.rpartition("/")[0] == folder and each != module
    ]
    return [module, *others]


def _before(unit: Unit, at: Node, depth: int) -> Iterator[Act]:
    """Give what a unit prints before a node of it, and what the functions print that it calls before."""
    for deed in _printing(unit):
        if precedes(deed.node, at):
            yield Act("prints", unit.text_of(deed.node))
    for call in unit.calls:
        if depth > 0 and call.node != at and not _holds(call.node, at) and precedes(call.node, at):
            place = target(unit, call)
            body = child(place.node, "body") if place is not None else None
            if place is not None and body is not None:
                inner = unit_at(unit.run, place.module, body)
                for act in _all_of(inner, depth - 1, handed_over(call, place, {})):
                    yield Act("prints", act.text, (unit.text_of(call.node), *act.through))


def _all_of(unit: Unit, depth: int, known: Known) -> Iterator[Act]:
    """Give what a unit prints whenever it is called with some constants, and goes on."""
    if any(EXITS.match(string_of(part)) for part in children(unit.body)):
        return  # it never comes back: a command of its own
    for deed in _printing(unit):
        if _goes_on(deed.node, unit.body) and not excludes(known, deed.node, unit.body):
            yield Act("prints", unit.text_of(deed.node))
    for call in unit.calls if depth > 0 else ():
        place = target(unit, call) if not excludes(known, call.node, unit.body) else None
        body = child(place.node, "body") if place is not None else None
        if place is not None and body is not None and body != unit.body and _goes_on(call.node, unit.body):
            for act in _all_of(unit_at(unit.run, place.module, body), depth - 1, handed_over(call, place, known)):
                yield Act("prints", act.text, (unit.text_of(call.node), *act.through))


def _at_import(unit: Unit, told: set[tuple[str, int]]) -> Iterator[Act]:
    for deed in _printing(unit):
        key = (unit.module.path, deed.node.start_point[0] + 1)
        if key not in told and _goes_on(deed.node, unit.body):
            told.add(key)
            yield Act("prints", unit.text_of(deed.node))


def _printing(unit: Unit) -> list[Deed]:
    return [*prints(unit), *logs_to_stdout(unit)] if unit.function is None or len(unit.text) <= LARGEST else []


def _above(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = parent_of(above)


def _holds(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def precedes(node: Node, at: Node) -> bool:
    """Tell whether a run that comes to a place surely may have come through a node before: both in one sequence."""
    around = {above.id for above in _above(at)}
    top = next((above for above in _above(node) if above.id in around), None)
    if top is None or top.type not in ("block", "module") or node.start_byte >= at.start_byte:
        return False
    return _goes_on(node, top)


def _goes_on(node: Node, top: Node) -> bool:
    """Tell whether what stands around a node, below a block, neither ends the run after it nor asks how to serve."""
    current = node
    for above in _above(node):
        if above.type == "block" or above.id == top.id:
            rest = [part for part in children(above) if part.start_byte > current.start_byte and above.id != top.id]
            if any(ENDS.match(string_of(part)) for part in (current, *rest)):
                return False
        if above.id == top.id:
            return True
        if above.type == "except_clause" and above.parent is not None and WITHOUT.match(string_of(above.parent)):
            return False
        test = child(above, "condition") or child(above, "subject")
        if above.type in BRANCHES and test is not None and OTHERWISE.search(string_of(test)):
            return False
        if above.type in ("elif_clause", "else_clause") and above.parent is not None:
            first = child(above.parent, "condition")
            if first is not None and OTHERWISE.search(string_of(first)):
                return False
        current = above
    return True
