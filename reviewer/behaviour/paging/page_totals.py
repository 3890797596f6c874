"""Totals in an answer that count a page: how many were given, and not how many there are."""

from collections.abc import Iterator

from reviewer.behaviour.answer_size.cuts import classify_cut, iter_cuts
from reviewer.behaviour.answer_size.omissions import LabelledValue, collect_refusals, is_said, iter_said_values
from reviewer.behaviour.arguments.inputs import find_measured
from reviewer.behaviour.arguments.numeric_uses import SENDING
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.written import find_entry_text
from reviewer.behaviour.results.answers import is_handed_on
from reviewer.behaviour.values.names import split_words
from reviewer.code.events import Called, Context, Event, Occurrence, Sliced, Stored, Trace
from reviewer.code.program import Program
from reviewer.code.values import Label, Value
from reviewer.source import Text

OF_PART = frozenset(
    "returned shown showing displayed analyzed analysed processed checked fetched scanned retrieved selected sampled included "
    "compared considered page listed loaded read top updated deleted created failed succeeded tokens chars characters".split()
)
"""Words by which a total counts what was done in the call, or how long something is."""

WHOLE = frozenset({"total", "matched", "matching"})
"""Words of a key that say how many there are, and not how many are given: of all, or of all that match."""

LIMITS = frozenset("limit limits maxresults pagesize perpage maxitems numresults resultlimit maxcount".split())
"""Arguments that bound how many are asked for. `top_k` and `n` are not among them: of the nearest there is no total."""

MORE = frozenset(
    "more next truncated truncation cursor remaining omitted partial hidden overflow capped rest complete incomplete".split()
)
"""Words of a key, or of a text, by which an answer tells that there is more."""

DEEPEST = 3
"""How many objects inside each other are looked through for a total: an answer has it in a summary, or in what its page says."""


def iter_page_totals(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the entries of an answer that are called a total and are the length of a part; `about` is what bounded it."""
    if not trace.leads_to(_counts, program):
        return
    refused = collect_refusals(trace, program)
    found = list[tuple[Occurrence, LabelledValue]]()
    telling = dict[object, Occurrence]()
    """Where it is told first that there is more, by the object that tells so: later it may be one of several."""
    for here in trace.iter_occurrences():
        for said in iter_said_values(here) if is_said(here, program, refused) else ():
            key = said.key if isinstance(said.key, str) else ""
            if _is_total(key) and find_measured(said.value) is not None:
                if said.owner is None or not is_handed_on(said.owner):
                    found.append((here, said))
            elif not MORE.isdisjoint((*split_words(said.value.text or ""), *split_words(key))):
                by = said.owner.term if said.owner is not None else here.event.context
                telling.setdefault((here.caller, by), here)
    for here, said in found:
        listed = find_measured(said.value)
        if listed is None or any(_happen_together(here, each) for each in telling.values()):
            continue
        if _is_part(here, listed, trace, program):
            yield RunFinding("counts page", here, _place(here, said))


def _happen_together(one: Occurrence, other: Occurrence) -> bool:
    """Return whether one call of a tool may do two things, and no test keeps them apart, as that of a tool's name does."""
    for first, second in zip(*(reversed(list(each.iter_outwards())) for each in (one, other)), strict=False):
        tests = {each.at: each.holds for each in _iter_tests(first.event)}
        if any(tests.get(each.at, each.holds) is not each.holds for each in _iter_tests(second.event)):
            return False
        if first.event is not second.event:
            return True
    return True


def _iter_tests(event: Event) -> Iterator[Context]:
    """Yield the tests around an event that are decided once: in a loop one may be true for one element and false for another."""
    around = list(event.iter_outwards())
    last = max((place for place, each in enumerate(around) if each.condition == "loop"), default=-1)
    yield from (each for each in around[last + 1 :] if each.condition == "test")


def _counts(event: Event, _program: Program) -> bool:
    """Return whether a function puts the length of something under a key that says it is a total."""
    if any(
        _holds_total(each) for each in (*event.values, *(event.named.values() if isinstance(event, Called) else ()))
    ):
        return True
    if not isinstance(event, Stored) or event.key is None:
        return False
    return _is_total(event.key.text or "") and find_measured(event.value) is not None


def _holds_total(value: Value, deep: int = DEEPEST) -> bool:
    """Return whether an object has a total that is the length of something, by itself or in an object that it holds."""
    for key, each in (value.contents or {}).items():
        name = key[0] if isinstance(key, tuple) and key else key
        if isinstance(name, str) and _is_total(name) and find_measured(each) is not None:
            return True
        if deep and each.contents and _holds_total(each, deep - 1):
            return True
    return False


def _is_total(key: str) -> bool:
    words = split_words(key)
    return not WHOLE.isdisjoint(words) and OF_PART.isdisjoint(words)


def _is_part(here: Occurrence, listed: Value, trace: Trace, program: Program) -> bool:
    """Return whether a list was cut, or is what another host or a database was asked to give so many of."""
    labels = here.resolve_labels(listed)
    cut = frozenset(each for each in labels if each.origin == "cut")
    for each in iter_cuts(trace, cut, program.models):
        if classify_cut(each) == "list" and not each.event.ranks:
            return True
    bounds = frozenset(each for each in labels if each.origin == "argument" and _bounds(each.name))
    return bool(bounds) and (any(each.origin in SENDING for each in labels) or _is_sliced(trace, bounds))


def _is_sliced(trace: Trace, bounds: frozenset[Label]) -> bool:
    """Return whether a part is taken that begins further on and ends where some arguments say."""
    return any(
        isinstance(each.event, Sliced)
        and each.event.low is not None
        and each.event.high is not None
        and not bounds.isdisjoint(each.resolve_labels(each.event.high))
        for each in trace.iter_occurrences(kinds=(Sliced,))
    )


def _bounds(name: str) -> bool:
    return name.replace("_", "").lower() in LIMITS


def _place(here: Occurrence, said: LabelledValue) -> Text:
    """Return where the total is written."""
    found = find_entry_text(said.owner, str(said.key)) if said.owner is not None else None
    return found if found is not None else here.event.text
