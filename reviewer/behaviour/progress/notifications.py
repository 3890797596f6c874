"""Progress notifications: whose token they bear, how their numbers run, and how often they are sent."""

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from reviewer.behaviour.progress.loops import (
    Around,
    LoopChange,
    LoopVariables,
    extract_first_line,
    is_made_in,
    is_momentary,
    iter_loops_around,
    paces,
)
from reviewer.behaviour.progress.passing import Tests
from reviewer.behaviour.progress.tokens import classify_token, find_made_part, is_looked_at
from reviewer.behaviour.progress.written import find_argument, find_entry, leaves_after, locate_creation, place_of
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code import ir
from reviewer.code.acts import collect_acts
from reviewer.code.events import Awaited, Called, Entered, Event, Looped, Occurrence, Raised, Returned, Stored, Trace
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import infer_constants, infer_interval
from reviewer.code.values import (
    ELEMENT,
    Interval,
    Key,
    Made,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import ProgressPlace
from reviewer.facts.protocol import Trend
from reviewer.source import Text

# The name in JSON, and the field that SDKs make of it.
TOKENS = ("progressToken", "progress_token")
METHOD = "notifications/progress"
DEEPEST = 4
"""How many objects inside objects a notification may be in: a message holds parameters, which an SDK wraps."""

SMALL = 200
"""Iterations. A loop that certainly has no more is bounded."""

WRAPPING = ("ProgressToken", "NumberOrString.String", "NumberOrString.Number")
"""How the paths of the types end by which rmcp makes a token of a text or a number."""

# A round that does one of these takes so long that a notification for each is not too many.
LASTING = frozenset({"blocks", "sleeps", "network", "runs command"})


class Send(NamedTuple):
    """A place that sends progress, or makes what is sent, and what it says."""

    occurrence: Occurrence
    receiver: Value | None
    token: Value | None
    value: Value | None
    total: Value | None
    written: tuple[ir.Expression | None, ir.Expression | None]
    """How the token and the number are written there."""


def iter_progress_places(functions: EntryPoints) -> Iterator[ProgressPlace]:
    """Yield the places that send progress, in tools and in functions without a known caller."""
    names = functions.sending_progress
    found = functions.iter_leading(names) if functions.mentions(*names) else ()
    yield from _iter_distinct(each for start in found for each in _iter_progress(start.trace, functions.program))


def _iter_progress(trace: Trace, program: Program) -> Iterator[ProgressPlace]:
    """Yield where a function, or what it calls, sends progress, once for each place and what is known of it there."""
    if "notifies" not in trace.acts and "reports progress" not in trace.acts and not _may_hold(trace):
        return
    sends = list(_iter_sends(trace, program.models))
    if sends:
        found = _Progress(trace, program.models)
        before: Send | None = None
        for each in sends:
            yield found.build_place(each, before)
            before = each


def _may_hold(trace: Trace) -> bool:
    return any(_find_notification(each.value) for each in trace.events if isinstance(each, Returned))


def _iter_sends(trace: Trace, models: Models) -> Iterator[Send]:
    for each in trace.iter_occurrences(lambda event, _: _is_of_interest(event)):
        match each.event:
            case Called() as event if not event.followed:
                acts = collect_acts(event, models)
                if "reports progress" in acts:
                    yield from _iter_for_call(each, event, models)
                elif "notifies" in acts:
                    yield from _iter_for_values(each, event, event.receiver)
            case Returned() as event:
                yield from _iter_for_values(each, event, None, METHOD)


def _is_of_interest(event: Entered) -> bool:
    return not event.trace.acts.isdisjoint({"reports progress", "notifies"}) or _may_hold(event.trace)


def _iter_for_call(occurrence: Occurrence, event: Called, models: Models) -> Iterator[Send]:
    """Read a call that is told the number; its model says where that stands, the token stands before."""
    held = list(_iter_for_values(occurrence, event, event.receiver))
    if held:
        yield from held
        return
    place = models.get_model(event.path).of
    value = event.find_argument(place, "progress")
    total = event.find_argument(place + 1, "total")
    token = event.find_argument(place - 1, *TOKENS) if place else None
    written = find_argument(event, place - 1, *TOKENS) if place else None
    if value is not None:
        yield Send(occurrence, event.receiver, token, value, total, (written, find_argument(event, place, "progress")))


def _iter_for_values(occurrence: Occurrence, event: Event, receiver: Value | None, method: str = "") -> Iterator[Send]:
    """Read the notification that an event is handed, as an object with a token and a number."""
    for each in event.values:
        here, given = occurrence.trace_source(each)
        found = _find_notification(given, method)
        if found is not None and each is not receiver:
            held = _collect_entries(found)
            token = next(held[name] for name in TOKENS if name in held)
            written = find_entry(found, *TOKENS), find_entry(found, "progress")
            yield Send(here, _as_in(here, occurrence, receiver), token, held["progress"], held.get("total"), written)


def _as_in(here: Occurrence, occurrence: Occurrence, value: Value | None) -> Value | None:
    """Return a value as a caller has it, None if it did not hand it on."""
    if value is None or here is occurrence:
        return value
    caller, found = occurrence.trace_source(value)
    return found if caller is here else None


def _find_notification(value: Value, method: str = METHOD, deep: int = DEEPEST) -> Value | None:
    """Return the object with a token and a number that a value is or holds, if the method beside it is one."""
    held = _collect_entries(value)
    if not held or not deep:
        return None
    if "progress" in held and any(name in held for name in TOKENS) and not method:
        return value
    if method and (held["method"].text if "method" in held else None) == method:
        method = ""
    return next(
        (found for each in held.values() if (found := _find_notification(each, method, deep - 1)) is not None), None
    )


def _collect_entries(value: Value) -> dict[str, Value]:
    return {name: each for key, each in (value.contents or {}).items() if (name := _get_name(key))}


def _get_name(key: Key) -> str:
    found = key[0] if isinstance(key, tuple) and key != ELEMENT else key
    return found if isinstance(found, str) else ""


class _Progress:
    """What is known of the sends of one trace."""

    def __init__(self, trace: Trace, models: Models) -> None:
        self._trace, self._models = trace, models
        self._loop_variables = LoopVariables(trace, models)
        self._tests = Tests(trace, self._loop_variables, models)
        self._events = list(trace.iter_occurrences())

    def build_place(self, send: Send, before: Send | None) -> ProgressPlace:
        """Return the facts about one place that sends progress."""
        event, (token, value) = send.occurrence.event, send.written
        loops = [each for each in iter_loops_around(send.occurrence) if self._goes_on(send, each)]
        made, unguarded = self._collect_token(send, token)
        return ProgressPlace(
            event.text,
            made,
            unguarded,
            event.code.extract_text(value.at) if value is not None else event.text if send.value is not None else None,
            tuple(
                self._find_trend(send, each, tuple(inner.loop for inner in loops[:place]))
                for place, each in enumerate(loops)
            ),
            _find_since(send, before) or self._find_since_loop(send, before),
            _is_whole(send),
            self._has_failed(send.occurrence),
            next((found for each in loops if (found := self._find_every(send, each)) is not None), None),
        )

    def _goes_on(self, send: Send, around: Around) -> bool:
        """Return whether the rounds of a loop tell one client, and come after each other."""
        if send.receiver is not None and _changes_per_iteration(send.occurrence, send.receiver, around):
            return False
        inner = around.inner
        return not leaves_after(inner.event.code, inner.event.at, around.loop.at)

    def _collect_token(self, send: Send, written: ir.Expression | None) -> tuple[Text | None, Text | None]:
        """Return the place where a token is invented, and the client's token if its presence is never checked."""
        if send.token is None:
            return None, None
        here = send.occurrence
        match classify_token(here, send.token, self._models):
            case "made":
                part = find_made_part(here, send.token, self._models)
                place = self._wrap(part) or self._store(send.token, part) or place_of(part)
                return place if place is not None else locate_creation(here, send.token, written), None
            case "client":
                unwrapped = self._unwrap(here, send.token)
                if unwrapped is None and (here.is_under("catches") or is_looked_at(here, send.token)):
                    return None, None
                code = here.event.code
                return None, unwrapped or (code.extract_text(written.at) if written is not None else here.event.text)
        return None, None

    def _wrap(self, token: Value) -> Text | None:
        """Return where something is made a token of, by the type that an SDK has for that."""
        for each in self._events:
            if isinstance(each.event, Called) and each.event.path.endswith(WRAPPING):
                if _is_same(each.trace_source(each.event.result)[1].term, token.term):
                    return each.event.text
        return None

    def _store(self, token: Value, part: Value) -> Text | None:
        """Return the expression stored in the field of an object that holds the token, or the argument for it."""
        match token.term:
            case ("entry" | "field", _, (str() as name,)) | ("entry" | "field", _, str() as name):
                pass
            case _:
                return None
        for each in self._events:
            event = each.event
            if isinstance(event, Stored) and event.key is not None and event.key.text == name:
                if any(
                    _is_same(made.term, part.term)
                    for made in (event.value, find_made_part(each, event.value, self._models))
                ):
                    return locate_creation(each, event.value, None)
        return None

    def _unwrap(self, here: Occurrence, token: Value) -> Text | None:
        """Return the call that panics without a token; None if there is none, or the token is known to be present."""
        made = here.trace_source(token)[1].term
        for each in self._events:
            event = each.event
            if isinstance(event, Called) and event.receiver is not None:
                panics = "panics on failure" in collect_acts(event, self._models)
                if (
                    panics
                    and _is_same(each.trace_source(event.receiver)[1].term, made)
                    and not is_looked_at(each, event.receiver)
                ):
                    return event.text
        return None

    def _find_trend(self, send: Send, around: Around, inside: tuple[object, ...]) -> Trend | None:
        """Return how the number changes with the rounds of a loop, None if that cannot be told."""
        if send.value is None:
            return None
        change = self._loop_variables.change(send.occurrence, send.value, around.loop, inside)  # type: ignore[arg-type]
        found = _find_trend_of(change) if change is not None else None
        if found == "stays" and not inside:
            reasons = set(self._tests.iter_reasons(send.occurrence, around, _collect_spoken_of(send)))
            return found if reasons <= {"count", "time"} else None
        return found

    def _find_since_loop(self, send: Send, before: Send | None) -> Trend | None:
        """Return how the number changed where another loop goes through the same as the one before, and counts the same."""
        if before is None or send.value is None or before.value is None:
            return None
        own, other = (list(iter_loops_around(each.occurrence)) for each in (send, before))
        if len(own) != 1 or len(other) != 1:
            return None
        one, two = own[0].context, other[0].context
        is_certain = send.occurrence.event.context is one and before.occurrence.event.context is two
        if not is_certain or one.at == two.at or one.around is not two.around or one.value is None or two.value is None:
            return None
        if own[0].inner.caller is not other[0].inner.caller or self._find_trend(before, other[0], ()) != "grows":
            return None
        is_same = _describe(own[0].inner, one.value) == _describe(other[0].inner, two.value)
        counted = _describe(send.occurrence, send.value), _describe(before.occurrence, before.value)
        return "falls" if is_same and counted[0] == counted[1] else None

    def _has_failed(self, occurrence: Occurrence) -> bool:
        """Return whether something is done where the work has failed, and the failure goes on."""
        for each in occurrence.event.iter_outwards():
            if each.condition == "always":
                return True
            if each.condition == "handles":
                return any(_leaves_under(other.event, occurrence.event.code, each.at) for other in self._events)
            if each.condition == "test" and each.value is not None and _is_failing(each.value, each.holds):
                return True
        return False

    def _find_every(self, send: Send, around: Around) -> Text | None:
        """Return the loop that sends in each round, or the call in it that does, if rounds are many and quick."""
        reasons = set(self._tests.iter_reasons(send.occurrence, around, _collect_spoken_of(send)))
        if not reasons <= {"element"} or self._is_small(send, around) or self._is_paced(send.occurrence, around):
            return None
        if not self._is_awaited_over(around) and self._takes_time(around):
            return None
        code, at = around.loop
        if around.inner is not send.occurrence:
            return around.inner.event.text
        return extract_first_line(code, at)

    def _is_small(self, send: Send, around: Around) -> bool:
        over = around.context.value
        looped = self._find_loop_event(around)
        if over is not None and looped is not None:
            length = infer_interval(Value(("length", over.term), interval=_count(looped.value)), looped.facts)
            if length.high <= SMALL or _is_of_others(over):
                return True
        return send.value is not None and _get_span(send.occurrence, send.value) <= SMALL

    def _find_loop_event(self, around: Around) -> Looped | None:
        code, at = around.loop
        found = (each.event for each in self._events if isinstance(each.event, Looped))
        return next((each for each in found if each.code is code and each.at == at), None)

    def _is_awaited_over(self, around: Around) -> bool:
        """Return whether the elements of a loop are waited for, one after another, as those of a stream are."""
        code, at = around.loop
        found = (each.event for each in self._events if isinstance(each.event, Awaited))
        return any(each.code is code and each.at == at for each in found)

    def _is_paced(self, occurrence: Occurrence, around: Around) -> bool:
        """Return whether a function on the way from a loop to what sends looks at the clock, or sleeps."""
        codes = {occurrence.event.code}
        here: Occurrence | None = occurrence
        while here is not None and here is not around.inner:
            here = here.caller
            codes |= {here.event.code} if here is not None else set()
        return any(
            isinstance(each.event, Called) and each.event.code in codes and paces(each.event, self._models)
            for each in self._events
        )

    def _takes_time(self, around: Around) -> bool:
        """Return whether each round waits for something else than what is sent."""
        inner = around.inner.event
        managed = {each.at for each in inner.iter_outwards() if each.condition == "manager"}
        moments = {
            each.event.result.term
            for each in self._events
            if isinstance(each.event, Called) and is_momentary(each.event, self._models)
        }
        for each in self._events:
            event = each.event
            if isinstance(event, Called) and event.result.term in moments:
                continue
            if isinstance(event, Awaited) and event.value.term in moments:
                continue
            if not around.loop.holds(event.code, event.at) or event.at == around.loop.at:
                continue
            if event.at.holds(inner.at):
                continue
            if isinstance(event, Awaited) and event.at not in managed and not _is_element(event.value):
                return True
            if isinstance(event, Called) and not LASTING.isdisjoint(collect_acts(event, self._models)):
                return True
            if isinstance(event, Entered) and not LASTING.isdisjoint(event.trace.acts):
                return True
        return False


def _is_same(one: Term, other: Term) -> bool:
    """Return whether two terms are of one value, wherever it was handed on."""
    return find_original_term(one) == find_original_term(other)


def _is_element(value: Value) -> bool:
    """Return whether a value is the next one of a stream, which is waited for as the loop goes through it."""
    return get_term_head(value.term) == "element"


def _is_failing(test: Value, holds: bool) -> bool:
    """Return whether a test tells that a result is a failure."""
    test, holds = strip_negations(test, holds)
    return isinstance(test.meaning, Relation) and test.meaning.operator == "succeeds" and not holds


def _changes_per_iteration(occurrence: Occurrence, value: Value, around: Around) -> bool:
    term = value.term
    while isinstance(term, tuple) and term[0] in ("field", "entry"):
        term = term[1]  # a part of what comes from elsewhere does too
    here, value = occurrence.trace_source(Value(term))
    return is_made_in(here, value.term, around.loop)


def _collect_spoken_of(send: Send) -> "frozenset[object]":
    given = [each for each in (send.token, send.receiver) if each is not None]
    return frozenset(term for each in given for term in (each.term, send.occurrence.trace_source(each)[1].term))


def _find_trend_of(change: LoopChange) -> Trend | None:
    if change.comes_back:
        return "comes back"
    by = change.by
    return "stays" if by.low == by.high == 0 else "falls" if by.high < 0 else "grows" if by.low > 0 else None


def _find_since(send: Send, before: Send | None) -> Trend | None:
    """Return how the number changed since the previous certain notification."""
    if before is None or send.value is None or before.value is None or not _must_follow(send, before):
        return None
    one, other = _number(before.occurrence, before.value), _number(send.occurrence, send.value)
    if one is None or other is None:
        return None
    return "grows" if other > one else "stays" if other == one else "falls"


def _describe(here: Occurrence, value: Value, deep: int = DEEPEST) -> object:
    """Return the parts of a value, wherever it is written: two loops may count the same from the same number."""
    here, value = here.trace_source(value)
    if value.constants is not None or not deep or not isinstance(value.meaning, Made):
        return value.term
    return value.meaning.by, tuple(_describe(here, each, deep - 1) for each in value.meaning.of)


def _must_follow(send: Send, before: Send) -> bool:
    one, other = before.occurrence, send.occurrence
    return one.caller is other.caller and one.event.context is other.event.context and one.event.at != other.event.at


def _number(occurrence: Occurrence, value: Value) -> float | None:
    here, value = occurrence.trace_source(value)
    found = infer_constants(value, here.event.facts)
    said = next(iter(found))[1] if found is not None and len(found) == 1 else None
    return float(said) if isinstance(said, int | float) and not isinstance(said, bool) else None


def _is_whole(send: Send) -> bool:
    """Return whether a number is certainly the total."""
    if send.value is None or send.total is None:
        return False
    (_, value), (_, total) = (send.occurrence.trace_source(each) for each in (send.value, send.total))
    number = _number(send.occurrence, value)
    return value.term == total.term if number is None else number == _number(send.occurrence, total)


def _leaves_under(event: Event, code: ir.Code, clause: ir.Site) -> bool:
    return isinstance(event, Returned | Raised) and event.code is code and event.is_in_clause(clause)


def _count(value: Value) -> Interval:
    """Return how many elements a value has, as far as it shows them."""
    held = value.contents or {}
    is_known = bool(held) and all(not isinstance(key, tuple) for key in held)
    return Interval(0, len(held)) if is_known else Interval(0)


def _is_of_others(value: Value) -> bool:
    """Return whether a value is from code that was not found, and not from the client: its size is unknown."""
    return bool(value.unknown) and isinstance(value.term, tuple) and value.term[:1] in (("library",), ("global",))


def _get_span(occurrence: Occurrence, value: Value) -> float:
    here, value = occurrence.trace_source(value)
    bounds = infer_interval(value, here.event.facts)
    return bounds.high - bounds.low if -inf < bounds.low <= bounds.high < inf and not bounds.unsure else inf


def _iter_distinct(found: Iterator[ProgressPlace]) -> Iterator[ProgressPlace]:
    """Yield each place once, with what is known about it on any path."""
    seen: set[object] = set()
    for each in found:
        parts = (each.made, each.unguarded, each.value, each.every)
        key = (
            *(part.span if part is not None else None for part in parts),
            each.text.span,
            each.trends,
            each.since,
            each.is_whole,
            each.has_failed,
        )
        if key not in seen:
            seen.add(key)
            yield each
