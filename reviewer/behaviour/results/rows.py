"""Rows of a client's own query that a tool answers with, however many there are."""

from collections.abc import Iterator

from reviewer.behaviour.answer_size.cuts import iter_answers
from reviewer.behaviour.arguments.inputs import find_argument_name, is_length
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.checks import iter_parts as made_of
from reviewer.behaviour.values.texts import collect_compositions
from reviewer.code.acts import collect_acts, find_modelled_argument
from reviewer.code.events import Called, Looped, Occurrence, Tested, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import Made, Value

BOUNDING = frozenset({"bounds rows", "reads few rows"})
"""What keeps few the rows that are read. Of which statement they are is not followed, so one such call silences all."""


def iter_unbounded_rows(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the places that run a client's statement whose rows are all in the answer.

    If a tool also reads few rows, or cuts a part of its answer, it is unknown which, and nothing is yielded.
    """
    if "executes sql" not in trace.acts or not BOUNDING.isdisjoint(trace.acts):
        return
    origins = {label.origin for each in iter_answers(trace) for label in each.value.labels}
    if "database" not in origins or "cut" in origins or not _takes_rows(trace):
        return
    if any(map(_asks_how_many, trace.iter_occurrences(kinds=(Tested,)))):
        return
    for each in trace.iter_occurrences(kinds=(Called,)):
        if runs_clients_statement(each, program.models) and each.is_possible():
            yield RunFinding("answers all rows", each)


def _takes_rows(trace: Trace) -> bool:
    """Return whether rows are taken, and not only how many were changed: at once, or by going through what holds them."""
    looped = (each for each in trace.iter_occurrences(kinds=(Looped,)) if isinstance(each.event, Looped))
    return "reads database" in trace.acts or any(
        label.origin == "database" for each in looped for label in each.resolve_labels(each.event.values[0])
    )


def runs_clients_statement(here: Occurrence, models: Models) -> bool:
    """Return whether a call runs a statement that the client writes from its beginning to its end."""
    event = here.event
    assert isinstance(event, Called)
    model = models.find_model(event.path)
    if model is None or event.followed or "executes sql" not in collect_acts(event, models):
        return False
    statement = find_modelled_argument(event, model)
    texts = collect_compositions(here, statement, models) if statement is not None else []
    return bool(texts) and all(
        len(text) == 1 and text[0].text is None and find_argument_name(text[0].here, text[0].value, models)
        for text in texts
    )


def _asks_how_many(here: Occurrence) -> bool:
    """Return whether a test asks how many rows there are, or how long a text of them is: what follows may leave some out."""
    return any(is_length(each) and _is_read(here, each) for value in here.event.values for each in made_of(value))


def _is_read(here: Occurrence, value: Value) -> bool:
    of = value.meaning.of if isinstance(value.meaning, Made) else ()
    return any(label.origin == "database" for each in (value, *of) for label in here.resolve_labels(each))
