"""Values on their way into a function and out of it.

A function is run with values of its own: each parameter has a term that says which parameter it is, and the objects that it
is handed are copied under such terms. So what it does holds for everyone who hands over the like. On the way out, what it was
handed becomes the caller's own again, with what its tests told and what it wrote; what it made gets a term of the call.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace

from reviewer.code.events import Cut, translate_labels
from reviewer.code.given import Given, Guarded, Pending
from reviewer.code.heap import Heap
from reviewer.code.ir import Code, Site
from reviewer.code.layers import extend_mapping
from reviewer.code.parts import collect_labels, filter_by_kind, join_values, show_value
from reviewer.code.state import KnownFact, State, infer_constants, infer_interval, infer_presence, infer_truth
from reviewer.code.summaries import Summary
from reviewer.code.values import (
    ANY,
    CELL,
    DECODED_ONCE,
    HOLLOW,
    NONE,
    UNREADABLE,
    ClientArguments,
    ConditionalValue,
    Function,
    Key,
    Label,
    Made,
    Meaning,
    Negation,
    Origin,
    Relation,
    Term,
    Thing,
    Value,
    build_choice,
    share_labels,
)

REACH = 3
"""How deep objects inside objects are handed over. A request holds a model, which holds a list."""
MEANINGS = 6
"""How deep conditions in conditions, and what values were made of, are handed back. A chain of defaults and bounds has four."""
SIDES = 4
"""How deep one of several objects is looked through for what it holds. Three configurations of a server were seen."""
ENTRIES = 48
"""How many entries of an object are handed over; one with more is data, and any of them."""
SHARED = frozenset({"global", "library", "module", "constant", "globals", "partial"})
"""The first parts of terms that mean the same in every function."""
FLAGS = frozenset({(bool, True), (bool, False), (type(None), None)})
"""Constants that are told apart also where a function was run with many others: a helper that makes errors too, if it is told so,
is handed as many texts as there are answers."""
MADE = tuple.__new__
"""What makes a value, or what it means, of all its parts: in a third of the time that its class takes."""
NO_MORE = Value(())[2:]
"""The parts of a value of which only the term is known, and where it comes from."""
ELSEWHERE: frozenset[Origin] = frozenset({"network", "database", "command", "file"})
"""Whose answer is no part of what was asked, so that nothing that is supposed of the question holds for it."""
SUPPOSED = frozenset({UNREADABLE, HOLLOW, DECODED_ONCE})
"""What a run supposes of a text, which the called function is told as well."""
PARTS = frozenset({"field", "item", "length", "element"})
"""The first parts of terms of what is a part of another value, whose term comes next."""


class CallBoundary:
    """One call: `heap` and `facts` are what the function begins with, `shapes` what its run depends on."""

    def __init__(self, state: State, at: Site, detail: int) -> None:
        self._state = state
        self._at = at
        self._detail = detail
        self.given: dict[Term, Value] = {}
        """The caller's values, by the terms that the function has for them."""
        self._handed: dict[Term, Value] = {}
        self._out: dict[Term, Value] = {}
        self.heap = Heap()
        self.facts: dict[Term, KnownFact] = {}
        self._origins: dict[frozenset[Label], frozenset[Label]] = {}
        self._is_told = False
        self.shapes: list[Hashable] = []
        self.labels: dict[Label, frozenset[Label]] = {}
        """Where what the function is handed comes from, by the labels that it has for that."""

    def read_part(self, owner: Value, name: str) -> Value:
        """Return the member of an object of the caller."""
        return self._state.read(owner, name) or owner

    def translate_inward(self, value: Value, term: Term, reach: int = REACH) -> Value:
        """Return a value as the function has it."""
        reach = reach if self._detail else 0
        if is_shared(value):
            self.shapes.append(value.term)
            return value
        state, facts = self._state, self._state.facts
        is_supposed = UNREADABLE in value.labels  # which holds however closely the calls are told apart
        constants = infer_constants(value, facts) if self._detail or is_supposed else None
        if self._detail == 1 and constants is not None and not (is_supposed or constants <= FLAGS):
            constants = None
        interval = infer_interval(value, facts) if self._detail else ANY._replace(unsure=True)
        if constants is None and value.constants is not None:
            interval = ANY._replace(unsure=True)
        truth, present = (infer_truth(value, facts), infer_presence(value, facts)) if self._detail else (None, None)
        self.shapes.append((term, constants, interval, value.certain, truth, present, value.failure is not None))
        things = tuple([self._translate_thing(each, term, reach) for each in value.things]) if value.things else ()
        label = Label("parameter", str(len(self.labels)))
        suppositions = value.labels & SUPPOSED if is_supposed else frozenset[Label]()
        self.labels[label] = share_labels(
            value.labels - suppositions
        )  # the function has these itself, for as long as they hold
        labels = share_labels(suppositions | {label})
        if suppositions:
            self.shapes.append(suppositions)
        self.given[term] = value
        fact = facts.get(value.term)
        if fact is not None and self._detail:
            self.facts[term] = fact
            if fact != KnownFact(fact.interval, fact.truth, fact.present):  # what these tell, the shape tells already
                self.shapes.append(fact)
        contents = value.contents if value.contents is not None else _find_arguments(value, state)
        if contents is not None and value.term in state.heap and not isinstance(contents, ClientArguments):
            contents = None  # more was written into it since it was made
        if contents is not None:
            self.shapes.append(_get_shape(contents))
        if isinstance(contents, ClientArguments) and not self._is_told:
            self._tell_of_arguments()
        held = _collect_held_by(value, state)
        is_open = bool(held) and reach > 0 and len(held) <= ENTRIES and contents is None
        if held and not is_open:
            self.labels[label] = share_labels(collect_labels(value, state, REACH) - suppositions)
        if is_open:
            self.heap[term] = {
                key: self.translate_inward(each, ("entry", term, key), reach - 1) for key, each in held.items()
            }
        failure = (
            self.translate_inward(value.failure, ("reason", term), reach - 1)
            if value.failure is not None and reach
            else None
        )
        return Value(
            term, labels, constants, interval, things, value.certain, None, failure,
            self._translate_awaited(value.awaits, term, reach), contents, value.unknown,
        )  # fmt: skip

    def keep(self, cells: Iterable[Term]) -> None:
        """Hand over what is kept for whatever is called, if anything is."""
        for term in cells:
            held = self._state.heap.get(term, {}).get(CELL)
            if held is not None and term not in self.heap:
                self.shapes.append(("kept", term))
                self.heap[term] = {CELL: self.translate_inward(held, ("entry", term, CELL), REACH - 1)}

    def _tell_of_arguments(self) -> None:
        """Hand over what tests told of the arguments of a call, to who is handed the object that holds them."""
        self._is_told = True
        for term, fact in self._state.facts.items():
            if _is_argument(term):
                self.facts[term] = fact
                self.shapes.append((term, fact))

    def _translate_awaited(self, awaits: object, term: Term, reach: int) -> object:
        """Return the result of awaiting a value, in the terms of the called function."""
        if isinstance(awaits, Function):
            return self._translate_thing(awaits, ("awaits", term), reach)
        if isinstance(awaits, Guarded) and reach:
            return Guarded(self.translate_inward(awaits.of, ("awaits", term), reach - 1), awaits.at)
        if not isinstance(awaits, Pending) or not reach:
            return None
        given = awaits.given
        places = tuple(
            [self.translate_inward(each, ("awaits", term, place), 1) for place, each in enumerate(given.positional)]
        )
        names = {
            name: self.translate_inward(each, ("awaits", term, name), 1) for name, each in given.collect_named().items()
        }
        rest = self.translate_inward(given.rest, ("awaits", term, None), 1) if given.rest is not None else None
        function = self._translate_thing(awaits.function, ("awaits", term), reach)
        assert isinstance(function, Function)
        self.shapes.append((len(places), *names))
        others = [
            self._translate_awaited(each, ("awaits", term, number), reach) for number, each in enumerate(awaits.others)
        ]
        also = tuple([each for each in others if isinstance(each, Pending)])
        return Pending(function, Given(places, names, rest), awaits.at, awaits.of, also)

    def _translate_thing(self, thing: Thing, term: Term, reach: int) -> Thing:
        if not isinstance(thing, Function):
            self.shapes.append(thing)
            return thing
        self.shapes.append(thing.code)
        receiver = thing.receiver
        if receiver is not None and reach:
            receiver = self.translate_inward(receiver, ("receiver", term), reach - 1)
        captured = thing.captured
        if captured and reach:
            captured = {
                variable: self.translate_inward(each, ("captured", term, variable), 1)
                for variable, each in captured.items()
            }
        leading = tuple(
            self.translate_inward(each, ("leading", term, place), 1) for place, each in enumerate(thing.leading)
        )
        named = tuple((name, self.translate_inward(each, ("leading", term, name), 1)) for name, each in thing.named)
        self.shapes.append(tuple(name for name, _ in named))
        return Function(thing.code, receiver, captured, leading, named, thing.binding)

    def leave(self, summary: Summary) -> Value:
        """Take down what the function told and wrote, and return what it gives."""
        given = summary.trace.result
        assert given is not None
        shortened = [term for term in summary.facts if _is_of_shortened(term, summary)]
        if shortened:  # what it gives may tell of the length before, as `total` does
            known = {term: fact for term, fact in summary.facts.items() if term not in shortened}
            summary = replace(summary, facts=known)
        result = self.translate_outward(given, summary)
        told: dict[Term, KnownFact] = {}
        for term, fact in summary.facts.items():
            mine = self._rename_term(term)
            if mine is not None and self.facts.get(term) is not fact:
                told[mine] = fact
        if told:
            self._state.facts = extend_mapping(self._state.facts, told)
        for owner, held in summary.written.items():
            if owner in self.given or (isinstance(owner, tuple) and owner[:1] == ("globals",)):
                whose = self.given.get(owner, Value(owner))
                before = self._state.read_contents(whose)
                self._state.heap[whose.term] = {
                    **before,
                    **{key: self.translate_outward(each, summary) for key, each in held.items()},
                }
        return result

    def hand(self, value: Value, term: Term) -> Value:
        """Return the value of a parameter, under its term in the called function, for an argument of the caller."""
        self._handed[term] = value
        return self.translate_inward(value, term)

    def iter_by_reference(self, code: Code, summary: Summary) -> Iterator[tuple[Value, Value]]:
        """Yield the caller's values that were passed by reference, with those that the function left there: `*line =
        text`.
        """
        for place, each in enumerate(code.parameters):
            if each.is_by_reference:
                term = ("parameter", code, place)
                before, left = self._handed.get(term), summary.variables.get(each.variable)
                if before is not None and left is not None and left.term not in (term, before.term):
                    yield before, self.translate_outward(left, summary)

    def _rename_term(self, term: Term) -> Term | None:
        """Return the caller's term of a value, or of a part of one; None if only the function knows it."""
        for known in (self.given, self._out):
            if term in known:
                return known[term].term
        if _is_argument(term):
            return term
        if isinstance(term, tuple) and len(term) > 1 and term[0] in PARTS:
            owner = self._rename_term(term[1])
            return (term[0], owner, *term[2:]) if owner is not None else None
        return None

    def translate_outward(self, value: Value, summary: Summary, meant: int = 0) -> Value:
        """Return a value as the caller has it; `meant` is how many meanings it lies in.

        A large project has a million of them, so it asks for what is met most first, and makes values without their defaults.
        """
        own = value.term
        known = self._out.get(own)
        if known is not None:
            return known
        mine = self.given.get(own)
        if mine is not None:
            mine = mine.with_labels(self._from_where(value.labels))
            if mine.library_types and value.library_types not in ([], mine.library_types):
                mine = mine._replace(
                    things=value.things
                )  # given back as something else: a table of JSON as a value of it
            return mine if value.duplicate is None else mine._replace(duplicate=value.duplicate)
        if is_shared(value):
            return value
        labels = self._from_where(value.labels) if value.labels else value.labels
        if _is_argument(own):
            return value._replace(labels=labels, giver=None)
        term = ("via", self._at, own)
        self._out[own] = MADE(Value, (term, labels, *NO_MORE))
        interval = infer_interval(value, summary.facts)
        things = tuple([self._translate_thing_outward(each, summary) for each in value.things]) if value.things else ()
        meaning = value.meaning
        if meaning is not None:
            meaning = self._translate_meaning_outward(meaning, summary, meant + 1) if meant < MEANINGS else None
        failure = self.translate_outward(value.failure, summary) if value.failure is not None else None
        awaits = self._translate_awaited_outward(value.awaits, summary) if value.awaits is not None else None
        contents = self._translate_contents_outward(value.contents, summary) if value.contents else value.contents
        found = MADE(Value, (
            term, labels, value.constants, interval, things, value.certain, meaning, failure, awaits, contents,
            value.unknown, value.duplicate, None,
        ))  # fmt: skip
        self._out[own] = found
        held = summary.heap.get(own)
        if held is not None:
            self._state.heap[term] = {key: self.translate_outward(each, summary) for key, each in held.items()}
        return found

    def _from_where(self, labels: frozenset[Label]) -> frozenset[Label]:
        """Return labels as the caller has them: many values come from the same."""
        found = self._origins.get(labels)
        if found is None:
            found = translate_labels(labels, self.labels)
            if UNREADABLE in found and UNREADABLE not in labels and any(each.origin in ELSEWHERE for each in labels):
                found -= {UNREADABLE}  # an argument that the function did not look into held it
            found = self._origins[labels] = share_labels(found)
        return found

    def _translate_contents_outward(self, contents: "Mapping[Key, Value]", summary: Summary) -> "Mapping[Key, Value]":
        return {key: self.translate_outward(each, summary) for key, each in contents.items()}

    def _translate_awaited_outward(self, awaits: object, summary: Summary) -> object:
        if isinstance(awaits, Function):
            return self._translate_thing_outward(awaits, summary)
        if isinstance(awaits, Guarded):
            return Guarded(self.translate_outward(awaits.of, summary), awaits.at)
        if not isinstance(awaits, Pending):
            return None
        given = awaits.given
        places = tuple([self.translate_outward(each, summary) for each in given.positional])
        names = {name: self.translate_outward(each, summary) for name, each in given.collect_named().items()}
        rest = self.translate_outward(given.rest, summary) if given.rest is not None else None
        function = self._translate_thing_outward(awaits.function, summary)
        assert isinstance(function, Function)
        others = [self._translate_awaited_outward(each, summary) for each in awaits.others]
        also = tuple([each for each in others if isinstance(each, Pending)])
        return Pending(function, Given(places, names, rest), awaits.at, awaits.of, also)

    def _translate_thing_outward(self, thing: Thing, summary: Summary) -> Thing:
        if not isinstance(thing, Function):
            return thing
        receiver = self.translate_outward(thing.receiver, summary) if thing.receiver is not None else None
        captured = {
            variable: self.translate_outward(each, summary) for variable, each in (thing.captured or {}).items()
        }
        leading = tuple(self.translate_outward(each, summary) for each in thing.leading)
        named = tuple((name, self.translate_outward(each, summary)) for name, each in thing.named)
        return Function(thing.code, receiver, captured, leading, named, thing.binding)

    def _translate_meaning_outward(self, meaning: Meaning, summary: Summary, meant: int) -> Meaning | None:
        if isinstance(meaning, Made):
            by, of, size = meaning
            parts = [self.translate_outward(each, summary, meant) for each in of]
            if by == "text":  # of objects, whose texts say what they held
                parts = [show_value(each, self._state) for each in parts]
            elif any(each.contents for each in of):
                parts = [
                    show_value(mine, self._state) if each.contents else mine
                    for each, mine in zip(of, parts, strict=True)
                ]
            return MADE(Made, (by, tuple(parts), size))
        if isinstance(meaning, Negation):
            return Negation(self.translate_outward(meaning.operand, summary, meant))
        if isinstance(meaning, Relation):
            operator, left, right = meaning
            other = self.translate_outward(right, summary, meant) if right is not None else None
            return MADE(Relation, (operator, self.translate_outward(left, summary, meant), other))
        test, then, otherwise, then_truth, otherwise_truth, _ = meaning
        return build_choice(
            self.translate_outward(test, summary, meant),
            self.translate_outward(then, summary, meant),
            self.translate_outward(otherwise, summary, meant),
            then_truth,
            otherwise_truth,
        )


def _find_arguments(value: Value, state: State) -> ClientArguments | None:
    """Return the arguments of a call where a value is what holds them, or an empty object: `arguments or {}`."""
    if not isinstance(value.meaning, ConditionalValue):
        return None
    sides = (value.meaning.then, value.meaning.otherwise)
    held = [each.contents for each in sides if isinstance(each.contents, ClientArguments)]
    others = [each for each in sides if not isinstance(each.contents, ClientArguments)]
    is_nothing = all(each.constant == NONE.constant or state.heap.get(each.term) == {} for each in others)
    return held[0] if held and is_nothing else None


def _collect_held_by(value: Value, state: State, deep: int = SIDES) -> "Mapping[Key, Value]":
    """Return the entries of an object; for one of several possible objects those that any of them has.

    Entries written since, without knowing into which of them, come before theirs.
    """
    held = state.read_contents(value)
    match value.meaning if deep else None:
        case ConditionalValue(_, then, otherwise) | Made("joined", (then, otherwise)) as meaning if _is_of_project(
            value
        ):
            sides = [_collect_held_by(each, state, deep - 1) for each in filter_by_kind(value, (then, otherwise))]
            keys = {key: None for side in sides for key in side}
            of_both = meaning if isinstance(meaning, ConditionalValue) and len(sides) == 2 else None
            of_sides = {
                key: _evaluate_one_of(value, key, [side.get(key) for side in sides], of_both)
                for key in keys
                if key not in held
            }
            return {**of_sides, **held}
    return held


def _is_of_project(value: Value) -> bool:
    return bool(value.classes)


def _evaluate_one_of(owner: Value, key: Key, sides: list[Value | None], meaning: ConditionalValue | None) -> Value:
    known = [each for each in sides if each is not None]
    term = ("field", owner.term, key)
    if len(known) < len(sides):  # of the other object it is a part, wherever that comes from
        return Value(term, owner.labels, unknown="only one of several objects was seen to hold it")
    found = join_values(term, known[0], known[-1])
    if meaning is None or known[0] is known[-1]:
        return found
    return found._replace(meaning=build_choice(meaning.test, known[0], known[-1]))


def _get_shape(contents: "Mapping[Key, Value]") -> Hashable:
    """Return a key that distinguishes the contents of an object from others."""
    if isinstance(contents, ClientArguments):
        return contents
    return tuple([(key, value.constants) for key, value in contents.items()])


def _is_argument(term: Term) -> bool:
    """Return whether a term is that of an argument of the call, which is the same in every function."""
    return isinstance(term, tuple) and term[:1] == ("argument",)


def is_shared(value: Value) -> bool:
    """Return whether a value is the same in every function: of a module, or a constant that says no more than itself."""
    if not isinstance(value.term, tuple) or value.term[:1] == ("constant",):
        return False
    return value.term[0] in SHARED


def _is_of_shortened(term: Term, summary: Summary) -> bool:
    """Return whether a term is the length of what a function was handed and shortened."""
    match term:
        case ("length", owner):
            return any(
                isinstance(each, Cut) and each.is_in_place and each.owner.term == owner for each in summary.trace.events
            )
    return False
