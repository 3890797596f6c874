"""Commands of languages where nothing is raised in a task that is cancelled: they go on when what holds them is dropped."""

from collections.abc import Iterator

from reviewer.behaviour.concurrency.lifetimes import is_whole, iter_begun_labels
from reviewer.behaviour.effects.commands import collect_commands
from reviewer.behaviour.effects.programs import asks_about_itself
from reviewer.behaviour.findings import RunFinding
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Occurrence, Returned, Stored, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import Facts, infer_failure
from reviewer.code.values import Class, Instance, Label, Library, Value, get_term_head

ENDING = ("kill_on_drop",)
"""The field by which a command is told to end with what holds it."""

GROUP = ("process_group",)
"""The field by which it is put into a group, which is ended by its number."""


# Only the two acts together make a command that goes on when its handle is dropped.
HERE = frozenset({"runs command", "outlives handle"})


def iter_dropped_commands(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the commands that a task runs or waits for, and that go on when it is cancelled."""
    if not trace.acts >= HERE:
        return
    for each in trace.iter_occurrences(lambda event, _: event.trace.acts >= HERE, kinds=(Called,)):
        acts = collect_acts(each.event, program.models)
        if not acts >= HERE or each.is_under("task") or each.is_under("thread"):
            continue
        is_begun = "spawns process" in acts
        if is_begun and not _is_only_waited_for(trace, each, program):
            continue
        if (is_begun or "waits" in acts) and _goes_on(each, program.models) and each.is_possible():
            yield RunFinding("outlives", each)


def _is_only_waited_for(trace: Trace, first: Occurrence, program: Program) -> bool:
    """Return whether a task waits for a process that no other code holds, stops, or could stop by its number."""
    assert isinstance(first.event, Called)
    own = frozenset(iter_begun_labels(first, first.event.result))
    is_waited_for = False
    found = list(trace.iter_occurrences(kinds=(Called, Returned, Stored)))
    given = _collect_given_types(found, own, program.models)
    for each in found:
        acts = collect_acts(each.event, program.models)
        if "ends process" in acts and not _is_for_time(each.event.facts):
            return False
        if any(
            own & frozenset(iter_begun_labels(each, value))
            for value in _iter_kept(each, acts)
            if is_whole(value, program.models) and not _is_given_by_wait(value, given)
        ):
            return False
        receiver = each.event.receiver if isinstance(each.event, Called) else None
        if receiver is not None and not own.isdisjoint(iter_begun_labels(each, receiver)):
            if isinstance(each.event, Called) and "identity" in program.models.get_model(each.event.path).labels:
                return False
            is_waited_for = is_waited_for or "waits" in acts
    return is_waited_for


def _collect_given_types(found: list[Occurrence], own: frozenset[Label], models: Models) -> frozenset[str]:
    """Return the types of what is known of a process that has ended: what the calls give that wait for it."""
    waits = (each for each in found if isinstance(each.event, Called) and "waits" in collect_acts(each.event, models))
    return frozenset(
        kind
        for each in waits
        if isinstance(each.event, Called)
        and each.event.receiver is not None
        and not own.isdisjoint(iter_begun_labels(each, each.event.receiver))
        for kind in each.event.result.library_types
    )


def _is_given_by_wait(value: Value, given: frozenset[str]) -> bool:
    """Return whether a value is of one of some types, or a field of one: whoever has it does not have the process."""
    return bool(value.things) and all(_is_of_type(each, given) for each in value.things)


def _is_of_type(thing: object, types: frozenset[str]) -> bool:
    match thing:
        case Instance(of=Library(path=path)):
            return path in types
        case Library(path=path):
            return path.rpartition(".")[0] in types
    return False


def _is_for_time(facts: Facts) -> bool:
    """Return whether something is done because what was waited for took too long: who cancels the wait never comes there."""
    guarded = (fact for term, fact in facts.items() if get_term_head(term) == "guarded")
    return any(each.failed for each in guarded)


def _iter_kept(occurrence: Occurrence, acts: frozenset[str]) -> Iterator[Value]:
    """Yield the values that somebody keeps, or is handed who may do anything with them."""
    match occurrence.event:
        case Stored(value=value):
            yield value
        case Returned(value=value, facts=facts) if occurrence.caller is None and not _is_answer(value):
            yield from () if infer_failure(value, facts) else (value,)  # where it failed to begin there is none
        case Called(followed=False) as event if (
            "waits" not in acts and not _makes_own(event) and not _answers(event, acts)
        ):
            yield from (*event.arguments, *event.named.values())


ANSWER = "rmcp.model."
"""Where the types of the protocol are: what is put into an answer is a text, such as why a command did not begin."""


def _is_answer(value: Value) -> bool:
    return any(each.startswith(ANSWER) for each in value.library_types)


def _answers(event: Called, acts: frozenset[str]) -> bool:
    return event.path.startswith(ANSWER) or not acts.isdisjoint({"answers", "answers with error"})


def _makes_own(event: Called) -> bool:
    """Return whether a call makes an object of the project: what becomes of that is seen."""
    return bool(event.callee.things) and all(isinstance(each, Class) for each in event.callee.things)


def _goes_on(occurrence: Occurrence, models: Models) -> bool:
    """Return whether a command goes on: nothing stops it, and it does more than print its version."""
    event = occurrence.event
    assert isinstance(event, Called)
    held = (event.receiver.contents or {}) if event.receiver is not None else {}
    told = held.get(ENDING)
    if told is not None and told.constant != (bool, False):
        return False
    if GROUP in held:
        return False
    known = collect_commands(occurrence, models)
    return not known or not all(map(asks_about_itself, known))
