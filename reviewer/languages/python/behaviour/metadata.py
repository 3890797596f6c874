"""`_meta` of answers: where the guard puts the request's id into it, and where code takes that out of an answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.behaviour.lost_metadata import lost_metadata
from reviewer.facts import Guard, Server
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.entrances import Entrances
from reviewer.languages.python.behaviour.following import (
    assigned,
    below,
    called,
    callee,
    enclosing,
    is_parameter,
    own,
    scope,
)
from reviewer.languages.python.behaviour.written import read
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text

META = "_meta"
IDENTITY = "request_id"
EMPTY = frozenset({"None", '""', "''", "{}", "dict()"})
BRANCHES = frozenset({"if_statement", "elif_clause"})
FORM = re.compile(r"isinstance|\bdict\b|Mapping|is (?:not )?None|hasattr|_meta|META|\bnot\s+\w+$|\btype\(")
SOMETIMES = re.compile(r"debug|environ|getenv|verbose|\bFalse\b", re.IGNORECASE)
DEPTH = 2
"""How many calls and names are followed."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A function, and the module that it stands in."""

    module: Module
    node: Node


def request_id(run: Evaluator, module: Module, function: Node) -> Text | None:
    """Find where a guard puts `_meta.request_id` into the answer: itself, or in what it calls."""
    found = _marked(run, _reach(run, _Stretch(module, function)))
    if found is None:
        return None
    stretch, value = found
    calls = [each for each in below(function) if called(each) == string_of(child(stretch.node, "name") or stretch.node)]
    first = value if stretch.node == function else min(calls, key=lambda each: each.start_byte, default=function)
    if _escapes(run, module, function, first.start_byte):
        return None
    return Text(string_of(value), stretch.module.span(value))


def _marked(run: Evaluator, reach: list[_Stretch]) -> tuple[_Stretch, Node] | None:
    """Find the first stretch that puts the id into every answer, and by what."""
    for stretch in reach:
        for found in read(run, stretch.module, stretch.node):
            inner = found.inner.get(META)
            for given in (inner.given.get(IDENTITY), *inner.again.get(IDENTITY, ())) if inner is not None else ():
                if given is not None and _is_said(given) and _is_certain(given):
                    return stretch, given
            for given in (found.given.get(META), *found.again.get(META, ())):
                if given is not None and _is_certain(given) and _holds(run, stretch.module, given):
                    return stretch, given
    return None


def _reach(run: Evaluator, start: _Stretch, depth: int = DEPTH) -> list[_Stretch]:
    """Give a function and those of the project that it calls whatever the value and the settings."""
    found = [start]
    for call in below(start.node) if depth else ():
        place = callee(run, call, scope(run, start.module)) if call.type == "call" and _is_certain(call) else None
        if place is not None and all(place.node != each.node for each in found):
            found += _reach(run, _Stretch(place.module, place.node), depth - 1)
    return found


def _is_certain(node: Node) -> bool:
    """Tell whether something happens in every setting, and to every answer that is a dict."""
    current: Node | None = node
    while current is not None and current.type != "function_definition":
        above = current.parent
        test = child(above, "condition") if above is not None and above.type in BRANCHES else None
        if (
            test is not None
            and above is not None
            and current != test
            and not _holds_always(above, current, string_of(test))
        ):
            return False
        current = above
    return True


def _holds_always(branch: Node, way: Node, test: str) -> bool:
    """Tell whether one way of a branch is taken for every dict, or another one marks as well."""
    if SOMETIMES.search(test):
        return False
    others = [part for part in children(branch) if part != way and part.type in ("block", "else_clause", "elif_clause")]
    return FORM.search(test) is not None or any(META in string_of(part) or "META" in string_of(part) for part in others)


def _escapes(run: Evaluator, module: Module, function: Node, marked_at: int) -> bool:
    """Tell whether the guard gives an answer back before it puts the id in."""
    for each in below(function, frozenset({"lambda"})):
        value = next(iter(children(each)), None) if each.type == "return_statement" else None
        if value is None or each.start_byte >= marked_at or _is_certain(each):
            continue
        if value.type == "identifier" or _is_bare(run, module, value):
            return True
    return False


def _is_bare(run: Evaluator, module: Module, value: Node) -> bool:
    """Tell whether a call surely gives an answer without the id."""
    place = callee(run, value, scope(run, module)) if value.type == "call" else None
    return place is not None and _marked(run, _reach(run, _Stretch(place.module, place.node))) is None


def _is_said(value: Node) -> bool:
    return string_of(value) not in EMPTY


def _holds(run: Evaluator, module: Module, value: Node, depth: int = 0) -> bool:
    """Tell whether the value of `_meta` has the request's id, also if only a caller knows the value."""
    for each in read(run, module, value):
        if IDENTITY in each.given:
            return _is_said(each.given[IDENTITY])
        if each.open:
            return True
    if value.type == "identifier":
        return _named(run, module, value, depth)
    if depth > DEPTH:
        return False
    for node in below(value):
        place = callee(run, node, scope(run, module)) if node.type == "call" else None
        body = child(place.node, "body") if place is not None else None
        if place is not None and body is not None and _holds(run, place.module, body, depth + 1):
            return True
        if node.type == "identifier" and node != value and _named(run, module, node, depth + 1):
            return True
    return False


def _named(run: Evaluator, module: Module, name: Node, depth: int) -> bool:
    unit, written = enclosing(name), string_of(name)
    for each in read(run, module, unit) if unit is not None else ():
        if each.name == written and IDENTITY in each.given and _is_said(each.given[IDENTITY]):
            return True
    given = assigned(written, name)
    if given is not None:
        return depth <= DEPTH and _holds(run, module, given, depth + 1)
    return depth == 0 and is_parameter(written, name)  # handed in: only a caller knows


def strips(run: Evaluator, servers: tuple[Server, ...], guards: tuple[Guard, ...]) -> Iterator[Text]:
    """Find where `_meta` of a guard is taken out of an answer."""
    if any(True for _ in own(run, META.encode())):
        entrances = Entrances(run, servers)
        signing = frozenset(code for each in guards if (code := entrances.code(each.span)) is not None)
        yield from lost_metadata(entrances.traces(), entrances.program, signing)
