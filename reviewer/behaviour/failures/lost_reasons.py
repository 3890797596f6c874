"""Refusals of other hosts of which the client is told the status, and never the body in which the host says why."""

from collections.abc import Iterator

from reviewer.behaviour.failures.lost_causes import is_bad_status, is_beside
from reviewer.behaviour.failures.statuses import READING, TELLING, iter_nested_values
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import tells_failure
from reviewer.behaviour.values.texts import LARGEST, iter_parts
from reviewer.caching import cache_latest
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Context, Entered, Event, Occurrence, Raised, Returned, Trace
from reviewer.code.ir import Code
from reviewer.code.models import ActName
from reviewer.code.program import Program
from reviewer.code.values import Made, Value
from reviewer.text.patterns import pattern

ASKING: ActName = "any status"
CONCERNING = frozenset({ASKING, READING, TELLING})

REQUESTING = frozenset[ActName]({"posts", "changes remote", "requests by method"})
"""Requests that send something, which the host may find fault with: what refuses a plain `get` is its status, or is a page."""

ABOUT = pattern(r"\.?(?:.*\.)?(?:status\w*|reason(?:_phrase)?|canonical_reason|url|as_u16|as_str|host_str|path)")
"""The members of a response, of its status and of its address, that say nothing of what its body says."""

RESPONSE = "response"
"""The field of exceptions of HTTP clients (httpx, requests) that has the response: who reads it may read the body."""


def iter_dropped_reasons(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where a request that sends something fails by its status, and no code reads the body that says why.

    Only where a client has a part in what is asked: else the body speaks of what the client cannot change.
    """
    if trace.reaches(_asks, program) and not any(map(_asks_for_response, trace.collect_codes())):
        yield from _Dropped(trace, program).iter_findings()


def _asks(trace: Trace, _program: Program) -> bool:
    return not trace.acts.isdisjoint((ASKING, TELLING))


class _Dropped:
    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program, self._models = trace, program, program.models

    def iter_findings(self) -> Iterator[RunFinding]:
        found, asked, told = list[RunFinding](), set[str](), set[str]()
        for each in self._trace.iter_occurrences(_enters, kinds=(Called, Raised, Returned)):
            event = each.event
            if isinstance(event, Called):
                acts = collect_acts(event, self._models)
                library = event.path.split(".")[0]
                asked |= {library} if ASKING in acts else set()
                told |= {library} if not event.followed and library not in told and _is_of_client(each) else set()
                is_refused = TELLING in acts and "fails" in acts and event.receiver is not None
                if is_refused and self._is_sent(each, event.receiver) and not self._is_read(each, None):
                    found.append(RunFinding("drops reason", each))
            elif (status := self._find_status(each)) is not None and self._is_sent(each, status.value):
                if not self._is_read(each, status):
                    found.append(RunFinding("drops reason", each))
        yield from found if asked & told else ()  # a request may be put together by several calls of its library

    def _is_sent(self, here: Occurrence, value: Value | None) -> bool:
        """Return whether a response, or what is told of one, is that of a request which sends something."""
        made = (part.meaning for _, part in iter_parts(here, value)) if value is not None else ()
        return any(
            isinstance(each, Made) and not REQUESTING.isdisjoint(self._models.get_model(each.by).acts) for each in made
        )

    def _find_status(self, here: Occurrence) -> Context | None:
        """Return the test of a bad status for which a call fails, saying no more of the response than what its head says."""
        event = here.event
        status = next((each for each in event.iter_outwards() if is_bad_status(each)), None)
        if status is None:
            return None
        if isinstance(event, Raised):
            return status if event.value is not None and self._says_status(here, event.value) else None
        assert isinstance(event, Returned)
        told = event.value.failure
        if told is None and tells_failure(here, event.value, self._models):
            told = event.value
        return status if told is not None and self._says_status(here, told) else None

    def _says_status(self, here: Occurrence, value: Value) -> bool:
        """Return whether a text tells of a response by its status, and hands on nothing else of it."""
        waiting, is_told = [(here, value)], False
        for number in range(LARGEST):
            if number >= len(waiting):
                return is_told
            at, part = waiting[number]
            at, part = at.trace_source(part)
            if isinstance(part.meaning, Made) and ABOUT.fullmatch(part.meaning.by) is not None:
                is_told = is_told or _is_of_host(at, part)
                continue
            inner = [*(part.contents or {}).values(), *part.sources]
            if not inner and _is_of_host(at, part):
                return False
            waiting += [(at, each) for each in inner]
        return False

    def _is_read(self, here: Occurrence, status: Context | None) -> bool:
        """Return whether the function has read a body before, or beside: in the branch for the bad status."""
        return any(
            each.at.start < here.event.at.start and not is_beside(each, status) and self._reads(each)
            for each in here.find_own_trace(self._trace).events
        )

    def _reads(self, event: Event) -> bool:
        if isinstance(event, Called) and READING in collect_acts(event, self._models):
            return True
        made = (each.meaning.by for each in iter_nested_values(event.values) if isinstance(each.meaning, Made))
        return any(READING in self._models.get_model(each).acts for each in made)


def _is_of_client(here: Occurrence) -> bool:
    """Return whether a call is handed something that a client says."""
    values = iter_nested_values(here.event.values)
    return any(label.origin == "argument" for value in values for label in here.resolve_labels(value))


def _is_of_host(here: Occurrence, value: Value) -> bool:
    return any(each.origin == "network" for each in here.resolve_labels(value))


def _enters(event: Entered, _origins: object) -> bool:
    return not event.trace.acts.isdisjoint(CONCERNING)


@cache_latest(maxsize=4096)
def _asks_for_response(code: Code) -> bool:
    """Return whether a function takes more of the response of an exception than its status, other than for an exception."""
    inner = [
        each
        for statement in ir.iter_statements(code.body)
        for each in ir.iter_expressions(statement)
        if not isinstance(statement, ir.Call) or not _is_given_on(each, statement)
    ]
    heads = {each.owner for each in inner if isinstance(each, ir.Field) and ABOUT.fullmatch(each.name)}
    return any(isinstance(each, ir.Field) and each.name == RESPONSE and each not in heads for each in inner)


def _is_given_on(expression: ir.Expression, call: ir.Call) -> bool:
    """Return whether an expression is the response that a call gets by this name, as exceptions of HTTP clients do."""
    return any(each.name == RESPONSE and each.value is expression for each in call.arguments)
