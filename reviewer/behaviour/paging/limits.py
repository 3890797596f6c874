"""Page sizes that clients ask for: what bounds one, what stands for one that is not given, and what refuses one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from reviewer.behaviour.arguments.inputs import CLIENTS, is_length
from reviewer.behaviour.paging.pages import is_page_size, limits_otherwise
from reviewer.behaviour.results.answers import is_error, tells_failure
from reviewer.code.events import Assigned, Called, Context, Entered, Event, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.values import ConditionalValue, Made, Negation, Relation, Term, Value, get_term_head, strip_negations
from reviewer.facts import Limit
from reviewer.source import Span, Text

# The smaller of two numbers is bounded by the other one.
BOUNDING = frozenset({"least", "clamped"})
# A `max` in between (`min(max(n, 1), 50)`) keeps the number the one that was asked for.
BETWEEN = BOUNDING | {"greatest"}
# How library models name functions that give another value where none is there.
DEFAULTING = frozenset({"or else", "or call", "entry", "then or"})
UNBOUNDED = 2**31 - 1
"""What stands for no bound at all, as `i32::MAX` does, and any larger number of a type that page sizes have."""


class _Compared(NamedTuple):
    """A page size that a test finds too large, or too large or too small, where it leads to a place."""

    size: Value
    bound: Value


class Limits:
    """What the code of one trace does with page sizes. `names` are the arguments that are one though not by their name."""

    def __init__(self, trace: Trace, models: Models, names: frozenset[str] = frozenset()) -> None:
        self._trace, self._models, self._names = trace, models, names
        self._before: dict[Code, list[Occurrence]] = {}
        """The tests of each function that are decided since it did anything else."""
        self._told: dict[Code, set[int | None]] = {}
        """What was said in each function to stand for a size that is not given."""

    def iter_limits(self) -> Iterator[Limit]:
        """Yield the bounds, defaults and rejections of a page size; of nested ones only the outer."""
        limits: dict[Span, Limit] = {}
        for here in self._trace.iter_occurrences():
            for each in self._iter_event_limits(here):
                self._told.setdefault(here.event.code, set()).add(each.default)
                limits[each.text.span] = _join(limits.get(each.text.span), each)
            if isinstance(here.event, Tested):
                self._before.setdefault(here.event.code, []).append(here)
            elif not isinstance(here.event, Called | Entered | Returned) and not self._is_decided(here.event):
                self._before.pop(here.event.code, None)  # a call may make the error, and who returned is gone
        for span, each in limits.items():
            alike = (other for other in limits if limits[other].refuses is each.refuses)
            if not any(other != span and other.holds(span) for other in alike):
                yield each

    def _is_decided(self, event: Event) -> bool:
        """Return whether an assignment stands where one of the tests led: what is there may have left."""
        if not isinstance(event, Assigned) or event.code not in self._before:
            return False
        tests = {each.event.at for each in self._before[event.code]}
        return any(each.at in tests and each.holds for each in event.iter_outwards())

    def _iter_event_limits(self, here: Occurrence) -> Iterator[Limit]:
        event = here.event
        if limits_otherwise(event.code.name) or limits_otherwise(event.code.owner):
            return
        match event:
            case Raised():
                yield from self._iter_refusals(here)
            case Returned(value=value) if (refused := list(self._iter_refusals(here))) and (
                is_error(value, self._models) or tells_failure(here, value, self._models)
            ):
                yield from refused
            case Returned() if found := next(self._iter_compared_by(here, _iter_failure_tests(event)), None):
                yield found
            case Returned() if read_integer(event.value) is not None and self._gives_sizes(here):
                yield from self._iter_assigned_limits(here, event.value)
            case Returned(value=value) if self._is_size(here, value):
                told = self._told.get(event.code, ())
                yield from (each for each in self._iter_conditional_defaults(here, value) if each.default not in told)
            case Assigned():
                yield from self._iter_assigned_limits(here, event.value)
            case Called():
                yield from self._iter_call_limits(here, event)

    def _gives_sizes(self, here: Occurrence) -> bool:
        """Return whether a function gives page sizes: it is called so, or gives the size that it is asked for elsewhere."""
        if is_page_size(here.event.code.name):
            return True
        ends = (each for each in here.find_own_trace(self._trace).events if isinstance(each, Returned))
        return any(each.code is here.event.code and self._is_size(here, each.value) for each in ends)

    def _iter_refusals(self, here: Occurrence) -> Iterator[Limit]:
        found = next(self._iter_compared_by(here, here.event.iter_outwards()), None)
        if found is not None:
            yield found
        else:
            yield from self._iter_fallthrough_refusals(here)

    def _iter_compared_by(self, here: Occurrence, contexts: Iterable[Context]) -> Iterator[Limit]:
        """Yield the sizes that tests find out of range where they lead to a failure."""
        for each in contexts:
            for compared in self._iter_out_of_range(here, each):
                yield Limit(
                    self._name_size(here, compared.size), self._place(here, each.at, compared.size), refuses=True
                )
            yield from self._iter_demanded_limits(here, each)

    def _iter_demanded_limits(self, here: Occurrence, context: Context) -> Iterator[Limit]:
        """Yield the sizes of which a caller hands over whether they are in range: `demand(limit <= 100)`."""
        if context.condition == "test" and context.value is not None:
            test, holds = strip_negations(context.value, context.holds)
            there, told = here.trace_source(test)
            if there is not here and isinstance(told.meaning, Relation):
                for compared in self._iter_out_of_range(there, Context("test", there.event.at, told, holds)):
                    yield Limit(self._name_size(there, compared.size), there.event.text, refuses=True)

    def _iter_fallthrough_refusals(self, here: Occurrence) -> Iterator[Limit]:
        """Yield rejections that follow a test after which valid sizes have returned: `if limit <= 100: return limit`."""
        before = self._before.get(here.event.code, [])
        if not any(each.event.context is here.event.context for each in before):
            return
        for each in reversed(before):
            event = each.event
            if isinstance(event, Tested):
                context = Context("test", event.at, event.value, False)
                compared = next(self._iter_out_of_range(each, context), None)
                if compared is not None:
                    is_arm = event.whole is not None and event.whole.start <= here.event.at.start < event.whole.end
                    place = self._place(here, here.event.at if is_arm else event.at, compared.size)
                    yield Limit(self._name_size(each, compared.size), place, refuses=True)
                    return

    def _iter_assigned_limits(self, here: Occurrence, value: Value) -> Iterator[Limit]:
        """Yield a constant that a variable is given in the place of a size that is too large, or is not given."""
        number, context = read_integer(value), here.event.context
        if number is None or context is None or context.value is None or context.condition != "test":
            return
        compared = next(self._iter_too_large(here, context), None)
        text = here.event.code.extract_text(_build_around(context.whole or context.at, here.event.at))
        if compared is not None:
            yield Limit(self._name_size(here, compared.size), text, cap=number)
        else:
            asked = next((each for each in _iter_asked_for(context.value) if self._is_size(here, each)), None)
            if asked is not None:
                yield Limit(self._name_size(here, asked), text, default=number)

    def _iter_conditional_defaults(self, here: Occurrence, value: Value) -> Iterator[Limit]:
        """Yield the constants that stand for a size that is not given, where a size is chosen by whether one is given."""
        _, source = here.trace_source(value)
        match source.meaning:
            case ConditionalValue(test, then, otherwise):
                asked = next((each for each in _iter_asked_for(test) if self._is_size(here, each)), None)
                for one, other in ((then, otherwise), (otherwise, then)):
                    number = read_integer(one) if asked is not None and self._is_size(here, other) else None
                    if number is not None and asked is not None:
                        yield Limit(self._name_size(here, asked), here.event.text, default=number)
                    elif asked is None:
                        yield from self._iter_conditional_defaults(here, one)
            case Made(by, of) if by in BETWEEN:
                for each in of:
                    yield from self._iter_conditional_defaults(here, each)

    def _iter_call_limits(self, here: Occurrence, event: Called) -> Iterator[Limit]:
        model = self._models.find_model(event.path)
        if model is None or model.returns not in BOUNDING | DEFAULTING:
            return
        given = (*((event.receiver,) if event.receiver is not None else ()), *event.arguments)
        size = next((each for each in (event.result, *given) if self._is_size(here, each)), None)
        if size is not None and not self._is_factor(here, event.result):
            default = next(self._iter_defaults(here, event.result), None)
            yield Limit(self._name_size(here, size), event.text, default, self._find_cap(here, event.result))

    def _is_factor(self, here: Occurrence, size: Value) -> bool:
        """Return whether a size is only multiplied: that is where a page begins, not how long it is."""
        caller = here.caller.event if here.caller is not None else None
        events = (caller.trace if isinstance(caller, Entered) else self._trace).events
        values = [
            each
            for event in events
            if not (isinstance(event, Called) and _is_product(event.result))
            for each in event.values
        ]
        is_taken = any(each.term == size.term for each in values)
        return not is_taken and any(_is_product(each, size.term) for each in values)

    def _iter_defaults(self, here: Occurrence, value: Value) -> Iterator[int]:
        """Yield the constants that stand for a size which is not given."""
        here, value = here.trace_source(value)
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                for each in (then, otherwise):
                    number = read_integer(each)
                    if number is None:
                        yield from self._iter_defaults(here, each)
                    elif number < UNBOUNDED:
                        yield number
            case Made(by, of) if by in BETWEEN:
                for each in of:
                    yield from self._iter_defaults(here, each)

    def _find_cap(self, here: Occurrence, value: Value) -> int | None:
        """Return the constant that a size is at most, None if it is a larger one on some way."""
        here, value = here.trace_source(value)
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                caps = [self._find_cap(here, each) for each in (then, otherwise) if read_integer(each) is None]
                return max((each for each in caps if each is not None), default=None) if None not in caps else None
            case Made(by, of) if by in BOUNDING:
                numbers = [each for each in map(read_integer, of) if each is not None]
                return (min if by == "least" else max)(numbers, default=None)
            case Made("greatest", of):
                return next((cap for each in of if (cap := self._find_cap(here, each)) is not None), None)
        return None

    def _iter_too_large(self, here: Occurrence, context: Context) -> Iterator[_Compared]:
        """Yield the page sizes that are too large, or out of a range, where a test leads."""
        for each in _iter_exceeded_bounds(context):
            if self._is_size(here, each.size) and not self._is_size(here, each.bound):
                yield each

    def _iter_out_of_range(self, here: Occurrence, context: Context) -> Iterator[_Compared]:
        """Yield the page sizes that are too large or too small where a test leads."""
        yield from self._iter_too_large(here, context)
        for each in _iter_below(context):
            if self._is_size(here, each.size):
                yield each

    def _is_size(self, here: Occurrence, value: Value) -> bool:
        return self._find_size_name(here, value) is not None

    def _find_size_name(self, here: Occurrence, value: Value) -> str | None:
        """Return the name of a page size that a client asks for and that a value is, bounded or replaced at most."""
        here, value = here.trace_source(value)
        term = value.term
        if isinstance(term, tuple) and term[:1] == ("argument",) and isinstance(term[1], str):
            return term[1] if is_page_size(term[1]) or term[1] in self._names else None
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                return self._find_size_name(here, then) or self._find_size_name(here, otherwise)
            case Made(by, of) if by in BETWEEN:
                return next(filter(None, (self._find_size_name(here, each) for each in of)), None)
            case Made(by, of):
                return self._find_part_name(here, by, of)
        return None

    def _find_part_name(self, here: Occurrence, by: str, of: tuple[Value, ...]) -> str | None:
        """Return the name of a page size that is a part of what a client sends, or a number that is read of it."""
        is_sent = any(label.origin in CLIENTS for each in of for label in here.resolve_labels(each))
        if by.startswith(".") and len(of) == 1:
            return by[1:] if is_sent and is_page_size(by[1:]) else self._read_of(here, by, of)
        said = [text for each in of if (text := here.trace_source(each)[1].text) is not None and is_page_size(text)]
        model = self._models.find_model(by)
        if said and is_sent and (by == "item" or model is None):
            return said[0]
        if is_sent and model is None and is_page_size(by.rpartition(".")[2]):
            return by.rpartition(".")[2]
        return self._read_of(here, by, of)

    def _read_of(self, here: Occurrence, by: str, of: tuple[Value, ...]) -> str | None:
        model = self._models.get_model(by)
        is_number = model.returns in ("number", "receiver") or "parses" in model.acts
        return self._find_size_name(here, of[0]) if is_number and of else None

    def _name_size(self, here: Occurrence, size: Value) -> Text:
        return Text(self._find_size_name(here, size) or "limit", here.event.text.span)

    def _place(self, here: Occurrence, at: Site, size: Value) -> Text:
        """Return the test, or the call that leads there if only its caller calls a page size so."""
        text = here.event.code.extract_text(at)
        while here.caller is not None and not _speaks_of_sizes(here.event.code, size) and _is_handed(here, size):
            size = _collect_given_values(here).get(size.term, size)
            here = here.caller
            text = here.event.text
        return text


def _join(earlier: Limit | None, later: Limit) -> Limit:
    """Return the limit that two arms of one choice set together: the default, and the cap."""
    if earlier is None or earlier.refuses or later.refuses:
        return later
    default = later.default if later.default is not None else earlier.default
    return replace(later, default=default, cap=later.cap if later.cap is not None else earlier.cap)


def _iter_failure_tests(event: Event) -> Iterator[Context]:
    """Yield the test by which what is returned is a failure: of a `?`, or in one expression with the value."""
    match event:
        case Returned(value=Value(meaning=ConditionalValue(test, then, otherwise), term=term)) if (
            get_term_head(term) != "via"
        ):
            if (then.failure is None) is not (otherwise.failure is None):
                yield Context("test", event.at, test, then.failure is not None)
    for each in event.iter_outwards():
        if each.value is not None and _is_success_of(event.values, *strip_negations(each.value, not each.holds)):
            yield each


def _is_success_of(values: tuple[Value, ...], test: Value, fails: bool) -> bool:
    """Return whether a test asks whether a value is no failure, and says that it is one."""
    match test.meaning:
        case Relation("succeeds", left):
            return fails and left.term in [each.term for each in values]
    return False


def _build_around(one: Site, other: Site) -> Site:
    return Site(min(one.start, other.start), max(one.end, other.end))


def refuses_numbers(trace: Trace) -> bool:
    """Return whether a function fails for a number that it finds too large, whatever it is the number of."""
    return any(
        read_integer(compared.bound) is not None
        for event in trace.events
        if isinstance(event, Raised) or (isinstance(event, Returned) and event.value.failure is not None)
        for context in event.iter_outwards()
        for compared in _iter_exceeded_bounds(context)
    )


def _iter_exceeded_bounds(context: Context) -> Iterator[_Compared]:
    """Yield the values that exceed a bound, or are out of a range, in a branch."""
    if context.condition == "test" and context.value is not None:
        for left, right, is_range in _iter_above(context.value, context.holds):
            bound = read_integer(right)
            if is_range or (bound > 1 if bound is not None else right.constants is None and not is_length(right)):
                yield _Compared(left, right)


def _iter_below(context: Context) -> Iterator[_Compared]:
    """Yield the values that are less than a constant, or 0, in a branch."""
    if context.condition == "test" and context.value is not None:
        for left, right, is_range in _iter_above(context.value, context.holds):
            if not is_range and read_integer(left) is not None:
                yield _Compared(right, left)
        test, holds = strip_negations(context.value, context.holds)
        match test.meaning:
            case Relation("==", left, Value() as right) if holds and read_integer(right) == 0:
                yield _Compared(left, right)


def _is_handed(here: Occurrence, size: Value) -> bool:
    """Return whether a function is handed a page size, or the name of one, by its caller."""
    given = _collect_given_values(here)
    if size.term in given:
        return True
    match size.meaning:
        case ConditionalValue(_, then, otherwise):
            return any(_is_handed(here, each) for each in (then, otherwise) if each.constants is None)
        case Made(_, of):
            names = [each for each in of if each.text is not None and is_page_size(each.text)]
            return any(each.term in given for each in names) if names else any(_is_handed(here, each) for each in of)
    return False


def _collect_given_values(here: Occurrence) -> Mapping[Term, Value]:
    call = here.caller.event if here.caller is not None else None
    return call.given if isinstance(call, Entered) else {}


def _iter_above(test: Value, holds: bool) -> Iterator[tuple[Value, Value, bool]]:
    """Yield the values that exceed another if a test is true or false, and those out of a range."""
    match test.meaning:
        case Negation(operand):
            yield from _iter_above(operand, not holds)
        case ConditionalValue(inner, then, otherwise):
            for each in (inner, then, otherwise):
                yield from _iter_above(each, holds)
        case Relation("<" | "<=", left, right) if right is not None:
            yield (right, left, False) if holds else (left, right, False)
        case Relation("in", left, right) if right is not None and not holds and get_term_head(right.term) == "range":
            yield left, right, True
        case Relation("present" | "succeeds", left) if (
            not holds and isinstance(left.meaning, ConditionalValue) and get_term_head(left.term) != "via"
        ):
            yield from _iter_above(left.meaning.test, False)


def _iter_asked_for(test: Value) -> Iterator[Value]:
    """Yield the values whose presence a test checks."""
    match test.meaning:
        case Negation(operand):
            yield from _iter_asked_for(operand)
        case Relation("present", left):
            yield left
        case Relation("is" | "==", left, right):
            if right is not None and right.constant == (type(None), None):
                yield left
        case Relation():
            pass
        case _:
            yield test


def read_integer(value: Value) -> int | None:
    """Return the whole number that a value is."""
    found = value.constant
    return found[1] if found is not None and isinstance(found[1], int) and not isinstance(found[1], bool) else None


def _is_product(value: Value, of: Term = None) -> bool:
    """Return whether a value is a product, of a certain factor if that is told."""
    match value.meaning:
        case Made("*", factors):
            return of is None or of in [each.term for each in factors]
    return False


def _speaks_of_sizes(code: Code, size: Value) -> bool:
    """Return whether a function calls a page size so, by its name or a parameter, or looks at a field of its own object."""
    if is_page_size(code.name) or any(is_page_size(each.name) for each in code.parameters):
        return True
    match size.term:
        case ("entry", ("parameter", _, 0), (str(),)):
            return code.parameters[0].name == "self"
    return False
