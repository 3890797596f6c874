"""Credentials of the server that stand in the address of a request, of whose failure the client is told with that address."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from reviewer.behaviour.arguments.inputs import CLIENTS
from reviewer.behaviour.failures.error_boundaries import FailureTextSearch, iter_tests
from reviewer.behaviour.failures.error_texts import ErrorTexts
from reviewer.behaviour.failures.exceptions import iter_failures
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import Answers, find_answers
from reviewer.behaviour.values.names import names_credential
from reviewer.behaviour.values.texts import DEEPEST, collect_compositions
from reviewer.code.acts import find_modelled_argument
from reviewer.code.events import (
    Called,
    Caught,
    Context,
    Entered,
    Occurrence,
    Origins,
    Raised,
    Returned,
    Stored,
    Trace,
    translate_labels,
)
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_kinds, is_caught
from reviewer.code.models import Model, Models
from reviewer.code.program import Program
from reviewer.code.values import REQUEST, Class, ConditionalValue, Key, Library, Made, Term, Value, find_original_term
from reviewer.source import Text
from reviewer.text.patterns import pattern


def iter_leaked_credentials(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the requests with a credential in their address whose failure tells the client of that."""
    if not trace.reaches(_names_address, program):
        return
    asked = [
        found
        for each in trace.iter_occurrences(_build_asking_filter(program), kinds=(Called,))
        for found in _iter_credential_requests(each, trace, program)
    ]
    leaks = (_Raised(trace, program) if program.raises else _Given(trace, program)) if asked else None
    asking, told = list[RunFinding](), set[Code]()
    for each, name, model in asked:
        if leaks is not None and leaks.tell(each, model):
            found = RunFinding("tells credential", each, about=Text(name, each.event.text.span))
            if "tells status" in model.acts:
                told.add(each.event.code)
                yield found
            else:
                asking.append(found)
    yield from (each for each in asking if each.occurrence.event.code not in told)  # its answer is told of as well


def _build_asking_filter(program: Program) -> Callable[[Entered, Origins], bool]:
    return lambda event, _: event.trace.reaches(_names_address, program)


def _iter_credential_requests(
    here: Occurrence, trace: Trace, program: Program
) -> Iterator[tuple[Occurrence, str, Model]]:
    """Yield a call that asks an address with a credential in it, or what was answered for one, with the name of that."""
    if isinstance(here.event, Called):
        model = program.models.get_model(here.event.path)
        name = _get_asked_with(here, here.event, model, trace, program.models) if model.address_in else ""
        if name:
            yield here, name, model


def _names_address(trace: Trace, program: Program) -> bool:
    """Return whether a function makes a call by itself whose failure names the address that was asked."""
    return any(isinstance(each, Called) and program.models.get_model(each.path).address_in for each in trace.events)


def _get_asked_with(here: Occurrence, event: Called, model: Model, trace: Trace, models: Models) -> str:
    """Return the name of a credential in the address that a call asks, or that its receiver answers for; empty if none is."""
    told = [held.get(key) for held in _iter_held(event.receiver, models) for key in ASKED]
    if "network" in model.acts:
        told += [
            find_modelled_argument(event, model),
            event.find_argument(model.of + 1, "url") if model.keyword == "method" else None,
        ]
        told.append(event.named.get("params"))
    return next(
        (name for each in told if each is not None and (name := _get_credential_in(here, each, trace, models))), ""
    )


def _iter_held(value: Value | None, models: Models) -> Iterator[Mapping[Key, Value]]:
    """Yield the contents of a client, a request or an answer, and those of the request of an answer."""
    if value is not None:
        held = value.contents or {}
        yield held
        yield from _iter_held(held.get(REQUEST), models)
        match value.meaning:
            case Made(by, (request, *_)) if models.get_model(by).address_in:
                yield from _iter_held(request, models)


ASKED = (("0",), ("1",), ("url",), ("params",), ("query",), ("base_url",))
"""Under which an answer, or a client, holds what it was asked, or made, with."""


def _iter_written(here: Occurrence, value: Value, trace: Trace) -> Iterator[tuple[Key, Value]]:
    """Yield the entries that a function writes into an object that it received: `params["api_key"] = KEY`."""
    for each in here.find_own_trace(trace).events:
        if isinstance(each, Stored) and each.owner.term == value.term and each.key is not None and each.key.text:
            yield each.key.text, each.value


QUERIED = pattern(r"[?&]([\w.-]+)=$")
"""What stands in an address before the value of a parameter."""


def _get_credential_in(here: Occurrence, value: Value, trace: Trace, models: Models) -> str:
    """Return the name of a credential in an address, or among the parameters of its query."""
    at, found = here.trace_source(value)
    held = [(at, key, each) for key, each in (found.contents or {}).items()]
    for there, key, each in (*held, *((here, *entry) for entry in _iter_written(here, value, trace))):
        pair = each.contents or {}  # `[("key", key)]`
        named = key if isinstance(key, str) else pair[0].text if 0 in pair and 1 in pair else None
        if named is not None and (
            name := _get_credential(there, each if isinstance(key, str) else pair[1], named, models)
        ):
            return name
    for text in collect_compositions(here, value, models):
        for place, part in enumerate(text):
            before = QUERIED.search(text[place - 1].text or "") if place and part.text is None else None
            if before is not None and (name := _get_credential(part.here, part.value, before[1], models)):
                return name
    return ""


OTHERS = frozenset({*CLIENTS, "cut", "network", "database"})
"""Where what comes from is no credential of the server: of the client, of what the service answered."""


def _get_credential(occurrence: Occurrence, value: Value, key: str, models: Models) -> str:
    """Return the name by which a value that stands under a key is a credential of the server; empty if it is none."""
    here, value = occurrence.trace_source(value)
    if value.constants is not None or any(each.origin in OTHERS for each in here.resolve_labels(value)):
        return ""
    names = (key, *_iter_names(here, value, models, DEEPEST))
    return next((each for each in names if each.lower() in QUERY_KEYS or names_credential(each)), "")


QUERY_KEYS = frozenset({"appid"})
"""What services call a credential in a query that no name of a variable says: openweathermap.org/appid."""


def _iter_names(occurrence: Occurrence, value: Value, models: Models, deep: int) -> Iterator[str]:
    """Yield the names of a value: of the variable of the environment, and of the fields that it is."""
    here, value = occurrence.trace_source(value)
    match value.meaning if deep else None:
        case Made("item", (_, key)) if key.text is not None:
            yield key.text
        case Made(by, (name, *_)) if "environment" in models.get_model(by).labels and name.text is not None:
            yield name.text
        case Made(by, (owner,)) if by.startswith("."):
            yield by[1:]
            yield from _iter_names(here, owner, models, deep - 1)
        case ConditionalValue(_, then, otherwise):
            for each in (then, otherwise):
                yield from _iter_names(here, each, models, deep - 1)


class _Raised:
    """A search for what the client is told of exceptions."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._answers: Answers = find_answers(trace, program)
        self._search = FailureTextSearch(trace, program, True, dict(iter_tests(trace)))

    def tell(self, occurrence: Occurrence, model: Model) -> bool:
        """Return whether the client is told what the exceptions say by which a call fails."""
        return any(self.tells(occurrence, Library(kind), DEEPEST) for kind in model.address_in)

    def tells(self, occurrence: Occurrence, kind: Class | Library, deep: int) -> bool:
        """Return whether the client is told what an exception of a class says that is raised somewhere."""
        for here in occurrence.iter_outwards():
            for around in here.event.iter_outwards():
                if around.condition == "task":
                    return False
                if is_caught(self._program, around, kind):
                    clause = self._find_catching_clause(here, around, kind)
                    return clause is not None and bool(deep) and self._passes(here, clause, kind, deep)
        is_meant = isinstance(kind, Library) and "tool error" in self._program.models.get_model(kind.path).acts
        return is_meant or not self._program.masks_errors()

    def _find_catching_clause(self, here: Occurrence, around: Context, kind: Class | Library) -> Caught | None:
        """Return the first clause of a `try` that takes exceptions of a class."""
        for each in self._trace.iter_occurrences(kinds=(Caught,), code=here.event.code):
            clause = each.event
            if isinstance(clause, Caught) and clause.tried == around.at:
                if is_caught(self._program, Context("catches", clause.at, types=clause.types), kind):
                    return clause
        return None

    def _passes(self, here: Occurrence, clause: Caught, kind: Class | Library, deep: int) -> bool:
        """Return whether a clause answers what the exception says that it took, or raises that for one that does."""
        callers = _collect_callers(here)
        for each in self._trace.iter_occurrences(kinds=(Raised, Returned), code=clause.code):
            if _collect_callers(each) != callers or not any(
                around.condition == "handles" and around.at == clause.at for around in each.event.iter_outwards()
            ):
                continue
            event = each.event
            if isinstance(event, Returned):
                if self._search.tells(each, event.value) and self._answers.is_answer(each):
                    return True
            elif isinstance(event, Raised) and (
                event.value is None or find_original_term(event.value.term) == find_original_term(clause.value.term)
            ):
                if self.tells(each, kind, deep - 1):
                    return True
            elif isinstance(event, Raised) and event.value is not None and self._search.tells(each, event.value):
                if any(self.tells(each, one, deep - 1) for one in collect_kinds(event.value)):
                    return True
        return False


def _collect_callers(here: Occurrence) -> tuple[int, ...]:
    return tuple(id(each.event) for each in here.iter_outwards())[1:]


class _Given:
    """A search for what the client is told of failures that functions give back."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._texts = ErrorTexts(trace, program, lambda _here, _value: (True, True))

    def tell(self, occurrence: Occurrence, _model: Model) -> bool:
        """Return whether the client is told why a call fails."""
        return (occurrence.event.code, occurrence.event.at) in self._told

    @cached_property
    def _told(self) -> set[tuple[Code, Site]]:
        """The calls of which the client is told why they fail."""
        found = set[tuple[Code, Site]]()
        for each in self._trace.iter_occurrences(kinds=(Raised, Returned)):
            for here, part in self._texts.iter_parts(each):
                found.update(self._iter_failing_calls(here, part, DEEPEST))
        return found

    def _iter_failing_calls(self, here: Occurrence, value: Value, deep: int) -> Iterator[tuple[Code, Site]]:
        """Yield the calls whose reason to fail a value is, also within a function of the project that gave it back."""
        match find_original_term(value.term):
            case ("reason", term):
                yield from self._iter_calls_of_term(here, term, deep)

    def _iter_calls_of_term(self, here: Occurrence, term: Term, deep: int) -> Iterator[tuple[Code, Site]]:
        """Yield the calls by which a value fails."""
        match term:
            case ("call", Code() as code, Site() as at):
                yield code, at
            case ("via", Site() as at, _) | ("awaits", _, Site() as at) if deep:
                for there, event in self._iter_inside(here, at):
                    fact = event.facts.get(event.value.term)
                    if fact is None or fact.failed is not False:
                        yield from self._iter_calls_of_term(there, find_original_term(event.value.term), deep - 1)
                    for failure in iter_failures(event.value):
                        for found, part in self._texts.iter_shown_parts(there, failure):
                            yield from self._iter_failing_calls(found, part, deep - 1)

    def _iter_inside(self, here: Occurrence, at: Site) -> Iterator[tuple[Occurrence, Returned]]:
        """Yield the results of a project function that is called at a place in another."""
        for each in here.find_own_trace(self._trace).events:
            if isinstance(each, Entered) and (each.code, each.at) == (here.event.code, at):
                around = Occurrence(each, here.caller, here.origins, here.constants)
                origins = {label: translate_labels(labels, here.origins or {}) for label, labels in each.labels.items()}
                for event in each.trace.events:
                    if isinstance(event, Returned):
                        yield Occurrence(event, around, origins), event
