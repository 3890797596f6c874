"""Locks of a thread that are held while code waits: by a value, by a block, or until they are released."""

from collections.abc import Iterator
from dataclasses import field, replace

from reviewer.behaviour.findings import RunFinding
from reviewer.code.acts import collect_acts
from reviewer.code.events import ELSEWHERE, Awaited, Called, Entered, Event, Occurrence, Returned, Trace, exclude
from reviewer.code.ir import (
    Assign,
    Await,
    Call,
    Code,
    Expression,
    Field,
    Read,
    Record,
    ResultOf,
    Return,
    Sequence,
    Site,
    Succeeds,
    Variable,
    With,
    iter_calls,
    iter_expressions,
    iter_operands,
    iter_statements,
)
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.state import infer_failure
from reviewer.code.values import Instance, Library, Value
from reviewer.facts import ActKind
from reviewer.records import dataclass
from reviewer.source import Text

GUARDING = ("std.sync.", "parking_lot.")
"""The libraries whose locks hold a thread and are held by a value."""

UNKNOWN_LOCK = ".lock"
"""A lock of a type that is not known. One that gives a failure is the standard library's: no other may be poisoned."""

OPENING = frozenset({"sure", "or failure", "failing by", "or call", "or else", "without reason"})
"""What models say of functions that give what their operand holds, or a failure."""

SLOW = frozenset({"network", "runs command"})
"""What a function does that may take as long as somebody else likes."""

SPANS = frozenset({"tracing.Span.enter", "tracing.Span.entered"})
"""What enters a span of a log, as long as the value lives: what other tasks log meanwhile on the thread is put into it too."""


def iter_held_locks(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where code waits while it holds a lock, or a value of its keeps a span entered; `about` is where that began."""
    if program.raises:
        yield from _iter_held_between(trace, program)
        return
    for each in trace.iter_matching(_takes_lock, program, kinds=(Called,)):
        if isinstance(each.event, Called) and each.is_possible():
            is_writing = program.models.has_trait(each.event.path, "alone")
            waiting = _find_wait(each, trace, program, is_writing)
            is_span = each.event.path in SPANS
            if waiting is not None and is_writing:
                yield RunFinding("holds write lock", waiting, about=each.event.text)
                continue
            if waiting is not None:
                is_sent = not is_span and not _may_wait(waiting, each.event.path, trace, program)
                kind: ActKind = "holds span" if is_span else "holds unsent guard" if is_sent else "holds guard"
                yield RunFinding(kind, waiting, about=each.event.text)


THREADS = "threading."
"""The library whose locks hold a thread, and with it the event loop and all its tasks."""


def _iter_held_between(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where code waits within a block that holds a thread's lock, or between the calls that take and release one."""
    for each in trace.iter_occurrences(kinds=(Awaited,)):
        assert isinstance(each.event, Awaited)
        if "limits time" in program.models.get_maker_model(each.event.value).acts:
            continue  # it is only entered
        taken = _find_around(each.event) or _find_before(each, trace, program)
        if taken is not None and each.is_possible():
            yield RunFinding("holds guard", each, about=taken)


def _find_around(event: Event) -> Text | None:
    """Return the manager around an event that is a lock of a thread, None if none is."""
    for each in event.iter_outwards():
        if each.condition == "manager" and each.value is not None and _is_lock(each.value):
            blocks = (one for one in iter_statements(event.code.body) if isinstance(one, With) and one.at == each.at)
            return next((event.code.extract_text(one.manager.at) for one in blocks), None)
    return None


def _find_before(waiting: Occurrence, trace: Trace, program: Program) -> Text | None:
    """Return the call that acquired a lock which is still held when the code waits; None if there is none."""
    taking, releasing = _find_lock_calls(waiting.find_own_trace(trace), program)
    for each in taking:
        if not _runs_to(each, waiting):
            continue
        released = (one for one in releasing if one.at.start >= each.at.end)
        if not any(_is_same(one, each) and _runs_to(one, waiting) for one in released):
            return each.text
    return None


def _find_lock_calls(trace: Trace, program: Program) -> tuple[tuple[Called, ...], tuple[Called, ...]]:
    """Return the calls of a function that acquire a thread's lock, and those that may release one; all waits share them."""

    def find() -> tuple[tuple[Called, ...], tuple[Called, ...]]:
        calls = [each for each in trace.list_events(Called) if each.receiver is not None]
        taking = (each for each in calls if each.path.startswith(THREADS))
        return (
            tuple(each for each in taking if "locks" in collect_acts(each, program.models)),
            tuple(each for each in calls if each.path.endswith(".release")),
        )

    return find_once(program, trace, "lock calls", find)


def _runs_to(call: Called, waiting: Occurrence) -> bool:
    return call.at.end <= waiting.event.at.start and not exclude(call, waiting.event)


def _is_same(one: Called, other: Called) -> bool:
    return one.receiver is not None and other.receiver is not None and one.receiver.term == other.receiver.term


def _is_lock(value: Value) -> bool:
    kinds = [each.of for each in value.things if isinstance(each, Instance)]
    return bool(kinds) and all(isinstance(each, Library) and each.path in find_types("thread lock") for each in kinds)


def _takes_lock(event: Event, program: Program) -> bool:
    if not isinstance(event, Called) or event.path == UNKNOWN_LOCK:
        return isinstance(event, Called) and not event.arguments
    is_guard = event.path.startswith(GUARDING) and "locks" in collect_acts(event, program.models)
    return is_guard or event.path in SPANS or program.models.has_trait(event.path, "alone")


def _find_wait(lock: Occurrence, trace: Trace, program: Program, is_writing: bool) -> Occurrence | None:
    """Return where code waits that holds a lock: the function that takes it, or one to which it gives it.

    With a lock that tasks wait for, where it asks another host or runs a command.
    """
    here: Occurrence | None = lock
    while here is not None:
        inner = here.find_own_trace(trace)
        held = _LockVariables(here.event, program.models)
        if here is lock and isinstance(lock.event, Called) and lock.event.path == UNKNOWN_LOCK and not held.is_opened:
            return None
        for each in inner.events:
            waits = _is_slow(each, program) if is_writing else _waits(each, program.models)
            if waits and held.is_at(each, inner):
                return replace(here, event=each)
        if not any(isinstance(each, Returned) and held.is_given_by(each) for each in inner.events):
            return None
        here = here.caller
    return None


def _is_slow(event: Event, program: Program) -> bool:
    if isinstance(event, Entered):
        return event.trace.leads_to(_asks, program) and not any(
            each.condition in ELSEWHERE for each in event.iter_outwards()
        )
    return _asks(event, program)


def _asks(event: Event, program: Program) -> bool:
    return isinstance(event, Called) and not SLOW.isdisjoint(collect_acts(event, program.models))


def _waits(event: Event, models: Models) -> bool:
    """Return whether code waits for something: an `await`, or a macro that does so by itself."""
    is_macro = isinstance(event, Called) and event.path.endswith("!")
    return isinstance(event, Awaited) or (
        isinstance(event, Called) and is_macro and "waits" in collect_acts(event, models)
    )


@dataclass
class _LockVariables:
    """What variables of a function hold a lock, which one of its calls takes or gives."""

    call: Event
    models: Models
    variables: set[Variable] = field(default_factory=set)
    scopes: list[Site] = field(default_factory=list)
    """To the ends of which they hold it."""
    is_opened: bool = False
    _given: set[Site] = field(default_factory=set)

    def __post_init__(self) -> None:
        for each in iter_statements(self.call.code.body):
            match each:
                case Call() if each.at == self.call.at or self._passes(each):
                    self._add(each.target, each.lasts or self.call.code.at)
                case Await() if self._refers_to_lock(each.operand):
                    self._add(each.target, None)
                case Assign() if self._refers_to_lock(each.value):
                    self._add(each.target, each.target.scope)
                case Return() if self._refers_to_lock(each.value):
                    self._given.add(each.value.at)
            if any(
                isinstance(part, Succeeds) and self._refers_to_lock(part.operand) for part in iter_expressions(each)
            ):
                self.is_opened = True

    def _add(self, variable: Variable, scope: Site | None) -> None:
        self.variables.add(variable)
        self.scopes += [scope] if scope is not None else []

    def _passes(self, call: Call) -> bool:
        """Return whether a call gives the lock on that it is called on."""
        if not isinstance(call.callee, Field) or not self._refers_to_lock(call.callee.owner):
            return False
        is_opening = self.models.get_model(f".{call.callee.name}").returns in OPENING
        self.is_opened = self.is_opened or is_opening
        return is_opening

    def _refers_to_lock(self, value: Expression) -> bool:
        """Return whether a value is a variable that holds the lock, or an object that one was put into."""
        if isinstance(value, Record | Sequence | ResultOf):
            return any(self._refers_to_lock(each) for each in iter_operands(value))
        return isinstance(value, Read) and value.variable in self.variables

    def is_at(self, event: Event, trace: Trace) -> bool:
        """Return whether the lock is held where something is done."""
        at = event.at
        if at.start < self.call.at.end or not any(each.start <= at.start < each.end for each in self.scopes):
            return False
        return not any(
            self._releases(each) and each.at.end <= at.start and _is_around(each, event) for each in trace.events
        )

    def _releases(self, event: Event) -> bool:
        """Return whether a call lets go what holds the lock."""
        if not isinstance(event, Called) or "frees" not in collect_acts(event, self.models):
            return False
        written = iter_calls(event.code.body, event.at)
        return any(self._refers_to_lock(given.value) for each in written for given in each.arguments)

    def is_given_by(self, event: Returned) -> bool:
        """Return whether the function gives what holds the lock, and no failure to take it."""
        return event.given in self._given and infer_failure(event.value, event.facts) is not True


def _is_around(event: Event, other: Event) -> bool:
    """Return whether control comes by one event wherever it comes to another that follows."""
    return event.context is None or any(each is event.context for each in other.iter_outwards())


def _may_wait(waiting: Occurrence, lock: str, trace: Trace, program: Program) -> bool:
    """Return whether the language lets code wait with the lock: by what it is, or by who runs it."""
    here: Occurrence | None = waiting
    while here is not None:
        if program.keeps_lock(lock, here.event.code):
            return True
        caller = here.caller
        runs = (
            _collect_acts_at(caller.event.code, caller.event.at, caller.find_own_trace(trace), program)
            if caller is not None
            else ()
        )
        if "stays on thread" in runs or "spawns task" in runs:
            return "stays on thread" in runs
        here = caller
    return False


def _collect_acts_at(code: Code, at: Site, trace: Trace, program: Program) -> frozenset[str]:
    """Return the acts of the calls at a place in a function."""
    calls = (each for each in trace.events if isinstance(each, Called) and each.code is code and each.at == at)
    return frozenset[str]().union(*(collect_acts(each, program.models) for each in calls))
