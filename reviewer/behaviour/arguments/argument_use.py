"""Which arguments of a call its code takes, what stands in for them, what bounds them, and what they cut."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property, partial
from math import inf
from typing import NamedTuple

from reviewer.behaviour.arguments.argument_values import (
    ASKING,
    BETWEEN,
    BOUNDING,
    CONVERTING,
    CUTS,
    GIVING_ON,
    GROWING,
    HARMLESS,
    PASSING,
    REPLACING,
    TELLING,
    collect_choices,
    collect_concerns,
    collect_mentioned_labels,
    collect_required_values,
    is_input,
    is_itself,
    is_refusal,
    iter_alternatives,
    iter_components,
    iter_literal_parts,
    iter_unread_arguments,
    passes_on,
)
from reviewer.behaviour.arguments.comparisons import Compared, collect_comparisons, iter_relations
from reviewer.behaviour.arguments.inputs import WHOLE, hands_over, is_length
from reviewer.behaviour.effects.statements import iter_row_limits
from reviewer.behaviour.values.names import names_a_text
from reviewer.code.acts import SAYING, collect_acts, find_modelled_argument
from reviewer.code.events import (
    Assigned,
    Awaited,
    Called,
    Captured,
    Carried,
    Cut,
    Decoded,
    Entered,
    Event,
    Indexed,
    Looped,
    Occurrence,
    Raised,
    Returned,
    Sliced,
    Stored,
    Tested,
    Trace,
    translate_labels,
)
from reviewer.code.given import Pending
from reviewer.code.ir import Code, Site, iter_names
from reviewer.code.library_types import find_types
from reviewer.code.models import Model
from reviewer.code.program import Program, find_once
from reviewer.code.run import is_whole
from reviewer.code.state import infer_failure, infer_interval, infer_presence
from reviewer.code.values import (
    Class,
    ConditionalValue,
    Function,
    Instance,
    Interval,
    Label,
    Library,
    Made,
    Negation,
    Plain,
    Relation,
    Term,
    Value,
    find_original_term,
    get_term_head,
    strip_negations,
)
from reviewer.facts import ArgumentUse, GivenValue
from reviewer.records import dataclass
from reviewer.source import Text
from reviewer.text.patterns import pattern

ENDLESS = 2**31 - 1
"""From where on a bound is none: the greatest number of a type of 32 bits, which is what some hand over as the most."""

DEEPEST = 3
"""How many objects inside objects an answer is looked through for a list: a result holds the page, which holds the list."""

KEY = pattern(r"[A-Za-z_]\w*")
"""What an argument may be called. Code that was not reached names other texts as well, and those say nothing of arguments."""

OWNER = pattern(r"&?(?:\w+\.)*(\w+)\s*\[")
"""What is cut in `page.items[:limit]`, `&items[..limit]`, by its own name."""


SENDING = frozenset({"network", "database"})
"""Where a list comes from whose length somebody else bounds."""


class NumericUse(NamedTuple):
    """Where an argument is used as a number: up to what, and whether it says there where a list ends."""

    event: Event
    value: Value
    bounds: Interval
    cuts: bool
    asks: bool = False
    """Whether a greater value reads more: rows of a database, iterations of a loop. Else it only shortens a list."""
    is_sent: bool = False
    """Whether another host or a database returned the list in this call, and so bounds its length."""

    @property
    def goes_on(self) -> bool:
        """Whether it is passed to code of the project that was not followed, such as one of many functions in a table."""
        return isinstance(self.event, Called) and any(isinstance(each, Function) for each in self.event.callee.things)


class ArgumentBound(NamedTuple):
    """What bounds an argument, and by which number."""

    event: Event
    most: float


@dataclass(slots=True)
class Taking:
    """What becomes of one argument."""

    at: Text
    """Where it is taken, or the first place where it is seen."""
    among: set[str] = field(default_factory=set)
    is_held: bool = False
    """Whether an object into which all arguments are read has a field for it."""
    tests: set[object] = field(default_factory=set)
    """The tests that it decides."""
    is_used: bool = False
    """Whether it is used for anything else."""
    is_handed_on: bool = False
    """Whether it is passed to unknown code unchanged, missing or not."""
    is_idle: bool = False
    """Whether an object holds it and nothing else uses it."""
    defaults: dict[Plain, GivenValue] = field(default_factory=dict)
    uses: list[NumericUse] = field(default_factory=list)
    bounds: list[ArgumentBound] = field(default_factory=list)
    compared: Compared | None = None
    parsed: Text | None = None
    """Where it is read as a text in JSON."""
    constants: list[tuple[Plain, Event]] = field(default_factory=list)
    """What variables are given where it is missing."""

    def build_argument_use(self, name: Text) -> ArgumentUse:
        """Return the use of an argument, from what was recorded about it."""
        among = tuple(sorted(self.among | {str(name)})) if self.among else ()
        defaults = () if self.is_handed_on else tuple(self.defaults.values())
        known = self.compared
        values, refuses = (tuple(known.values), known.refuses) if known is not None else ((), False)
        cuts = list(self._iter_cuts())
        cut = cuts[0].event.text if cuts else None
        spares = not self.defaults and all(map(_is_if_given, cuts))
        unsure = [each for each in self.uses if each.cuts and each.bounds.unsure and each.bounds.high == inf]
        cutting = cuts or unsure
        held = bool(cutting) and not any(each.asks for each in cutting)
        sent = bool(cutting) and all(each.is_sent for each in cutting)
        free = next((each for each in self.uses if each.bounds == Interval(each.bounds.low) and not each.goes_on), None)
        handed = free.event.text if free is not None else None
        return ArgumentUse(
            name,
            among,
            defaults,
            tuple(self.iter_caps()),
            cut,
            self.is_idle,
            values,
            refuses,
            spares,
            held,
            handed,
            self.parsed,
            sent,
            unsure[0].event.text if unsure and not cuts else None,
        )

    def iter_caps(self) -> Iterator[GivenValue]:
        """Yield the most that is let through, nothing where some use has no bound, or one that cannot be told."""
        if any(each.bounds.high == inf for each in self.uses):
            return
        for most in dict.fromkeys(each.bounds.high for each in self.uses):
            bounds = [each for each in self.bounds if each.most in (most, most + 1)]
            if not bounds and most in self.defaults:  # it stands in on a way on which the argument's own bound does not
                below = [each for each in self.bounds if 1 < each.most < most]
                bounds = [min(below, key=lambda each: each.most)] if below else []
                most = bounds[0].most if bounds else most
            if bounds:
                bound = [each for each in bounds if each.event.code is bounds[0].event.code][
                    -1
                ]  # of a test, what it does
                yield GivenValue(int(most) if most == int(most) else most, bound.event.text)

    def _iter_cuts(self) -> Iterator[NumericUse]:
        """Yield the cuts of lists that the argument alone decides."""
        return (each for each in self.uses if each.cuts and each.bounds == Interval(each.bounds.low))


class ArgumentUses:
    """What the code of one trace takes out of the arguments of a call."""

    def __init__(self, trace: Trace, program: Program, held: Iterable[str] = ()) -> None:
        """Look through a trace; `held` are arguments that objects hold from the beginning, which is no use of them."""
        self._trace, self._program, self._models, self._held = trace, program, program.models, frozenset(held)
        self._found: dict[str, Taking] = {}
        self._escapes = False
        self._raised: defaultdict[Code, set[Site]] = defaultdict(set)
        """Where exceptions are raised, or failures returned."""
        self._stops: dict[Term, ArgumentBound] = {}
        """Where loops stop adding to sequences that are as long as a constant says, by the terms of these."""
        self._entered: set[Code] = {self._trace.code}
        self._refusing: set[object] = set()
        """The tests on which a refusal depends, or a word in a log."""
        self._deciding: set[object] = set()
        """The tests on which anything else depends."""
        self._spoken: dict[tuple[frozenset[Label], int], frozenset[Label]] = {}
        """Where labels come from, by these and the call of the function that has them."""
        self._used: set[tuple[frozenset[Label], int]] = set()
        """Such labels of arguments that are known to be used."""
        self._done: set[tuple[Event, frozenset[Label]]] = set()
        """The events that were read, with where what they mention comes from."""

    @cached_property
    def taken(self) -> dict[str, Taking]:
        """What is taken, by name, in the order of the code."""
        found = self._occurrences
        omitted = {(each.place.code, each.place.at) for each in self._trace.omissions}
        for event in self._iter_events(Raised, Returned):
            if is_refusal(event):
                self._raised[event.code].add(event.at)
        for event in self._iter_events(Cut):
            if isinstance(event, Cut) and event.is_stop and event.size.constants is not None:
                self._stops[event.owner.term] = ArgumentBound(event, infer_interval(event.size, event.facts).high)
        for event in self._iter_events(Entered):
            if isinstance(event, Entered):
                self._entered.add(event.trace.code)
                omitted |= {(one.place.code, one.place.at) for one in event.trace.omissions}
        self._read_all(found, omitted)
        for parameter in self._trace.code.parameters:
            if parameter.kind in ("rest", "named rest"):  # the run has no label for what is left over
                self._found.setdefault(
                    parameter.name, Taking(self._trace.code.extract_text(parameter.at))
                ).is_used = True
        known = collect_comparisons(self._trace, self._program)
        for name, taking in self._found.items():
            taking.compared = known.get(name)
            taking.is_held = taking.is_held or name in self._held
            taking.is_idle = taking.is_held and not self._counts(taking)
        return {name: each for name, each in self._found.items() if each.is_held or self._counts(each)}

    @cached_property
    def overlooked(self) -> frozenset[str]:
        """The names of arguments that are read only in code that the run takes for unreachable: that they are unread is
        unproven.
        """
        traces = {self._trace, *(each.event.trace for each in self._occurrences if isinstance(each.event, Entered))}
        return frozenset(name for each in traces for name in iter_names(each.unreached))

    @property
    def is_whole(self) -> bool:
        """Return whether all was run that the code comes to."""
        return is_whole(self._trace)

    @cached_property
    def _occurrences(self) -> tuple[Occurrence, ...]:
        return self._trace.list_occurrences(hands_over)

    def _iter_events(self, *kinds: type[Event]) -> Iterable[Event]:
        """Return the events of some kinds, each once, in the order in which they happen first."""
        return dict.fromkeys(each.event for each in self._trace.list_occurrences(hands_over, kinds=kinds))

    def _counts(self, taking: Taking) -> bool:
        """Return whether something comes of an argument: more than that it is refused, or said to be ignored."""
        if taking.is_used or not taking.tests:
            return taking.is_used or not taking.is_held
        return not taking.tests <= self._refusing - self._deciding

    @property
    def is_followed(self) -> bool:
        """Return whether the object of all arguments goes nowhere that is not followed."""
        return bool(self.taken) and not self._escapes

    @property
    def is_complete(self) -> bool:
        """Return whether no other argument is taken: the object of all arguments goes nowhere that is not followed."""
        taken = self.taken  # what escapes is known when all was read
        if self._escapes or any(each.is_held for each in taken.values()):
            return not self._escapes
        return not any(KEY.fullmatch(each) for each in self.overlooked - taken.keys())

    def _get_taking(self, name: str, here: Occurrence) -> Taking:
        if name not in self._found:
            self._found[name] = Taking(here.event.text)
        return self._found[name]

    def _read_all(self, found: Iterable[Occurrence], omitted: set[tuple[Code, Site]]) -> None:
        """Take down what all events tell.

        An event that only mentions values is passed over where all of them that may be arguments are known to be used, or
        where it was read for the same arguments: then it tells nothing new. A test or a call is passed over, too, where none of
        the values that it may tell of comes from an argument there. Of 650,000 events on a server of 48 tools that reach 1,100
        functions that leaves less than a quarter.
        """
        noted: set[Trace] = set()
        caller: Occurrence | None = None
        for here in found:
            if here.caller is not caller or not noted:
                caller, trace = here.caller, here.find_own_trace(self._trace)
                if trace not in noted:
                    noted.add(trace)
                    self._note(trace)
            if not self._tells_nothing(here):
                self._read(here, omitted)

    def _tells_nothing(self, here: Occurrence) -> bool:
        """Return whether an event tells nothing of an argument that is not known by now."""
        event, level = here.event, id(here.origins)  # of one level all events have the same
        labels = find_once(self._program, event, "mentions", partial(collect_mentioned_labels, event, self._program))
        if labels is not None:
            is_test = isinstance(event, Tested)
            if not labels or ((labels, level) in self._used and not is_test):
                return True
            spoken = self._translate(labels, here)
            if not is_test and self._are_used(spoken):
                self._used.add((labels, level))
                return True
            if (event, spoken) in self._done:
                return True
            self._done.add((event, spoken))
        if isinstance(event, Tested | Called):
            labels = find_once(self._program, event, "concerns", partial(collect_concerns, event, self._program))
            return labels is not None and not any(
                each.origin == "argument" or each == WHOLE for each in self._translate(labels, here)
            )
        return False

    def _translate(self, labels: frozenset[Label], here: Occurrence) -> frozenset[Label]:
        """Return labels with those of a parameter replaced by where that comes from, found once for all that happens there."""
        key = (labels, id(here.origins))
        if key not in self._spoken:
            self._spoken[key] = translate_labels(labels, here.origins or {})
        return self._spoken[key]

    def _are_used(self, labels: frozenset[Label]) -> bool:
        """Return whether all arguments are known to be used that some labels speak of, which do not speak of all as one."""
        names = [each.name for each in labels if each.origin == "argument"]
        return WHOLE not in labels and all(each in self._found and self._found[each].is_used for each in names)

    def _note(self, trace: Trace) -> None:
        """Take down the tests around what a function does: whether a refusal depends on them, or anything else."""
        codes = find_once(self._program, trace, "codes", lambda: tuple({each.code for each in trace.events}))
        raised = tuple((each, frozenset(self._raised[each])) for each in codes if each in self._raised)
        refusing, deciding = find_once(self._program, trace, ("tests", raised), lambda: self._collect_tests(trace))
        self._refusing |= refusing
        self._deciding |= deciding

    def _collect_tests(self, trace: Trace) -> tuple[set[object], set[object]]:
        refusing, deciding = set[object](), set[object]()
        for event in trace.events:
            context = event.context
            if context is not None and (event.code, context.at) not in deciding:  # else it is settled
                _note_tests(event, refusing if self._refuses(event) else deciding)
        return refusing, deciding

    def _read(self, here: Occurrence, omitted: set[tuple[Code, Site]]) -> None:
        event = here.event
        if is_refusal(event):
            self._deciding.update(self._iter_asked_for(here))
        for each in find_once(self._program, event, "choices", partial(collect_choices, event)):
            self._note_choice(here, each)
        match event:
            case Called():
                self._visit_call(here, event, omitted)
            case Awaited() | Entered():  # what was handed to a function, its own events tell
                self._mention(here, iter_unread_arguments(event), whole=False)
            case Decoded():
                self._decode(event)
            case Indexed():
                self._visit_index(here, event)
            case Assigned():
                self._assign(here, event)
            case Tested():
                self._mention(here, whole=False)
                self._visit_test(here, event)
            case _:
                self._visit_event(here, event)

    def _visit_event(self, here: Occurrence, event: Event) -> None:
        match event:
            case Captured() if event.inner in self._entered:
                pass
            case Carried():
                self._get_counted_down(here, event)
            case Returned() if infer_failure(event.value, event.facts):
                pass  # only the reason is handed on
            case Returned():
                given = [each for each in iter_alternatives(event.value) if not infer_failure(each, event.facts)]
                is_answer = here.caller is None or event.code.kind != "function"  # else the caller goes on with it
                self._mention(here, given, whole=is_answer)
            case Looped():
                self._mention(here, whole=not is_input(event.value))
                self._escapes = self._escapes or is_input(event.value)
            case Sliced():
                self._mention(here)
                size = _find_size(event)
                if size is not None:
                    self._cut(here, event.owner, size, is_list=not _cuts_text(event))
            case _:
                self._mention(here)

    def _decode(self, event: Decoded) -> None:
        for field_name, names in event.entries:
            for name in names:
                taking = self._found.setdefault(str(name), Taking(name))
                taking.is_used = taking.is_used or not self.overlooked.isdisjoint((field_name, str(name)))
                taking.at, taking.is_held = name, True
                taking.among |= set(map(str, names)) if len(names) > 1 else set()

    def _mention(self, here: Occurrence, values: Iterable[Value] | None = None, *, whole: bool = True) -> None:
        """Note which arguments an event, or those of its values, has to do with.

        `whole` tells that it may read others where it has them all.
        """
        for value in here.event.values if values is None else values:
            if not value.labels:
                continue
            for label in sorted(
                here.resolve_labels(value)
            ):  # of several that one place reads the report names the same each time
                if label.origin == "argument":
                    taking = self._get_taking(label.name, here)
                    if isinstance(here.event, Tested):
                        taking.tests.add((here.event.code, here.event.at))
                    else:
                        taking.is_used = True
                elif label == WHOLE and whole and not self._is_seen(here, value):
                    self._escapes = True

    def _is_seen(self, here: Occurrence, value: Value) -> bool:
        """Return whether all is seen that becomes of the arguments by a value.

        It is a call that waits to be run, and was, or it has them by a way on which reading them failed.
        """
        if isinstance(value.awaits, Pending):
            return all(each.function.code in self._entered for each in (value.awaits, *value.awaits.others))
        labels = [here.resolve_labels(each) for each in iter_alternatives(value) if each.labels and not _is_truth(each)]
        return all(WHOLE not in each or _is_reason(each) for each in labels)

    def _refuses(self, event: Event) -> bool:
        """Return whether an event is a part of a refusal, or of saying something in a log."""
        if isinstance(event, Called):
            acts = set(collect_acts(event, self._models))
            is_raised = any(
                each.start <= event.at.start and event.at.end <= each.end for each in self._raised[event.code]
            )
            return is_raised or bool(SAYING & acts)
        return is_refusal(event) or isinstance(event, Tested | Entered)

    def _visit_call(self, here: Occurrence, event: Called, omitted: set[tuple[Code, Site]]) -> None:
        model = self._models.find_model(event.path)
        if event.followed and (event.code, event.at) not in omitted and self._is_run(event.callee):
            return
        if self._holds_arguments(event, model):
            return  # what becomes of them there is seen
        if event.receiver is not None and is_input(event.receiver):
            self._note_lookup(here, event, model)
        if model is not None and model.returns in REPLACING:
            self._note_choice(here, event.result)
        if model is not None and model.returns in TELLING:
            return  # what is made of the answer counts: a test, or whoever is handed it
        self._mention(
            here, () if self._returns_receiver(event, model) else None, whole=not self._is_harmless(event, model)
        )
        if model is not None and model.returns == "receiver" and SAYING.isdisjoint(collect_acts(event, self._models)):
            self._mention(here, event.values[1:])  # a builder that is told of them, which its result does not
        if model is not None and model.returns in BOUNDING:
            self._note_bounds(here, event)
        if model is not None and self._iter_cuts(here, event, model):
            return
        self._parse(here, event)
        if model is None or not passes_on(event, model, collect_acts(event, self._models)):
            for value in event.values:
                for each in iter_literal_parts(value):
                    self._use(here, each)
                self._hand_on(here, value, model)

    def _holds_arguments(self, event: Called, model: Model | None) -> bool:
        """Return whether a call makes an object that holds what it is handed, or a partial of a function that was run."""
        if model is not None and model.returns == "partial":
            functions = [each for each in event.result.things if isinstance(each, Function)]
            return bool(functions) and self._is_run(event.result)
        return bool(event.callee.things) and all(isinstance(each, Class) for each in event.callee.things)

    def _parse(self, here: Occurrence, event: Called) -> None:
        """Note an argument that is read as a text in JSON."""
        if event.arguments and "json" in event.path and "parses" in collect_acts(event, self._models):
            for name in self._collect_arguments(here, event.arguments[0]):
                self._get_taking(name, here).parsed = event.text

    def _iter_cuts(self, here: Occurrence, event: Called, model: Model) -> bool:
        """Note what a call cuts, or asks a database for; return whether it does nothing else with what it is handed."""
        for size, most in iter_row_limits(here, event, self._models):
            self._use(here, size, cuts=True, most=most, asks=True)
            for name in self._collect_arguments(here, size) if most < inf else ():
                self._get_taking(name, here).bounds.append(ArgumentBound(event, most))
        if model.returns not in CUTS:
            return False
        owner, *operands = event.values
        if model.on and len(event.arguments) > model.on:
            given = find_modelled_argument(event, model)  # None where the function has a size of its own
            owner, operands = event.arguments[model.on], [given] if given is not None else []
        for value in operands[-1:]:
            self._cut(here, owner, value, is_list=not _is_text(owner))
        return True

    def _returns_receiver(self, event: Called, model: Model | None) -> bool:
        """Return whether a call gives on what it is called on, and does nothing else: `since.as_deref()`."""
        return (
            model is not None
            and model.returns in GIVING_ON
            and not collect_acts(event, self._models)
            and bool(event.values)
            and not is_input(event.values[0])
        )

    def _hand_on(self, here: Occurrence, value: Value, model: Model | None) -> None:
        """Note that an argument is handed to unknown code that may see it missing, and has its own default then."""
        if model is None and get_term_head(value.term) == "argument" and not infer_presence(value, here.event.facts):
            for name in self._collect_arguments(here, value):
                self._get_taking(name, here).is_handed_on = True

    def _is_run(self, callee: Value) -> bool:
        """Return whether all that a call enters was run: what is begun and never waited for was not."""
        return all(each.code in self._entered for each in callee.things if isinstance(each, Function))

    def _is_harmless(self, event: Called, model: Model | None) -> bool:
        if model is None:
            return False
        acts = set(collect_acts(event, self._models))
        is_said = bool(
            SAYING & (acts | set(model.acts))
        )  # also what is printed elsewhere: `print(text, file=sys.stderr)`
        return (model.returns in HARMLESS and acts <= CONVERTING) or is_said

    def _note_lookup(self, here: Occurrence, event: Called, model: Model | None) -> None:
        """Record an argument that is read by a method of the object of all arguments, and the default that the method
        has.
        """
        if model is None or model.returns not in ASKING or not event.arguments:
            self._escapes = self._escapes or model is None or not self._is_harmless(event, model)
            return
        name, there = _collect_key(here, event.arguments[0])
        if name is None:
            self._escapes = self._escapes or model.returns != "contains"  # that tells no more than whether it is there
            return
        if model.returns == "pointed":
            name = name.removeprefix("/").partition("/")[0]
        taking = self._get_taking(name, there)
        default = event.arguments[1].constant if len(event.arguments) > 1 else None
        if default is not None and default[1] is not None:
            self._add_default(taking, default[1], event)

    def _visit_index(self, here: Occurrence, event: Indexed) -> None:
        if not is_input(event.owner):
            self._mention(here, (event.key,) if event.is_known else None)  # what becomes of the element is seen
            return
        name, there = _collect_key(here, event.key)
        if name is None:
            self._escapes = True
        else:
            self._get_taking(name, there)

    def _assign(self, here: Occurrence, event: Assigned) -> None:
        """Note a constant that a variable is given where an argument is missing."""
        context = event.context
        if context is None or context.value is None or event.value.constant is None:
            return
        for label in here.resolve_labels(context.value):
            if label.origin == "argument":
                constant = event.value.constant[1]
                taking = self._get_taking(label.name, here)
                taking.constants.append((constant, event))
                if isinstance(constant, int | float):
                    taking.bounds.append(ArgumentBound(event, constant))

    def _get_counted_down(self, here: Occurrence, event: Carried) -> None:
        """Note that a loop goes on for as many elements as an argument says: `left -= 1` for each that is taken."""
        for each in iter_alternatives(event.after):
            match each.meaning:
                case Made("-", (before, step)) if before.term == event.value.term and step.constant == (int, 1):
                    self._use(here, event.first, cuts=True, asks=True)

    def _visit_test(self, here: Occurrence, event: Tested) -> None:
        for relation in iter_relations(event.value):
            if relation.operator == "in" and relation.right is not None and is_input(relation.right):
                self._note_membership_test(here, relation.left)
            sides = [each for each in (relation.left, relation.right) if each is not None]
            for one, other in zip(sides, reversed(sides), strict=True) if len(sides) == 2 else ():
                name = self._find_argument(here, one)
                if name is not None:
                    is_order = relation.operator in ("<", "<=")
                    if is_order and other.constants is None and not _is_of_arguments(here, other):
                        self._get_taking(
                            name, here
                        ).is_used = True  # the limit of what the call measures: how long it waits
                    constant = other.constant[1] if other.constant is not None else None
                    if isinstance(constant, int | float):
                        self._get_taking(name, here).bounds.append(ArgumentBound(event, constant))
                    if _counts_elements(here, other):
                        self._count(here, one, other, is_order=is_order)

    def _count(self, here: Occurrence, size: Value, length: Value, *, is_order: bool) -> None:
        """Note that an argument is compared with how many elements there are, of which a loop may stop at a constant as well."""
        grows = here.is_under("loop") and self._may_grow(here, length)
        made = length.meaning
        stop = self._stops.get(made.of[0].term) if isinstance(made, Made) and made.by == "length" and grows else None
        most = stop.most if stop is not None else inf
        if is_order or grows:
            self._use(here, size, cuts=grows, most=most, asks=grows)
        if stop is not None:
            for name in self._collect_arguments(here, size):
                self._get_taking(name, here).bounds.append(stop)

    def _may_grow(self, here: Occurrence, length: Value) -> bool:
        """Return whether what is counted is a list to which the code adds; the length of a file is no number of elements."""
        made = here.trace_source(length)[1].meaning
        if not isinstance(made, Made) or made.by != "length":
            return True
        return any(each.term in self._grown for each in made.of)

    @cached_property
    def _grown(self) -> frozenset[Term]:
        """The sequences to which elements are added."""
        found: set[Term] = set()
        for each in self._occurrences:
            event = each.event
            if isinstance(event, Stored) and event.key is None:
                found |= {event.owner.term, each.trace_source(event.owner)[1].term}
            elif isinstance(event, Called) and event.receiver is not None:
                if self._models.get_model(event.path).returns in GROWING:
                    found |= {event.receiver.term, each.trace_source(event.receiver)[1].term}
        return frozenset(found)

    def _iter_asked_for(self, here: Occurrence) -> Iterator[object]:
        """Yield the tests by which a call is refused that does not say yes, or just that: what is done depends on it."""
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                value, holds = strip_negations(each.value, each.holds)
                if not holds and any(
                    self._find_argument(here, one) is not None for one in collect_required_values(value)
                ):
                    yield here.event.code, each.at

    def _note_membership_test(self, here: Occurrence, key: Value) -> None:
        name, there = _collect_key(here, key)
        if name is not None:
            self._get_taking(name, there).tests.add((here.event.code, here.event.at))

    def _note_bounds(self, here: Occurrence, event: Called) -> None:
        values = event.values if len(event.values) > 1 else _collect_parts(event.values)
        # how many elements there are bounds nothing where all are known: `end.min(items.len())`
        numbers = [each.constant[1] for each in values if each.constant is not None and not is_length(each)]
        for value in values:
            for label in here.resolve_labels(value):
                if label.origin == "argument":
                    found = [ArgumentBound(event, each) for each in numbers if isinstance(each, int | float)]
                    self._get_taking(label.name, here).bounds.extend(found)

    def _cut(self, here: Occurrence, owner: Value, size: Value, *, is_list: bool = True) -> None:
        """Note that a sequence is cut: by an argument, or after it was cut by one, or before."""
        bounds = infer_interval(size, here.event.facts)
        term = owner.term
        if (
            isinstance(term, tuple)
            and term[:1] == ("part",)
            and bounds.high < inf
            and not self._is_answered(here, term)
        ):
            self._cut_again(here, term[3], bounds)
        length = here.event.facts.get(("length", term))
        most = min(length.interval.high if length is not None else inf, _count_length(owner))
        is_sent = is_list and any(each.origin in SENDING for each in here.resolve_labels(owner))
        for part, bound in _iter_end_bounds(size, most):
            self._use(here, part, cuts=is_list, most=bound, is_sent=is_sent)

    def _cut_again(self, here: Occurrence, before: Term, bounds: Interval) -> None:
        """Note that what an argument cut is cut again, by what else bounds how much is left of it."""
        for taking in self._found.values():
            for place, each in enumerate(taking.uses):
                if each.cuts and each.value.term == before and each.event.code is here.event.code:
                    taking.uses[place] = each._replace(bounds=each.bounds.meet(Interval(high=bounds.high)))
                    taking.bounds.append(ArgumentBound(here.event, bounds.high))

    def _is_answered(self, here: Occurrence, term: Term) -> bool:
        """Return whether a function gives a list as it was before it is cut: something else is done with the part."""
        return any(
            isinstance(each, Returned) and _has(each.value, term) for each in here.find_own_trace(self._trace).events
        )

    def _use(
        self,
        here: Occurrence,
        value: Value,
        *,
        cuts: bool = False,
        most: float = inf,
        asks: bool = False,
        is_sent: bool = False,
    ) -> None:
        """Note that arguments are used as a number, of which no more than `most` counts."""
        if not value.labels or value.constants is not None or is_input(value):
            return
        bounds = infer_interval(value, here.event.facts)
        if bounds.high >= ENDLESS:
            bounds = bounds._replace(high=inf)
        if most < inf:
            bounds = bounds.meet(Interval(high=most))
        for name in self._collect_arguments(here, value):
            uses = self._get_taking(name, here).uses
            if not uses or uses[-1].event is not here.event or uses[-1].value.term != value.term:
                uses.append(
                    NumericUse(here.event, value, bounds, cuts, asks, is_sent)
                )  # what a statement bounds is handed over with the rest

    def _collect_arguments(self, here: Occurrence, value: Value) -> list[str]:
        """Return the names of the arguments of which a value is one, bounded or replaced by another at most."""
        if not value.labels or not is_itself(value) or not is_itself(here.trace_source(value)[1]):
            return []
        if not _may_be_one(here.trace_source(value)[1]):
            return []  # it is handed over as it is, and is made of one where it comes from
        names = sorted({each.name for each in here.resolve_labels(value) if each.origin == "argument"})
        return names if len(names) == 1 or all(map(is_itself, iter_alternatives(value))) else []

    def _find_argument(self, here: Occurrence, value: Value) -> str | None:
        """Return the name of the argument that a value is, bounded or replaced by another at most; None if it is none."""
        names = self._collect_arguments(here, value)
        return names[0] if len(names) == 1 else None

    def _note_choice(self, here: Occurrence, value: Value) -> None:
        """Note what stands in for an argument that is missing: a constant, or another argument."""
        if not isinstance(value.meaning, ConditionalValue):
            return
        found = (self._find_argument(here, each) for each in iter_alternatives(value))
        names = {each for each in found if each is not None}
        for name in names:
            taking = self._get_taking(name, here)
            taking.among |= names if len(names) > 1 else set()
        choice = value.meaning
        if len(names) != 1:
            return
        name = names.pop()
        asked = {each.name for each in here.resolve_labels(choice.test) if each.origin == "argument"}
        is_about = any(
            name == each or name.startswith(f"{each}.") for each in asked
        )  # or about the model that holds it
        is_asked, taking = is_about and _asks_whether_given(choice.test), self._get_taking(name, here)
        for side in (choice.then, choice.otherwise):
            constant = self._get_plain(side)
            given = [event for known, event in taking.constants if known == constant] if constant is not None else []
            if constant is not None and (is_asked or any(map(_is_for_absence, given))):
                self._add_default(taking, constant, given[-1] if given else here.event)

    def _get_plain(self, value: Value) -> Plain:
        """Return the constant that a value is, of a variant what it is called in data; None if it is none."""
        if value.constant is not None:
            return value.constant[1]
        variants = [each for each in value.things if isinstance(each, Class) and each.variant]
        return self._program.find_variant_name(variants[0]) if len(variants) == len(value.things) == 1 else None

    def _add_default(self, taking: Taking, default: Plain, event: Event) -> None:
        if isinstance(default, str | int | float | bool) and default not in taking.defaults:
            taking.defaults[default] = GivenValue(default, event.text)


def _is_of_arguments(here: Occurrence, value: Value) -> bool:
    return any(each.origin == "argument" for each in here.resolve_labels(value))


def _is_if_given(use: NumericUse) -> bool:
    """Return whether a list is cut only where the argument is there: in the branch of such a test, or by `rows[:None]`."""
    if isinstance(use.event, Sliced) and get_term_head(use.value.term) == "argument":
        return True
    asked = {each.term for each in iter_components(use.value)}
    for each in use.event.iter_outwards():
        if each.condition == "test" and each.value is not None and _asks_whether_given(each.value):
            test, holds = strip_negations(each.value, each.holds)
            is_none = isinstance(test.meaning, Relation) and test.meaning.operator in ("is", "==")
            if holds is not is_none and not asked.isdisjoint(one.term for one in iter_components(test)):
                return True
    return False


def _is_for_absence(event: Event) -> bool:
    """Return whether something is done in the branch of a test, perhaps one of several arms, that an argument is missing."""
    context = event.context
    if context is None or context.value is None or context.condition != "test":
        return False
    test, holds = strip_negations(context.value, context.holds)
    return not holds and isinstance(test.meaning, Relation) and test.meaning.operator == "present"


def _is_truth(value: Value) -> bool:
    """Return whether a value only tells whether something is so, or is a sequence of such: `key in arguments for key in KEYS`."""
    held = list((value.contents or {}).values()) or [value]
    return all(isinstance(each.meaning, Relation | Negation) for each in held)


def _is_reason(labels: frozenset[Label]) -> bool:
    """Return whether a value may tell why something failed: a failure to read the arguments is no use of them."""
    return any(label.origin == "exception" for label in labels)


def _count_length(value: Value) -> float:
    """Return how many elements a sequence has that is written out, infinity if it is not."""
    held = value.contents or {}
    return len(held) if held and all(isinstance(key, int) for key in held) else inf


def _collect_key(here: Occurrence, key: Value) -> tuple[str | None, Occurrence]:
    """Return the name that is asked for, None if it cannot be told, and where it is said."""
    there, said = here.trace_source(key)
    return said.text, there


def _cuts_text(event: Sliced) -> bool:
    if any(isinstance(each, Instance) for each in event.owner.things):
        return _is_text(event.owner)
    owner = OWNER.match(event.text)
    return _is_text(event.owner) or (owner is not None and names_a_text(owner[1]))


def _find_size(cut: Sliced) -> Value | None:
    """Return how many elements are taken, of `items[start : start + size]` and `items[-size:]` the size; else the end."""
    if cut.high is None:
        return _find_last(cut.low, cut.owner) if cut.low is not None else None
    made = cut.high.meaning
    if cut.low is not None and isinstance(made, Made) and made.by == "+":
        others = [each for each in made.of if each.term != cut.low.term]
        if len(others) == 1:
            return others[0]
    return cut.high


def _iter_end_bounds(size: Value, most: float, deep: int = DEEPEST) -> Iterator[tuple[Value, float]]:
    """Yield the values that determine where a list ends, with their maximum: for `min(start + size, len(items))` those
    of the sum.
    """
    made = size.meaning if deep and not is_itself(size) else None
    if isinstance(made, Made) and made.by in ("+", "least"):
        numbers = [each.constant[1] for each in made.of if each.constant is not None] if made.by == "least" else []
        most = min([most, *(each for each in numbers if isinstance(each, int | float))])
        for each in made.of:
            if each.constant is None:
                yield from _iter_end_bounds(each, most, deep - 1)
    else:
        yield size, most


def _find_last(start: Value, owner: Value) -> Value | None:
    """Return how many of the last elements are taken from a place on, None if that is no number of them."""
    match start.meaning:
        case Made("-", (whole, size)) if whole.constant == (int, 0) or whole.term == ("length", owner.term):
            return size
        case Made("greatest", of):
            parts = [each for each in of if each.constants is None]
            return _find_last(parts[0], owner) if len(parts) == 1 else None
    return None


def _has(value: Value, term: Term, deep: int = DEEPEST) -> bool:
    """Return whether a value is one of a term, or holds it."""
    return value.term == term or (
        deep > 0 and any(_has(each, term, deep - 1) for each in (value.contents or {}).values())
    )


def _is_text(value: Value) -> bool:
    return get_term_head(find_original_term(value.term)) == "pieces" or any(
        isinstance(each, Instance) and isinstance(each.of, Library) and each.of.path in find_types("text", "bytes")
        for each in value.things
    )


def _collect_parts(values: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple((values[0].contents or {}).values()) if values else ()


def _counts_elements(here: Occurrence, value: Value) -> bool:
    """Return whether a value is how many elements there are, or the place of one."""
    _, value = here.trace_source(value)
    made = value.meaning
    if isinstance(made, Made) and made.by == "counted":
        return isinstance(value.term, tuple) and value.term[-1:] == ("number",)  # the places of elements
    if not isinstance(made, Made) or made.by != "length":
        return get_term_head(value.term) == "length"
    return not any(_is_text(each) for each in made.of)


def _note_tests(event: Event, tests: set[object]) -> None:
    """Take down what surrounds an event; what surrounds a test that is there is there as well."""
    context = event.context
    while context is not None and (event.code, context.at) not in tests:
        tests.add((event.code, context.at))
        context = context.around


def _asks_whether_given(test: Value) -> bool:
    """Return whether a test is about a value being there, or being true, and not about how large it is."""
    match test.meaning:
        case Negation(operand):
            return _asks_whether_given(operand)
        case Relation("present" | "succeeds"):
            return True
        case Relation("is" | "==", left, right):
            return any(each is not None and each.constant == (type(None), None) for each in (left, right))
        case Relation():
            return False
    return True


def _may_be_one(source: Value) -> bool:
    """Return whether a value may be an argument, bounded or replaced at most, by what its source tells of itself."""
    match source.meaning:
        case ConditionalValue():
            return True
        case Made(by, _):
            return by in BETWEEN or by == "joined"
    return get_term_head(find_original_term(source.term)) in PASSING
