"""Cursors that clients give: what code does with one that nobody can read.

Each function is run twice: once with a cursor that can be read, and once on the supposition that it cannot. Where what depends
on the cursor in the first run is a constant in the second, that stands for the place that nobody could read.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from reviewer.behaviour.arguments.argument_values import iter_alternatives
from reviewer.behaviour.arguments.comparisons import iter_relations
from reviewer.behaviour.arguments.inputs import is_length
from reviewer.behaviour.failures.exceptions import leaves
from reviewer.behaviour.paging.cursor_parts import CURSOR, CursorParts
from reviewer.behaviour.paging.pages import is_page_size
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.security.restrictions import is_unseen
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Assigned,
    Called,
    Entered,
    Event,
    Indexed,
    Occurrence,
    Returned,
    Sliced,
    Tested,
    Trace,
    exclude,
)
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program
from reviewer.code.run import RunBounds
from reviewer.code.state import infer_constants, infer_interval, infer_presence, settle_value
from reviewer.code.summaries import Summaries
from reviewer.code.unreadable import ERROR, READING, build_unreadable, is_unreadable
from reviewer.code.values import (
    DECODED_ONCE,
    ELEMENT,
    HOLLOW,
    UNREADABLE,
    Class,
    ClientArguments,
    ConditionalValue,
    Interval,
    Key,
    Label,
    Made,
    Plain,
    Relation,
    Value,
    build_argument,
    get_term_head,
    name_of,
    strip_negations,
)
from reviewer.facts import GivenCursor, Substitute
from reviewer.records import dataclass
from reviewer.source import Text

BOUNDS = RunBounds(statements=6_000)
"""How far a cursor is followed: it is read near to where it comes in."""

WRAPPED = ("0",)
"""The field of what is wrapped in an object: `Parameters(request)`."""


CursorAssumption = Literal["readable", "unreadable", "once", "hollow"]
"""What a cursor is supposed to be: one that can be decoded `once`, or is `hollow`: however often, and nothing in it is read."""

CursorSummaries = defaultdict[tuple[CursorAssumption, frozenset[str]], Summaries]
"""What is known of functions, by what cursors are supposed to be and by their names beside the usual ones."""

DEEPEST = 12
"""Steps of nested values that are searched for the source of a signature.

The tests of the rules have up to 6, encoding included.
"""

BESIDE: dict[CursorAssumption, frozenset[Label]] = {"once": frozenset({DECODED_ONCE}), "hollow": frozenset({HOLLOW})}


class SentArguments(ClientArguments):
    """What a client sends: whatever is asked of it, each an object of which more may be asked.

    `is_cursor` tells which names cursors have; these can be read, or cannot.
    """

    __slots__ = ("_is_cursor", "_is_readable", "_parts", "_supposed")

    def __init__(self, is_cursor: Callable[[str], bool], supposed: CursorAssumption) -> None:
        self._is_cursor, self._supposed, self._is_readable = is_cursor, supposed, supposed == "readable"
        self._parts: dict[str, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        name = name_of(key)
        if key == ELEMENT or not isinstance(name, str) or not (name.isidentifier() or key == WRAPPED):
            raise KeyError(key)
        return self.build_part(name)

    def __contains__(self, key: object) -> bool:
        name = key[0] if isinstance(key, tuple) and key else key
        return isinstance(name, str) and self._is_cursor(name)

    def build_part(self, name: str, *, is_whole: bool = False) -> Value:
        """Return the named part of a cursor; `is_whole` is whether it is all that is sent."""
        if self._is_cursor(name) and not is_whole:
            return self.build_cursor(name)
        if name not in self._parts:
            self._parts[name] = build_argument(name)._replace(contents=self, certain=not self._is_readable)
        return self._parts[name]

    def build_cursor(self, name: str) -> Value:
        """Return a cursor that is given under a name."""
        found = build_argument(name).with_labels(frozenset((CURSOR,)))
        return (
            found
            if self._is_readable
            else build_unreadable(found.term, found.labels, BESIDE.get(self._supposed, frozenset()))
        )


@dataclass
class Suppositions:
    """What one function does with a cursor that can be read, and with one that cannot.

    Most functions that may be given a cursor are given none: what they do with one that can be read is asked for last.
    """

    trace: Callable[[CursorAssumption], Trace]
    answers_protocol: bool = False
    """Whether the function handles a request of the protocol itself, in which an exception is no valid answer."""

    @cached_property
    def unreadable(self) -> Trace:
        """What it does with one that cannot be read."""
        return self.trace("unreadable")

    def iter_decoded_traces(self) -> Iterator[Trace]:
        """Yield the runs of the function with a cursor that can be decoded and is empty."""
        yield from map(self.trace, BESIDE)

    @cached_property
    def readable(self) -> Trace:
        """What it does with one that can be read."""
        return self.trace("readable")


class _CursorUse(NamedTuple):
    """A value that an event is about, with the call that leads there."""

    occurrence: Occurrence
    value: Value


CursorConstant = tuple[type, Plain]
_CursorUses = dict[Hashable, list[_CursorUse]]


def iter_given_cursors(
    takers: Iterable[tuple[Code, Callable[[], Suppositions]]], calls: Callable[[], Iterable[Trace]], program: Program
) -> Iterator[GivenCursor]:
    """Yield where cursors of clients are read, by functions to which no other that is given one hands it on.

    `calls` gives what the functions do to which the calls of tools come.
    """
    found: list[Suppositions] = []
    entered: set[Code] = set()
    for code, suppose in takers:
        if code not in entered:
            found.append(suppose())
            entered.update(_iter_cursor_takers(found[-1].unreadable))
    roots = [runs for runs in found if runs.unreadable.code not in entered]
    parts = [CursorParts(runs.readable, program) for runs in roots if _is_given_one(runs)]
    cursors = [
        *_iter_unused_parts(parts),
        *_iter_shared_readings(roots, calls, program),
        *(each for runs in roots for each in _read_cursors(runs, program)),
    ]
    yield from {(each.text.span, repr(each)): each for each in cursors}.values()


def _is_given_one(runs: Suppositions) -> bool:
    """Return whether a function does anything with a cursor."""
    events = (event for trace in runs.unreadable.list_traces() for event in trace.events)
    return any(is_unreadable(value) for event in events for value in event.values)


def _iter_unused_parts(parts: Iterable[CursorParts]) -> Iterator[GivenCursor]:
    """Yield the parts of cursors that are unused when they come back: a state, a list's name, or the position itself."""
    unused = [part for each in parts for part in each.unused]
    constants: defaultdict[tuple[str, Text], set[frozenset[CursorConstant] | None]] = defaultdict(set)
    for part in unused:
        constants[str(part.name), part.text].add(part.here.trace_source(part.value)[1].constants)
    for part in unused:  # what is the same in all cursors, such as the number of their format, tells none from another
        known = constants[str(part.name), part.text]
        if (None in known or len(known) > 1) and not is_page_size(str(part.name)):
            yield GivenCursor(part.text, unused=str(part.name))


def _iter_cursor_takers(trace: Trace) -> Iterator[Code]:
    """Yield the functions to which a function hands a cursor, or what holds one."""
    for each in trace.iter_occurrences(kinds=(Entered,)):
        if isinstance(each.event, Entered) and any(map(is_unreadable, each.event.given.values())):
            yield each.event.trace.code


def _iter_shared_readings(
    roots: list[Suppositions], calls: Callable[[], Iterable[Trace]], program: Program
) -> Iterator[GivenCursor]:
    """Yield where the cursors of several lists are read, if nothing asks of which of them one is."""
    places: defaultdict[tuple[Code, Site], dict[Code, Text]] = defaultdict(dict)
    led = {runs.unreadable.code: runs for runs in roots}
    for runs in roots:
        reading = [each for each in _iter_readings(runs.unreadable, program) if isinstance(each.event, Called)]
        if reading and not _asks_of_which(runs.readable, program):
            event = reading[0].event
            places[event.code, event.at][runs.unreadable.code] = event.text
    for (code, _), readers in places.items():
        first = [
            one
            for one in readers
            if not any(one in led[each].readable.collect_codes() for each in readers if each != one)
        ]
        if len(first) > 1 or _is_for_several(code, calls()):
            yield GivenCursor(text := next(iter(readers.values())), shared=text)


def _is_for_several(code: Code, calls: Iterable[Trace]) -> bool:
    """Return whether calls of several tools lead to a function: those that other functions take, or one in different branches."""
    told: list[Event] = []
    for trace in calls:
        leading = [each for each in trace.iter_occurrences(kinds=(Entered,)) if _enters(each, code)]
        for first in {list(each.iter_outwards())[-1].event: each for each in leading}:
            if all(each.code is not first.code or exclude(each, first) for each in told):
                told.append(first)
    return len(told) > 1


def _enters(here: Occurrence, code: Code) -> bool:
    return isinstance(here.event, Entered) and here.event.trace.code is code


def _asks_of_which(trace: Trace, program: Program) -> bool:
    """Return whether code may ask of which list a cursor is: by what was read out of it, or in a way that is not seen."""
    for each in trace.iter_occurrences(kinds=(Called, Tested, Returned, Indexed)):
        event = each.event
        match event:
            case Tested(value=value) | Returned(value=value):
                if _is_read(each, value) and any(map(_asks_for, iter_relations(value))):
                    return True
            case Indexed(key=key):
                if CURSOR in each.resolve_labels(key):
                    return True
            case Called(followed=False) if any(_is_given(each, value, program) for value in event.values):
                row = program.models.find_model(event.path)
                if event.callee.things and all(isinstance(thing, Class) for thing in event.callee.things):
                    continue  # an object of the project that holds it: what is asked of that is seen
                if row is None or row.returns == "entry":
                    return True
                if "verifies" in row.acts and any(_is_tied_to_list(each, value, DEEPEST) for value in event.values):
                    return True
    return False


def _is_tied_to_list(here: Occurrence, value: Value, deep: int) -> bool:
    """Return whether what a signature is held against may be made of a list's name: of a text, or of what else is sent.

    A signature of the cursor alone, by the server's key, is the same for all lists.
    """
    here, value = here.trace_source(value)
    if value.constants is not None:
        return value.text is not None
    if not deep or any(
        each.origin in ("argument", "parameter") and "cursor" not in each.name for each in here.resolve_labels(value)
    ):
        return True
    inner = (*value.operands, *(value.contents.values() if isinstance(value.contents, dict) else ()))
    is_part = isinstance(value.meaning, Made) and value.meaning.by == "item"
    return any(_is_tied_to_list(here, each, deep - 1) for each in (value.operands[:1] if is_part else inner))


def _asks_for(relation: Relation) -> bool:
    """Return whether a test asks what something is, and not only whether there is a name in it."""
    return relation.operator == "==" or (relation.operator == "in" and relation.left.constants is None)


def _is_given(here: Occurrence, value: Value, program: Program) -> bool:
    """Return whether a value is a cursor, or what was read out of one, and no page that was cut by it."""
    here, value = here.trace_source(value)
    if CURSOR not in here.resolve_labels(value):
        return False
    while isinstance(value.meaning, Made) and (value.meaning.by == "item" or is_field(value)):
        value = value.meaning.of[0]
    if not isinstance(value.meaning, Made):
        return not value.contents
    return not READING.isdisjoint(program.models.get_model(value.meaning.by).acts)


def _read_cursors(runs: Suppositions, program: Program) -> Iterator[GivenCursor]:
    """Yield where a cursor is read, with what stands for it, or ends the call, where it cannot be."""
    if not _is_given_one(runs):
        return
    reading = list(_iter_readings(runs.unreadable, program))
    suppositions = [runs.unreadable]
    if any(
        isinstance(each.event, Called) and "decodes" in collect_acts(each.event, program.models) for each in reading
    ):
        suppositions += runs.iter_decoded_traces()
    found: dict[Hashable, Substitute] = {}
    faults: list[Occurrence] = []
    for trace in suppositions:
        here = reading if trace is runs.unreadable else list(_iter_readings(trace, program))
        told = _iter_substitutes(runs.readable, trace, program, here) if not _is_verified(trace, program, here) else ()
        for substitute in told:
            found.setdefault((substitute.text.span, repr(substitute.value)), substitute)
        faults += [each for each in here if runs.answers_protocol and _fails(program, each)][:1]
        faults += [each for each in trace.iter_occurrences() if _panics(program, each)]
    yield from (GivenCursor(each.text, instead=each) for each in found.values())
    yield from (GivenCursor(each.event.text, fault=each.event.text) for each in faults)
    if not found and not faults:
        yield from (GivenCursor(each.event.text) for each in reading[:1])
        unseen = [each for each in runs.unreadable.iter_occurrences(kinds=(Called,)) if _may_read(each.event, program)]
        yield from (GivenCursor(text := each.event.text, unseen=text) for each in unseen[:1] if not reading)


def _may_read(event: Event, program: Program) -> bool:
    """Return whether a function that was not found receives a cursor and nothing else: it can only read it."""
    if not isinstance(event, Called) or event.followed or not is_unseen(event.path, program):
        return False
    return len(given := [*event.arguments, *event.named.values()]) == 1 and is_unreadable(given[0])


def _iter_readings(trace: Trace, program: Program) -> Iterator[Occurrence]:
    """Yield the calls that are to read what cannot be read, or to find something by it, and the tests that compare it."""
    for each in trace.iter_occurrences(kinds=(Called, Tested)):
        event = each.event
        if isinstance(event, Called) and any(map(is_unreadable, event.values)):
            is_found = program.models.get_model(event.path).returns == "entry"
            if is_found or not READING.isdisjoint(collect_acts(event, program.models)):
                yield each
        elif isinstance(event, Tested) and is_unreadable(event.value):
            if any(relation.operator == "==" for relation in iter_relations(event.value)):
                yield each


def _is_verified(trace: Trace, program: Program, reading: list[Occurrence]) -> bool:
    """Return whether a function that reads a cursor also verifies that it was signed: what then fails is not followed."""
    codes = {each.event.code for each in reading}
    called = (
        each.event for each in trace.iter_occurrences() if isinstance(each.event, Called) and each.event.code in codes
    )
    return "verifies" in trace.acts and any("verifies" in collect_acts(each, program.models) for each in called)


def _fails(program: Program, reading: Occurrence) -> bool:
    """Return whether a call raises an exception that nothing takes."""
    event = reading.event
    is_read = isinstance(event, Called) and not READING.isdisjoint(collect_acts(event, program.models))
    return is_read and program.raises and leaves(program, reading, ERROR)


def _panics(program: Program, occurrence: Occurrence) -> bool:
    """Return whether a call panics because a text cannot be read: it needs what that tells, or that is what led there."""
    event = occurrence.event
    if not isinstance(event, Called):
        return False
    acts = collect_acts(event, program.models)
    if "panics on failure" in acts:
        operand = event.receiver
        return operand is not None and is_unreadable(operand) and infer_presence(operand, event.facts) is False
    return "panics" in acts and _is_for_failure(occurrence)


def _iter_substitutes(
    readable: Trace, supposed: Trace, program: Program, reading: list[Occurrence]
) -> Iterator[Substitute]:
    """Yield the values that replace a cursor's position if it cannot be read or is no longer valid.

    A value that replaces a text which is parsed next is no position yet: an empty text cannot be parsed either.
    """
    parsing = {(each.event.code, each.event.at): each for each in reading if _parses(each.event, program)}
    parsed = {each.trace_source(value)[1].term for each in parsing.values() for value in each.event.values}
    for here in supposed.iter_occurrences():
        event = here.event
        if isinstance(event, Called) and event.receiver is not None and is_unreadable(event.receiver):
            if here.trace_source(event.result)[1].term in parsed:
                continue
            default = _find_constant(here, event.result) if _gives_default(program, event) else None
            if default is not None:
                yield Substitute(default[1], _get_line_of(event))
    dependent, fixed = _get_uses(readable), _get_uses(supposed)
    for key, uses in dependent.items():
        if isinstance(key, tuple) and key[:2] in parsing:
            continue
        found = {_find_constant(*each) for each in fixed.get(key, ())}
        if len(found) == 1:
            (constant,) = found
            is_place = constant is not None and not _begins_no_page(key, constant)
            if constant is not None and is_place and any(_depends(*each, constant) for each in uses):
                at = _place(supposed, program, constant, reading) or fixed[key][0].occurrence.event
                yield Substitute(constant[1], _get_line_of(at))
        for each in uses:
            for constant in (stale for stale in _iter_stale(*each) if not _begins_no_page(key, stale)):
                yield Substitute(constant[1], _get_line_of(_choose(readable, constant) or each.occurrence.event))


def _parses(event: Event, program: Program) -> bool:
    return isinstance(event, Called) and "parses" in collect_acts(event, program.models)


def _begins_no_page(key: Hashable, constant: CursorConstant) -> bool:
    """Return whether a value stands for no place in a list: a part of an answer that is left out, or a yes or no.

    Python's `False` is equal to 0, which is where a list begins.
    """
    kind, value = constant
    return kind is bool or (get_term_head(key) == "result" and value is None)


def _depends(occurrence: Occurrence, value: Value, constant: CursorConstant) -> bool:
    """Return whether a value comes of a cursor, or is a place in a list only where nothing is found for one.

    What may be none for other reasons is no place: two runs need not be as exact about what has nothing to do with a cursor.
    """
    if value.constant is not None:
        return False
    ways = [*iter_alternatives(value), *(value.ways if isinstance(value.meaning, Made) else ())]
    is_place = constant[1] is not None and any(each.constant == constant for each in ways)
    return is_place or CURSOR in occurrence.resolve_labels(value)


def _get_uses(trace: Trace) -> _CursorUses:
    """Return the values that a function hands to what is not of the project, cuts or searches lists with, or gives back."""
    found: _CursorUses = defaultdict(list)
    for each in trace.iter_occurrences():
        for key, value in _iter_used_values(each):
            found[key].append(_CursorUse(*each.trace_source(value)))
    return found


def _iter_used_values(occurrence: Occurrence) -> Iterator[tuple[Hashable, Value]]:
    """Yield the values that an event uses, each with what it has in common with that value in another run."""
    event = occurrence.event
    values: tuple[Value | None, ...] = ()
    match event:
        case Called(followed=False):
            values = (*event.arguments, *event.named.values())
        case Sliced():
            values = (event.low, event.high)
        case Indexed():
            values = (event.key,)
        case Tested() | Returned() if occurrence.caller is not None or isinstance(event, Tested):
            order = (each for each in iter_relations(event.value) if each.operator in ("<", "<="))
            parts = (part for each in order for part in (each.left, each.right))
            values = tuple(None if part is None or is_length(part) else part for part in parts)
        case Returned():
            yield "result", event.value
            yield from ((("result", key), value) for key, value in (event.value.contents or {}).items())
    for place, value in enumerate(values):
        if value is not None:
            yield (event.code, event.at, place), value


def _find_constant(occurrence: Occurrence, value: Value) -> CursorConstant | None:
    """Return the constant that a value can only be, None if it may be another."""
    facts = occurrence.event.facts
    value = settle_value(value, facts)
    constants = infer_constants(value, facts)
    if constants is not None and len(constants) == 1 and not is_unreadable(value):
        return next(iter(constants))
    if isinstance(value.meaning, Made) and value.meaning.by in EMPTY:
        return str, ""
    return (int, 0) if infer_interval(value, facts) == ZERO else None


ZERO = Interval(0, 0)
EMPTY = frozenset({"std.string.String.new", "std.string.String.default"})
"""What makes an empty text, which code may write into: no constant, but the place that it stands for is the first."""


def _place(trace: Trace, program: Program, constant: CursorConstant, reading: list[Occurrence]) -> Event | None:
    """Return where a constant is put in the place of what cannot be read, or else where that was to be read."""
    exact: list[Event] = []
    defaults: list[Event] = []
    others: list[Event] = []
    for each in trace.iter_occurrences(kinds=(Assigned, Returned, Called)):
        event = each.event
        if isinstance(event, Assigned | Returned) and _is_for_failure(each):
            (exact if event.value.constant == constant else others).append(event)
        elif isinstance(event, Called) and _gives_default(program, event):
            defaults.append(event)
    return next(iter([*exact[-1:], *defaults[-1:], *others[-1:], *(each.event for each in reading[:1])]), None)


# How library models name functions that put another value in the place of a failure.
DEFAULTS = frozenset({"or else", "or call", "then or"})


def _gives_default(program: Program, event: Called) -> bool:
    """Return whether a call gives something else for what could not be read."""
    model = program.models.find_model(event.path)
    operand = event.receiver
    if model is None or model.returns not in DEFAULTS or operand is None:
        return False
    return infer_presence(operand, event.facts) is False


def _is_for_failure(occurrence: Occurrence) -> bool:
    """Return whether something is done because a text could not be read, by the tests and the clauses around it."""
    for each in occurrence.event.iter_outwards():
        if each.value is not None and UNREADABLE in each.value.labels and each.condition in ("handles", "test"):
            return True
    return False


def _get_line_of(event: Event) -> Text:
    """Return the line that an event stands in, without what it begins with, if it is one."""
    source, at = event.code.source.data, event.at
    start = source.rfind(b"\n", 0, at.start) + 1
    end = source.find(b"\n", at.end)
    end = end if end >= 0 else len(source)
    if b"\n" in source[at.start : at.end]:
        return event.text
    start += len(source[start:end]) - len(source[start:end].lstrip())
    return event.code.extract_text(Site(start, start + len(source[start:end].rstrip())))


def _choose(trace: Trace, constant: CursorConstant) -> Event | None:
    """Return where a constant is put in the place of one that is not known any more."""
    for each in trace.iter_occurrences(kinds=(Assigned, Returned)):
        event = each.event
        if isinstance(event, Assigned | Returned) and event.value.constant == constant and event.context is not None:
            context = event.context
            test = context.value if context.condition == "test" else None
            if test is not None and (any(_iter_compared_cursors(each, test)) or _is_read(each, test)):
                return event
    return None


def _iter_stale(occurrence: Occurrence, value: Value) -> Iterator[CursorConstant]:
    """Yield the constants that a value is where what a cursor tells is none of what there is, or of another list."""
    choice = value.meaning
    if not isinstance(choice, ConditionalValue):
        return
    compared = {each.term for each in _iter_compared_cursors(occurrence, choice.test)}
    test, holds = strip_negations(choice.test, True)
    is_asked = isinstance(test.meaning, Relation) and test.meaning.operator == "==" and _is_read(occurrence, test)
    unequal = choice.otherwise if holds else choice.then
    if is_asked and unequal.constant is not None:
        yield unequal.constant
    for one, other in ((choice.then, choice.otherwise), (choice.otherwise, choice.then)):
        if one.constant is not None and not compared.isdisjoint(each.term for each in iter_alternatives(other)):
            yield one.constant
    for each in (choice.then, choice.otherwise):
        yield from _iter_stale(occurrence, each)


def _is_read(occurrence: Occurrence, test: Value) -> bool:
    """Return whether a test compares something that was read out of a cursor, and not the cursor itself."""
    return any(
        isinstance(way.meaning, Made) and _is_of_cursor(occurrence, way)
        for relation in iter_relations(test)
        for each in (relation.left, relation.right)
        if each is not None
        for way in iter_alternatives(each)
    )


def _is_of_cursor(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value was read out of a cursor, or of an object that was filled with what is in one."""
    for _ in range(DEEPEST):
        if CURSOR in occurrence.resolve_labels(value):
            return True
        made = value.meaning
        if (
            not isinstance(made, Made)
            or not made.of
            or not (made.by in ("item", "filled", "element") or is_field(value))
        ):
            return False
        occurrence, value = occurrence.trace_source(made.of[0])
    return False


def _iter_compared_cursors(occurrence: Occurrence, test: Value) -> Iterator[Value]:
    """Yield the cursors that a test compares with other data, not with constants."""
    for relation in iter_relations(test):
        if relation.operator in ("<", "<=", "==", "in") and relation.right is not None:
            for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
                if CURSOR in occurrence.resolve_labels(one) and other.constants is None:
                    yield from iter_alternatives(one)
