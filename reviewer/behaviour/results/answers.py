"""What a handler answers: whether it tells of a failure, and whether what a helper returns is the answer."""

import re
from collections.abc import Iterator
from functools import cached_property, partial
from typing import Literal, NamedTuple

from reviewer.behaviour.values.texts import DEEPEST, is_text, iter_beginnings, iter_parts
from reviewer.code.events import Entered, Occurrence, Raised, Returned, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.program import Program, find_once
from reviewer.code.state import Facts, State, infer_truth, refine
from reviewer.code.values import (
    ELEMENT,
    ConditionalValue,
    Instance,
    Key,
    Library,
    Made,
    Negation,
    Relation,
    Term,
    Thing,
    Value,
    get_term_head,
    name_of,
)
from reviewer.text.patterns import pattern

FAILED = pattern(
    r"\W*(?:an? )?(?:\w+ )?(?:error\b|exception\b|failed\b|failure\b|could not\b|unable to\b|cannot\b)", re.IGNORECASE
)
"""How a text begins that tells of a failure which was caught."""

REFUSED = pattern(r"\W*(?:error|invalid|failed)\b", re.IGNORECASE)
"""How one begins where nothing was caught."""

# Keys under which a result says that it is a failure.
KEYS = frozenset({"error", "err", "error_message", "errorMessage"})
# The protocol's own flag of a result, and the field that SDKs make of it.
FLAGS = frozenset({"isError", "is_error"})

STATES: dict[str, tuple[object, ...]] = {"status": ("error", "failed", "failure"), "success": (False,), "ok": (False,)}
"""Values of fields by which an answer says that the call failed."""

WELL: dict[str, tuple[object, ...]] = {"status": ("success", "ok"), "success": (True,), "ok": (True,)}
"""What says that the call succeeded: an error beside it is what the call was to find out."""

VERDICTS = frozenset({"valid", "is_valid", "isValid"})
"""Fields of what a check found out: that a key or a form is not valid is what was asked, and the error beside it is why."""

Telling = Literal["", "text", "field", "state"]
"""How an answer tells of a failure: by a text, by a field that holds one, by a field made for it; empty if it does not."""


def tells_failure(occurrence: Occurrence, value: Value, models: Models) -> bool:
    """Return whether an answer tells of a failure: by its text, or by a field."""
    pattern = FAILED if occurrence.is_under("handles") else REFUSED
    for here, part in iter_parts(occurrence, value):
        if part.contents and (is_flagged(part) or classify_telling_field(part)):
            return True
        if part.text is not None or (isinstance(part.meaning, Made) and part.meaning.by == "text"):
            if any(pattern.match(each) for each in iter_beginnings(here, part, models)):
                return True
    return False


def classify_telling(occurrence: Occurrence, value: Value, models: Models, *, caught: bool) -> Telling:
    """Return how the text or the object that an answer consists of tells of a failure, one that was caught or another."""
    if value.contents is not None and value.text is None:
        return classify_telling_field(value)
    if _is_reason_text(value, models):
        return "text"
    pattern = FAILED if caught else REFUSED
    said = [each for each in iter_beginnings(occurrence, value, models) if value.text is None or len(each.split()) > 1]
    told = [pattern.match(each) is not None for each in said]
    return "text" if any(told) and (all(told) or not _has_rows(occurrence, value)) else ""


def _has_rows(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a text consists of any number of others: what one row tells of a failure says nothing of the whole."""
    return any(ELEMENT in (part.contents or ()) for _, part in iter_parts(occurrence, value))


def _is_reason_text(value: Value, models: Models) -> bool:
    """Return whether a value is why something failed, or just that as a text."""
    if isinstance(value.meaning, Made) and len(value.meaning.of) == 1 and is_text(value.meaning.by, models):
        value = value.meaning.of[0]
    elif isinstance(value.term, tuple) and value.term[:1] == ("reason",) and not value.things:
        return False  # a failure may hold any object: also a whole result that says that it is an error
    return isinstance(value.term, tuple) and value.term[:1] in (("caught",), ("reason",))


def classify_telling_field(value: Value) -> Telling:
    """Return how the fields of an object tell of a failure."""
    said = index_by_name(value)
    if any(_is_constant_among(said.get(name), values) for name, values in WELL.items()) or not VERDICTS.isdisjoint(
        said
    ):
        return ""
    if any(_is_constant_among(said.get(name), values) for name, values in STATES.items()):
        return "state"
    if any(name in said and said[name].constants is None for name in STATES):
        return ""  # only a run tells
    if "jsonrpc" in said or any(_is_of_protocol(said[name]) for name in KEYS & said.keys()):
        return ""  # an answer of JSON-RPC that says that the call failed
    return "field" if any(_is_reason(said[name]) and _is_all(said, name) for name in KEYS & said.keys()) else ""


def says_failed(key: Value | None, value: Value) -> bool:
    """Return whether a field says that the call failed."""
    return key is not None and _is_constant_among(value, STATES.get(key.text or "", ()))


def _is_of_protocol(error: Value) -> bool:
    """Return whether an error has a code of JSON-RPC, as code has it that answers requests by hand."""
    code = index_by_name(error).get("code")
    return code is not None and code.interval.high <= LAST_OF_PROTOCOL


LAST_OF_PROTOCOL = -32000
"""The last of the codes that JSON-RPC 2.0 keeps for errors: https://www.jsonrpc.org/specification#error_object."""


def find_outcome(value: Value) -> Value | None:
    """Return the field of an object that says whether something succeeded, if another has the reason; None without
    both.
    """
    said = index_by_name(value)
    if KEYS.isdisjoint(said) or any(_is_constant_among(said.get(name), values) for name, values in WELL.items()):
        return None
    found = [said[name] for name in ("success", "ok") if name in said]
    return found[0] if len(found) == 1 and found[0].constants is None else None


def _is_reason(value: Value) -> bool:
    """Return whether a field may hold why something failed: nothing, an empty text or a list says that nothing did.

    A text that was put together of parts looks like a list of them; it is none if an exception said what it is made of.
    """
    if value.constant is not None:
        return bool(value.constant[1])
    if isinstance(value.meaning, ConditionalValue):
        return _is_reason(value.meaning.then) and _is_reason(value.meaning.otherwise)
    if any(_is_container(each) for each in value.things):
        return any(
            isinstance(each, str) and each.isidentifier() for each in index_by_name(value)
        )  # `{"code": .., "message": ..}`
    said = (value, *(value.contents or {}).values())
    return value.text is not None or not value.contents or any(map(is_of_failure, said))


def is_of_failure(value: Value) -> bool:
    """Return whether a value may tell why something failed."""
    return any(each.origin == "exception" for each in value.labels)


def _is_all(said: dict[Key, Value], name: str) -> bool:
    """Return whether an error is all that an object tells, and no part of what was found.

    One that was read somewhere, as the state of what was asked for may be, is if only constants and arguments stand beside it.
    """
    reason = said[name]
    is_read = isinstance(reason.meaning, Made) and (reason.meaning.by.startswith(".") or reason.meaning.by == "item")
    beside = (each for key, each in said.items() if key != name and each.constants is None)
    return not is_read or all(each.labels and all(part.origin == "argument" for part in each.labels) for each in beside)


def _is_container(thing: object) -> bool:
    return isinstance(thing, Instance) and thing.of in (Library("list"), Library("dict"), Library("tuple"))


def is_error(value: Value, models: Models) -> bool:
    """Return whether a value is an error to the client: a failure, or a result that says so."""
    return value.failure is not None or is_flagged(value) or "answers with error" in models.get_maker_model(value).acts


def is_handed_on(value: Value) -> bool:
    """Return whether a helper made the answer that a function returns, where it is looked at already."""
    return get_term_head(value.term) == "via"


def is_flagged(value: Value) -> bool:
    """Return whether an object says to the client that the call failed."""
    said = index_by_name(value)
    return any(_is_constant_among(said.get(name), (True,)) for name in FLAGS)


def index_by_name(value: Value) -> dict[Key, Value]:
    """Return the entries and fields of an object by name."""
    return {name_of(key): each for key, each in (value.contents or {}).items()}


def _is_constant_among(value: Value | None, values: tuple[object, ...]) -> bool:
    return value is not None and value.constant is not None and value.constant[1] in values


class AnswerContent(NamedTuple):
    """A text or an object that an answer consists of. `tests` are those by which it is the answer, each with its truth."""

    occurrence: Occurrence
    value: Value
    tests: tuple[tuple[Value, bool], ...] = ()
    is_whole: bool = True
    """Whether the content is all of the answer, and not inside another form."""
    chosen: Value | None = None
    """What one of the tests led to, of which it is the content."""


def iter_contents(here: Occurrence, program: Program) -> Iterator[AnswerContent]:
    """Yield the texts and objects that a function may return, taken out of what only puts them into form.

    What says that it is an error is left out.
    """
    return (each for each in collect_returned_forms(here, program) if each.is_whole)


def collect_returned_forms(here: Occurrence, program: Program) -> tuple[AnswerContent, ...]:
    """Return the forms of a function's result; calls that do not affect it share them."""
    event = here.event
    assert isinstance(event, Returned)
    own = find_once(program, event, "forms", lambda: tuple(iter_forms(Occurrence(event), event.value, program.models)))
    if here.caller is not None and any(here.trace_source(each.value)[0] is not here for each in own):
        return tuple(iter_forms(here, event.value, program.models))
    return tuple([AnswerContent(here, *each[1:]) for each in own])


def iter_forms(
    occurrence: Occurrence, value: Value, models: Models, deep: int = DEEPEST, known: Facts | None = None
) -> Iterator[AnswerContent]:
    """Yield an answer, and what it is only a form of, down to the texts and objects that it may consist of.

    `known` is what the tests have told that chose it: the same test may choose what it consists of.
    """
    here, value = occurrence.trace_source(value)
    facts = known if known is not None and here is occurrence else here.event.facts
    if is_error(value, models) or not deep:
        return
    if isinstance(value.meaning, ConditionalValue):
        yield AnswerContent(here, value, is_whole=False)
        for side, holds in ((value.meaning.then, True), (value.meaning.otherwise, False)):
            if is_error(side, models):
                continue
            state = State(facts=facts)
            if not refine(state, value.meaning.test, holds):
                continue
            for each in iter_forms(here, side, models, deep - 1, state.facts):
                tests = ((value.meaning.test, holds), *each.tests)
                chosen = each.chosen if each.chosen is not None else side
                yield AnswerContent(each.occurrence, each.value, tests, each.is_whole, chosen)
        return
    inner = unwrap_form(value, models)
    yield AnswerContent(here, value, is_whole=inner is None)
    if inner is not None:
        flags = [each for name, each in index_by_name(value).items() if name in FLAGS and each.constant is None]
        found = iter_forms(here, inner, models, deep - 1, facts)
        yield from (each for each in found if all(_is_unset(flag, here, each.tests) for flag in flags))


def _is_unset(flag: Value, occurrence: Occurrence, tests: tuple[tuple[Value, bool], ...]) -> bool:
    """Return whether the flag that marks an answer as an error is certainly false after some tests."""
    state = State(facts=occurrence.event.facts)
    for test, holds in tests:
        refine(state, test, holds)
    return infer_truth(flag, state.facts) is False


FORMED = ("text", "content", "structured_content", "structuredContent", "0")
"""The fields, or the first argument, by which a block of an answer or a whole result is made of what it says."""


def unwrap_form(value: Value, models: Models) -> Value | None:
    """Return the content of a form: the text of a block, the only block of a list, the object written as a text."""
    held = value.contents or {}
    if len(held) == 1 and set(held) == {0}:
        return held[0]
    if (
        held
        and value.things
        and all(isinstance(each, Instance) and isinstance(each.of, Library) for each in value.things)
    ):
        said = index_by_name(value)
        if any(isinstance(key, tuple) for key in held) or said.keys() >= {"type", "text"} or said.keys() <= {"content"}:
            return next((said[name] for name in FORMED if name in said), None)
    if isinstance(value.meaning, Made) and is_text(value.meaning.by, models):
        return next((each for each in value.meaning.of if _is_object(each)), None)
    return None


def _is_object(value: Value) -> bool:
    """Return whether a value is an object whose fields are known, or one of two of which one is."""
    if isinstance(value.meaning, ConditionalValue):
        return _is_object(value.meaning.then) or _is_object(value.meaning.otherwise)
    said = index_by_name(value) if value.contents else {}
    return len(said) == 1 or any(map(_is_name, said))


def collect_answering_calls(trace: Trace, program: Program) -> set[Entered]:
    """Return the calls whose result their function answers with, as theirs do: what else is called gives no answer."""
    found: set[Entered] = set()
    seen: set[int] = set()
    pending = [trace]
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            entered = find_own_answering_calls(current, program)
            found.update(entered)
            pending += (each.trace for each in entered)
    return found


def find_own_answering_calls(trace: Trace, program: Program) -> tuple[Entered, ...]:
    """Return the calls whose result one function answers with."""
    return find_once(program, trace, "answering", partial(_collect_own_answering_calls, trace, program))


def _collect_own_answering_calls(trace: Trace, program: Program) -> tuple[Entered, ...]:
    given = {term for each in trace.events if isinstance(each, Returned) for term in _iter_terms(each, program)}
    return tuple(
        each for each in trace.events if isinstance(each, Entered) and not given.isdisjoint(_collect_results(each))
    )


def _iter_terms(event: Returned, program: Program) -> Iterator[Term]:
    """Yield the terms of a function's result, in each of its forms."""
    yield event.value.term
    yield from (each.value.term for each in collect_returned_forms(Occurrence(event), program))


def _collect_results(call: Entered) -> tuple[Term, ...]:
    """Return the terms that all has which a call gives, before it is waited for and after; a part of it has another."""
    result = call.trace.result
    return ("awaits", call.code, call.at), *((("via", call.at, result.term),) if result is not None else ())


def collect_result_terms(call: Occurrence) -> tuple[Term, ...]:
    """Return the terms that all has which a call of a function of the project gives; none for another call."""
    return _collect_results(call.event) if isinstance(call.event, Entered) else ()


def collect_entered_calls(root: Trace, here: Occurrence, value: Value) -> list[tuple[Occurrence, Trace]]:
    """Return the calls of functions of the project that gave a value, with what these do; the run began with `root`."""
    match value.giver, value.term:
        case (Site() as site, _) | (_, ("via", Site() as site, _) | ("awaits", _, Site() as site)):
            pass
        case _, ("call", _, Site() as site) if value.meaning is None:  # what a library gives is made by it
            pass
        case _:
            return []
    call = here.caller.event if here.caller is not None else None
    found = (call.trace if isinstance(call, Entered) else root).list_entered(site)
    return [(Occurrence(each, here.caller, here.origins, here.constants), each.trace) for each in found]


def find_answers(trace: Trace, program: Program) -> "Answers":
    """Return the answers of the functions of a handler; all analyses share them."""
    return find_once(program, trace, "answers", lambda: Answers(trace, program))


def _is_name(key: Key) -> bool:
    return isinstance(key, str)


class Answers:
    """What the functions of a handler return, and which of it is what the client is answered."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._ends: dict[Trace, tuple[Returned | Raised, ...]] = {}
        """Where functions are left, sought once: one may be left at as many places as there are events."""
        self._last: dict[Trace, int] = {}
        """The start of the last such place of each."""

    def collect_exits(self, occurrence: Occurrence) -> list[Occurrence]:
        """Return where the function is left in which something happens, in the same call of it."""
        left = self._collect_exit_events(occurrence.find_own_trace(self._trace))
        return [Occurrence(each, occurrence.caller, occurrence.origins, occurrence.constants) for each in left]

    def _collect_exit_events(self, trace: Trace) -> "tuple[Returned | Raised, ...]":
        """Return where a function is left."""
        if trace not in self._ends:
            found = tuple(each for each in trace.events if isinstance(each, Returned | Raised))
            self._ends[trace], self._last[trace] = found, max((each.at.start for each in found), default=-1)
        return self._ends[trace]

    def is_answer(self, occurrence: Occurrence, value: Value | None = None) -> bool:
        """Return whether what a function returns is what the handler answers: each caller returns it, or something made of it.

        With the `value` that tells of a failure, each caller returns nothing else, and does not ask for the failure before.
        """
        while occurrence.caller is not None:
            call = occurrence.caller
            exits = self.collect_exits(call)
            if value is not None and self._is_judged(call, exits, value):
                return False
            if value is None:
                after = next((each for each in exits if _returns_result_of(each, call)), None)
            else:
                given = [each for each in exits if self.gives(each, call)]
                after = next((each for each in given if not _is_asked(each, exits, given, call, value)), None)
            if after is None:
                return False
            occurrence = after
        return True

    def is_followed(self, occurrence: Occurrence) -> bool:
        """Return whether a function is left here only in some case: it may be left further on as well."""
        around = occurrence.find_own_trace(self._trace)
        return bool(self._collect_exit_events(around)) and self._last[around] >= occurrence.event.at.end

    def _is_judged(self, call: Occurrence, exits: list[Occurrence], value: Value) -> bool:
        """Return whether an exception is raised by a test of a call's result, if what the test asks is unknown."""
        return any(
            isinstance(each.event, Raised)
            and _decides(each, call, value) is None
            and any(
                self._comes_of(each, part, call)
                for test in _iter_tests(each)
                for _, part in iter_parts(each, test.value)
            )
            for each in exits
        )

    def _comes_of(self, occurrence: Occurrence, value: Value, call: Occurrence) -> bool:
        """Return whether a value is what a call gave, or what a function of the project makes of that."""
        if _is_result(value, call):
            return True
        at = value.term[1] if isinstance(value.term, tuple) and value.term[:1] == ("via",) else None
        given = self._given.get((occurrence.event.code, at), ())
        return any(_is_result(part, call) for each in given for _, part in iter_parts(occurrence, each))

    @cached_property
    def _given(self) -> dict[tuple[Code, Term], list[Value]]:
        """What each call hands over, by its function and its place."""
        found: dict[tuple[Code, Term], list[Value]] = {}
        for each in self._trace.iter_occurrences(kinds=(Entered,)):
            if isinstance(each.event, Entered):
                found.setdefault((each.event.code, each.event.at), []).extend(each.event.given.values())
        return found

    def gives(self, exit: Occurrence, call: Occurrence) -> bool:
        """Return whether a function is left with what a call gave, in whatever form."""
        event = exit.event
        if not isinstance(event, Returned):
            return False
        results = collect_result_terms(call)
        return any(each.value.term in results for each in collect_returned_forms(exit, self._program))


def _returns_result_of(returned: Occurrence, call: Occurrence) -> bool:
    """Return whether a function is left with what a call gave, or with something made of it."""
    event = returned.event
    return isinstance(event, Returned) and any(_is_result(part, call) for _, part in iter_parts(returned, event.value))


def _is_result(value: Value, call: Occurrence) -> bool:
    """Return whether a value is what a call gave; the SDK waits for what the handler returns."""
    pending = ("awaits", call.event.code, call.event.at)
    return value.term == pending or (isinstance(value.term, tuple) and value.term[:2] == ("via", call.event.at))


def _is_asked(
    returned: Occurrence, exits: list[Occurrence], given: list[Occurrence], call: Occurrence, value: Value
) -> bool:
    """Return whether what a call gave is returned only where it was asked, and tells of no failure as `value` does."""
    if _decides(returned, call, value) is False:
        return True
    before = (each for each in exits if call.event.at.end <= each.event.at.start < returned.event.at.start)
    return any(_decides(each, call, value) is True for each in before if each not in given)


def _decides(exit: Occurrence, call: Occurrence, value: Value) -> bool | None:
    """Return whether tests of what a call gave lead to an exit for one thing that it may give, None if none asks for that."""
    told = [
        _is_for(each.value, call, value) is each.holds
        for each in _iter_tests(exit)
        if _is_for(each.value, call, value) is not None
    ]
    return all(told) if told else None


class _GuardingTest(NamedTuple):
    """A test around an event, and whether it holds there."""

    value: Value
    holds: bool


def _iter_tests(occurrence: Occurrence) -> Iterator[_GuardingTest]:
    """Yield the tests around an event in its own function."""
    for each in occurrence.event.iter_outwards():
        if each.condition == "test" and each.value is not None:
            yield _GuardingTest(each.value, each.holds)


def _is_for(test: Value, call: Occurrence, value: Value) -> bool | None:
    """Return whether a test of what a call gave holds for one thing that it may give, None if that is not known."""
    said = index_by_name(value)
    match test.meaning:
        case Negation(operand):
            inner = _is_for(operand, call, value)
            return None if inner is None else not inner
        case ConditionalValue():
            return _is_for_choice(test.meaning, call, value)
        case Relation("in", left, Value() as right) if _is_result(right, call) and left.constant is not None:
            return left.constant[1] in said
        case Relation("present", left):
            return _get_key_of(left, call) in said if _get_key_of(left, call) is not None else None
        case Relation("kind", left, Value() as right) if _is_other_kind(left, right, call):
            return False
        case Relation("kind", left, Value() as right) if _is_result(left, call) and said:
            return True if Library("dict") in right.things or Library("builtins.dict") in right.things else None
        case Relation("==", left, Value() as right) if right.constant is not None:
            held = said.get(_get_key_of(left, call))
            return held.constant == right.constant if held is not None and held.constant is not None else None
        case Made(by, (owner, prefix)) if by.endswith(".startswith") and _is_result(owner, call):
            return _begins(value, prefix)
    if _is_result(test, call):
        return True  # neither a text nor an object that tells of a failure is empty
    key = _get_key_of(test, call)
    if key is None:
        return None
    held = said.get(key)
    return held is not None and (held.constant is None or bool(held.constant[1]))


def _is_other_kind(value: Value, kind: Value, call: Occurrence) -> bool:
    """Return whether what a value is where it holds what a call gave is of another type of a library: a list, no task."""
    ways = [each for each in _iter_ways(value) if _is_of_result(each, call)]
    asked = _collect_types(kind.things)
    return (
        bool(ways)
        and bool(asked)
        and all((of := _collect_types(each.things)) and asked.isdisjoint(of) for each in ways)
    )


def _iter_ways(value: Value) -> Iterator[Value]:
    """Yield a value, or those of which it is one."""
    if not value.ways:
        yield value
    for each in value.ways:
        yield from _iter_ways(each)


def _is_of_result(value: Value, call: Occurrence, deep: int = DEEPEST) -> bool:
    """Return whether a value is what a call gave, or holds that in some depth."""
    held = (value.contents or {}).values() if deep else ()
    return _is_result(value, call) or any(_is_of_result(each, call, deep - 1) for each in held)


def _collect_types(things: tuple[Thing, ...]) -> frozenset[str]:
    """Return the paths of types or of those of objects, none if one of them is of no library."""
    of = [each.of if isinstance(each, Instance) else each for each in things]
    paths = frozenset(each.path.removeprefix("builtins.") for each in of if isinstance(each, Library))
    return paths if all(isinstance(each, Library) for each in of) else frozenset()


def _is_for_choice(choice: ConditionalValue, call: Occurrence, value: Value) -> bool | None:
    test = _is_for(choice.test, call, value)
    then = choice.then_truth if choice.then_truth is not None else _is_for(choice.then, call, value)
    otherwise = choice.otherwise_truth if choice.otherwise_truth is not None else _is_for(choice.otherwise, call, value)
    if test is None:
        return then if then == otherwise else None
    return then if test else otherwise


def _get_key_of(value: Value, call: Occurrence) -> Key:
    """Return under which key a value is what a call gave, None if it is not."""
    match value.meaning:
        case Made("item", (owner, key)) if _is_result(owner, call) and key.constant is not None:
            return key.constant[1]
        case Made(by, (owner,)) if by.startswith(".") and _is_result(owner, call):
            return by[1:]
    return None


def _begins(value: Value, prefix: Value) -> bool | None:
    parts = value.meaning.of if isinstance(value.meaning, Made) and value.meaning.by == "text" else (value,)
    first = parts[0].text if parts else None
    return first.startswith(prefix.text) if first is not None and prefix.text is not None else None
