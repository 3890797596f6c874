"""Lists and texts that a tool's code cuts before it answers with them, and what in the answer tells of the rest."""

import re
from collections.abc import Iterator
from copy import copy
from itertools import chain, tee
from math import inf
from typing import Literal, NamedTuple

from reviewer.behaviour.answer_size.cuts import (
    KeptPart,
    classify_cut,
    collect_cut_labels,
    compute_max_characters,
    iter_answers,
    iter_cuts,
)
from reviewer.behaviour.arguments.inputs import find_measured, is_length
from reviewer.behaviour.paging.page_cuts import find_loss, is_page
from reviewer.behaviour.paging.page_uses import tells_of_page
from reviewer.behaviour.paging.pages import PAGING
from reviewer.behaviour.values.texts import LARGEST, iter_parts
from reviewer.code.acts import collect_acts
from reviewer.code.events import Assigned, Called, Event, Occurrence, Raised, Returned, Stored, Trace
from reviewer.code.ir import Code
from reviewer.code.program import Program, find_once
from reviewer.code.values import (
    ConditionalValue,
    Key,
    Label,
    Made,
    Negation,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    name_of,
)
from reviewer.facts import Omission
from reviewer.source import Text
from reviewer.text.patterns import pattern

TELLING = pattern(
    r"(?:^|_|\b)(?:total|totals|truncated?|overflow(?:ed|s)?|omitted|remaining|more|next|cursor|hint|shown|showing|limited|"
    r"partial|count|has_?more|hidden|capped|matches_found|of|page|pages|cut|rest|skipped|complete|incomplete)(?:$|_|\b)",
    re.IGNORECASE,
)
"""By what an answer tells that it is not all there is: in a key, or in a text."""

SMALL = 3
"""Of so few things a list is a sample, and not cut for its size."""

LONG = 1_000
"""Characters. Of a text of which fewer are left, an excerpt was wanted: those of search results have two to five hundred."""

LONGEST = 2_000
"""Elements that are left of a list at most; what only its name calls a list and leaves more is a text."""

SAMPLE = pattern(
    r"(?:^|_)(?:preview|snippet|excerpt|sample|summary|abstract|head|tail|begin\w*|start|short|brief|errors?|message|detail|"
    r"reason|stderr|debug|raw)(?:$|_)",
    re.IGNORECASE,
)
"""Names of parts of a text and of texts that explain a failure, which clients do not take for the whole."""

ENDS = ("...", "…", "truncated")
"""How texts end that show that more followed."""

PLAIN = frozenset({"text", "element", "item", "tuple"})
"""By what the run itself makes a value of others, and no function does."""

SILENT = frozenset({"logs", "prints", "prints to stderr", "fails"})
"""What a function does by which no client reads what it is told."""


WRITING = frozenset({"text", "unknown", "new", "appended", "extended", "written", "with element", "with field"})
"""What models call functions by which something gets into an answer."""


def iter_omissions(trace: Trace, program: Program) -> Iterator[Omission]:
    """Yield the lists and texts that are cut and answered with, each place once."""
    labels = collect_cut_labels(each.value.labels for each in iter_answers(trace))
    seen: set[object] = set()
    for each in iter_cuts(trace, labels, program.models):
        text = each.text
        if text.span in seen:
            continue
        most = _find_fixed_length(trace, each, program)
        lost = find_loss(trace, each, program) if most is not None and _may_be_lost(each, program) else ""
        lost = "" if lost == "before" and classify_cut(each) != "list" else lost
        if lost and not (lost == "before" and _is_told_beside(trace, each, program)):
            seen.add(text.span)
            yield Omission(text, None, most, is_given=True, lost=lost)
        elif _is_cut_for_size(each, program):
            seen.add(text.span)
            told, is_given = next(_iter_rest_mentions(trace, each, program), None), _is_given(trace, each, program)
            yield Omission(text, told, _find_fixed_length(trace, each, program), is_given=is_given)
        elif _is_text_cut_for_size(each, program) and _is_given(trace, each, program):
            seen.add(text.span)
            told = next(chain(_iter_rest_mentions(trace, each, program), _iter_marks(trace, each, program)), None)
            of: Literal["text", "lines"] = "lines" if classify_cut(each, LONGEST) == "lines" else "text"
            yield Omission(text, told, _find_fixed_length(trace, each, program), of, is_given=True)


def _may_be_lost(kept: KeptPart, program: Program) -> bool:
    """Return whether a list that was found is cut, or a page of one, and no sample of it is taken."""
    is_found = not kept.is_sent(program) or is_page(kept)  # where a page begins and ends was sent, not what is on it
    return kept.most > SMALL and classify_cut(kept) in ("list", "") and is_found


def _is_told_beside(trace: Trace, kept: KeptPart, program: Program) -> bool:
    """Return whether an answer tells that a list was cut, or how long it was, beside what it says of its page."""
    whole = frozenset(find_original_term(value.term) for _, value in kept.sources)
    refused = collect_refusals(trace, program)
    for here in trace.iter_occurrences():
        for key, value, _ in iter_said_values(here) if is_said(here, program, refused) else ():
            measured = find_measured(value)
            if (
                measured is not None
                and kept.event.label not in here.resolve_labels(measured)
                and _identify(here, measured) in whole
            ):
                return True
            if _names_omission(key) and not (tells_of_page(key) or PAGING.asks(str(key))):
                return True
    return False


def _find_fixed_length(trace: Trace, kept: KeptPart, program: Program) -> int | None:
    """Return how many elements are left of a list, None if no number is written or the first are those that are asked for."""
    _, size = kept.occurrence.trace_source(kept.event.size)
    number = _number(size)
    return number if isinstance(number, int) and not _is_ordered(trace, kept, program) else None


def _number(size: Value) -> object:
    """Return which number a size is, or is unless the list has fewer elements: `min(len(found), 25)`; None if none is written."""
    match size.meaning:
        case Made("least", of) if any(map(is_length, of)):
            size = next((each for each in of if not is_length(each)), size)
    return size.constant[1] if size.constant is not None else None


def _is_ordered(trace: Trace, kept: KeptPart, program: Program) -> bool:
    """Return whether a list is in an order that the code chose, so that what comes first is what is asked for."""
    made = [value.meaning.by for _, value in kept.sources if isinstance(value.meaning, Made)]
    models = [program.models.find_model(each) for each in made]
    if kept.event.ranks or any(each is not None and each.returns == "sorted" for each in models):
        return True
    ordered = find_once(program, trace, "ordered", lambda: frozenset(_iter_sorted_lists(trace)))
    return any(find_original_term(value.term) in ordered for _, value in kept.sources)


def _iter_sorted_lists(trace: Trace) -> Iterator[Term]:
    """Yield which lists the code puts into an order."""
    for one in trace.list_traces():
        for each in one.events:
            if (
                isinstance(each, Called)
                and each.receiver is not None
                and each.path.rpartition(".")[2].startswith("sort")
            ):
                yield find_original_term(each.receiver.term)


def _is_cut_for_size(kept: KeptPart, program: Program) -> bool:
    """Return whether something is left out of a list that was found: no page of it, and nothing that the client sent."""
    if kept.most <= SMALL or kept.is_page or classify_cut(kept) != "list":
        return False
    return not kept.is_sent(program) and not kept.is_asked_for(program)


def _is_text_cut_for_size(kept: KeptPart, program: Program) -> bool:
    """Return whether so much is left of a text that it is no excerpt: no page of it, and nothing that the client sent."""
    if (
        kept.is_page
        or classify_cut(kept, LONGEST) not in ("text", "lines")
        or not LONG <= compute_max_characters(kept) < inf
    ):
        return False
    return not kept.is_sent(program) and not kept.is_asked_for(program)


def _is_given(trace: Trace, kept: KeptPart, program: Program) -> bool:
    """Return whether what is left stands in an answer: what an unknown function makes of it may say anything of the rest."""
    # Cuts and answers both grow with the branches of a dispatcher: the labels are collected once, not for each pair of them.
    given = find_once(program, trace, "given labels", lambda: _collect_all_given_labels(trace, program))
    return kept.event.label in given


def _collect_all_given_labels(trace: Trace, program: Program) -> frozenset[Label]:
    """Return the labels of the parts of all answers of a trace."""
    return frozenset().union(*(_collect_given_labels(each, program) for each in _iter_answer_values(trace)))


def _iter_answer_values(trace: Trace) -> Iterator[Value]:
    yield from (each.value for each in iter_answers(trace))


def _collect_given_labels(answer: Value, program: Program) -> frozenset[Label]:
    """Return the labels of the parts of an answer, through what formats, joins and serializes them."""
    waiting, found = [answer], set[Label]()
    for number in range(LARGEST):
        if number >= len(waiting):
            break
        value = waiting[number]
        term = find_original_term(value.term)
        if get_term_head(term) == "part":
            found |= value.labels
            continue
        waiting += list((value.contents or {}).values())
        match value.meaning:
            case ConditionalValue(then=then, otherwise=otherwise):
                waiting += [then, otherwise]
            case Made(by, of) if by != "length" and (_is_operator(by) or by in PLAIN or _is_known(by, program)):
                waiting += of
    return frozenset(found)


def _is_operator(by: str) -> bool:
    """Return whether a value is made by an operator: what a method or a function is called has letters."""
    return not any(map(str.isalpha, by))


def _is_known(by: str, program: Program) -> bool:
    """Return whether a model describes a function, and the function passes its arguments to no other code."""
    model = program.models.find_model(by)
    return model is not None and "network" not in model.labels


def _iter_marks(trace: Trace, kept: KeptPart, program: Program) -> Iterator[Text]:
    """Yield the places that show that a text is only a beginning: trailing dots, or the name under which it is
    returned.
    """
    refused = collect_refusals(trace, program)
    for here in trace.iter_occurrences():
        if is_said(here, program, refused):
            for key, value, _ in iter_said_values(here):
                is_sample = kept.event.label in value.labels and SAMPLE.search(str(key)) is not None
                if is_sample or (value.text or "").rstrip(")]}\n ").endswith(ENDS):
                    yield here.event.text


class _Saying(NamedTuple):
    """Something that an answer says which may tell of the rest of a list."""

    event: Event
    is_plain: bool
    """Whether a key or a text mentions a rest, whatever was cut."""
    measured: tuple[tuple[Value, Term, bool], ...]
    """The lists whose length it says: each, which one it is, and whether its key tells of a rest."""
    lengths: frozenset[Term]
    """The lists on whose length it depends that it is said."""


def _iter_rest_mentions(trace: Trace, kept: KeptPart, program: Program) -> Iterator[Text]:
    """Yield the places that mention the rest: a key or text about it, the original length, or text shown only for
    longer lists.
    """
    whole = frozenset(find_original_term(value.term) for _, value in kept.sources)
    # What is said is the same for all lists that a trace cuts, and a dispatcher cuts one in each arm.
    all_said = find_once(program, trace, "sayings", lambda: tee(_iter_sayings(trace, program), 1)[0])
    for each in copy(all_said):
        if each.event.at != kept.event.at and (
            each.is_plain
            or not whole.isdisjoint(each.lengths)
            or any(
                kept.event.label not in value.labels and (tells or term in whole)
                for value, term, tells in each.measured
            )
        ):
            yield each.event.text


def _iter_sayings(trace: Trace, program: Program) -> Iterator[_Saying]:
    """Yield the parts of the answer that may mention the rest of some list."""
    refused = collect_refusals(trace, program)
    for here in trace.iter_occurrences():
        if is_said(here, program, refused):
            said = list(iter_said_values(here))
            is_plain = any(_names_omission(key, value) for key, value, _ in said if find_measured(value) is None)
            measured = tuple(
                [
                    (each, _identify(here, each), _names_omission(key))
                    for key, value, _ in said
                    if (each := find_measured(value))
                ]
            )
            lengths = frozenset(_iter_lengths(here))
            if is_plain or measured or lengths:
                yield _Saying(here.event, is_plain, measured, lengths)


def collect_refusals(trace: Trace, program: Program) -> frozenset[tuple[Code, object]]:
    """Return the calls that give why something fails, each with its function, found once for all who ask."""
    found: frozenset[tuple[Code, object]] = find_once(
        program, trace, "refusals", lambda: frozenset(_iter_refusals(trace))
    )
    return found


def _iter_refusals(trace: Trace) -> Iterator[tuple[Code, object]]:
    for here in trace.iter_occurrences(kinds=(Returned, Raised)):
        for there, each in (part for value in here.event.values for part in iter_parts(here, value)):
            is_raised = isinstance(here.event, Raised)
            reason = each.failure if each.failure is not None else each if is_raised else None
            for _, part in iter_parts(there, reason) if reason is not None else ():
                if isinstance(part.term, tuple) and part.term[:1] == ("via",):
                    yield there.event.code, part.term[1]


def is_said(here: Occurrence, program: Program, refused: frozenset[tuple[Code, object]]) -> bool:
    """Return whether an event may put something into the answer, and not into what a refusal says."""
    event, caller = here.event, here.caller
    while caller is not None:
        if (caller.event.code, caller.event.at) in refused:
            return False
        caller = caller.caller
    if isinstance(event, Called):
        model = program.models.find_model(event.path)
        is_writing = model is None or (
            model.returns in WRITING and SILENT.isdisjoint(collect_acts(event, program.models))
        )
        return is_writing and not event.followed
    return isinstance(event, Returned | Stored | Assigned)


class LabelledValue(NamedTuple):
    """A value that an event is about, or that such a value holds or is made of, with the key that it stands under."""

    key: Key
    value: Value
    owner: Value | None = None
    """The object that holds it, None if none does."""


def iter_said_values(here: Occurrence) -> Iterator[LabelledValue]:
    """Yield the values that an event is about and what they hold or are made of."""
    event = here.event
    waiting = [LabelledValue(None, each) for each in event.values]
    if isinstance(event, Called):
        waiting = [LabelledValue(None, each) for each in event.arguments if each.text is None or " " in each.text]
        waiting += [LabelledValue(key, value) for key, value in event.named.items()]
    elif isinstance(event, Stored):
        waiting = [LabelledValue(event.key.text if event.key is not None else None, event.value)]
    for number in range(LARGEST):
        if number >= len(waiting):
            return
        key, value, owner = waiting[number]
        yield LabelledValue(name_of(key), value, owner)
        waiting += [LabelledValue(inner, each, value) for inner, each in list((value.contents or {}).items())[:LARGEST]]
        match value.meaning:
            case ConditionalValue(then=then, otherwise=otherwise):
                waiting += [LabelledValue(key, then, owner), LabelledValue(key, otherwise, owner)]
            case Made("length"):
                pass
            case Made(of=of):
                waiting += [LabelledValue(None, each) for each in of]


def _names_omission(key: Key, value: Value | None = None) -> bool:
    """Return whether a key, or a value that is a text, tells that something is left out."""
    text = value.text if value is not None else None
    said = text if text is not None and " " in text.strip() else ""
    return any(isinstance(each, str) and TELLING.search(each) is not None for each in (key, said))


def _identify(here: Occurrence, value: Value) -> Term:
    return find_original_term(here.trace_source(value)[1].term)


def _iter_lengths(here: Occurrence) -> Iterator[Term]:
    """Yield the lists of which an entry of an object is written only for some lengths."""
    if isinstance(here.event, Stored) and here.event.key is not None:
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                yield from _iter_asked_lengths(here, each.value)


def _iter_asked_lengths(here: Occurrence, test: Value) -> Iterator[Term]:
    match test.meaning:
        case Negation(operand):
            yield from _iter_asked_lengths(here, operand)
        case Relation("<" | "<=", left, right):
            measured = [
                found for each in (left, right) if each is not None and (found := find_measured(each)) is not None
            ]
            yield from (_identify(here, each) for each in measured)
