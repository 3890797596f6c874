"""Page sizes that clients ask for: what bounds one, what stands for one that is not given, and what refuses one."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reviewer.behaviour.answers import tells_failure
from reviewer.behaviour.pages import is_page_size, limits_otherwise
from reviewer.code.events import Assigned, Called, Context, Entered, Occurrence, Raised, Returned, Tested, Trace
from reviewer.code.ir import Code, Site
from reviewer.code.models import Models
from reviewer.code.values import Choice, Made, Negation, Relation, Term, Value
from reviewer.facts import Limit
from reviewer.source import Span, Text

BOUNDING = frozenset({"least", "clamped"})
BETWEEN = BOUNDING | {"greatest"}
DEFAULTING = frozenset({"or else", "entry", "then or"})
CLIENTS = frozenset({"argument", "request"})


class _Compared(NamedTuple):
    """A page size that a test finds too large, or too large or too small, where it leads to a place."""

    size: Value
    bound: Value


class Limits:
    """What the code of one trace does with page sizes. `names` are the arguments that are one though not by their name."""

    def __init__(self, trace: Trace, models: Models, names: frozenset[str] = frozenset()) -> None:
        self._trace, self._models, self._names = trace, models, names
        self._before: list[Occurrence] = []
        """The tests that are decided since anything else was done."""

    def found(self) -> Iterator[Limit]:
        """Yield what bounds a page size, stands for it, or refuses it; of what stands in another, the outer alone."""
        limits: dict[Span, Limit] = {}
        for here in self._trace.occurrences():
            limits.update((each.text.span, each) for each in self._read(here))
            if isinstance(here.event, Tested):
                self._before.append(here)
            elif not isinstance(here.event, Called | Returned):  # a call may make the error, and who returned is gone
                self._before.clear()
        for span, each in limits.items():
            if not any(other != span and other.holds(span) for other in limits):
                yield each

    def _read(self, here: Occurrence) -> Iterator[Limit]:
        event = here.event
        if limits_otherwise(event.code.name) or limits_otherwise(event.code.owner):
            return
        match event:
            case Raised():
                yield from self._refused(here)
            case Returned() if event.value.failure is not None or tells_failure(here, event.value, self._models):
                yield from self._refused(here)
            case Assigned() if event.context is not None and event.context.condition == "test":
                yield from self._assigned(here, event.value, event.context)
            case Called():
                yield from self._called(here, event)

    def _refused(self, here: Occurrence) -> Iterator[Limit]:
        for each in here.event.outwards():
            compared = next(self._too_large(here, each), None)
            if compared is not None:
                yield Limit(self._name(here, compared.size), self._place(here, each.at, compared.size), refuses=True)
                return
        yield from self._left(here)

    def _left(self, here: Occurrence) -> Iterator[Limit]:
        """Yield the test that refuses where whatever it lets through has left before: `if limit <= 100: return limit`."""
        if not any(
            each.event.context is here.event.context and each.event.code is here.event.code for each in self._before
        ):
            return
        for each in reversed(self._before):
            event = each.event
            if event.code is here.event.code and isinstance(event, Tested):
                context = Context("test", event.at, event.value, False)
                compared = next(self._too_large(each, context), None)
                if compared is not None:
                    yield Limit(
                        self._name(each, compared.size), self._place(each, event.at, compared.size), refuses=True
                    )
                    return

    def _assigned(self, here: Occurrence, value: Value, context: Context) -> Iterator[Limit]:
        """Yield a constant that a variable is given in the place of a size that is too large, or is not given."""
        number = _whole(value)
        if number is None or context.value is None:
            return
        compared = next(self._too_large(here, context), None)
        text = here.event.code.text(context.at)
        if compared is not None:
            yield Limit(self._name(here, compared.size), text, cap=number)
        else:
            asked = next((each for each in _asked_for(context.value) if self._is_size(here, each)), None)
            if asked is not None:
                yield Limit(self._name(here, asked), text, default=number)

    def _called(self, here: Occurrence, event: Called) -> Iterator[Limit]:
        model = self._models.of(event.path) if event.path else None
        if model is None or model.returns not in BOUNDING | DEFAULTING:
            return
        given = (*((event.receiver,) if event.receiver is not None else ()), *event.arguments)
        size = next((each for each in (event.result, *given) if self._is_size(here, each)), None)
        if size is None:
            return
        numbers = [each for each in map(_whole, given) if each is not None]
        is_bound = model.returns in BOUNDING
        default = next(self._defaults(here, size), None) if is_bound else next(iter(numbers), None)
        cap = (min if model.returns == "least" else max)(numbers, default=None) if is_bound else None
        if default is not None or cap is not None:
            yield Limit(self._name(here, size), event.text, default=default, cap=cap)

    def _defaults(self, here: Occurrence, value: Value) -> Iterator[int]:
        """Yield the constants that stand for a size which is not given."""
        here, value = here.source(value)
        match value.meaning:
            case Choice(_, then, otherwise):
                for each in (then, otherwise):
                    number = _whole(each)
                    if number is not None:
                        yield number
                    else:
                        yield from self._defaults(here, each)
            case Made(by, of) if by in BETWEEN:
                for each in of:
                    yield from self._defaults(here, each)

    def _too_large(self, here: Occurrence, context: Context) -> Iterator[_Compared]:
        """Yield the page sizes that are too large, or out of a range, where a test leads."""
        if context.condition == "test" and context.value is not None:
            for left, right, is_range in _above(context.value, context.holds):
                bound = _whole(right)
                is_bound = is_range or (
                    bound > 1 if bound is not None else right.constants is None and not _is_length(right)
                )
                if is_bound and self._is_size(here, left) and not self._is_size(here, right):
                    yield _Compared(left, right)

    def _is_size(self, here: Occurrence, value: Value) -> bool:
        return self._named(here, value) is not None

    def _named(self, here: Occurrence, value: Value) -> str | None:
        """Return the name of a page size that a client asks for and that a value is, bounded or replaced at most."""
        here, value = here.source(value)
        term = value.term
        if isinstance(term, tuple) and term[:1] == ("argument",) and isinstance(term[1], str):
            return term[1] if is_page_size(term[1]) or term[1] in self._names else None
        match value.meaning:
            case Choice(_, then, otherwise):
                return self._named(here, then) or self._named(here, otherwise)
            case Made(by, of) if by in BETWEEN:
                return next(filter(None, (self._named(here, each) for each in of)), None)
            case Made(by, of):
                return self._part(here, by, of)
        return None

    def _part(self, here: Occurrence, by: str, of: tuple[Value, ...]) -> str | None:
        """Return the name of a page size that is a part of what a client sends, or a number that is read of it."""
        is_sent = any(label.origin in CLIENTS for each in of for label in here.labels(each))
        if by.startswith(".") and len(of) == 1:
            return by[1:] if is_sent and is_page_size(by[1:]) else self._read_of(here, by, of)
        said = [text for each in of if (text := here.source(each)[1].text) is not None and is_page_size(text)]
        model = self._models.of(by)
        if said and is_sent and (by == "item" or model is None):
            return said[0]
        return self._read_of(here, by, of)

    def _read_of(self, here: Occurrence, by: str, of: tuple[Value, ...]) -> str | None:
        model = self._models.of(by)
        is_number = model is not None and (model.returns in ("number", "receiver") or "parses" in model.acts)
        return self._named(here, of[0]) if is_number and of else None

    def _name(self, here: Occurrence, size: Value) -> Text:
        return Text(self._named(here, size) or "limit", here.event.text.span)

    def _place(self, here: Occurrence, at: Site, size: Value) -> Text:
        """Return the test, or the call that leads there if only its caller calls a page size so."""
        text = here.event.code.text(at)
        while here.caller is not None and not _speaks_of_sizes(here.event.code) and _is_handed(here, size):
            size = _handed(here).get(size.term, size)
            here = here.caller
            text = here.event.text
        return text


def _is_handed(here: Occurrence, size: Value) -> bool:
    """Return whether a function is handed a page size, or the name of one, by its caller."""
    given = _handed(here)
    if size.term in given:
        return True
    match size.meaning:
        case Choice(_, then, otherwise):
            return any(_is_handed(here, each) for each in (then, otherwise) if each.constants is None)
        case Made(_, of):
            names = [each for each in of if each.text is not None and is_page_size(each.text)]
            return any(each.term in given for each in names) if names else any(_is_handed(here, each) for each in of)
    return False


def _handed(here: Occurrence) -> Mapping[Term, Value]:
    call = here.caller.event if here.caller is not None else None
    return call.given if isinstance(call, Entered) else {}


def _above(test: Value, holds: bool) -> Iterator[tuple[Value, Value, bool]]:
    """Yield what is greater than something where a test holds or does not, and what is not in a range."""
    match test.meaning:
        case Negation(operand):
            yield from _above(operand, not holds)
        case Choice(inner, then, otherwise):
            for each in (inner, then, otherwise):
                yield from _above(each, holds)
        case Relation("<" | "<=", left, right) if right is not None:
            yield (right, left, False) if holds else (left, right, False)
        case Relation("in", left, right) if right is not None and not holds and _head(right.term) == "range":
            yield left, right, True
        case Relation("present", left) if not holds and isinstance(left.meaning, Choice) and _head(left.term) != "via":
            yield from _above(left.meaning.test, False)


def _asked_for(test: Value) -> Iterator[Value]:
    """Yield what a test asks whether it is there."""
    match test.meaning:
        case Negation(operand):
            yield from _asked_for(operand)
        case Relation("present", left):
            yield left
        case Relation("is" | "==", left, right):
            if right is not None and right.constant == (type(None), None):
                yield left
        case Relation():
            pass
        case _:
            yield test


def _whole(value: Value) -> int | None:
    """Return the whole number that a value is."""
    found = value.constant
    return found[1] if found is not None and isinstance(found[1], int) and not isinstance(found[1], bool) else None


def _head(term: Term) -> object:
    return term[0] if isinstance(term, tuple) and term else None


def _is_length(value: Value) -> bool:
    return _head(value.term) == "length"


def _speaks_of_sizes(code: Code) -> bool:
    return is_page_size(code.name) or any(is_page_size(each.name) for each in code.parameters)
