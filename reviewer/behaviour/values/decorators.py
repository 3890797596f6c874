"""What decorators lay around the functions that they are given: another function, and what answers where the given one fails."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reviewer.behaviour.failures.boundaries import iter_rethrown
from reviewer.code.events import Called, Caught, CodePlace, Context, Occurrence, Stored, Trace
from reviewer.code.interpreter import Interpreter
from reviewer.code.ir import Break, Code, Continue, Raise, Return, Site, Try, Yield, iter_codes, iter_statements
from reviewer.code.kinds import takes_any
from reviewer.code.program import Program, find_once
from reviewer.code.summaries import Summaries
from reviewer.code.values import Function, Made, Term, Value, find_original_term, get_term_head
from reviewer.source import Text

REGISTERING = frozenset(
    "tool add_tool prompt resource command add_command route get post put delete register add append setdefault subscribe on "
    "connect".split()
)
"""The methods by which a decorator hands the function on to somebody else, whatever it gives back."""


class ExceptionClause(NamedTuple):
    """What answers for some exceptions: where it stands, and what the function does that it stands in."""

    trace: Trace
    at: Site
    types: tuple[Value, ...] = ()

    @property
    def place(self) -> CodePlace:
        """Where it stands."""
        return CodePlace(self.trace.code, self.at)

    @property
    def ends_behind(self) -> bool:
        """Whether it leaves the answer to the code after its `try`: it ends without leaving the function."""
        found = (
            each for tried in iter_statements(self.trace.code.body) if isinstance(tried, Try) for each in tried.catches
        )
        body = next((each.body for each in found if each.at == self.at), ())
        return not body or not isinstance(body[-1], Return | Raise | Break | Continue)

    @property
    def text(self) -> Text:
        """Its source."""
        return self.trace.code.extract_text(self.at)

    def takes_any(self, program: Program) -> bool:
        """Return whether it takes exceptions of any kind."""
        return takes_any(program, Context("handles", self.at, types=self.types))

    def answers_any(self, program: Program) -> bool:
        """Return whether it takes whatever is raised, and does not raise that again."""
        return self.takes_any(program) and self.answers(program)

    def answers(self, program: Program) -> bool:
        """Return whether it does not raise again what it takes."""
        thrown = find_once(program, self.trace, "thrown on", lambda: frozenset(iter_rethrown(self.trace, program)))
        return (self.trace.code, self.at) not in thrown


def collect_clauses(decorator: Code, program: Program) -> tuple[ExceptionClause, ...]:
    """Return the clauses around the calls of a decorated function, in source order.

    They are searched once for all tools that it decorates.
    """
    key = ("clauses", decorator)
    if key not in program.found:
        program.found[key] = _collect_clauses(decorator, program)
    found: tuple[ExceptionClause, ...] = program.found[key]
    return found


def _collect_clauses(decorator: Code, program: Program) -> tuple[ExceptionClause, ...]:
    layers = _run(decorator, program)
    found = {
        (each.trace.code, each.at): each
        for trace, calls in layers.inner
        for call in calls
        for each in _iter_around(trace, call)
    }
    whole = (_to_the_end(each, program) for each in found.values())
    return tuple(sorted(whole, key=lambda each: (each.trace.code.source.path, each.at)))


def _to_the_end(clause: ExceptionClause, program: Program) -> ExceptionClause:
    """Return a clause with what its function does where it took what was raised, if it answers only after the `try`."""
    if not clause.ends_behind:
        return clause
    run = Interpreter(program, summaries=Summaries(), taking=clause.place)
    return clause._replace(trace=run.start(clause.trace.code, {}))


def iter_surrounding_traces(decorator: Code, program: Program) -> Iterator[Trace]:
    """Yield the traces of the functions that a decorator makes and that call the decorated function."""
    return (trace for trace, calls in _run(decorator, program).inner if calls)


def iter_clauses_around(trace: Trace, at: Site) -> Iterator[ExceptionClause]:
    """Yield the clauses that catch exceptions around a place in a function."""
    for each in trace.iter_occurrences():
        if each.event.code is trace.code and at.holds(each.event.at):
            yield from _iter_around(trace, each, at)
            return


def gives_another(decorator: Code, program: Program) -> bool | None:
    """Return whether a decorator gives another function than it is given; None if it hands that to somebody else as well."""
    layers, own = _run(decorator, program), frozenset(iter_codes(decorator))
    if any(_hands_on(each, layers.functions, own) for each in (layers.outer, *(trace for trace, _ in layers.inner))):
        return None
    return any(calls for _, calls in layers.inner)


def iter_layers(decorator: Code) -> Iterator[Code]:
    """Yield the functions that a decorator makes."""
    return (each for each in iter_codes(decorator) if each is not decorator and each.kind in ("function", "closure"))


class _Layers(NamedTuple):
    """What a decorator does, and the functions that it makes, each by itself and with its calls of what the decorator is given.

    `functions` are the parameters that are functions.
    """

    outer: Trace
    inner: tuple[tuple[Trace, tuple[Occurrence, ...]], ...]
    functions: frozenset[Term]


def _run(decorator: Code, program: Program) -> _Layers:
    """Return the traces of a decorator and its layers, run once for all tools that it decorates."""
    key = ("layers", decorator)
    if key not in program.found:
        outer, *inner = (
            Interpreter(program, summaries=program.summaries).start(each, {})
            for each in (decorator, *iter_layers(decorator))
        )
        functions = _collect_functions([outer, *inner])
        program.found[key] = _Layers(
            outer, tuple((each, tuple(_iter_calls(each, functions))) for each in inner), functions
        )
    found: _Layers = program.found[key]
    return found


def _iter_calls(trace: Trace, functions: frozenset[Term]) -> Iterator[Occurrence]:
    """Yield where a function calls what was handed to those around it, or hands that to code that is not there."""
    for each in trace.iter_occurrences(kinds=(Called,)):
        event = each.event
        assert isinstance(event, Called)
        handed = (event.callee, *(() if event.followed or event.path.endswith(SIGNING) else event.values))
        if any(_get_parameter(each.trace_source(value)[1].term) in functions for value in handed):
            yield each


SIGNING = ("wraps", "update_wrapper", "iscoroutinefunction", "signature")
"""What only looks at a function, or takes its name over."""


def _collect_functions(traces: list[Trace]) -> frozenset[Term]:
    """Return the parameters of a decorator, and of the functions in it, that are functions: somebody calls or wraps them."""
    own = {each.code for each in traces}
    calls = [each for trace in traces for each in trace.events if isinstance(each, Called)]
    used = (value for each in calls for value in (each.callee, *(each.values if each.path.endswith(SIGNING) else ())))
    found = frozenset(_get_parameter(each.term) for each in used)
    return frozenset(each for each in found if isinstance(each, tuple) and each[1] in own)


def _iter_around(trace: Trace, here: Occurrence, beyond: Site | None = None) -> Iterator[ExceptionClause]:
    """Yield the clauses around an event, or `beyond` a place around it, and those of generators that manage what it does."""
    by_code = {each.code: each for each in trace.list_traces()}
    for each in here.iter_outwards():
        for around in each.event.iter_outwards():
            if beyond is not None and not around.at.holds(beyond):
                continue
            if around.condition == "catches":
                yield from (one for one, tried in iter_caught_clauses(by_code[each.event.code]) if tried == around.at)
            elif around.condition == "manager" and around.value is not None:
                yield from _iter_manager_clauses(by_code, around.value)


def _iter_manager_clauses(by_code: Mapping[Code, Trace], manager: Value) -> Iterator[ExceptionClause]:
    match find_original_term(manager.term):
        case ("generator", Code() as code) if code in by_code:
            yields = [each.at for each in iter_statements(code.body) if isinstance(each, Yield)]
            for clause, tried in iter_caught_clauses(by_code[code]):
                if any(tried.holds(each) for each in yields):
                    yield clause


def iter_caught_clauses(trace: Trace) -> Iterator[tuple[ExceptionClause, Site]]:
    """Yield the clauses of a function, each with the place of its `try`."""
    return (
        (ExceptionClause(trace, each.at, each.types), each.tried) for each in trace.events if isinstance(each, Caught)
    )


def _hands_on(trace: Trace, functions: frozenset[Term], own: frozenset[Code]) -> bool:
    """Return whether a decorator hands a function to a registry: by a method, by what a method gives, or under a key."""
    calls = [each for each in trace.events if isinstance(each, Called)]
    wrapped = {each.result.term for each in calls if _find_callee_path(each).endswith(SIGNING)}

    def is_function(value: Value) -> bool:
        is_made = any(isinstance(each, Function) and each.code in own for each in value.things)
        return is_made or value.term in wrapped or _get_parameter(value.term) in functions

    handed = (
        value
        for each in calls
        if (each.receiver is not None or each.callee.meaning is not None)
        and _find_callee_path(each).rpartition(".")[2] in REGISTERING
        for value in each.arguments
    )
    stored = [each for each in trace.events if isinstance(each, Stored) and each.key is not None]
    return any(map(is_function, handed)) or any(is_function(e.value) and not is_function(e.owner) for e in stored)


def _find_callee_path(event: Called) -> str:
    """Return the path of the called function, or of the call that returned it."""
    return event.callee.meaning.by if isinstance(event.callee.meaning, Made) else event.path


def _get_parameter(term: Term) -> Term:
    """Return the parameter of a function around that a term stands for, None if it stands for none."""
    term = find_original_term(term)
    while isinstance(term, tuple) and term[:1] == ("around",):
        term = find_original_term(term[1])
    return term if get_term_head(term) == "parameter" else None
