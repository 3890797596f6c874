"""Which arguments of a call its code takes, what stands in for them, what bounds them, and what they cut."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, partial

from reviewer.behaviour.arguments.argument_defaults import ArgumentDefaults
from reviewer.behaviour.arguments.argument_values import (
    ASKING,
    BOUNDING,
    CONVERTING,
    GIVING_ON,
    HARMLESS,
    REPLACING,
    TELLING,
    collect_choices,
    collect_concerns,
    collect_mentioned_labels,
    collect_required_values,
    is_input,
    is_refusal,
    iter_alternatives,
    iter_literal_parts,
    iter_unread_arguments,
    passes_on,
)
from reviewer.behaviour.arguments.comparisons import collect_comparisons, iter_relations
from reviewer.behaviour.arguments.inputs import WHOLE, hands_over
from reviewer.behaviour.arguments.numeric_uses import NumericUses
from reviewer.behaviour.arguments.sequence_sizes import counts_elements
from reviewer.behaviour.arguments.taken_arguments import ArgumentBound, TakenArguments, Taking
from reviewer.code.acts import SAYING, collect_acts
from reviewer.code.events import (
    Assigned,
    Awaited,
    Called,
    Captured,
    Carried,
    Decoded,
    Entered,
    Event,
    Indexed,
    Looped,
    Occurrence,
    Raised,
    Returned,
    Sliced,
    Tested,
    Trace,
    translate_labels,
)
from reviewer.code.given import Pending
from reviewer.code.ir import Code, Site
from reviewer.code.models import Model
from reviewer.code.program import Program, find_once
from reviewer.code.run import is_whole
from reviewer.code.state import infer_failure, infer_presence
from reviewer.code.values import Class, Function, Label, Negation, Relation, Value, get_term_head, strip_negations
from reviewer.text.patterns import pattern

KEY = pattern(r"[A-Za-z_]\w*")
"""What an argument may be called. Code that was not reached names other texts as well, and those say nothing of arguments."""


class ArgumentUses:
    """What the code of one trace takes out of the arguments of a call."""

    def __init__(self, trace: Trace, program: Program, held: Iterable[str] = ()) -> None:
        """Look through a trace; `held` are arguments that objects hold from the beginning, which is no use of them."""
        self._trace, self._program, self._models, self._held = trace, program, program.models, frozenset(held)
        self._taken = TakenArguments()
        self._found = self._taken.found
        self._defaults = ArgumentDefaults(program, self._taken)
        self._escapes = False
        self._raised: defaultdict[Code, set[Site]] = defaultdict(set)
        """Where exceptions are raised, or failures returned."""
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
        return frozenset[str]().union(*(each.unreached_names for each in traces))

    @property
    def is_whole(self) -> bool:
        """Return whether all was run that the code comes to."""
        return is_whole(self._trace)

    @cached_property
    def _numbers(self) -> NumericUses:
        return NumericUses(self._trace, self._program, self._taken, self._occurrences)

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
        return bool(self.taken) and self.is_kept

    @property
    def is_kept(self) -> bool:
        """Return whether the object of all arguments goes nowhere that is not followed, also if none is taken out of it."""
        _ = self.taken  # what escapes is known when all was read
        return not self._escapes

    @property
    def is_complete(self) -> bool:
        """Return whether no other argument is taken: the object of all arguments goes nowhere that is not followed."""
        taken = self.taken  # what escapes is known when all was read
        if self._escapes or any(each.is_held for each in taken.values()):
            return not self._escapes
        return not any(KEY.fullmatch(each) for each in self.overlooked - taken.keys())

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
                self._note_uses(here, omitted)

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

    def _note_uses(self, here: Occurrence, omitted: set[tuple[Code, Site]]) -> None:
        event = here.event
        if is_refusal(event):
            self._deciding.update(self._iter_asked_for(here))
        for each in find_once(self._program, event, "choices", partial(collect_choices, event)):
            self._defaults.note_choice(here, each)
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
                self._defaults.note_assignment(here, event)
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
                self._numbers.note_countdown(here, event)
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
                self._numbers.note_slice(here, event)
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
                    taking = self._taken.get(label.name, here)
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
            self._defaults.note_choice(here, event.result)
        if model is not None and model.returns in TELLING:
            return  # what is made of the answer counts: a test, or whoever is handed it
        self._mention(
            here, () if self._returns_receiver(event, model) else None, whole=not self._is_harmless(event, model)
        )
        if model is not None and model.returns == "receiver" and SAYING.isdisjoint(collect_acts(event, self._models)):
            self._mention(here, event.values[1:])  # a builder that is told of them, which its result does not
        if model is not None and model.returns in BOUNDING:
            self._numbers.note_bounds(here, event)
        if model is not None and self._numbers.note_cuts(here, event, model):
            return
        self._parse(here, event)
        if model is None or not passes_on(event, model, collect_acts(event, self._models)):
            for value in event.values:
                for each in iter_literal_parts(value):
                    self._numbers.note(here, each)
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
            for name in self._taken.collect_names(here, event.arguments[0]):
                self._taken.get(name, here).parsed = event.text

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
            for name in self._taken.collect_names(here, value):
                self._taken.get(name, here).is_handed_on = True

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
        taking = self._taken.get(name, there)
        default = event.arguments[1].constant if len(event.arguments) > 1 else None
        if default is not None and default[1] is not None:
            self._defaults.add(taking, default[1], event)

    def _visit_index(self, here: Occurrence, event: Indexed) -> None:
        if not is_input(event.owner):
            self._mention(here, (event.key,) if event.is_known else None)  # what becomes of the element is seen
            return
        name, there = _collect_key(here, event.key)
        if name is None:
            self._escapes = True
        else:
            self._taken.get(name, there)

    def _visit_test(self, here: Occurrence, event: Tested) -> None:
        for relation in iter_relations(event.value):
            if relation.operator == "in" and relation.right is not None and is_input(relation.right):
                self._note_membership_test(here, relation.left)
            sides = [each for each in (relation.left, relation.right) if each is not None]
            for one, other in zip(sides, reversed(sides), strict=True) if len(sides) == 2 else ():
                name = self._taken.find_name(here, one)
                if name is not None:
                    is_order = relation.operator in ("<", "<=")
                    if is_order and other.constants is None and not _is_of_arguments(here, other):
                        self._taken.get(
                            name, here
                        ).is_used = True  # the limit of what the call measures: how long it waits
                    constant = other.constant[1] if other.constant is not None else None
                    if isinstance(constant, int | float):
                        self._taken.get(name, here).bounds.append(ArgumentBound(event, constant))
                    if counts_elements(here, other):
                        self._numbers.note_count(here, one, other, is_order=is_order)

    def _iter_asked_for(self, here: Occurrence) -> Iterator[object]:
        """Yield the tests by which a call is refused that does not say yes, or just that: what is done depends on it."""
        for each in here.event.iter_outwards():
            if each.condition == "test" and each.value is not None:
                value, holds = strip_negations(each.value, each.holds)
                if not holds and any(
                    self._taken.find_name(here, one) is not None for one in collect_required_values(value)
                ):
                    yield here.event.code, each.at

    def _note_membership_test(self, here: Occurrence, key: Value) -> None:
        name, there = _collect_key(here, key)
        if name is not None:
            self._taken.get(name, there).tests.add((here.event.code, here.event.at))


def _is_of_arguments(here: Occurrence, value: Value) -> bool:
    return any(each.origin == "argument" for each in here.resolve_labels(value))


def _is_truth(value: Value) -> bool:
    """Return whether a value only tells whether something is so, or is a sequence of such: `key in arguments for key in KEYS`."""
    held = list((value.contents or {}).values()) or [value]
    return all(isinstance(each.meaning, Relation | Negation) for each in held)


def _is_reason(labels: frozenset[Label]) -> bool:
    """Return whether a value may tell why something failed: a failure to read the arguments is no use of them."""
    return any(label.origin == "exception" for label in labels)


def _collect_key(here: Occurrence, key: Value) -> tuple[str | None, Occurrence]:
    """Return the name that is asked for, None if it cannot be told, and where it is said."""
    there, said = here.trace_source(key)
    return said.text, there


def _note_tests(event: Event, tests: set[object]) -> None:
    """Take down what surrounds an event; what surrounds a test that is there is there as well."""
    context = event.context
    while context is not None and (event.code, context.at) not in tests:
        tests.add((event.code, context.at))
        context = context.around
