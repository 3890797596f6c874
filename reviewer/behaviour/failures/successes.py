"""Failures that a handler answers as if the call had succeeded."""

from collections.abc import Iterator, Mapping

from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import (
    AnswerContent,
    Answers,
    Telling,
    classify_telling,
    collect_answering_calls,
    collect_entered_calls,
    find_answers,
    find_outcome,
    index_by_name,
    is_handed_on,
    iter_contents,
    says_failed,
)
from reviewer.behaviour.results.serializing import fails_to_serialize
from reviewer.behaviour.values.texts import iter_parts
from reviewer.code.events import Assigned, Occurrence, Returned, Stored, Trace
from reviewer.code.ir import Site
from reviewer.code.program import Program, find_once
from reviewer.code.state import infer_failure
from reviewer.code.values import (
    ConditionalValue,
    Instance,
    Negation,
    Relation,
    Term,
    Thing,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.source import Text


def iter_false_successes(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the answers that report a failure as a success: of a caught exception, or of a call that is rejected."""
    answers = find_answers(trace, program)
    followed = collect_answering_calls(trace, program)
    for each in trace.iter_occurrences(lambda event, _: event in followed, kinds=(Returned,)):
        if isinstance(each.event, Returned):
            for content in iter_contents(each, program):
                made = _find_giver(trace, each, content)
                told = _tell(made, content, answers, program) or _get_outcome(each, content) if made is not None else ""
                if made is not None and told and answers.is_answer(each, content.value):
                    text = _get_text(trace, made, content if made is each else None)
                    yield RunFinding("succeeds in error", made, text, text if told == "state" else None)
                kept = _find_kept(trace, each, content, program) if made is each and not told else None
                if kept is not None and answers.is_answer(each, content.value):
                    yield RunFinding("succeeds in error", Occurrence(kept, each.caller), kept.text, kept.text)


def _find_giver(trace: Trace, returned: Occurrence, content: AnswerContent) -> Occurrence | None:
    """Return where a function gave what is answered: as a part of its result, or in an object that its caller has.

    None if it was all that a function returned, or came of what that called: that is looked at there.
    """
    chosen = content.chosen
    match content.tests[-1][0].term if content.tests else None:
        case ("via", Site() as site, _) as term if chosen is not None:
            own = chosen.term
            if isinstance(own, tuple) and own[:2] == ("via", site):
                own = own[2]
            for call, inner in collect_entered_calls(trace, content.occurrence, Value(term)):
                for each in inner.events:
                    if isinstance(each, Returned | Stored):
                        if isinstance(each, Returned) and each.value.term == own:
                            return None
                        here = Occurrence(each, call)
                        if any(part.term == own for _, part in iter_parts(here, each.value)):
                            return here if isinstance(each, Stored) or not is_handed_on(each.value) else None
    return returned


def _find_kept(trace: Trace, returned: Occurrence, content: AnswerContent, program: Program) -> Stored | None:
    """Return where a clause notes in the object that is answered after it that the call failed, other than for one of many."""
    if content.value.constants is not None:
        return None  # nothing can be noted in it, and a function may give as many constants as it has statements
    held = index_by_name(content.value)
    for each in _index_notes(returned.find_own_trace(trace), program).get(content.value.term, ()):
        if says_failed(each.key, each.value):
            around = list(each.iter_outwards())
            is_caught = any(part.condition == "handles" and part.at.end <= returned.event.at.start for part in around)
            known = held[each.key.text or ""].constants if each.key is not None and each.key.text in held else None
            is_left = each.value.constant in known if known is not None else True  # else the clause leaves the function
            if is_caught and is_left and all(part.condition != "loop" for part in around):
                return each
    return None


def _index_notes(trace: Trace, program: Program) -> Mapping[Term, list[Stored]]:
    """Return the entries that a function itself puts into objects, by the object; all that it returns share them."""

    def index() -> Mapping[Term, list[Stored]]:
        found: dict[Term, list[Stored]] = {}
        for each in trace.list_events(Stored):
            found.setdefault(each.owner.term, []).append(each)
        return found

    return find_once(program, trace, "notes", index)


def _tell(occurrence: Occurrence, content: AnswerContent, answers: Answers, program: Program) -> Telling:
    """Return how something tells of a failure that a function answers if a test says so, or that it has caught itself."""
    own = list(occurrence.event.iter_outwards())
    tests = [*content.tests, *((each.value, each.holds) for each in own if each.value is not None)]
    if not program.raises and any(fails_to_serialize(test, holds, program.models) for test, holds in tests):
        return ""
    conditions = {each.condition for each in own}
    caught = "handles" in conditions or any(_is_catching(test, holds) for test, holds in tests)
    if not caught and "test" not in conditions and not content.tests and not answers.is_followed(occurrence):
        return ""
    caught = caught or occurrence.is_under("handles")
    return classify_telling(content.occurrence, content.value, program.models, caught=caught)


def _get_outcome(returned: Occurrence, content: AnswerContent) -> Telling:
    """Return the field of a returned object that says whether the work succeeded, if no test of it came before."""
    event = returned.event
    if returned.caller is not None or (isinstance(event, Returned) and infer_failure(event.value, event.facts)):
        return ""  # a caller may ask, and a failure is an error
    known = find_outcome(content.value)
    facts = content.occurrence.event.facts
    is_asked = known is None or known.term in facts or any(_asks(test, known) for test, _ in content.tests)
    return "" if is_asked else "state"


def _asks(test: Value, known: Value) -> bool:
    asked, _ = strip_negations(test)
    return asked.term == known.term


def _is_catching(test: Value, holds: bool) -> bool:
    """Return whether a test tells of a failure: that a clause took what was raised, or that a result has no value."""
    match test.meaning:
        case Negation(operand):
            return _is_catching(operand, not holds)
        case Relation("present" | "succeeds"):
            return not holds
        case Relation("kind", Value(meaning=ConditionalValue(chosen, then, otherwise)), Value(things=kinds)):
            sides = [truth for side, truth in ((then, True), (otherwise, False)) if _has_kind(side, kinds)]
            return holds and len(sides) == 1 and _is_catching(chosen, sides[0])
    term = find_original_term(test.term)
    return holds and get_term_head(term) == "taken"


def _has_kind(value: Value, kinds: tuple[Thing, ...]) -> bool:
    return any(isinstance(each, Instance) and each.of in kinds for each in value.things)


def _get_text(trace: Trace, made: Occurrence, content: AnswerContent | None) -> Text:
    """Return the expression that tells of the failure: where what is answered was chosen, else what is returned."""
    event = made.event
    if not isinstance(event, Returned):
        return event.text
    site = _find_site(trace, event, content.chosen) if content is not None and content.chosen is not None else None
    return event.code.extract_text(site if site is not None else event.given)


def _find_site(trace: Trace, event: Returned, chosen: Value) -> Site | None:
    """Return where a function made a value, None if that is not known."""
    match chosen.term:
        case ("call", code, Site() as site) if code is event.code:
            return site
        case ("via", Site() as site, _):
            return site
    for each in trace.iter_occurrences(kinds=(Assigned,)):
        if isinstance(each.event, Assigned) and each.event.code is event.code and each.event.value.term == chosen.term:
            return each.event.at
    return None
