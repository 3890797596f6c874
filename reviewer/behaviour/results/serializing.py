"""Failures of writing a value as a text: they are a matter of its type, and no call, whatever it is given, meets one.

`serde_json` fails for a map whose keys are no texts. Code that handles it has to give something, which nobody is ever told: lists
and structures were written so in every server that was read, with an error in the arm that the compiler asks for. In Python it is
otherwise, where any object may lie in what is written.
"""

from reviewer.behaviour.values.texts import iter_parts
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Occurrence, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import Made, Relation, Term, Value, strip_negations


def is_of_serializing(here: Occurrence, value: Value, trace: Trace, program: Program) -> bool:
    """Return whether a value is why something could not be written as a text, or says that."""
    return not program.raises and any(
        _is_serialized(occurrence, part.term[1], trace, program)
        for occurrence, part in iter_parts(here, value)
        if isinstance(part.term, tuple) and part.term[:1] == ("reason",)
    )


def _is_serialized(here: Occurrence, term: Term, trace: Trace, program: Program) -> bool:
    return any(
        isinstance(each, Called) and each.result.term == term and "serialises" in collect_acts(each, program.models)
        for each in here.find_own_trace(trace).events
    )


def fails_to_serialize(test: Value, holds: bool, models: Models) -> bool:
    """Return whether a test leads to where something could not be written as a text."""
    asked, holds = strip_negations(test, holds)
    match asked.meaning:
        case Relation("present" | "succeeds", Value(meaning=Made(by))) if not holds:
            return "serialises" in models.get_model(by).acts
    return False
