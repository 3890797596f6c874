"""Where a failure that was caught is answered: what the client is told of it, and whether a log tells of it too."""

from collections.abc import Iterator, Mapping
from itertools import chain

from reviewer.behaviour.failures.caught_logs import Log, find_constant_text, is_of_call, log_of
from reviewer.behaviour.failures.exceptions import find_initial_calls, leaves
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import find_answers
from reviewer.behaviour.security.checks import iter_parts
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Called,
    Context,
    Entered,
    Event,
    Occurrence,
    Origins,
    Raised,
    Returned,
    Tested,
    Trace,
    translate_labels,
)
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_kinds, takes_any
from reviewer.code.program import Program
from reviewer.code.values import (
    ConditionalValue,
    Function,
    Instance,
    Library,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.records import dataclass
from reviewer.source import Text

CallInCode = tuple[Code, object]
"""A call of a function of the project: the code and the place where it stands."""


def iter_leaked_stacks(trace: Trace, program: Program) -> Iterator[Text]:
    """Yield by what a handler tells the client what was being called when something failed: where that is answered."""
    if not trace.leads_to(_reads_stack, program):
        return
    answers, told = find_answers(trace, program), set[CallInCode]()
    for each in trace.iter_occurrences(lambda event, origins: _may_tell(event, origins, program)):
        value = _find_answer_value(each, program)
        holder = _find_stack_in(each, value, told, DEEPEST) if value is not None and each.is_possible() else None
        if holder is not None and (isinstance(each.event, Raised) or answers.is_answer(each)):
            if each.caller is not None:
                told.add((each.caller.event.code, each.caller.event.at))
            yield locate_answer(each) if holder is each else holder.event.text


def iter_told_exceptions(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where a handler tells the client what an exception says that may be of any kind."""
    if not trace.leads_to(_is_in_any_clause, program):
        return
    answers, told = find_answers(trace, program), dict[CallInCode, Text | None]()
    for each in trace.iter_matching(_is_in_any_clause, program, kinds=(Returned, Raised)):
        clause = _find_clause(each.event)
        if clause is None or _find_answer_value(each, program) is None or not takes_any(program, clause):
            continue
        if isinstance(each.event, Raised) or answers.is_answer(each):
            key = (each.event.code, clause.at)
            if key not in told:
                inside = each.caller.event if each.caller is not None else None
                own = inside.trace if isinstance(inside, Entered) else trace
                told[key] = CatchClause(own, program, clause.at).find_failure_text(of_any=True)
                if told[key] is not None:
                    yield RunFinding("tells exception", each, told[key])


def _is_in_any_clause(event: Event, _program: Program) -> bool:
    return _find_clause(event) is not None


def _find_clause(event: Event) -> Context | None:
    """Return the innermost clause of its function in which an event happens, of those that take exceptions."""
    return next((around for around in event.iter_outwards() if around.condition == "handles"), None)


def _reads_stack(event: Event, program: Program) -> bool:
    """Return whether a call reads what is being called."""
    model = program.models.find_model(event.path) if isinstance(event, Called) and event.path else None
    return model is not None and "stack" in model.labels


def _may_tell(event: Entered, origins: Origins, program: Program) -> bool:
    """Return whether a function that is called may read what is being called, or is handed it."""
    return event.trace.leads_to(_reads_stack, program) or any(map(_is_of_stack, origins.values()))


def _is_of_stack(labels: frozenset[object]) -> bool:
    return any(getattr(each, "origin", "") == "stack" for each in labels)


def _find_answer_value(occurrence: Occurrence, program: Program) -> Value | None:
    """Return the value that an event returns or raises to the caller of the handler; None if it does neither."""
    event = occurrence.event
    if isinstance(event, Returned):
        return event.value
    if isinstance(event, Raised) and event.value is not None:
        kinds = collect_kinds(event.value)
        if not kinds or any(leaves(program, occurrence, each) for each in kinds):
            return event.value
    return None


def locate_answer(occurrence: Occurrence) -> Text:
    """Return the expression that gives an answer."""
    return occurrence.event.code.extract_text(find_result_site(occurrence.event))


def find_result_site(event: Event) -> Site:
    """Return the place of what an event gives."""
    return event.given if isinstance(event, Returned) else event.at


def _find_stack_in(occurrence: Occurrence, value: Value, told: set[CallInCode], deep: int) -> Occurrence | None:
    """Return the call whose function put what is being called into a value, None if none did or it was told already."""
    here, value = occurrence.trace_source(value)
    if _find_given_by(here, value) in told:
        return None
    inner = _collect_inner(value) if deep else ()
    holding = [each for each in inner if each.contents or _is_of_stack(here.resolve_labels(each))]
    found = (_find_stack_in(here, each, told, deep - 1) for each in holding)
    first = next((each for each in found if each is not None), None)
    if first is not None or any(_is_of_stack(here.resolve_labels(each)) for each in holding):
        return first
    return here if _is_of_stack(here.resolve_labels(value)) else None


def _find_given_by(here: Occurrence, value: Value) -> CallInCode | None:
    """Return the call of a function of the project that gave a value, None if none did."""
    match value.term:
        case ("via", site, _) | ("awaits", _, site):
            return here.event.code, site
    return None


def _collect_inner(value: Value) -> tuple[Value, ...]:
    """Return the values that a value contains, may be, or is made from."""
    return (*(value.contents or {}).values(), *value.sources)


class CatchClause:
    """What one clause does with the failures that it catches. `trace` is a run of the function that it stands in."""

    def __init__(self, trace: Trace, program: Program, clause: Site) -> None:
        self._trace, self._program, self._clause = trace, program, clause

    def find_stack(self) -> Text | None:
        """Return by what an answer says what was being called, None if none does."""
        for each, value in self._iter_answers():
            if _find_stack_in(each, value, set(), DEEPEST) is not None:
                return locate_answer(each)
        return None

    def find_failure_text(self, *, of_any: bool = False) -> Text | None:
        """Return the text of the failure that an answer contains, None if it contains none.

        With `of_any` only the failure's own text counts, in code that did not test the kind of failure.
        """
        search = FailureTextSearch(self._trace, self._program, of_any, dict(iter_tests(self._trace)) if of_any else {})
        for each, value in self._iter_answers():
            teller = search.find_teller(each, value, None if of_any else each, DEEPEST)
            if teller is not None:
                if isinstance(teller.event, Entered):
                    return teller.event.text
                is_inner = teller.event.code.around is each.event.code and find_result_site(each.event).holds(
                    teller.event.at
                )
                is_here = of_any or is_inner or teller.event is each.event
                return self._place(teller, search) if is_here else self._get_outside(each, search)
        return None

    def _get_outside(self, occurrence: Occurrence, search: "FailureTextSearch") -> Text:
        """Return the part of an answer that says what the failure says, where another function makes the text."""
        return locate_answer(occurrence)

    def log_event(self) -> Log | None:
        """Return the event that logs the failure, preferably as an error, or that may log it in unseen code; None if
        none does.
        """
        found = [log_of(each, self._program.models) for each in self.iter_log_calls() if not _is_for_debugging(each)]
        return next((each for each in found if each.level == "error"), found[0] if found else None)

    def answer(self) -> Text | None:
        """Return the text that every client gets who is answered; None if a run makes it, or if there are several."""
        found = [find_constant_text(each, value, self._program.models) for each, value in self._iter_answers()]
        told = [each for each in found if each is not None]
        return told[0] if len(told) == len(found) == 1 else None

    def find_call_text(self) -> Text | None:
        """Return the answer in whose text something of the call is told, None if no answer has such a text."""
        return next(
            (
                locate_answer(each)
                for each, value in self._iter_answers()
                if is_of_call(each, value, self._program.models)
            ),
            None,
        )

    def iter_log_calls(self) -> Iterator[Called]:
        """Yield the calls that log the failure, or may do it out of sight."""
        for each in self._iter_occurrences():
            event = each.event
            if isinstance(event, Called) and not event.followed:
                if not LOGGING.isdisjoint(collect_acts(event, self._program.models)) or self._may_log(each, event):
                    yield event

    def _may_log(self, occurrence: Occurrence, event: Called) -> bool:
        """Return whether a call of unknown code may log: it receives the failure, or has the name of a log function."""
        if event.path.startswith("builtins.") or (
            event.path and self._program.models.find_model(event.path) is not None
        ):
            return False
        if event.path.rpartition(".")[2] in METHODS and event.receiver is not None:
            return True
        return any(is_caught(occurrence.trace_source(each)[1]) for each in event.values)

    def _iter_occurrences(self) -> Iterator[Occurrence]:
        """Yield the occurrences in the clause and in the functions it calls."""

        def enters(event: Entered, _: object) -> bool:
            return event.code is not self._trace.code or event.is_in_clause(self._clause)

        for each in self._trace.iter_occurrences(enters):
            if each.caller is not None or each.event.is_in_clause(self._clause):
                yield each

    def _iter_answers(self) -> Iterator[tuple[Occurrence, Value]]:
        """Yield the values that the clause, or a function it calls, returns or raises out of the handler."""
        for each in self._iter_occurrences():
            value = _find_answer_value(each, self._program)
            if value is not None and (isinstance(each.event, Raised) or each.caller is None):
                yield each, value
        for event in self._trace.events:  # what the clause only keeps may be told after it
            if isinstance(event, Returned) and event.at.start >= self._clause.end and self._keeps(event.value, DEEPEST):
                yield Occurrence(event), event.value

    def _keeps(self, value: Value, deep: int) -> bool:
        """Return whether a value is, or has in it, the failure that the clause caught."""
        if find_original_term(value.term) == ("caught", self._trace.code, self._clause):
            return True
        is_of_one = any(each.origin == "exception" for each in value.labels)
        return is_of_one and bool(deep) and any(self._keeps(each, deep - 1) for each in _collect_inner(value))

    def _place(self, occurrence: Occurrence, search: "FailureTextSearch") -> Text:
        """Return the part of an answer that says what the failure says, as far as one expression made it, else the whole."""
        event = occurrence.event
        within = find_result_site(event)
        for each in self._iter_occurrences():
            made = each.event
            if isinstance(made, Called) and made.code is event.code and within.holds(made.at):
                if not made.followed and search.tells(each, made.result):
                    return made.text
        texts = [
            each.at
            for each in iter_text_expressions(event)
            if isinstance(each, ir.Interpolation) and within.holds(each.at)
        ]
        return event.code.extract_text(texts[0]) if len(texts) == 1 else locate_answer(occurrence)


def iter_tests(trace: Trace) -> Iterator[tuple[tuple[Code, Term], Value]]:
    """Yield the tests that are made, each by the function and by the term of what it asks."""
    for each in trace.iter_occurrences():
        if isinstance(each.event, Tested):
            test, _ = strip_negations(each.event.value)
            yield (each.event.code, test.term), test


def iter_text_expressions(event: Event) -> Iterator[ir.Interpolation | ir.Constant]:
    """Yield the texts in the function of an event, those that are put together of parts and those that are written."""
    for statement in ir.iter_statements(event.code.body):
        for each in ir.iter_expressions(statement):
            if isinstance(each, ir.Interpolation) or (isinstance(each, ir.Constant) and isinstance(each.value, str)):
                yield each


@dataclass(frozen=True, slots=True)
class FailureTextSearch:
    """A search for what a failure says: `of_any` failure, or also of one of which somebody asked what it is."""

    trace: Trace
    program: Program
    of_any: bool
    tests: Mapping[tuple[Code, Term], Value]

    def find_teller(
        self, occurrence: Occurrence, value: Value, maker: Occurrence | None, deep: int
    ) -> Occurrence | None:
        """Return where a function made a text of the failure that a value holds; None if it holds none.

        `maker` is that place where the value is put into a text already.
        """
        returned = list(self._iter_returned_values(occurrence, value)) if deep else []
        if returned:
            inner = (self.find_teller(each, given, maker and each, deep - 1) for each, given in returned)
            return next((each for each in inner if each is not None), None)
        if self.of_any and self._is_told_apart(occurrence, value):
            return None
        here, value = occurrence.trace_source(value)
        if is_caught(value):
            return maker
        held = (*(value.contents or {}).values(), *((value.failure,) if value.failure is not None else ()))
        kept = list(self._iter_base_arguments(value)) if deep else []
        if not deep or not (held or kept or any(each.origin == "exception" for each in here.resolve_labels(value))):
            return None
        made = here if self._is_text(value) else maker
        found = chain(
            (self.find_teller(here, each, maker, deep - 1) for each in held),
            (self.find_teller(inside, each, maker, deep - 1) for inside, each in kept),
            (self.find_teller(here, each, made, deep - 1) for each in self._collect_inner_values(value)),
        )
        return next((each for each in found if each is not None), made if self._is_current(value) else None)

    def tells(self, occurrence: Occurrence, value: Value) -> bool:
        """Return whether a value holds a text that was made of the failure."""
        return self.find_teller(occurrence, value, None, DEEPEST) is not None

    def _iter_returned_values(self, occurrence: Occurrence, value: Value) -> Iterator[tuple[Occurrence, Value]]:
        """Yield the values that a function of the project returns, if a value is the result of its call."""
        call, caller = _find_given_by(occurrence, value), occurrence.caller
        for entered in occurrence.find_own_trace(self.trace).events if call is not None else ():
            if isinstance(entered, Entered) and (entered.code, entered.at) == call:
                around = Occurrence(entered, caller, occurrence.origins, occurrence.constants)
                origins = {
                    label: translate_labels(labels, occurrence.origins or {})
                    for label, labels in entered.labels.items()
                }
                for each in entered.trace.events:
                    if isinstance(each, Returned):
                        yield Occurrence(each, around, origins), each.value

    def _iter_base_arguments(self, value: Value) -> Iterator[tuple[Occurrence, Value]]:
        """Yield the values that an object hands to its class's base in a library, which keeps them: `super().__init__(text)`."""
        made = (each for each in value.things if isinstance(each, Instance))
        if any(self._writes_own_text(each) for each in made):
            return
        for each in find_initial_calls(self.trace, self.program, value):
            if isinstance(each.event, Called):
                yield from ((each, given) for given in (*each.event.arguments, *each.event.named.values()))

    def _writes_own_text(self, made: Instance) -> bool:
        """Return whether the class says what an object tells as a text, which may be less than its base keeps."""
        method = self.program.find_method(made, "__str__")
        return method is not None and any(isinstance(each, Function) for each in method.things)

    def _collect_inner_values(self, value: Value) -> tuple[Value, ...]:
        """Return the possible values of a value, or its parts, if they may contain the same text."""
        match value.meaning:
            case ConditionalValue(test, then, otherwise):
                is_asked = self.of_any and any(_asks_kind(test, each) for each in iter_parts(then))
                return (otherwise,) if is_asked else (then, otherwise)
            case Made(by, _) if by in CLASSES:
                return ()
            case Made(by, of) if (
                self.of_any and self.program.models.find_model(by) is None and "." in by and by not in OWN
            ):
                return ()
            case Made(of=of):
                return of
        return ()

    def _is_text(self, value: Value) -> bool:
        by = value.meaning.by if isinstance(value.meaning, Made) else ""
        return by in TEXTUAL or by in OWN or self.program.models.get_model(by).returns in ("text", "same text")

    def _is_told_apart(self, occurrence: Occurrence, value: Value) -> bool:
        """Return whether somebody asked of which kind a value is, or what it has, before something is done with it."""
        here: Occurrence | None = occurrence
        while here is not None:
            event = here.event
            fact = event.facts.get(value.term)
            if fact is not None and fact.kinds:
                return True
            true = (self.tests.get((event.code, term)) for term, fact in event.facts.items() if fact.truth)
            if any(test is not None and _asks_kind(test, value) for test in true):
                return True
            handed = here.caller.event if here.caller is not None else None
            inner = handed.given.get(value.term) if isinstance(handed, Entered) else None
            if inner is None:
                return False
            here, value = here.caller, inner
        return False

    def _is_current(self, value: Value) -> bool:
        """Return whether a value is the failure that is being handled, or its text, as a library gives it."""
        return "exception" in self.program.models.get_maker_model(value).labels


# Where an operator reads a cause; what goes to the client's log does not reach one.
LOGGING = frozenset({"logs", "prints to stderr"})

METHODS = frozenset({"exception", "error", "critical", "fatal", "warning", "warn", "info", "log"})
"""The methods by which logs are told something that is read, whatever library they are of."""

# A failure that is put into a text by one of these is still told by it.
TEXTUAL = frozenset({"text", "+", "%"})
CLASSES = frozenset({"builtins.type", ".__class__"})
"""What gives the class of a failure, which says nothing of what the failure says."""

OWN = frozenset({".args", ".message", ".msg", ".strerror", ".filename", ".detail", ".details"})
"""The fields of an exception that hold its text, or a part of it."""


def _is_for_debugging(event: Called) -> bool:
    """Return whether a log is told something that is off where it would be needed."""
    level = event.find_argument(0, "level") if event.path.endswith(".log") else None
    names = [each.path.rpartition(".")[2] for each in level.things if isinstance(each, Library)] if level else []
    return event.path.endswith((".debug", ".trace")) or "DEBUG" in names


def is_caught(value: Value) -> bool:
    """Return whether a value is a failure that was caught."""
    return get_term_head(find_original_term(value.term)) == "caught"


ASKING = CLASSES | {"builtins.hasattr", "builtins.getattr"}
"""What asks of which kind a failure is, or what it has."""


def _asks_kind(test: Value, value: Value) -> bool:
    """Return whether a condition asks of which kind a value is, or what it has."""
    if isinstance(test.meaning, Relation) and test.meaning.operator == "kind":
        return test.meaning.left.term == value.term
    asked = (each.meaning for each in iter_parts(test) if isinstance(each.meaning, Made) and each.meaning.by in ASKING)
    return any(each.of and each.of[0].term == value.term for each in asked)
