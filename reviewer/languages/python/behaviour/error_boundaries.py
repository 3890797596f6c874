"""Places that catch an exception and answer in a handler's stead."""

from collections.abc import Iterator

from reviewer.behaviour.failures.caught_panics import attach_log
from reviewer.behaviour.failures.error_boundaries import CatchClause as Answers
from reviewer.behaviour.failures.error_boundaries import iter_leaked_stacks
from reviewer.behaviour.values.decorators import ExceptionClause, iter_caught_clauses
from reviewer.code.events import Raised, Returned
from reviewer.facts import ErrorBoundary, Server
from reviewer.languages.python.behaviour.entry_points import PythonEntryPoints
from reviewer.languages.python.behaviour.isolation import list_catching_clauses, place_at
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, iter_own_modules
from reviewer.languages.python.behaviour.tracing import get_program, trace_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.source import Span

READING = (b"traceback", b"inspect")
"""The modules by which code reads what is being called."""


def iter_error_boundaries(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[ErrorBoundary]:
    """Yield the handlers that catch an exception and answer: for all tools, or in one of them with what was called."""
    told: set[Span] = set()
    for each in _iter_for_dispatchers(run, servers):
        told |= {each.leak.span} if each.leak is not None else set()
        yield each
    entry_points = PythonEntryPoints(run, servers)
    for trace in entry_points.iter_traces() if any(True for _ in iter_own_modules(run, *READING)) else ():
        for leak in iter_leaked_stacks(trace, entry_points.program):
            if leak.span not in told:
                told.add(leak.span)
                yield ErrorBoundary(leak.span, leak, "exception", in_handler=True)


def _iter_for_dispatchers(run: Evaluator, servers: tuple[Server, ...]) -> Iterator[ErrorBoundary]:
    """Yield the clauses by which a dispatcher answers for whatever its handlers raise."""
    told: set[Span] = set()
    for server in servers:
        place = place_at(run, server.entry.span) if server.language == "python" and server.entry is not None else None
        for clause in iter_clauses(run, place) if place is not None else ():
            span = clause.text.span
            if span not in told:
                told.add(span)
                found = Answers(clause.trace, get_program(run), clause.at)
                stack = found.find_stack()
                text = found.find_failure_text() or found.find_call_text() if stack is None else None
                fact = ErrorBoundary(span, stack, "exception", specific=text, answer=found.answer())
                log = found.log_event()
                yield attach_log(fact, log) if log is not None else fact


def iter_clauses(run: Evaluator, place: FunctionPlace) -> Iterator[ExceptionClause]:
    """Yield the clauses that catch for a dispatcher, in it or in the one wrapper that it calls; handlers catch for themselves."""
    around = list_catching_clauses(run, place)
    if len(around) == 1:
        yield around[0]
    trace = trace_of(run, place.module, place.node)
    for each, _ in iter_caught_clauses(trace):
        if each.answers_any(get_program(run)) and _answers(each):
            yield each


def _answers(clause: ExceptionClause) -> bool:
    """Return whether a clause returns something, or raises another exception."""
    ends = (each for each in clause.trace.events if isinstance(each, Returned | Raised))
    return any(around.at == clause.at for each in ends for around in each.iter_outwards())
