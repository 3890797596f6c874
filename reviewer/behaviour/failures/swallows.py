"""Failures of what a handler does outside that are answered as if nothing was there."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from reviewer.behaviour.effects.changes import prepares
from reviewer.behaviour.failures.caught_logs import log_of
from reviewer.behaviour.failures.emptiness import is_new, is_nothing, may_be_nothing, says_nothing, says_well
from reviewer.behaviour.failures.exceptions import collect_made_failures
from reviewer.behaviour.failures.gathered import find_gathered_call
from reviewer.behaviour.failures.outside import KEPT, OUTSIDE, asks_outside, is_outside
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import (
    AnswerContent,
    collect_result_terms,
    collect_returned_forms,
    find_answers,
    is_of_failure,
    iter_contents,
)
from reviewer.behaviour.values.texts import collect_spellings, is_text, iter_parts
from reviewer.code.acts import collect_acts, find_modelled_return
from reviewer.code.events import (
    Assigned,
    Called,
    Caught,
    Context,
    Entered,
    Event,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Trace,
)
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import ANYTHING, collect_caught_types, collect_suppressed_types, iter_ancestors, takes_any
from reviewer.code.program import Program, find_once
from reviewer.code.state import NOTHING
from reviewer.code.values import (
    ConditionalValue,
    Library,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.source import Text

MOST = 8
"""Values that a result may be which are looked through for the operation that gave it: `.context(..)` adds two."""


def search_of(trace: Trace, program: Program) -> "SwallowSearch":
    """Return the search for what a handler does about failures, made once."""
    return find_once(program, trace, "swallows", lambda: SwallowSearch(trace, program))


class _Clause(NamedTuple):
    """A clause that takes exceptions: where its `Try` is, and what it takes."""

    tried: Site
    head: Site
    context: Context


class _Empty(NamedTuple):
    """What is nothing because something failed: what is `returned` there, or the value that has a term.

    `branch` is what runs for the failure, `since` is over before, and `text` is where nothing is chosen.
    """

    operation: Event
    branch: Site
    since: Site
    text: Text
    returned: Occurrence | None = None
    term: Term = None


class ExitValue(NamedTuple):
    """What a function may be left with at a place; None for an exception."""

    exit: Occurrence
    content: AnswerContent | None


class SwallowSearch:
    """A search for the failures of one handler that are not reported to the client."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._answers = find_answers(trace, program)
        self.clauses = dict(_iter_clauses(trace, program))
        self.operations: dict[tuple[Code, Site], list[tuple[Occurrence, Occurrence]]] = {}
        for each in trace.iter_occurrences(self.enters, kinds=(Called,)) if self.clauses else ():
            self._note(each)
        self.results = {} if program.raises else dict(self._iter_fallible())

    def enters(self, event: Entered, _: object) -> bool:
        """Return whether an entered function may fail for reasons outside."""
        return event.trace.leads_to(asks_outside, self._program)

    def walks(self, event: Entered, _: object) -> bool:
        """Return whether an entered function may fail for reasons outside, or logs that something failed."""
        return self.enters(event, None) or event.trace.leads_to(notes_failure, self._program)

    def _iter_fallible(self) -> Iterator[tuple[tuple[Code, Term], Event]]:
        """Yield the results of operations that may be failures, by the function and its value, with the calls that give them."""
        known: dict[int, bool] = {}
        for trace in self._trace.list_traces():
            yield from (((each.code, term), each) for each, term in self._iter_results_in(trace, known))

    def _iter_results_in(self, trace: Trace, known: dict[int, bool]) -> Iterator[tuple[Event, Term]]:
        """Yield the results of operations that may fail, and of functions of the project that contain such."""
        for each in trace.events:
            if isinstance(each, Called) and is_outside(each, self._program):
                yield each, each.result.term
            elif isinstance(each, Entered) and self.enters(each, None) and self._fails(each.trace, known):
                yield from ((each, term) for term in collect_result_terms(Occurrence(each)))

    def _fails(self, trace: Trace, known: dict[int, bool]) -> bool:
        """Return whether a function gives a failure where an operation fails: its result as it is, or one that it makes."""
        if id(trace) not in known:
            known[id(trace)] = False
            terms = {term for _, term in self._iter_results_in(trace, known)}
            returned = {each.value.term for each in trace.events if isinstance(each, Returned)}
            known[id(trace)] = not terms.isdisjoint(returned) or bool(collect_made_failures(trace))
        return known[id(trace)]

    def _note(self, operation: Occurrence) -> None:
        """Note by which `Try` a failure of an operation is taken first, and the call of its body that leads there."""
        event = operation.event
        if not isinstance(event, Called) or not is_outside(event, self._program):
            return
        for here in operation.iter_outwards():
            for each in here.event.iter_outwards():
                if _may_take(self._program, each) and self._takes(each, event):
                    self.operations.setdefault((here.event.code, each.at), []).append((operation, here))
                    return

    def _takes(self, clause: Context, operation: Called) -> bool:
        """Return whether a clause takes what an operation fails with, if it is not one certain failure such as an absent file."""
        if not clause.types:
            return True
        kinds = collect_caught_types(self._program, clause)
        if not kinds.isdisjoint(ANYTHING):
            return True
        acts = collect_acts(operation, self._program.models)
        return any(self._may_be_raised_by(kind, operation.path, acts) for kind in kinds if isinstance(kind, Library))

    def _may_be_raised_by(self, kind: Library, path: str, acts: frozenset[str]) -> bool:
        if kind in SYSTEM:
            return acts.isdisjoint({"executes sql", "reads database"})
        if kind.path.startswith("builtins.") or not TELLING.isdisjoint(iter_ancestors(self._program, kind)):
            return False
        package = path.partition(".")[0]
        return not package or package == kind.path.partition(".")[0]

    def iter_findings(self, occurrence: Occurrence) -> Iterator[RunFinding]:
        """Yield where nothing is answered though an operation failed, with the operation."""
        yield from self._iter_claims(occurrence)
        if all(is_repetition(each) for each in occurrence.iter_circumstances() if each.condition == "loop"):
            for empty in self._iter_empties(occurrence):
                if not self.is_told(occurrence, empty.branch) and self._is_left(occurrence, empty):
                    yield RunFinding("swallows failure", occurrence, empty.text, empty.operation.text)

    def _iter_claims(self, occurrence: Occurrence) -> Iterator[RunFinding]:
        """Yield where all is well, by an answer, though the one change that a function makes may have failed before."""
        event = occurrence.event
        if not isinstance(event, Returned) or occurrence.is_under("loop") or not says_well(event.value):
            return
        changes = [each for each in self._changes if each[1].event.code is event.code]
        for (code, at), clause in self.clauses.items():
            if code is not event.code or clause.tried.end > event.at.start or not self._goes_on(occurrence, clause):
                continue
            inside = [here for _, here in changes if clause.tried.start <= here.event.at.start < clause.tried.end]
            if inside and len(inside) == len(changes) and self.find_operation(occurrence, clause) is not None:
                if not self.is_told(occurrence, at) and self._answers.is_answer(occurrence):
                    yield RunFinding("claims success", occurrence, code.extract_text(clause.head), inside[0].event.text)

    def _goes_on(self, occurrence: Occurrence, clause: _Clause) -> bool:
        """Return whether a function goes on after a clause, which sets nothing that is asked later."""
        own = [
            each
            for each in occurrence.find_own_trace(self._trace).events
            if any(part.condition == "handles" and part.at == clause.context.at for part in each.iter_outwards())
        ]
        return not any(isinstance(each, Returned | Raised | Assigned | Stored) for each in own)

    @cached_property
    def _changes(self) -> list[tuple[Occurrence, Occurrence]]:
        """Return the occurrences that change something outside, each with the call that leads to it."""
        return [
            (each, here)
            for each in self._trace.iter_occurrences(self.enters, kinds=(Called,))
            if isinstance(each.event, Called)
            and not CHANGING.isdisjoint(collect_acts(each.event, self._program.models))
            if not prepares(self._trace, each)
            for here in each.iter_outwards()
        ]

    def _is_left(self, occurrence: Occurrence, empty: _Empty) -> bool:
        if empty.returned is not None:
            return self.is_answered(empty.returned, self._is_said_nothing)
        return self._is_answered_with(occurrence, empty.since, self._is_said_nothing, empty.term)

    def _iter_empties(self, occurrence: Occurrence) -> Iterator[_Empty]:
        """Yield the empty values that result from a failure: returned ones, and those that a variable keeps."""
        event = occurrence.event
        around = (each for each in event.iter_outwards() if not _asks_how_often(each))
        branch = next((each for each in around if each.condition in ("handles", "test", "loop")), None)
        branch = branch or self._find_taken(occurrence)
        if isinstance(event, Returned):
            returned = list(self._iter_returned_empties(occurrence, event, branch))
            yield from returned
            if returned:
                return
        if branch is None or branch.condition != "handles":
            for value in event.values:
                for here, part in iter_parts(occurrence, value):
                    if here is occurrence:
                        yield from self._iter_value_empties(occurrence, part)

    def _find_taken(self, occurrence: Occurrence) -> Context | None:
        """Return the one clause that has taken an exception where control comes to an event, if nothing was tried since."""
        event = occurrence.event
        taken = [
            clause
            for (code, at), clause in self.clauses.items()
            if code is event.code and event.facts.get(("taken", code, at), NOTHING).truth
        ]
        if len(taken) != 1 or self._asks_between(occurrence, taken[0].tried):
            return None
        return taken[0].context

    def _asks_between(self, occurrence: Occurrence, since: Site) -> bool:
        """Return whether a function asks outside between a place and an event."""
        return any(
            since.end <= each.at.start < occurrence.event.at.start
            and (
                self.enters(each, None)
                if isinstance(each, Entered)
                else isinstance(each, Called) and is_outside(each, self._program)
            )
            for each in occurrence.find_own_trace(self._trace).events
        )

    def _iter_returned_empties(
        self, occurrence: Occurrence, event: Returned, branch: Context | None
    ) -> Iterator[_Empty]:
        """Yield the empty values that a function returns because of a failure."""
        for content in iter_contents(occurrence, self._program):
            if content.occurrence is occurrence and self._is_nothing(content):
                if self._is_never_empty(occurrence, event.value.term, content.value.term):
                    continue
                text = event.code.extract_text(event.given)
                if branch is not None and not content.tests:
                    yield from (
                        each._replace(returned=occurrence, text=text)
                        for each in self._iter_failing_operations(occurrence, branch)
                    )
                elif content.tests:
                    test, holds = content.tests[-1]
                    context = Context("test", event.given, test, holds)
                    yield from (
                        each._replace(returned=occurrence, text=text)
                        for each in self._iter_failing_operations(occurrence, context)
                    )

    def _is_never_empty(self, here: Occurrence, *terms: Term) -> bool:
        """Return whether an empty value does not get as far as an exit: a test has told that there is something, or it was
        decoded as JSON, which fails for an empty text.
        """
        facts = here.event.facts
        found = (facts[each] for term in terms for each in (term, ("length", term)) if each in facts)
        if any(each.truth or each.interval.low >= 1 or (int, 0) in each.unequal for each in found):
            return True
        return any(
            isinstance(each, Called)
            and each.at.start < here.event.at.end
            and "json" in each.path
            and "parses" in collect_acts(each, self._program.models)
            and any(one.term in terms for value in each.arguments for one in (value, *value.ways))
            for each in here.find_own_trace(self._trace).events
        )

    def _iter_value_empties(self, occurrence: Occurrence, value: Value) -> Iterator[_Empty]:
        """Yield a value that is nothing because something failed."""
        event = occurrence.event
        if isinstance(value.meaning, ConditionalValue):
            sides = ((value.meaning.then, True), (value.meaning.otherwise, False))
            for side, holds in sides:
                if may_be_nothing(side):
                    context = Context("test", event.at, value.meaning.test, holds)
                    yield from (
                        each._replace(term=value.term) for each in self._iter_failing_operations(occurrence, context)
                    )
        elif is_new(value):
            clause = self._find_filling_clause(occurrence, value)
            if clause is not None:
                handles = Context("handles", clause)
                yield from (
                    each._replace(term=value.term) for each in self._iter_failing_operations(occurrence, handles)
                )

    def _iter_failing_operations(self, occurrence: Occurrence, branch: Context) -> Iterator[_Empty]:
        """Yield the operation for whose failure something runs, if it does."""
        code = occurrence.event.code
        term = find_original_term(branch.value.term) if branch.value is not None else None
        if branch.condition == "test" and branch.holds and isinstance(term, tuple) and term[:1] == ("taken",):
            branch = Context("handles", term[2])
        if branch.condition == "handles":
            clause = self.clauses.get((code, branch.at))
            operation = (
                self.find_operation(occurrence, clause) or self._find_logged_operation(occurrence, clause)
                if clause is not None
                else None
            )
            if operation is not None and clause is not None:
                yield _Empty(operation, branch.at, clause.tried, code.extract_text(clause.head))
        elif branch.condition == "test" and branch.value is not None:
            operation = self.find_failed_operation(occurrence.event, branch.value, branch.holds)
            test, holds = strip_negations(branch.value, branch.holds)
            if operation is None and holds:
                gathered = find_gathered_call(test, occurrence.find_own_trace(self._trace))
                operation = gathered if gathered is not None and self.enters(gathered, None) else None
            if operation is not None:
                yield _Empty(operation, branch.at, operation.at, operation.text)

    def find_failed_operation(self, event: Event, test: Value, holds: bool) -> Event | None:
        """Return the operation of which a test tells that it failed, None if it tells of none.

        What succeeded before may only be absent: `client.find(id).await?` gives an option.
        """
        test, holds = strip_negations(test, holds)
        meaning = test.meaning
        if holds or not isinstance(meaning, Relation) or meaning.operator not in ("present", "succeeds"):
            return None
        waiting = [meaning.left]
        for each in waiting:
            if (event.code, each.term) in self.results:
                known = event.facts.get(each.term)
                return self.results[event.code, each.term] if known is None or known.failed is not False else None
            if isinstance(each.meaning, ConditionalValue) and len(waiting) < MOST:
                waiting += (each.meaning.then, each.meaning.otherwise)
        return None

    def _find_filling_clause(self, occurrence: Occurrence, value: Value) -> Site | None:
        """Return the clause of the one `Try` that a container is filled in, which was made before."""
        stored = [
            each for each in occurrence.find_own_trace(self._trace).events if value.term == self.find_filled(each)
        ]
        site = value.term[2] if isinstance(value.term, tuple) else None
        for (code, at), clause in self.clauses.items():
            if code is occurrence.event.code and isinstance(site, Site) and site.end <= clause.tried.start:
                if stored and all(clause.tried.start <= each.at.start <= clause.tried.end for each in stored):
                    return at
        return None

    def find_filled(self, event: Event) -> Term:
        """Return the container to which an event adds an element; None if it adds none."""
        match event:
            case Stored(owner=owner):
                return owner.term
            case Called(receiver=Value() as owner) if find_modelled_return(event, self._program.models) in (
                "appended",
                "extended",
            ):
                return owner.term
        return None

    def find_operation(self, occurrence: Occurrence, clause: _Clause) -> Event | None:
        """Return the operation whose failure a clause catches; None if it may be one of several alternatives tried in
        turn.
        """
        for operation, here in self.operations.get((occurrence.event.code, clause.tried), ()):
            if isinstance(operation.event, Called) and self._takes(clause.context, operation.event):
                if not self._is_one_of_several(here.event, clause):
                    return here.event
        return None

    def _is_one_of_several(self, operation: Event, clause: _Clause) -> bool:
        """Return whether a loop around a clause tries something else in each round: what it only repeats is one operation."""
        return any(
            around.condition == "loop" and around.at.start < clause.tried.start and not repeats(around, operation)
            for around in operation.iter_outwards()
        )

    def _find_logged_operation(self, occurrence: Occurrence, clause: _Clause) -> Event | None:
        """Return the failing operation, if a clause that catches everything logs an error: its author takes it for one."""
        events = occurrence.find_own_trace(self._trace).events
        if not takes_any(self._program, clause.context) or not any(
            notes_failure(each, self._program) and each.is_in_clause(clause.context.at) for each in events
        ):
            return None
        for each in events:
            if clause.tried.start <= each.at.start < clause.tried.end and self._may_fail(each):
                return None if self._is_one_of_several(each, clause) else each
        return None

    def _may_fail(self, event: Event) -> bool:
        """Return whether an event is a call of a library for which no row stands, or of one that reads files, or leads to one."""
        if isinstance(event, Entered):
            return event.trace.leads_to(fails_somehow, self._program)
        return fails_somehow(event, self._program)

    def is_told(self, occurrence: Occurrence, branch: Site) -> bool:
        """Return whether a clause tells somebody of the failure, or tries something else."""
        clause = self.clauses.get((occurrence.event.code, branch))
        is_manager = clause is not None and clause.tried == branch  # its method is handed in any case what was raised
        for each in occurrence.find_own_trace(self._trace).events:
            if not any(part.condition in ("handles", "test") and part.at == branch for part in each.iter_outwards()):
                continue
            if self._is_telling(each) or (isinstance(each, Stored) and is_of_failure(each.value)):
                return True
            if isinstance(each, Entered) and any(map(is_of_failure, each.given.values())):
                inner = each.trace.events if is_manager else ()
                if not is_manager or any(self._is_telling(one) or isinstance(one, Stored | Entered) for one in inner):
                    return True
        return False

    def _is_telling(self, event: Event) -> bool:
        """Return whether a call tells the client something, or asks somebody else."""
        return isinstance(event, Called) and not (OUTSIDE | {"logs to client", "notifies"}).isdisjoint(
            collect_acts(event, self._program.models)
        )

    def is_answered(self, occurrence: Occurrence, is_said: Callable[[ExitValue], bool]) -> bool:
        """Return whether what is said of nothing is all that the client is answered, and no caller says more of it."""
        call = occurrence.caller
        if call is None:
            return True
        if any(each.condition == "loop" for each in call.event.iter_outwards()):
            return False
        return self._is_answered_with(call, call.event.at, is_said, *collect_result_terms(call))

    def _is_answered_with(
        self, occurrence: Occurrence, since: Site, is_said: Callable[[ExitValue], bool], *terms: Term
    ) -> bool:
        """Return whether that is all that the client is answered where a value of a function is nothing."""
        exits = [each for each in self._answers.collect_exits(occurrence) if each.event.at.end >= since.end]
        about, given = list[ExitValue](), list[ExitValue]()
        for exit in exits:
            facts = exit.event.facts
            if any(facts[each].failed for each in terms if each in facts):
                continue  # what is nothing is no failure, with which `?` leaves
            for way in self._iter_ways(exit):
                asked = _find_required_presence(way, terms)
                if asked is False:
                    about.append(way)
                elif asked is None and self._gives(way, terms) and not self._is_never_empty(exit, *terms):
                    given.append(way)
        ways = about or given
        return bool(ways) and all(map(is_said, about)) and self.is_answered(ways[0].exit, is_said)

    def _iter_ways(self, exit: Occurrence) -> Iterator[ExitValue]:
        """Yield each way in which a function may end at an exit, with the content that it returns there."""
        if isinstance(exit.event, Returned):
            found = False
            for content in collect_returned_forms(exit, self._program):
                found = True
                yield ExitValue(exit, content)
            if found:
                return
        yield ExitValue(exit, None)

    def _gives(self, way: ExitValue, terms: tuple[Term, ...]) -> bool:
        """Return whether a function returns the value in any form, or a list made from its elements."""
        if way.content is None:
            return False
        value, models = way.content.value, self._program.models
        is_written = isinstance(value.meaning, Made) and is_text(value.meaning.by, models) and bool(value.meaning.of)
        if value.term in terms or (
            is_written and isinstance(value.meaning, Made) and value.meaning.of[0].term in terms
        ):
            return True
        return any(
            isinstance(each, Stored)
            and each.owner.term == value.term
            and any(
                part.condition == "loop" and part.value is not None and _may_be(part.value, terms)
                for part in each.iter_outwards()
            )
            for each in way.exit.find_own_trace(self._trace).events
        )

    def _is_said_nothing(self, way: ExitValue) -> bool:
        """Return whether a function returns content that says that there is nothing, without the reason."""
        content = way.content
        return content is not None and (not content.is_whole or self._is_nothing(content))

    def _is_nothing(self, content: AnswerContent) -> bool:
        if is_nothing(content.value):
            return True
        is_text = isinstance(content.value.meaning, Made) and content.value.meaning.by == "text"
        texts = collect_spellings(content.occurrence, content.value, self._program.models) if is_text else []
        return bool(texts) and all(says_nothing("".join(part or "" for part in each)) for each in texts)


def is_repetition(context: Context) -> bool:
    """Return whether a circumstance is a loop that only counts its rounds: `for attempt in range(3)`."""
    return context.condition == "loop" and context.value is not None and get_term_head(context.value.term) == "range"


def repeats(loop: Context, operation: Event) -> bool:
    """Return whether a loop does the same in each round, and not with the number of the round."""
    handed = operation.given.values() if isinstance(operation, Entered) else operation.values
    return is_repetition(loop) and not any(_is_counted(each, loop.value) for each in handed)


def _is_counted(value: Value, over: Value | None, deep: int = MOST) -> bool:
    """Return whether a value is a number of a range, or is made of one."""
    term = find_original_term(value.term)
    if over is not None and isinstance(term, tuple) and term[:2] == ("element", over.term):
        return True
    inner = (*(value.contents or {}).values(), *value.operands, *value.ways)
    return deep > 0 and any(_is_counted(each, over, deep - 1) for each in inner)


def _asks_how_often(context: Context) -> bool:
    """Return whether a circumstance is a test of the number of a round, with the loop around: whether it was the last."""
    loops = [each for each in context.iter_outwards() if is_repetition(each)]
    test = context.value if context.condition == "test" else None
    return test is not None and any(_is_counted(test, each.value) for each in loops)


def _may_take(program: Program, context: Context) -> bool:
    """Return whether a circumstance is one in which exceptions are taken."""
    return context.condition == "catches" or bool(collect_suppressed_types(program, context))


CHANGING = frozenset(
    {"commits", "posts", "changes remote", "deletes remote", "deletes file", "writes file", "runs command"}
)
"""Acts by which a call changes what lies outside."""


SYSTEM = frozenset(map(Library, ("builtins.OSError", "builtins.ConnectionError", "builtins.TimeoutError")))
TELLING = frozenset(map(Library, ("builtins.ValueError", "builtins.LookupError", "builtins.ImportError")))
"""Exceptions that say something of what was found: that it is no JSON, or not there."""


READING = frozenset({"lists directory", "reads file", "opens file"})
"""Acts that fail where a file is not there, which need not be a failure; who logs it as an error says that it is one."""


def notes_failure(event: Event, program: Program) -> bool:
    """Return whether a clause logs, as an error, what it took."""
    return (
        isinstance(event, Called)
        and any(each.condition == "handles" for each in event.iter_outwards())
        and "logs" in collect_acts(event, program.models)
        and log_of(event, program.models).level == "error"
    )


def fails_somehow(event: Event, program: Program) -> bool:
    """Return whether an event is a call that may fail for reasons that its arguments do not show."""
    if not isinstance(event, Called) or event.followed:
        return False
    if is_outside(event, program) or not READING.isdisjoint(collect_acts(event, program.models)):
        return True
    if program.models.find_model(event.path) is not None or program.is_standard(event.path):
        return False
    receiver = event.receiver.term if event.receiver is not None else None
    return bool(event.path) and (
        not event.path.startswith(".") or (isinstance(receiver, tuple) and receiver[:1] in KEPT[:3])
    )


def _iter_clauses(trace: Trace, program: Program) -> Iterator[tuple[tuple[Code, Site], _Clause]]:
    """Yield the clauses that take exceptions, and the managers and `finally` blocks that do."""
    for one in trace.list_traces():
        for each in one.events:
            if isinstance(each, Caught):
                yield (
                    (each.code, each.at),
                    _Clause(each.tried, each.head, Context("handles", each.at, each.value, types=each.types)),
                )
            for around in each.iter_outwards():
                if collect_suppressed_types(program, around):
                    yield (
                        (each.code, around.at),
                        _Clause(around.at, around.at, Context("handles", around.at, types=around.types)),
                    )


def _find_required_presence(way: ExitValue, terms: tuple[Term, ...]) -> bool | None:
    """Return whether a function is left so only if a value is something, or only if it is nothing; None if in both cases."""
    for test, holds in way.content.tests if way.content is not None else ():
        asked, is_so = strip_negations(test, holds)
        if asked.term in terms or (isinstance(asked.meaning, Relation) and asked.meaning.left.term in terms):
            return is_so if not isinstance(asked.meaning, Relation) or asked.meaning.operator == "present" else None
    facts = way.exit.event.facts
    found = [facts[each] for term in terms for each in (term, ("length", term)) if each in facts]
    if any(False in (each.truth, each.present) or each.interval.high <= 0 for each in found):
        return False
    return True if any(True in (each.truth, each.present) for each in found) else None


def _may_be(value: Value, terms: tuple[Term, ...]) -> bool:
    sides = (value.meaning.then, value.meaning.otherwise) if isinstance(value.meaning, ConditionalValue) else ()
    return any(each.term in terms for each in (value, *sides))
