"""Where the cancellation of a call is taken, and goes no further."""

from collections.abc import Iterator

from reviewer.behaviour.concurrency.lifetimes import iter_begun_labels
from reviewer.behaviour.findings import RunFinding
from reviewer.code.acts import collect_acts
from reviewer.code.events import Awaited, Called, Caught, Context, Entered, Event, Occurrence, Raised, Returned, Trace
from reviewer.code.given import Pending
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_caught_types, collect_kinds, collect_suppressed_types
from reviewer.code.program import Program
from reviewer.code.values import Class, Function, Label, Library, Negation, Relation, Term, Value

Scope = tuple[Code, Site]
"""A statement of a code that surrounds others."""


def takes_cancellation(program: Program, context: Context) -> bool:
    """Return whether a clause that is entered, or a manager, takes the exception by which a task learns that it is cancelled."""
    if context.condition == "manager":
        return any(_is_cancellation(program, each) for each in collect_suppressed_types(program, context))
    return not context.types or any(_is_cancellation(program, each) for each in collect_caught_types(program, context))


def _is_cancellation(program: Program, kind: Class | Library) -> bool:
    return isinstance(kind, Library) and "cancelled" in program.models.get_model(kind.path).acts


def iter_swallowed_cancellations(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the clauses, context managers and `finally` blocks that catch a cancellation around an await and do not
    re-raise it.
    """
    if "suppresses" not in trace.acts and not trace.reaches(_may_swallow, program):
        return
    if not trace.leads_to(_awaits, program):
        return
    occurrences = list(trace.iter_occurrences(kinds=(Awaited, Called, Caught, Entered, Raised, Returned)))
    waiting, above = _Waiting(occurrences, program), _Above(occurrences, program)
    settled: set[Scope] = set()
    for each in occurrences:
        match each.event:
            case Caught() as clause:
                scope = (clause.code, clause.tried)
                taken = Context("handles", clause.at, types=clause.types)
                if scope in waiting.scopes and scope not in settled and takes_cancellation(program, taken):
                    settled.add(scope)  # what stands below it never sees the cancellation
                    if _ends_task(occurrences, program, clause):
                        continue
                    if not (
                        _goes_on(occurrences, program, clause)
                        or _is_raised_around(above.raised, each)
                        or above.is_raised(each)
                    ):
                        yield RunFinding("swallows cancellation", each, clause.code.extract_text(clause.head))
            case Returned() as event:
                around = event.iter_outwards()
                if any(part.condition == "always" and (event.code, part.at) in waiting.scopes for part in around):
                    yield RunFinding("swallows cancellation", each)
            case Called() as event if _is_suppressing(event, waiting.managers):
                if not (_is_raised_around(above.raised, each) or above.is_raised(each)):
                    yield RunFinding("swallows cancellation", each)


def _ends_task(occurrences: list[Occurrence], program: Program, clause: Caught) -> bool:
    """Return whether a clause is the end of a function that is run as a task: one that is cancelled may come to its end."""
    begun = {
        each.event.arguments[0].awaits.function.code
        for each in occurrences
        if isinstance(each.event, Called)
        and "spawns task" in collect_acts(each.event, program.models)
        and each.event.arguments
        and isinstance(each.event.arguments[0].awaits, Pending)
    }
    return clause.code in begun and not any(
        isinstance(each.event, Awaited) and each.event.code is clause.code and each.event.at.start >= clause.tried.end
        for each in occurrences
    )


def _may_swallow(trace: Trace, program: Program) -> bool:
    """Return whether a function has a clause that may swallow a cancellation, or returns from a `finally` block."""
    return any(
        _may_keep(trace, each, program) if isinstance(each, Caught) else _is_in_last(each)
        for each in trace.events
        if isinstance(each, Caught | Returned)
    )


def _may_keep(trace: Trace, clause: Caught, program: Program) -> bool:
    """Return whether a clause takes a cancellation of what its `try` waits for, and does not always raise it on."""
    taken = Context("handles", clause.at, types=clause.types)
    if not takes_cancellation(program, taken):
        return False
    goes_on = any(
        isinstance(each, Raised)
        and each.context is not None
        and (each.context.condition, each.context.at) == ("handles", clause.at)
        and (each.value is None or _is_the_cancellation(each.value, clause, program))
        for each in trace.events
    )
    return not goes_on and any(_waits_in(each, clause.tried, program) for each in trace.events)


def _waits_in(event: Event, tried: Site, program: Program) -> bool:
    """Return whether something waits in the body of a `try`, or what it calls does."""
    waits = isinstance(event, Awaited) or (isinstance(event, Entered) and event.trace.reaches(_waits, program))
    return waits and any(each.at == tried for each in event.iter_outwards())


def _awaits(event: Event, _program: Program) -> bool:
    return isinstance(event, Awaited)


def _waits(trace: Trace, _program: Program) -> bool:
    return trace.code.is_async or any(isinstance(each, Awaited) for each in trace.events)


def _is_in_last(event: Event) -> bool:
    return any(each.condition == "always" for each in event.iter_outwards())


def _is_suppressing(event: Called, managers: "set[tuple[Code, Term]]") -> bool:
    return (event.code, event.result.term) in managers


class _Waiting:
    """The statements in which a task may wait and be cancelled, other than for tasks that the code has cancelled itself."""

    def __init__(self, occurrences: list[Occurrence], program: Program) -> None:
        self.scopes: set[Scope] = set()
        """Each `Try` whose body waits."""
        self.managers: set[tuple[Code, Term]] = set()
        """The managers that take the cancellation of a body that waits."""
        self._ended: set[Event] = set()
        """Where a task is run that was cancelled before it is waited for."""
        done: dict[Term, Term] = {}
        """What tells of a task whether it is done, with that task."""
        ended: set[Term | Label] = set()
        is_ended = False
        parts: dict[Term, tuple[Value, ...]] = {}
        unwritten = {
            id(each.event.trace)
            for each in occurrences
            if isinstance(each.event, Entered) and _is_unwritten(each.event)
        }
        for each in occurrences:
            event = each.event
            if isinstance(event, Called):
                if _cancels(event, program) and event.receiver is not None:
                    ended |= {_get_base(event.receiver.term), *iter_begun_labels(each, event.receiver)}
                if event.receiver is not None and "tells done" in program.models.get_model(event.path).acts:
                    done[event.result.term] = event.receiver.term
                parts[event.result.term] = (*event.arguments, *event.named.values())
            if isinstance(event, Entered) and is_ended:
                self._ended.add(event)
            is_ended = False
            if isinstance(event, Awaited):
                values = parts.get(event.value.term, ())
                is_ended = _is_among(each, event.value, ended) or (
                    bool(values) and all(_is_among(each, value, ended) for value in values)
                )
                over = {done[term] for term in done.keys() & event.facts.keys() if event.facts[term].truth}
                if event.value.term in over or (values and all(each.term in over for each in values)):
                    continue  # what is done is there at once
                if not is_ended and not isinstance(event.value.awaits, Pending | Function):
                    self._add(each, program)
            elif isinstance(event, Entered) and id(event.trace) in unwritten:
                self._add(each, program)

    def _add(self, occurrence: Occurrence, program: Program) -> None:
        for current in occurrence.iter_outwards():
            if current.event in self._ended:
                return
            for each in current.event.iter_outwards():
                if each.condition in ("task", "thread"):
                    return
                if each.condition in ("catches", "ensures"):
                    self.scopes.add((current.event.code, each.at))
                if each.condition == "manager" and each.value is not None and takes_cancellation(program, each):
                    self.managers.add((current.event.code, each.value.term))


def _is_unwritten(event: Entered) -> bool:
    """Return whether an `async` function does nothing, or only raises: it stands for those of subclasses."""
    return (
        event.trace.code.is_async
        and all(isinstance(each, Raised | Called) for each in event.trace.events)
        and (event.trace.result is None or not event.trace.events)
    )


def _cancels(event: Called, program: Program) -> bool:
    return event.path == ".cancel" or "cancels" in program.models.get_model(event.path).acts


def _get_base(term: Term) -> Term:
    """Return the term of a sequence for that of one of its elements."""
    while isinstance(term, tuple) and term and term[0] == "element":
        term = term[1]
    return term


def _is_among(occurrence: Occurrence, value: Value, ended: "set[Term | Label]") -> bool:
    """Return whether a value is one of some, or holds only such tasks."""
    begun = set(iter_begun_labels(occurrence, value))
    return _get_base(value.term) in ended or (bool(begun) and begun <= ended)


def _goes_on(occurrences: list[Occurrence], program: Program, clause: Caught) -> bool:
    """Return whether the cancellation that a clause takes may be raised on: in it, by what it calls, or after it."""
    for each in occurrences:
        event = each.event
        if _is_in(each, clause.code, clause.at):
            if isinstance(event, Raised) and _may_come_to(each, program, clause):
                return True
            if isinstance(event, Called) and "uncancels" in program.models.get_model(event.path).acts:
                return True
        elif isinstance(event, Raised) and event.code is clause.code and event.at.start >= clause.at.end:
            if event.value is not None and _is_the_cancellation(event.value, clause, program):
                return True
    return False


def _is_the_cancellation(value: Value, clause: Caught, program: Program) -> bool:
    return value.term == clause.value.term or any(_is_cancellation(program, each) for each in collect_kinds(value))


def _is_in(occurrence: Occurrence, code: Code, at: Site) -> bool:
    """Return whether something is done in a clause, or in what it calls."""
    return any(each.event.code is code and at.holds(each.event.at) for each in occurrence.iter_outwards())


def _may_come_to(occurrence: Occurrence, program: Program, clause: Caught) -> bool:
    """Return whether a cancellation may come to a place in a clause: no test on the way there asks for another kind."""
    for current in occurrence.iter_outwards():
        for each in current.event.iter_outwards():
            if current.event.code is clause.code and each.condition == "handles" and each.at == clause.at:
                return True
            if each.condition == "test" and each.value is not None:
                told = _tells_kind(current, each.value, program)
                if told is not None and told is not each.holds:
                    return False
    return True


def _tells_kind(occurrence: Occurrence, test: Value, program: Program) -> bool | None:
    """Return whether a test holds for a cancellation, None if it does not ask for the kind of a caught exception."""
    match test.meaning:
        case Negation(operand):
            told = _tells_kind(occurrence, operand, program)
            return None if told is None else not told
        case Relation("kind" | "is" | "==", left, Value() as right) if _is_exception(occurrence, left):
            parts = list((right.contents or {}).values()) or [right]
            kinds = [kind for part in parts for kind in collect_kinds(part)]
            return any(_is_cancellation(program, each) for each in kinds) if kinds else None
    return None


def _is_exception(occurrence: Occurrence, value: Value) -> bool:
    return any(each.origin == "exception" for each in occurrence.resolve_labels(value))


def _is_raised_around(raised: list[Occurrence], inner: Occurrence) -> bool:
    """Return whether something stands in a clause that raises what it took when it is done."""
    around = inner.event.iter_outwards()
    clauses = {each.at for each in around if each.condition == "handles"}
    return any(
        each.event.code is inner.event.code
        and each.event.at.start >= inner.event.at.end
        and any(part.condition == "handles" and part.at in clauses for part in each.event.iter_outwards())
        for each in raised
    )


class _Above:
    """Finds whether the callers of a function raise the cancellation that it swallows."""

    def __init__(self, occurrences: list[Occurrence], program: Program) -> None:
        self._program = program
        self._calls: dict[Code, list[Occurrence]] = {}
        self._clauses: dict[Scope, set[Site]] = {}
        self.raised: list[Occurrence] = []
        for each in occurrences:
            match each.event:
                case Entered() as call:
                    self._calls.setdefault(call.trace.code, []).append(each)
                case Caught() as clause:
                    self._clauses.setdefault((clause.code, clause.tried), set()).add(clause.at)
                case Raised():
                    self.raised.append(each)

    def is_raised(self, inner: Occurrence) -> bool:
        """Return whether one of them does so, after the call or when what it does for another exception is done."""
        seen, pending = {inner.event.code}, [inner.event.code]
        while pending:
            for call in self._calls.get(pending.pop(), ()):
                if _is_raised_around(self.raised, call) or self._is_raised_after(call):
                    return True
                if call.event.code not in seen:
                    seen.add(call.event.code)
                    pending.append(call.event.code)
        return False

    def _is_raised_after(self, call: Occurrence) -> bool:
        """Return whether a function raises a cancellation of its own after a call, other than one that it catches around it."""
        tried = [(call.event.code, each.at) for each in call.event.iter_outwards() if each.condition == "catches"]
        caught = set[Site]().union(*(self._clauses.get(each, ()) for each in tried))
        return any(
            isinstance(each.event, Raised)
            and each.event.code is call.event.code
            and each.event.at.start >= call.event.at.end
            and each.event.value is not None
            and any(_is_cancellation(self._program, kind) for kind in collect_kinds(each.event.value))
            and not any(part.condition == "handles" and part.at in caught for part in each.event.iter_outwards())
            for each in self.raised
        )
