"""JSON that is put together as a text, with what a failure says in it as it is."""

from collections.abc import Iterator, Sequence

from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import (
    collect_answering_calls,
    collect_returned_forms,
    find_answers,
    is_handed_on,
)
from reviewer.behaviour.results.serializing import is_of_serializing
from reviewer.behaviour.values.texts import CHANGED, TextPiece, collect_compositions
from reviewer.code.events import Occurrence, Returned, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import Made, Value
from reviewer.text.patterns import pattern

OPENED = pattern(r'[{,\[]\s*(?:"[^"]*"\s*:\s*)?"[^"]*$')
"""What stands before a part of a text that is inside a string of JSON."""

BEGUN = pattern(r'\s*[{\[]\s*["{\[]')
"""How a text begins that is JSON."""


def iter_unescaped_texts(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the answers that are no JSON if what a failure says has a quotation mark or a new line in it."""
    answers, followed = find_answers(trace, program), collect_answering_calls(trace, program)
    for each in trace.iter_occurrences(lambda event, _: event in followed, kinds=(Returned,)):
        if isinstance(each.event, Returned):
            for form in collect_returned_forms(each, program):
                told = _is_told(form.occurrence, form.value, trace, program)
                if told and answers.is_answer(each):
                    yield RunFinding("breaks json", each, each.event.code.extract_text(each.event.given))
                    break


def _is_told(here: Occurrence, value: Value, trace: Trace, program: Program) -> bool:
    """Return whether a text is JSON that holds what a failure says as it is."""
    if not isinstance(value.meaning, Made) or is_handed_on(value):
        return False
    return any(_is_broken(text, trace, program) for text in collect_compositions(here, value, program.models))


def _is_broken(text: Sequence[TextPiece], trace: Trace, program: Program) -> bool:
    before = ""
    for number, each in enumerate(text):
        if each.text is not None:
            before += each.text
            continue
        after = text[number + 1].text if number + 1 < len(text) else None
        is_inside = BEGUN.match(before) is not None and OPENED.search(before) is not None
        if is_inside and after is not None and '"' in after and _says_failure(each, program.models):
            if not is_of_serializing(each.here, each.value, trace, program):
                return True
        before += "?"
    return False


def _says_failure(piece: TextPiece, models: Models) -> bool:
    """Return whether a part of a text is what a failure says, and nothing escapes it."""
    if not any(each.origin == "exception" for each in piece.here.resolve_labels(piece.value)):
        return False
    waiting = [piece.value]
    for each in waiting:
        if isinstance(each.meaning, Made):
            model = models.find_model(each.meaning.by)
            if model is None and "." in each.meaning.by and not each.meaning.by.startswith("."):
                return False  # nobody says what a library makes of it
            if each.meaning.by.endswith(".replace") or (
                model is not None and not (CHANGED | {"serialises"}).isdisjoint(model.acts)
            ):
                return False
            waiting += each.meaning.of[:1]
    return True
