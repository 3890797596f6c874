"""Tasks that go on when a call is over and that no code holds."""

import re
from collections.abc import Iterator

from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.values.names import split_words
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import (
    Awaited,
    Called,
    Captured,
    Entered,
    Event,
    Looped,
    Occurrence,
    Origins,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.given import Pending
from reviewer.code.ir import Code, Site, collect_read_variables
from reviewer.code.models import Model, Models
from reviewer.code.program import Program
from reviewer.code.values import Function, Label, Library, Made, Value, get_term_head
from reviewer.text.patterns import pattern


def iter_left_tasks(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the tasks that are started and then dropped: neither awaited, cancelled, passed on, kept nor returned."""
    if "spawns task" not in trace.acts:
        return
    models = program.models
    begun = [each for each in trace.iter_occurrences(lambda event, _: _spawns(event)) if _begins_task(each, models)]
    held = _collect_held(trace, models) if begun else frozenset()
    left = [
        each
        for each in begun
        if held.isdisjoint(iter_begun_labels(each, _get_result(each))) and not _is_short(each, models)
    ]
    work = _get_work(trace, models) if left else {}
    for each in left:
        if not _is_message_only(each, work, models) and not (_is_detached(each, models) and _ends(each, work, models)):
            yield RunFinding("spawns", each)


def _spawns(event: Entered) -> bool:
    return "spawns task" in event.trace.acts


def _get_result(occurrence: Occurrence) -> Value:
    assert isinstance(occurrence.event, Called)
    return occurrence.event.result


def _is_detached(begun: Occurrence, models: Models) -> bool:
    """Return whether a task goes on if the handle that starting it returns is dropped."""
    model = _find_model(begun, models)
    return model is not None and "outlives handle" in model.acts


ENDING_SOON = frozenset(
    "recv wait send notify notified notification notifications log logs logger drain forward stream line lines tx rx sender "
    "receiver next progress emit publish telemetry metric metrics cleanup record track tracked touch warm cache cached prefetch "
    "expire expired evict lock cancel cancelled abort shutdown closed stop stopped select timeout ct".split()
)
"""Words of tasks that end soon, with what they listen to, or when they are told."""


def _is_short(begun: Occurrence, models: Models) -> bool:
    """Return whether a task that goes on without its handle certainly ends soon, or, by the words in it, when it is
    told to.
    """
    return _is_detached(begun, models) and not ENDING_SOON.isdisjoint(split_words(begun.event.text))


STOPPING = pattern(r"cancel|abort|stop|shutdown|is_closed", re.IGNORECASE)
"""How code is worded that may tell of the end of a call, or of a task, in a way of the server's own: a flag or a state that
another tool, or the handler of `notifications/cancelled`, sets, a channel that is closed."""

WAITING = frozenset({"waits", "tells", "enters"})
"""What tasks do in which they wait, or may."""

TaskWork = dict[tuple[Code, Site], set[str]]
"""What tasks do, by the calls that begin them: whether they wait, for a function of the project, for a message to the client or
for something else, whether they go through rounds, and whether they check for cancellation."""


def _get_work(trace: Trace, models: Models) -> TaskWork:
    found: TaskWork = {}
    for each in trace.iter_occurrences(kinds=(Awaited, Called, Looped, Tested)):
        done = "goes round" if isinstance(each.event, Looped) else ""
        if isinstance(each.event, Awaited):
            is_own = isinstance(each.event.value.awaits, Pending)  # of which each wait is told by itself
            done = "enters" if is_own else "tells" if _is_message(each, each.event.value, models) else "waits"
        if isinstance(each.event, Called) and "checks cancellation" in collect_acts(each.event, models):
            done = "checks"
        if isinstance(each.event, Tested) and STOPPING.search(str(each.event.text)) is not None:
            done = "checks"
        for here in each.iter_outwards() if done else ():
            for around in here.event.iter_outwards():
                if around.condition == "task":
                    found.setdefault((here.event.code, around.at), set()).add(done)
    return found


def _is_message(here: Occurrence, value: Value, models: Models) -> bool:
    """Return whether a value is a message to the client that is under way."""
    made = here.trace_source(value)[1].meaning
    return isinstance(made, Made) and "notifies" in models.get_model(made.by).acts


def _is_message_only(begun: Occurrence, work: TaskWork, models: Models) -> bool:
    """Return whether a task only sends the client a message, which is done sooner than anybody could cancel it."""
    event, model = begun.event, _find_model(begun, models)
    assert isinstance(event, Called)
    assert model is not None
    given = event.find_argument(model.of, model.keyword)
    if given is not None and _is_message(begun, given, models):
        return True
    return work.get((event.code, event.at), set()) - {"enters"} == {"tells"}


def _ends(begun: Occurrence, work: TaskWork, models: Models) -> bool:
    """Return whether a task ends at once, as it waits for nothing, or when it is told."""
    event, model = begun.event, _find_model(begun, models)
    assert isinstance(event, Called)
    assert model is not None
    done = work.get((event.code, event.at), set())
    given = event.find_argument(model.of)
    is_known = given is not None and (given.awaits is not None or any(isinstance(e, Function) for e in given.things))
    return "checks" in done or (is_known and done.isdisjoint(WAITING))


def _begins_task(occurrence: Occurrence, models: Models) -> bool:
    """Return whether a call begins a task that no group waits for, and gives it."""
    model = _find_model(occurrence, models)
    return model is not None and "spawns task" in model.acts and (model.returns, model.runs) == ("task", "as task")


def _find_model(occurrence: Occurrence, models: Models) -> Model | None:
    event = occurrence.event
    return models.find_model(event.path) if isinstance(event, Called) else None


def iter_begun_labels(occurrence: Occurrence, value: Value) -> Iterator[Label]:
    """Yield which tasks and processes a value of an event comes from."""
    return (each for each in occurrence.resolve_labels(value) if each.origin == "begun")


def _collect_held(trace: Trace, models: Models) -> frozenset[Label]:
    """Return which tasks and processes somebody has when the statements are done that they were begun in.

    Who waits for one of several has none of the others any more: where a task lets go of its handle, it goes on.
    """
    found = list(trace.iter_occurrences(lambda event, origins: _spawns(event) or _hands_over_begun(origins)))
    called = (each.event for each in found if isinstance(each.event, Called))
    races = [each for each in called if models.has_trait(each.path, "race")]
    lost = {id(each.event) for each in found if any(_is_lost(each.event, race) for race in races)}
    return frozenset(
        label
        for each in found
        if id(each.event) not in lost
        for value in _iter_taken(each, models)
        if is_whole(value, models)
        for label in iter_begun_labels(each, value)
    )


def _is_lost(event: Event, race: Event) -> bool:
    """Return whether an event only hands a race what it waits for, or waits for that in it."""
    if event is race:
        return True
    is_in = event.code is race.code and race.at.holds(event.at)
    return isinstance(event, Awaited) and is_in and not str(event.text).endswith(".await")


def _hands_over_begun(origins: Origins) -> bool:
    """Return whether a call hands over a task or a process that the code began."""
    return any(each.origin == "begun" for labels in origins.values() for each in labels)


def _iter_taken(occurrence: Occurrence, models: Models) -> Iterator[Value]:
    """Yield the values that an event lets somebody have."""
    match occurrence.event:
        case Stored(owner=owner) if _is_own(owner):
            pass  # whoever has that has the task
        case Awaited(value=value) | Stored(value=value) | Looped(value=value):
            yield from _with_captured(value)
        case Captured() as event:
            yield from event.values
        case Returned(value=value) if occurrence.caller is None:
            yield from _with_captured(value)
        case Called(path=path) if "frees" in models.get_model(path).acts:
            pass
        case Called(receiver=Value() as owner) as event if (
            _is_own(owner) and find_modelled_return(event, models) in PUTTING
        ):
            pass
        case Called() as event if find_modelled_return(event, models) in LOOKING:
            pass
        case Called() as event:
            for value in (*event.arguments, *event.named.values()):
                yield from _with_captured(value)
            model = _find_model(occurrence, models)
            if event.receiver is not None and model is not None and not HOLDING.isdisjoint(model.acts):
                yield event.receiver


def _is_own(owner: Value) -> bool:
    """Return whether an object is a list or a dictionary that a function of the handler makes: it goes when that is done."""
    is_new = get_term_head(owner.term) == "new"
    return is_new and bool(owner.library_types) and all(each in CONTAINERS for each in owner.library_types)


# A task that lies in one of these is held as long as the container is.
CONTAINERS = frozenset({"list", "dict", "set", "tuple"})
# How library models name the ways to put something into a container.
PUTTING = frozenset({"appended", "written", "kept entry"})
LOOKING = frozenset({"length", "empty", "contains", "truth", "present"})
"""What models call functions that put something into a container, and that only say something of one."""

HOLDING = frozenset({"cancels", "ends process", "waits", "blocks"})
"""Acts by which the holder of a task, a thread or a process finishes it."""


def _with_captured(value: Value) -> Iterator[Value]:
    """Yield a value, and those that it can use later as a function."""
    yield value
    for each in value.things:
        if isinstance(each, Function) and each.captured:
            yield from (
                each.captured[variable] for variable in collect_read_variables(each.code) if variable in each.captured
            )


def is_whole(value: Value, models: Models) -> bool:
    """Return whether a value is an object or a method that can be used, and not what one of its fields holds."""
    unknown = [each for each in value.things if isinstance(each, Library) and models.find_model(each.path) is None]
    return not value.things or len(unknown) < len(value.things)
