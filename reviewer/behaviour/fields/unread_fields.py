"""Whether anything comes of the `fields` that a client asks for: of the argument, in an arm, in a call that could have them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from reviewer.behaviour.fields.asked_fields import (
    AskedFields,
    collect_call_path,
    find_codes_at,
    holds_fields,
    is_asked,
    iter_calls,
    lies_in,
    names_fields,
)
from reviewer.behaviour.results.projections import iter_idle_filters
from reviewer.behaviour.values.entry_points import CallHandler, EntryPoints
from reviewer.code import ir
from reviewer.code.acts import SAYING, collect_acts
from reviewer.code.events import Called, Event, Obscured, Occurrence, Returned, Stored, Tested
from reviewer.code.ir import Code
from reviewer.code.program import Program
from reviewer.code.run import TOO_LONG
from reviewer.code.values import (
    ABSENT,
    Class,
    ClientArguments,
    ConditionalValue,
    Function,
    Instance,
    Library,
    Made,
    Module,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import Dispatch, FieldSelection, Guard, Handler
from reviewer.source import Span, Text

GIVING_ON = frozenset({"parses", "deserialises", "serialises", "fails", "validates", "panics on failure"})
"""What functions do of which only the result counts."""

KEEPING = frozenset({"unknown", "nothing", "called", "task"})
"""What models call functions of which it is not known what they do with what they are handed."""


class Withheld(NamedTuple):
    """A call, or the creation of an object, that could receive the fields; `gives` is whether it receives anything for them.

    `is_asked` is whether that is certainly the client's `fields`.
    """

    here: Occurrence
    taking: object
    text: Text
    gives: bool
    is_asked: bool = False


def iter_selections(
    functions: EntryPoints,
    takers: Sequence[CallHandler],
    guards: Sequence[Guard],
    dispatches: Sequence[Dispatch],
    handlers: Sequence[Handler],
) -> Iterator[FieldSelection]:
    """Yield the places where the fields that are asked for could come into an answer, each once."""
    bounding = find_codes_at(functions, guards)
    arms = {functions.find_code(each.span): each.arms for each in dispatches}
    read = [_FieldUses(functions.program, each, bounding, arms) for each in takers]
    used = {
        each.taker.declared.span
        for each in read
        if each.taker.declared is not None and (each.is_used or not each.is_whole)
    }
    given = {each.taking for uses in read for each in uses.calls if each.gives}
    named = [arm for each in dispatches for arm in each.arms] + list(handlers)
    found: dict[Span, FieldSelection] = {}
    for uses in read:
        for each in uses.iter_selections(used, given):
            action = next((str(arm.name) for arm in named if arm.span.holds(each.text.span)), "")
            found.setdefault(each.text.span, replace(each, action=action))
    for guard in guards:
        if any(uses.hides_from(guard, functions) for uses in read):
            found.setdefault(guard.name.span, FieldSelection(guard.name, used=False))
    if takers:
        for each in iter_idle_filters(functions, guards):
            found.setdefault(each.text.span, each)
    yield from found.values()


class _FieldUses:
    """What one function does with the fields."""

    def __init__(
        self,
        program: Program,
        taker: CallHandler,
        guards: frozenset[Code],
        arms: dict[Code | None, tuple[Handler, ...]],
    ) -> None:
        self.taker = taker
        self._program, self._guards, self._arms = program, guards, arms
        self._asked = AskedFields(taker.trace, program.models)
        omissions = list(taker.trace.iter_omissions())
        self._omitted = {(each.place.code, each.place.at) for each in omissions}
        self.is_whole = all(each.reason != TOO_LONG for each in omissions)
        self.found = [each for each in taker.trace.iter_occurrences() if self._is_use(each)]
        """What is done with the fields, but saying them, and forming them otherwise."""
        self.is_used = bool(self.found) or self._is_derived_used()
        self._choices = [
            (each.code, each.whole)
            for each in (here.event for here in taker.trace.iter_occurrences())
            if isinstance(each, Tested) and each.whole is not None and _speaks(each.value.term)
        ]
        """The constructs of which a branch was chosen by the fields."""
        self.calls: list[Withheld] = []
        for here, event in iter_calls(taker.trace):
            if guards.isdisjoint(each.code for each in collect_call_path(here)) and not self._is_told(here):
                self.calls += self._iter_could_take(here, event)

    def iter_selections(self, used: set[Span], given: set[object]) -> Iterator[FieldSelection]:
        """Yield the argument, the calls and the arms; of arguments `used` something comes, `given` have them elsewhere."""
        declared, offered = self.taker.declared, self.taker.offered
        if not self.is_whole:
            return
        if declared is not None and declared.span not in used and self._answers():
            yield FieldSelection(declared, used=False)
            return
        is_asked = declared is not None or offered is not None
        is_open = self.taker.is_open
        withheld = [
            each for each in self.calls if not each.gives and (is_asked or (is_open and each.taking in self._guards))
        ]
        told = [
            each
            for each in withheld
            if each.taking in given or (is_asked and (isinstance(each.taking, Code) or not self.found))
            if not self._is_without(each.here)
        ]
        yield from (FieldSelection(each.text, used=False) for each in told)
        if declared is not None:
            yield from self._iter_for_arms([each.here for each in told])
        elif offered is not None and not self.found and not told:
            yield FieldSelection(offered, used=False)

    def _is_told(self, here: Occurrence) -> bool:
        """Return whether a call that leads to an event hands on no fields, so that there are none to be handed on."""
        told = [(each.here.event.code, each.here.event.at) for each in self.calls if not each.gives]
        return any((each.code, each.at) in told for each in collect_call_path(here)[1:])

    def _answers(self) -> bool:
        """Return whether the function gives anything that only a run tells."""
        return any(isinstance(each, Returned) and each.value.constants is None for each in self.taker.trace.events)

    def _is_derived_used(self) -> bool:
        """Return whether something is done with what comes of a parameter; a request comes of all its parts."""
        if not any(map(names_fields, (each.name for each in self.taker.trace.code.parameters))):
            return False
        return any(
            any(map(is_asked, here.resolve_labels(value)))
            for here in self.taker.trace.iter_occurrences()
            for value in self._collect_kept(here.event)
        )

    def _is_use(self, here: Occurrence) -> bool:
        event = here.event
        match event:
            case Tested(value=value):
                return any(map(partial(self._is_asked, here), _iter_compared_values(value)))
            case Returned(value=value):
                return here.caller is None and self._holds_fields(here, value)
            case Called() | Stored() | Obscured():
                return any(map(partial(self._holds_fields, here), self._collect_kept(event)))
        return False

    def _collect_kept(self, event: Event) -> tuple[Value, ...]:
        """Return the values of an event of which something may come that is no other form of them."""
        if not isinstance(event, Called):
            return event.values if isinstance(event, Stored | Obscured) else ()
        acts = set(collect_acts(event, self._program.models))
        if acts & SAYING or (event.followed and (event.code, event.at) not in self._omitted):
            return ()
        model = self._program.models.find_model(event.path)
        is_pure = model is not None and model.returns not in KEEPING and acts <= GIVING_ON
        if not is_pure or model is None:
            return event.values
        owner = () if event.receiver is None or _is_module(event.receiver) else (event.receiver,)
        operands = (*owner, *event.arguments)
        return (*operands[: model.on], *operands[model.on + 1 :], *event.named.values())

    def _holds_fields(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value is the fields, or an object that holds them."""
        is_all = self.taker.offered is not None and isinstance(value.contents, ClientArguments)
        return is_all or self._is_asked(here, value)

    def _is_asked(self, here: Occurrence, value: Value) -> bool:
        return self._asked.is_list(here, value) or self._asked.is_key(here, value)

    def _iter_could_take(self, here: Occurrence, event: Called) -> Iterator[Withheld]:
        """Yield the functions and objects of a call that could receive the fields: the called one, and the arguments."""
        things = event.callee.things
        named = [each for each in self._guards if not event.followed and each.name == event.path.rpartition(".")[2]]
        for thing in (*things, *(Function(each) for each in named)):
            given = None
            if isinstance(thing, Function):
                given = _find_handed_fields(event, thing)
            elif isinstance(thing, Class) and holds_fields(self._program, thing):
                given = _collect_field(event, self._program.list_fields(thing))
            if given is not None:
                taking = thing.code if isinstance(thing, Function) else thing
                asked = given[0] is not None and self._is_asked(here, given[0])
                yield Withheld(here, taking, event.text, not self._is_nothing(here, given[0]), asked)
        for value in event.arguments if event.followed else ():
            for each in value.things:
                if (
                    isinstance(each, Instance)
                    and isinstance(each.of, Class)
                    and "fields" in self._program.list_fields(each.of)
                ):
                    held = (value.contents or {}).get(("fields",))
                    is_made = value.contents is not None or not value.labels
                    gives = not is_made if held is None else not self._is_nothing(here, held)
                    yield Withheld(here, each.of, _locate_creation(event, value), gives)

    def _is_nothing(self, here: Occurrence, value: Value | None) -> bool:
        """Return whether a value asks for nothing, or for all there is."""
        if value is None or value.constants == ABSENT:
            return True
        _, value = here.trace_source(value)
        if value.constants == ABSENT or value.text == "*":
            return True
        if value.contents is not None and not value.labels:
            return all(each.text == "*" for each in value.contents.values())
        return not value.labels and isinstance(value.meaning, Made) and value.meaning.by.endswith("default")

    def _is_without(self, here: Occurrence) -> bool:
        """Return whether something is done where a test has found that a client asks for no fields."""
        for event in collect_call_path(here):
            if any(code is event.code and at.start <= event.at.start < at.end for code, at in self._choices):
                return True
            if any(each.value is not None and _speaks(each.value.term) for each in event.iter_outwards()):
                return True
            if any(
                fact.truth is not None or fact.present is not None
                for term, fact in event.facts.items()
                if _speaks(term)
            ):
                return True
        return False

    def _iter_for_arms(self, told: list[Occurrence]) -> Iterator[FieldSelection]:
        """Yield the arms in which nothing comes of the fields, where in others something does."""
        for code, chosen in self._arms.items():
            arms = [arm for arm in chosen if code is None or code.locate(code.at).holds(arm.span)]  # no row of a table
            places = [
                place for each in self.found if not isinstance(each.event, Returned) for place in [_place(each, code)]
            ]
            if code is None or None in places:
                continue
            within = [[arm for arm in arms if arm.span.holds(place)] for place in places if place is not None]
            if not within or not all(within):
                continue
            # what two arms call with the like happens once in the trace: the calls that hand the fields on are asked, too
            using = {event.code for each in self.found for event in collect_call_path(each)}
            handing = [each.here for each in self.calls if each.is_asked and each.taking in using]
            beside = [place for each in (*told, *handing) if (place := _place(each, code)) is not None]
            for arm in arms:
                is_told = any(arm.span.holds(place) for place in beside)
                if arm.exits and not is_told and not any(arm in each for each in within):
                    yield FieldSelection(arm.name, used=False)

    def hides_from(self, guard: Guard, functions: EntryPoints) -> bool:
        """Return whether the fields are put into an object of which a guard reads other fields, and never these."""
        trace = functions.trace(guard.span)
        if trace is None or (self.taker.declared or self.taker.offered) is None:
            return False
        codes = trace.collect_codes()
        read = {each.name for code in codes for each in _iter_reads(code)} | {
            parameter.name for code in codes for parameter in code.parameters
        }
        held = [made for each in self.found for value in each.event.values for made in _iter_holders(value)]
        return (
            bool(held)
            and not any(map(names_fields, read))
            and any(read & set(self._program.list_fields(each)) for each in held)
        )


def _iter_reads(code: Code) -> Iterator[ir.Field]:
    for statement in ir.iter_statements(code.body):
        yield from (each for each in ir.iter_expressions(statement) if isinstance(each, ir.Field))


def _iter_holders(value: Value) -> Iterator[Class]:
    """Yield the classes of the project of which an object is that holds the fields."""
    if ("fields",) in (value.contents or {}):
        yield from value.classes


def _place(here: Occurrence, code: Code | None) -> Span | None:
    """Return where in a function an event happens, or the call that leads to it; None if it happens elsewhere."""
    return next(
        (
            each.text.span
            for each in collect_call_path(here)
            if code is not None and lies_in(each.code, frozenset((code,)))
        ),
        None,
    )


def _find_handed_fields(event: Called, function: Function) -> tuple[Value | None] | None:
    """Return the argument that a call passes for a function's `fields`, in a tuple; None if the function has no such
    parameter.
    """
    own = (function.receiver,) if function.receiver is not None else ()
    given: tuple[Value, ...] = (*own, *function.leading, *event.arguments)
    for number, each in enumerate(function.code.parameters):
        if each.name.strip("_") == "fields":
            found = event.named.get(each.name, given[number] if number < len(given) else None)
            is_spread = any(get_term_head(one.term) == "element" for one in event.arguments)
            return None if found is None and is_spread else (found,)
    return None


def _collect_field(event: Called, names: tuple[str, ...]) -> tuple[Value | None]:
    """Return the value with which an object's `fields` are created."""
    return (event.find_argument(names.index("fields"), "fields"),)


def _is_module(value: Value) -> bool:
    """Return whether a function is taken out of a module or a class, and is no method of an object."""
    return any(isinstance(each, Library | Module) for each in value.things)


def _locate_creation(event: Event, value: Value) -> Text:
    """Return where an object was made, if that is seen, else an event."""
    match find_original_term(value.term):
        case ("new", Code() as code, ir.Site() as site):
            return code.extract_text(site)
    return event.text


def _iter_compared_values(test: Value) -> Iterator[Value]:
    """Yield the values that a test compares or searches for; a test whether a value is present is none of these."""
    test, _ = strip_negations(test)
    match test.meaning:
        case Relation("<" | "<=" | "==" | "in", left, Value() as right) if right.constants != ABSENT:
            yield from (left, right)
        case ConditionalValue(inner, then, otherwise):
            for each in (inner, then, otherwise):
                yield from _iter_compared_values(each)


def _speaks(term: Term) -> bool:
    """Return whether what a term stands for is made of the fields."""
    if isinstance(term, tuple):
        return any(map(_speaks, term))
    return isinstance(term, str) and names_fields(term)
