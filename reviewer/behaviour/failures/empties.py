"""Errors that a handler gives where a search found nothing."""

import re
from collections.abc import Iterable, Iterator

from reviewer.behaviour.failures.exceptions import find_initial_calls, leaves
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import Answers, collect_answering_calls, find_answers, is_error, is_handed_on
from reviewer.behaviour.values.names import split_words
from reviewer.behaviour.values.texts import collect_spellings
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import (
    Called,
    Context,
    Entered,
    Event,
    Indexed,
    Occurrence,
    Raised,
    Returned,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Code, Site
from reviewer.code.kinds import collect_caught_types, collect_kinds
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.state import Facts, infer_presence
from reviewer.code.values import (
    ELEMENT,
    Class,
    ConditionalValue,
    Instance,
    Library,
    Made,
    Negation,
    Nested,
    Relation,
    Term,
    Value,
    get_term_head,
    strip_negations,
)
from reviewer.source import Text
from reviewer.text.patterns import pattern

# The words by which a message says that a search found nothing, as opposed to that it failed.
NOTHING = pattern(r"\b(?:no|zero|nothing|empty|none)\b|not found|n't find|not any|without results", re.IGNORECASE)
LISTS = frozenset(
    "items results result rows matches hits entries records documents docs files papers articles messages events issues "
    "tasks notes pages users videos repos repositories images posts products list listing".split()
)
"""What a value is called that is a list of what was looked for, where nothing else tells that it is one."""

ASKING = pattern(
    r"\b(?:provided|given|specified|supplied|passed|required|valid|invalid|must|missing|configured|unsupported|unknown|argument)\b"
    r"|empty (?:query|string)|(?:cannot|can ?not|must not|may not|should not) be empty",
    re.IGNORECASE,
)
"""Words of an error that speaks of what the call was given."""

ONE = pattern(r"not[ _]?found|no such|does ?n[o']t exist", re.IGNORECASE)
"""Words of an error that may speak of one thing that was asked for."""

WORDS = pattern(r"(?<=[a-z])(?=[A-Z])")
"""What lies between the words of a variant's name: `NothingFound`."""

NAMED = pattern(r"\{\}\S*\s+(?:was |were |is |are )?(?:not found|does ?n[o']t exist)", re.IGNORECASE)
"""An error that names what was not found: `f"Module {module} not found"`."""

SINGLE = frozenset("id ids name key uuid slug path doi url identifier handle number email symbol".split())
"""Words by which one named thing is asked for."""

SEVERAL = frozenset("glob pattern regex query filter".split())
"""Words by which any number of things is, whatever stands beside them: `path_or_glob` in a public server."""


def iter_errors_for_nothing(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the errors that a handler gives where a list is empty that it would answer else."""
    answers = find_answers(trace, program)
    happened = _ByCode(trace)
    entered, raising = collect_answering_calls(trace, program), _Raising()
    for each in trace.iter_occurrences(
        lambda event, _: event in entered or raising.has(event.trace), kinds=(Raised, Returned)
    ):
        error = _find_error(each, program)
        texts = (
            [*_iter_texts(each, error, program.models), *_iter_told(trace, error, program)] if error is not None else []
        )
        if error is None or not _say_nothing(texts, error) or not _is_answered(each, answers, program):
            continue
        around = _find_deciding_context(each, happened)
        while each.caller is not None and around is None:
            each = each.caller  # the function always gives the error: one that calls it decides
            around = _find_deciding_context(each, happened)
        test = _test(each, around, happened, answers, program) if around is not None else None
        if test is not None:
            named = any(ONE.search(text) for text in texts)
            yield RunFinding("fails empty", each, _get_given(each.event), None if named else test)


class _ByCode:
    """What happens in a handler, by the function that it happens in."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._known: dict[Code, list[Occurrence]] = {}

    def collect_occurrences(self, code: Code) -> list[Occurrence]:
        """Return the occurrences of a function's events."""
        if code not in self._known:
            self._known[code] = list(self._trace.iter_occurrences(code=code))
        return self._known[code]


class _Raising:
    """Knows which functions raise an exception, themselves or by what they call."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def has(self, trace: Trace) -> bool:
        """Return whether a function does."""
        if id(trace) not in self._known:
            self._known[id(trace)] = False
            self._known[id(trace)] = any(
                isinstance(each, Raised) or (isinstance(each, Entered) and self.has(each.trace))
                for each in trace.events
            )
        return self._known[id(trace)]


def _find_error(occurrence: Occurrence, program: Program) -> Value | None:
    """Return the error that a function is left with: an exception, a failure, a result that says that it is one."""
    match occurrence.event:
        case Raised(value=value):
            return value
        case Returned(value=value) if is_error(value, program.models) and not is_handed_on(value):
            return value.failure if value.failure is not None else value
    return None


def _is_answered(occurrence: Occurrence, answers: Answers, program: Program) -> bool:
    event = occurrence.event
    if isinstance(event, Raised):
        return event.value is not None and all(leaves(program, occurrence, kind) for kind in collect_kinds(event.value))
    return answers.is_answer(occurrence)


def _get_given(event: Event) -> Text:
    return event.code.extract_text(event.given) if isinstance(event, Returned) else event.text


def _say_nothing(texts: list[str], error: Value) -> bool:
    """Return whether an error says that nothing was found, and does not name the one thing that was asked for."""
    if not any(NOTHING.search(each) for each in texts):
        return False
    if any(each.startswith("{}") for each in texts):
        return False  # it speaks of what it names first
    if any(ASKING.search(each) or NAMED.search(each) for each in texts):
        return False
    names = [split_words(name) for name in _iter_names(error, deep=4)]
    return all(SINGLE.isdisjoint(words) or not SEVERAL.isdisjoint(words) for words in names)


def _iter_texts(occurrence: Occurrence, error: Value, models: Models, deep: int = 4) -> Iterator[str]:
    """Yield the texts that an error is made with, also in the objects that it holds."""
    of = error.meaning.of if isinstance(error.meaning, Made) and error.meaning.by != "text" else ()
    inner = {id(each): each for each in (*of, *(error.contents or {}).values())}
    for each in inner.values() if deep else ():
        yield from _iter_texts(occurrence, each, models, deep - 1)
    if not inner:
        for spelling in collect_spellings(occurrence, error, models):
            if any(spelling):
                yield "".join(text if text is not None else "{}" for text in spelling)
    for kind in collect_kinds(error):
        if isinstance(kind, Class) and kind.variant:
            yield WORDS.sub(" ", kind.variant)


def _iter_told(trace: Trace, error: Value, program: Program) -> Iterator[str]:
    """Yield the texts that an exception of the project hands to the class that it extends."""
    if any(isinstance(kind, Class) for kind in collect_kinds(error)):
        for each in find_initial_calls(trace, program, error):
            for value in each.event.values:
                yield from _iter_texts(each, value, program.models)


def _iter_names(value: Value, deep: int) -> Iterator[str]:
    """Yield how the arguments and fields are called that a text is made of."""
    yield from (each.name for each in value.labels if each.origin == "argument")
    if isinstance(value.meaning, Made) and deep:
        if value.meaning.by.startswith("."):
            yield value.meaning.by
        for each in value.meaning.of:
            yield from _iter_names(each, deep - 1)


def _test(
    occurrence: Occurrence, around: Context, happened: _ByCode, answers: Answers, program: Program
) -> Text | None:
    """Return the test that finds the result empty before an error is returned, None if there is none.

    `around` is the context of the error.
    """
    error = occurrence.event
    for term in _iter_found_empty(around, error, happened.collect_occurrences(error.code), program):
        code, found = _as_called(occurrence, term)
        own = happened.collect_occurrences(code)
        value = _find_best_known(own, found)
        named = not LISTS.isdisjoint(split_words(str(error.code.extract_text(around.at))))
        if value is None or _is_input(value, program.models, DEEPEST) or _takes_one(own, found, error):
            continue
        if _is_looked_in(value, own, program.models):
            continue
        if named or _is_list(value) or _is_matched(error.facts, term) or _is_sought(value):
            if _is_given_back(value, own, answers, program.models):
                return error.code.extract_text(around.at)
    return None


def _find_deciding_context(occurrence: Occurrence, happened: _ByCode) -> Context | None:
    """Return the context that decides about an error: its branch, or the last test before it that would have left
    otherwise.
    """
    error = occurrence.event
    around = next((each for each in error.iter_outwards() if each.condition in ("test", "handles", "loop")), None)
    own = happened.collect_occurrences(error.code)
    before = [each.event for each in own if isinstance(each.event, Tested) and each.event.at.end <= error.at.start]
    if not before or before[-1].value.term not in error.facts:
        return around
    if around is not None and before[-1].at.start <= around.at.end:
        return around
    return Context("test", before[-1].at, before[-1].value)


def _is_given_back(found: Value, own: list[Occurrence], answers: Answers, models: Models) -> bool:
    """Return whether a sequence is answered, something made of it, or of each of its elements, and not one of them."""
    elements = {*_iter_elements(found, own)}
    wanted = {found.term, *elements, *_iter_alike(found, own)}
    wanted |= {("via", each) for each in _iter_handing_sites(found, own)}
    returned = [
        (each, each.event.value) for each in own if isinstance(each.event, Returned) and not _is_failing(each.event)
    ]
    if any(value.term in elements for _, value in returned):
        return False
    return any(_is_made_of(value, wanted, models, DEEPEST) and answers.is_answer(each) for each, value in returned)


def _iter_handing_sites(found: Value, own: list[Occurrence]) -> Iterator[Site]:
    """Yield where functions of the project are handed a sequence: what they give is made of it, as what a guard leaves."""
    for each in own:
        if isinstance(each.event, Entered) and any(value.term == found.term for value in each.event.given.values()):
            yield each.event.at


def _is_failing(event: Returned) -> bool:
    """Return whether a function is left only where what it returns is a failure: `check(rows)?`."""
    fact = event.facts.get(("succeeds", event.value.term))
    return fact is not None and fact.truth is False


def _iter_found_empty(around: Context, error: Event, own: list[Occurrence], program: Program) -> Iterator[Term]:
    """Yield the terms that are empty if an error is raised, by the test or the exception that led to it."""
    if around.condition == "test" and around.value is not None:
        yield from _iter_tested_empty(around.value, error.facts)
        yield from _without_first(around.value, error, own, program)
    elif around.condition == "handles":
        caught = collect_caught_types(program, around)
        for each in own:
            event, context = each.event, each.event.context
            tried = (
                (part.at for part in context.iter_outwards() if part.condition == "catches")
                if context is not None
                else ()
            )
            if any(at.holds(around.at) for at in tried):
                yield from (owner.term for owner in _iter_taken_of(event, program.models, caught))


def _iter_taken_of(event: Event, models: Models, caught: Iterable[Class | Library]) -> Iterator[Value]:
    """Yield the sequence of which an event takes an element, where one of some exceptions tells that it has none."""
    match event:
        case Indexed(owner=owner) if Library("builtins.IndexError") in caught:
            yield owner
        case Called(arguments=(sequence,)) if Library("builtins.StopIteration") in caught:
            if find_modelled_return(event, models) == "element or else":
                yield sequence


def _without_first(test: Value, error: Event, own: list[Occurrence], program: Program) -> Iterator[Term]:
    """Yield the sequences of which a test tells that they have no first element: `let Some(_) = rows.peek() else`."""
    asked, _ = strip_negations(test)
    if isinstance(asked.meaning, Relation) and infer_presence(asked.meaning.left, error.facts) is False:
        for each in own:
            event = each.event
            if isinstance(event, Called) and event.receiver is not None and event.at.end <= error.at.start:
                if (
                    event.result.term == asked.meaning.left.term
                    and find_modelled_return(event, program.models) == "element"
                ):
                    yield event.receiver.term


def _iter_tested_empty(test: Value, facts: Facts) -> Iterator[Term]:
    """Yield the sequences of which a test tells that they are empty."""
    fact, length = facts.get(test.term), facts.get(("length", test.term))
    is_false = fact is not None and (fact.truth is False or fact.interval.high <= 0)
    if is_false or (length is not None and length.interval.high <= 0):
        yield test.term[1] if isinstance(test.term, tuple) and test.term[:1] == ("length",) else test.term
    match test.meaning:
        case Made(by, (tried,)) if is_false and by.endswith(".any"):
            yield tried.term
        case Negation(operand):
            yield from _iter_tested_empty(operand, facts)
        case Relation(left=left, right=right):
            yield from _iter_tested_empty(left, facts)
            if right is not None:
                yield from _iter_tested_empty(right, facts)


def _as_called(occurrence: Occurrence, term: Term) -> tuple[Code, Term]:
    """Return a value as the outermost caller has it that hands it on, and the function there."""
    here, value = occurrence.trace_source(Value(term))
    return here.event.code, value.term


def _find_best_known(own: list[Occurrence], term: Term) -> Value | None:
    """Return a value of a function as the event has it that knows most of it."""
    found = [each for one in own for each in _iter_values(one.event) if each.term == term]
    return max(found, key=lambda each: (bool(each.contents), bool(each.things)), default=None)


def _iter_values(event: Event) -> Iterator[Value]:
    for each in event.values:
        yield each
        if each.contents:
            yield from each.contents.values()


def _iter_elements(value: Value, own: list[Occurrence]) -> Iterator[Term]:
    """Yield the elements of a sequence that were seen: those that it is made with, and those that are added."""
    yield from (each.term for each in (value.contents or {}).values() if each.constant is None)
    for each in own:
        if isinstance(each.event, Stored) and each.event.owner.term == value.term and each.event.value.constant is None:
            yield each.event.value.term


def _iter_alike(tried: Value, own: list[Occurrence]) -> Iterator[Term]:
    """Yield the sequences of what passes the test that is tried on each element: `any(word in each for each in rows)`."""
    tests = {_strip_sites(each.term) for each in (tried.contents or {}).values() if isinstance(each.meaning, Relation)}
    for each in own:
        event = each.event
        if tests and isinstance(event, Stored) and event.context is not None and event.context.value is not None:
            if event.context.holds and _strip_sites(event.context.value.term) in tests:
                yield event.owner.term


def _strip_sites(term: Term) -> Term:
    """Return a term without the places where it was made."""
    if isinstance(term, Site):
        return None
    if not isinstance(term, tuple) or type(term) not in (tuple, Nested):
        return term
    return tuple(_strip_sites(each) for each in term)


def _is_input(value: Value, models: Models, deep: int) -> bool:
    """Return whether a sequence is an argument of the call, or consists of parts of one: nothing was looked for in it."""
    if _is_sent(value):
        return True
    inner = (value.contents or {}).get(ELEMENT)
    if inner is None and isinstance(value.meaning, Made) and value.meaning.of:
        is_part = models.get_maker_model(value).returns in ("pieces", "elements", "collected", "text")
        is_own = value.meaning.by.startswith(".")  # what a client sends is data, whose methods look nothing up
        inner = value.meaning.of[0] if is_part or is_own else None
    return inner is not None and bool(deep) and _is_input(inner, models, deep - 1)


def _is_sent(value: Value) -> bool:
    """Return whether a value is an argument of the call or a part of one, and not what the server hands over beside them."""
    whole = any(each == ("input",) for each in _iter_owners(value.term))
    is_argument = any(get_term_head(each) == "argument" for each in _iter_owners(value.term))
    return whole or (is_argument and any(each.origin == "argument" for each in value.labels))


def _is_looked_in(value: Value, own: list[Occurrence], models: Models) -> bool:
    """Return whether a sequence is what the server holds to look for things in, and not what was found there."""
    match value.term:
        case ("field", ("parameter", *_), _):
            receivers = [
                each.event.receiver
                for each in own
                if isinstance(each.event, Called) and find_modelled_return(each.event, models) == "filtered"
            ]
            return any(one is not None and _is_made_of(one, {value.term}, models, DEEPEST) for one in receivers)
    return False


SEEKING = frozenset("search list query scan grep collect filter glob walk matching matches retrieve select all".split())
"""Words of functions that give a list of what they find."""


def _is_sought(value: Value) -> bool:
    """Return whether a value is what a function gave whose name says that it looks for several things; a text is none."""
    if not isinstance(value.meaning, Made) or any(isinstance(each, Instance) for each in value.things):
        return False
    words = split_words(value.meaning.by.rpartition(".")[2])
    return not SEEKING.isdisjoint(words) or ("find" in words and any(each.endswith("s") for each in words))


SEQUENCES = frozenset({"list", "tuple", "set", "Vec", "VecDeque", "HashMap", "BTreeMap", "HashSet", "BTreeSet"})
"""How the types of sequences and tables are called."""


def _is_list(value: Value) -> bool:
    kinds = value.library_types
    return ELEMENT in (value.contents or {}) or any(each.rpartition(".")[2] in SEQUENCES for each in kinds)


def _is_matched(facts: Facts, term: Term) -> bool:
    """Return whether a pattern says that a value is a sequence: `case []`."""
    fact = facts.get(term)
    return fact is not None and Library("collections.abc.Sequence") in fact.kinds


def _takes_one(own: list[Occurrence], found: Term, error: Event) -> bool:
    """Return whether only the first or the last element of a sequence is used afterwards."""
    for each in own:
        event = each.event
        if event.at.start < error.at.end:
            continue
        if isinstance(event, Indexed) and event.owner.term == found and event.key.constant in ((int, 0), (int, -1)):
            return True
        if isinstance(event, Called) and event.receiver is not None and event.receiver.term == found:
            if event.path.endswith(".pop"):
                return True
    return False


OUTSIDE = frozenset(
    {"network", "lists directory", "reads file", "opens file", "runs command", "executes sql", "reads database"}
)
"""Acts by which a function gives what is elsewhere, and nothing of what it is given."""

# Steps from a value back to the search that returned it: conversions and elements. The tests of the rules come to the end of
# it; 40 servers had one.
DEEPEST = 5
PARTS = frozenset({"element", "item", "field", "part", "entry"})
"""The first parts of terms of what is a part of another value, whose term comes next."""


def _is_made_of(value: Value, wanted: "set[Term]", models: Models, deep: int) -> bool:
    """Return whether a value is one of some, is made of one, or holds one."""
    if any(each in wanted for each in _iter_owners(value.term)):
        return True
    if not deep:
        return False
    inner = list((value.contents or {}).values())
    match value.meaning:
        case ConditionalValue(then=then, otherwise=otherwise):
            inner += (then, otherwise)
        case Made(by, of):
            model = models.find_model(by)
            if model is None and by.startswith(".") and of and not _is_own(of[0]):
                inner += of[:1]  # what another object does with a list need not give it back
            elif model is None or OUTSIDE.isdisjoint(model.acts):
                inner += of
    return any(_is_made_of(each, wanted, models, deep - 1) for each in inner)


def _is_own(receiver: Value) -> bool:
    """Return whether a method is called on what the function was handed itself: its own object, whose class extends another."""
    return isinstance(receiver.term, tuple) and receiver.term[:1] in (("parameter",), ("captured",))


def _iter_owners(term: Term) -> Iterator[Term]:
    """Yield the term of a value, and of those that it is a part of."""
    yield term
    before: Term = None
    while isinstance(term, tuple) and len(term) > 1 and term[0] in PARTS:
        before, term = term, term[1]
        yield term
    match term, before:
        case ("via", Site() as site, _), ("field", _, "0" | "1") | ("item", _, ("constant", _, int())):
            yield "via", site  # a guard gives the list in a pair; one value alone may be a clause or a count
