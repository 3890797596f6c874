"""Commands that go on when the call is cancelled that began them and waits for them."""

from collections.abc import Iterator

from reviewer.behaviour.concurrency.cancellation import takes_cancellation
from reviewer.behaviour.effects.commands import collect_commands
from reviewer.behaviour.effects.programs import asks_about_itself
from reviewer.behaviour.findings import RunFinding
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Site, collect_read_variables
from reviewer.code.library_types import find_types
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import (
    Function,
    Instance,
    Label,
    Library,
    Value,
    find_original_term,
    get_term_head,
    is_function,
    name_of,
)

SPAWNS = "spawns process"
DETACHED = frozenset({"start_new_session", "preexec_fn", "creationflags", "process_group", "detached"})
"""Arguments by which a command is meant to go on by itself."""

DEEPEST = 3
"""How many nested objects are searched for a process: a manager holds a session, which holds it."""


def iter_outliving_commands(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the commands that a handler waits for, and that nothing ends where the wait is cancelled."""
    if SPAWNS not in trace.acts:
        return
    occurrences = list(trace.iter_occurrences())
    for each in occurrences:
        if isinstance(each.event, Called) and _begins(each, each.event, program):
            labels = frozenset(label for label in each.event.result.labels if label.origin == "begun")
            process = _Process(each.event.result, labels, occurrences, program)
            if labels and process.is_awaited() and not process.is_kept() and not process.is_ended():
                yield RunFinding("outlives", each)


def _begins(occurrence: Occurrence, event: Called, program: Program) -> bool:
    """Return whether a call of an event loop begins a command that is to end with it."""
    models, first = program.models, _get_first(occurrence).event.code
    acts = collect_acts(event, models)
    if not {SPAWNS, "runs command"} <= acts or "outlives handle" in acts or not DETACHED.isdisjoint(_iter_told(event)):
        return False
    if (
        occurrence.is_under("thread")
        or occurrence.is_under("task")
        or not (first.is_async or program.hands_signal(first))
    ):
        return False
    if program.hands_signal(first) and not set(models.get_model(event.path).timeout).isdisjoint(_iter_told(event)):
        return False  # it is told what ends it
    return not all(map(asks_about_itself, collect_commands(occurrence, models)))


def _iter_told(event: Called) -> Iterator[str]:
    """Yield the names of the arguments of a call, and of the entries of the objects among them."""
    yield from event.named
    yield from (str(name_of(key)) for each in event.arguments for key in each.contents or ())


def _get_first(occurrence: Occurrence) -> Occurrence:
    while occurrence.caller is not None:
        occurrence = occurrence.caller
    return occurrence


def _is_generator(manager: Value) -> bool:
    """Return whether a manager is a generator of the project: what that ends is seen in its code."""
    return get_term_head(find_original_term(manager.term)) == "generator"


class _Process:
    """A process that a call began, in all that the handler does."""

    def __init__(self, value: Value, labels: frozenset[Label], occurrences: list[Occurrence], program: Program) -> None:
        self._kinds = {each.of for each in value.things if isinstance(each, Instance)}
        self._labels = labels
        self._occurrences = occurrences
        self._program = program
        self._is_signalled = bool(occurrences) and program.hands_signal(_get_first(occurrences[0]).event.code)

    def is_awaited(self) -> bool:
        """Return whether the handler waits for it, and can be cancelled while it does."""
        for each, event in self._iter_calls():
            acts = collect_acts(event, self._program.models)
            if ("waits" in acts and self._is_answered_to(each)) or (
                "blocks" in acts and each.is_under("thread") and "timeout" not in event.named
            ):
                return True
        return False

    def _is_answered_to(self, wait: Occurrence) -> bool:
        """Return whether who waits is told: at once, or by a function that is called at the end of the process."""
        event = wait.event
        if not isinstance(event, Called) or not any(map(is_function, event.arguments)):
            return True
        return any(
            isinstance(each.event, Called)
            and not find_types("resolver").isdisjoint(each.event.callee.library_types)
            and any(here.event.code is event.code and here.event.at == event.at for here in each.iter_outwards())
            for each in self._occurrences
        )

    def is_ended(self) -> bool:
        """Return whether it is ended where the call is cancelled: in a clause that takes that, at last, or by a manager."""
        for each in self._occurrences:
            for context in each.iter_circumstances():
                manager = context.value if context.condition == "manager" else None
                if manager is not None and self._is_process(each, manager) and not _is_generator(manager):
                    return True
        if self._is_signalled and any(
            isinstance(each.event, Called) and self._ends(each, each.event) for each in self._occurrences
        ):
            return True  # by who is told that the call is cancelled, or when some time is over
        return any(
            context.condition == "always"
            or (context.condition == "handles" and takes_cancellation(self._program, context))
            for each in self._occurrences
            if isinstance(each.event, Called) and self._ends(each, each.event)
            for context in each.iter_circumstances()
        )

    def _ends(self, occurrence: Occurrence, event: Called) -> bool:
        """Return whether a call ends the process, or one of which nothing is known but its number."""
        if "ends process" not in collect_acts(event, self._program.models) and not event.path.endswith(ENDING):
            return False
        begun = {label for value in (event.callee, *event.values) for label in occurrence.resolve_labels(value)}
        return not self._labels.isdisjoint(begun) or not any(label.origin == "begun" for label in begun)

    def _iter_calls(self) -> Iterator[tuple[Occurrence, Called]]:
        """Yield the calls of its methods, and of those of its parts."""
        for each in self._occurrences:
            if isinstance(each.event, Called):
                subject = each.event.receiver if each.event.receiver is not None else each.event.callee
                if self._is_process(each, subject):
                    yield each, each.event

    def _is_process(self, occurrence: Occurrence, value: Value) -> bool:
        return not self._labels.isdisjoint(occurrence.resolve_labels(value))

    def is_kept(self) -> bool:
        """Return whether somebody else has it: who is handed it, or an object that lasts longer than the call."""
        return any(
            self._can_reach_process(each, value, DEEPEST)
            for each in self._occurrences
            for value in _iter_given(each, self._program.models)
        )

    def _can_reach_process(self, occurrence: Occurrence, value: Value, deep: int) -> bool:
        """Return whether a value is the process, holds it, or is a function that can use it."""
        if not self._is_process(occurrence, value):
            return any(self._is_used(occurrence, each) for each in value.things)
        if any(isinstance(each, Instance) and each.of in self._kinds for each in value.things):
            return True
        if any(isinstance(each, Library | Function) for each in value.things):
            return True
        return bool(deep) and any(
            self._can_reach_process(occurrence, each, deep - 1) for each in (value.contents or {}).values()
        )

    def _is_used(self, occurrence: Occurrence, thing: object) -> bool:
        captured = thing.captured if isinstance(thing, Function) else None
        if not captured or not isinstance(thing, Function):
            return False
        return any(
            self._is_process(occurrence, captured[each])
            for each in collect_read_variables(thing.code)
            if each in captured
        )


ENDING = (".kill", ".terminate", ".send_signal")
"""How methods are called that end a process, of whatever it is known by."""


def _iter_given(occurrence: Occurrence, models: Models) -> Iterator[Value]:
    """Yield the values that an event gives to somebody outside of the call."""
    match occurrence.event:
        case Returned(value=value, facts=facts) if occurrence.caller is None:
            yield from () if infer_failure(value, facts) else (value,)  # where it failed to begin there is none
        case Stored(owner=owner, value=value) if not _is_own(occurrence, owner):
            yield value
        case Called(followed=False) as event if not _runs(event, models):
            if event.receiver is None or not _is_own(occurrence, event.receiver):
                yield from (*event.arguments, *event.named.values())


def _runs(event: Called, models: Models) -> bool:
    """Return whether a library's function runs what it is handed, or makes something of it that is the call's own."""
    model = models.find_model(event.path)
    return model is not None and (model.runs != "" or model.returns not in KEEPING)


KEEPING = frozenset({"unknown", "new", "nothing", "written", "appended", "extended", "kept entry", "partial", "task"})
"""What models say that functions give which may hold on to what they are handed; all others only make something of it."""


MADE_BEFORE = Site(0, 0)
"""Where the object stands that a handler is a method of: it was made before the call."""


def _is_own(occurrence: Occurrence, value: Value) -> bool:
    """Return whether an object was made by the call."""
    term = find_original_term(occurrence.trace_source(value)[1].term)
    return isinstance(term, tuple) and term[:1] == ("new",) and term[2] != MADE_BEFORE
