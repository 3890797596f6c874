"""What may change something: all that is done outside of the call, to objects that were there before, or by unknown code."""

from collections.abc import Iterator

from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.checks import is_field
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Entered, Occurrence, Returned, Stored, Trace
from reviewer.code.models import Model
from reviewer.code.program import Program
from reviewer.code.values import Class, ConditionalValue, Made, Value, get_term_head

ENGAGING = frozenset(
    {
        "network", "changes remote", "deletes remote", "opens file", "writes file", "writes open file", "makes directory",
        "ensures directory", "deletes file", "sets permissions", "runs command", "runs shell", "ends process", "executes sql",
        "commits", "evaluates code", "spawns task", "spawns thread", "spawns process", "cancels", "notifies", "exits", "aborts",
        "changes tools", "elicits", "samples",
    }
)  # fmt: skip
"""What a call does that may leave something otherwise; to read, to log and to calculate does not."""

MUTATING = frozenset(
    {
        "taken", "removed", "kept entry", "written", "appended", "lengthened", "extended", "shortened", "emptied", "drained",
        "retained", "with element", "with field",
    }
)  # fmt: skip
"""What models call functions by which their operand is another than before."""

LOCKING = frozenset({"locks", "locks task"})
"""Acts in the models that give a guard of what is locked: what is done to the guard is done to what it guards."""

DEEPEST = 8
"""Steps from an object to those it is a part of. 3 of 40 servers came to the end of it; twice as many change no finding."""

BEFORE = frozenset({"parameter", "argument", "global", "captured", "input"})
"""How the terms begin of what was there before the call."""


def iter_possible_changes(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the acts of the function itself that may change something beyond the call, or about which nothing is known.

    A function that could not be run to its end may do anything. So may one that calls nothing, or whose answer uses
    none of its arguments: it is not implemented yet.
    """
    is_answered = any(isinstance(each, Returned) and each.value.labels for each in trace.events)
    is_written = is_answered and any(isinstance(each, Called) for each in trace.events)
    is_open = not is_written or any(True for _ in trace.iter_omissions())
    changing = (
        set[int]()
        if is_open
        else {
            id(each.find_own_trace(trace))
            for each in trace.iter_occurrences(kinds=(Called, Stored))
            if _may_change(each, program)
        }
    )

    def changes(inner: Trace, _program: Program) -> bool:
        return id(inner) in changing

    for each in trace.iter_occurrences(lambda *_: False):
        is_call = isinstance(each.event, Entered) and each.event.trace.reaches(changes, program)
        if is_open or is_call or _may_change(each, program):
            yield RunFinding("may change", each)


def _may_change(here: Occurrence, program: Program) -> bool:
    match here.event:
        case Stored(owner=owner):
            return is_of_before(here, owner, program)
        case Called() as event if not event.followed:
            if event.callee.things and all(isinstance(each, Class) for each in event.callee.things):
                return False
            model = program.models.find_model(event.path) if event.path else None
            if model is None:
                return True
            if model.returns in MUTATING and event.receiver is not None and is_of_before(here, event.receiver, program):
                return True
            return not ENGAGING.isdisjoint(collect_acts(event, program.models))
    return False


def is_of_before(
    here: Occurrence,
    value: Value,
    program: Program,
    heads: frozenset[str] = BEFORE,
    deep: int = DEEPEST,
    *,
    as_whole: bool = True,
) -> bool:
    """Return whether an object may have been there before the call, or be a part of one that was; by how its term begins.

    A list that the elements of another are collected in is a new one `as_whole`, and not what is in it.
    """
    here, value = here.trace_source(value)
    if not deep or get_term_head(value.term) in heads:
        return True
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            ways = (then, otherwise)
            return any(is_of_before(here, each, program, heads, deep - 1, as_whole=as_whole) for each in ways)
        case Made(by, (owner, *_)):
            model = program.models.find_model(by)
            is_inner = by in ("element", "item") or is_field(value)
            if as_whole and not is_inner and model is not None and model.returns in GATHERING:
                return False
            is_part = is_inner or (model is not None and _gives_on(model))
            is_whole = as_whole and not is_inner
            return is_part and is_of_before(here, owner, program, heads, deep - 1, as_whole=is_whole)
    match value.term:
        case ("field" | "entry", owner_term, _) if value.meaning is None:  # of an object of which no more is known
            return is_of_before(here, Value(owner_term), program, heads, deep - 1, as_whole=False)
    return False


GATHERING = frozenset({"collected", "sorted"})
"""What models call functions that put the elements of something into a list of their own."""


def _gives_on(model: Model) -> bool:
    """Return whether a function gives what it is called on, or a part of that, and nothing of its own."""
    return model.returns not in ("new", "text", "copied", "cloned") or not LOCKING.isdisjoint(model.acts)
