"""Failures that a handler answers as if the call had succeeded."""

from collections.abc import Iterator

from reviewer.behaviour.answers import Answers, Content, Telling, contents, telling
from reviewer.behaviour.findings import Finding
from reviewer.code.events import Occurrence, Returned, Trace
from reviewer.code.program import Program
from reviewer.code.values import Value


def false_successes(trace: Trace, program: Program) -> Iterator[Finding]:
    """Yield what is answered though it tells of a failure: of one that was caught, or of a call that is refused."""
    answers = Answers(trace, program.models)
    for each in trace.occurrences():
        if isinstance(each.event, Returned):
            for content in contents(each, each.event.value, program.models):
                told = _told(each, content, answers, program)
                if told and answers.is_answer(each, content.value):
                    text = each.event.code.text(each.event.given)
                    yield Finding("succeeds in error", each, text, text if told == "state" else None)


def _told(occurrence: Occurrence, content: Content, answers: Answers, program: Program) -> Telling:
    """Return how something tells of a failure that a function answers if a test says so, or that it has caught itself."""
    own = {each.condition for each in occurrence.event.context.outwards()} if occurrence.event.context else set()
    caught = "handles" in own or any(holds and is_catching(test) for test, holds in content.tests)
    if not caught and "test" not in own and not content.tests and not answers.is_followed(occurrence):
        return ""
    caught = caught or occurrence.is_under("handles")
    return telling(content.occurrence, content.value, program.models, caught=caught)


def is_catching(test: Value) -> bool:
    """Return whether a test is that of a `try`: it holds where a clause took what was raised."""
    return isinstance(test.term, tuple) and test.term[:1] == ("taken",)
