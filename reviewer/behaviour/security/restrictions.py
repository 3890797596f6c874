"""What is made sure of an argument before it is used: tests that turn others away, and functions that check.

A test counts where it is known how it turned out, or where it led to an early end; a function that is not there counts by a name
that says that it checks. What only asks whether a value is there, of what type it is or what it is like in a part, is no check.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewer.behaviour.arguments.inputs import CLIENTS, find_argument_name
from reviewer.behaviour.security.checks import is_field, iter_conditions, iter_test_contexts
from reviewer.behaviour.security.checks import iter_parts as made_of
from reviewer.behaviour.values.texts import TextPiece, collect_compositions, iter_parts
from reviewer.code.acts import collect_acts, find_modelled_argument
from reviewer.code.events import Called, Context, Entered, Event, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.ir import Site
from reviewer.code.models import ActName
from reviewer.code.program import Program
from reviewer.code.values import NONE, Class, ConditionalValue, Instance, Label, Made, Negation, Relation, Term, Value
from reviewer.facts import Sink
from reviewer.source import Text
from reviewer.text.patterns import pattern

CHECKING = pattern(
    r"(?<!in)valid|check(?!out|sum|point|in)|sanit|safe|secur|escape|quot|allow|ensure|verif|guard|permit|within|inside|confine|contain|authoriz|restrict",
    re.IGNORECASE,
)
"""Names of functions that check what they are given, or make it harmless."""

VALIDATED = pattern(r"Validator\(")
"""What a type says of the values that are let through, where code checks them."""

ASKING = pattern(
    r"(?:\S*\.)?(?:exists|try_exists|is_file|is_dir|is_symlink|isfile|isdir|i?stat|endswith|ends_with|suffix|extension|splitext"
    r"|existsSync|i?statSync|isFile|isDirectory|isSymbolicLink|extname|isAbsolute|endsWith|toLowerCase|toUpperCase"
    r"|isabs|is_absolute|is_relative|has_root|is_empty|lower|upper|scheme|strip|trim|is_some|is_none|is_ok|is_err)"
)
"""Names of functions and fields that tell of a value whether it is there, or what it is like in a part."""

MEASURING = pattern(r"(?:\S*\.)?(?:isinstance|type|len|length|count)")
"""Names of functions that tell how long a text is, or of what type. What is told so of what was parsed of it is a check."""

BEGINNING = pattern(r"(?:\S*\.)?(?:startswith|starts_with|startsWith)")
"""How the languages test how a text begins."""

HARMLESS = pattern(r"(?!.*\.\.)[\w .~]*|[\w+]*:(?://)?")
"""What a text may begin with, or hold, of which nothing follows for where it leads: a word, a scheme."""

NO_OPTION = pattern(r"(?:\S*\.)?(?:exists|try_exists|is_file|is_dir|isfile|isdir|i?stat|existsSync|statSync|scheme)")
"""Names of functions and fields that tell of a value what no option is: a file that is there, an address."""

RESULTS = frozenset({"network", "command", "file", "answer"})
"""Where what a call gave comes from that was made with an argument: to test that says nothing of the argument."""


CHECKS: frozenset[ActName] = frozenset({"checks path", "validates", "verifies"})
"""What functions do that fail, or are false, for what they do not let pass."""

BUILT_IN = frozenset("str bytes number list tuple set dict map Option Result".split())
"""What the models call the kinds of values that a language has itself."""

LITERALS = frozenset({"list", "dict", "tuple", "set"})
"""The types of what holds other values."""


class _Asked(NamedTuple):
    """A test, where it is made, and how it turned out for those who went on, None if that is told there."""

    step: int
    here: Occurrence
    value: Value
    truth: bool | None = None
    within: Context | None = None
    """What surrounds the test, where it turned others away."""


class Restrictions:
    """The tests and the checks of a trace, by the arguments that they speak of."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._program, self._models = program, program.models
        self._is_address = self._is_option = False
        typed = [each for each in trace.code.parameters if each.type is not None]
        self._declared = frozenset(each.name for each in typed if each.type and VALIDATED.search(each.type.text))
        self._steps: dict[tuple[int, ...], int] = {}
        self._ways: dict[Occurrence, tuple[int, ...]] = {}
        self._tests: list[_Asked] = []
        self._asked: dict[Occurrence | None, list[Value]] = {}
        """The values that are tested, by the call of the function that tests them: each end of it asks for all of them."""
        self._refusals: list[_Asked] = []
        self._checks: list[tuple[int, Occurrence, frozenset[Label]]] = []
        self._is_strict = False
        """Whether only certain restrictions of an argument count."""
        self._met: Text | None = None
        """The first test or function that so did not count."""
        self._queries: dict[Term, frozenset[Label]] = {}
        """Where the values come from that a statement is handed which a cursor runs, by the cursor."""
        for step, each in enumerate(trace.iter_occurrences(kinds=(Tested, Called, Entered, Raised, Returned))):
            self._take(step, each)

    def _take(self, step: int, here: Occurrence) -> None:
        match here.event:
            case Tested(value=value):
                self._tests.append(_Asked(step, here, value))
                self._asked.setdefault(here.caller, []).append(value)
            case Raised() | Returned():
                self._refusals += self._refuse(step, here, here.event)
            case Called() as event:
                self._steps.setdefault(self._collect_way(here), step)
                self._note_query(here, event)
                if self._is_check(event):
                    labels = frozenset(label for each in event.values for label in here.resolve_labels(each))
                    self._checks.append((step, here, labels))

    def _note_query(self, here: Occurrence, event: Called) -> None:
        model = self._models.find_model(event.path)
        if model is None or event.receiver is None or "executes sql" not in collect_acts(event, self._models):
            return
        statement = find_modelled_argument(event, model)
        handed = [each for value in event.values if value is not statement for each in (value, *_collect_held(value))]
        known = self._queries.get(event.receiver.term, frozenset())
        self._queries[event.receiver.term] = known.union(*(here.resolve_labels(each) for each in handed))

    def _is_looked_up(self, value: Value, labels: frozenset[Label]) -> bool:
        """Return whether a test asks if a query found an argument: `if not cursor.fetchone()`, after it ran with that."""
        return any(
            not labels.isdisjoint(self._queries.get(each.meaning.of[0].term, frozenset()))
            for each in made_of(value)
            if isinstance(each.meaning, Made) and each.meaning.of
        )

    def _refuse(self, step: int, here: Occurrence, event: Raised | Returned) -> list[_Asked]:
        """Return the tests that led to an early end: where several ways come together, all that were made before."""
        tests = [each for each in iter_test_contexts(event) if each.value is not None]
        if not tests and (isinstance(event, Raised) or event.value.failure is not None or _says_no(event.value)):
            return [_Asked(step, here, each) for each in self._asked.get(here.caller, ())]
        return [_Asked(step, here, each.value, not each.holds, each.around) for each in tests if each.value is not None]

    def _collect_way(self, here: Occurrence) -> tuple[int, ...]:
        """Return the calls that lead to an event; that of a call is put together once for all that happens inside."""
        if here.caller is None:
            return (id(here.event),)
        if here.caller not in self._ways:
            self._ways[here.caller] = self._collect_way(here.caller)
        return (id(here.event), *self._ways[here.caller])

    def _is_check(self, event: Called) -> bool:
        """Return whether a call fails for what it does not let pass, or may, as its name says."""
        acts = collect_acts(event, self._models)
        is_object = not event.path and any(isinstance(each, Class) for each in event.callee.things)
        if is_object or self._models.get_model(event.path).returns == "read":
            return False  # what its fields make sure of is known of them
        if not acts.isdisjoint(CHECKS):
            return "fails" in acts
        name = event.path.rpartition(".")[2] or str(event.text).partition("(")[0]
        return not acts and not event.followed and CHECKING.search(name) is not None

    def find_unsure_restriction(self, here: Occurrence, piece: TextPiece, sink: Sink) -> Text | None:
        """Return the test or unseen function that restricts an argument but may not suffice; None if a certain restriction does.

        A test does not suffice for certain if it is no list of allowed values. `hold` says which arguments are
        restricted.
        """
        self._is_strict, self._met = True, None
        is_restricted = self.hold(here, piece, sink)
        self._is_strict = False
        return None if is_restricted else self._met

    def hold(self, here: Occurrence, piece: TextPiece, sink: Sink) -> bool:
        """Return whether anything restricts what an argument may be that is a part of a text, where the text is used."""
        labels = frozenset(each for each in piece.here.resolve_labels(piece.value) if each.origin in CLIENTS)
        name = find_argument_name(piece.here, piece.value, self._models)
        if name in self._declared or self._is_validated(piece):
            return True
        self._is_address, self._is_option = sink == "address", sink == "option"
        if self._is_sifted(piece, labels, name):
            return True
        end = self._steps.get(self._collect_way(here), len(self._steps))
        if any(self._limits_argument(piece.here, each, holds, labels, name) for each, holds in piece.under):
            return True
        if any(
            step < end
            and not labels.isdisjoint(known)
            and not _is_apart(at, at.event.context, here)
            and self._counts(at.event.text, is_sure=not self._is_guessed(at.event))
            for step, at, known in self._checks
        ):
            return True
        told = list(self._iter_settled_tests(here, end))
        if sink == "statement" and any(self._is_looked_up(each.value, labels) for each, _ in told):
            return True
        return any(self._limits_argument(each.here, each.value, truth, labels, name) for each, truth in told)

    def _is_validated(self, piece: TextPiece) -> bool:
        """Return whether a value is a field of an object that checks what it is given."""
        here, value = piece.here.trace_source(piece.value)
        if not is_field(value) or not isinstance(value.meaning, Made):
            return False
        _, owner = here.trace_source(value.meaning.of[0])
        kinds = (each.of for each in owner.things if isinstance(each, Instance))
        return any(self._program.checks(each, value.meaning.by[1:]) for each in kinds if isinstance(each, Class))

    def _is_sifted(self, piece: TextPiece, labels: frozenset[Label], name: str) -> bool:
        """Return whether a text is put together of elements of an argument of which tests say what they may be.

        So are the characters of `"".join(each if each.isalnum() else "_" for each in name)`.
        """
        if not isinstance(piece.value.meaning, Made) or piece.value.meaning.by != "element":
            return False
        which = _identify(piece.here, piece.value)
        return any(
            self._limits_argument(each.here, each.value, None, labels, name)
            for each in self._tests
            if any(_identify(each.here, part) == which for part in (each.value, *made_of(each.value)))
        )

    def _iter_settled_tests(self, here: Occurrence, end: int) -> Iterator[tuple[_Asked, bool | None]]:
        """Yield the tests that were made before, of which it is known how they turned out, or that turned others away."""
        levels = {id(each.caller): each for each in here.iter_outwards()}
        for each in self._tests:
            level = levels.get(id(each.here.caller))
            if level is not None and each.step < end:
                for leaf in (each.value, *iter_conditions(each.value)):
                    fact = level.event.facts.get(leaf.term)
                    if fact is not None and fact.truth is not None:
                        yield each._replace(value=leaf), fact.truth
        for each in self._refusals:
            if each.step < end and not _is_apart(each.here, each.within, here):
                yield each, each.truth

    def _limits_argument(
        self, here: Occurrence, test: Value, truth: bool | None, labels: frozenset[Label], name: str
    ) -> bool:
        """Return whether a condition that turned out so says what an argument may be."""
        match test.meaning:
            case Negation(operand):
                return self._limits_argument(here, operand, None if truth is None else not truth, labels, name)
            case ConditionalValue(choosing, then, otherwise):
                return any(
                    self._limits_argument(here, each, None, labels, name) for each in (choosing, then, otherwise)
                )
        if labels.isdisjoint(here.resolve_labels(test)) or self._is_result(here, test, labels):
            return False
        if not self._speaks(here, test, name):
            return False
        if isinstance(test.meaning, Relation):
            is_sure = truth is True and test.meaning.operator in ("==", "in")
            return self._relates(here, test.meaning, truth) and self._counts(here.event.text, is_sure=is_sure)
        if self._is_plain(here, test) or self._is_partial_check(here, test):
            return False
        return self._counts(here.event.text, is_sure=not CHECKS.isdisjoint(self._models.get_maker_model(test).acts))

    def _counts(self, text: Text, *, is_sure: bool) -> bool:
        """Return whether a test or a function counts that may restrict an argument: any does, or only a certain one."""
        if self._is_strict and not is_sure:
            self._met = self._met or text
            return False
        return True

    def _is_guessed(self, event: Event) -> bool:
        """Return whether a call is taken for a check by its name alone."""
        return isinstance(event, Called) and collect_acts(event, self._models).isdisjoint(CHECKS)

    def _is_result(self, here: Occurrence, value: Value, labels: frozenset[Label]) -> bool:
        """Return whether a value is made of what a call gave, and only by that of an argument."""
        match value.meaning:
            case Relation(_, left, right):
                of = (left, right) if right is not None else (left,)
            case Made(by, of) if self._is_address or RESULTS.isdisjoint(self._models.get_model(by).labels):
                pass
            case _:
                results = (
                    RESULTS - {"network"} if self._is_address else RESULTS
                )  # a host that is looked up is that host
                return any(each.origin in results for each in here.resolve_labels(value))
        spoken = [each for each in of if not labels.isdisjoint(here.resolve_labels(each))]
        return bool(spoken) and all(self._is_result(here, each, labels) for each in spoken)

    def _speaks(self, here: Occurrence, test: Value, name: str) -> bool:
        """Return whether a test may speak of an argument: it names that, or none."""
        match test.meaning:
            case Relation(_, left, right):
                sides = (left, right) if right is not None else (left,)
            case _:
                sides = (test,)
        found = (find_argument_name(at, part, self._models) for each in sides for at, part in iter_parts(here, each))
        names = frozenset(each for each in found if each)
        return not names or name in names

    def _relates(self, here: Occurrence, relation: Relation, truth: bool | None) -> bool:
        left, right = relation.left, relation.right
        match relation.operator:
            case "<" | "<=":
                return False
            case "present" | "succeeds" | "kind" if _is_wrapped(left):
                return False
            case "present" | "succeeds" | "kind":
                return not self._is_plain(here, left) and not self._is_partial_check(here, left)
            case "in" if right is not None:
                if left.constants is not None:
                    is_host = self._is_address and truth is not False and "." in (left.text or "")
                    return is_host or (truth is not True and not _is_harmless(left))
                return truth is not False and not self._is_partial_check(here, left)
        if right is not None and right.constant == NONE.constant:
            return not self._is_plain(here, left) and not self._is_partial_check(here, left)
        constant = next((each for each in (left, right) if each is not None and each.constants is not None), None)
        other = right if constant is left else left
        if constant is None or other is None:
            return True
        return not _is_harmless(constant) if truth is not True else self._is_of_path(other)

    def _is_of_path(self, value: Value) -> bool:
        return "checks path" in self._models.get_maker_model(value).acts

    def _is_partial_check(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value only tells whether something is there, or what it is like in a part."""
        match value.meaning:
            case Made(by, _) if self._is_option and (BEGINNING.fullmatch(by) or NO_OPTION.fullmatch(by)):
                return False
            case Made(by, of) if BEGINNING.fullmatch(by) and len(of) > 1:
                held = list((of[1].contents or {0: of[1]}).values())
                return all(each.constants is not None and _is_harmless(each) for each in held)
            case Made(by, of) if of and MEASURING.fullmatch(by):
                return self._is_plain(here, of[0])
            case ConditionalValue(then=one, otherwise=other) | Made(
                "joined", (one, other)
            ):  # with a failure: `.map_err(..)`
                sides = [each for each in (one, other) if each.failure is None]
                return bool(sides) and all(self._is_partial_check(here, each) for each in sides)
            case Made(by, _):
                return ASKING.fullmatch(by) is not None or self._is_address_of(by)
        return False

    def _is_address_of(self, path: str) -> bool:
        """Return whether a function makes an address of a text: that it is one says not which."""
        model = self._models.get_model(path)
        return model.returns == "new" and model.type.endswith(".Url")

    def _is_plain(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value is a text, of which to ask whether it is true is to ask whether it is there."""
        texts = collect_compositions(here, value, self._models)
        return all(
            each.text is not None or find_argument_name(each.here, each.value, self._models)
            for text in texts
            for each in text
        )


def is_unseen(path: str, program: Program) -> bool:
    """Return whether nothing is known of a function of a library: it has no row, and is not of the language."""
    if "." not in path or program.models.find_model(path) is not None:
        return False
    return path.partition(".")[0] not in ("", *BUILT_IN) and not program.is_standard(path)


def _collect_held(value: Value) -> tuple[Value, ...]:
    return tuple((value.contents or {}).values())


def _is_wrapped(value: Value) -> bool:
    """Return whether a value is a failure, a literal or an object that the code put others in: a test says nothing of those."""
    types = value.library_types
    return value.certain or value.failure is not None or (bool(types) and LITERALS.issuperset(types))


def _says_no(value: Value) -> bool:
    return value.constant is not None and value.constant[1] in (None, False)


def _is_harmless(value: Value) -> bool:
    return all(not isinstance(each, str) or HARMLESS.fullmatch(each) is not None for _, each in value.constants or ())


def _identify(here: Occurrence, value: Value) -> tuple[list[Site], Term]:
    """Return which value it is, by the calls that lead to where it was made, and its term there."""
    calls, term = [each.event.at for each in here.iter_outwards()][1:], value.term
    while isinstance(term, tuple) and term[:1] == ("via",):
        calls, term = [term[1], *calls], term[2]
    return calls, term


def _is_apart(here: Occurrence, within: Context | None, other: Occurrence) -> bool:
    """Return whether something is done on a way that does not lead to something else; `within` is what surrounds it."""
    mine, theirs = list(here.iter_outwards())[::-1], list(other.iter_outwards())[::-1]
    for left, right in zip(mine, theirs, strict=False):
        if left.caller is not None and right.caller is not None and left.caller.event is not right.caller.event:
            return False
        around = left.event.context if left is not here else within
        turned, facts = {each.at: each.holds for each in iter_test_contexts(right.event)}, right.event.facts
        for each in around.iter_outwards() if around is not None else ():
            if each.condition == "test" and each.value is not None:
                fact = facts.get(each.value.term)
                holds = turned.get(each.at, fact.truth if fact is not None else None)
                if holds is not None and holds is not each.holds:
                    return True
    return False
