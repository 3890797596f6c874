"""Values of an argument with which a call always fails, whatever else it is given."""

from collections.abc import Iterator
from functools import cached_property

from reviewer.behaviour.arguments.deciding import Decisions
from reviewer.behaviour.arguments.inputs import hands_over
from reviewer.behaviour.failures.needed import HARMLESS, is_one_of_several
from reviewer.behaviour.results.answers import FAILED, REFUSED, AnswerContent, classify_telling, is_error, iter_contents
from reviewer.behaviour.values.nests import find_nest, iter_skipping_tests
from reviewer.behaviour.values.texts import iter_beginnings
from reviewer.code import ir
from reviewer.code.events import Context, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.kinds import collect_kinds, is_caught
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import Label, Plain, Value
from reviewer.source import Text


class Refusals:
    """Where the code of a trace refuses what it is given."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program, self._models = trace, program, program.models

    def locate_refusal(self, argument: str, value: Plain) -> Text | None:
        """Return where a call is refused because an argument is some value, None if it may do its work."""
        found = self.find_refusal(argument, value)
        return found.event.text if found is not None else None

    def find_refusal(self, argument: str, value: Plain) -> Occurrence | None:
        """Return the occurrence that rejects a call whose argument has a value; None if the call may succeed."""
        asked = Label("argument", argument)
        for each, names in self._found:
            if asked in names:
                decisions = Decisions(argument, value, self._models, is_strict=True)
                if decisions.leads_to(self._trace, each, self._ends):
                    return each
        return None

    @cached_property
    def _found(self) -> list[tuple[Occurrence, frozenset[Label]]]:
        """The places where a call fails by tests alone, with where the values come from that these ask about."""
        found = []
        for each in self._trace.list_occurrences(hands_over, kinds=(Raised, Returned)):
            around = [one for one in each.iter_circumstances() if one.condition not in HARMLESS]
            if all(one.condition == "test" for one in around) and self._is_refusal(each):
                if not self._is_skipped(each, around):
                    found.append((each, self._collect_asked_labels(each)))
        return found

    def _collect_asked_labels(self, refusal: Occurrence) -> frozenset[Label]:
        """Return where the values come from that the functions ask about by which a place is reached, before it is."""
        return frozenset(
            label
            for here in refusal.iter_outwards()
            for event in here.find_own_trace(self._trace).events
            if isinstance(event, Tested) and event.at.start < here.event.at.end
            for label in here.resolve_labels(event.value)
        )

    def _is_refusal(self, here: Occurrence) -> bool:
        """Return whether a call comes to nothing else than a failure where it comes to a place."""
        event = here.event
        if isinstance(event, Raised):
            return event.value is not None and not self._is_survived(here, event.value)
        return event.code is self._trace.code and self._fails(here)

    def _fails(self, here: Occurrence) -> bool:
        """Return whether all that is returned somewhere tells that the call failed."""
        value = here.event.values[0]
        if infer_failure(value, here.event.facts) is True:
            return True
        if is_error(value, self._models):
            return not is_one_of_several(value)
        caught, answers = here.is_under("handles"), list(iter_contents(here, self._program))
        return bool(answers) and all(self._reports_failure(each, caught=caught) for each in answers)

    def _reports_failure(self, answer: AnswerContent, *, caught: bool) -> bool:
        """Return whether an answer tells of a failure, however it begins: what a helper gives may begin in several ways."""
        if is_one_of_several(answer.value) or not classify_telling(
            answer.occurrence, answer.value, self._models, caught=caught
        ):
            return False
        begins = list(iter_beginnings(answer.occurrence, answer.value, self._models))
        is_object = answer.value.contents is not None and answer.value.text is None
        return is_object or all((FAILED if caught else REFUSED).match(each) for each in begins)

    def _ends(self, here: Occurrence) -> bool:
        """Return whether a call may end well at a place, or a function on the way before it refuses anything."""
        if not isinstance(here.event, Returned):
            return False
        return here.event.code is not self._trace.code or not self._fails(here)

    def _is_survived(self, here: Occurrence, error: Value) -> bool:
        """Return whether code may go on after an exception: something on the way out catches it, and does not fail for it."""
        kinds = collect_kinds(error)
        for each in here.iter_outwards():
            for context in each.event.iter_outwards():
                if context.condition in ("catches", "manager") and (
                    not kinds or any(is_caught(self._program, context, kind) for kind in kinds)
                ):
                    if context.condition == "manager" or not self._fails_when_caught(each, context):
                        return context.condition == "catches" or bool(kinds)
        return False

    def _fails_when_caught(self, here: Occurrence, context: Context) -> bool:
        """Return whether all clauses of a `try` end in a failure of the call."""
        code = here.event.code
        tried = next((each for each in _iter_tries(code) if each.at == context.at), None)
        if tried is None or not all(_leaves(each.body) for each in tried.catches):
            return False
        at = {each.at for each in tried.catches}
        ends = (
            each
            for each in here.find_own_trace(self._trace).events
            if isinstance(each, Returned)
            and any(one.condition == "handles" and one.at in at for one in each.iter_outwards())
        )
        return all(code is self._trace.code and self._fails(Occurrence(each)) for each in ends)

    def _is_skipped(self, here: Occurrence, around: list[Context]) -> bool:
        """Return whether another test may lead round a place than those that lead to it, as the parts of `a or b` do."""
        asked = {each.at for each in around}
        return any(
            at not in asked
            for each in here.iter_outwards()
            for owner, body in find_nest(each.event)
            for at in iter_skipping_tests(owner, body, each.event.at)
        )


def _iter_tries(code: ir.Code) -> Iterator[ir.Try]:
    return (each for each in ir.iter_statements(code.body) if isinstance(each, ir.Try))


def _leaves(body: ir.Body) -> bool:
    """Return whether control always leaves a function at the end of a body."""
    match body[-1] if body else None:
        case ir.Return() | ir.Raise():
            return True
        case ir.If(then=then, otherwise=otherwise):
            return _leaves(then) and _leaves(otherwise)
        case ir.With(body=inner) | ir.Try(body=inner, catches=()):
            return _leaves(inner)
    return False
