"""Failures of what a handler does outside that are answered by nothing, or always by the same text, and told by no log."""

import re
from collections.abc import Iterator
from itertools import chain

from reviewer.behaviour.failures.emptiness import is_nothing
from reviewer.behaviour.failures.outside import asks_outside
from reviewer.behaviour.failures.swallows import ExitValue, SwallowSearch, notes_failure, search_of
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import classify_telling, find_answers, iter_contents
from reviewer.behaviour.values.texts import DEEPEST, iter_parts
from reviewer.caching import cache_latest
from reviewer.code import ir
from reviewer.code.acts import SAYING, collect_acts
from reviewer.code.events import Called, Context, Entered, Event, Looped, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_caught_types
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.values import (
    Class,
    ConditionalValue,
    Function,
    Made,
    Relation,
    Value,
    find_original_term,
    strip_negations,
)
from reviewer.text.patterns import pattern


def iter_untold_failures(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where an operation outside failed and the answer says that nothing is there, or does not say why."""
    if trace.leads_to(asks_outside, program) or trace.leads_to(
        notes_failure, program
    ):  # two rules ask for what is found in one walk
        yield from find_once(program, trace, "untold", lambda: tuple(_iter_untold(trace, program)))


def _iter_untold(trace: Trace, program: Program) -> Iterator[RunFinding]:
    search = search_of(trace, program)
    lost = _Lost(trace, program, search)
    for each in trace.iter_occurrences(search.walks, kinds=(Returned, Raised, Tested, Looped)):
        if not isinstance(each.event, Raised):
            yield from search.iter_findings(each)
        if isinstance(each.event, Returned | Raised):
            yield from lost.iter_findings(each)


class _Lost:
    """A search for failures of which neither the client nor a log is told why."""

    def __init__(self, trace: Trace, program: Program, search: SwallowSearch) -> None:
        self._trace, self._program, self._search = trace, program, search
        self._answers = find_answers(trace, program)

    def iter_findings(self, here: Occurrence) -> Iterator[RunFinding]:
        """Yield where a function is left without why because an operation failed, with the operation."""
        event, inner = here.event, list[Context]()
        if isinstance(event, Returned):
            yield from self._iter_chosen_failures(here, event, event.value, (), DEEPEST)
        for each in event.iter_outwards():
            is_status = is_bad_status(each)
            operation = self._find_failed_operation(here, each) if not is_status else None
            if operation is not None or is_status:
                is_asked = any(one.value is not None and _is_of_failure(one.value) for one in inner)
                if not is_asked and self._is_without_cause(here, is_status) and self._is_untold(here, each):
                    if operation is not None and not self._program.raises and self._is_noted(here, operation, each):
                        return
                    text = event.code.extract_text(event.given) if isinstance(event, Returned) else event.text
                    yield RunFinding(
                        "loses cause",
                        here,
                        text,
                        operation.text if operation is not None else event.code.extract_text(each.at),
                    )
                return
            inner.append(each)

    def _iter_chosen_failures(
        self, here: Occurrence, event: Returned, value: Value, tests: tuple[Value, ...], deep: int
    ) -> Iterator[RunFinding]:
        """Yield the failures that a function gives for those of operations: what a `map_err` or an arm of a `match` makes."""
        if not isinstance(value.meaning, ConditionalValue) or not deep:
            return
        test = value.meaning.test
        for side, holds in ((value.meaning.then, True), (value.meaning.otherwise, False)):
            operation = self._search.find_failed_operation(event, test, holds) if side.failure is not None else None
            if side.failure is None or operation is None:
                yield from self._iter_chosen_failures(here, event, side, (*tests, test), deep - 1)
            elif not any(map(_is_of_failure, tests)) and not _comes_from_outside(here, side.failure):
                if not self._is_noted(here, operation):
                    term = find_original_term(side.failure.term)
                    at = term[-1] if isinstance(term, tuple) and isinstance(term[-1], Site) else event.given
                    at = at if event.at.holds(at) or event.given.holds(at) else event.given
                    yield RunFinding("loses cause", here, event.code.extract_text(at), operation.text)

    def _is_noted(self, here: Occurrence, operation: Event, branch: Context | None = None) -> bool:
        """Return whether something may take why an operation failed: itself, or what its function does afterwards."""
        since, until = operation.at.start, here.event.at.end
        around = here.find_own_trace(self._trace).events
        between = [
            each for each in around if since <= each.at.end and each.at.start < until and not is_beside(each, branch)
        ]
        inner = (
            (each for one in operation.trace.list_traces() for each in one.events)
            if isinstance(operation, Entered)
            else ()
        )
        return (
            any(self._notes(each) for each in chain(between, inner))
            or any(isinstance(each, Called) and _uses_reason(each, self._program.models) for each in between)
            or any(since <= each.start < until for each in _collect_reasons(here.event.code))
        )

    def _notes(self, event: Event) -> bool:
        """Return whether a log is told of a failure."""
        return isinstance(event, Called) and self._logs(event) and any(map(_is_of_failure, event.values))

    def _logs(self, event: Called) -> bool:
        return not SAYING.isdisjoint(collect_acts(event, self._program.models))

    def _find_failed_operation(self, here: Occurrence, around: Context) -> Event | None:
        """Return the operation for whose failure of any kind something runs, None if it does not."""
        event = here.event
        if around.condition == "handles":
            clause = self._search.clauses.get((event.code, around.at))
            return self._search.find_operation(here, clause) if clause is not None and self._is_broad(around) else None
        if around.condition == "test" and around.value is not None:
            return self._search.find_failed_operation(event, around.value, around.holds)
        return None

    def _is_broad(self, clause: Context) -> bool:
        """Return whether a clause takes failures of many kinds, so that its place does not say what failed."""
        kinds = collect_caught_types(self._program, clause)
        names = (each.name if isinstance(each, Class) else each.path.rpartition(".")[2] for each in kinds)
        return not clause.types or any(map(BROAD.fullmatch, names))

    def _is_without_cause(self, here: Occurrence, is_status: bool) -> bool:
        """Return whether the client is answered with what is the same for each failure, and nothing else."""
        event = here.event
        if isinstance(event, Raised):
            return (
                event.value is not None
                and (is_status or not self._program.chains or _hides_cause(event))
                and not _comes_from_outside(here, event.value)
            )
        assert isinstance(event, Returned)
        if event.value.failure is not None:
            return not _comes_from_outside(here, event.value.failure)
        if is_nothing(event.value):  # False is what a probe gives, whose failure is its answer
            said = list[ExitValue]()
            return (
                here.caller is not None
                and self._search.is_answered(here, lambda way: self._reports_without_cause(way, said))
                and bool(said)
            )
        found = list(iter_contents(here, self._program))
        return (
            bool(found)
            and all(
                classify_telling(each.occurrence, each.value, self._program.models, caught=True)
                and not _comes_from_outside(each.occurrence, each.value)
                for each in found
            )
            and self._answers.is_answer(here, found[0].value)
        )

    def _reports_without_cause(self, way: ExitValue, said: list[ExitValue]) -> bool:
        """Return whether a caller says that something failed, but not why, or leaves it to its own caller."""
        content = way.content
        if content is None or not content.is_whole:
            return content is not None
        value = content.value
        if is_nothing(value):
            return way.exit.caller is not None
        if classify_telling(content.occurrence, value, self._program.models, caught=True) and not _comes_from_outside(
            content.occurrence, value
        ):
            said.append(way)
            return True
        return False

    def _is_untold(self, here: Occurrence, branch: Context) -> bool:
        """Return whether nothing that is done because of a failure takes what it says anywhere."""
        return not any(
            each is not here.event
            and any(
                (one.at, one.condition, one.holds) == (branch.at, branch.condition, branch.holds)
                for one in each.iter_outwards()
            )
            and _takes(each)
            for each in here.find_own_trace(self._trace).events
        )


def is_beside(event: Event, branch: Context | None) -> bool:
    """Return whether something is done where a branch is not."""
    if branch is None:
        return False
    return any(
        each.condition == "test" and each.at == branch.at and each.holds != branch.holds
        for each in event.iter_outwards()
    )


def _uses_reason(event: Called, models: Models) -> bool:
    """Return whether a call keeps why something failed: as the cause of another failure, or for a function that looks at it."""
    traits = models.get_model(event.path).traits
    if "keeps reason" in traits:
        return True
    if "hands reason" not in traits:
        return False
    made = [each for given in event.arguments[:1] for each in given.things]
    own = (each.code for each in made if isinstance(each, Function))
    ignoring = [
        each for each in own if ir.collect_read_variables(each).isdisjoint(part.variable for part in each.parameters)
    ]
    return not made or len(ignoring) < len(made)


@cache_latest(maxsize=1024)
def _collect_reasons(code: Code) -> tuple[Site, ...]:
    """Return where a function binds why something failed."""
    inner = (each for statement in ir.iter_statements(code.body) for each in ir.iter_expressions(statement))
    return tuple(each.at for each in inner if isinstance(each, ir.ReasonOf))


BROAD = pattern(
    r"(?:HTTP|Http|URL|OS|IO|API|Api|RPC|SQLAlchemy|Request|Client|Server|Response|Status|Transport|Database|Operational"
    r"|Programming|Subprocess|CalledProcess|Network|Base)*(?:Error|Exception)"
)
"""How the classes are called of failures that have many causes."""

OUTSIDE = frozenset({"exception", "network", "stack", "command", "database", "file"})
"""Where what an answer says of a failure may come from."""

CURRENT = pattern(r"exception|print_exc|format_exc|exc_info|print_exception|format_exception", re.IGNORECASE)
"""In the names of what tells of the failure that is being handled without being handed it."""


def _takes(event: Event) -> bool:
    """Return whether an event takes a failure somewhere: a log, another function, a variable."""
    if isinstance(event, Called) and (CURRENT.search(event.path.rpartition(".")[2]) or "exc_info" in event.named):
        return True
    values = event.given.values() if isinstance(event, Entered) else event.values
    return not isinstance(event, Tested | Returned) and any(map(_is_of_failure, values))


def _hides_cause(event: Raised) -> bool:
    """Return whether an exception is raised `from None`."""
    raised = (
        each for each in ir.iter_statements(event.code.body) if isinstance(each, ir.Raise) and each.at == event.at
    )
    return any(isinstance(each.cause, ir.Constant) and each.cause.value is None for each in raised)


def _is_of_failure(value: Value) -> bool:
    return any(each.origin in ("exception", "network") for each in value.labels)


STATUS = pattern(r"\.?(?:.*\.)?(?:status_code|status|ok|is_success|is_error|is_client_error|is_server_error|as_u16)")
"""The members of an HTTP response, or of its status, that say whether the request failed."""


def is_bad_status(around: Context) -> bool:
    """Return whether a branch runs for an HTTP response with any status, or any but some, that says that the request failed."""
    if around.condition != "test" or around.value is None:
        return False
    test, holds = strip_negations(around.value, around.holds)
    match test.meaning:
        case Relation("==", left, Value() as right):
            status, number = (left, right) if right.constant is not None else (right, left)
            return not holds and number.constant is not None and _is_status(status)
        case Relation("<" | "<=", left, Value() as right):
            return _is_status(left) or _is_status(right)
    return not holds and _is_status(test)


def _is_status(value: Value) -> bool:
    made = value.meaning.by if isinstance(value.meaning, Made) else ""
    return any(each.origin == "network" for each in value.labels) and STATUS.fullmatch(made) is not None


def _comes_from_outside(here: Occurrence, value: Value) -> bool:
    return any(each.origin in OUTSIDE for at, part in iter_parts(here, value) for each in at.resolve_labels(part))
