"""What a process prints on the way to a server that speaks on the standard output, in the same run."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour import startup
from reviewer.behaviour.callers import HIGHEST
from reviewer.code.ir import Site
from reviewer.facts import Act
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.python.behaviour.following import Place, enclosing, near, own
from reviewer.languages.python.behaviour.tracing import program_of, trace_of, trace_of_module
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.reach import imported

SIGNS = re.compile(rb"print|stdout|echo|onsole|pp\(|RichHandler")
"""What stands in a file that prints."""


def printed_before(run: Evaluator, module: Module, serving: Node, seeds: list[Module]) -> Iterator[Act]:
    """Yield what is printed before a call that serves, and by modules that declare tools when they are imported."""
    program, at = program_of(run), Site(*serving.byte_range)
    leading = _leading(run, module, serving)
    found: list[Act] = []
    for each in leading:
        trace = trace_of(run, each.module, each.node)
        found += startup.printed_before(trace, program, module.path, at) or ()
    begun = dict.fromkeys((module, *(each.module for each in leading)))
    reached = imported(run.modules, begun, run.dynamic)
    for one in dict.fromkeys((*begun, *seeds)):
        if one.path in reached and one.mentions(SIGNS):
            trace = trace_of_module(run, one)
            before = startup.printed_before(trace, program, module.path, at) if one in begun else None
            found += startup.printed(trace, program) if before is None else before
    yield from {act.text.span: act for act in reversed(found)}.values()


def _leading(run: Evaluator, module: Module, serving: Node) -> list[Place]:
    """Return the functions of which one holds a place, the next one may call that, and so on; most that do not are dropped."""
    found: dict[tuple[str, int], Place] = {}
    pending = [(serving, module, HIGHEST)]
    while pending:
        node, inside, left = pending.pop()
        function = enclosing(node)
        key = (inside.path, function.start_byte if function is not None else -1)
        if function is None or key in found:
            continue
        found[key] = Place(function, inside)
        name = string_of(child(function, "name") or function)
        for other in own(run, name.encode()) if left else ():
            pending += ((each, other, left - 1) for each in _naming(other, name))
    return list(found.values())


def _naming(module: Module, name: str) -> Iterator[Node]:
    """Yield where a name is called or handed to a call."""
    for each in near(module, (name.encode(),), "identifier"):
        above = parent_of(each)
        if above is not None and string_of(each) == name:
            whole = above if above.type == "attribute" else each
            around = parent_of(whole)
            if around is not None and around.type in ("call", "argument_list"):
                yield each
