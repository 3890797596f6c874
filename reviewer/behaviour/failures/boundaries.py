"""What keeps a failure of a handler from leaving the call unanswered: what surrounds the calls that make the answers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from reviewer.behaviour.results.answers import is_error
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Awaited,
    Called,
    Caught,
    Context,
    Entered,
    Event,
    Indexed,
    Occurrence,
    Raised,
    Returned,
    Trace,
)
from reviewer.code.ir import Code, Site, Yield, iter_statements
from reviewer.code.kinds import is_caught
from reviewer.code.program import Program, find_once
from reviewer.code.run import TOO_LONG, RunBounds
from reviewer.code.state import infer_failure
from reviewer.code.values import Class, Function, Label, Library, Origin, Term, Value, find_original_term
from reviewer.source import Opaque, Text

ASKED = frozenset[Origin]({"argument", "request", "parameter"})
"""Where what a handler is given comes from: the call, or who handed it on to where the handler is called."""

# An abort ends the process as a panic does, past every clause for errors.
PANICS = frozenset({"panics", "aborts"})


class AnswerWork(NamedTuple):
    """A call that makes an answer or a part of it, with the text `by` that answers if the call fails (None if nothing does).

    `is_known` is False if code that was not found runs the call, because it may handle failures or not.
    """

    event: Event
    by: Text | None
    is_known: bool = True


class _Frame(NamedTuple):
    """A function on the way to what makes the answers, and the call that leads there, None where the run began."""

    trace: Trace
    caller: "tuple[_Frame, Entered] | None" = None

    def iter_outwards(self, event: Event) -> Iterator[tuple[Code, Context]]:
        """Yield the contexts around an event, innermost first, each with its function."""
        yield from ((event.code, each) for each in event.iter_outwards())
        if self.caller is not None:
            frame, entered = self.caller
            yield from frame.iter_outwards(entered)


def collect_works(trace: Trace, program: Program) -> tuple[AnswerWork, ...]:
    """Return the calls by which a function makes its answers, looked for once."""
    return find_once(
        program, trace, "works", lambda: tuple(_BoundarySearch(trace, program).iter_returned_works(_Frame(trace)))
    )


Isolation = tuple[Text | Opaque, ...]


def determine_isolation(found: Iterable[AnswerWork]) -> Isolation:
    """Return how failures of calls are handled: no isolation if one of them is not handled, unknown if that was not
    seen.
    """
    each = tuple(found)
    if any(work.by is None and work.is_known for work in each):
        return ()
    by = tuple(dict.fromkeys(work.by for work in each if work.by is not None))
    unseen = (Opaque("code that is not there runs the handlers", work.event.text.span) for work in each)
    return by or tuple(unseen)


def _is_of_failure(event: Event) -> bool:
    """Return whether an event is inside a handler of a caught failure: an answer there reports the failure."""
    return any(each.condition == "handles" for each in event.iter_outwards())


class _BoundarySearch:
    """A search for the calls that make the answers of a function."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._seen: set[tuple[int, Term]] = set()
        self._makers: dict[int, _Makers] = {}
        self._known: set[tuple[int, Entered]] = set()
        """The calls that were already searched for the makers of their results, by each value they returned."""

    def _find_makers(self, trace: Trace) -> "_Makers":
        found = self._makers.get(id(trace))
        if found is None:
            found = self._makers[id(trace)] = _Makers(trace)
        return found

    def iter_returned_works(self, frame: _Frame) -> Iterator[AnswerWork]:
        """Yield the calls that make what a function returns. How deep calls stand in calls is bounded by the run alone."""
        for each in frame.trace.events:
            if isinstance(each, Returned) and not infer_failure(each.value, each.facts) and not _is_of_failure(each):
                yield from self._iter_value_works(frame, each.value, DEEPEST)

    def _iter_value_works(
        self, frame: _Frame, value: Value, deep: int, waited: tuple[Text | None, ...] = ()
    ) -> Iterator[AnswerWork]:
        """Yield the calls that make a value; `waited` are what answers where it is waited for in functions it is handed to."""
        key = (id(frame.trace), value.term)
        if not deep or (key in self._seen and not waited) or value.failure is not None:
            return
        if is_error(value, self._program.models):
            return  # it tells a client of a failure: the answer of no handler
        self._seen.add(key)
        makers = self._find_makers(frame.trace)
        waited = (*waited, *(self._find_boundary(frame, each) for each in makers.awaited.get(value.term, ())))
        match value.term:
            case ("via", Site() as at, _) if at in makers.entered:
                inside = makers.entered[at]
            case ("call", _, Site() as at) if at not in makers.handed:  # one of several functions gave it
                inside = makers.entered.get(at, [])
            case _:
                inside = []
        for each in inside:
            if waited and (all(waited) or not each.trace.code.is_async):
                yield from (AnswerWork(each, by) for by in waited)  # it gave what is run here and not in it
            else:
                yield from self._iter_entered_works(frame, each)
        if inside:
            return
        call = makers.called.get(value.term)
        if call is not None and self._is_work(call):
            yield from self._call(frame, call, waited, deep)
        elif frame.caller is not None and value.term in frame.caller[1].given:
            outer, entered = frame.caller
            if self._find_boundary(outer, entered) is None:  # else it was made ready for a call that is answered for
                yield from self._iter_value_works(outer, entered.given[value.term], deep - 1, waited)
        else:
            yield from self._iter_within(frame, value, deep)

    def _iter_within(self, frame: _Frame, value: Value, deep: int) -> Iterator[AnswerWork]:
        for part in (*(value.contents or {}).values(), *value.sources):
            yield from self._iter_value_works(frame, part, deep - 1)

    def _iter_entered_works(self, frame: _Frame, event: Entered) -> Iterator[AnswerWork]:
        if (id(frame.trace), event) in self._known:
            return
        self._known.add((id(frame.trace), event))
        inner = tuple(self.iter_returned_works(_Frame(event.trace, (frame, event))))
        yield from inner
        is_asked = any(not ASKED.isdisjoint(origins) for origins in map(_collect_origins, event.labels.values()))
        is_work = event.trace.code.is_async or any(map(self._may_fail, event.trace.events))
        if not inner and is_asked and is_work:
            yield AnswerWork(event, self._find_boundary(frame, event))

    def _call(self, frame: _Frame, call: Called, waited: tuple[Text | None, ...], deep: int) -> Iterator[AnswerWork]:
        """Yield a call that makes an answer, or those that make what it is handed, if it only puts that into form."""
        waited = waited or tuple(self._iter_waited_inside(frame, call.result.term))
        bys = waited or (self._find_boundary(frame, call),)
        is_known = not any(self._is_run(frame, each, call, bool(waited)) for each in call.values)
        if all(bys):
            yield AnswerWork(call, bys[0], is_known)
            return
        inner = () if waited else tuple(self._iter_within(frame, call.result, deep))
        yield from inner
        if not inner and (waited or _is_asked((*call.arguments, *call.named.values()))):
            yield AnswerWork(call, None, is_known)

    def _iter_waited_inside(self, frame: _Frame, term: Term) -> Iterator[Text | None]:
        """Yield the handlers around an await of a value, in functions that receive the value and return it."""
        for each in frame.trace.events:
            handed = each.given.items() if isinstance(each, Entered) else ()
            for inner in (known for known, value in handed if value.term == term):
                assert isinstance(each, Entered)
                called = _Frame(each.trace, (frame, each))
                makers = self._find_makers(each.trace)
                yield from (self._find_boundary(called, wait) for wait in makers.awaited.get(inner, ()))

    def _is_run(self, frame: _Frame, value: Value, call: Called, is_waited: bool) -> bool:
        """Return whether a call of unknown code runs a value that it receives: a function, or a coroutine that was not
        awaited yet.
        """
        if value.awaits is not None or any(isinstance(each, Function) for each in value.things):
            return True
        makers = self._makers[id(frame.trace)]
        maker = makers.called.get(value.term)
        if maker is None or not is_waited or value.term in makers.awaited or value.term in call.facts:
            return False
        return self._is_work(maker) and call.at.holds(maker.at)

    def _may_fail(self, event: Event) -> bool:
        if isinstance(event, Called):
            return self._is_work(event) or "fails" in collect_acts(event, self._program.models)
        return isinstance(event, Entered | Raised | Indexed)

    def _is_work(self, call: Called) -> bool:
        """Return whether a call may run a handler: of something that is neither of the project nor known of a library."""
        is_made = any(isinstance(each, Class) for each in call.callee.things)
        is_made |= call.path.rpartition(".")[2][:1].isupper()
        return (
            not call.followed and not is_made and (not call.path or self._program.models.find_model(call.path) is None)
        )

    def _find_boundary(self, frame: _Frame, event: Event) -> Text | None:
        """Return the text of the handler that catches a failure at an event and does not raise it again; None if none does."""
        for code, each in frame.iter_outwards(event):
            if is_caught(self._program, each, ANY):
                found = self._boundaries.get(
                    (code, each.at), None if self._program.raises else code.extract_text(each.at)
                )
            else:
                found = self._find_manager_boundary(each)
            if found is not None:
                return found
        return None

    def _find_manager_boundary(self, context: Context) -> Text | None:
        """Return the text with which a context manager's generator answers a failure, which is raised at its `yield`."""
        manager = context.value if context.condition == "manager" else None
        match find_original_term(manager.term) if manager is not None else None:
            case ("generator", Code() as code):
                return next(
                    (
                        by
                        for each in iter_statements(code.body)
                        for (within, tried), by in self._boundaries.items()
                        if isinstance(each, Yield) and by is not None and within is code and tried.holds(each.at)
                    ),
                    None,
                )
        return None

    @cached_property
    def _boundaries(self) -> dict[tuple[Code, Site], Text | None]:
        """The texts of the handlers, by the place of the `try` or call; None if one raises again all that it catches."""
        thrown = set(iter_rethrown(self._trace, self._program))
        found: dict[tuple[Code, Site], Text | None] = dict.fromkeys(thrown)
        for each in self._trace.iter_occurrences():
            event = each.event
            if isinstance(event, Caught):
                here = (event.code, event.tried)
                context = Context("catches", event.at, types=event.types)
                is_answer = (event.code, event.at) not in thrown and is_caught(self._program, context, ANY)
                found[here] = found.get(here) or (extract_first_line(event.text) if is_answer else None)
        return found


NEAR = "near"
"""What stands for the name of a tool where a function is run no farther than boundaries stand."""

NEARBY = RunBounds(depth=4)
"""How far a function is followed that is too much to follow to its end: most wrappers that catch were up to three calls away."""


def is_cut(trace: Trace) -> bool:
    """Return whether a function was too much to follow to its end."""
    return any(each.reason == TOO_LONG for each in trace.omissions)


ANY = Library("builtins.Exception")
"""What a handler may raise, where what fails raises an exception."""


def iter_rethrown(trace: Trace, program: Program) -> Iterator[tuple[Code, Site]]:
    """Yield the places that catch a failure and throw it on, or fail because of it: of clauses, and of calls that catch."""
    for each in trace.iter_occurrences():
        event = each.event
        if isinstance(event, Raised):
            clause = _find_clause(event)
            if clause is not None and (
                event.value is None or find_original_term(event.value.term) == find_original_term(_get_term(clause))
            ):
                yield event.code, clause.at
        elif isinstance(event, Called) and not event.followed:
            acts = collect_acts(event, program.models)
            if "panics on failure" in acts and event.values:
                yield from _guard_of(event.values[0].term)
            if not PANICS.isdisjoint(acts):
                yield from iter_failed_guards(each)


def iter_failed_guards(occurrence: Occurrence | None) -> Iterator[tuple[Code, Site]]:
    """Yield the places of the calls that caught a panic before something is done."""
    while occurrence is not None:
        for term, fact in occurrence.event.facts.items():
            if fact.failed:
                yield from _guard_of(term)
        occurrence = occurrence.caller


def _guard_of(term: Term) -> Iterator[tuple[Code, Site]]:
    match find_original_term(term):
        case ("guarded", Code() as code, Site() as at):
            yield code, at


def _find_clause(event: Event) -> Context | None:
    """Return the clause that comes to an event whatever it caught, None if a test leads there, or none does."""
    found = next((each for each in event.iter_outwards() if each.condition in ("test", "loop", "handles")), None)
    return found if found is not None and found.condition == "handles" else None


def _get_term(clause: Context) -> Term:
    return clause.value.term if clause.value is not None else None


def _collect_origins(labels: Iterable[Label]) -> frozenset[Origin]:
    """Return where what a function is handed comes from: why something failed is no work, but its end."""
    found = frozenset(each.origin for each in labels)
    return frozenset() if "exception" in found else found


def _is_asked(values: Iterable[Value]) -> bool:
    return any(label.origin in ASKED for each in values for label in each.labels)


def extract_first_line(text: Text) -> Text:
    """Return the first line of a text."""
    return Text(text.partition("\n")[0], text.span)


class _Makers:
    """The events of one function by what they give."""

    def __init__(self, trace: Trace) -> None:
        self.entered: defaultdict[Site, list[Entered]] = defaultdict(list)
        self.called: dict[Term, Called] = {}
        self.handed: set[Site] = set()
        """The calls of unknown code. Functions that run there are those that it receives."""
        self.awaited: defaultdict[Term, list[Awaited]] = defaultdict(list)
        for each in trace.events:
            match each:
                case Entered():
                    self.entered[each.at].append(each)
                case Called():
                    self.called.setdefault(each.result.term, each)  # others only hand it on
                    if not each.followed:
                        self.handed.add(each.at)
                case Awaited():
                    self.awaited[each.value.term].append(each)
