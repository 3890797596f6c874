"""Invalid arguments that the code silently replaces, as if they had not been sent."""

from collections.abc import Iterator

from reviewer.behaviour.arguments.inputs import DEEPEST, find_argument_name, hands_over
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.paging.page_marks import find_page_marks
from reviewer.behaviour.paging.pages import is_given_cursor
from reviewer.behaviour.results.answers import tells_failure
from reviewer.code.acts import SAYING, collect_acts, find_modelled_return
from reviewer.code.events import (
    Assigned,
    Called,
    Caught,
    Context,
    Entered,
    Event,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Trace,
)
from reviewer.code.ir import Site
from reviewer.code.kinds import is_caught
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import ConditionalValue, Function, Library, Made, Value, get_term_head
from reviewer.source import Text

ELSEWHERE = frozenset({"network", "reads file", "executes sql", "reads body", "runs command"})
"""What a call does that reads something else than what it is handed."""

READING = frozenset({"from_str", "try_from"})
"""The methods by which a type of Rust says how it is read of a text: of the traits `FromStr` and `TryFrom`."""

KEEPING = frozenset({"text", "same text", "copied", "receiver", "argument", "pieces", "shortened", "between", "cut"})
"""What models call functions that give a text in another form, or a part of it."""

KINDS = (Called, Caught, Returned, Raised, Assigned, Stored)


def iter_replaced_inputs(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where an argument is read that is replaced if that fails, and no way on tells; `about` is the argument's name."""
    if not trace.leads_to(_reads, program):
        return
    events = list(trace.list_occurrences(hands_over, kinds=KINDS))
    for place, here in enumerate(events):
        name = _find_read_argument(here, program)
        if not name or not here.is_possible() or _is_cursor(name, trace, program):
            continue
        if program.raises:
            is_replaced = _is_caught_and_replaced(name, here, events, program)
        else:
            is_replaced = _is_given_up(here, events, program)
        if is_replaced and not _is_refused_later(name, here, events[place:], program):
            yield RunFinding("replaces unreadable", here, about=Text(name, here.event.text.span))


def _is_cursor(name: str, trace: Trace, program: Program) -> bool:
    """Return whether an argument is a cursor: that the pages begin anew then is told of these."""
    own = name.rpartition(".")[2]
    return is_given_cursor(own) or own in find_page_marks(trace, program).given


def _reads(event: Event, program: Program) -> bool:
    """Return whether a call reads a text as something else, and fails where that cannot be done."""
    if not isinstance(event, Called):
        return False
    if event.followed:
        return any(isinstance(each, Function) and each.code.name in READING for each in event.callee.things)
    acts = collect_acts(event, program.models)
    return "parses" in acts and "fails" in acts and ELSEWHERE.isdisjoint(acts)


def _find_read_argument(here: Occurrence, program: Program) -> str:
    """Return the argument of the call of which a text is read, empty if it is none."""
    event = here.event
    if not isinstance(event, Called) or not _reads(event, program):
        return ""
    if program.models.has_trait(event.path, "nearly any text"):
        return ""
    operand = event.find_argument(0) if event.arguments or event.named else event.receiver
    return _get_argument(here, operand, program.models) if operand is not None else ""


def _get_argument(here: Occurrence, value: Value, models: Models, deep: int = DEEPEST) -> str:
    """Return the name of the argument that a text is, is a part of, or was made of; empty if it may be something else."""
    if {each.origin for each in here.resolve_labels(value)} - {"argument", "cut"}:
        return ""
    name = find_argument_name(here, value, models)
    here, value = here.trace_source(value)
    if name or not deep:
        return name
    match value.meaning:
        case ConditionalValue(_, then, otherwise):
            sides = [each for each in (then, otherwise) if each.constants is None and each.failure is None]
            names = {_get_argument(here, each, models, deep - 1) for each in sides}
            return names.pop() if len(names) == 1 else ""
        case Made(by, (whole, *_)) if models.get_model(by).returns in KEEPING:
            return _get_argument(here, whole, models, deep - 1)
    names = {each.name for each in here.resolve_labels(value) if each.origin == "argument"}
    return names.pop() if get_term_head(value.term) == "part" and len(names) == 1 else ""


# Where failures are exceptions.


def _is_caught_and_replaced(name: str, here: Occurrence, events: list[Occurrence], program: Program) -> bool:
    """Return whether a clause takes the exception and goes on with something else."""
    tried = _find_enclosing_try(here)
    if tried is None:
        return False
    outer, around = tried
    inside = [each for each in events if each.event.code is outer.event.code and _has_same_call(each, outer)]
    clauses = [each.event for each in inside if isinstance(each.event, Caught) and each.event.tried == around.at]
    taking = [each for each in clauses if _takes_unreadable(each, program)]
    if not taking or not any(_gives(each, around.at) for each in inside):
        return False
    if any(isinstance(each.event, Raised) and each.event.at.start >= around.at.end for each in inside):
        return False  # where nothing was read, control may come to that
    if _is_read_again(name, taking, events, program):
        return False
    return all(_replaces(clause.at, inside, program) for clause in taking)


def _is_read_again(name: str, clauses: list[Caught], events: list[Occurrence], program: Program) -> bool:
    """Return whether the text is used in another way behind the clauses: what is no JSON may be words between commas."""
    last = max(place for place, each in enumerate(events) if isinstance(each.event, Caught) and each.event in clauses)
    return any(
        isinstance(each.event, Called)
        and SAYING.isdisjoint(collect_acts(each.event, program.models))
        and any(_get_argument(each, value, program.models) == name for value in each.event.values)
        for each in events[last + 1 :]
    )


UNREADABLE = (Library("builtins.ValueError"), Library("json.JSONDecodeError"), Library("yaml.YAMLError"))
"""The exceptions that tell of a text that cannot be read."""


def _takes_unreadable(clause: Caught, program: Program) -> bool:
    """Return whether a clause takes what is raised where a text cannot be read."""
    tried = Context("catches", clause.at, types=clause.types)
    return any(is_caught(program, tried, each) for each in UNREADABLE)


def _find_enclosing_try(here: Occurrence) -> tuple[Occurrence, Context] | None:
    """Return the nearest `try` around a call, and what is done in its function; None where a loop tries one way after another."""
    for outer in here.iter_outwards():
        for each in outer.event.iter_outwards():
            if each.condition == "catches":
                is_in_loop = any(one.condition == "loop" for one in each.iter_outwards())
                return (outer, each) if not is_in_loop else None
            if each.condition in ("handles", "loop", "manager", "thread", "task"):
                return None
    return None


def _has_same_call(one: Occurrence, other: Occurrence) -> bool:
    return [id(each.event) for each in one.iter_outwards()][1:] == [id(each.event) for each in other.iter_outwards()][
        1:
    ]


def _gives(here: Occurrence, tried: Site) -> bool:
    """Return whether what was read in a `try` is kept or given there, and does not only tell that it can be read."""
    event = here.event
    if not isinstance(event, Assigned | Returned | Stored) or event.value.constants is not None:
        return False
    return any(each.condition == "catches" and each.at == tried for each in event.iter_outwards()) and bool(
        here.resolve_labels(event.value)
    )


def _replaces(clause: Site, inside: list[Occurrence], program: Program) -> bool:
    """Return whether a clause only logs, and gives or keeps what is always the same, or does nothing at all."""
    for here in inside:
        event = here.event
        around = next((each for each in event.iter_outwards() if each.condition == "handles"), None)
        if around is None or around.at != clause:
            continue
        if isinstance(event, Raised):
            return False
        if isinstance(event, Called) and not _is_harmless(event, program):
            return False
        if isinstance(event, Returned | Assigned | Stored) and not _is_substitute(here, event, program):
            return False
    return True


def _is_harmless(event: Called, program: Program) -> bool:
    """Return whether a call logs, or makes a constant object."""
    if not SAYING.isdisjoint(collect_acts(event, program.models)):
        return True
    return not event.followed and find_modelled_return(event, program.models) == "new" and not event.arguments


def _is_substitute(here: Occurrence, event: Returned | Assigned | Stored, program: Program) -> bool:
    """Return whether a value says nothing of what was given, and nothing of a failure."""
    value = event.value
    if value.constants is not None and all(kind is bool for kind, _ in value.constants):
        return False  # it was asked whether it can be read
    if any(each.origin in ("argument", "exception") for each in here.resolve_labels(value)):
        return False
    if infer_failure(value, event.facts) is True or tells_failure(here, value, program.models):
        return False
    return not _is_message(value)


def _is_message(value: Value) -> bool:
    """Return whether a value holds a text of several words: what tells somebody something."""
    held = [value, *(value.contents or {}).values()]
    return any(each.text is not None and " " in each.text for each in held)


# Where failures are values.

GIVING_UP = frozenset({"or else", "or call"})
"""What models call functions that give something else for a failure."""

PASSING = frozenset({"without reason", "receiver", "argument", "copied", "cloned", "mapped", "filtered"})
"""What they call functions that leave a failure one."""


def _is_given_up(here: Occurrence, events: list[Occurrence], program: Program) -> bool:
    """Return whether a method that is called on what was read gives something else where that failed."""
    at = here.event.at
    for outer in here.iter_outwards():
        if outer is not here:
            at = outer.event.at  # the function that read it gives it back as it is
        for each in _chain(outer, at, events):
            event = each.event
            if not isinstance(event, Called):
                continue
            does = find_modelled_return(event, program.models)
            if does in GIVING_UP:
                given = event.find_argument(0)
                return given is None or not any(one.origin == "argument" for one in each.resolve_labels(given))
            if does not in PASSING:
                return False
        if not _ends_as_result(outer, events) or not isinstance(outer.caller and outer.caller.event, Entered):
            return False
    return False


def _chain(outer: Occurrence, at: Site, events: list[Occurrence]) -> Iterator[Occurrence]:
    """Yield the methods that are called on what a call gives, one after another."""
    for each in events:
        event = each.event
        if isinstance(event, Called) and event.code is outer.event.code and not event.followed:
            if event.at.start == at.start and event.at.end > at.end and _has_same_call(each, outer):
                yield each


def _ends_as_result(outer: Occurrence, events: list[Occurrence]) -> bool:
    """Return whether what is called last on a value is what a closure gives."""
    start = outer.event.at.start
    return any(
        isinstance(each.event, Returned)
        and each.event.code is outer.event.code
        and each.event.given.start == start
        and _has_same_call(each, outer)
        for each in events
    )


def _is_refused_later(name: str, read: Occurrence, later: list[Occurrence], program: Program) -> bool:
    """Return whether a call is refused by a test of what was read of an argument, or of what was taken in its stead."""
    for here in later:
        event = here.event
        if isinstance(event, Raised) or (
            isinstance(event, Returned)
            and (infer_failure(event.value, event.facts) is True or tells_failure(here, event.value, program.models))
        ):
            for each in here.iter_circumstances():
                if each.condition == "test" and each.value is not None and each.at.start > read.event.at.start:
                    if {label.name for label in here.resolve_labels(each.value)} == {name}:
                        return True  # a test of more is one of what the work came to
    return False
