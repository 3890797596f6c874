"""What goes on when a call is over: tasks that nobody holds."""

from collections.abc import Iterator

from reviewer.behaviour.findings import Finding
from reviewer.code.events import Awaited, Called, Entered, Occurrence, Origins, Returned, Stored, Trace
from reviewer.code.ir import reads
from reviewer.code.models import Model, Models
from reviewer.code.program import Program
from reviewer.code.values import Function, Label, Library, Value


def left_tasks(trace: Trace, program: Program) -> Iterator[Finding]:
    """Yield the tasks that are begun and that nobody holds: they are not awaited, cancelled, handed on, kept or returned."""
    if "spawns task" not in trace.acts:
        return
    models = program.models
    begun = [each for each in trace.occurrences(lambda event, _: _spawns(event)) if _begins_task(each, models)]
    held = _held(trace, models) if begun else frozenset()
    for each in begun:
        assert isinstance(each.event, Called)
        if held.isdisjoint(_begun(each, each.event.result)):
            yield Finding("spawns", each)


def _spawns(event: Entered) -> bool:
    return "spawns task" in event.trace.acts


def _begins_task(occurrence: Occurrence, models: Models) -> bool:
    """Return whether a call begins a task that no group waits for, and gives it."""
    model = _model(occurrence, models)
    return model is not None and "spawns task" in model.acts and (model.returns, model.runs) == ("task", "as task")


def _model(occurrence: Occurrence, models: Models) -> Model | None:
    event = occurrence.event
    return models.of(event.path) if isinstance(event, Called) and event.path else None


def _begun(occurrence: Occurrence, value: Value) -> Iterator[Label]:
    """Yield which tasks and processes a value of an event comes from."""
    return (each for each in occurrence.labels(value) if each.origin == "begun")


def _held(trace: Trace, models: Models) -> frozenset[Label]:
    """Return which tasks and processes somebody has when the statements are done that they were begun in."""
    return frozenset(
        label
        for each in trace.occurrences(lambda event, origins: _spawns(event) or _hands_over_begun(origins))
        for value in _taken(each, models)
        if _is_whole(value, models)
        for label in _begun(each, value)
    )


def _hands_over_begun(origins: Origins) -> bool:
    """Return whether a call hands over a task or a process that the code began."""
    return any(each.origin == "begun" for labels in origins.values() for each in labels)


def _taken(occurrence: Occurrence, models: Models) -> Iterator[Value]:
    """Yield the values that an event lets somebody have."""
    match occurrence.event:
        case Awaited(value=value) | Stored(value=value):
            yield from _with_captured(value)
        case Returned(value=value) if occurrence.caller is None:
            yield from _with_captured(value)
        case Called() as event:
            for value in (*event.arguments, *event.named.values()):
                yield from _with_captured(value)
            model = _model(occurrence, models)
            if event.receiver is not None and model is not None and not HOLDING.isdisjoint(model.acts):
                yield event.receiver


HOLDING = frozenset({"cancels", "ends process", "waits", "blocks"})
"""What whoever holds a task, a thread or a process does with it in the end."""


def _with_captured(value: Value) -> Iterator[Value]:
    """Yield a value, and those that it can use later as a function."""
    yield value
    for each in value.things:
        if isinstance(each, Function) and each.captured:
            yield from (each.captured[variable] for variable in reads(each.code) if variable in each.captured)


def _is_whole(value: Value, models: Models) -> bool:
    """Return whether a value is an object or a method that can be used, and not what one of its fields holds."""
    unknown = [each for each in value.things if isinstance(each, Library) and models.of(each.path) is None]
    return not value.things or len(unknown) < len(value.things)
