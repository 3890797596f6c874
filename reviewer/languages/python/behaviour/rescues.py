"""Places that catch an exception and answer in a handler's stead."""

from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.rescues import Rescue as Answers
from reviewer.behaviour.rescues import leaked_stacks
from reviewer.code.ir import Site
from reviewer.facts import Rescue, Server
from reviewer.languages.python.behaviour import exits
from reviewer.languages.python.behaviour.entrances import Entrances
from reviewer.languages.python.behaviour.following import Place, below, enclosing, own
from reviewer.languages.python.behaviour.isolation import caught_around, is_broad, place_at, raises_on
from reviewer.languages.python.behaviour.responses.catching import Clause
from reviewer.languages.python.behaviour.tracing import program_of, trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.source import Span

READING = (b"traceback", b"inspect")
"""The modules by which code reads what is being called."""


def rescues(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Rescue]:
    """Give what catches an exception and answers: for all handlers, or in one of them with what was being called."""
    told: set[Span] = set()
    for each in _of_dispatchers(run, servers):
        told |= {each.leak.span} if each.leak is not None else set()
        yield each
    entrances = Entrances(run, servers)
    for trace in entrances.traces() if any(True for _ in own(run, *READING)) else ():
        for leak in leaked_stacks(trace, entrances.program):
            if leak.span not in told:
                told.add(leak.span)
                yield Rescue(leak.span, leak, "exception", in_handler=True)


def _of_dispatchers(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[Rescue]:
    """Give the clauses by which a dispatcher answers for whatever its handlers raise."""
    told: set[Span] = set()
    for server in servers:
        place = place_at(run, server.entry.span) if server.language == "python" and server.entry is not None else None
        for clause, module in clauses(run, place) if place is not None else ():
            span = module.span(clause)
            found = answers_of(run, Clause(clause, module)) if span not in told else None
            if found is not None:
                told.add(span)
                stack = found.stack()
                text = found.text() if stack is None else None
                yield Rescue(span, stack, "exception", found.log(), specific=text)


def answers_of(run: Evaluator, clause: Clause) -> Answers | None:
    """Give what a clause does with what it catches; None if it stands in no function."""
    function = enclosing(clause.node)
    if function is None or function.type != "function_definition":
        return None
    at = Site(clause.node.start_byte, clause.node.end_byte)
    return Answers(trace_of(run, clause.module, function), program_of(run), at)


def clauses(run: Evaluator, place: Place) -> Iterator[Clause]:
    """Give the clauses that catch for a dispatcher, in it or in the one wrapper that it calls; handlers catch for themselves."""
    caught = list(caught_around(run, place))
    if len(caught) == 1:
        yield Clause(*caught[0])
    for clause in below(place.node):
        if clause.type == "except_clause" and is_broad(clause) and not raises_on(clause) and _answers(clause):
            yield Clause(clause, place.module)


def _answers(clause: Node) -> bool:
    return any(True for _ in exits.returned(clause)) or any(each.type == "raise_statement" for each in below(clause))
