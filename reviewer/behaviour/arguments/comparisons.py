"""Which texts the code of a call knows of an argument: those that it is compared with, where nothing else is done with it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field

from reviewer.behaviour.arguments.inputs import hands_over
from reviewer.behaviour.results.answers import tells_failure
from reviewer.code.acts import SAYING, collect_acts
from reviewer.code.events import Called, Event, Indexed, Looped, Obscured, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.ir import Code
from reviewer.code.program import Program
from reviewer.code.state import infer_failure
from reviewer.code.values import (
    ELEMENT,
    Class,
    ConditionalValue,
    Made,
    Negation,
    Relation,
    Term,
    Value,
    strip_negations,
)
from reviewer.records import dataclass

ADJUSTING = frozenset(
    {
        "text",
        "receiver",
        "argument",
        "copied",
        "cloned",
        "or else",
        "or call",
        "then",
        "then or",
        "mapped",
        "mapped or then",
    }
)
"""What models say of functions that return a text in another form, or a substitute for an absent one."""

# These look at a value and do nothing with its text.
TELLING = frozenset({"present", "absent", "succeeded", "failed", "kind", "length", "empty"})
KINDS = (Tested, Indexed, Looped, Obscured, Called, Returned, Raised)


@dataclass(slots=True)
class Compared:
    """The texts that an argument is compared with. `refuses` tells that others are refused."""

    values: dict[str, None] = field(default_factory=dict)
    refuses: bool = False


def collect_comparisons(trace: Trace, program: Program) -> dict[str, Compared]:
    """Return the comparisons of arguments that are used for nothing else: another use may accept further values."""
    return _Comparisons(trace, program).collect_compared()


class _Comparisons:
    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._found: dict[str, Compared] = {}
        self._passed: set[str] = set()
        self._looked_up: dict[Term, set[str]] = {}
        """The arguments by which entries of tables are looked up, by the terms of these."""
        self._ways_out: defaultdict[Code, list[Occurrence]] = defaultdict(list)
        self._refused: dict[int, bool] = {}

    def collect_compared(self) -> dict[str, Compared]:
        if not self._trace.leads_to(_compares_texts, self._program):
            return {}
        events = list(self._trace.list_occurrences(hands_over, kinds=KINDS))
        for each in events:
            self._compare(each)
            if isinstance(each.event, Returned | Raised):
                self._ways_out[each.event.code].append(each)
        self._found.pop("", None)
        for each in events:
            if self._found.keys() <= self._passed:  # most arguments are handed on somewhere
                return {}
            self._pass(each)
        found = {name: each for name, each in self._found.items() if name not in self._passed}
        for each in (one for some in self._ways_out.values() for one in some):
            excluded = found.keys() & set(self._iter_excluded_names(each))
            is_refusal = bool(excluded) and self._is_refusal(each)
            for name in excluded:
                if is_refusal or self._names_alone(name, each, events):
                    found[name].refuses = True
        return found

    def _names_alone(self, name: str, here: Occurrence, events: list[Occurrence]) -> bool:
        """Return whether all that a tool does for what is none of its values is to answer with a text that names it."""
        event = here.event
        if (
            not isinstance(event, Returned)
            or event.code is not self._trace.code
            or self._is_decided_by_tests(name, here)
        ):
            return False
        is_text = (
            event.value.text is None and isinstance(event.value.meaning, Made) and event.value.meaning.by == "text"
        )
        if not is_text or name not in self._collect_names(here, event.value):
            return False
        return not any(
            isinstance(each.event, Called)
            and each.event.code is event.code
            and each.event.at.start < event.at.start
            and name in self._iter_excluded_names(each)
            and not self._is_decided_by_tests(name, each)
            for each in events
        )

    def _is_refusal(self, here: Occurrence) -> bool:
        """Return whether a call is refused by what a function returns or raises; found out once, since it reads texts."""
        if id(here) not in self._refused:
            self._refused[id(here)] = self._refuses(here)
        return self._refused[id(here)]

    def _refuses(self, here: Occurrence) -> bool:
        event = here.event
        if isinstance(event, Returned):
            return infer_failure(event.value, event.facts) is True or tells_failure(
                here, event.value, self._program.models
            )
        return isinstance(event, Raised)

    def _compare(self, here: Occurrence) -> None:
        match here.event:
            case Tested(value=value):
                for relation in iter_relations(value):
                    self._note_comparison(here, relation)
            case Indexed(owner=owner, key=key):
                self._note_lookup(here, owner, key)
            case Called(receiver=Value() as owner) as event if (
                sought := _find_looked_up(event, self._program)
            ) is not None:
                self._note_lookup(here, owner, sought)
                self._looked_up[event.result.term] = self._collect_names(here, sought)

    def _pass(self, here: Occurrence) -> None:
        """Note the arguments that something is done with besides."""
        event = here.event
        match event:
            case Looped() | Obscured():
                self._passed |= {name for value in event.values for name in self._collect_names(here, value)}
            case Called() if not event.followed and _find_looked_up(event, self._program) is None:
                self._visit_call(here, event)

    def _is_within_refusal(self, event: Event) -> bool:
        around = (
            each
            for each in self._ways_out[event.code]
            if each.event.at.start <= event.at.start and event.at.end <= each.event.at.end
        )
        return any(map(self._is_refusal, around))

    def _visit_call(self, here: Occurrence, event: Called) -> None:
        names = {name for value in event.values for name in self._collect_names(here, value)}
        names &= self._found.keys() - self._passed
        if not names or (event.callee.things and all(isinstance(each, Class) for each in event.callee.things)):
            return  # an object holds it: what becomes of that is seen
        model = self._program.models.find_model(event.path)
        if model is not None and (
            model.returns in ADJUSTING | TELLING or not SAYING.isdisjoint(collect_acts(event, self._program.models))
        ):
            return
        if not self._is_within_refusal(event):
            self._passed |= names

    def _note_comparison(self, here: Occurrence, relation: Relation) -> None:
        if relation.operator == "in" and relation.right is not None:
            self._note_lookup(here, relation.right, relation.left)
        if relation.operator != "==" or relation.right is None:
            return
        for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
            for name in self._collect_names(here, one):
                if other.text is not None and self._is_itself(here, one):
                    self._get_compared(name, here).values[other.text] = None
                elif other.constants is None:
                    self._passed.add(name)

    def _note_lookup(self, here: Occurrence, owner: Value, key: Value) -> None:
        """Note that an argument is looked for in a table or a list, by what that holds."""
        names = self._collect_names(here, key)
        if not names:
            return
        texts = _collect_known_keys(owner)
        if texts:
            for name in names:
                self._get_compared(name, here).values.update((str(each), None) for each in texts)
        else:
            self._passed |= names

    def _get_compared(self, name: str, here: Occurrence) -> Compared:
        return self._found.setdefault(name, Compared())

    def _collect_names(self, here: Occurrence, value: Value) -> set[str]:
        return (
            {each.name for each in here.resolve_labels(value) if each.origin == "argument"} if value.labels else set()
        )

    def _is_itself(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value is the text that a client sends, in whatever case, and no part of it or of what it leads to."""
        for _ in range(6):  # `given.get("x").and_then(as_str).map(lower)` is four
            here, value = here.trace_source(value)
            made = value.meaning
            if isinstance(made, ConditionalValue):
                return True
            if not isinstance(made, Made):
                return all(each.origin in ("argument", "parameter") for each in here.resolve_labels(value))
            if made.by not in ("text", "item") and self._program.models.get_model(made.by).returns not in ADJUSTING:
                return False
            value = made.of[0]
            if made.by == "item":
                return any(each.origin == "request" for each in here.resolve_labels(value))
        return False

    def _iter_excluded_names(self, here: Occurrence) -> Iterator[str]:
        """Yield the arguments of which tests that lead to a place say what they are not."""
        yield from (name for name, holds in self._iter_tested_names(here) if not holds)

    def _is_decided_by_tests(self, name: str, here: Occurrence) -> bool:
        """Return whether tests that lead to a place say what an argument is."""
        return (name, True) in self._iter_tested_names(here)

    def _iter_tested_names(self, here: Occurrence) -> Iterator[tuple[str, bool]]:
        """Yield the arguments that tests compare which lead to a place, and whether what they ask holds there."""
        for each in here.iter_circumstances():
            if each.condition == "test" and each.value is not None:
                test, holds = strip_negations(each.value, each.holds)
                yield from ((name, False) for name in self._looked_up.get(_get_absent(test, bool(holds)), ()))
                if isinstance(test.meaning, Relation) and test.meaning.operator in ("==", "in"):
                    for one in (test.meaning.left, test.meaning.right):
                        yield from (
                            ((name, bool(holds)) for name in self._collect_names(here, one)) if one is not None else ()
                        )


def _get_absent(test: Value, holds: bool) -> Term:
    """Return the term of a value of which a test says that it is nothing."""
    match test.meaning:
        case Relation("is", left, Value() as right) if holds and right.constants is not None and right.text is None:
            return left.term
        case Relation("present", left) if not holds:
            return left.term
    return test.term if not holds else None


def _collect_known_keys(owner: Value) -> list[str]:
    """Return the texts by which all is known that a table or a list holds; empty if it may hold others."""
    held = owner.contents or {}
    texts = [each.text if isinstance(place, int) else place for place, each in held.items()]
    known = [each for each in texts if isinstance(each, str)]
    return known if ELEMENT not in held and len(known) == len(texts) else []


def _find_looked_up(event: Called, program: Program) -> Value | None:
    """Return the argument that a call looks up in a table or list whose texts are all known; else None."""
    if event.followed or event.receiver is None or not event.arguments or not _collect_known_keys(event.receiver):
        return None
    model = program.models.find_model(event.path)
    return event.find_argument(0) if model is not None and model.returns == "entry" else None


def iter_relations(value: Value) -> Iterator[Relation]:
    """Yield the comparisons in a value: the value itself, negated, or as a part of a condition."""
    match value.meaning:
        case Relation():
            yield value.meaning
        case Negation(operand):
            yield from iter_relations(operand)
        case ConditionalValue(test, then, otherwise):
            for each in (test, then, otherwise):
                yield from iter_relations(each)


def _compares_texts(event: Event, program: Program) -> bool:
    """Return whether what a function was handed, or what a client sends, is compared with texts, or looked up by them."""
    if isinstance(event, Called):
        key = _find_looked_up(event, program)
        return key is not None and any(label.origin in ("argument", "parameter") for label in key.labels)
    return (
        isinstance(event, Tested)
        and any(label.origin in ("argument", "parameter") for label in event.value.labels)
        and _is_text_test(event.value)
    )


def _is_text_test(value: Value) -> bool:
    """Return whether a test compares something with texts."""
    return any(
        each.operator in ("==", "in")
        and each.right is not None
        and (each.right.contents or each.right.text or each.left.text)
        for each in iter_relations(value)
    )
