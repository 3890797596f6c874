"""Lists that a tool's code cuts before it answers with them, and what in the answer tells of the rest."""

import re
from collections.abc import Iterator

from reviewer.behaviour.cuts import Kept, answered, answers, cuts, kind_of
from reviewer.behaviour.texts import LARGEST, parts
from reviewer.code.acts import acts_of
from reviewer.code.events import Assigned, Called, Occurrence, Raised, Returned, Stored, Trace
from reviewer.code.ir import Code
from reviewer.code.program import Program, remembered
from reviewer.code.values import Choice, Key, Made, Negation, Relation, Term, Value, made_as
from reviewer.facts import Omission
from reviewer.patterns import pattern
from reviewer.source import Text

TELLING = pattern(
    r"(?:^|_|\b)(?:total|totals|truncated?|overflow(?:ed|s)?|omitted|remaining|more|next|cursor|hint|shown|showing|limited|"
    r"partial|count|has_?more|hidden|capped|matches_found|of|page|pages|cut|rest|skipped|complete|incomplete)(?:$|_|\b)",
    re.IGNORECASE,
)
"""By what an answer tells that it is not all there is: in a key, or in a text."""

SMALL = 3
"""Of so few things a list is a sample, and not cut for its size."""

SILENT = frozenset({"logs", "prints", "prints to stderr", "fails"})
"""What a function does by which no client reads what it is told."""


WRITING = frozenset({"text", "unknown", "new", "appended", "extended", "written", "with element", "with field"})
"""What models call functions by which something gets into an answer."""


def omissions(trace: Trace, program: Program) -> Iterator[Omission]:
    """Yield the lists that are cut and answered with, each place once."""
    labels = answered(each.value.labels for each in answers(trace))
    seen: set[object] = set()
    for each in cuts(trace, labels, program.models):
        text = each.text
        if text.span not in seen and _is_cut_for_size(each, program):
            seen.add(text.span)
            yield Omission(text, next(_telling(trace, each, program), None), _fixed(trace, each, program))


def _fixed(trace: Trace, kept: Kept, program: Program) -> int | None:
    """Return how many elements are left of a list, None if no number is written or the first are those that are asked for."""
    _, size = kept.occurrence.source(kept.event.size)
    number = size.constant[1] if size.constant is not None else None
    return number if isinstance(number, int) and not _is_ordered(trace, kept, program) else None


def _is_ordered(trace: Trace, kept: Kept, program: Program) -> bool:
    """Return whether a list is in an order that the code chose, so that what comes first is what is asked for."""
    made = [value.meaning.by for _, value in kept.sources if isinstance(value.meaning, Made)]
    models = [program.models.of(each) for each in made]
    if kept.event.ranks or any(each is not None and each.returns == "sorted" for each in models):
        return True
    whole = {made_as(value.term) for _, value in kept.sources}
    return any(
        isinstance(each, Called)
        and each.path.rpartition(".")[2].startswith("sort")
        and each.receiver is not None
        and made_as(each.receiver.term) in whole
        for one in trace.traces()
        for each in one.events
    )


def _is_cut_for_size(kept: Kept, program: Program) -> bool:
    """Return whether something is left out of a list that was found: no page of it, and nothing that the client sent."""
    if kept.most <= SMALL or kept.is_page or kind_of(kept) != "list":
        return False
    return not kept.is_sent(program) and not kept.is_asked_for(program)


def _telling(trace: Trace, kept: Kept, program: Program) -> Iterator[Text]:
    """Yield what tells of the rest: a key or a text that says so, how long the list was, what is told only if it was longer."""
    whole = frozenset(made_as(value.term) for _, value in kept.sources)
    refused = remembered(program, trace, "refusals", lambda: frozenset(_refusals(trace)))
    for here in trace.occurrences():
        if here.event.at != kept.event.at and _is_said(here, program, refused):
            tells = any(_tells(here, key, value, kept, whole) for key, value in _said(here))
            if tells or _depends_on_length(here, whole):
                yield here.event.text


def _refusals(trace: Trace) -> Iterator[tuple[Code, object]]:
    """Yield the calls that give why something fails, each with its function."""
    for here in trace.occurrences():
        if isinstance(here.event, Returned | Raised):
            for there, each in (part for value in here.event.values for part in parts(here, value)):
                is_raised = isinstance(here.event, Raised)
                reason = each.failure if each.failure is not None else each if is_raised else None
                for _, part in parts(there, reason) if reason is not None else ():
                    if isinstance(part.term, tuple) and part.term[:1] == ("via",):
                        yield there.event.code, part.term[1]


def _is_said(here: Occurrence, program: Program, refused: frozenset[tuple[Code, object]]) -> bool:
    """Return whether an event may put something into the answer, and not into what a refusal says."""
    event, caller = here.event, here.caller
    while caller is not None:
        if (caller.event.code, caller.event.at) in refused:
            return False
        caller = caller.caller
    if isinstance(event, Called):
        model = program.models.of(event.path)
        is_writing = model is None or (model.returns in WRITING and SILENT.isdisjoint(acts_of(event, program.models)))
        return is_writing and not event.followed
    return isinstance(event, Returned | Stored | Assigned)


def _said(here: Occurrence) -> Iterator[tuple[Key, Value]]:
    """Yield the values that an event is about and what they hold or are made of, with the keys that they stand under."""
    event = here.event
    waiting: list[tuple[Key, Value]] = [(None, each) for each in event.values]
    if isinstance(event, Called):
        waiting = [(None, each) for each in event.arguments if each.text is None or " " in each.text]
        waiting += event.named.items()
    elif isinstance(event, Stored):
        waiting = [(event.key.text if event.key is not None else None, event.value)]
    for number in range(LARGEST):
        if number >= len(waiting):
            return
        key, value = waiting[number]
        yield key[0] if isinstance(key, tuple) else key, value
        waiting += list((value.contents or {}).items())[:LARGEST]
        match value.meaning:
            case Choice(then=then, otherwise=otherwise):
                waiting += [(key, then), (key, otherwise)]
            case Made("length"):
                pass
            case Made(of=of):
                waiting += [(None, each) for each in of]


def _tells(here: Occurrence, key: Key, value: Value, kept: Kept, whole: frozenset[Term]) -> bool:
    measured = _measured(value)
    if measured is not None:
        return kept.event.label not in measured.labels and (
            made_as(here.source(measured)[1].term) in whole
            or (isinstance(key, str) and TELLING.search(key) is not None)
        )
    said = value.text if value.text is not None and " " in value.text.strip() else ""
    return any(isinstance(each, str) and TELLING.search(each) is not None for each in (key, said))


def _measured(value: Value) -> Value | None:
    """Return what a value is the length of, None if it is none."""
    return value.meaning.of[0] if isinstance(value.meaning, Made) and value.meaning.by == "length" else None


def _depends_on_length(here: Occurrence, whole: frozenset[Term]) -> bool:
    """Return whether an entry of an object is written only for a list of some lengths."""
    if not isinstance(here.event, Stored) or here.event.key is None:
        return False
    tests = [each.value for each in here.event.outwards() if each.condition == "test" and each.value is not None]
    return any(_asks_length(here, each, whole) for each in tests)


def _asks_length(here: Occurrence, test: Value, whole: frozenset[Term]) -> bool:
    match test.meaning:
        case Negation(operand):
            return _asks_length(here, operand, whole)
        case Relation("<" | "<=", left, right):
            measured = [found for each in (left, right) if each is not None and (found := _measured(each)) is not None]
            return any(made_as(here.source(each)[1].term) in whole for each in measured)
    return False
